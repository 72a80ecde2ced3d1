//! The last steps of a search, over all indexes together.
//!
//! The best hits of all indexes are kept, features that depend on other candidates are added,
//! features are scaled, and the reranker orders the hits. None of this needs an index.

use super::counts::CorpusStatistics;
use super::exact_match::{self, ExactMatch};
use super::familiarity::familiarity;
use super::feature::{Feature, Features, RawFeatures};
use super::hit::{Adjustment, AdjustmentKind, Hit, best_first, keep_best};
use super::query::{KindFilter, Query, Ranker};
use super::question::QuestionForm;
use super::rerank::{TYPE_WEIGHTS, rerank};
use super::weights::{
    BEST_BY_TEXT, BEST_BY_TITLE, HALF_PLACE, ISSUE_DEPTH, MOST_NAMED, RERANK_DEPTH, WORD_VECTOR_COSINE,
};
use super::wrappers::Wrappers;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use whichfn_syntax::ids::{DefinitionId, FileId, MemberId};

/// The best results of one index.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BestHits {
    /// Definitions with their scores, the best first.
    pub hits: Vec<Hit>,
    /// Definitions that the question names.
    pub exact: Vec<ExactMatch>,
    /// Further candidates for an issue.
    #[serde(default)]
    pub further: FurtherHits,
}

/// Candidates for an issue that the words of the whole text may not find. Their scores are those of
/// the whole text.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FurtherHits {
    /// Definitions that the title finds, each with the score for it.
    pub by_title: Vec<(f32, Hit)>,
    /// Definitions that the text refers to, each with the strength.
    pub named: Vec<(f32, Hit)>,
}

impl FurtherHits {
    /// Adds the candidates of another index, and keeps the best of both.
    fn add(&mut self, other: Self) {
        for (own, other, most) in
            [(&mut self.by_title, other.by_title, BEST_BY_TITLE), (&mut self.named, other.named, MOST_NAMED)]
        {
            own.extend(other);
            keep_best(own, most, |a, b| b.0.total_cmp(&a.0).then_with(|| best_first(&a.1, &b.1)));
        }
    }

    /// Returns all candidates.
    pub fn hits(&self) -> impl Iterator<Item = &Hit> {
        self.by_title.iter().chain(&self.named).map(|(_, hit)| hit)
    }

    /// Returns all candidates, to change them.
    pub(super) fn hits_mut(&mut self) -> impl Iterator<Item = &mut Hit> {
        self.by_title.iter_mut().chain(&mut self.named).map(|(_, hit)| hit)
    }

    /// Inserts the candidates that are not among the hits after the first [`BEST_BY_TEXT`] hits.
    fn insert_into(self, hits: &mut Vec<Hit>) {
        let at = hits.len().min(BEST_BY_TEXT);
        let mut known: FxHashSet<_> = hits[..at].iter().map(|hit| (hit.member, hit.definition)).collect();
        let further = self.by_title.into_iter().chain(self.named).map(|(_, hit)| hit);
        let further: Vec<Hit> = further.filter(|hit| known.insert((hit.member, hit.definition))).collect();
        let rest = hits.split_off(at);
        hits.extend(further);
        hits.extend(rest.into_iter().filter(|hit| !known.contains(&(hit.member, hit.definition))));
    }
}

impl BestHits {
    /// Adds the results of another index: keeps up to `most` of the best hits of both, and all
    /// definitions that the question names.
    pub(super) fn add(&mut self, other: Self, most: usize) {
        if self.hits.is_empty() {
            self.hits = other.hits;
        } else {
            self.hits.extend(other.hits);
        }
        keep_best(&mut self.hits, most, best_first);
        self.exact.extend(other.exact);
        self.further.add(other.further);
    }

    /// Returns the score that a hit needs to be among the `most` best; 0 if there are fewer.
    pub(super) fn min_score(&self, most: usize) -> f32 {
        self.hits.get(most.saturating_sub(1)).map_or(0.0, |hit| hit.score)
    }
}

/// Data about a candidate that the reranker needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MeasuredCandidate {
    /// Features of the candidate, except those that depend on other candidates.
    pub features: RawFeatures,
    /// The same for only the title of an issue; `None` for other forms.
    #[serde(default)]
    pub title: Option<RawFeatures>,
    /// Name of the candidate.
    pub name: String,
    /// True for a function, method or macro.
    pub is_function: bool,
    /// Function that the candidate only forwards to; `None` for any other function.
    #[serde(default)]
    pub forwards_to: Option<DefinitionId>,
}

/// Returns up to `most` of the best hits of all indexes, the best first. Definitions that the
/// question names rank before all others.
pub(super) fn best_of(chosen: BestHits, most: usize) -> Vec<Hit> {
    let BestHits { mut hits, exact, further } = chosen;
    exact_match::raise(&mut hits, &exact);
    keep_best(&mut hits, most, best_first);
    if let Some(first) = hits.first_mut()
        && let Some(confidence) = exact_match::confidence(&exact, first)
    {
        first.confidence = Some(confidence);
    }
    further.insert_into(&mut hits);
    hits
}

/// Returns the number of candidates that a query needs for `k` results: a result that is not
/// reranked never overtakes one that is.
pub fn depth(query: &Query) -> usize {
    query.k.max(if query.question.issue.is_some() { BEST_BY_TEXT } else { RERANK_DEPTH })
}

