//! The names that a memory knows functions by, and the way back to the index: an invented name leads nowhere.

use crate::ids::DefinitionId;
use crate::store::GraphFile;
use crate::text::path_spelled;
use rustc_hash::FxHashMap;

/// Names of functions, each of one function of the index.
pub struct Candidates<'a> {
    graph: &'a GraphFile,
    /// How many functions have a qualified name.
    bearers: FxHashMap<&'a str, u32>,
    /// Those that were shown so far, by the name they were shown with.
    shown: FxHashMap<String, DefinitionId>,
    order: Vec<DefinitionId>,
}

impl<'a> Candidates<'a> {
    /// Of a repository; nothing was shown yet.
    pub fn new(graph: &'a GraphFile) -> Self {
        let mut bearers = FxHashMap::default();
        for id in graph.definition_ids() {
            if graph.traits(id).kind().is_function() {
                *bearers.entry(graph.qualified_name(id)).or_insert(0) += 1;
            }
        }
        Self { graph, bearers, shown: FxHashMap::default(), order: Vec::new() }
    }

    /// The name that a function is shown with: its qualified name, with its path and then its line where others have it
    /// too, and with its number among them where they stand on one line.
    pub fn key(&self, id: DefinitionId) -> String {
        let (row, name) = (self.graph.definition(id), self.graph.qualified_name(id));
        if self.bearers.get(name).is_none_or(|&count| count < 2) {
            return name.to_owned();
        }
        let (path, line) = (path_spelled(self.graph.path(row.file)), row.line);
        let of_file = || self.graph.functions_of(row.file).filter(|&other| self.graph.qualified_name(other) == name);
        let on_line = || of_file().filter(|&other| self.graph.definition(other).line == line);
        match (of_file().count(), on_line().count()) {
            (1, _) => format!("{path}:{name}"),
            (_, 1) => format!("{path}:{line}:{name}"),
            _ => format!("{path}:{line}.{}:{name}", on_line().take_while(|&other| other != id).count() + 1),
        }
    }

    /// Notes that a function was shown, and gives its name.
    pub fn show(&mut self, id: DefinitionId) -> String {
        let key = self.key(id);
        if self.shown.insert(key.clone(), id).is_none() {
            self.order.push(id);
        }
        key
    }

    /// The function of a name that was shown: the name itself, or an own or qualified name that only one of those shown
    /// has.
    pub fn find(&self, name: &str) -> Option<DefinitionId> {
        let name = name.trim().trim_matches(['`', '"', '\'']).trim_end_matches("()");
        if let Some(&id) = self.shown.get(name) {
            return Some(id);
        }
        let is_meant = |id: &DefinitionId| self.graph.name(*id) == name || self.graph.qualified_name(*id) == name;
        let mut meant = self.order.iter().copied().filter(is_meant);
        let first = meant.next()?;
        meant.next().is_none().then_some(first)
    }

    /// All that were shown, in order.
    pub fn shown(&self) -> &[DefinitionId] {
        &self.order
    }
}
