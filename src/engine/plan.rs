//! How a question is answered: by one search, by reading on from what the search found, or by a walk.

use super::Engine;
use crate::answer::Answer;
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::llm::{Model, Templates};
use crate::memwalk::{self, Guide, Limits, Outcome, Shape, Tree, Walk, Walked, walk, walk_by_model, write_summaries};
use crate::reading::{Lookup, LookupOptions, Ranked, Strategy, Trace, chance_of_first};
use crate::search::{Adjustment, CANDIDATES, Hit, KindFilter, Order, Query, Question, Searcher, Trust, Unit};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// How a question is answered.
#[derive(Clone, Copy, Default)]
pub struct Plan<'p> {
    /// Lines of each result to show; 0 for none.
    pub snippet_lines: usize,
    /// Near-duplicates are folded: `k` results, each with those that repeat it. Files and windows are not folded.
    pub folds: bool,
    /// What is done after the search.
    pub way: Way<'p>,
    /// Told while a language model reads: how many functions it was shown, of how many at most.
    pub told: Option<&'p dyn Fn(usize, usize)>,
}

/// What is done after the search.
#[derive(Clone, Copy, Default)]
pub enum Way<'p> {
    /// Nothing: its order is the answer.
    #[default]
    Direct,
    /// Functions are read, and the answer comes from the memory that was kept. What is not ranked as functions alone (files,
    /// windows, types) is answered by the search.
    Read {
        /// How to read.
        options: LookupOptions,
        /// Who reads; this program without a model.
        model: Option<&'p dyn Model>,
        /// The prompts.
        templates: &'p Templates,
    },
    /// A tree of summaries is walked from the root; what is not ranked as functions alone is answered by the search.
    Walk {
        /// Who walks; this program without a model.
        model: Option<&'p dyn Model>,
        /// The prompts.
        templates: &'p Templates,
        /// The model writes the summaries too, and they are kept.
        writes: bool,
    },
}

/// How it was read.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum HowRead {
    /// Chunk by chunk, keeping a memory.
    Reading(Trace),
    /// From summary to summary.
    Walk(WalkTrace),
}

/// A walk.
#[derive(Debug, Clone, Serialize)]
pub struct WalkTrace {
    /// Who walked.
    pub reader: String,
    /// Why there is no answer, if there is none.
    pub no_answer: Option<&'static str>,
    /// The share of the text of files with functions that was shown, summaries counted too: from 0.
    pub share: f64,
    /// The steps, and what they cost.
    #[serde(flatten)]
    pub way: navigate::Trace,
}

/// An answer, and how it was read.
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// How reading went, if anything was read.
    pub trace: Option<HowRead>,
}

impl Way<'_> {
    /// The word that people and JSON read.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Walk { .. } => "walk",
            Self::Read { options, .. } => match options.keeping.strategy {
                Strategy::Prism => "prism",
                Strategy::Cok => "cok",
                Strategy::Overwrite => "overwrite",
            },
        }
    }
}

impl Plan<'_> {
    /// What the question finds, in order, `depth` of it.
    pub(super) fn hits(
        &self,
        engine: &Engine,
        searcher: &Searcher<'_>,
        query: &Query,
        depth: usize,
    ) -> Result<(Question, Vec<Hit>, Option<HowRead>)> {
        let reads = query.unit == Unit::Definition && query.kind == KindFilter::Function;
        let direct = |k: usize| searcher.search(&Query { k, ..query.clone() });
        let (options, model, templates) = match self.way {
            Way::Walk { model, templates, writes } if reads => {
                let (found, trace) = walked(engine, searcher, query, model, templates, writes)?;
                // The words that each was found by come from a search that knows of these alone.
                let ids: Vec<DefinitionId> = found.iter().map(|(id, _)| *id).take(depth).collect();
                let hits = searcher.among_with_parts(query, &ids)?;
                return Ok((
                    Question::read(&query.text),
                    in_order(engine, hits, &found[..ids.len()]),
                    Some(HowRead::Walk(trace)),
                ));
            }
            Way::Read { options, model, templates } if reads => (options, model, templates),
            _ => return direct(depth).map(|(question, hits)| (question, hits, None)),
        };
        let (question, hits) = direct(depth.max(CANDIDATES))?;
        let lookup = Lookup {
            root: &engine.root,
            graph: &engine.generation.graph,
            registry: &engine.registry,
            templates,
            text: &query.text,
            question: &question,
            hits: &hits,
            allowed: &searcher.allowed(query)?,
            options,
            told: self.told.unwrap_or(&|_, _| {}),
        };
        let found = match model {
            Some(model) => lookup.with_model(model)?,
            None => lookup.offline()?,
        };
        let mut ranked = rescored(engine, hits, &found.ranked);
        ranked.truncate(depth);
        Ok((question, ranked, Some(HowRead::Reading(found.trace))))
    }
}

