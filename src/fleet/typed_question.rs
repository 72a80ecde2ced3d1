//! Questions to a fleet as users type them and clients send them, with the scopes that select
//! repositories.

use super::message::FleetQuestion;
use serde::Deserialize;
use whichfn_search::search::{DEFAULT_RESULTS, KindFilter, Query};

/// A question with its scopes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TypedQuestion {
    /// Question in plain language; `repo:`, `team:`, `lang:` and `path:` with a value are scopes,
    /// not words.
    pub question: String,
    /// True if the question is the text of an issue, however short; it has no scopes.
    pub issue: bool,
    /// Number of results; `None` for the default.
    pub k: Option<usize>,
    /// Number of lines of code to show for each result.
    pub lines: usize,
    /// Kinds of definitions to search; `None` for those that the question needs.
    pub kind: Option<KindFilter>,
    /// Globs of repository names, one of which must match: `flask`, `org/*`; all repositories if
    /// empty.
    pub repos: Vec<String>,
    /// Teams, one of which must own the repository; all teams if empty.
    pub teams: Vec<String>,
    /// Groups that the client belongs to. A client without groups sees only the repositories that
    /// are open to all.
    pub groups: Vec<String>,
    /// Languages, one of which must be the file's; all languages if empty.
    pub languages: Vec<String>,
    /// Globs of paths, one of which must match; all paths if empty.
    pub paths: Vec<String>,
}

impl TypedQuestion {
    /// Moves the scopes before the first other word and after the last one out of the question.
    pub fn read(mut self) -> Self {
        if self.issue {
            return self;
        }
        let text = std::mem::take(&mut self.question);
        let mut rest = text.trim();
        while let (word, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""))
            && self.take_scope(word)
        {
            rest = others.trim_start();
        }
        while let (others, word) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest))
            && self.take_scope(word)
        {
            rest = others.trim_end();
        }
        // The text itself stays the same: it may be a description in parts, or a stack trace, whose
        // lines matter.
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

    /// Returns the question as it is sent to shards.
    pub fn into_question(self) -> FleetQuestion {
        let Self { question, issue, k, lines, kind, languages, paths, .. } = self;
        let (typed, kind) = (kind, kind.unwrap_or_else(|| Query::new(&question).kind));
        let names = typed.is_none() && kind == KindFilter::Function && !issue;
        FleetQuestion { question, issue, k: k.unwrap_or(DEFAULT_RESULTS), kind, names, lines, languages, paths }
    }
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
    fn an_issue_has_no_scopes() {
        let text = "repo:flask is slow";
        let issue = TypedQuestion { question: text.to_owned(), issue: true, ..TypedQuestion::default() }.read();
        assert_eq!((issue.question.as_str(), issue.repos.len()), (text, 0));
    }

    #[test]
    fn a_question_without_scopes_keeps_its_lines() {
        let text = "1. **Purpose**: Joins.\n2. **Input**: A path: the first.";
        assert_eq!(read(text).question, text);
        assert_eq!(read("path: what is it").question, "path: what is it");
    }
}
