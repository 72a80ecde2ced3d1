//! The definition or value whose uses are wanted, and everything else with its name.

use crate::answer::named::Named;
use whichfn_graph::{Referent, UseResolver};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, symbol};

/// The wanted definition or value.
pub(super) struct Target {
    pub file: FileId,
    pub name: String,
    pub symbol: Symbol,
    /// Definition that contains it, by its number in the file.
    parent: LocalId,
    /// The definition with its overloads and extensions; empty for a value.
    pub definitions: Vec<DefinitionId>,
    pub is_type: bool,
    pub is_member: bool,
    /// True if a type and a value of the same name are declared side by side, so that the position
    /// of a use determines which of them it refers to.
    pub is_shared: bool,
}

/// Checks whether a definition of this kind is no value: a class is one.
fn is_only_type(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Interface | DefinitionKind::Type)
}

impl Target {
    pub fn new(graph: &GraphFile, named: Named) -> Self {
        match named {
            Named::Definition(id) => Self::of_definition(graph, id),
            Named::Value(id) => {
                let value = graph.named_value(id).unwrap_or_else(|| graph.reject());
                Self {
                    file: id.file,
                    name: value.name.to_owned(),
                    symbol: symbol(value.name),
                    parent: graph.local(value.parent),
                    definitions: Vec::new(),
                    is_type: false,
                    is_shared: graph.named(value.name).iter().any(|&id| {
                        let row = graph.definition(id);
                        row.parent == value.parent && is_only_type(row.kind())
                    }),
                    is_member: graph.definition(value.parent).kind().has_members(),
                }
            }
        }
    }

    fn of_definition(graph: &GraphFile, id: DefinitionId) -> Self {
        let (row, name) = (graph.definition(id), graph.name(id));
        let is_overload = |&other: &DefinitionId| {
            graph.name(other) == name && graph.qualified_name(other) == graph.qualified_name(id)
        };
        Self {
            file: row.file,
            name: name.to_owned(),
            symbol: symbol(name),
            parent: graph.local(row.parent),
            definitions: graph.definitions_of(row.file).filter(is_overload).collect(),
            is_type: row.kind().has_members(),
            is_shared: is_only_type(row.kind())
                && graph.named_values_of(row.file).any(|value| value.name == name && value.parent == row.parent),
            is_member: graph.definition(row.parent).kind().has_members(),
        }
    }

    /// Declares all values with this name, so that they resolve, and returns whether the wanted one
    /// is the only thing with its name in the given files.
    pub fn declare_all(&self, graph: &GraphFile, resolver: &mut UseResolver<'_>, files: &[FileId]) -> bool {
        let mut count = 0;
        for &file in files {
            for value in graph.named_values_of(file).filter(|value| value.name == self.name) {
                resolver.declare(file, graph.local(value.parent), self.symbol);
                count += usize::from(
                    (file, graph.local(value.parent)) != (self.file, self.parent) || !self.definitions.is_empty(),
                );
            }
            let is_other = |id: &DefinitionId| {
                graph.name(*id) == self.name
                    && !self.definitions.contains(id)
                    && !matches!(graph.traits(*id).kind(), DefinitionKind::Declaration | DefinitionKind::Extension)
            };
            count += graph.definitions_of(file).filter(is_other).count();
        }
        count == 0
    }

    /// Checks whether a resolved name is the wanted definition or value.
    pub fn is(&self, graph: &GraphFile, referent: Referent) -> bool {
        match referent {
            Referent::Definition(file, local) => {
                let first = graph.definitions_of(file).next();
                first.is_some_and(|first| self.definitions.contains(&DefinitionId(first.0 + local.0)))
            }
            Referent::Value(file, parent, name) => (file, parent, name) == (self.file, self.parent, self.symbol),
            Referent::Other => false,
        }
    }
}