/// Functions that a walk found, the best first, with their scores.
fn walked(
    engine: &Engine,
    searcher: &Searcher<'_>,
    query: &Query,
    model: Option<&dyn Model>,
    templates: &Templates,
    writes: bool,
) -> Result<(Vec<(DefinitionId, f32)>, WalkTrace)> {
    let (graph, shape) = (&engine.generation.graph, Shape::default());
    let tree = Tree::new(graph, &shape);
    let Some(model) = model else {
        let Walked { found, trace } = walk(graph, searcher, &tree, query, &Walk::default())?;
        let trace = WalkTrace { reader: "offline".to_owned(), no_answer: None, share: trace.share(), way: trace };
        return Ok((found, trace));
    };
    let guide = Guide { root: &engine.root, graph, model, templates };
    let tree = if writes { write_summaries(&guide, &engine.layout, tree, &shape)?.tree } else { tree };
    let guided = walk_by_model(&guide, &tree, query.text.trim(), &Limits::default())?;
    let (found, no_answer) = match guided.outcome {
        Outcome::Answer { function, .. } => (vec![(function, 1.0)], None),
        Outcome::NoAnswer { reason } => (Vec::new(), Some(reason.text())),
    };
    let (reader, share) = (model.name().to_owned(), guided.trace.share());
    Ok((found, WalkTrace { reader, no_answer, share, way: guided.trace }))
}

/// The hits in the order of a walk; those that the words of the question do not find have none to show.
fn in_order(engine: &Engine, hits: Vec<Hit>, found: &[(DefinitionId, f32)]) -> Vec<Hit> {
    let graph = &engine.generation.graph;
    let mut by_id: FxHashMap<DefinitionId, Hit> = hits.into_iter().map(|hit| (hit.definition, hit)).collect();
    let hit = |&(id, score): &(DefinitionId, f32)| match by_id.remove(&id) {
        Some(hit) => Hit { score, ..hit },
        None => Hit::new(id, graph.definition(id).file, score, score),
    };
    found.iter().map(hit).collect()
}

/// The hits in the order of what was read, with scores that fall: the last that was judged has 1, what comes after shares of
/// it.
fn rescored(engine: &Engine, hits: Vec<Hit>, ranked: &[Ranked]) -> Vec<Hit> {
    let graph = &engine.generation.graph;
    let (searched, trust) = (hits.first().map(|hit| hit.definition), hits.first().and_then(|hit| hit.trust));
    let mut found: FxHashMap<DefinitionId, Hit> = hits.into_iter().map(|hit| (hit.definition, hit)).collect();
    let judged: Vec<f32> = ranked.iter().take_while(|r| !r.shares.is_empty()).map(Ranked::score).collect();
    let lowest = judged.iter().copied().fold(f32::INFINITY, f32::min);
    let count = ranked.len() as f32;
    let mut out: Vec<Hit> = Vec::with_capacity(ranked.len());
    for (at, one) in ranked.iter().enumerate() {
        let row = graph.definition(one.id);
        let mut hit = found.remove(&one.id).unwrap_or_else(|| Hit::new(one.id, row.file, 0.0, 0.0));
        hit.trust = None;
        if at < judged.len() {
            hit.score = judged[at] - lowest + 1.0;
            hit.order = Order::Learned;
            let counts = one.shares.iter().filter(|(_, change)| *change != 0.0);
            hit.adjustments = counts.map(|&(name, change)| share(name, change)).collect();
            hit.adjustments.push(share("floor", 1.0 - lowest));
        } else {
            hit.score = 1.0 - at as f32 / count.max(1.0);
            hit.order = Order::Learned;
            hit.adjustments = vec![share("place", hit.score)];
        }
        out.push(hit);
    }
    if let (Some(first), Some(trust)) = (out.first_mut(), trust) {
        // Whether the repository holds it at all was told by the search; which it is, by reading. How often a model is right
        // is not known: where it takes another than the search, no more is claimed than the search left to others.
        let right = match judged.is_empty() {
            false => chance_of_first(&judged) * trust.fits,
            true if searched == Some(first.definition) => trust.right,
            true => trust.right.min(1.0 - trust.right),
        };
        first.trust = Some(Trust { right, ..trust });
    }
    out
}

fn share(name: &'static str, change: f32) -> Adjustment {
    Adjustment { name, change, environment: false }
}
