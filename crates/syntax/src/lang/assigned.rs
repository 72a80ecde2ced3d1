//! Languages that the user assigns to files by patterns (`[languages]` in `whichfn.toml`).

use crate::ids::LangId;
use globset::{GlobBuilder, GlobMatcher};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Language that the user assigns to files, for each pattern over their paths. The longest pattern
/// comes first and takes precedence.
#[derive(Default)]
pub(super) struct Assigned(Vec<(GlobMatcher, LangId)>);

impl Assigned {
    /// Compiles the patterns, each with its language.
    pub fn new(patterns: impl Iterator<Item = Result<(String, LangId)>>) -> Result<Self> {
        let mut patterns = patterns.collect::<Result<Vec<_>>>()?;
        patterns.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let compiled = patterns.into_iter().map(|(pattern, language)| Ok((path_glob(&pattern)?, language)));
        Ok(Self(compiled.collect::<Result<_>>()?))
    }

    /// Returns the language that is assigned to the file with this path from the root.
    pub fn language(&self, path: &str) -> Option<LangId> {
        self.0.iter().find(|(glob, _)| glob.is_match(path)).map(|(_, language)| *language)
    }
}

/// Compiles a glob over paths from the root as in ignore files: a bare name matches at any depth,
/// and a directory matches everything in it.
///
/// # Errors
/// Returns an error if the glob is invalid.
pub fn path_glob(pattern: &str) -> Result<GlobMatcher> {
    let trimmed = pattern.trim_end_matches('/');
    let below_root = trimmed.strip_prefix("./").unwrap_or(trimmed);
    let anchored = match trimmed {
        "." | "" => String::new(),
        _ if trimmed.contains('/') => below_root.trim_start_matches('/').to_owned(),
        _ => format!("**/{trimmed}"),
    };
    let full_pattern = match anchored.as_str() {
        // In braces, two asterisks that are the whole pattern match no directory.
        "" | "**" | "**/**" => "**".to_owned(),
        anchored => format!("{{{anchored},{anchored}/**}}"),
    };
    let glob = GlobBuilder::new(&full_pattern).literal_separator(true).build();
    glob.map(|g| g.compile_matcher()).map_err(|cause| {
        Error::new(Kind::Usage, format!("the path pattern {pattern} is invalid: {}", cause.kind()), Remedy::WriteGlob)
    })
}
