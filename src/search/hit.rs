//! A ranked definition, file or window as numbers, with what its score is made of.

use super::bm25f::TermScore;
use super::confidence::Confidence;
use super::feature::Feature;
use super::part::ScorePart;
use super::query::Ranker;
use crate::ids::{DefinitionId, FileId, MemberId};
use crate::store::GraphFile;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A ranked result, before it is dressed for people.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hit {
    /// Which of the indexes that are ranked together holds it: 0 where there is one.
    pub member: MemberId,
    /// The definition; of a file the best one in it, of a window the innermost one around its first line.
    pub definition: DefinitionId,
    /// Its file.
    pub file: FileId,
    /// First and last line of a window, from 1; none for a definition or file.
    pub window: Option<(u32, u32)>,
    /// Which ranker gave it its place.
    pub ranker: Ranker,
    /// The score that ranks; comparable within one answer only.
    pub score: f32,
    /// BM25F of its own words, in the same unit as the score.
    pub independent: f32,
    /// Cosine of question and definition in [-1, 1], by the program's word vectors; none where it was not needed.
    pub semantic: Option<f32>,
    /// For the first of the reranked: how likely it is right.
    #[serde(skip)]
    pub confidence: Option<Confidence>,
    /// Changes that made the score; after reranking they are all of it.
    pub adjustments: Vec<Adjustment>,
    /// After reranking: the same score in a few parts.
    #[serde(skip)]
    pub parts: Vec<ScorePart>,
    /// What each of the question's words adds to the BM25F score, the largest share first.
    #[serde(skip)]
    pub term_scores: Vec<TermScore>,
}

impl Hit {
    /// A definition with its score.
    pub fn new(definition: DefinitionId, file: FileId, score: f32, independent: f32) -> Self {
        Self {
            member: MemberId(0),
            definition,
            file,
            window: None,
            ranker: Ranker::Words,
            score,
            independent,
            semantic: None,
            confidence: None,
            adjustments: Vec::new(),
            parts: Vec::new(),
            term_scores: Vec::new(),
        }
    }

    /// What an adjustment of some kind changed; 0 without one.
    pub fn change_by(&self, kind: AdjustmentKind) -> f32 {
        self.adjustments.iter().find(|a| a.kind == kind).map_or(0.0, |a| a.change)
    }
}

/// A definition that words found. A [`Hit`] is made of it only if it is among the best.
pub(super) struct FoundDefinition {
    pub definition: DefinitionId,
    pub score: f32,
    pub independent: f32,
    /// What is related, its name, being a test: in this order they were added to the score.
    pub changes: [f32; 3],
}

impl FoundDefinition {
    /// With what its own words score, and what that is changed by.
    pub fn new(definition: DefinitionId, independent: f32, changes: [f32; 3]) -> Self {
        Self { definition, score: independent + changes.iter().sum::<f32>(), independent, changes }
    }

    /// As a result.
    pub fn hit(&self, graph: &GraphFile) -> Hit {
        let kinds = [AdjustmentKind::Related, AdjustmentKind::Name, AdjustmentKind::Test];
        let all = kinds.into_iter().zip(self.changes).map(|(kind, change)| Adjustment { kind, change });
        let file = graph.file_around(self.definition);
        Hit {
            adjustments: all.filter(|of| of.change != 0.0).collect(),
            ..Hit::new(self.definition, file, self.score, self.independent)
        }
    }

    /// As [`best_first`].
    pub fn best_first(a: &Self, b: &Self) -> Ordering {
        b.score.total_cmp(&a.score).then(a.definition.cmp(&b.definition))
    }
}

/// The better hit first; equal scores by index, path, then place, because definitions are numbered so.
pub(super) fn best_first(a: &Hit, b: &Hit) -> Ordering {
    b.score.total_cmp(&a.score).then((a.member, a.definition).cmp(&(b.member, b.definition)))
}

/// Leaves the `most` best, the best first.
pub(super) fn keep_best<T>(found: &mut Vec<T>, most: usize, best_first: impl Fn(&T, &T) -> Ordering) {
    if found.len() > most && most > 0 {
        found.select_nth_unstable_by(most - 1, &best_first);
    }
    found.truncate(most);
    found.sort_unstable_by(best_first);
}

/// A named change to a score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Adjustment {
    /// What it is for.
    pub kind: AdjustmentKind,
    /// How much it adds to the score, in the score's unit.
    pub change: f32,
}

/// The name of a feature of another learned ranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceName(pub &'static str);

/// What changes a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdjustmentKind {
    /// Scores of related definitions.
    Related,
    /// The question asks for the words of its name.
    Name,
    /// A test, where the question does not speak of tests.
    Test,
    /// Cosine with the question by the user's embedding model.
    Model,
    /// Cosine with the question by the program's word vectors, where no reranker was learned.
    WordVectors,
    /// The question is its name.
    ExactName,
    /// A stack trace in the question names a line in it.
    StackFrame,
    /// A feature of the reranker.
    Feature(Feature),
    /// A feature of another learned ranker, by its name.
    #[serde(skip)]
    Evidence(EvidenceName),
    /// The same for all: it moves the last reranked score to 1.
    Floor,
    /// Of a file: its best definition by the learned order.
    BestDefinition,
    /// The rank that a model gave, as a score.
    Place,
}

impl AdjustmentKind {
    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Related => "related",
            Self::Name => "name",
            Self::Test => "test",
            Self::Model => "model",
            Self::WordVectors => "meaning",
            Self::ExactName => "exact name",
            Self::StackFrame => "place in trace",
            Self::Feature(feature) => feature.name(),
            Self::Evidence(EvidenceName(name)) => name,
            Self::Floor => "floor",
            Self::BestDefinition => "best definition",
            Self::Place => "place",
        }
    }

    /// Whether it comes from what a definition is connected to, not from itself.
    pub fn is_environment(self) -> bool {
        match self {
            Self::Related => true,
            Self::Feature(feature) => feature.is_environment(),
            _ => false,
        }
    }
}
