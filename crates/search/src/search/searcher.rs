//! Searches one index with the pipeline in [`super::pipeline`].
//!
//! Nothing is written, and nothing but open files is kept between questions.

use super::bm25f::term_weights;
use super::familiarity::{Familiarity, familiarity};
use super::feature::Features;
use super::file_filter::FileFilter;
use super::file_order::{add_best_definitions, by_file, by_odds};
use super::hit::{Adjustment, AdjustmentKind, Hit};
use super::index_search::{IndexSearch, PreparedQuery, environment};
use super::indexes::Indexes;
use super::order::{depth, features, title_features};
use super::pipeline::{Shards, count, search, search_words};
use super::postings::synonyms_by_term;
use super::query::{KindFilter, Query, Ranker, Unit};
use super::question::Question;
use super::subject::search_by_form;
use super::weights::{RERANK_DEPTH, Weights};
use super::windows::{Bag, Windows};
use crate::relation::{FragmentUnit, Fragments};
use std::sync::Arc;
use whichfn_index::store::Generation;
use whichfn_syntax::ids::{DefinitionId, FileId, FragmentId, MemberId};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;

/// An index that is open for questions.
pub struct Searcher<'a> {
    generation: &'a Generation,
    registry: &'a Registry,
    weights: Weights,
}

impl<'a> Searcher<'a> {
    /// Creates a searcher over a generation of the index.
    pub fn new(generation: &'a Generation, registry: &'a Registry) -> Self {
        Self { generation, registry, weights: Weights::default() }
    }

    /// Sets the ranking constants.
    pub fn with_weights(self, weights: Weights) -> Self {
        Self { weights, ..self }
    }

