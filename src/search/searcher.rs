//! The steps of a search in order. Everything here reads; nothing is kept between questions but open files.

use super::bm25f::{Collection, Occurrences, Scores, files_by_text_id};
use super::question::Question;
use super::rank::{Adjustment, Hit, Query, Scope, Unit};
use super::weights::Weights;
use crate::error::Result;
use crate::ids::{DefinitionId, FileId};
use crate::lang::Registry;
use crate::store::{Generation, GraphFile, TextFields, text_failed};
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
        let collection = Collection::new(graph, |id| {
            let row = graph.definition(id);
            allowed[row.file.index()] && (query.kind.accepts(row.kind()) || query.unit == Unit::File)
        });
        let occurrences = Occurrences::read(&self.weights, &question, &self.text, &self.fields, graph, &self.files)?;
        let scores = Scores::new(&self.weights, &question, graph, &collection, &occurrences);
        let mut hits = self.adjusted(&question, &scores);
        if query.unit == Unit::File {
            hits = by_file(hits, self.weights.further);
        }
        hits.sort_by(best_first);
        hits.truncate(query.k);
        for hit in &mut hits {
            hit.parts = scores.parts(hit.definition);
        }
        Ok((question, hits))
    }

    fn adjusted(&self, question: &Question, scores: &Scores<'_>) -> Vec<Hit> {
        let (graph, weights) = (&self.generation.graph, &self.weights);
        let best = scores.found.iter().map(|&id| scores.scores[id as usize]).fold(0.0, f32::max);
        let named = scores.names_asked_for();
        let siblings = Siblings::new(graph, scores);
        let hit = |&id: &u32| {
            let definition = DefinitionId(id);
            let row = graph.definition(definition);
            let independent = scores.scores[id as usize];
            let others = graph.callers(definition).iter().filter(|&&caller| caller != definition);
            let callers = others.map(|caller| scores.scores[caller.index()]).fold(0.0, f32::max);
            let is_unwanted_test = row.is_test() && !question.about_tests;
            let adjustments = [
                ("callers", true, weights.callers * callers),
                ("siblings", true, weights.siblings * siblings.best_other(row.parent, independent)),
                ("name", false, weights.name * named[id as usize].min(1.0) * best),
                ("test", false, if is_unwanted_test { -weights.test * best } else { 0.0 }),
            ];
            let adjustments: Vec<Adjustment> = adjustments
                .into_iter()
                .filter(|&(_, _, change)| change != 0.0)
                .map(|(name, environment, change)| Adjustment { name, change, environment })
                .collect();
            let score = independent + adjustments.iter().map(|a| a.change).sum::<f32>();
            Hit { definition, file: row.file, score, independent, adjustments, parts: Vec::new() }
        };
        scores.found.iter().map(hit).collect()
    }
}

/// The two best scores among the definitions right inside each definition: the best of the others is one of them.
struct Siblings(FxHashMap<DefinitionId, [f32; 2]>);

impl Siblings {
    fn new(graph: &GraphFile, scores: &Scores<'_>) -> Self {
        let mut inside: FxHashMap<DefinitionId, [f32; 2]> = FxHashMap::default();
        for &id in &scores.found {
            let best = inside.entry(graph.definition(DefinitionId(id)).parent).or_default();
            let score = scores.scores[id as usize];
            if score > best[0] {
                *best = [score, best[0]];
            } else if score > best[1] {
                best[1] = score;
            }
        }
        Self(inside)
    }

    /// The best score of the other definitions inside `parent`.
    fn best_other(&self, parent: DefinitionId, own: f32) -> f32 {
        self.0.get(&parent).map_or(0.0, |&[first, second]| if own >= first { second } else { first })
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
