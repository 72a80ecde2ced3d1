//! The steps of a search in order. Everything here reads; nothing is kept between questions but open files.

use super::bm25f::Scores;
use super::corpus::CorpusStats;
use super::embedding_model;
use super::environment::{Environment, EnvironmentForm};
use super::exact_match;
use super::feature::Features;
use super::features::{Candidate, FeatureSource, FoundScores};
use super::file_filter::FileFilter;
use super::file_order::{add_best_definitions, by_file};
use super::hit::{Adjustment, AdjustmentKind, FoundDefinition, Hit, best_first};
use super::postings::{QuestionPostings, synonyms_by_term};
use super::query::{KindFilter, Query, Ranker, Unit};
use super::question::{Question, QuestionForm};
use super::rerank::rerank;
use super::weights::{FILE_ALPHA, RERANK_DEPTH, WORD_VECTOR_COSINE, Weights};
use super::windows::{Bag, Windows};
use super::word_vectors::cosines;
use crate::error::Result;
use crate::ids::{DefinitionId, FileId, FragmentId};
use crate::lang::Registry;
use crate::relation::{FragmentUnit, Fragments, structure_of};
use crate::store::Generation;
use crate::wordvec::WordTable;
use std::cmp::Ordering;

/// An index, open for questions.
pub struct Searcher<'a> {
    generation: &'a Generation,
    registry: &'a Registry,
    weights: Weights,
}

impl<'a> Searcher<'a> {
    /// Of a generation.
    pub fn new(generation: &'a Generation, registry: &'a Registry) -> Self {
        Self { generation, registry, weights: Weights::default() }
    }

    /// Ranks with other constants.
    pub fn with_weights(self, weights: Weights) -> Self {
        Self { weights, ..self }
    }

