//! One index in a search: its part of the steps in [`super::pipeline`].

use super::bm25f::{Scores, term_weights};
use super::corpus::Corpus;
use super::counts::CorpusStatistics;
use super::embedding_model;
use super::environment::{Environment, EnvironmentForm};
use super::exact_match;
use super::feature::{Feature, RawFeatures};
use super::features::{Candidate, DefinitionScores, FeatureSource};
use super::hit::{AdjustmentKind, FoundDefinition, Hit, best_first, keep_best};
use super::issue::MentionedDefinitions;
use super::order::{BestHits, FurtherHits, MeasuredCandidate};
use super::postings::{Synonyms, TermPostings, synonyms_by_term};
use super::query::{KindFilter, Query, Ranker, Unit};
use super::question::QuestionForm;
use super::weights::{BEST_BY_TITLE, FILE_ALPHA, MOST_NAMED, ROUNDED_UP, Weights};
use super::word_vectors::{CandidateWords, candidate_words};
use super::wrappers::forwards_to;
use crate::relation::{FragmentUnit, Fragments, structure_of};
use std::sync::Arc;
use whichfn_index::store::Generation;
use whichfn_index::wordvec::WordTable;
use whichfn_syntax::ids::{DefinitionId, FragmentId, MemberId};
use whichfn_system::error::Result;

/// A query with the data that all indexes share.
pub struct PreparedQuery {
    /// The query.
    pub query: Query,
    weights: Weights,
    synonyms: Synonyms,
    /// The title of an issue as a query of its own.
    title: Option<Arc<PreparedQuery>>,
}

impl PreparedQuery {
    /// Prepares a query with the default weights.
    pub fn new(query: Query) -> Self {
        Self::with_weights(query, &Weights::default())
    }

    pub(super) fn with_weights(query: Query, weights: &Weights) -> Self {
        let title = query.question.issue.as_ref().filter(|_| query.ranker == Ranker::Learned);
        let title = title.map(|parts| Query { question: parts.title.clone(), ..query.clone() });
        let title = title.map(|title| Arc::new(Self::with_weights(title, weights)));
        let weights = weights_for(weights, &query);
        Self { title, synonyms: synonyms_by_term(&weights, &query.question), query, weights }
    }

    /// Returns the highest score that words can give to a definition of an index.
    ///
    /// `has_term` is true for each term that the index contains, itself or as a synonym.
    pub fn max_word_score(&self, has_term: &[bool], counts: &CorpusStatistics) -> f32 {
        let weights = term_weights(&self.query.question, counts);
        let found_weights = weights.iter().zip(has_term).filter(|&(_, has_term)| *has_term).map(|(weight, _)| weight);
        ROUNDED_UP * (self.weights.k1 + 1.0) * found_weights.sum::<f32>()
    }

    /// Returns the highest score that a definition with this BM25F score can have after
    /// adjustments.
    ///
    /// `best` is the best word score in all indexes.
    pub fn max_adjusted_score(&self, words: f32, best: f32) -> f32 {
        let environment = environment_of(&self.query);
        let related = environment.max_score(self.query.question.terms.len(), environment.alpha) as f32;
        ROUNDED_UP * (words + (self.weights.name + related) * best)
    }

    /// Returns the same query for definitions of other kinds.
    pub(super) fn of_kind(&self, kind: KindFilter) -> Self {
        Self {
            query: Query { kind, ..self.query.clone() },
            weights: self.weights.clone(),
            synonyms: self.synonyms.clone(),
            title: self.title.clone(),
        }
    }

    /// Returns the weight of each further definition in its file's score, relative to the previous
    /// one.
    pub(super) fn further(&self) -> f32 {
        self.weights.further
    }

    /// Checks whether a definition without any word of the question can be found: by its name, its
    /// line in a stack trace, or the user's embedding model.
    pub(super) fn finds_without_words(&self) -> bool {
        matches!(self.query.question.form, QuestionForm::Name | QuestionForm::Trace | QuestionForm::Issue)
            || self.query.embedding.is_some()
    }
}

