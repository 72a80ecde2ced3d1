//! Counts words: for each definition, in the fields that are derived from call edges, and for all
//! definitions together, in all fields. A word-based ranking needs these statistics for the whole
//! repository. They are stored so that they need not be counted for each question.
//!
//! **Tested by:** `tests/totals.rs`, which counts the words separately.

use super::graph_rows::CallRow;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;

/// Number of fields that are derived from call edges and not stored: names of callers, first doc
/// sentences of callers, and first doc sentences of callees.
pub const CALL_FIELDS: usize = 3;

/// Total word counts of a group of definitions, by field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct FieldTotals {
    /// Number of definitions in the group.
    pub definitions: u64,
    /// Number of words in each [`Field`]. For each definition, at most 65,535 words are counted per
    /// field.
    pub own: [u64; Field::COUNT],
    /// Number of words in each of the fields that are derived from calls.
    pub through_calls: [u64; CALL_FIELDS],
}

/// A group of definition kinds whose words are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum KindGroup {
    /// Functions, methods and macros.
    Function,
    /// Classes and other types.
    Type,
    /// Files in a programming language.
    Module,
    /// All other kinds.
    Other,
}

impl KindGroup {
    /// All groups, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Function, Self::Type, Self::Module, Self::Other];

    /// Returns the group that a kind belongs to.
    pub fn from_kind(kind: DefinitionKind) -> Self {
        match kind {
            kind if kind.is_function() => Self::Function,
            kind if kind.is_type() => Self::Type,
            DefinitionKind::Module => Self::Module,
            _ => Self::Other,
        }
    }

    /// Returns the first kind in this group.
    pub fn kind(self) -> DefinitionKind {
        match self {
            Self::Function => DefinitionKind::Function,
            Self::Type => DefinitionKind::Class,
            Self::Module => DefinitionKind::Module,
            Self::Other => DefinitionKind::Text,
        }
    }
}

impl FieldTotals {
    /// Adds the word counts of one definition.
    pub fn add(&mut self, own: [u16; Field::COUNT], through_calls: [u32; CALL_FIELDS]) {
        self.definitions += 1;
        self.own.iter_mut().zip(own).for_each(|(sum, words)| *sum += u64::from(words));
        self.through_calls.iter_mut().zip(through_calls).for_each(|(sum, words)| *sum += u64::from(words));
    }

    /// Returns the sum of two totals.
    pub fn plus(mut self, other: Self) -> Self {
        // The sums may come from an index that another program wrote.
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.definitions, other.definitions);
        self.own.iter_mut().zip(other.own).for_each(|(sum, words)| add(sum, words));
        self.through_calls.iter_mut().zip(other.through_calls).for_each(|(sum, words)| add(sum, words));
        self
    }
}

/// Returns the callees of a caller, sorted by position. Consecutive calls of the same callee count
/// once, and recursive calls do not count.
fn direct_callees(caller: DefinitionId, calls: &[CallRow]) -> impl Iterator<Item = DefinitionId> + '_ {
    let mut last = None;
    calls.iter().map(|call| call.callee).filter(move |&callee| {
        let counts = callee != caller && last != Some(callee);
        if counts {
            last = Some(callee);
        }
        counts
    })
}

/// Counts the words of each definition in the fields that are derived from calls. `calls` returns
/// the calls that a definition makes.
pub(super) fn through_calls<'c>(
    lengths: &[[u16; Field::COUNT]],
    calls: impl Fn(DefinitionId) -> &'c [CallRow],
) -> Vec<[u32; CALL_FIELDS]> {
    let mut through_calls = vec![[0u32; CALL_FIELDS]; lengths.len()];
    for (caller, own) in lengths.iter().enumerate() {
        let id = DefinitionId::new(caller);
        for callee in direct_callees(id, calls(id)) {
            let called = &mut through_calls[callee.index()];
            called[0] += u32::from(own[Field::Name as usize]);
            called[1] += u32::from(own[Field::Summary as usize]);
            through_calls[caller][2] += u32::from(lengths[callee.index()][Field::Summary as usize]);
        }
    }
    through_calls
}

/// Checks whether definitions of a kind have no words of their own.
fn is_left_out(kind: DefinitionKind) -> bool {
    kind == DefinitionKind::Declaration || kind.is_registered()
}

/// Sums the word counts of all definitions by group. Declarations do not count, because their words
/// count for the definitions that inherit their documentation.
pub(super) fn totals(
    kinds: impl Iterator<Item = DefinitionKind>,
    lengths: &[[u16; Field::COUNT]],
    through_calls: &[[u32; CALL_FIELDS]],
) -> [FieldTotals; KindGroup::ALL.len()] {
    let mut totals = [FieldTotals::default(); KindGroup::ALL.len()];
    let all = kinds.zip(lengths).zip(through_calls);
    for ((kind, own), through_calls) in all.filter(|((kind, _), _)| !is_left_out(*kind)) {
        totals[KindGroup::from_kind(kind) as usize].add(*own, *through_calls);
    }
    totals
}
