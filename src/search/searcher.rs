//! The steps of a search in order. Everything here reads; nothing is kept between questions but open files.

use super::bm25f::{Collection, Occurrences, Scores, files_by_text_id};
use super::embedded;
use super::environment::{Environment, FILE_ALPHA, Form};
use super::features::{Candidate, Feature, Features, Known};
use super::meaning::cosines;
use super::order::{self, CANDIDATES};
use super::pointed;
use super::question::{Question, QuestionForm};
use super::rank::{Adjustment, Hit, KindFilter, Order, Query, Scope, Unit};
use super::trust::Trust;
use super::weights::Weights;
use super::windows::{Bag, Windows};
use crate::error::Result;
use crate::ids::{DefinitionId, FileId, FragmentId};
use crate::lang::Registry;
use crate::relation::{FragmentUnit, Fragments, structure_of};
use crate::store::{Generation, TextFields, text_failed};
use crate::wordvec::WordTable;
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
        let question = Question::read(&query.text);
        let allowed = self.allowed(query)?;
        if query.unit == Unit::Window {
            return self.windows(query, &question, &allowed).map(|hits| (question, hits));
        }
        let hits = self.found(query, &question, &allowed, None, |scores, mut hits| {
            hits.sort_by(best_first);
            match query.unit {
                Unit::File => hits = by_file(hits, self.weights.further),
                _ => self.order(query, &question, scores, &mut hits),
            }
            hits.truncate(query.k);
            for hit in &mut hits {
                hit.parts = scores.parts(hit.definition);
            }
            hits
        })?;
        Ok((question, hits))
    }

    /// The candidates for a question with their features, in the order of the words: what the learned order is learned
    /// from.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn candidates(&self, query: &Query) -> Result<(Question, Vec<(DefinitionId, Features)>)> {
        let question = Question::read(&query.text);
        let candidates = self.found(query, &question, &self.allowed(query)?, None, |scores, mut hits| {
            hits.sort_by(best_first);
            let features = self.features(&question, scores, &hits);
            hits.iter().map(|hit| hit.definition).zip(features).collect()
        })?;
        Ok((question, candidates))
    }

    /// Some definitions as if the repository held no others: what a reader knows who has read these alone. Only how rare
    /// words are, how long fields are on average and how many callers each has is known of the whole. The best first;
    /// those that hold none of the question's words are left out.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn among(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        self.restricted(query, ids, |_, _| {})
    }

    /// As [`Self::among`], with what the question's words found in each.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn among_with_parts(&self, query: &Query, ids: &[DefinitionId]) -> Result<Vec<Hit>> {
        self.restricted(query, ids, |scores, hits| {
            hits.iter_mut().for_each(|hit| hit.parts = scores.parts(hit.definition));
        })
    }

    fn restricted(
        &self,
        query: &Query,
        ids: &[DefinitionId],
        dress: impl FnOnce(&Scores<'_>, &mut [Hit]),
    ) -> Result<Vec<Hit>> {
        let question = Question::read(&query.text);
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        self.found(query, &question, &self.allowed(query)?, Some(&ids), |scores, mut hits| {
            hits.sort_by(best_first);
            self.order(query, &question, scores, &mut hits);
            dress(scores, &mut hits);
            hits
        })
    }

    /// What each term of a question counts: how rare it is in the repository, times its weight in the question.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn rarity(&self, query: &Query) -> Result<(Question, Vec<f32>)> {
        let question = Question::read(&query.text);
        let weights = |scores: &Scores<'_>, _| scores.term_weights().to_vec();
        let weights = self.found(query, &question, &self.allowed(query)?, None, weights)?;
        Ok((question, weights))
    }

    /// By file: whether the query asks about it.
    ///
    /// # Errors
    /// When the query names an unknown language or a glob is wrong.
    pub fn allowed(&self, query: &Query) -> Result<Vec<bool>> {
        let (graph, scope) = (&self.generation.graph, Scope::new(query, self.registry)?);
        let accepts = |file| scope.is_all() || scope.accepts(graph, FileId::new(file));
        Ok((0..graph.files().len()).map(accepts).collect())
    }

    /// All definitions that the question's words find, with scores, in no order; of `only` these, in order, if given.
    fn found<R>(
        &self,
        query: &Query,
        question: &Question,
        allowed: &[bool],
        only: Option<&[DefinitionId]>,
        then: impl FnOnce(&Scores<'_>, Vec<Hit>) -> R,
    ) -> Result<R> {
        let graph = &self.generation.graph;
        let mut weights = self.weights.clone();
        if query.environment.is_none() {
            weights = weights.own_words_only();
        }
        if question.form == QuestionForm::Message {
            weights = weights.for_messages();
        }
        let weights = &weights;
        let collection = Collection::new(graph, |id| {
            let row = graph.definition(id);
            allowed[row.file.index()] && (query.kind.accepts(row.kind()) || query.unit == Unit::File)
        });
        let mut occurrences = Occurrences::read(weights, question, &self.text, &self.fields, graph, &self.files)?;
        only.into_iter().for_each(|ids| occurrences.keep(ids, graph));
        let scores = Scores::new(weights, question, graph, &collection, &occurrences);
        let mut hits = self.adjusted(query, question, &scores, weights)?;
        embedded::add(&mut hits, self.generation, query, question, scores.members(), weights);
        pointed::add(&mut hits, graph, question, scores.members());
        if let Some(ids) = only {
            hits.retain(|hit| ids.binary_search(&hit.definition).is_ok());
        }
        Ok(then(&scores, hits))
    }

    /// Features of the best hits, which come in order.
    fn features(&self, question: &Question, scores: &Scores<'_>, hits: &[Hit]) -> Vec<Features> {
        let before: FxHashMap<u32, f32> = hits.iter().map(|hit| (hit.definition.0, hit.score)).collect();
        let part = |hit: &Hit, name: &str| hit.adjustments.iter().find(|a| a.name == name).map_or(0.0, |a| a.change);
        let candidates: Vec<Candidate> = hits
            .iter()
            .take(CANDIDATES)
            .map(|hit| Candidate {
                id: hit.definition,
                score: hit.score - part(hit, embedded::NAME),
                related: part(hit, "related"),
                name: part(hit, "name"),
                test: part(hit, "test"),
            })
            .collect();
        let (graph, table) = (&self.generation.graph, WordTable::builtin());
        Known { graph, question, scores, before: &before, table }.features(&candidates)
    }

    /// Orders definitions, which come in the order of the words, as the query wants it.
    fn order(&self, query: &Query, question: &Question, scores: &Scores<'_>, hits: &mut [Hit]) {
        match (query.order, query.kind) {
            (Order::Words, _) => {}
            (Order::Learned, KindFilter::Function) => {
                if QuestionForm::LEARNED.contains(&question.form) {
                    self.reorder(question, scores, hits, query.environment.is_none());
                }
            }
            (Order::Learned, _) => self.lift(question, scores, hits),
        }
    }

    /// Lifts the best by how near they lie to the question where no order was learned: for types, alone or with functions.
    fn lift(&self, question: &Question, scores: &Scores<'_>, hits: &mut [Hit]) {
        let Some(best) = hits.first().map(|hit| hit.score) else { return };
        let ids: Vec<DefinitionId> = hits.iter().take(CANDIDATES).map(|hit| hit.definition).collect();
        let cosines = cosines(&self.generation.graph, question, scores.term_weights(), &ids);
        for (hit, cosine) in hits.iter_mut().zip(cosines) {
            let change = order::LIFT * best * cosine.max(0.0);
            hit.semantic = Some(cosine);
            hit.score += change;
            hit.adjustments.push(Adjustment { name: "meaning", change, environment: false });
        }
        hits.sort_by(best_first);
    }

    /// Brings the best into the learned order. Scores are then sums of the shares of features, moved so that the last of
    /// them has 1; what comes after keeps its order, with shares of the best score, which are below. `alone`: nothing that a
    /// definition is connected to counts.
    fn reorder(&self, question: &Question, scores: &Scores<'_>, hits: &mut [Hit], alone: bool) {
        let Some(best) = hits.first().map(|hit| hit.score) else { return };
        let (mut weights, features) = (order::weights(question.form), self.features(question, scores, hits));
        if alone {
            Feature::ALL.iter().filter(|of| of.is_environment()).for_each(|of| weights[*of as usize] = 0.0);
        }
        let (head, tail) = hits.split_at_mut(features.len());
        for (hit, features) in head.iter_mut().zip(&features) {
            let model = hit.adjustments.iter().find(|a| a.name == embedded::NAME).map(|a| a.change / best);
            let shares = order::shares(&weights, features).map(|(feature, change)| Adjustment {
                name: feature.name(),
                change,
                environment: feature.is_environment(),
            });
            let model = model.map(|share| Adjustment {
                name: embedded::NAME,
                change: order::MODEL * share,
                environment: false,
            });
            hit.adjustments = shares.chain(model).filter(|share| share.change != 0.0).collect();
            hit.score = hit.adjustments.iter().map(|share| share.change).sum();
            hit.semantic = Some(features[Feature::Cosine as usize]);
            hit.order = Order::Learned;
        }
        let floor = 1.0 - head.iter().map(|hit| hit.score).fold(f32::MAX, f32::min);
        for hit in &mut *head {
            hit.score += floor;
            hit.adjustments.push(Adjustment { name: "floor", change: floor, environment: false });
        }
        let share = 1.0 / best.max(f32::MIN_POSITIVE);
        for hit in tail {
            hit.score = (hit.score * share).min(1.0);
            hit.independent *= share;
            hit.adjustments.iter_mut().for_each(|a| a.change *= share);
        }
        let scores: Vec<f32> = head.iter().map(|hit| hit.score).collect();
        if let Some(first) = (0..head.len()).min_by(|&a, &b| best_first(&head[a], &head[b])) {
            head[first].trust = Some(Trust::of(question.form, &scores, &features[first]));
        }
        head.sort_by(best_first);
    }

    /// Scores of definitions with their environment; `name` and `test` change what is found by itself.
    fn adjusted(&self, query: &Query, question: &Question, scores: &Scores<'_>, weights: &Weights) -> Result<Vec<Hit>> {
        let graph = &self.generation.graph;
        let best = scores.found.iter().map(|&id| scores.scores[id as usize]).fold(0.0, f32::max);
        let named = scores.names_asked_for();
        let members = scores.members().to_vec();
        let fragments = Fragments::with_members(graph, FragmentUnit::Definition, members.into());
        let found: Vec<FragmentId> = scores.found.iter().map(|&id| fragments.of_definition(DefinitionId(id))).collect();
        let independent: Vec<f64> = scores.scores.iter().map(|&score| f64::from(score)).collect();
        let environment = self.environment(query, question, &fragments, &independent, &found)?;
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
            Hit { adjustments, ..Hit::new(definition, row.file, score, independent) }
        };
        Ok(scores.found.iter().zip(environment).map(hit).collect())
    }

    fn environment(
        &self,
        query: &Query,
        question: &Question,
        fragments: &Fragments<'_>,
        scores: &[f64],
        found: &[FragmentId],
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
            fragments.of_file(FileId::new(file)).for_each(|window| fragments.members[window] = *allowed);
        }
        let mut bag = Bag::default();
        question.terms.iter().for_each(|term| bag.add_stem(&term.stem, f64::from(term.weight)));
        let scored = Windows::score(&fragments, &bag);
        let found: Vec<FragmentId> = fragments.ids().filter(|&window| scored.scores[window.index()] > 0.0).collect();
        let environment = self.environment(query, question, &fragments, &scored.scores, &found)?;
        let mut hits: Vec<Hit> = found
            .iter()
            .zip(environment)
            .map(|(&window, environment)| {
                let (file, lines) = (fragments.file(window), fragments.lines(window));
                let independent = scored.scores[window.index()] as f32;
                let related = Adjustment { name: "related", change: environment as f32, environment: true };
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
            hit.parts = window.map_or(Vec::new(), |window| scored.parts(window));
        }
        Ok(hits)
    }
}

fn best_first(a: &Hit, b: &Hit) -> Ordering {
    // Definitions are numbered by path, then place, so their order settles ties.
    b.score.total_cmp(&a.score).then(a.definition.cmp(&b.definition))
}

/// Definitions, the best first, to files, the best first. A file scores as its best definition, and a little for each
/// further one: several hits in one file speak for it.
fn by_file(hits: Vec<Hit>, further: f32) -> Vec<Hit> {
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
    out.sort_by(best_first);
    out
}
