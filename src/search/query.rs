//! A question and what is wanted of the answer.

use super::environment::Environment;
use super::question::Question;
use crate::lang::DefinitionKind;
use serde::{Deserialize, Serialize};

/// How many results an answer has if nobody says.
pub const DEFAULT_RESULTS: usize = 10;

/// What is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Definitions.
    #[default]
    Definition,
    /// Files, each by the definitions in it.
    File,
    /// Windows of 20 lines.
    Window,
}

/// Which definitions are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KindFilter {
    /// Functions, methods, macros.
    #[default]
    Function,
    /// Classes, structs, enums, traits, interfaces, aliases.
    Type,
    /// Both, and the top-level code of files.
    Any,
}

impl KindFilter {
    /// Whether definitions of this kind are ranked.
    pub fn accepts(self, kind: DefinitionKind) -> bool {
        match self {
            Self::Function => kind.is_function(),
            Self::Type => kind.is_type(),
            Self::Any => kind.is_function() || kind.is_type() || kind == DefinitionKind::Module,
        }
    }
}

/// What puts the best candidates in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranker {
    /// The reranker, learned from questions about other repositories; for functions only.
    #[default]
    Learned,
    /// BM25F and the adjustments: the score that found them.
    Words,
}

/// A question and what is wanted of the answer.
#[derive(Debug, Clone)]
pub struct Query {
    /// The question, read once for all that is done with it.
    pub question: Question,
    /// How many results.
    pub k: usize,
    /// What is ranked.
    pub unit: Unit,
    /// Which definitions.
    pub kind: KindFilter,
    /// What a result gets from what it is related to.
    pub environment: Environment,
    /// What orders the best.
    pub ranker: Ranker,
    /// Relations pair by pair over the whole graph, with no cut-off: slow.
    pub exact: bool,
    /// The question as a unit vector by the embedding model whose vectors the index holds; none without a model.
    pub embedding: Option<Vec<f32>>,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only paths that match one of these globs; all if empty. A leading `!` leaves out.
    pub paths: Vec<String>,
    /// The directory that globs with a slash are read from, as a path from the root; empty for the root. One that no file below it
    /// matches is read from the root.
    pub standing: String,
}

impl Query {
    /// A question with the usual settings.
    pub fn new(text: &str) -> Self {
        Self {
            question: Question::read(text),
            k: DEFAULT_RESULTS,
            unit: Unit::default(),
            kind: KindFilter::default(),
            environment: Environment::default(),
            ranker: Ranker::default(),
            exact: false,
            embedding: None,
            languages: Vec::new(),
            paths: Vec::new(),
            standing: String::new(),
        }
    }
}