/// Returns the number of hits, from the first, for which [`order`] needs [`MeasuredCandidate`]; 0
/// if the order is not learned.
pub(super) fn measured_depth(query: &Query, hits: usize) -> usize {
    let is_learned = match query.kind {
        KindFilter::Function | KindFilter::Any => query.question.form.has_order(),
        KindFilter::Type => true,
        KindFilter::Entry => false,
    };
    let most = if query.question.issue.is_some() { ISSUE_DEPTH } else { RERANK_DEPTH };
    if query.ranker == Ranker::Learned && is_learned { hits.min(most) } else { 0 }
}

/// Sorts definitions by the ranker of the query.
///
/// `counts` are the word counts of everything that is ranked. `hits` is sorted by words. `measured`
/// belongs to the first hits.
pub(super) fn order(query: &Query, counts: &CorpusStatistics, hits: &mut [Hit], measured: &[MeasuredCandidate]) {
    let (form, kind) = (query.question.form, query.kind);
    if query.ranker == Ranker::Words || kind == KindFilter::Entry {
        return;
    }
    if kind == KindFilter::Type && !QuestionForm::LEARNED.contains(&form) {
        return add_cosines(hits, measured);
    }
    if !measured.is_empty() {
        let wrappers = Wrappers::new(hits, measured.iter().map(|one| one.forwards_to));
        let (features, titles) = (features(hits, measured), title_features(hits, measured));
        let familiarity = familiarity(&query.question, counts);
        let table = if kind == KindFilter::Type { TYPE_WEIGHTS } else { form.name() };
        rerank(table, &query.question, hits, &features, &titles, &familiarity, query.environment.is_none());
        if kind != KindFilter::Type && !matches!(form, QuestionForm::Description | QuestionForm::Issue) {
            wrappers.lower(&mut hits[..measured.len()]);
        }
    }
    if kind != KindFilter::Function {
        // The chances were learned from answers that are functions.
        hits.iter_mut().for_each(|hit| hit.confidence = None);
    }
}

/// Computes the scaled features of the first hits.
pub(super) fn features(hits: &[Hit], measured: &[MeasuredCandidate]) -> Vec<Features> {
    let raw: Vec<&RawFeatures> = measured.iter().map(|candidate| &candidate.features).collect();
    scaled(hits, measured, &raw)
}

/// Computes the scaled features of the first hits for the title of an issue; empty for other forms.
pub(super) fn title_features(hits: &[Hit], measured: &[MeasuredCandidate]) -> Vec<Features> {
    let raw: Option<Vec<&RawFeatures>> = measured.iter().map(|candidate| candidate.title.as_ref()).collect();
    raw.map_or_else(Vec::new, |raw| scaled(hits, measured, &raw))
}

fn scaled(hits: &[Hit], measured: &[MeasuredCandidate], raw: &[&RawFeatures]) -> Vec<Features> {
    let best = raw.iter().map(|features| features.get(Feature::Base)).fold(1e-6, f32::max);
    let statistics = CandidateStatistics::new(hits, measured, raw);
    let mut by_words: Vec<usize> = (0..raw.len()).collect();
    by_words.sort_by(|&a, &b| raw[b].get(Feature::Base).total_cmp(&raw[a].get(Feature::Base)).then(a.cmp(&b)));
    let mut places = vec![0.0; raw.len()];
    by_words.iter().enumerate().for_each(|(rank, &at)| places[at] = HALF_PLACE / (HALF_PLACE + rank as f32));
    let features_of = |(((hit, candidate), raw), place): (((&Hit, &MeasuredCandidate), &&RawFeatures), f32)| {
        let mut features = (*raw).clone();
        features.set(Feature::Place, place);
        features.set(Feature::Shared, statistics.names[candidate.name.as_str()] as f32 - 1.0);
        features.set(Feature::FileScore, statistics.files[&(hit.member, hit.file)] - raw.get(Feature::Base));
        features.scaled(best)
    };
    hits.iter().zip(measured).zip(raw).zip(places).map(features_of).collect()
}

/// Statistics over all candidates.
struct CandidateStatistics<'m> {
    /// Number of candidates with a name.
    names: FxHashMap<&'m str, u32>,
    /// Sum of the scores in each file.
    files: FxHashMap<(MemberId, FileId), f32>,
}

impl<'m> CandidateStatistics<'m> {
    fn new(hits: &[Hit], measured: &'m [MeasuredCandidate], raw: &[&RawFeatures]) -> Self {
        let mut statistics = Self { names: FxHashMap::default(), files: FxHashMap::default() };
        for ((hit, candidate), raw) in hits.iter().zip(measured).zip(raw) {
            *statistics.names.entry(&candidate.name).or_default() += 1;
            *statistics.files.entry((hit.member, hit.file)).or_default() += raw.get(Feature::Base);
        }
        statistics
    }
}

/// Adds the cosine similarity to the question to the best scores of types, for the forms of
/// questions without a learned reranker.
fn add_cosines(hits: &mut [Hit], measured: &[MeasuredCandidate]) {
    let Some(best) = hits.first().map(|hit| hit.score) else { return };
    for (hit, candidate) in hits.iter_mut().zip(measured) {
        let cosine = candidate.features.get(Feature::Cosine);
        let change = WORD_VECTOR_COSINE * best * cosine.max(0.0);
        hit.semantic = Some(cosine);
        hit.score += change;
        hit.adjustments.push(Adjustment { kind: AdjustmentKind::WordVectors, change });
    }
    hits.sort_by(best_first);
}
