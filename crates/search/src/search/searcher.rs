//! Searches one index: runs the steps of [`super::index_search`] and [`super::order`] in sequence.
//!
//! Nothing is written, and nothing but open files is kept between questions.

use super::feature::Features;
use super::file_filter::FileFilter;
use super::file_order::{add_best_definitions, by_file};
use super::hit::{Adjustment, AdjustmentKind, Hit};
use super::index_search::{CountedIndex, PreparedQuery, ScoredIndex, environment};
use super::order::{MeasuredCandidate, best_of, depth, features, measured_depth, order};
use super::postings::synonyms_by_term;
use super::query::{KindFilter, Query, Ranker, Unit};
use super::question::{Question, QuestionForm};
use super::weights::{RERANK_DEPTH, Weights};
use super::windows::{Bag, Windows};
use crate::relation::{FragmentUnit, Fragments};
use std::sync::Arc;
use whichfn_index::store::Generation;
use whichfn_syntax::ids::{DefinitionId, FileId, FragmentId};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;

/// An index that is open for questions.
pub struct Searcher<'a> {
    generation: &'a Generation,
    registry: &'a Registry,
    weights: Weights,
}

/// Results of the word search, the best first, with the scored index to explain them.
struct WordResults<'a> {
    index: ScoredIndex<'a>,
    hits: Vec<Hit>,
}

impl<'a> Searcher<'a> {
    /// Creates a searcher over a generation of the index.
    pub fn new(generation: &'a Generation, registry: &'a Registry) -> Self {
        Self { generation, registry, weights: Weights::default() }
    }

    /// Sets the constants of the ranking.
    pub fn with_weights(self, weights: Weights) -> Self {
        Self { weights, ..self }
    }

