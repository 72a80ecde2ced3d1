//! Numbers of one file to those of the whole repository.

use super::file_facts::FileFacts;
use crate::ids::{CallId, CallSiteId, DefinitionId, LocalId, PointerId, VariableId};

/// How many definitions, variables, values and calls all files before a file have: what its own numbers are added to
/// for those of the whole repository.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Offsets {
    pub definitions: u32,
    pub variables: u32,
    pub values: u32,
    pub calls: u32,
}

impl Offsets {
    pub fn definition(self, local: LocalId) -> DefinitionId {
        DefinitionId(self.definitions + local.0)
    }

    pub fn variable(self, local: VariableId) -> PointerId {
        PointerId(self.variables + local.0)
    }

    pub fn call(self, local: CallId) -> CallSiteId {
        CallSiteId(self.calls + local.0)
    }

    pub fn sum(self) -> u64 {
        [self.definitions, self.variables, self.values, self.calls].into_iter().map(u64::from).sum()
    }

    pub fn after(self, facts: &FileFacts<'_>) -> Self {
        let [definitions, variables, values, calls] = facts.counts().map(|count| count as u32);
        Self {
            definitions: self.definitions + definitions,
            variables: self.variables + variables,
            values: self.values + values,
            calls: self.calls + calls,
        }
    }
}
