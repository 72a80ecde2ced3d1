//! What is asked of a fleet as it is typed or sent: a question, and where to look.

use super::catalog::{Catalog, FleetScope, VisibleShard};
use super::coordinator::{MemberToAsk, ShardToAsk};
use super::message::FleetQuestion;
use super::name::repository_of;
use crate::answer::RepositoryOf;
use crate::error::Result;
use crate::search::{DEFAULT_RESULTS, KindFilter};
use serde::Deserialize;

/// A question with its scopes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TypedQuestion {
    /// In words; `repo:`, `team:`, `lang:` and `path:` with a value are scopes and no words.
    pub question: String,
    /// How many results.
    pub k: usize,
    /// Lines of code to show of each result.
    pub lines: usize,
    /// Which definitions.
    pub kind: KindFilter,
    /// Globs of repositories' names, of which one must match.
    pub repos: Vec<String>,
    /// Teams, of which one must be the repository's.
    pub teams: Vec<String>,
    /// Groups that the asker belongs to.
    pub groups: Vec<String>,
    /// Languages, of which one must be the file's.
    pub languages: Vec<String>,
    /// Globs of paths, of which one must match.
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
    /// Takes the scopes out of the words.
    pub fn read(mut self) -> Self {
        let text = std::mem::take(&mut self.question);
        let scopes = [
            ("repo:", &mut self.repos),
            ("team:", &mut self.teams),
            ("lang:", &mut self.languages),
            ("path:", &mut self.paths),
        ];
        let mut taken: Vec<&str> = Vec::new();
        for (mark, values) in scopes {
            for word in text.split_whitespace() {
                if let Some(value) = word.strip_prefix(mark).filter(|value| !value.is_empty()) {
                    values.push(value.to_owned());
                    taken.push(word);
                }
            }
        }
        // A question without scopes keeps its lines: it may be a description in parts, or a trace.
        self.question = match taken.is_empty() {
            true => text,
            false => text.split_whitespace().filter(|word| !taken.contains(word)).collect::<Vec<_>>().join(" "),
        };
        self
    }

    /// What may be seen of a fleet and is asked about.
    ///
    /// # Errors
    /// When a glob of repositories is wrong.
    pub fn visible(&self, catalog: &Catalog) -> Result<Vec<VisibleShard>> {
        let (repositories, teams, groups) = (self.repos.clone(), self.teams.clone(), self.groups.clone());
        catalog.visible(&FleetScope { repositories, teams, groups })
    }

    /// What the shards are asked.
    pub fn asked(self) -> FleetQuestion {
        let Self { question, k, lines, kind, languages, paths, .. } = self;
        FleetQuestion { question, k, kind, lines, languages, paths }
    }
}

/// Visible shards as the coordinator takes them.
pub fn to_ask(visible: &[VisibleShard], catalog: &Catalog) -> Vec<ShardToAsk> {
    let member = |id: &String| {
        let repository = repository_of(id).to_owned();
        let revision = catalog.repository(&repository).map(|of| of.revision.clone()).unwrap_or_default();
        MemberToAsk { id: id.clone(), origin: RepositoryOf { repository, revision } }
    };
    let shard =
        |of: &VisibleShard| ShardToAsk { file: of.file.clone(), members: of.members.iter().map(member).collect() };
    visible.iter().map(shard).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> TypedQuestion {
        TypedQuestion { question: question.to_owned(), ..TypedQuestion::default() }.read()
    }

    #[test]
    fn scopes_are_no_words_of_the_question() {
        let typed = read("repo:flask parse a cookie lang:l path:src/ team:web repo:org/*");
        assert_eq!(typed.question, "parse a cookie");
        assert_eq!(typed.repos, ["flask", "org/*"]);
        assert_eq!(
            (&typed.teams[..], &typed.languages[..], &typed.paths[..]),
            (&["web".to_owned()][..], &["l".to_owned()][..], &["src/".to_owned()][..])
        );
    }

    #[test]
    fn a_question_without_scopes_keeps_its_lines() {
        let text = "1. **Purpose**: Joins.\n2. **Input**: A path: the first.";
        assert_eq!(read(text).question, text);
        assert_eq!(read("path: what is it").question, "path: what is it");
    }
}
