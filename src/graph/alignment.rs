//! Which of a file's numbers after an edit stand for what they stood for before it.
//!
//! Law:     rows that are the same from the beginning on, and from the end on, are taken for the same; those between for
//!          removed and new. So order is kept, and no two numbers become one. A poor match costs work, never an edge: what
//!          is said of a number before and after is compared by who uses this.
//! Price:   one pass over the tables of one file.

use super::file_facts::{FileFacts, FileValue};
use super::messages::{DefinitionName, PointerName, Renaming};
use super::offsets::PointerKind;
use crate::ids::{CallId, FileId, Id, LocalId, ValueId, VariableId};
use crate::lang::DefinitionKind;
use crate::parse::Symbol;
use rustc_hash::FxHashMap;

/// The numbers of one file before an edit to those after it.
#[derive(Debug, Clone, Copy)]
pub struct Alignment {
    definitions: Ends,
    variables: Ends,
    values: Ends,
    calls: Ends,
}

/// How many rows of a table are the same at its beginning and at its end, and how many there are, before and after.
#[derive(Debug, Clone, Copy)]
struct Ends {
    front: usize,
    back: usize,
    old: usize,
    new: usize,
}

impl Ends {
    fn of<T: PartialEq>(old: &[T], new: &[T]) -> Self {
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

    /// Whether a number after the edit stands for one before it.
    fn has_new(&self, new: usize) -> bool {
        new < self.front || new >= self.new - self.back
    }

    fn keeps_all(&self) -> bool {
        self.front == self.old || self.old == self.new && self.front + self.back == self.old
    }
}

impl Alignment {
    /// Between the facts of a file before and after an edit.
    pub fn new(old: &FileFacts<'_>, new: &FileFacts<'_>) -> Self {
        Self {
            definitions: Ends::of(&definitions(old), &definitions(new)),
            variables: Ends::of(&variables(old), &variables(new)),
            values: Ends::of(&values(old), &values(new)),
            calls: Ends::of(&calls(old), &calls(new)),
        }
    }

    /// The number after the edit of a definition; none if it is gone.
    pub fn definition(&self, old: LocalId) -> Option<LocalId> {
        self.definitions.map(old)
    }

    pub(super) fn variable(&self, old: VariableId) -> Option<VariableId> {
        self.variables.map(old)
    }

    /// Whether a definition is new.
    pub(super) fn is_new_definition(&self, new: LocalId) -> bool {
        !self.definitions.has_new(new.index())
    }

    pub(super) fn is_new_variable(&self, new: VariableId) -> bool {
        !self.variables.has_new(new.index())
    }

    /// Whether every number stands for what it stood for, and nothing is gone.
    pub(super) fn keeps_all(&self) -> bool {
        [self.definitions, self.variables, self.values, self.calls].iter().all(Ends::keeps_all)
    }

    fn pointer(&self, kind: PointerKind, number: u32) -> Option<u32> {
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

/// Kind and names; functions without a name are told apart by what they call.
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

/// What a value is, and the names in it.
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
    }
}

fn calls(facts: &FileFacts<'_>) -> Vec<(Symbol, usize)> {
    facts.call_ids().map(|id| (scope_name(facts, facts.call(id).scope), facts.arguments(id).len())).collect()
}

/// From the numbers of edited files before the edit to those after it.
pub(super) struct Renumbering<'r>(pub &'r FxHashMap<FileId, Alignment>);

impl Renaming<PointerName, DefinitionName, PointerName, DefinitionName> for Renumbering<'_> {
    fn pointer(&mut self, pointer: PointerName) -> Option<PointerName> {
        Some(match pointer {
            PointerName::Own { file, kind, number } => {
                let number = match self.0.get(&file) {
                    Some(alignment) => alignment.pointer(kind, number)?,
                    None => number,
                };
                PointerName::Own { file, kind, number }
            }
            PointerName::Made { of, name } => PointerName::Made { of: self.definition(of)?, name },
        })
    }

    fn definition(&mut self, id: DefinitionName) -> Option<DefinitionName> {
        let local = match self.0.get(&id.file) {
            Some(alignment) => alignment.definition(id.local)?,
            None => id.local,
        };
        Some(DefinitionName { file: id.file, local })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_that_stand_for_each_other_are_equal_and_in_order(
            old in prop::collection::vec(0..3u8, 0..12),
            new in prop::collection::vec(0..3u8, 0..12),
        ) {
            let ends = Ends::of(&old, &new);
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
