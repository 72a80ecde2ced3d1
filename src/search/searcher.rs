//! The steps of a search in order. Everything here reads; nothing is kept between questions but open files.

use super::bm25f::{Collection, Occurrences, Scores, files_by_text_id};
use super::embedded;
use super::environment::{Environment, FILE_ALPHA, Form};
use super::question::Question;
use super::rank::{Adjustment, Hit, Query, Scope, Unit};
use super::weights::Weights;
use super::windows::{Bag, Windows};
use crate::error::Result;
use crate::ids::{DefinitionId, FileId};
use crate::lang::Registry;
use crate::relation::{FragmentUnit, Fragments, structure_of};
use crate::store::{Generation, TextFields, text_failed};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use tantivy::ReloadPolicy;

/// An index, open for questions.
pub struct Searcher<'a> {
    generation: &'a Generation,
    registry: &'a Registry,
    text: tantivy::Searcher,
    fields: TextFields,
    files: Vec<u32>,
    weights: Weights,
}

impl<'a> Searcher<'a> {
    /// Opens the text index of a generation.
    ///
    /// # Errors
    /// When a file of it is damaged.
    pub fn new(generation: &'a Generation, registry: &'a Registry) -> Result<Self> {
        let (index, fields) = generation.text()?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        let reader: tantivy::IndexReader = reader.map_err(|cause| text_failed("open", &cause))?;
        let files = files_by_text_id(&generation.graph);
        Ok(Self { generation, registry, text: reader.searcher(), fields, files, weights: Weights::default() })
    }

    /// Ranks with other constants.
    pub fn with_weights(self, weights: Weights) -> Self {
        Self { weights, ..self }
    }

    /// The best results, the best first; equal scores by path, then line.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong, or the index does not read.
    pub fn search(&self, query: &Query) -> Result<(Question, Vec<Hit>)> {
        let graph = &self.generation.graph;
        let question = Question::read(&query.text);
        let scope = Scope::new(query, self.registry)?;
        let allowed: Vec<bool> = match scope.is_all() {
            true => vec![true; graph.files().len()],
            false => (0..graph.files().len()).map(|file| scope.accepts(graph, FileId::new(file))).collect(),
        };
        if query.unit == Unit::Window {
            return self.windows(query, &question, &allowed).map(|hits| (question, hits));
        }
        let own = query.environment.is_none().then(|| self.weights.clone().own_words_only());
        let weights = own.as_ref().unwrap_or(&self.weights);
        let collection = Collection::new(graph, |id| {
            let row = graph.definition(id);
            allowed[row.file.index()] && (query.kind.accepts(row.kind()) || query.unit == Unit::File)
        });
        let occurrences = Occurrences::read(weights, &question, &self.text, &self.fields, graph, &self.files)?;
        let scores = Scores::new(weights, &question, graph, &collection, &occurrences);
        let mut hits = self.adjusted(query, &question, &scores, weights)?;
        embedded::add(&mut hits, self.generation, query, &question, scores.members(), weights);
        if query.unit == Unit::File {
            hits = by_file(hits, weights.further);
        }
        hits.sort_by(best_first);
        hits.truncate(query.k);
        for hit in &mut hits {
            hit.parts = scores.parts(hit.definition);
        }
        Ok((question, hits))
    }

    /// Scores of definitions with their environment; `name` and `test` change what is found by itself.
    fn adjusted(&self, query: &Query, question: &Question, scores: &Scores<'_>, weights: &Weights) -> Result<Vec<Hit>> {
        let graph = &self.generation.graph;
        let best = scores.found.iter().map(|&id| scores.scores[id as usize]).fold(0.0, f32::max);
        let named = scores.names_asked_for();
        let members = scores.members().to_vec();
        let fragments = Fragments::with_members(graph, FragmentUnit::Definition, members);
        let independent: Vec<f64> = scores.scores.iter().map(|&score| f64::from(score)).collect();
        let environment = self.environment(query, question, &fragments, &independent, &scores.found)?;
        let hit = |(&id, environment): (&u32, f64)| {
            let definition = DefinitionId(id);
            let row = graph.definition(definition);
            let independent = scores.scores[id as usize];
            let is_unwanted_test = row.is_test() && !question.about_tests;
            let adjustments = [
                ("related", true, environment as f32),
                ("name", false, weights.name * named[id as usize].min(1.0) * best),
                ("test", false, if is_unwanted_test { -weights.test * best } else { 0.0 }),
            ];
            let adjustments: Vec<Adjustment> = adjustments
                .into_iter()
                .filter(|&(_, _, change)| change != 0.0)
                .map(|(name, environment, change)| Adjustment { name, change, environment })
                .collect();
            let score = independent + adjustments.iter().map(|a| a.change).sum::<f32>();
            Hit { definition, file: row.file, window: None, score, independent, adjustments, parts: Vec::new() }
        };
        Ok(scores.found.iter().zip(environment).map(hit).collect())
    }

