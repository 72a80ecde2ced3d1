//! The definition or value whose uses are wanted, and everything else with its name.

use crate::answer::named::{Named, qualified_value};
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
    /// Definitions with this name and parent: overloads, extensions, or a type next to a value.
    pub definitions: Vec<DefinitionId>,
    /// True for a function or method.
    pub is_callable: bool,
    /// True for a type that is no value, such as an interface.
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
        let (file, name, parent, qualified_name, kind) = match named {
            Named::Definition(id) => {
                let row = graph.definition(id);
                (row.file, graph.name(id), row.parent, graph.qualified_name(id).to_owned(), Some(row.kind()))
            }
            Named::Value(id) => {
                let value = graph.named_value(id).unwrap_or_else(|| graph.reject());
                (id.file, value.name, value.parent, qualified_value(graph, &value), None)
            }
        };
        let is_type = kind.is_some_and(is_only_type);
        // A name that resolves to one of several declarations side by side may mean any of them.
        let is_here = |id: &DefinitionId| {
            graph.name(*id) == name
                && graph.definition(*id).parent == parent
                && graph.qualified_name(*id) == qualified_name
        };
        let definitions: Vec<DefinitionId> = graph.definitions_of(file).filter(is_here).collect();
        let mut kinds = definitions.iter().map(|&id| graph.traits(id).kind());
        let value = graph.named_values_of(file).any(|value| value.name == name && value.parent == parent);
        Self {
            file,
            symbol: symbol(name),
            parent: graph.local(parent),
            is_callable: kind.is_some_and(|kind| !kind.has_members()),
            is_type,
            is_member: kind == Some(DefinitionKind::Method) || graph.definition(parent).kind().has_members(),
            is_shared: match is_type {
                true => value || kinds.any(|kind| !is_only_type(kind)),
                false => kinds.any(is_only_type),
            },
            name: name.to_owned(),
            definitions,
        }
    }

    /// Declares all values with this name, so that they resolve, and returns whether the wanted one
    /// is the only thing with its name in the given files.
    pub fn declare_all(&self, graph: &GraphFile, resolver: &mut UseResolver<'_>, files: &[FileId]) -> bool {
        let mut count = 0;
        for &file in files {
            for value in graph.named_values_of(file).filter(|value| value.name == self.name) {
                resolver.declare(file, graph.local(value.parent), self.symbol);
                count += usize::from((file, graph.local(value.parent)) != (self.file, self.parent));
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
