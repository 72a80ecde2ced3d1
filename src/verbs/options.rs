//! Options of every list: how many entries, and which.

use crate::engine::Engine;
use crate::typed::TypedPaths;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use std::ffi::OsStr;
use std::sync::LazyLock;
use whichfn_search::search::{ListingFilter, Query};
use whichfn_syntax::lang::Registry;
use whichfn_system::error;

/// Help of `--path`.
const PATH_HELP: &str = "List only paths that match this glob, relative to the current directory; `!GLOB` excludes \
                         paths. May be repeated";

/// What is listed, and how much of it.
#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub struct ListOptions {
    /// The repository, if this server has several: its path or the name of its folder.
    #[arg(skip)]
    pub root: Option<String>,
    /// Maximum number of entries.
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    /// List only these languages, by name or file extension: python or py.
    #[arg(long, value_name = "LANG", value_delimiter = ',', value_parser = LanguageName, hide_possible_values = true)]
    #[serde(rename = "languages", default)]
    pub lang: Vec<String>,
    /// List only paths that match one of these globs; `!GLOB` excludes paths.
    #[arg(long, value_name = "GLOB", help = PATH_HELP)]
    #[serde(rename = "paths", default)]
    pub path: Vec<String>,
    /// Leave out tests.
    #[arg(long)]
    #[serde(default)]
    pub no_tests: bool,
}

impl ListOptions {
    /// Returns the filter for the definitions of an engine, and a notice for each glob that matches no
    /// file. `folder` is the directory that globs with a slash are relative to.
    ///
    /// # Errors
    /// Returns an error if a language is unknown, or a glob is invalid or outside the repository.
    pub fn filter(
        &self,
        engine: &Engine,
        paths: TypedPaths<'_>,
        folder: String,
    ) -> error::Result<(ListingFilter, Vec<String>)> {
        let globs = self.path.iter().map(|typed| paths.glob(typed)).collect::<error::Result<_>>()?;
        let query = Query { languages: self.lang.clone(), paths: globs, directory: folder, ..Query::new("") };
        Ok((engine.listing_filter(&query, self.no_tests)?, engine.unmatched_globs(&query)?))
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

/// Names of all languages.
static LANGUAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = |registry: Registry| registry.ids().map(|id| registry.name(Some(id)).to_owned()).collect();
    Registry::builtin().map(names).unwrap_or_default()
});

/// Parser for the name or the file extension of a language. It accepts any text, because the
/// command reports unknown languages; shells complete the names.
#[derive(Debug, Clone)]
pub struct LanguageName;

impl TypedValueParser for LanguageName {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(LANGUAGES.iter().map(|name| PossibleValue::new(&**name))))
    }
}
