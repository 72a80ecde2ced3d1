//! Collects the constants, variables, fields and enum variants of a file.

use super::facts::{Definition, NamedValue, ValueFlow, Variable, symbol};
use super::shown::span;
use crate::ids::{IdVec, LocalId};
use crate::lang::DefinitionKind;
use crate::tree::Node;
use rustc_hash::FxHashSet;

/// The named values that were found so far.
#[derive(Default)]
pub(super) struct NamedValues {
    found: Vec<NamedValue>,
    seen: FxHashSet<(LocalId, String)>,
}

impl NamedValues {
    /// Adds the value that `node` declares inside the definition `parent`. Ignores variables of
    /// functions, names that were declared before, and, if the value `is_member`, names outside a
    /// type.
    pub fn add(
        &mut self,
        definitions: &IdVec<LocalId, Definition>,
        parent: LocalId,
        (node, name_node): (Node<'_>, Node<'_>),
        name: &str,
        is_member: bool,
    ) {
        let kind = definitions[parent].kind;
        let counts = kind.has_members() || (kind == DefinitionKind::Module && !is_member);
        // Some languages write a sign before the name: `@name` and `:name` in Ruby.
        let plain = name.trim_start_matches(['@', ':']);
        if !plain.is_empty() && counts && self.seen.insert((parent, plain.to_owned())) {
            let name_start = (name_node.start() + name.len() - plain.len()) as u32;
            self.found.push(NamedValue { name: plain.to_owned(), parent, span: span(node, node), name_start });
        }
    }

    /// Returns all values, in the order of their declarations, without the names that imports bind.
    pub fn finish(mut self, flow: &ValueFlow) -> Vec<NamedValue> {
        let imported = flow.imports.iter().filter_map(|import| import.variable).map(|id| flow.variables[id]);
        let imported: FxHashSet<Variable> = imported.collect();
        self.found.retain(|value| !imported.contains(&Variable { scope: value.parent, symbol: symbol(&value.name) }));
        self.found
    }
}
