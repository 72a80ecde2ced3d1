//! Parameters that a function returns as they are, as a decorator does that only registers the
//! function it decorates (`return func`).
//!
//! The result of a call of such a function contains the argument of that call, and not those of
//! all other calls. This is the only context that calls have: without it, all functions with one
//! decorator would become one.
//!
//! - **Cost:** one pass over the returned values and the assignments of a file.

use crate::file_facts::{FileFacts, FileValue};
use rustc_hash::FxHashSet;
use whichfn_syntax::ids::VariableId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::AssignmentTarget;

/// Returns the parameters of a file's functions that the function itself returns, and that no code
/// assigns another value to.
pub(crate) fn returned_parameters(facts: &FileFacts<'_>) -> FxHashSet<VariableId> {
    let mut returned: FxHashSet<VariableId> = facts
        .returns()
        .filter_map(|(function, value)| match facts.value(value) {
            FileValue::Variable(own) if facts.kind(function) != DefinitionKind::Module => {
                facts.parameters(function).any(|(parameter, _)| parameter == own).then_some(own)
            }
            _ => None,
        })
        .collect();
    if !returned.is_empty() {
        for (target, value) in facts.bindings() {
            // A declared type and a default such as `None` are no other functions or objects.
            let is_empty = matches!(
                facts.value(value),
                FileValue::Instance(_) | FileValue::Foreign | FileValue::Literal(_) | FileValue::Unknown
            );
            if let AssignmentTarget::Variable(own) = target
                && !is_empty
            {
                returned.remove(&own);
            }
        }
    }
    returned
}