/// A search in one index, with the results of the steps done so far.
///
/// A step first does the earlier steps that it needs. Counts can be read only before the index is
/// scored.
pub struct IndexSearch<'g> {
    /// Number of the index among those that are ranked together.
    pub member: MemberId,
    generation: &'g Generation,
    prepared: Arc<PreparedQuery>,
    corpus: Corpus<'g>,
    postings: TermPostings,
    /// True for each term that the index contains, itself or as a synonym.
    has_term: Vec<bool>,
    /// If set, the search is restricted to these definitions, which are sorted.
    only: Option<Vec<DefinitionId>>,
    /// Word scores; `None` until the index is scored.
    scores: Option<Scores<'g>>,
    /// Adjusted scores; `None` until the best definitions are chosen.
    adjusted: Option<DefinitionScores>,
    /// The search by the title of an issue.
    title: Option<Box<TitleSearch<'g>>>,
}

/// The search by the title of an issue in one index, and what the issue refers to there.
struct TitleSearch<'g> {
    search: IndexSearch<'g>,
    /// Definitions that the title finds, in ascending order.
    found: Vec<FoundDefinition>,
    mentioned: MentionedDefinitions,
}

impl<'g> IndexSearch<'g> {
    /// Starts a search of the files that are `allowed`.
    pub(super) fn new(
        generation: &'g Generation,
        member: MemberId,
        prepared: &Arc<PreparedQuery>,
        allowed: Vec<bool>,
    ) -> Self {
        let (graph, prepared) = (&generation.graph, Arc::clone(prepared));
        let corpus = Corpus::new(graph, &prepared.query, allowed);
        let postings = TermPostings::read(&prepared.query.question, graph);
        let has_term = postings.0.iter().zip(&prepared.synonyms).map(|(own, synonyms)| {
            own.iter().any(|list| !list.is_empty()) || synonyms.iter().any(|(stem, _)| graph.contains_term(stem))
        });
        let has_term = has_term.collect();
        let (scores, adjusted, only) = (None, None, None);
        Self { member, generation, prepared, corpus, postings, has_term, only, scores, adjusted, title: None }
    }

    /// Starts the search of the same files for another query.
    pub(super) fn restarted(&self, prepared: &Arc<PreparedQuery>) -> Self {
        let new = Self::new(self.generation, self.member, prepared, self.corpus.allowed().to_vec());
        Self { only: self.only.clone(), ..new }
    }

    /// Restricts the search to these definitions. Counts still cover the whole index.
    pub(super) fn restricted(self, ids: &[DefinitionId]) -> Self {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        Self { only: Some(ids), ..self }
    }

    /// Returns what this index adds to the counts of all indexes.
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

    /// Returns the best word score of a definition, or an upper bound until the index is
    /// scored.
    ///
    /// The bound is the score of a definition with the highest frequency of each term that the
    /// index contains, itself or as a synonym. An index without the rare words cannot come close to
    /// one that has them.
    pub fn max_score(&self, counts: &CorpusStatistics) -> f32 {
        let bound = || self.prepared.max_word_score(&self.has_term, counts);
        self.scores.as_ref().map_or_else(bound, Scores::best)
    }

    /// Returns, for each term, whether the index contains the term or a synonym.
    pub fn has_term(&self) -> &[bool] {
        &self.has_term
    }

    /// Scores the definitions by the counts of all indexes, and returns the best score; 0 if
    /// nothing was found.
    pub fn score(&mut self, counts: &CorpusStatistics) -> f32 {
        self.scored(counts).best()
    }

    /// Chooses up to `most` of the best definitions by their adjusted scores, and all that the
    /// question names.
    ///
    /// `best` is the best word score in all indexes.
    ///
    /// # Errors
    /// Returns an error if the relation is semantic and there are no embeddings.
    pub fn choose(&mut self, counts: &CorpusStatistics, best: f32, most: usize) -> Result<BestHits> {
        self.scored(counts);
        let Some(scores) = &self.scores else { return Ok(BestHits::default()) };
        let found = self.found(scores, best)?;
        let (title, further) = self.further(scores, counts, &found)?;
        let (adjusted, mut chosen) = self.adjusted(scores, found, most);
        (self.adjusted, self.title, chosen.further) = (Some(adjusted), title, further);
        let exact = chosen.exact.iter_mut().map(|exact| &mut exact.hit);
        chosen.hits.iter_mut().chain(exact).chain(chosen.further.hits_mut()).for_each(|hit| hit.member = self.member);
        Ok(chosen)
    }