    /// Returns the best results, best first. Equal scores are sorted by path, then by line.
    ///
    /// A question about a subject also finds types and modules among functions.
    ///
    /// # Errors
    /// Returns an error if the query names an unknown language, a glob is invalid, or the index
    /// cannot be read.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        match query.unit {
            Unit::Window => self.search_windows(query, &self.allowed(query)?),
            Unit::File => self.search_files(query),
            Unit::Definition => self.search_definitions(query),
        }
    }

    fn search_definitions(&self, query: &Query) -> Result<Vec<Hit>> {
        let mut indexes = self.indexes(query, None)?;
        let mut found = search_by_form(&mut indexes, depth(query))?;
        found.hits.truncate(query.k);
        indexes.explain(&found.counts, &mut found.hits);
        Ok(found.hits)
    }

    /// Ranks files by all definitions found in them.
    ///
    /// If the form of the question has a learned order, the best definition of a file according to
    /// that order adds to the file's score. For an issue, that order decides, and words decide only
    /// among the other files. Words that are only similar to the question's are searched in
    /// definitions only.
    fn search_files(&self, query: &Query) -> Result<Vec<Hit>> {
        let is_learned = query.ranker == Ranker::Learned && query.question.form.has_order();
        let is_issue = query.question.issue.is_some();
        // The order of issues was learned for functions, and all its candidates count.
        let (kind, most) = match is_issue {
            true => (KindFilter::Function, depth(query)),
            false => (KindFilter::Any, RERANK_DEPTH),
        };
        let definitions = Query { unit: Unit::Definition, kind, ..query.clone() };
        let mut best = Vec::new();
        if is_learned {
            best = search(&mut self.indexes(&definitions, None)?, most)?.hits;
        }
        let mut indexes = self.indexes(query, None)?;
        let found = search_words(&mut indexes, usize::MAX)?;
        let mut files = by_file(found.hits, self.weights.further);
        match is_issue {
            true => files = by_odds(best, files),
            false => add_best_definitions(&mut files, &best),
        }
        files.truncate(query.k);
        indexes.explain(&found.counts, &mut files);
        Ok(files)
    }

    /// Returns the candidates for a question with their features, sorted by words: the training
    /// data of the reranker.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn candidates(&self, query: &Query) -> Result<Vec<(DefinitionId, Features)>> {
        let (hits, features, _) = self.measured_candidates(query)?;
        Ok(hits.iter().map(|hit| hit.definition).zip(features).collect())
    }

    /// Returns the candidates for an issue like [`Self::candidates`], each with the features for
    /// the whole text and for the title.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn issue_candidates(&self, query: &Query) -> Result<Vec<(DefinitionId, Features, Features)>> {
        let (hits, features, titles) = self.measured_candidates(query)?;
        let ids = hits.iter().map(|hit| hit.definition);
        Ok(ids.zip(features).zip(titles).map(|((id, features), title)| (id, features, title)).collect())
    }

    fn measured_candidates(&self, query: &Query) -> Result<(Vec<Hit>, Vec<Features>, Vec<Features>)> {
        let mut indexes = self.indexes(query, None)?;
        let found = search_words(&mut indexes, depth(query))?;
        let measured = indexes.measure(&found, found.hits.len())?;
        let (features, titles) = (features(&found.hits, &measured), title_features(&found.hits, &measured));
        Ok((found.hits, features, titles))
    }

    /// Ranks some definitions as if the repository contained no other definitions, like a reader
    /// who has read only these.
    ///
    /// Document frequencies, average lengths and numbers of callers are taken from the whole
    /// repository. The best is first. Definitions without any word of the question are left out.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn search_among(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        Ok(search(&mut self.indexes(query, Some(ids))?, usize::MAX)?.hits)
    }

    /// Ranks like [`Self::search_among`] and adds the contribution of each word of the question to
    /// each score.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn explain_among(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        let mut indexes = self.indexes(query, Some(ids))?;
        let mut found = search(&mut indexes, usize::MAX)?;
        indexes.explain(&found.counts, &mut found.hits);
        Ok(found.hits)
    }

    /// Sets the contribution of each word of the question to the scores of hits that the search did
    /// not find.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn explain(&self, query: &Query, hits: &mut [Hit]) -> Result<()> {
        if hits.is_empty() {
            return Ok(());
        }
        let mut indexes = self.indexes(query, None)?;
        let counts = count(&mut indexes)?;
        indexes.explain(&counts, hits);
        Ok(())
    }

    /// Returns, for each term, its inverse document frequency in the repository times its weight in
    /// the question.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn term_weights(&self, query: &Query) -> Result<Vec<f32>> {
        Ok(term_weights(&query.question, &count(&mut self.indexes(query, None)?)?))
    }

    /// Returns how usual the words of a question are in the repository and elsewhere.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::search`].
    pub fn familiarity(&self, query: &Query) -> Result<Familiarity> {
        Ok(familiarity(&query.question, &count(&mut self.indexes(query, None)?)?))
    }

    /// Starts to search this index together with others, among which it has the number `member`.
    ///
    /// # Errors
    /// Returns an error if the query names an unknown language or a glob is invalid.
    pub fn start(&self, prepared: &Arc<PreparedQuery>, member: MemberId) -> Result<IndexSearch<'a>> {
        Ok(IndexSearch::new(self.generation, member, prepared, self.allowed(&prepared.query)?))
    }

    /// Starts to search this index by itself; with `only`, just these definitions.
    fn indexes(&self, query: &Query, only: Option<&[DefinitionId]>) -> Result<Indexes<'a>> {
        let prepared = Arc::new(PreparedQuery::with_weights(query.clone(), &self.weights));
        let index = self.start(&prepared, MemberId(0))?;
        let index = match only {
            Some(ids) => index.restricted(ids),
            None => index,
        };
        Ok(Indexes::new(prepared, vec![index]))
    }

    /// Returns, for each file, whether the query covers it.
    ///
    /// # Errors
    /// Returns an error if the query names an unknown language or a glob is invalid.
    pub fn allowed(&self, query: &Query) -> Result<Vec<bool>> {
        let (graph, filter) = (&self.generation.graph, FileFilter::new(query, self.registry, &self.generation.graph)?);
        let accepts = |file| filter.is_all() || filter.accepts(graph, FileId::new(file));
        Ok((0..graph.file_count()).map(accepts).collect())
    }

    /// Returns a function that checks whether the query's globs accept a path, whether or not the
    /// file is in the index.
    ///
    /// # Errors
    /// Returns an error if a glob is invalid, or a language is unknown.
    pub fn path_filter(&self, query: &Query) -> Result<impl Fn(&str) -> bool + use<>> {
        let filter = FileFilter::new(query, self.registry, &self.generation.graph)?;
        Ok(move |path: &str| filter.accepts_path(path))
    }

    /// Returns the globs of a query that select no file of the index and none of these other paths.
    ///
    /// # Errors
    /// Returns an error if a glob is invalid, or a language is unknown.
    pub fn unmatched_globs<'q>(&self, query: &'q Query, others: &[String]) -> Result<Vec<&'q str>> {
        let graph = &self.generation.graph;
        Ok(FileFilter::new(query, self.registry, graph)?.unmatched(query, graph, others))
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

/// Returns, for each term of a question, the stems that match in its place: synonyms and neighbors.
pub fn stems_by_term(question: &Question) -> Vec<Vec<String>> {
    let by_term = synonyms_by_term(&Weights::default(), question).into_iter();
    by_term.map(|others| others.into_iter().map(|(stem, _)| stem).collect()).collect()
}
