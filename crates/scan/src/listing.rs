//! Lists the entries of one directory and applies the ignore rules to them.

use super::Skip;
use super::checkout::Checkouts;
use super::failure::{is_not_found, machine_failure};
use super::ignore_files::{IgnorePaths, IgnoreTexts};
use super::known::{KnownDirectory, joined};
use super::rule_files::{RuleFile, rules_in};
use super::rule_text::Unusable;
use super::rules::{Rules, Visibility};
use super::stamp::Stamp;
use std::ffi::OsString;
use std::fs::FileType;
use std::path::Path;
use std::sync::Arc;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;
use whichfn_system::platform::is_virtual_file_system;
use whichfn_text::{path_from_text, path_text};

/// The entries of a directory, before the ignore rules are applied.
pub(super) struct RawListing {
    /// Path from the root in the format of [`path_text`]; empty for the root.
    pub path: String,
    /// Stamp of the directory, or `None` if it must be listed each time.
    stamp: Option<Stamp>,
    /// True if the directory is the top of a file system without stored files, such as `/proc`.
    is_virtual: bool,
    /// Entries, or `None` without permission to list the directory.
    entries: Option<Vec<(OsString, FileType)>>,
    pub paths: IgnorePaths,
    /// Text of the directory's ignore files.
    pub texts: IgnoreTexts,
    /// An ignore file of the directory that is invalid or busy.
    pub unusable: Option<Unusable>,
}

/// The entries of a directory that the ignore rules do not hide.
pub(super) struct Listing {
    /// Path from the root in the format of [`path_text`]; empty for the root.
    pub path: String,
    /// Stamp of the directory, or `None` if it must be listed each time.
    pub stamp: Option<Stamp>,
    pub rules: Vec<RuleFile>,
    /// Names of files that may be worth indexing.
    pub files: Vec<String>,
    /// Names of files that were skipped because of their name or kind, with the reason. An empty
    /// name is the directory itself.
    pub skipped: Vec<(String, Skip)>,
    /// Paths of the subdirectories, from the root.
    pub directories: Vec<String>,
    /// Those that git ignores, but that contain tracked files.
    pub only_tracked: Vec<String>,
}

impl RawListing {
    /// Lists a directory below `root` and reads its ignore files. Returns `None` if the directory
    /// no longer exists.
    ///
    /// # Errors
    /// Returns an error if the machine failed.
    pub fn read(root: &Path, path: &str) -> Result<Option<Self>> {
        let full_path = root.join(path_from_text(path));
        let (stamp, is_virtual) = match full_path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => (Some(Stamp::from_metadata(&meta)), is_virtual_file_system(&full_path, &meta)),
            Ok(_) => return Ok(None),
            Err(cause) if is_not_found(&cause) => return Ok(None),
            Err(cause) => (machine_failure(&full_path, &cause).map_or(Ok(None), Err)?, false),
        };
        let mut raw = Self {
            path: path.to_owned(),
            stamp,
            is_virtual,
            entries: None,
            paths: IgnorePaths::default(),
            texts: IgnoreTexts::default(),
            unusable: None,
        };
        if is_virtual {
            return Ok(Some(raw));
        }
        match read_entries(&full_path)? {
            Some(entries) => raw.entries = Some(entries),
            None => {
                raw.stamp = None;
                return Ok(Some(raw));
            }
        }
        match raw.read_rules(&full_path, root_above(root, path)) {
            Ok(()) => {}
            Err(Unusable::Failed(error)) => return Err(error),
            Err(unusable) => raw.unusable = Some(unusable),
        }
        Ok(Some(raw))
    }

    fn read_rules(&mut self, full_path: &Path, rules_root: Option<&Path>) -> std::result::Result<(), Unusable> {
        let entries = self.entries.as_deref().unwrap_or_default();
        self.paths = IgnorePaths::find(full_path, rules_root, |name| {
            entries.iter().any(|(entry, _)| entry.as_os_str() == name)
        })?;
        self.texts = self.paths.texts(rules_root)?;
        Ok(())
    }

    /// Returns the entries that the rules do not hide.
    ///
    /// # Errors
    /// Returns an error if the machine failed.
    pub fn apply(&self, rules: &Rules, registry: &Registry, checkouts: &Checkouts) -> Result<Listing> {
        let mut listing = Listing {
            rules: rules_in(&self.paths)?,
            stamp: self.stamp,
            files: Vec::new(),
            skipped: Vec::new(),
            directories: Vec::new(),
            only_tracked: Vec::new(),
            path: self.path.clone(),
        };
        let Some(entries) = &self.entries else {
            let reason = if self.is_virtual { Skip::Special } else { Skip::Unreadable };
            listing.skipped.push((String::new(), reason));
            return Ok(listing);
        };
        let directory = path_from_text(&listing.path);
        if !listing.path.is_empty() && entries.iter().any(|(name, _)| name == ".git" || name == ".jj") {
            let (is_other, depends_on) = checkouts.is_other(&directory);
            listing.rules.extend(depends_on.into_iter().map(RuleFile::read).collect::<Result<Vec<_>>>()?);
            if is_other {
                listing.skipped.push((String::new(), Skip::Worktree));
                return Ok(listing);
            }
        }
        for (name, kind) in entries {
            let visibility = rules.visibility(&directory.join(name), name, kind.is_dir(), false);
            if visibility == Visibility::Hidden {
                continue;
            }
            let text = path_text(Path::new(name));
            match skip_reason(*kind, &joined(&listing.path, &text), registry) {
                _ if kind.is_dir() => {
                    let path = joined(&listing.path, &text);
                    listing.only_tracked.extend((visibility == Visibility::OnlyTracked).then(|| path.clone()));
                    listing.directories.push(path);
                }
                Some(skip) => listing.skipped.push((text, skip)),
                None => listing.files.push(text),
            }
        }
        Ok(listing)
    }
}

