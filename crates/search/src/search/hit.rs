//! A ranked definition, file or window in numbers, with the parts of its score.

use super::bm25f::TermScore;
use super::confidence::Confidence;
use super::feature::Feature;
use super::part::{Aspect, ScorePart};
use super::query::Ranker;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, MemberId};

/// A ranked result, before names and source lines are added.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hit {
    /// Index that contains the result, among those ranked together; 0 if there is only one.
    pub member: MemberId,
    /// The definition: for a file the best one in it, for a window the innermost one around its
    /// first line.
    pub definition: DefinitionId,
    /// File that contains the result.
    pub file: FileId,
    /// First and last line of a window, 1-based; `None` for a definition or file.
    pub window: Option<(u32, u32)>,
    /// Ranker that determined the position.
    pub ranker: Ranker,
    /// Score that results are sorted by; comparable only within one answer.
    pub score: f32,
    /// BM25F of the definition's own words, in the same unit as the score.
    pub independent: f32,
    /// Cosine similarity between question and definition, in [-1, 1], according to the built-in
    /// word vectors; `None` if it was not needed.
    pub semantic: Option<f32>,
    /// Confidence in the answer; set only on the first of the reranked results.
    #[serde(skip)]
    pub confidence: Option<Confidence>,
    /// Adjustments that the score is made of; after reranking they add up to it.
    pub adjustments: Vec<Adjustment>,
    /// The score after reranking in a few parts; empty without reranking.
    #[serde(skip)]
    pub parts: Vec<ScorePart>,
    /// Contribution of each word of the question to the BM25F score, the largest first.
    #[serde(skip)]
    pub term_scores: Vec<TermScore>,
}

impl Hit {
    /// Creates the hit of a definition.
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

    /// Checks whether the question is the name of the definition, or a trace with a place in it.
    pub fn is_exact(&self) -> bool {
        let is_exact = |kind| matches!(kind, AdjustmentKind::ExactName | AdjustmentKind::StackFrame);
        self.adjustments.iter().any(|change| is_exact(change.kind))
    }

    /// Adds `change` to the score, and to what explains it.
    pub fn adjust(&mut self, kind: AdjustmentKind, part: Aspect, change: f32) {
        if change == 0.0 {
            return;
        }
        self.score += change;
        match self.adjustments.iter_mut().find(|one| one.kind == kind) {
            Some(known) => known.change += change,
            None => self.adjustments.push(Adjustment { kind, change }),
        }
        let has_parts = !self.parts.is_empty();
        match self.parts.iter_mut().find(|one| one.part == part) {
            Some(known) => known.change += change,
            // Only a learned score has parts.
            None if has_parts => self.parts.push(ScorePart { part, change }),
            None => {}
        }
    }

    /// Multiplies the score by `scale`, to at most 1, which is the lowest learned score.
    pub(super) fn move_after_learned(&mut self, scale: f32) {
        self.score = (self.score * scale).min(1.0);
        self.independent *= scale;
        self.adjustments.iter_mut().for_each(|a| a.change *= scale);
    }

    /// Returns the change by an adjustment of this kind; 0 if there is none.
    pub fn change_by(&self, kind: AdjustmentKind) -> f32 {
        self.adjustments.iter().find(|a| a.kind == kind).map_or(0.0, |a| a.change)
    }
}

/// A definition that the word search found. A [`Hit`] is created only for the best ones.
pub(super) struct FoundDefinition {
    pub definition: DefinitionId,
    pub score: f32,
    pub independent: f32,
    /// Changes for related definitions, for the name, and for being a test, in the order of
    /// addition.
    pub changes: [f32; 3],
}

impl FoundDefinition {
    /// Creates the entry from the score of the definition's own words and the changes to it.
    pub fn new(definition: DefinitionId, independent: f32, changes: [f32; 3]) -> Self {
        Self { definition, score: independent + changes.iter().sum::<f32>(), independent, changes }
    }