    /// Returns the candidates for an issue that its title finds, and those that it refers to.
    ///
    /// `whole` are the definitions that the whole text finds, in ascending order.
    fn further(
        &self,
        scores: &Scores<'g>,
        counts: &CorpusStatistics,
        whole: &[FoundDefinition],
    ) -> Result<(Option<Box<TitleSearch<'g>>>, FurtherHits)> {
        let (Some(parts), Some(title)) = (&self.prepared.query.question.issue, &self.prepared.title) else {
            return Ok((None, FurtherHits::default()));
        };
        let graph = &self.generation.graph;
        let mut search = IndexSearch::new(self.generation, self.member, title, self.corpus.allowed().to_vec());
        search.only.clone_from(&self.only);
        let best_of_title = search.score(&counts.first(parts.title.terms.len()));
        let found = match &search.scores {
            Some(scores) => search.found(scores, best_of_title)?,
            None => Vec::new(),
        };
        let mentioned = MentionedDefinitions::new(graph, &parts.issue);
        let hit = |id: DefinitionId| match whole.binary_search_by_key(&id, |one| one.definition) {
            Ok(at) => whole[at].hit(graph),
            Err(_) => Hit::new(id, graph.definition(id).file, 0.0, 0.0),
        };
        let is_kept = |id: DefinitionId| {
            scores.is_member(id) && self.only.as_ref().is_none_or(|ids| ids.binary_search(&id).is_ok())
        };
        let mut by_title: Vec<(f32, DefinitionId)> = found.iter().map(|one| (one.score, one.definition)).collect();
        let mut named: Vec<(f32, DefinitionId)> =
            mentioned.named(graph).into_iter().map(|(id, strength)| (strength, id)).collect();
        for (list, most) in [(&mut by_title, BEST_BY_TITLE), (&mut named, MOST_NAMED)] {
            list.retain(|&(_, id)| is_kept(id));
            keep_best(list, most, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        let hits = |list: Vec<(f32, DefinitionId)>| list.into_iter().map(|(score, id)| (score, hit(id))).collect();
        let further = FurtherHits { by_title: hits(by_title), named: hits(named) };
        Ok((Some(Box::new(TitleSearch { search, found, mentioned })), further))
    }

    /// Measures the features of hits from this index.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::choose`].
    pub fn measure(&mut self, counts: &CorpusStatistics, best: f32, hits: &[&Hit]) -> Result<Vec<MeasuredCandidate>> {
        if self.adjusted.is_none() {
            self.choose(counts, best, 0)?;
        }
        let (Some(scores), Some(before)) = (&self.scores, &self.adjusted) else { return Ok(Vec::new()) };
        let candidate = |hit: &&Hit| Candidate {
            id: hit.definition,
            score: hit.score,
            related: hit.change_by(AdjustmentKind::Related),
            name: hit.change_by(AdjustmentKind::Name),
            test: hit.change_by(AdjustmentKind::Test),
        };
        let candidates: Vec<Candidate> = hits.iter().map(candidate).collect();
        let (graph, question, table) = (&self.generation.graph, &self.prepared.query.question, WordTable::builtin());
        let mentioned = self.title.as_ref().map(|title| &title.mentioned);
        let source = FeatureSource { graph, question, scores, before, table, mentioned };
        let ids: Vec<DefinitionId> = candidates.iter().map(|candidate| candidate.id).collect();
        let words = candidate_words(graph, &table, &ids);
        let mut features = source.measured(&candidates, &words);
        let named = exact_match::named_as_code(graph, question);
        for (features, rarity) in features.iter_mut().zip(ids.iter().map(|id| named.get(id))) {
            rarity.iter().for_each(|rarity| features.set(Feature::NamedInline, **rarity));
        }
        let mut titles = self.title.as_ref().map(|title| title.measured(&ids, &words).into_iter());
        let measured = |(features, hit): (_, &&Hit)| MeasuredCandidate {
            features,
            title: titles.as_mut().and_then(Iterator::next),
            name: graph.name(hit.definition).to_owned(),
            is_function: graph.traits(hit.definition).kind().is_function(),
            forwards_to: forwards_to(graph, hit.definition),
        };
        Ok(features.into_iter().zip(hits).map(measured).collect())
    }

    /// Sets the contribution of each word of the question to the score of a hit from this index.
    pub fn explain(&mut self, counts: &CorpusStatistics, hit: &mut Hit) {
        hit.term_scores = self.scored(counts).term_scores(hit.definition);
    }

    fn scored(&mut self, counts: &CorpusStatistics) -> &Scores<'g> {
        let Self { generation, prepared, corpus, postings, only, scores, .. } = self;
        scores.get_or_insert_with(|| {
            let (graph, question) = (&generation.graph, &prepared.query.question);
            let mut postings = std::mem::take(postings).complete(question, &prepared.synonyms, graph);
            only.iter().for_each(|ids| postings.restrict_to(ids, graph));
            Scores::new(prepared.weights.clone(), question, graph, corpus.clone(), postings, counts)
        })
    }

    /// Returns the adjusted scores of all definitions found, and the best definitions.
    fn adjusted(
        &self,
        scores: &Scores<'_>,
        mut found: Vec<FoundDefinition>,
        most: usize,
    ) -> (DefinitionScores, BestHits) {
        let (graph, question) = (&self.generation.graph, &self.prepared.query.question);
        let is_member = |id| scores.is_member(id);
        if self.only.is_none() && self.prepared.query.embedding.is_none() {
            let adjusted = DefinitionScores::new(found.iter().map(|one| (one.definition, one.score)));
            let exact = exact_match::find(graph, question, is_member, |id| {
                found.binary_search_by_key(&id, |one| one.definition).ok().map(|at| found[at].hit(graph))
            });
            keep_best(&mut found, most, FoundDefinition::best_first);
            let hits = found.iter().map(|one| one.hit(graph)).collect();
            return (adjusted, BestHits { hits, exact, ..BestHits::default() });
        }
        let mut hits: Vec<Hit> = found.iter().map(|one| one.hit(graph)).collect();
        embedding_model::add_nearest(&mut hits, self.generation, &self.prepared.query, is_member);
        let is_kept = |id: DefinitionId| self.only.as_ref().is_none_or(|ids| ids.binary_search(&id).is_ok());
        hits.retain(|hit| is_kept(hit.definition));
        hits.sort_unstable_by_key(|hit| hit.definition);
        let adjusted = DefinitionScores::new(hits.iter().map(|hit| (hit.definition, hit.score)));
        let exact = exact_match::find(
            graph,
            question,
            |id| is_kept(id) && is_member(id),
            |id| hits.binary_search_by_key(&id, |hit| hit.definition).ok().map(|at| hits[at].clone()),
        );
        keep_best(&mut hits, most, best_first);
        (adjusted, BestHits { hits, exact, ..BestHits::default() })
    }

    /// Adjusts the BM25F scores of all definitions found: for related definitions, for the name,
    /// and for tests.
    fn found(&self, scores: &Scores<'_>, best: f32) -> Result<Vec<FoundDefinition>> {
        let (graph, weights) = (&self.generation.graph, scores.weights());
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

impl TitleSearch<'_> {
    /// Measures the features of hits for the title.
    fn measured(&self, ids: &[DefinitionId], words: &[CandidateWords]) -> Vec<RawFeatures> {
        let Some(scores) = &self.search.scores else { return vec![RawFeatures::new(); ids.len()] };
        let candidate = |&id: &DefinitionId| {
            let at = self.found.binary_search_by_key(&id, |one| one.definition);
            let (score, [related, name, test]) =
                at.map_or((0.0, [0.0; 3]), |at| (self.found[at].score, self.found[at].changes));
            Candidate { id, score, related, name, test }
        };
        let candidates: Vec<Candidate> = ids.iter().map(candidate).collect();
        let before = &DefinitionScores::new(self.found.iter().map(|one| (one.definition, one.score)));
        let (graph, question) = (&self.search.generation.graph, &self.search.prepared.query.question);
        let table = WordTable::builtin();
        FeatureSource { graph, question, scores, before, table, mentioned: None }.measured(&candidates, words)
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
    let (environment, embeddings) = (environment_of(query), generation.embeddings.as_ref());
    environment.added(fragments, found, query.question.terms.len(), best, exact.as_ref(), embeddings)
}

/// Returns the environment of a query, with the weight for its unit.
fn environment_of(query: &Query) -> Environment {
    let is_sum_of_files = query.unit == Unit::File && query.environment.form == EnvironmentForm::Sum;
    let alpha = query.environment.alpha.or(is_sum_of_files.then_some(FILE_ALPHA));
    Environment { alpha, ..query.environment }
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
