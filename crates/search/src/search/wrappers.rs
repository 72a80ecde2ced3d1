//! Ranks a thin wrapper below the function that it forwards to, which does the work.
//!
//! A description in parts (Purpose, Input, ...) tells the two apart by what they do, so its answers
//! keep their order.
//!
//! - **Cost:** one look-up for each of the first hits

use super::hit::{Adjustment, AdjustmentKind, Hit};
use super::weights::{WRAPPER_BODY, WRAPPER_DEPTH, WRAPPER_GAP};
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, MemberId};
use whichfn_syntax::parse::Field;

/// Returns the function that a definition only forwards to: it is short, and it calls one other
/// function of the repository.
pub(super) fn forwards_to(graph: &GraphFile, id: DefinitionId) -> Option<DefinitionId> {
    let lengths = graph.lengths(id);
    let words = [Field::Body, Field::Strings].map(|field| usize::from(lengths[field as usize])).iter().sum::<usize>();
    if words > WRAPPER_BODY {
        return None;
    }
    let mut callees = graph.calls(id).iter().map(|call| call.callee).filter(|&callee| callee != id);
    let first = callees.next().filter(|&callee| graph.traits(callee).kind().is_function())?;
    callees.all(|callee| callee == first).then_some(first)
}

/// The thin wrappers among the candidates.
pub(super) struct Wrappers(FxHashMap<(MemberId, DefinitionId), DefinitionId>);

impl Wrappers {
    /// Collects the wrappers; `forwards_to` belongs to the first hits.
    pub fn new(hits: &[Hit], forwards_to: impl Iterator<Item = Option<DefinitionId>>) -> Self {
        let wrapper = |(hit, target): (&Hit, Option<_>)| Some(((hit.member, hit.definition), target?));
        Self(hits.iter().zip(forwards_to).filter_map(wrapper).collect())
    }

    /// Moves each function that a wrapper among the first hits forwards to in front of that
    /// wrapper, if its score is close to the wrapper's.
    pub fn lower(&self, hits: &mut [Hit]) {
        let first_confidence = hits.first_mut().and_then(|hit| hit.confidence.take());
        let mut at = 0;
        while at < WRAPPER_DEPTH.min(hits.len()) {
            let target = self.0.get(&(hits[at].member, hits[at].definition));
            let is_target = |hit: &Hit| hit.member == hits[at].member && Some(&hit.definition) == target;
            let found = hits[at..].iter().position(is_target).map(|behind| at + behind);
            if let Some(found) = found.filter(|&found| hits[at].score - hits[found].score <= WRAPPER_GAP) {
                let change = hits[at].score - hits[found].score;
                hits[found].score = hits[at].score;
                hits[found].adjustments.push(Adjustment { kind: AdjustmentKind::Forwarded, change });
                hits[at..=found].rotate_right(1);
            }
            at += 1;
        }
        if let Some(first) = hits.first_mut() {
            first.confidence = first_confidence;
        }
    }
}
