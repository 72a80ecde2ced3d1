//! One directory listed by itself, as a walk of the whole tree would see it.

use super::Skip;
use super::files::kind_of;
use super::ignore_files::odd_in;
use super::known::joined;
use super::rule_files::{RuleFile, rules_in};
use super::stamp::Stamp;
use crate::lang::Registry;
use crate::text::{path_of, path_text};
use ignore::{IncrementalIgnore, WalkBuilder};
use std::path::Path;

/// What a directory holds.
pub(super) struct Listing {
    /// From the root, as [`path_text`] writes it; empty for the root.
    pub path: String,
    /// None if it is to be listed each time.
    pub stamp: Option<Stamp>,
    pub rules: Vec<RuleFile>,
    /// Names of files that may be worth reading.
    pub files: Vec<String>,
    /// Names of those left out by name or kind; the empty name is the directory itself, which cannot be read.
    pub skipped: Vec<(String, Skip)>,
    /// Paths of the directories in it, from the root.
    pub directories: Vec<String>,
}

/// Lists directories below a root.
pub(super) struct Lister<'a> {
    root: &'a Path,
    registry: &'a Registry,
    rules: Option<IncrementalIgnore>,
}

impl<'a> Lister<'a> {
    /// `rules` are those of a walk of the root.
    pub fn new(root: &'a Path, registry: &'a Registry, rules: &WalkBuilder) -> Self {
        Self { root, registry, rules: rules.build_matchers().into_iter().next() }
    }

    /// What a directory holds now; none if it is no directory any more, or its ignore files cannot be read.
    pub fn list(&mut self, path: &str) -> Option<Listing> {
        let place = self.root.join(path_of(path));
        let meta = place.symlink_metadata().ok().filter(|meta| meta.is_dir() && odd_in(&place).is_none())?;
        let mut listing = Listing {
            path: path.to_owned(),
            stamp: Some(Stamp::of(&meta)),
            rules: rules_in(&place),
            files: Vec::new(),
            skipped: Vec::new(),
            directories: Vec::new(),
        };
        let Ok(entries) = std::fs::read_dir(&place) else {
            listing.stamp = None;
            listing.skipped.push((String::new(), Skip::Unreadable));
            return Some(listing);
        };
        for entry in entries {
            let entry = entry.ok()?;
            let (name, kind) = (entry.file_name(), entry.file_type().ok()?);
            let below = path_of(path).join(&name);
            if self.rules.as_mut().is_some_and(|rules| rules.matched(&below, kind.is_dir()).is_ignore()) {
                continue;
            }
            let text = path_text(Path::new(&name));
            match kind_of(kind, &name.to_string_lossy(), self.registry) {
                _ if kind.is_dir() => listing.directories.push(joined(path, &text)),
                Some(skip) => listing.skipped.push((text, skip)),
                None => listing.files.push(text),
            }
        }
        Some(listing)
    }
}
