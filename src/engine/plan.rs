//! How a question is answered: by one search, or by reading on from what the search found.

use super::Engine;
use crate::answer::Answer;
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::llm::{Model, Templates};
use crate::reading::{Lookup, LookupOptions, Ranked, Strategy, Trace, chance_of_first};
use crate::search::{Adjustment, CANDIDATES, Hit, KindFilter, Order, Query, Question, Searcher, Trust, Unit};
use rustc_hash::FxHashMap;

/// How a question is answered.
#[derive(Clone, Copy, Default)]
pub struct Plan<'p> {
    /// Lines of each result to show; 0 for none.
    pub snippet_lines: usize,
    /// Near-duplicates are folded: `k` results, each with those that repeat it. Files and windows are not folded.
    pub folds: bool,
    /// What is done after the search.
    pub way: Way<'p>,
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
}

/// An answer, and how it was read.
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// How reading went, if anything was read.
    pub trace: Option<Trace>,
}

impl Way<'_> {
    /// The word that people and JSON read.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Direct => "direct",
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
    ) -> Result<(Question, Vec<Hit>, Option<Trace>)> {
        let reads = query.unit == Unit::Definition && query.kind == KindFilter::Function;
        let Way::Read { options, model, templates } = self.way else {
            let (question, hits) = searcher.search(&Query { k: depth, ..query.clone() })?;
            return Ok((question, hits, None));
        };
        let (question, hits) = searcher.search(&Query { k: depth.max(CANDIDATES), ..query.clone() })?;
        if !reads {
            return Ok((question, hits.into_iter().take(depth).collect(), None));
        }
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
        };
        let found = match model {
            Some(model) => lookup.with_model(model)?,
            None => lookup.offline()?,
        };
        let mut ranked = rescored(engine, hits, &found.ranked);
        ranked.truncate(depth);
        Ok((question, ranked, Some(found.trace)))
    }
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
