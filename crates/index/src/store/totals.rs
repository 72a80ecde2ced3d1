//! Word counts: for each definition in the fields derived from call edges, and for all definitions
//! together in all fields. A ranking by words needs these statistics of the whole repository; they
//! are stored so that no question has to count them.
//!
//! **Tested by:** `tests/totals.rs`, which counts again.

use super::graph_rows::CallRow;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;

/// Number of fields that are not stored but derived from call edges: names of callers, first doc
/// sentences of callers, and first doc sentences of callees.
pub const CALL_FIELDS: usize = 3;

/// Total numbers of words of some definitions, by field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct FieldTotals {
    /// Number of definitions.
    pub definitions: u64,
    /// Their words by [`Field`]. A count of 65,535 in one definition means that many or more.
    pub own: [u64; Field::COUNT],
    /// Their words in the fields derived from calls.
    pub through_calls: [u64; CALL_FIELDS],
}

/// A group of kinds of definitions that are counted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum KindGroup {
    /// Functions, methods, macros.
    Function,
    /// Classes and other types.
    Type,
    /// Files of a language.
    Module,
    /// All other kinds.
    Other,
}

impl KindGroup {
    /// All groups, by number.
    pub const ALL: [Self; 4] = [Self::Function, Self::Type, Self::Module, Self::Other];

    /// Returns the group of a kind.
    pub fn from_kind(kind: DefinitionKind) -> Self {
        match kind {
            kind if kind.is_function() => Self::Function,
            kind if kind.is_type() => Self::Type,
            DefinitionKind::Module => Self::Module,
            _ => Self::Other,
        }
    }

    /// Returns the first kind of this group.
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
    /// Adds a definition.
    pub fn add(&mut self, own: [u16; Field::COUNT], through_calls: [u32; CALL_FIELDS]) {
        self.definitions += 1;
        self.own.iter_mut().zip(own).for_each(|(sum, words)| *sum += u64::from(words));
        self.through_calls.iter_mut().zip(through_calls).for_each(|(sum, words)| *sum += u64::from(words));
    }

    /// Returns the sum of both.
    pub fn plus(mut self, other: Self) -> Self {
        // The sums may come from an index that another program wrote.
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.definitions, other.definitions);
        self.own.iter_mut().zip(other.own).for_each(|(sum, words)| add(sum, words));
        self.through_calls.iter_mut().zip(other.through_calls).for_each(|(sum, words)| add(sum, words));
        self
    }
}

/// Returns the callees of a caller, in order of position. Repeated calls of one callee in a row
/// count once, and recursive calls not at all.
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

/// Counts, for each definition, the words in the fields derived from calls. `calls` returns the
/// calls that a definition makes.
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

/// Sums the words of all definitions by group. Declarations are left out: their words count for the
/// definitions that take their documentation.
pub(super) fn totals(
    kinds: impl Iterator<Item = DefinitionKind>,
    lengths: &[[u16; Field::COUNT]],
    through_calls: &[[u32; CALL_FIELDS]],
) -> [FieldTotals; KindGroup::ALL.len()] {
    let mut totals = [FieldTotals::default(); KindGroup::ALL.len()];
    let all = kinds.zip(lengths).zip(through_calls);
    for ((kind, own), through_calls) in all.filter(|((kind, _), _)| *kind != DefinitionKind::Declaration) {
        totals[KindGroup::from_kind(kind) as usize].add(*own, *through_calls);
    }
    totals
}
