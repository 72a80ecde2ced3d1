//! A question together with the options of the search.

use super::environment::Environment;
use super::question::Question;
use serde::{Deserialize, Serialize};
use whichfn_syntax::lang::DefinitionKind;

/// Default number of results.
pub const DEFAULT_RESULTS: usize = 10;

/// Unit that is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Definitions.
    #[default]
    Definition,
    /// Files, each scored by the definitions in it.
    File,
    /// Windows of 20 lines.
    Window,
}

/// Kinds of definitions that are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KindFilter {
    /// Functions, methods, macros.
    #[default]
    Function,
    /// Classes, structs, enums, traits, interfaces, aliases.
    Type,
    /// Functions and types, the top-level code of files and, with a low weight, constants,
    /// variables, fields and enum variants.
    Any,
    /// Routes and commands, ranked by their names and by the functions that they run.
    Entry,
}

impl KindFilter {
    /// Checks whether definitions of this kind are ranked.
    pub fn accepts(self, kind: DefinitionKind) -> bool {
        match self {
            Self::Function => kind.is_function(),
            Self::Type => kind.is_type(),
            Self::Entry => kind == DefinitionKind::Entry,
            Self::Any => kind.is_function() || kind.is_type() || kind == DefinitionKind::Module,
        }
    }
}

/// Method that orders the best candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranker {
    /// The reranker learned from questions about other repositories; ranks functions and types.
    #[default]
    Learned,
    /// BM25F with the adjustments, the score by which candidates are found.
    Words,
}

/// A question together with the options of the search.
#[derive(Debug, Clone)]
pub struct Query {
    /// Parsed question.
    pub question: Question,
    /// Maximum number of results.
    pub k: usize,
    /// Unit that is ranked.
    pub unit: Unit,
    /// Kinds of definitions that are ranked.
    pub kind: KindFilter,
    /// Settings for the scores of related definitions.
    pub environment: Environment,
    /// Method that orders the best candidates.
    pub ranker: Ranker,
    /// True to compute relations pair by pair over the whole graph, without a cut-off, which is
    /// slow.
    pub exact: bool,
    /// Unit vector of the question, computed by the index's embedding model; `None` if there is no
    /// model.
    pub embedding: Option<Vec<f32>>,
    /// Names of the languages to search; all languages if empty.
    pub languages: Vec<String>,
    /// Globs that select the paths to search; all paths if empty. A leading `!` excludes paths.
    pub paths: Vec<String>,
    /// Directory that globs with a slash are relative to, as a path from the root; empty for the
    /// root.
    ///
    /// A glob that matches no file relative to this directory is relative to the root.
    pub directory: String,
}

impl Query {
    /// Creates a query with the default options. A question that asks for a type ranks types.
    pub fn new(text: &str) -> Self {
        let question = Question::read(text);
        Self {
            kind: if question.asks_for_type { KindFilter::Type } else { KindFilter::default() },
            question,
            k: DEFAULT_RESULTS,
            unit: Unit::default(),
            environment: Environment::default(),
            ranker: Ranker::default(),
            exact: false,
            embedding: None,
            languages: Vec::new(),
            paths: Vec::new(),
            directory: String::new(),
        }
    }
}
