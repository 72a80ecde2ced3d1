//! The last steps of a search, over all indexes together: the best of all are kept, what they have to do with one another is
//! measured, features get their scale, and the reranker orders. What is done here needs no index.

use super::exact_match::{self, ExactMatch};
use super::feature::{Feature, Features, RawFeatures};
use super::hit::{Adjustment, AdjustmentKind, Hit, best_first, keep_best};
use super::query::{KindFilter, Query, Ranker};
use super::question::QuestionForm;
use super::rerank::rerank;
use super::weights::{RERANK_DEPTH, WORD_VECTOR_COSINE};
use crate::ids::{FileId, MemberId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What an index found best.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ChosenHits {
    /// Definitions with their scores, the best first.
    pub hits: Vec<Hit>,
    /// Those that the question names.
    pub exact: Vec<ExactMatch>,
}

impl ChosenHits {
    /// Takes in what another index chose: the best of both, at most so many, and all that the question names.
    pub fn add(&mut self, other: Self, most: usize) {
        self.hits.extend(other.hits);
        keep_best(&mut self.hits, most, best_first);
        self.exact.extend(other.exact);
    }
}

/// What the order of a candidate is made of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measured {
    /// Its features, but for those that other candidates decide.
    pub features: RawFeatures,
    /// Its name.
    pub name: String,
}

/// The best of what all indexes chose, at most so many, the best first; what the question names comes before all.
pub fn best_of(chosen: ChosenHits, most: usize) -> Vec<Hit> {
    let ChosenHits { mut hits, exact } = chosen;
    exact_match::raise(&mut hits, exact);
    keep_best(&mut hits, most, best_first);
    hits
}

/// How many candidates a query looks at for `k` results: what is not reranked only loses to what is.
pub fn depth(query: &Query) -> usize {
    query.k.max(RERANK_DEPTH)
}

/// Whether the order of these hits needs what [`Measured`] holds: of how many of the first.
pub fn measured_depth(query: &Query, hits: usize) -> usize {
    let is_learned = match query.kind {
        KindFilter::Function | KindFilter::Any => QuestionForm::LEARNED.contains(&query.question.form),
        KindFilter::Type => true,
    };
    if query.ranker == Ranker::Learned && is_learned { hits.min(RERANK_DEPTH) } else { 0 }
}

/// Puts definitions, which come in the order of the words, in the order that the query wants. `measured` are the first of them.
pub fn order(query: &Query, hits: &mut [Hit], measured: &[Measured]) {
    match (query.ranker, query.kind) {
        (Ranker::Words, _) => {}
        (Ranker::Learned, KindFilter::Function | KindFilter::Any) => {
            if !measured.is_empty() {
                rerank(query.question.form, hits, &features(hits, measured), query.environment.is_none());
            }
            if query.kind != KindFilter::Function {
                // Chances were learned from answers that are functions.
                hits.iter_mut().for_each(|hit| hit.confidence = None);
            }
        }
        (Ranker::Learned, KindFilter::Type) => add_cosines(hits, measured),
    }
}

/// The features of the first hits on their scales.
pub(super) fn features(hits: &[Hit], measured: &[Measured]) -> Vec<Features> {
    let best = measured.iter().map(|of| of.features.get(Feature::Base)).fold(1e-6, f32::max);
    let crowd = Crowd::new(hits, measured);
    let of_one = |(hit, of): (&Hit, &Measured)| {
        let mut features = of.features.clone();
        features.set(Feature::Shared, crowd.names[of.name.as_str()] as f32 - 1.0);
        features.set(Feature::FileScore, crowd.files[&(hit.member, hit.file)] - of.features.get(Feature::Base));
        features.scaled(best)
    };
    hits.iter().zip(measured).map(of_one).collect()
}

/// What many candidates have to do with one another.
struct Crowd<'m> {
    /// How many bear a name.
    names: FxHashMap<&'m str, u32>,
    /// Sum of the scores in each file.
    files: FxHashMap<(MemberId, FileId), f32>,
}

impl<'m> Crowd<'m> {
    fn new(hits: &[Hit], measured: &'m [Measured]) -> Self {
        let mut crowd = Self { names: FxHashMap::default(), files: FxHashMap::default() };
        for (hit, of) in hits.iter().zip(measured) {
            *crowd.names.entry(&of.name).or_default() += 1;
            *crowd.files.entry((hit.member, hit.file)).or_default() += of.features.get(Feature::Base);
        }
        crowd
    }
}

/// Adds the cosine with the question to the best scores where no reranker was learned: for types alone.
fn add_cosines(hits: &mut [Hit], measured: &[Measured]) {
    let Some(best) = hits.first().map(|hit| hit.score) else { return };
    for (hit, of) in hits.iter_mut().zip(measured) {
        let cosine = of.features.get(Feature::Cosine);
        let change = WORD_VECTOR_COSINE * best * cosine.max(0.0);
        hit.semantic = Some(cosine);
        hit.score += change;
        hit.adjustments.push(Adjustment { kind: AdjustmentKind::WordVectors, change });
    }
    hits.sort_by(best_first);
}
