//! The definition or value whose uses are wanted, and everything else with its name.

use crate::answer::location::qualified_value;
use crate::answer::named::Named;
use rustc_hash::FxHashSet;
use whichfn_graph::{Referent, UseResolver};
use whichfn_index::store::{DefinitionRow, GraphFile, TypeGraph};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::{after_breaks, occurrences};

/// A definition or value with the name of the target.
pub(super) enum Namesake {
    Definition(DefinitionId),
    /// A value, by its file and the definition that contains it.
    Value(FileId, LocalId),
}

/// The wanted definition or value.
pub(super) struct Target {
    pub file: FileId,
    pub name: String,
    /// Name of a component as an element in lower case with hyphens.
    pub element: Option<String>,
    pub symbol: Symbol,
    /// Definition that contains it, by its number in the file.
    parent: LocalId,
    /// Qualified name of that definition.
    parent_name: String,
    /// Definitions with this name and parent: overloads, extensions, or a type next to a value.
    pub definitions: Vec<DefinitionId>,
    /// Methods that the wanted method overrides or implements.
    overridden: Vec<DefinitionId>,
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
    pub fn new(graph: &GraphFile, types: &TypeGraph<'_>, named: Named) -> Self {
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
            parent_name: graph.qualified_name(parent).to_owned(),
            is_callable: kind.is_some_and(|kind| !kind.has_members()),
            is_type,
            is_member: kind == Some(DefinitionKind::Method) || graph.definition(parent).kind().has_members(),
            is_shared: match is_type {
                true => value || kinds.any(|kind| !is_only_type(kind)),
                false => kinds.any(is_only_type),
            },
            element: kind
                .filter(|kind| kind.is_function() && name.starts_with(char::is_uppercase))
                .map(|_| hyphenated(name))
                .filter(|element| element.contains('-')),
            name: name.to_owned(),
            overridden: definitions.iter().flat_map(|&id| types.overridden(id)).collect(),
            definitions,
        }
    }

    /// Declares all values with this name, so that they resolve, and returns all things with the
    /// name in the given files.
    pub fn declare_all(&self, graph: &GraphFile, resolver: &mut UseResolver<'_>, files: &[FileId]) -> Vec<Namesake> {
        let mut found = Vec::new();
        for &file in files {
            for value in graph.named_values_of(file).filter(|value| value.name == self.name) {
                let parent = graph.local(value.parent);
                resolver.declare(file, parent, self.symbol);
                found.push(Namesake::Value(file, parent));
            }
            let counts = |id: &DefinitionId| {
                let kind = graph.traits(*id).kind();
                let is_part = matches!(kind, DefinitionKind::Declaration | DefinitionKind::Extension);
                graph.name(*id) == self.name
                    && !is_part
                    && !matches!(kind, DefinitionKind::Entry | DefinitionKind::Mount)
            };
            found.extend(graph.definitions_of(file).filter(counts).map(Namesake::Definition));
        }
        found
    }

    /// Checks whether a thing with the name is the wanted one.
    pub fn is_namesake(&self, one: &Namesake) -> bool {
        match one {
            Namesake::Definition(id) => self.definitions.contains(id),
            Namesake::Value(file, parent) => (*file, *parent) == (self.file, self.parent),
        }
    }

    /// Returns a target with the same properties that nothing refers to.
    pub fn of_nothing(&self) -> Self {
        let (definitions, overridden) = (Vec::new(), Vec::new());
        let (name, parent_name, element) = (self.name.clone(), String::new(), None);
        Self { file: FileId(u32::MAX), name, element, parent_name, definitions, overridden, ..*self }
    }

    /// Returns the properties that decide about a use whose referent is not a target.
    pub fn class(&self) -> [bool; 4] {
        [self.is_callable, self.is_type, self.is_member, self.is_shared]
    }

    /// Iterates over the definitions whose uses may be uses of the target.
    pub fn related(&self) -> impl Iterator<Item = DefinitionId> {
        self.definitions.iter().chain(&self.overridden).copied()
    }

    /// Returns the file and the definition that contain the target.
    pub fn place(&self) -> (FileId, LocalId) {
        (self.file, self.parent)
    }

    /// Returns the offsets at which a file declares definitions and values with the name.
    pub fn declared(&self, graph: &GraphFile, file: FileId, text: &str) -> FxHashSet<usize> {
        let values = graph.named_values_of(file).filter(|value| value.name == self.name);
        let mut declared: FxHashSet<usize> = values.map(|value| value.name_start as usize).collect();
        let rows = graph.definitions_of(file).zip(graph.rows_of(file));
        let named = rows.filter(|&(id, _)| graph.name(id) == self.name);
        declared.extend(named.filter_map(|(_, row)| name_of(&row, text, &self.name)));
        declared
    }

    /// Checks whether a file contains the name at a place that does not declare it.
    pub fn may_be_used(&self, graph: &GraphFile, file: FileId, text: &str) -> bool {
        let mut named = occurrences(text, &self.name).peekable();
        let is_named = named.peek().is_some() && {
            let declared = self.declared(graph, file, text);
            named.any(|offset| !declared.contains(&offset))
        };
        is_named || self.element.as_ref().is_some_and(|element| occurrences(text, element).next().is_some())
    }

    /// Checks whether a resolved name is the wanted definition or value.
    pub fn is(&self, graph: &GraphFile, referent: Referent) -> bool {
        match referent {
            Referent::Definition(file, local) => self.definitions.contains(&definition(graph, file, local)),
            Referent::Value(file, parent, name) => (file, parent, name) == (self.file, self.parent, self.symbol),
            Referent::Other => false,
        }
    }

    /// Checks whether a resolved name is the same member of another definition of the type, of
    /// which the build selects one.
    pub fn is_in_variant(&self, graph: &GraphFile, referent: Referent) -> bool {
        let Referent::Value(file, parent, name) = referent else { return false };
        self.is_member
            && file != self.file
            && name == self.symbol
            && graph.qualified_name(definition(graph, file, parent)) == self.parent_name
    }

    /// Returns the overridden method that a resolved name refers to.
    pub fn base(&self, graph: &GraphFile, referent: Referent) -> Option<DefinitionId> {
        let Referent::Definition(file, local) = referent else { return None };
        let id = definition(graph, file, local);
        self.overridden.contains(&id).then_some(id)
    }
}

/// Returns the offset of a definition's name in the text of its file.
fn name_of(row: &DefinitionRow, text: &str, name: &str) -> Option<usize> {
    let (start, end) = (row.start_byte as usize, row.end_byte as usize);
    let line = std::iter::once(0).chain(after_breaks(text)).nth((row.line as usize).saturating_sub(1)).unwrap_or(0);
    let start = start.max(line);
    let within = |from, to| occurrences(text.get(from..to).unwrap_or_default(), name).map(move |at| from + at);
    // The name of an object is before it: `const store = {`.
    let before = (row.kind() == DefinitionKind::Extension).then(|| within(line, start).last());
    before.flatten().or_else(|| within(start, end).next())
}

/// Returns a name in lower case with hyphens between its words: `PriceRow` is `price-row`.
fn hyphenated(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

pub(super) fn definition(graph: &GraphFile, file: FileId, local: LocalId) -> DefinitionId {
    DefinitionId(graph.file(file).first_definition.0 + local.0)
}
