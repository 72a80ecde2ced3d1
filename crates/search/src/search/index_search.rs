//! The steps of one query over one index, separate so that many indexes can be ranked as one:
//!
//! ```text
//! step     function               result for one index                over all indexes
//! count    CountedIndex::counts   its share of the word counts        summed
//! score    CountedIndex::score    BM25F by those counts; its best     the best of all is found
//! choose   ScoredIndex::choose    its best, with adjusted scores      the best of all are kept
//! measure  ScoredIndex::measured  their features, not yet scaled      scaled, ordered: `order.rs`
//! ```
//! [`super::Searcher`] takes one index through the steps. A fleet takes many, local or remote. Only
//! numbers pass between two steps, so the results do not depend on the distribution of the indexes.

use super::bm25f::{Scores, term_weights};
use super::corpus::Corpus;
use super::counts::CorpusStatistics;
use super::embedding_model;
use super::environment::{Environment, EnvironmentForm};
use super::exact_match;
use super::features::{Candidate, DefinitionScores, FeatureSource};
use super::hit::{AdjustmentKind, FoundDefinition, Hit, best_first, keep_best};
use super::order::{BestHits, MeasuredCandidate};
use super::postings::{Synonyms, TermPostings, synonyms_by_term};
use super::query::{Query, Unit};
use super::question::QuestionForm;
use super::weights::{FILE_ALPHA, ROUNDED_UP, Weights};
use crate::relation::{FragmentUnit, Fragments, structure_of};
use std::sync::Arc;
use whichfn_index::store::Generation;
use whichfn_index::wordvec::WordTable;
use whichfn_syntax::ids::{DefinitionId, FragmentId};
use whichfn_system::error::Result;

/// A query with the data that is the same for all indexes.
pub struct PreparedQuery {
    /// The query.
    pub query: Query,
    weights: Weights,
    synonyms: Synonyms,
}

impl PreparedQuery {
    /// Prepares a query with the default constants.
    pub fn new(query: Query) -> Self {
        Self::with_weights(query, &Weights::default())
    }

    pub(super) fn with_weights(query: Query, weights: &Weights) -> Self {
        let weights = weights_for(weights, &query);
        Self { synonyms: synonyms_by_term(&weights, &query.question), query, weights }
    }

    /// Returns the most that the terms of an index can score, without adjustments.
    ///
    /// `has_term` is true for each term that the index contains, itself or as a synonym.
    pub fn max_word_score(&self, has_term: &[bool], counts: &CorpusStatistics) -> f32 {
        let weights = term_weights(&self.query.question, counts);
        let found_weights = weights.iter().zip(has_term).filter(|&(_, has_term)| *has_term).map(|(weight, _)| weight);
        ROUNDED_UP * (self.weights.k1 + 1.0) * found_weights.sum::<f32>()
    }

    /// Returns the most that a definition with this BM25F score can have after adjustments.
    ///
    /// `best` is as in [`ScoredIndex::choose`].
    pub fn max_adjusted_score(&self, words: f32, best: f32) -> f32 {
        let environment = self.query.environment.max_score(self.query.question.terms.len(), self.alpha()) as f32;
        ROUNDED_UP * (words + (self.weights.name + environment) * best)
    }

    /// Returns the weight of the environment if it is not the default of the form.
    fn alpha(&self) -> Option<f64> {
        let for_files = (self.query.unit == Unit::File && self.query.environment.form == EnvironmentForm::Sum)
            .then_some(FILE_ALPHA);
        self.query.environment.alpha.or(for_files)
    }

    /// Checks whether the names in the question are looked up, too, not only its words.
    pub fn names_definitions(&self) -> bool {
        matches!(self.query.question.form, QuestionForm::Name | QuestionForm::Trace)
    }
}

/// An index with the word counts for a query.
pub struct CountedIndex<'g> {
    generation: &'g Generation,
    prepared: Arc<PreparedQuery>,
    corpus: Corpus<'g>,
    postings: TermPostings,
    /// True for each term that the index contains, itself or as a synonym.
    has_term: Vec<bool>,
    /// If set, the search is restricted to these definitions, which are sorted.
    only: Option<Vec<DefinitionId>>,
}

