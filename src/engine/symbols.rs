//! Looks up definitions for editors, by name or by position.

use super::Engine;
use whichfn_graph::CallReason;
use whichfn_index::store::{GraphFile, NamedValueId};
use whichfn_search::answer::{
    CallDirection, CallLimits, DefinitionLocation, HeadLine, Named, Resolved, head_line, location, values_called,
};
use whichfn_syntax::ids::DefinitionId;

/// Maximum number of callees that are searched for the target of a call on a line.
const MOST_CALLEES: usize = 500;

/// A definition, with the data that an editor shows.
#[derive(Debug, Clone)]
pub struct ListedSymbol {
    /// Location of the definition.
    pub location: DefinitionLocation,
    /// Unqualified name of the definition.
    pub name: String,
    /// Signature of the definition, on one line.
    pub signature: String,
    /// First paragraph of the definition's documentation.
    pub doc: String,
    /// Line that contains the definition's name.
    pub head: HeadLine,
}

impl Engine {
    /// Returns a definition with the data that an editor shows.
    pub fn symbol(&self, id: DefinitionId) -> ListedSymbol {
        let graph = &self.generation.graph;
        ListedSymbol {
            location: location(graph, id),
            name: graph.name(id).to_owned(),
            signature: graph.signature(id).to_owned(),
            doc: graph.doc(id).to_owned(),
            head: head_line(&self.sources(), id),
        }
    }

    /// Returns a definition or value with the data that an editor shows.
    pub fn named_symbol(&self, named: Named) -> ListedSymbol {
        let Named::Value(value) = named else { return self.symbol(self.named_location(named).definition) };
        let row = self.generation.graph.named_value(value);
        ListedSymbol {
            location: self.named_location(named),
            name: row.map(|row| row.name.to_owned()).unwrap_or_default(),
            signature: String::new(),
            doc: String::new(),
            head: self.named_head_line(named),
        }
    }

    /// Returns up to `most` definitions whose names contain `typed`, ignoring case. Exact matches
    /// come first, then prefixes, then other matches; shorter names come before longer ones.
    pub fn symbols_named(&self, typed: &str, most: usize) -> Vec<DefinitionId> {
        let (graph, typed) = (&self.generation.graph, typed.to_lowercase());
        let ids = graph.file_ids().flat_map(|file| graph.definitions_of(file));
        let ranked = ids.filter_map(|id| {
            let name = graph.name(id).to_lowercase();
            let at = name.find(&typed).filter(|_| !typed.is_empty())?;
            Some(((name != typed, at > 0, name.len()), id))
        });
        let mut ranked: Vec<((bool, bool, usize), DefinitionId)> = ranked.collect();
        ranked.sort_unstable();
        ranked.into_iter().take(most).map(|(_, id)| id).collect()
    }

    /// Returns the definitions that a position in a file refers to. If the name at the position is
    /// called there, these are the callees; otherwise the definitions with that name, or else the
    /// enclosing definition. Returns none if there is no such definition. Line numbers start at 1,
    /// and `word` is the name at the position.
    pub fn definitions_at(&self, path: &str, line: u32, word: Option<&str>) -> Vec<DefinitionId> {
        let graph = &self.generation.graph;
        let around = self.definition_around(path, line);
        let Some(word) = word else { return around.filter(|&id| is_listed(graph, id)).into_iter().collect() };
        if let Some(id) = around.filter(|&id| graph.name(id) == word && graph.definition(id).line == line) {
            return vec![id];
        }
        let limits = CallLimits { depth: 1, max: MOST_CALLEES };
        let callees = around.map(|id| self.calls(id, CallDirection::Callees, limits).branches).unwrap_or_default();
        let is_called = |id: DefinitionId| graph.name(id) == word;
        let called: Vec<DefinitionId> = callees
            .iter()
            .filter(|branch| {
                is_called(branch.location.definition)
                    && branch
                        .link
                        .calls
                        .iter()
                        .any(|call| call.place.line == line && call.reason != CallReason::Dispatch)
            })
            .map(|branch| branch.location.definition)
            .collect();
        if !called.is_empty() {
            return called;
        }
        let mut named = match self.resolve(word) {
            Resolved::One(id) => vec![id],
            Resolved::Many(ids) => ids,
            Resolved::Corrected(_) | Resolved::None { .. } => Vec::new(),
        };
        named.retain(|&id| is_listed(graph, id));
        // If there are several definitions, the ones in the same file are more likely.
        named.sort_by_key(|&id| graph.path(graph.definition(id).file) != path);
        if named.is_empty() { around.filter(|&id| is_listed(graph, id)).into_iter().collect() } else { named }
    }

    /// Returns the definition or value that a position in a file refers to: the value that the line
    /// declares, else what [`Self::definitions_at`] returns first, else the only value with that
    /// name.
    pub fn named_at(&self, path: &str, line: u32, word: Option<&str>) -> Option<Named> {
        let (graph, word) = (&self.generation.graph, word?);
        let is_here = |&id: &NamedValueId| {
            let location = self.named_location(Named::Value(id));
            location.path == path && location.line == line
        };
        let values = values_called(graph, word);
        if let Some(&here) = values.iter().find(|&id| is_here(id)) {
            return Some(Named::Value(here));
        }
        let definition = self.definitions_at(path, line, Some(word)).into_iter().find(|&id| graph.name(id) == word);
        let only = (values.len() == 1).then(|| Named::Value(values[0]));
        definition.map(Named::Definition).or(only)
    }

    /// Returns the definition with a qualified name in a file. If there are several, returns the
    /// one closest to the given line. Line numbers start at 1.
    pub fn definition_named(&self, path: &str, name: &str, line: u32) -> Option<DefinitionId> {
        let graph = &self.generation.graph;
        let file = self.sources().indexed(path)?;
        let named = graph.definitions_of(file).filter(|&id| location(graph, id).name == name);
        named.min_by_key(|&id| (graph.definition(id).line.abs_diff(line), id))
    }

    /// Returns the innermost definition around a line, in the file with exactly this path.
    fn definition_around(&self, path: &str, line: u32) -> Option<DefinitionId> {
        let graph = &self.generation.graph;
        let found = match self.resolve(&format!("{path}:{line}")) {
            Resolved::One(id) => vec![id],
            Resolved::Many(ids) => ids,
            Resolved::Corrected(_) | Resolved::None { .. } => Vec::new(),
        };
        found.into_iter().find(|&id| graph.path(graph.definition(id).file) == path)
    }

    /// Returns the text of a file on disk, or `None` if the file is missing or is not text. The
    /// path is relative to the root and contains slashes.
    pub fn text_on_disk(&self, path: &str) -> Option<String> {
        self.sources().on_disk(path)
    }
}

/// Checks whether an editor lists a definition. The definition that represents a whole file has no
/// name and is not listed.
pub(super) fn is_listed(graph: &GraphFile, id: DefinitionId) -> bool {
    !graph.name(id).is_empty() && !graph.traits(id).kind().is_registered()
}