    /// Converts the entry to a result.
    pub fn hit(&self, graph: &GraphFile) -> Hit {
        let kinds = [AdjustmentKind::Related, AdjustmentKind::Name, AdjustmentKind::Test];
        let all = kinds.into_iter().zip(self.changes).map(|(kind, change)| Adjustment { kind, change });
        let file = graph.file_around(self.definition);
        Hit {
            adjustments: all.filter(|adjustment| adjustment.change != 0.0).collect(),
            ..Hit::new(self.definition, file, self.score, self.independent)
        }
    }

    /// Compares like the function [`best_first`].
    pub fn best_first(a: &Self, b: &Self) -> Ordering {
        b.score.total_cmp(&a.score).then(a.definition.cmp(&b.definition))
    }
}

/// Orders the better hit first, and equal scores by index, path, then position, which is the order
/// of definition numbers.
pub(super) fn best_first(a: &Hit, b: &Hit) -> Ordering {
    b.score.total_cmp(&a.score).then((a.member, a.definition).cmp(&(b.member, b.definition)))
}

/// Keeps the `most` best items and sorts them with the best first.
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
    /// Reason for the change.
    pub kind: AdjustmentKind,
    /// Amount added to the score, in the unit of the score.
    pub change: f32,
}

/// Name of a feature from another learned ranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceName(pub &'static str);

/// Reason for a change to a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdjustmentKind {
    /// Scores of related definitions.
    Related,
    /// The question contains the words of the definition's name.
    Name,
    /// The definition is a test, and the question is not about tests.
    Test,
    /// Cosine similarity to the question according to the user's embedding model.
    Model,
    /// Cosine similarity to the question according to the built-in word vectors, for definitions
    /// without a learned reranker.
    WordVectors,
    /// The question is the definition's name.
    ExactName,
    /// A stack trace in the question contains a line of the definition.
    StackFrame,
    /// The definition contains a text of the question literally.
    Literal,
    /// The graph contains the relation that the question asks for.
    Graph,
    /// A thin wrapper with a higher score forwards to the definition.
    Forwarded,
    /// The file is among the best for the subject of the question.
    FileRank,
    /// Other definitions of the file rank before this one.
    FurtherInFile,
    /// A definition that is not a function, among functions.
    OtherKind,
    /// A feature of the reranker.
    Feature(Feature),
    /// A feature of the reranker, measured with only the title of an issue.
    Title(Feature),
    /// A feature from another learned ranker, by its name.
    #[serde(skip)]
    Evidence(EvidenceName),
    /// A constant for all results that moves the last reranked score to 1.
    Floor,
    /// The best definition of a file according to the learned order.
    BestDefinition,
    /// The definitions of a file after the best one, according to the learned order.
    OtherDefinitions,
    /// The rank from a language model, as a score.
    Place,
}

impl AdjustmentKind {
    /// Returns the name shown to people and written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Related => "related",
            Self::Name => "name",
            Self::Test => "test",
            Self::Model => "model",
            Self::WordVectors => "meaning",
            Self::ExactName => "exact name",
            Self::StackFrame => "place in trace",
            Self::Literal => "literal text",
            Self::Graph => "graph",
            Self::Forwarded => "forwarded to",
            Self::FileRank => "file rank",
            Self::FurtherInFile => "further in file",
            Self::OtherKind => "other kind",
            Self::Feature(feature) => feature.name(),
            Self::Title(feature) => Feature::TITLE_NAMES[feature as usize],
            Self::Evidence(EvidenceName(name)) => name,
            Self::Floor => "floor",
            Self::BestDefinition => "best definition",
            Self::OtherDefinitions => "other definitions",
            Self::Place => "place",
        }
    }

    /// Checks whether the change is due to the definitions that this one is connected to.
    pub fn is_environment(self) -> bool {
        match self {
            Self::Related => true,
            Self::Feature(feature) | Self::Title(feature) => feature.is_environment(),
            _ => false,
        }
    }
}