impl<'g> CountedIndex<'g> {
    /// Counts the words of the files that are `allowed`.
    pub(super) fn new(generation: &'g Generation, prepared: &Arc<PreparedQuery>, allowed: Vec<bool>) -> Self {
        let graph = &generation.graph;
        let corpus = Corpus::new(graph, &prepared.query, allowed);
        let postings = TermPostings::read(&prepared.query.question, graph);
        let has_term = postings.0.iter().zip(&prepared.synonyms).map(|(own, synonyms)| {
            own.iter().any(|list| !list.is_empty()) || synonyms.iter().any(|(stem, _)| graph.contains_term(stem))
        });
        let has_term = has_term.collect();
        Self { generation, prepared: Arc::clone(prepared), corpus, postings, has_term, only: None }
    }

    /// Restricts the search to these definitions, which must be sorted. Counts stay those of the
    /// whole index.
    pub(super) fn restricted(self, ids: &[DefinitionId]) -> Self {
        Self { only: Some(ids.to_vec()), ..self }
    }

    /// Returns the contribution to the counts of all indexes.
    pub fn counts(&self) -> CorpusStatistics {
        let frequency = |postings| self.corpus.document_frequency(postings);
        CorpusStatistics { totals: self.corpus.totals(), frequencies: self.postings.0.iter().map(frequency).collect() }
    }

    /// Counts the definitions that contain a synonym, for each of these terms, which no index
    /// contains.
    pub fn synonym_counts(&self, terms: &[usize]) -> Vec<u64> {
        let postings = TermPostings::read_synonyms(&self.prepared.synonyms, terms, &self.generation.graph);
        let count = |mut postings| {
            self.only.iter().for_each(|ids| TermPostings::restrict(&mut postings, ids));
            self.corpus.document_frequency(&postings)
        };
        postings.into_iter().map(count).collect()
    }

    /// Returns the most that a definition of the index can score by words.
    ///
    /// This is the score of a definition with the highest frequency of each term that the index
    /// contains, itself or as a synonym. An index without the rare words cannot come close to one
    /// that has them.
    pub fn max_score(&self, counts: &CorpusStatistics) -> f32 {
        self.prepared.max_word_score(&self.has_term, counts)
    }

    /// Returns, by term, whether the index contains the term or a synonym.
    pub fn has_term(&self) -> &[bool] {
        &self.has_term
    }

    /// Scores the definitions by the counts of all indexes.
    pub fn score(self, counts: &CorpusStatistics) -> ScoredIndex<'g> {
        let Self { generation, prepared, corpus, postings, only, .. } = self;
        let (graph, question) = (&generation.graph, &prepared.query.question);
        let mut postings = postings.complete(question, &prepared.synonyms, graph);
        only.iter().for_each(|ids| postings.restrict_to(ids, graph));
        let scores = Scores::new(prepared.weights.clone(), question, graph, corpus, postings, counts);
        ScoredIndex { generation, prepared, scores, only, before: DefinitionScores::default() }
    }
}

/// An index with scored definitions.
pub struct ScoredIndex<'g> {
    generation: &'g Generation,
    prepared: Arc<PreparedQuery>,
    pub(super) scores: Scores<'g>,
    only: Option<Vec<DefinitionId>>,
    before: DefinitionScores,
}

