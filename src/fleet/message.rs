//! What the coordinator of a question and the holders of shards say to each other: numbers and names, as JSON or within one
//! process. A request is complete in itself: whoever has the shard can answer it, first asked or asked again.

use crate::answer::{Duplicate, LOOK_AHEAD, Likeness, MemberDefinition, SearchResult};
use crate::ids::MemberId;
use crate::lookup::Snippet;
use crate::search::{ChosenHits, Hit, KindFilter, Measured, Query, WordCounts};
use crate::wordvec::WordLists;
use serde::{Deserialize, Serialize};

/// What a person asks a fleet, scopes of repositories left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FleetQuestion {
    /// In words.
    pub question: String,
    /// How many results.
    pub k: usize,
    /// Which definitions.
    pub kind: KindFilter,
    /// Lines of code to show of each result.
    pub lines: usize,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only paths, from the root of their repository, that match one of these globs; all if empty.
    pub paths: Vec<String>,
}

impl FleetQuestion {
    /// As a query for so many hits that near-duplicates leave enough, as where one repository is asked.
    pub fn query(&self) -> Query {
        Query {
            k: self.k.saturating_mul(LOOK_AHEAD),
            kind: self.kind,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            ..Query::new(&self.question)
        }
    }

    /// The code that is shown.
    pub fn snippet(&self) -> Snippet {
        if self.lines == 0 { Snippet::None } else { Snippet::First(self.lines) }
    }
}

/// What one shard is asked in one round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShardRequest {
    /// The question.
    pub question: FleetQuestion,
    /// The members that may be seen, by their number among all that are asked.
    pub members: Vec<(MemberId, String)>,
    /// What is to be done.
    #[serde(flatten)]
    pub step: Step,
}

/// The steps of a search: see [`crate::search::CountedIndex`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// What the members add to the counts of all.
    Count,
    /// How many definitions hold a synonym of these terms, which nothing holds.
    CountSynonyms {
        /// By number in the question.
        terms: Vec<usize>,
    },
    /// The best score of words alone.
    Score {
        /// Of all.
        counts: WordCounts,
    },
    /// The best definitions.
    Choose {
        /// Of all.
        counts: WordCounts,
        /// The best score of words alone in all shards.
        best: f32,
    },
    /// What tells the order of some definitions.
    Measure {
        /// Of all.
        counts: WordCounts,
        /// As before.
        best: f32,
        /// Those that were chosen of all.
        hits: Vec<Hit>,
        /// Their features too.
        features: bool,
    },
    /// Results to show.
    Show {
        /// Of all.
        counts: WordCounts,
        /// The heads, in order of rank.
        heads: Vec<Hit>,
        /// What repeats them.
        duplicates: Vec<MemberDefinition>,
    },
}

impl Step {
    /// The counts and the best score of all that it is done by.
    pub(super) fn given(&self) -> (Option<&WordCounts>, Option<f32>) {
        match self {
            Self::Count | Self::CountSynonyms { .. } => (None, None),
            Self::Score { counts } | Self::Show { counts, .. } => (Some(counts), None),
            Self::Choose { counts, best } | Self::Measure { counts, best, .. } => (Some(counts), Some(*best)),
        }
    }
}

/// What a shard answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShardReply {
    /// To [`Step::Count`].
    Counted(Counted),
    /// To [`Step::CountSynonyms`], in the order of the terms.
    SynonymsCounted(Vec<u64>),
    /// To [`Step::Score`]: 0 where nothing is found.
    Scored(f32),
    /// To [`Step::Choose`].
    Chosen(ChosenHits),
    /// To [`Step::Measure`], in the order of the hits.
    Measured(Vec<FleetCandidate>),
    /// To [`Step::Show`], in the order of what was asked for.
    Shown(Vec<SearchResult>, Vec<Duplicate>),
    /// To any: these members were found to be damaged, and are to be left out.
    Damaged(Vec<String>),
}

/// What the members of a shard that may be seen hold.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Counted {
    /// For ranking.
    pub counts: WordCounts,
    /// By term: whether any member holds it or a synonym of it.
    pub holds: Vec<bool>,
    /// Files indexed.
    pub files: usize,
    /// Functions indexed.
    pub functions: usize,
    /// Files left out.
    pub skipped: usize,
    /// Members that cannot be read: nothing of them is in the answer.
    pub damaged: Vec<String>,
}

/// A chosen definition, as its order and its twins are told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FleetCandidate {
    /// What its place among the others is made of; none where that is not asked for.
    pub measured: Option<Measured>,
    /// What tells whether it repeats another.
    pub likeness: Likeness,
    /// The words of its text.
    pub words: WordLists,
}
