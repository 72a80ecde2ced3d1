//! How many words each definition has in the fields that are had through call edges, and all definitions in all fields
//! together: what a ranking by words needs to know of the whole repository, kept so that no question counts it.
//!
//! Checked: `tests/totals.rs` against counting again

use super::graph_rows::CallRow;
use crate::ids::DefinitionId;
use crate::lang::DefinitionKind;
use crate::parse::Field;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// Fields that are not stored but had through call edges: names of callers, first doc sentences of callers, and those
/// of callees.
pub const CALL_FIELDS: usize = 3;

/// Words of some definitions by field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct FieldTotals {
    /// How many definitions.
    pub definitions: u64,
    /// Their words by [`Field`]; 65,535 in one stands for more.
    pub own: [u64; Field::COUNT],
    /// Their words in the fields had through calls.
    pub through_calls: [u64; CALL_FIELDS],
}

/// Kinds of definitions that are counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum KindGroup {
    /// Functions, methods, macros.
    Function,
    /// Classes and the like.
    Type,
    /// Files of a language.
    Module,
    /// All others.
    Other,
}

impl KindGroup {
    /// All groups, by number.
    pub const ALL: [Self; 4] = [Self::Function, Self::Type, Self::Module, Self::Other];

    /// The group of a kind.
    pub fn of(kind: DefinitionKind) -> Self {
        match kind {
            kind if kind.is_function() => Self::Function,
            kind if kind.is_type() => Self::Type,
            DefinitionKind::Module => Self::Module,
            _ => Self::Other,
        }
    }

    /// A kind of this group, the first that there is.
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

    /// Both together.
    pub fn plus(mut self, other: Self) -> Self {
        self.definitions += other.definitions;
        self.own.iter_mut().zip(other.own).for_each(|(sum, words)| *sum += words);
        self.through_calls.iter_mut().zip(other.through_calls).for_each(|(sum, words)| *sum += words);
        self
    }
}

/// What a caller's calls lead to, in order of place; one callee called several times in a row counts once, and the
/// caller itself not at all.
fn led_to(caller: DefinitionId, calls: &[CallRow]) -> impl Iterator<Item = DefinitionId> + '_ {
    let mut last = None;
    calls.iter().map(|call| call.callee).filter(move |&callee| {
        let counts = callee != caller && last != Some(callee);
        if counts {
            last = Some(callee);
        }
        counts
    })
}

/// By definition: its words in the fields had through calls. `calls` gives those that a definition makes.
pub(super) fn through_calls<'c>(
    lengths: &[[u16; Field::COUNT]],
    calls: impl Fn(DefinitionId) -> &'c [CallRow],
) -> Vec<[u32; CALL_FIELDS]> {
    let mut through_calls = vec![[0u32; CALL_FIELDS]; lengths.len()];
    for (caller, own) in lengths.iter().enumerate() {
        let id = DefinitionId::new(caller);
        for callee in led_to(id, calls(id)) {
            let called = &mut through_calls[callee.index()];
            called[0] += u32::from(own[Field::Name as usize]);
            called[1] += u32::from(own[Field::Summary as usize]);
            through_calls[caller][2] += u32::from(lengths[callee.index()][Field::Summary as usize]);
        }
    }
    through_calls
}

/// By group of kinds: the words of all definitions; those of a declaration count for what takes them.
pub(super) fn totals(
    kinds: impl Iterator<Item = DefinitionKind>,
    lengths: &[[u16; Field::COUNT]],
    through_calls: &[[u32; CALL_FIELDS]],
) -> [FieldTotals; KindGroup::ALL.len()] {
    let mut totals = [FieldTotals::default(); KindGroup::ALL.len()];
    let all = kinds.zip(lengths).zip(through_calls);
    for ((kind, own), through_calls) in all.filter(|((kind, _), _)| *kind != DefinitionKind::Declaration) {
        totals[KindGroup::of(kind) as usize].add(*own, *through_calls);
    }
    totals
}
