//! Questions to a fleet as a user types them or a client sends them: a question with its scopes.

use super::catalog::{Catalog, FleetScope, VisibleShard};
use super::message::FleetQuestion;
use super::name::repository_of;
use serde::Deserialize;
use whichfn_search::answer::RepositoryOf;
use whichfn_search::search::{DEFAULT_RESULTS, KindFilter};
use whichfn_system::error::Result;

/// A question with its scopes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TypedQuestion {
    /// Question in words; `repo:`, `team:`, `lang:` and `path:` with a value are scopes, not words.
    pub question: String,
    /// Number of results.
    pub k: usize,
    /// Number of lines of code to show for each result.
    pub lines: usize,
    /// Kinds of definitions to search.
    pub kind: KindFilter,
    /// Globs of repository names, of which one must match; all repositories if empty.
    pub repos: Vec<String>,
    /// Teams, one of which must own the repository; all teams if empty.
    pub teams: Vec<String>,
    /// Groups that the client belongs to.
    pub groups: Vec<String>,
    /// Languages, one of which must be the file's; all languages if empty.
    pub languages: Vec<String>,
    /// Globs of paths, of which one must match; all paths if empty.
    pub paths: Vec<String>,
}

impl Default for TypedQuestion {
    fn default() -> Self {
        Self {
            question: String::new(),
            k: DEFAULT_RESULTS,
            lines: 0,
            kind: KindFilter::default(),
            repos: Vec::new(),
            teams: Vec::new(),
            groups: Vec::new(),
            languages: Vec::new(),
            paths: Vec::new(),
        }
    }
}

impl TypedQuestion {
    /// Moves the scopes out of the question: those before its first other word and those after the
    /// last.
    pub fn read(mut self) -> Self {
        let text = std::mem::take(&mut self.question);
        let mut rest = text.trim();
        while let Some((_, others)) = first_word(rest).filter(|(word, _)| self.take_scope(word)) {
            rest = others;
        }
        while let Some((_, others)) = last_word(rest).filter(|(word, _)| self.take_scope(word)) {
            rest = others;
        }
        // The text itself is kept as it is: it may be a description in parts, or a stack trace,
        // whose lines matter.
        self.question = rest.to_owned();
        self
    }

    /// Records a word if it is a scope, and returns whether it is.
    fn take_scope(&mut self, word: &str) -> bool {
        let Some((mark, value)) = word.split_once(':').filter(|(_, value)| !value.is_empty()) else { return false };
        match mark {
            "repo" => self.repos.push(value.to_owned()),
            "team" => self.teams.push(value.to_owned()),
            "lang" => self.languages.extend(value.split(',').map(str::to_owned)),
            "path" => self.paths.push(value.to_owned()),
            _ => return false,
        }
        true
    }

    /// Returns the shards of a fleet that are visible to the client and in scope.
    ///
    /// # Errors
    /// When a glob of repositories is wrong.
    pub fn visible(&self, catalog: &Catalog) -> Result<Vec<VisibleShard>> {
        let (repositories, teams, groups) = (self.repos.clone(), self.teams.clone(), self.groups.clone());
        catalog.visible(&FleetScope { repositories, teams, groups })
    }

    /// Returns the question as it is sent to shards.
    pub fn into_question(self) -> FleetQuestion {
        let Self { question, k, lines, kind, languages, paths, .. } = self;
        FleetQuestion { question, k, kind, lines, languages, paths }
    }
}

/// Returns the first word of a text, and the rest.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

/// Returns the last word of a text, and the text before it.
fn last_word(text: &str) -> Option<(&str, &str)> {
    let start =
        text.rfind(char::is_whitespace).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    (start < text.len()).then(|| (&text[start..], text[..start].trim_end()))
}

/// A shard with the members that are visible to the client and in scope.
#[derive(Debug, Clone)]
pub struct SearchableShard {
    /// Name of its file.
    pub file: String,
    /// Members to search.
    pub members: Vec<SearchableMember>,
}

/// A member to search.
#[derive(Debug, Clone)]
pub struct SearchableMember {
    /// Id of the member.
    pub id: String,
    /// Repository and revision of the member.
    pub origin: RepositoryOf,
}

/// Converts visible shards for the coordinator.
pub fn to_ask(visible: &[VisibleShard], catalog: &Catalog) -> Vec<SearchableShard> {
    let member = |id: &String| {
        let repository = repository_of(id).to_owned();
        let revision = catalog.repository(&repository).map(|record| record.revision.clone()).unwrap_or_default();
        SearchableMember { id: id.clone(), origin: RepositoryOf { repository, revision } }
    };
    let shard = |shard: &VisibleShard| SearchableShard {
        file: shard.file.clone(),
        members: shard.members.iter().map(member).collect(),
    };
    visible.iter().map(shard).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> TypedQuestion {
        TypedQuestion { question: question.to_owned(), ..TypedQuestion::default() }.read()
    }

    #[test]
    fn removes_scopes_before_and_after_the_question() {
        let typed = read("repo:flask team:web parse a cookie\nor a header lang:l,m path:src/ repo:org/*");
        assert_eq!(typed.question, "parse a cookie\nor a header");
        assert_eq!((&typed.repos[..], &typed.teams[..]), (&["flask".into(), "org/*".into()][..], &["web".into()][..]));
        assert_eq!((&typed.languages[..], &typed.paths[..]), (&["l".into(), "m".into()][..], &["src/".into()][..]));
        let within = "parses repo:tag image references";
        assert_eq!(read(within).question, within);
    }

    #[test]
    fn a_question_without_scopes_keeps_its_lines() {
        let text = "1. **Purpose**: Joins.\n2. **Input**: A path: the first.";
        assert_eq!(read(text).question, text);
        assert_eq!(read("path: what is it").question, "path: what is it");
    }
}
