//! Options of the commands about a name: the repository, and what is listed.

use super::page::{DIM, Page};
use super::target::Target;
use super::{choices, place};
use crate::engine::Engine;
use clap::Args;
use std::path::{Path, PathBuf};
use whichfn_search::search::{ListingFilter, Query};
use whichfn_system::error::Result;

/// The repository that a command works on.
#[derive(Debug, Clone, Args)]
pub(super) struct RepositoryArgs {
    /// The repository [default: the one around the file, or around the current directory].
    #[arg(value_name = "DIRECTORY", conflicts_with = "directory")]
    typed: Option<PathBuf>,
    /// The repository, as an option.
    #[arg(long = "in", value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl RepositoryArgs {
    /// Returns the directory that the user named.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref().or(self.typed.as_deref())
    }
}

/// What is listed.
#[derive(Debug, Clone, Args)]
pub(super) struct FilterArgs {
    /// List only these languages, by name or file extension: python or py.
    #[arg(long, value_name = "LANG", value_delimiter = ',', value_parser = choices::LanguageName, hide_possible_values = true)]
    lang: Vec<String>,
    /// List only paths that match this glob, relative to the current directory; `!GLOB` excludes
    /// paths. May be repeated.
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// Leave out tests.
    #[arg(long)]
    no_tests: bool,
}

impl FilterArgs {
    /// Returns the filter for the definitions of an engine.
    pub fn filter(&self, engine: &Engine, target: &Target<'_>) -> Result<ListingFilter> {
        let query = Query {
            languages: self.lang.clone(),
            paths: place::globs_for(&self.path, &target.root)?,
            directory: place::current_folder(&target.root),
            ..Query::new("")
        };
        engine.unmatched_globs(&query)?.iter().for_each(|line| target.ui.notice(line));
        engine.listing_filter(&query, self.no_tests)
    }

    /// Returns the end of a message about an empty list, with the number of entries that the filters
    /// leave out.
    pub fn suffix(&self, filtered: usize) -> String {
        let is_all = self.lang.is_empty() && self.path.is_empty() && !self.no_tests;
        match (is_all, filtered) {
            (true, _) => String::new(),
            (false, 0) => " with these filters".to_owned(),
            (false, count) => format!(" with these filters, which leave out {count}"),
        }
    }
}

/// Prints how many entries the filters leave out, if any.
pub(super) fn filtered(out: &mut Page, count: usize) {
    if count > 0 {
        out.prose(DIM, format_args!("{count} more left out by the filters"));
    }
}
