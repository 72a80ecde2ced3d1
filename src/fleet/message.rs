//! Messages between the coordinator of a question and the processes that serve shards: numbers and
//! names, as JSON or within one process. A request is self-contained: any process with the shard
//! can answer it, on the first try or a retry.

use serde::{Deserialize, Serialize};
use whichfn_index::store::NamedValueId;
use whichfn_index::wordvec::WordLists;
use whichfn_read::lookup::Snippet;
use whichfn_search::answer::{
    Duplicate, DuplicateKey, LOOK_AHEAD, LiteralMatch, MemberDefinition, NameMatch, SearchResult,
};
use whichfn_search::search::{
    BestHits, CorpusStatistics, Hit, KindFilter, MeasuredCandidate, Query, Question, RawFeatures,
};
use whichfn_syntax::ids::MemberId;

/// A question to a fleet, without the scopes that select repositories.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FleetQuestion {
    /// The question in plain language.
    pub question: String,
    /// True if the question is the text of an issue, however short.
    pub issue: bool,
    /// Number of results.
    pub k: usize,
    /// Kinds of definitions to search.
    pub kind: KindFilter,
    /// Puts what the question names exactly first, whatever its kind.
    pub names: bool,
    /// Number of lines of code to show for each result.
    pub lines: usize,
    /// Languages to search; all languages if empty.
    pub languages: Vec<String>,
    /// Globs of paths relative to the root of their repository, one of which must match; all paths
    /// if empty.
    pub paths: Vec<String>,
}

impl FleetQuestion {
    /// Returns a query for enough hits that results remain after near-duplicates are folded, the
    /// same as for a single repository.
    pub fn query(&self) -> Query {
        let query = Query::new(&self.question);
        Query {
            k: self.k.saturating_mul(LOOK_AHEAD),
            kind: self.kind,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            question: if self.issue { Question::of_issue(&self.question) } else { query.question },
            ..query
        }
    }

    /// Returns which code is shown with each result.
    pub fn snippet(&self) -> Snippet {
        if self.lines == 0 { Snippet::None } else { Snippet::First(self.lines) }
    }
}

/// A request to one shard in one round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShardRequest {
    /// The question.
    pub question: FleetQuestion,
    /// Ids of the members to search, with their numbers among all members of the question.
    pub members: Vec<(MemberId, String)>,
    /// The step to perform.
    #[serde(flatten)]
    pub step: Step,
}

/// A step of a search: see [`whichfn_search::search::Shards`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// Returns what the members add to the counts of all shards.
    Count,
    /// Returns how many definitions contain a synonym of each of these terms, which no definition
    /// contains itself.
    CountSynonyms {
        /// Numbers of the terms in the question.
        terms: Vec<usize>,
    },
    /// Returns the best word score.
    Score {
        /// Counts of all shards.
        counts: CorpusStatistics,
    },
    /// Returns the best definitions.
    Choose {
        /// Counts of all shards.
        counts: CorpusStatistics,
        /// Best score by words only among all shards.
        best: f32,
    },
    /// Returns the values that determine the order of some definitions.
    Measure {
        /// Counts of all shards.
        counts: CorpusStatistics,
        /// Best score by words only among all shards.
        best: f32,
        /// Definitions chosen from all shards.
        hits: Vec<Hit>,
        /// Requests the features as well.
        features: bool,
    },
    /// Returns the definitions of these members that contain a text of the question literally.
    Literals {
        /// Counts of all shards.
        counts: CorpusStatistics,
        /// Best score by words only among all shards.
        best: f32,
        /// Numbers of the members to read.
        read: Vec<MemberId>,
    },
    /// Returns what the question names exactly.
    Named {
        /// Counts of all shards.
        counts: CorpusStatistics,
        /// Best score by words only among all shards.
        best: f32,
    },
    /// Returns results to show.
    Show {
        /// Counts of all shards.
        counts: CorpusStatistics,
        /// Heads of the groups, sorted by rank.
        heads: Vec<Hit>,
        /// Duplicates of the heads.
        duplicates: Vec<MemberDefinition>,
        /// Values to show before the heads.
        #[serde(default)]
        values: Vec<(MemberId, NamedValueId)>,
    },
}

impl Step {
    /// Returns the counts and the best score of all shards that the step carries.
    pub(super) fn counts_and_best(&self) -> (Option<&CorpusStatistics>, Option<f32>) {
        match self {
            Self::Count | Self::CountSynonyms { .. } => (None, None),
            Self::Score { counts } | Self::Show { counts, .. } => (Some(counts), None),
            Self::Choose { counts, best }
            | Self::Measure { counts, best, .. }
            | Self::Literals { counts, best, .. }
            | Self::Named { counts, best } => (Some(counts), Some(*best)),
        }
    }
}

/// A shard's reply to one request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShardReply {
    /// Reply to [`Step::Count`].
    Counted(ShardTotals),
    /// Reply to [`Step::CountSynonyms`], in the order of the terms.
    SynonymsCounted(Vec<u64>),
    /// Reply to [`Step::Score`]; 0 if no definition matches.
    Scored(f32),
    /// Reply to [`Step::Choose`].
    Chosen(BestHits),
    /// Reply to [`Step::Measure`], in the order of the hits.
    Measured(Vec<FleetCandidate>),
    /// Reply to [`Step::Literals`].
    LiteralsFound(Vec<LiteralMatch>),
    /// Reply to [`Step::Named`].
    NamedFound(Vec<NameMatch>),
    /// Reply to [`Step::Show`], in the order of the request: heads, duplicates and values.
    Shown(Vec<SearchResult>, Vec<Duplicate>, Vec<SearchResult>),
    /// Reply to any step: these members were found to be damaged and must be left out.
    Damaged(Vec<String>),
}

/// Sums over the visible members of a shard.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ShardTotals {
    /// Counts used for ranking.
    pub counts: CorpusStatistics,
    /// One flag per term, set if any member contains the term or a synonym.
    pub holds: Vec<bool>,
    /// Number of indexed files.
    pub files: usize,
    /// Number of indexed functions.
    pub functions: usize,
    /// Number of files left out of the index.
    pub skipped: usize,
    /// Ids of members that cannot be read; the answer contains nothing from them.
    pub damaged: Vec<String>,
}

impl ShardTotals {
    /// Checks whether the counts are possible for a question with this number of terms.
    pub(super) fn is_valid(&self, terms: usize) -> bool {
        let CorpusStatistics { totals, frequencies } = &self.counts;
        let is_empty = frequencies.is_empty() && totals.definitions == 0;
        let has_all_terms = (frequencies.len(), self.holds.len()) == (terms, terms);
        is_empty || has_all_terms && frequencies.iter().all(|&frequency| frequency <= totals.definitions)
    }
}

/// A chosen definition, with the values that determine its order and its duplicates.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FleetCandidate {
    /// Values that determine its rank; `None` if the request does not ask for features.
    pub measured: Option<MeasuredCandidate>,
    /// Values that determine whether it repeats another definition.
    pub likeness: DuplicateKey,
    /// Words of its text.
    pub words: WordLists,
}

impl FleetCandidate {
    /// Checks whether the candidate has all features, if they were requested.
    pub(super) fn is_valid(&self, features: bool) -> bool {
        self.measured.as_ref().map_or(!features, |measured| {
            measured.features.is_whole() && measured.title.as_ref().is_none_or(RawFeatures::is_whole)
        })
    }
}
