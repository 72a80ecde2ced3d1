//! Conversion between numbers within a file and repository-wide numbers.

use crate::file_facts::FileFacts;
use whichfn_syntax::ids::{CallId, DefinitionId, LocalId, PointerId, ValueId, VariableId};

/// The role of one of a file's own pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointerKind {
    Variable,
    /// The values that a definition returns.
    Return,
    Value,
    /// The result of a call.
    Result,
}

impl PointerKind {
    /// Every kind, sorted by discriminant.
    pub const ALL: [Self; 4] = [Self::Variable, Self::Return, Self::Value, Self::Result];
}

/// The first repository-wide number of each kind of item in a file. The pointers of a file are
/// numbered consecutively: its variables, the returns of its definitions, its values, and the
/// results of its calls.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Offsets {
    definitions: u32,
    variables: u32,
    returns: u32,
    values: u32,
    results: u32,
    end: u32,
    end_of_definitions: u32,
}

impl Offsets {
    /// Returns the offsets of the next file, whose facts are given.
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

    /// Returns the number of definitions in this file and all files before it.
    pub fn end_of_definitions(self) -> usize {
        self.end_of_definitions as usize
    }

    /// Returns the pointer after the last one of this file. Its number equals the count of pointers
    /// in this file and all files before it.
    pub fn end(self) -> PointerId {
        PointerId(self.end)
    }

    pub fn definition(self, local: LocalId) -> DefinitionId {
        DefinitionId(self.definitions + local.0)
    }

    /// Converts a repository-wide definition to its number in this file.
    pub fn local(self, id: DefinitionId) -> LocalId {
        LocalId(id.0 - self.definitions)
    }

    /// Returns the first pointer of the file.
    pub fn first(self) -> PointerId {
        PointerId(self.variables)
    }

    /// Returns the kind of one of the file's own pointers, and its number within that kind.
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

    /// Returns the pointer of the given kind and number; `None` if the file has no such pointer.
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

    /// Checks whether a pointer is one of the file's own.
    pub fn has(self, pointer: PointerId) -> bool {
        (self.variables..self.end).contains(&pointer.0)
    }

    /// Returns the variable of a pointer; `None` if it belongs to no variable of this file.
    pub fn own_variable(self, pointer: PointerId) -> Option<VariableId> {
        (self.variables..self.returns).contains(&pointer.0).then(|| VariableId(pointer.0 - self.variables))
    }

    pub fn variable(self, local: VariableId) -> PointerId {
        PointerId(self.variables + local.0)
    }

    /// Returns the pointer for the return value of a definition.
    pub fn return_of(self, local: LocalId) -> PointerId {
        PointerId(self.returns + local.0)
    }

    pub fn value(self, local: ValueId) -> PointerId {
        PointerId(self.values + local.0)
    }

    /// Returns the pointer for the result of a call.
    pub fn result_of(self, local: CallId) -> PointerId {
        PointerId(self.results + local.0)
    }
}