    fn environment(
        &self,
        query: &Query,
        question: &Question,
        fragments: &Fragments<'_>,
        scores: &[f64],
        found: &[u32],
    ) -> Result<Vec<f64>> {
        let exact = query.exact && query.environment.reads_graph();
        let exact = exact.then(|| structure_of(&self.generation.graph));
        let alpha = query.environment.alpha.or((query.unit == Unit::File).then_some(FILE_ALPHA));
        let environment = match query.environment.form {
            Form::Sum => Environment { alpha, ..query.environment },
            Form::Mean => query.environment,
        };
        let embeddings = self.generation.embeddings.as_ref();
        environment.added(fragments, scores, found, question.terms.len(), exact.as_ref(), embeddings)
    }

    /// Windows by BM25 of their words, with their environment.
    fn windows(&self, query: &Query, question: &Question, allowed: &[bool]) -> Result<Vec<Hit>> {
        let graph = &self.generation.graph;
        let mut fragments = Fragments::new(graph, FragmentUnit::Window);
        for (file, allowed) in allowed.iter().enumerate() {
            fragments.of_file(FileId::new(file)).for_each(|window| fragments.members[window as usize] = *allowed);
        }
        let mut bag = Bag::default();
        question.terms.iter().for_each(|term| bag.add_stem(&term.stem, f64::from(term.weight)));
        let scored = Windows::score(&fragments, &bag);
        let found: Vec<u32> = (0..fragments.count() as u32).filter(|&at| scored.scores[at as usize] > 0.0).collect();
        let environment = self.environment(query, question, &fragments, &scored.scores, &found)?;
        let mut hits: Vec<Hit> = found
            .iter()
            .zip(environment)
            .map(|(&window, environment)| {
                let (file, lines) = (fragments.file(window), fragments.lines(window));
                let independent = scored.scores[window as usize] as f32;
                let related = Adjustment { name: "related", change: environment as f32, environment: true };
                Hit {
                    definition: Fragments::definition_at(graph, file, lines.0),
                    file,
                    window: Some(lines),
                    score: independent + related.change,
                    independent,
                    adjustments: if related.change == 0.0 { Vec::new() } else { vec![related] },
                    parts: Vec::new(),
                }
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.file, a.window).cmp(&(b.file, b.window))));
        hits.truncate(query.k);
        for hit in &mut hits {
            let window = fragments.of_file(hit.file).find(|&window| Some(fragments.lines(window)) == hit.window);
            hit.parts = window.map_or(Vec::new(), |window| scored.parts(window));
        }
        Ok(hits)
    }
}

fn best_first(a: &Hit, b: &Hit) -> Ordering {
    // Definitions are numbered by path, then place, so their order settles ties.
    b.score.total_cmp(&a.score).then(a.definition.cmp(&b.definition))
}

/// A file scores as its best definition, and a little for each further one: several hits in one file speak for it.
fn by_file(mut hits: Vec<Hit>, further: f32) -> Vec<Hit> {
    hits.sort_by(best_first);
    let mut files: FxHashMap<FileId, usize> = FxHashMap::default();
    let mut out: Vec<Hit> = Vec::new();
    let mut counts: Vec<i32> = Vec::new();
    for hit in hits {
        match files.get(&hit.file) {
            Some(&at) => {
                counts[at] += 1;
                out[at].score += hit.score * further.powi(counts[at]);
            }
            None => {
                files.insert(hit.file, out.len());
                out.push(hit);
                counts.push(0);
            }
        }
    }
    out
}
