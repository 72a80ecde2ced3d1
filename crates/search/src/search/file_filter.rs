//! Filters files by language and by globs on their paths.

use super::query::Query;
use globset::{GlobMatcher, escape};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::{Registry, path_glob as glob};
use whichfn_system::error::Result;

/// Filter that accepts the files that a query covers.
pub(super) struct FileFilter {
    languages: Vec<Option<u16>>,
    include: Vec<GlobMatcher>,
    exclude: Vec<GlobMatcher>,
}

impl FileFilter {
    pub fn new(query: &Query, registry: &Registry, graph: &GraphFile) -> Result<Self> {
        let languages = query.languages.iter().map(|name| {
            if name == registry.name(None) {
                return Ok(None);
            }
            registry.known(name).map(|id| Some(id.0))
        });
        let (exclude, include): (Vec<_>, Vec<_>) = query.paths.iter().partition(|p| p.starts_with('!'));
        Ok(Self {
            languages: languages.collect::<Result<_>>()?,
            include: include.into_iter().map(|p| relative_glob(p, query, graph)).collect::<Result<_>>()?,
            exclude: exclude.into_iter().map(|p| relative_glob(&p[1..], query, graph)).collect::<Result<_>>()?,
        })
    }

    pub fn accepts(&self, graph: &GraphFile, file: FileId) -> bool {
        (self.languages.is_empty() || self.languages.contains(&graph.language(file)))
            && self.accepts_path(graph.path(file))
    }

    /// Checks whether the globs accept a path.
    pub fn accepts_path(&self, path: &str) -> bool {
        let any = |globs: &[GlobMatcher]| globs.iter().any(|g| g.is_match(path));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }

    /// Returns the globs of a query that select no file of the index and none of these other paths.
    pub fn unmatched<'q>(&self, query: &'q Query, graph: &GraphFile, others: &[String]) -> Vec<&'q str> {
        let typed = query.paths.iter().filter(|path| !path.starts_with('!'));
        let is_there = |glob: &GlobMatcher| {
            graph.file_ids().any(|file| glob.is_match(graph.path(file)))
                || others.iter().any(|path| glob.is_match(path))
        };
        typed.zip(&self.include).filter(|(_, glob)| !is_there(glob)).map(|(typed, _)| typed.as_str()).collect()
    }

    pub fn is_all(&self) -> bool {
        self.languages.is_empty() && self.include.is_empty() && self.exclude.is_empty()
    }
}

/// Compiles a glob relative to the user's directory.
///
/// The glob is relative to the root if it begins with a slash, or if no file matches it relative to
/// the user's directory.
fn relative_glob(pattern: &str, query: &Query, graph: &GraphFile) -> Result<GlobMatcher> {
    let is_bare = !pattern.trim_end_matches('/').contains('/') && pattern != "." && pattern != "..";
    if is_bare || pattern.starts_with('/') {
        return glob(pattern);
    }
    let mut parts: Vec<String> = query.directory.split('/').filter(|part| !part.is_empty()).map(escape).collect();
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        // `..` at the root stays at the root.
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part.to_owned()),
        }
    }
    let full_pattern = if parts.is_empty() { "/**".to_owned() } else { format!("/{}", parts.join("/")) };
    let own_glob = glob(&full_pattern)?;
    let is_there = query.directory.is_empty() || graph.file_ids().any(|file| own_glob.is_match(graph.path(file)));
    let is_relative = pattern.starts_with('.');
    if is_there || is_relative { Ok(own_glob) } else { glob(pattern) }
}
