//! Definitions as editors list them: by name or by position, each with the line of its name.

use super::Engine;
use whichfn_index::store::GraphFile;
use whichfn_search::answer::{CallDirection, CallLimits, DefinitionLocation, HeadLine, Resolved, head_line, location};
use whichfn_syntax::ids::DefinitionId;

/// Maximum number of callees searched for the target of a call on a line.
const MOST_CALLEES: usize = 500;

/// A definition as an editor lists it.
#[derive(Debug, Clone)]
pub struct ListedSymbol {
    /// Location of the definition.
    pub location: DefinitionLocation,
    /// Own name of the definition.
    pub name: String,
    /// Signature on one line.
    pub signature: String,
    /// First paragraph of its documentation.
    pub doc: String,
    /// Line of its name.
    pub head: HeadLine,
}

impl Engine {
    /// Returns a definition as an editor lists it.
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

    /// Returns up to `most` definitions whose names contain `typed`, ignoring case: exact matches
    /// first, then prefixes, then the rest, shorter names first.
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

    /// Returns the definitions that a position in a file refers to: the callee if the name there is
    /// called, else the definitions of that name, else the enclosing function. `line` counts from
    /// 1; `word` is the name at the position. Empty if none of these exists.
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
            .filter(|branch| is_called(branch.location.definition) && branch.calls.iter().any(|call| call.line == line))
            .map(|branch| branch.location.definition)
            .collect();
        if !called.is_empty() {
            return called;
        }
        let mut named = match self.resolve(word) {
            Resolved::One(id) => vec![id],
            Resolved::Many(ids) => ids,
            Resolved::None { .. } => Vec::new(),
        };
        named.retain(|&id| is_listed(graph, id));
        // If there are several, those of the same file are more likely.
        named.sort_by_key(|&id| graph.path(graph.definition(id).file) != path);
        if named.is_empty() { around.filter(|&id| is_listed(graph, id)).into_iter().collect() } else { named }
    }

    /// Returns the definition of this qualified name in a file; if there are several, the one
    /// closest to a line, counted from 1.
    pub fn definition_named(&self, path: &str, name: &str, line: u32) -> Option<DefinitionId> {
        let graph = &self.generation.graph;
        let file = self.sources().indexed(path)?;
        let named = graph.definitions_of(file).filter(|&id| location(graph, id).name == name);
        named.min_by_key(|&id| (graph.definition(id).line.abs_diff(line), id))
    }

    /// Returns the innermost definition around a line of exactly this file.
    fn definition_around(&self, path: &str, line: u32) -> Option<DefinitionId> {
        let graph = &self.generation.graph;
        let found = match self.resolve(&format!("{path}:{line}")) {
            Resolved::One(id) => vec![id],
            Resolved::Many(ids) => ids,
            Resolved::None { .. } => Vec::new(),
        };
        found.into_iter().find(|&id| graph.path(graph.definition(id).file) == path)
    }

    /// Returns the text of a file on disk, given its path from the root with slashes; `None` if the
    /// file is missing or is not text.
    pub fn text_on_disk(&self, path: &str) -> Option<String> {
        self.sources().on_disk(path)
    }
}

/// Checks whether a definition is a symbol; the definition of a file, which has no name, is not.
fn is_listed(graph: &GraphFile, id: DefinitionId) -> bool {
    !graph.name(id).is_empty()
}
