//! Maps the numbers of a file's items before an edit to their numbers after it.
//!
//! - **Invariant:** the common prefix and the common suffix of a table are matched; the rows in
//!   between count as removed and new. The mapping therefore preserves order and is one-to-one. A
//!   poor match costs work but never an edge: the caller compares the properties of a number before
//!   and after the edit.
//! - **Cost:** one pass over the tables of one file.

use crate::file_facts::{FileFacts, FileValue};
use crate::names::PointerKind;
use whichfn_syntax::ids::{CallId, Id, LocalId, ValueId, VariableId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Symbol;

/// Mapping from the numbers of one file before an edit to its numbers after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alignment {
    definitions: CommonEnds,
    variables: CommonEnds,
    values: CommonEnds,
    calls: CommonEnds,
}

/// Lengths of the common prefix and suffix of a table, and its number of rows before and after the
/// edit.
#[derive(Debug, Clone, Copy)]
struct CommonEnds {
    front: usize,
    back: usize,
    old: usize,
    new: usize,
}

impl CommonEnds {
    fn new<T: PartialEq>(old: &[T], new: &[T]) -> Self {
        let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let back = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
        Self { front, back, old: old.len(), new: new.len() }
    }

    fn map<K: Id>(&self, old: K) -> Option<K> {
        let at = old.index();
        match at {
            _ if at < self.front => Some(old),
            _ if at < self.old && at >= self.old - self.back => Some(K::new(at + self.new - self.old)),
            _ => None,
        }
    }

    /// Checks whether a number after the edit has a counterpart before it.
    fn has_new(&self, new: usize) -> bool {
        new < self.front || new >= self.new - self.back
    }

    fn keeps_all(&self) -> bool {
        self.front == self.old || self.old == self.new && self.front + self.back == self.old
    }
}

impl Alignment {
    /// Aligns the facts of a file before and after an edit.
    pub fn new(old: &FileFacts<'_>, new: &FileFacts<'_>) -> Self {
        Self {
            definitions: CommonEnds::new(&definitions(old), &definitions(new)),
            variables: CommonEnds::new(&variables(old), &variables(new)),
            values: CommonEnds::new(&values(old), &values(new)),
            calls: CommonEnds::new(&calls(old), &calls(new)),
        }
    }

    /// Returns the number of a definition after the edit; `None` if it was removed.
    pub fn definition(&self, old: LocalId) -> Option<LocalId> {
        self.definitions.map(old)
    }

    pub(crate) fn variable(&self, old: VariableId) -> Option<VariableId> {
        self.variables.map(old)
    }

    /// Checks whether a definition was added by the edit.
    pub(crate) fn is_new_definition(&self, new: LocalId) -> bool {
        !self.definitions.has_new(new.index())
    }

    pub(crate) fn is_new_variable(&self, new: VariableId) -> bool {
        !self.variables.has_new(new.index())
    }

    /// Checks whether every number keeps its meaning and nothing was removed.
    pub(crate) fn keeps_all(&self) -> bool {
        [self.definitions, self.variables, self.values, self.calls].iter().all(CommonEnds::keeps_all)
    }

    /// Returns the number of a pointer after the edit, among the pointers of its kind; `None` if it
    /// was removed.
    pub(crate) fn pointer(&self, kind: PointerKind, number: u32) -> Option<u32> {
        Some(match kind {
            PointerKind::Variable => self.variables.map(VariableId(number))?.0,
            PointerKind::Return => self.definitions.map(LocalId(number))?.0,
            PointerKind::Value => self.values.map(ValueId(number))?.0,
            PointerKind::Result => self.calls.map(CallId(number))?.0,
        })
    }
}

fn scope_name(facts: &FileFacts<'_>, scope: LocalId) -> Symbol {
    facts.definition(scope).qualified_name
}

/// Returns kind and names of each definition. Anonymous functions are distinguished by the names
/// that they call.
fn definitions(facts: &FileFacts<'_>) -> Vec<(u8, Symbol, Symbol)> {
    let row = |id| {
        let definition = facts.definition(id);
        (definition.kind as u8, definition.qualified_name, definition.name)
    };
    let mut rows: Vec<_> = facts.definition_ids().map(row).collect();
    for call in facts.call_ids().map(|id| facts.call(id)) {
        let (kind, _, called) = &mut rows[call.scope.index()];
        if *kind == DefinitionKind::Anonymous as u8 {
            let (_, name, _) = value(facts, call.callee);
            *called = called.rotate_left(7) ^ name;
        }
    }
    rows
}

fn variables(facts: &FileFacts<'_>) -> Vec<(Symbol, Symbol)> {
    facts.variables().map(|(_, scope, name)| (scope_name(facts, scope), name)).collect()
}

fn values(facts: &FileFacts<'_>) -> Vec<(u8, Symbol, Symbol)> {
    facts.value_ids().map(|id| value(facts, id)).collect()
}

/// Returns the kind of a value and the names in it.
fn value(facts: &FileFacts<'_>, id: ValueId) -> (u8, Symbol, Symbol) {
    match facts.value(id) {
        FileValue::Unknown => (0, 0, 0),
        FileValue::Foreign => (1, 0, 0),
        FileValue::Variable(_) => (2, 0, 0),
        FileValue::Free { symbol, scope } => (3, symbol, scope_name(facts, scope)),
        FileValue::Access(_, name) => (4, name, 0),
        FileValue::Call(call) => (5, scope_name(facts, facts.call(call).scope), 0),
        FileValue::Definition(id) => (6, scope_name(facts, id), 0),
        FileValue::Any(values) => (7, values.len() as Symbol, 0),
        FileValue::Instance(_) => (8, 0, 0),
        FileValue::Super(scope) => (9, scope_name(facts, scope), 0),
        FileValue::SelfType(scope) => (10, scope_name(facts, scope), 0),
        FileValue::Literal(name) => (11, name, 0),
        FileValue::Operation(..) => (12, 0, 0),
        FileValue::Element(_) => (13, 0, 0),
    }
}

fn calls(facts: &FileFacts<'_>) -> Vec<(Symbol, usize)> {
    facts.call_ids().map(|id| (scope_name(facts, facts.call(id).scope), facts.arguments(id).len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn aligned_rows_are_equal_and_ordered(
            old in prop::collection::vec(0..3u8, 0..12),
            new in prop::collection::vec(0..3u8, 0..12),
        ) {
            let ends = CommonEnds::new(&old, &new);
            let pairs: Vec<(usize, usize)> =
                (0..old.len()).filter_map(|at| Some((at, ends.map(LocalId::new(at))?.index()))).collect();
            prop_assert!(pairs.iter().all(|&(a, b)| old[a] == new[b]));
            prop_assert!(pairs.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
            let mapped: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
            prop_assert_eq!((0..new.len()).filter(|&at| ends.has_new(at)).collect::<Vec<_>>(), mapped);
            prop_assert_eq!(ends.keeps_all(), pairs.len() == old.len() && pairs.iter().all(|(a, b)| a == b));
        }
    }
}
