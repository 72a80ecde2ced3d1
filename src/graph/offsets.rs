//! Numbers of one file to those of the whole repository.

use super::file_facts::FileFacts;
use crate::ids::{CallId, DefinitionId, LocalId, PointerId, ValueId, VariableId};

/// What one of a file's own pointers stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointerKind {
    Variable,
    /// What a definition returns.
    Return,
    Value,
    /// The result of a call.
    Result,
}

impl PointerKind {
    /// All kinds, in order of their numbers.
    pub const ALL: [Self; 4] = [Self::Variable, Self::Return, Self::Value, Self::Result];
}

/// What a file's own numbers are added to for those of the whole repository. The pointers of a file are numbered one after
/// another: its variables, what its definitions return, its values, the results of its calls.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Offsets {
    definitions: u32,
    variables: u32,
    returns: u32,
    values: u32,
    results: u32,
    end: u32,
    end_of_definitions: u32,
}

impl Offsets {
    /// Those of the file that comes next.
    pub fn after(self, facts: &FileFacts<'_>) -> Self {
        let [definitions, variables, values, calls] = facts.counts().map(|count| count as u32);
        let returns = self.end + variables;
        let (values, results) = (returns + definitions, returns + definitions + values);
        Self {
            definitions: self.end_of_definitions,
            variables: self.end,
            returns,
            values,
            results,
            end: results + calls,
            end_of_definitions: self.end_of_definitions + definitions,
        }
    }

    /// How many definitions this file and those before it have.
    pub fn end_of_definitions(self) -> usize {
        self.end_of_definitions as usize
    }

    /// The pointer after the last of this file: as many have this file and those before it.
    pub fn end(self) -> PointerId {
        PointerId(self.end)
    }

    pub fn definition(self, local: LocalId) -> DefinitionId {
        DefinitionId(self.definitions + local.0)
    }

    /// The number of one of the file's definitions among its own.
    pub fn local(self, id: DefinitionId) -> LocalId {
        LocalId(id.0 - self.definitions)
    }

    /// The first pointer of the file.
    pub fn first(self) -> PointerId {
        PointerId(self.variables)
    }

    /// What one of the file's own pointers stands for, and its number among these.
    pub fn kind_of(self, pointer: PointerId) -> (PointerKind, u32) {
        let kinds = [
            (PointerKind::Result, self.results),
            (PointerKind::Value, self.values),
            (PointerKind::Return, self.returns),
        ];
        let found = kinds.into_iter().find(|&(_, first)| pointer.0 >= first);
        let (kind, first) = found.unwrap_or((PointerKind::Variable, self.variables));
        (kind, pointer.0 - first)
    }

    /// The pointer of that kind and number; none if the file has no such one.
    pub fn pointer(self, kind: PointerKind, number: u32) -> Option<PointerId> {
        let (first, end) = match kind {
            PointerKind::Variable => (self.variables, self.returns),
            PointerKind::Return => (self.returns, self.values),
            PointerKind::Value => (self.values, self.results),
            PointerKind::Result => (self.results, self.end),
        };
        let pointer = first.checked_add(number)?;
        (pointer < end).then_some(PointerId(pointer))
    }

    /// Whether a pointer is one of the file's own.
    pub fn has(self, pointer: PointerId) -> bool {
        (self.variables..self.end).contains(&pointer.0)
    }

    pub fn variable(self, local: VariableId) -> PointerId {
        PointerId(self.variables + local.0)
    }

    /// What a definition returns.
    pub fn return_of(self, local: LocalId) -> PointerId {
        PointerId(self.returns + local.0)
    }

    pub fn value(self, local: ValueId) -> PointerId {
        PointerId(self.values + local.0)
    }

    /// The result of a call.
    pub fn result_of(self, local: CallId) -> PointerId {
        PointerId(self.results + local.0)
    }
}