/// Returns `root` if `directory`, a path from the root, is below the root, or `None` if it is the
/// root itself.
pub(super) fn root_above(root: &Path, directory: impl AsRef<Path>) -> Option<&Path> {
    (!directory.as_ref().as_os_str().is_empty()).then_some(root)
}

/// Returns the entries of a directory, or `None` without permission to list it.
fn read_entries(full_path: &Path) -> Result<Option<Vec<(OsString, FileType)>>> {
    let failure_or_none = |cause: std::io::Error| machine_failure(full_path, &cause).map_or(Ok(None), Err);
    let entries = match std::fs::read_dir(full_path) {
        Ok(entries) => entries,
        Err(cause) => return failure_or_none(cause),
    };
    let mut found = Vec::new();
    for entry in entries {
        let (name, kind) = match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok(entry) => entry,
            // The entry was deleted between the two calls.
            Err(cause) if is_not_found(&cause) => continue,
            Err(cause) => return failure_or_none(cause),
        };
        found.push((name, kind));
    }
    Ok(Some(found))
}

impl Listing {
    /// Returns the rules for the entries of a subdirectory.
    pub fn rules_below(&self, directory: &str, rules: &Arc<Rules>) -> Arc<Rules> {
        match self.only_tracked.iter().any(|path| path == directory) {
            true => rules.for_tracked(&path_from_text(directory)),
            false => rules.clone(),
        }
    }

    /// Returns the directory in the form in which the next scan needs it.
    pub fn to_known(&self) -> KnownDirectory<'_> {
        let skipped = self.skipped.iter().filter(|(name, skip)| !name.is_empty() || *skip != Skip::Unreadable);
        KnownDirectory {
            path: &self.path,
            stamp: self.stamp,
            rules: self.rules.clone(),
            files: self.files.iter().map(String::as_str).collect(),
            skipped: skipped.map(|(name, skip)| (name.as_str(), *skip)).collect(),
        }
    }
}

/// Returns the reason to skip an entry because of its kind or path, without reading its metadata.
/// Returns `None` if there is no such reason.
fn skip_reason(kind: FileType, path: &str, registry: &Registry) -> Option<Skip> {
    if kind.is_symlink() {
        Some(Skip::Link)
    } else if !kind.is_file() {
        Some(Skip::Special)
    } else if registry.is_data(path) {
        Some(Skip::Data)
    } else {
        None
    }
}