impl ScoredIndex<'_> {
    /// Returns the best score by words only; 0 if nothing was found.
    pub fn best(&self) -> f32 {
        self.scores.best()
    }

    /// Chooses up to `max_score` of the best definitions by their adjusted scores, and all that the
    /// question names.
    ///
    /// `best` is the best score by words in all indexes.
    ///
    /// # Errors
    /// When the relation is semantic and there are no embeddings.
    pub fn choose(&mut self, best: f32, count: usize) -> Result<BestHits> {
        let (graph, question) = (&self.generation.graph, &self.prepared.query.question);
        let mut found = self.adjusted(best)?;
        let is_member = |id| self.scores.is_member(id);
        if self.only.is_none() && self.prepared.query.embedding.is_none() {
            self.before =
                DefinitionScores::new(found.iter().map(|definition| (definition.definition, definition.score)));
            let exact = exact_match::find(graph, question, is_member, |id| {
                found.binary_search_by_key(&id, |definition| definition.definition).ok().map(|at| found[at].hit(graph))
            });
            keep_best(&mut found, count, FoundDefinition::best_first);
            return Ok(BestHits { hits: found.iter().map(|definition| definition.hit(graph)).collect(), exact });
        }
        let mut hits: Vec<Hit> = found.iter().map(|definition| definition.hit(graph)).collect();
        embedding_model::add(&mut hits, self.generation, &self.prepared.query, is_member, self.scores.weights());
        let is_kept = |id: DefinitionId| self.only.as_ref().is_none_or(|ids| ids.binary_search(&id).is_ok());
        hits.retain(|hit| is_kept(hit.definition));
        hits.sort_unstable_by_key(|hit| hit.definition);
        self.before = DefinitionScores::new(hits.iter().map(|hit| (hit.definition, hit.score)));
        let exact = exact_match::find(
            graph,
            question,
            |id| is_kept(id) && is_member(id),
            |id| hits.binary_search_by_key(&id, |hit| hit.definition).ok().map(|at| hits[at].clone()),
        );
        keep_best(&mut hits, count, best_first);
        Ok(BestHits { hits, exact })
    }

    /// Measures the features of hits that this index chose.
    pub fn measured(&self, hits: &[Hit]) -> Vec<MeasuredCandidate> {
        let candidate = |hit: &Hit| Candidate {
            id: hit.definition,
            score: hit.score - hit.change_by(AdjustmentKind::Model),
            related: hit.change_by(AdjustmentKind::Related),
            name: hit.change_by(AdjustmentKind::Name),
            test: hit.change_by(AdjustmentKind::Test),
        };
        let candidates: Vec<Candidate> = hits.iter().map(candidate).collect();
        let (graph, question, table) = (&self.generation.graph, &self.prepared.query.question, WordTable::builtin());
        let source = FeatureSource { graph, question, scores: &self.scores, before: &self.before, table };
        let named =
            |(features, hit): (_, &Hit)| MeasuredCandidate { features, name: graph.name(hit.definition).to_owned() };
        source.measured(&candidates).into_iter().zip(hits).map(named).collect()
    }

    /// Sets the contribution of each word of the question to the scores of hits.
    pub fn explain(&self, hits: &mut [Hit]) {
        for hit in hits {
            hit.term_scores = self.scores.term_scores(hit.definition);
        }
    }

    /// Adjusts the BM25F scores of all definitions found: for related definitions, for the name,
    /// and for tests.
    fn adjusted(&self, best: f32) -> Result<Vec<FoundDefinition>> {
        let (graph, scores, weights) = (&self.generation.graph, &self.scores, self.scores.weights());
        let name_coverage = scores.name_coverage();
        let all = (!self.prepared.query.environment.needs_found_only()).then(|| graph.definition_ids());
        let members = all.into_iter().flatten().map(|id| scores.is_member(id)).collect();
        let fragments = Fragments::with_members(graph, FragmentUnit::Definition, members);
        let scored = |&id: &u32| (fragments.of_definition(DefinitionId(id)), f64::from(scores.scores[id as usize]));
        let found: Vec<(FragmentId, f64)> = scores.found.iter().map(scored).collect();
        let environment =
            environment(self.generation, &self.prepared.query, &fragments, &found, Some(f64::from(best)))?;
        let hit = |(&id, environment): (&u32, f64)| {
            let definition = DefinitionId(id);
            let is_unwanted_test = graph.traits(definition).is_test() && !self.prepared.query.question.about_tests;
            let name = weights.name * name_coverage[id as usize].min(1.0) * best;
            let test = if is_unwanted_test { -weights.test * best } else { 0.0 };
            FoundDefinition::new(definition, scores.scores[id as usize], [environment as f32, name, test])
        };
        Ok(scores.found.iter().zip(environment).map(hit).collect())
    }
}

/// Computes what the environment adds to the score of each fragment in `found`.
///
/// `best` is the best score of all indexes; `None` selects the best of `found`.
pub(super) fn environment(
    generation: &Generation,
    query: &Query,
    fragments: &Fragments<'_>,
    found: &[(FragmentId, f64)],
    best: Option<f64>,
) -> Result<Vec<f64>> {
    let exact = query.exact && query.environment.reads_graph();
    let exact = exact.then(|| structure_of(&generation.graph));
    let alpha = query.environment.alpha.or((query.unit == Unit::File).then_some(FILE_ALPHA));
    let environment = match query.environment.form {
        EnvironmentForm::Sum => Environment { alpha, ..query.environment },
        EnvironmentForm::Mean => query.environment,
    };
    let embeddings = generation.embeddings.as_ref();
    environment.added(fragments, found, query.question.terms.len(), best, exact.as_ref(), embeddings)
}

fn weights_for(weights: &Weights, query: &Query) -> Weights {
    let mut weights = weights.clone();
    if query.environment.is_none() {
        weights = weights.own_words_only();
    }
    if query.unit == Unit::File {
        weights = weights.for_files();
    }
    if query.question.form == QuestionForm::Message {
        weights = weights.for_messages();
    }
    weights
}