    /// Returns the best results, the best first; equal scores by path, then line.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong, or the index cannot be read.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        match query.unit {
            Unit::Window => return self.search_windows(query, &self.allowed(query)?),
            Unit::File => return self.search_files(query),
            Unit::Definition => {}
        }
        let WordResults { index, mut hits } = self.search_words(query, None, depth(query))?;
        let measured = measure_candidates(&index, query, &hits);
        order(query, &mut hits, &measured);
        hits.truncate(query.k);
        index.explain(&mut hits);
        Ok(hits)
    }

    /// Ranks files by all definitions found in them.
    ///
    /// If the form of the question has a learned order, the best definition of a file by that order
    /// adds to its score. Words that are only similar to the question's are searched in definitions
    /// only.
    fn search_files(&self, query: &Query) -> Result<Vec<Hit>> {
        let is_learned = query.ranker == Ranker::Learned && QuestionForm::LEARNED.contains(&query.question.form);
        let definitions = Query { unit: Unit::Definition, kind: KindFilter::Any, ..query.clone() };
        let mut best = Vec::new();
        if is_learned {
            let found = self.search_words(&definitions, None, RERANK_DEPTH)?;
            best = found.hits;
            let measured = measure_candidates(&found.index, &definitions, &best);
            order(&definitions, &mut best, &measured);
        }
        let WordResults { index, hits } = self.search_words(query, None, usize::MAX)?;
        let mut files = by_file(hits, self.weights.further);
        add_best_definitions(&mut files, &best);
        files.truncate(query.k);
        index.explain(&mut files);
        Ok(files)
    }

    /// Returns the candidates for a question with their features, sorted by words: the training
    /// data of the reranker.
    ///
    /// # Errors
    /// Same as [`Self::search`].
    pub fn candidates(&self, query: &Query) -> Result<Vec<(DefinitionId, Features)>> {
        let WordResults { index, hits } = self.search_words(query, None, RERANK_DEPTH)?;
        let features = features(&hits, &index.measured(&hits));
        Ok(hits.iter().map(|hit| hit.definition).zip(features).collect())
    }

    /// Ranks some definitions as if the repository contained no others: the knowledge of a reader
    /// who has read only these.
    ///
    /// Document frequencies, average lengths and numbers of callers are those of the whole
    /// repository. The best is first. Definitions without any word of the question are left out.
    ///
    /// # Errors
    /// Same as [`Self::search`].
    pub fn search_among(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        Ok(self.score_only(query, ids)?.hits)
    }

    /// Ranks like [`Self::search_among`] and adds the contribution of each word of the question to
    /// each score.
    ///
    /// # Errors
    /// Same as [`Self::search`].
    pub fn explain_among(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        let WordResults { index, mut hits } = self.score_only(query, ids)?;
        index.explain(&mut hits);
        Ok(hits)
    }

    fn score_only(&self, query: &Query, ids: &[DefinitionId]) -> Result<WordResults<'a>> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        let WordResults { index, mut hits } = self.search_words(query, Some(&ids), usize::MAX)?;
        let measured = measure_candidates(&index, query, &hits);
        order(query, &mut hits, &measured);
        Ok(WordResults { index, hits })
    }

    /// Returns the inverse document frequency in the repository times the weight in the question,
    /// by term.
    ///
    /// # Errors
    /// Same as [`Self::search`].
    pub fn term_weights(&self, query: &Query) -> Result<Vec<f32>> {
        Ok(self.score_index(query, None)?.scores.term_weights().to_vec())
    }

    /// Counts the words of a query in the index, the first step of a search.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong.
    pub fn count_terms(&self, prepared: &Arc<PreparedQuery>) -> Result<CountedIndex<'a>> {
        Ok(CountedIndex::new(self.generation, prepared, self.allowed(&prepared.query)?))
    }

    /// Scores the definitions by the counts of this index; with `only`, just these definitions,
    /// which must be sorted.
    fn score_index(&self, query: &Query, only: Option<&[DefinitionId]>) -> Result<ScoredIndex<'a>> {
        let counted = self.count_terms(&Arc::new(PreparedQuery::with_weights(query.clone(), &self.weights)))?;
        let index = match only {
            Some(ids) => counted.restricted(ids),
            None => counted,
        };
        let mut counts = index.counts();
        let unknown = counts.unknown_terms();
        counts.add_synonyms(&unknown, &index.synonym_counts(&unknown));
        Ok(index.score(&counts))
    }

    /// Returns the `most` best definitions that the question's words find, the best first, among
    /// all or among `only`.
    fn search_words(&self, query: &Query, only: Option<&[DefinitionId]>, most: usize) -> Result<WordResults<'a>> {
        let mut index = self.score_index(query, only)?;
        let chosen = index.choose(index.best(), most)?;
        Ok(WordResults { index, hits: best_of(chosen, most) })
    }

    /// Returns, by file, whether the query covers it.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong.
    pub fn allowed(&self, query: &Query) -> Result<Vec<bool>> {
        let (graph, filter) = (&self.generation.graph, FileFilter::new(query, self.registry, &self.generation.graph)?);
        let accepts = |file| filter.is_all() || filter.accepts(graph, FileId::new(file));
        Ok((0..graph.file_count()).map(accepts).collect())
    }

    /// Ranks windows by BM25 of their words and their environment.
    fn search_windows(&self, query: &Query, allowed: &[bool]) -> Result<Vec<Hit>> {
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
        let environment = environment(self.generation, query, &fragments, &found, None)?;
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

/// Measures the first hits, as far as the order of the query needs it.
fn measure_candidates(index: &ScoredIndex<'_>, query: &Query, hits: &[Hit]) -> Vec<MeasuredCandidate> {
    index.measured(&hits[..measured_depth(query, hits.len())])
}

/// Returns, by term of a question, the stems that match in its place: synonyms and neighbours.
pub fn stems_by_term(question: &Question) -> Vec<Vec<String>> {
    let by_term = synonyms_by_term(&Weights::default(), question).into_iter();
    by_term.map(|others| others.into_iter().map(|(stem, _)| stem).collect()).collect()
}