    /// The best results, the best first; equal scores by path, then line.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong, or the index does not read.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let allowed = self.allowed(query)?;
        if query.unit == Unit::Window {
            return self.windows(query, &allowed);
        }
        if query.unit == Unit::File {
            return self.files(query, &allowed);
        }
        // What is not reranked only loses to what is.
        self.found(query, &allowed, None, query.k.max(RERANK_DEPTH), |scores, before, mut hits| {
            self.order(query, scores, before, &mut hits);
            hits.truncate(query.k);
            explain(scores, &mut hits);
            hits
        })
    }

    /// Files by all that is found in them. Where the form of the question has a learned order, the best definition of a
    /// file by that order speaks for it too; words that only lie near the question's are looked for in definitions alone.
    fn files(&self, query: &Query, allowed: &[bool]) -> Result<Vec<Hit>> {
        let is_learned = query.ranker == Ranker::Learned && QuestionForm::LEARNED.contains(&query.question.form);
        let definitions = Query { unit: Unit::Definition, kind: KindFilter::Any, ..query.clone() };
        let order = |scores: &Scores<'_>, before: &FoundScores, mut hits: Vec<Hit>| {
            self.order(&definitions, scores, before, &mut hits);
            hits
        };
        let best = match is_learned {
            true => self.found(&definitions, allowed, None, RERANK_DEPTH, order)?,
            false => Vec::new(),
        };
        self.found(query, allowed, None, usize::MAX, |scores, _, hits| {
            let mut files = by_file(hits, self.weights.further);
            add_best_definitions(&mut files, &best);
            files.truncate(query.k);
            explain(scores, &mut files);
            files
        })
    }

    /// The candidates for a question with their features, in the order of the words: what the reranker is learned from.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn candidates(&self, query: &Query) -> Result<Vec<(DefinitionId, Features)>> {
        self.found(query, &self.allowed(query)?, None, RERANK_DEPTH, |scores, before, hits| {
            let features = self.features(query, scores, before, &hits);
            hits.iter().map(|hit| hit.definition).zip(features).collect()
        })
    }

    /// Some definitions ranked as if the repository held no others: what a reader knows who has read these alone.
    /// Document frequencies, average lengths and numbers of callers are those of the whole. The best first; those that
    /// hold none of the question's words are left out.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn among(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        self.restricted(query, ids, |_, _| {})
    }

    /// As [`Self::among`], with what each word of the question adds to each score.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn among_explained(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        self.restricted(query, ids, explain)
    }

    fn restricted(
        &self,
        query: &Query,
        ids: &[DefinitionId],
        then: impl FnOnce(&Scores<'_>, &mut [Hit]),
    ) -> Result<Vec<Hit>> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        self.found(query, &self.allowed(query)?, Some(&ids), usize::MAX, |scores, before, mut hits| {
            self.order(query, scores, before, &mut hits);
            then(scores, &mut hits);
            hits
        })
    }

    /// By term of the question: its inverse document frequency in the repository, times its weight in the question.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn term_weights(&self, query: &Query) -> Result<Vec<f32>> {
        self.found(query, &self.allowed(query)?, None, 0, |scores, _, _| scores.term_weights().to_vec())
    }

    /// By file: whether the query asks about it.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong.
    pub fn allowed(&self, query: &Query) -> Result<Vec<bool>> {
        let (graph, filter) = (&self.generation.graph, FileFilter::new(query, self.registry, &self.generation.graph)?);
        let accepts = |file| filter.is_all() || filter.accepts(graph, FileId::new(file));
        Ok((0..graph.file_count()).map(accepts).collect())
    }

    /// Of all definitions that the question's words find the `most` best, the best first, and the scores of all; with `only`,
    /// of these definitions alone, which come in order.
    fn found<R>(
        &self,
        query: &Query,
        allowed: &[bool],
        only: Option<&[DefinitionId]>,
        most: usize,
        then: impl FnOnce(&Scores<'_>, &FoundScores, Vec<Hit>) -> R,
    ) -> Result<R> {
        let (graph, weights) = (&self.generation.graph, &self.weights_for(query));
        let corpus = CorpusStats::new(graph, query, allowed);
        let mut postings = QuestionPostings::read(weights, &query.question, graph);
        only.into_iter().for_each(|ids| postings.restrict_to(ids, graph));
        let scores = Scores::new(weights, &query.question, graph, &corpus, &postings);
        let mut found = self.adjusted(query, &scores, weights)?;
        if only.is_none() && query.embedding.is_none() && !exact_match::names_definitions(&query.question) {
            let before = FoundScores::of(found.iter().map(|of| (of.definition, of.score)));
            keep_best(&mut found, most, FoundDefinition::best_first);
            return Ok(then(&scores, &before, found.iter().map(|of| of.hit(graph)).collect()));
        }
        let mut hits = found.iter().map(|of| of.hit(graph)).collect();
        embedding_model::add(&mut hits, self.generation, query, |id| scores.is_member(id), weights);
        exact_match::add(&mut hits, graph, &query.question, |id| scores.is_member(id));
        if let Some(ids) = only {
            hits.retain(|hit| ids.binary_search(&hit.definition).is_ok());
        }
        let before = FoundScores::of(hits.iter().map(|hit| (hit.definition, hit.score)));
        keep_best(&mut hits, most, best_first);
        Ok(then(&scores, &before, hits))
    }

    fn weights_for(&self, query: &Query) -> Weights {
        let mut weights = self.weights.clone();
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

    /// Features of the best hits, which come in order; `before` are the scores of all that were found.
    fn features(&self, query: &Query, scores: &Scores<'_>, before: &FoundScores, hits: &[Hit]) -> Vec<Features> {
        let candidate = |hit: &Hit| Candidate {
            id: hit.definition,
            score: hit.score - hit.change_by(AdjustmentKind::Model),
            related: hit.change_by(AdjustmentKind::Related),
            name: hit.change_by(AdjustmentKind::Name),
            test: hit.change_by(AdjustmentKind::Test),
        };
        let candidates: Vec<Candidate> = hits.iter().take(RERANK_DEPTH).map(candidate).collect();
        let (graph, question, table) = (&self.generation.graph, &query.question, WordTable::builtin());
        FeatureSource { graph, question, scores, before, table }.features(&candidates)
    }

    /// Puts definitions, which come in the order of the words, in the order that the query wants.
    fn order(&self, query: &Query, scores: &Scores<'_>, before: &FoundScores, hits: &mut [Hit]) {
        let form = query.question.form;
        match (query.ranker, query.kind) {
            (Ranker::Words, _) => {}
            (Ranker::Learned, KindFilter::Function | KindFilter::Any) => {
                if QuestionForm::LEARNED.contains(&form) {
                    let features = self.features(query, scores, before, hits);
                    rerank(form, hits, &features, query.environment.is_none());
                }
                if query.kind != KindFilter::Function {
                    // Chances were learned from answers that are functions.
                    hits.iter_mut().for_each(|hit| hit.confidence = None);
                }
            }
            (Ranker::Learned, _) => self.add_cosines(query, scores, hits),
        }
    }

    /// Adds the cosine with the question to the best scores where no reranker was learned: for types alone.
    fn add_cosines(&self, query: &Query, scores: &Scores<'_>, hits: &mut [Hit]) {
        let Some(best) = hits.first().map(|hit| hit.score) else { return };
        let ids: Vec<DefinitionId> = hits.iter().take(RERANK_DEPTH).map(|hit| hit.definition).collect();
        let cosines = cosines(&self.generation.graph, &query.question, scores.term_weights(), &ids);
        for (hit, cosine) in hits.iter_mut().zip(cosines) {
            let change = WORD_VECTOR_COSINE * best * cosine.max(0.0);
            hit.semantic = Some(cosine);
            hit.score += change;
            hit.adjustments.push(Adjustment { kind: AdjustmentKind::WordVectors, change });
        }
        hits.sort_by(best_first);
    }

    /// Definitions with their BM25F score and the adjustments to it: for what is related, for the name, for tests.
    fn adjusted(&self, query: &Query, scores: &Scores<'_>, weights: &Weights) -> Result<Vec<FoundDefinition>> {
        let graph = &self.generation.graph;
        let best = scores.found.iter().map(|&id| scores.scores[id as usize]).fold(0.0, f32::max);
        let name_coverage = scores.name_coverage();
        let all = (!query.environment.needs_found_only()).then(|| graph.definition_ids());
        let members = all.into_iter().flatten().map(|id| scores.is_member(id)).collect();
        let fragments = Fragments::with_members(graph, FragmentUnit::Definition, members);
        let scored = |&id: &u32| (fragments.of_definition(DefinitionId(id)), f64::from(scores.scores[id as usize]));
        let found: Vec<(FragmentId, f64)> = scores.found.iter().map(scored).collect();
        let environment = self.environment(query, &fragments, &found)?;
        let hit = |(&id, environment): (&u32, f64)| {
            let definition = DefinitionId(id);
            let is_unwanted_test = graph.traits(definition).is_test() && !query.question.about_tests;
            let name = weights.name * name_coverage[id as usize].min(1.0) * best;
            let test = if is_unwanted_test { -weights.test * best } else { 0.0 };
            FoundDefinition::new(definition, scores.scores[id as usize], [environment as f32, name, test])
        };
        Ok(scores.found.iter().zip(environment).map(hit).collect())
    }

    /// What the environment adds to the score of each of `found`.
    fn environment(&self, query: &Query, fragments: &Fragments<'_>, found: &[(FragmentId, f64)]) -> Result<Vec<f64>> {
        let exact = query.exact && query.environment.reads_graph();
        let exact = exact.then(|| structure_of(&self.generation.graph));
        let alpha = query.environment.alpha.or((query.unit == Unit::File).then_some(FILE_ALPHA));
        let environment = match query.environment.form {
            EnvironmentForm::Sum => Environment { alpha, ..query.environment },
            EnvironmentForm::Mean => query.environment,
        };
        let embeddings = self.generation.embeddings.as_ref();
        environment.added(fragments, found, query.question.terms.len(), exact.as_ref(), embeddings)
    }

    /// Windows by BM25 of their words, with their environment.
    fn windows(&self, query: &Query, allowed: &[bool]) -> Result<Vec<Hit>> {
        let graph = &self.generation.graph;
        let mut fragments = Fragments::new(graph, FragmentUnit::Window);
        for (file, allowed) in allowed.iter().enumerate() {
            fragments.of_file(FileId::new(file)).for_each(|window| fragments.members[window] = *allowed);
        }
        let mut bag = Bag::default();
        query.question.terms.iter().for_each(|term| bag.add_stem(&term.stem, f64::from(term.weight)));
        let scored = Windows::score(&fragments, &bag);
        let scores = fragments.ids().map(|window| (window, scored.scores[window.index()]));
        let found: Vec<(FragmentId, f64)> = scores.filter(|&(_, score)| score > 0.0).collect();
        let environment = self.environment(query, &fragments, &found)?;
        let mut hits: Vec<Hit> = found
            .iter()
            .zip(environment)
            .map(|(&(window, score), environment)| {
                let (file, lines) = (fragments.file(window), fragments.lines(window));
                let independent = score as f32;
                let related = Adjustment { kind: AdjustmentKind::Related, change: environment as f32 };
                Hit {
                    window: Some(lines),
                    adjustments: if related.change == 0.0 { Vec::new() } else { vec![related] },
                    ..Hit::new(
                        Fragments::definition_at(graph, file, lines.0),
                        file,
                        independent + related.change,
                        independent,
                    )
                }
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.file, a.window).cmp(&(b.file, b.window))));
        hits.truncate(query.k);
        for hit in &mut hits {
            let window = fragments.of_file(hit.file).find(|&window| Some(fragments.lines(window)) == hit.window);
            hit.term_scores = window.map_or(Vec::new(), |window| scored.term_scores(window));
        }
        Ok(hits)
    }
}

/// By term of a question: the stems that may stand for it in what is found, those of synonyms and neighbours.
pub fn stands_for(question: &Question) -> Vec<Vec<String>> {
    let by_term = synonyms_by_term(&Weights::default(), question).into_iter();
    by_term.map(|others| others.into_iter().map(|(stem, _)| stem).collect()).collect()
}

/// Leaves the `most` best, the best first.
fn keep_best<T>(found: &mut Vec<T>, most: usize, best_first: impl Fn(&T, &T) -> Ordering) {
    if found.len() > most && most > 0 {
        found.select_nth_unstable_by(most - 1, &best_first);
    }
    found.truncate(most);
    found.sort_unstable_by(best_first);
}

/// Sets what each word of the question adds to the scores.
fn explain(scores: &Scores<'_>, hits: &mut [Hit]) {
    for hit in hits {
        hit.term_scores = scores.term_scores(hit.definition);
    }
}
