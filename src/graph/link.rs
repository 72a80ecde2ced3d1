//! Calls to edges: what following values found, and for calls of which nothing is known, definitions of that name.

use super::edge::Reason;
use super::flow::Flow;
use super::modules::Paths;
use super::names::{Names, Source};
use crate::ids::{DefinitionId, FileId};
use crate::lang::{DefinitionKind, Registry, Scopes};
use crate::parse::{Symbol, Value, symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// An unknown object's member links to at most this many definitions of its name; more would say nothing.
const MOST_BY_NAME: usize = 3;

/// A call site and a definition that it may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallEdge {
    /// The definition around the call site.
    pub caller: DefinitionId,
    /// The definition called.
    pub callee: DefinitionId,
    /// The call site's syntax node, in the caller's file.
    pub site: u32,
    /// Its line.
    pub line: u32,
    /// Why.
    pub reason: Reason,
}

/// All call edges of a repository, in order of caller, site and callee. `sources` are in order of path; definitions
/// are numbered through them.
pub fn link(sources: &[Source<'_>], registry: &Registry) -> (Paths, Vec<CallEdge>) {
    let paths = Paths::new(sources.iter().map(|s| s.path));
    let mut edges = {
        let mut names = Names::new(sources, &paths, registry);
        tracing::debug!(total = ?names.total(), "names");
        let flow = Flow::solve(&mut names);
        tracing::debug!("solved");
        edges_of(&flow, sources)
    };
    edges.sort_unstable();
    edges.dedup();
    (paths, edges)
}

fn edges_of(flow: &Flow<'_, '_>, sources: &[Source<'_>]) -> Vec<CallEdge> {
    let by_name = ByName::new(flow.names());
    let mut edges = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let base = flow.names().bases[file];
        for (number, call) in source.facts.flow.calls.iter().enumerate() {
            let caller = DefinitionId(base.definition + named(source, call.scope));
            let mut add = |callee: u32, reason| {
                edges.push(CallEdge { caller, callee: DefinitionId(callee), site: call.node, line: call.line, reason });
            };
            let reached = flow.reached(base.call + number as u32);
            if reached.is_empty() {
                by_name.guess(flow, file, number).into_iter().for_each(|id| add(id, Reason::Name));
            }
            for id in fitting(flow.names(), &reached, call.arguments.len()) {
                if flow.names().definition(id).kind != DefinitionKind::Anonymous {
                    add(id, flow.reason(file, number as u32, id));
                }
            }
        }
    }
    edges
}

/// The nearest definition around a scope that has a name (or is the file).
fn named(source: &Source<'_>, mut scope: u32) -> u32 {
    while source.facts.definitions[scope as usize].kind == DefinitionKind::Anonymous {
        scope = source.facts.definitions[scope as usize].parent;
    }
    scope
}

/// Of overloads (same name, same place around) only those that take this many arguments, if there are any.
fn fitting(names: &Names<'_>, reached: &[u32], arguments: usize) -> Vec<u32> {
    let fits = |id: u32| names.definition(id).parameters.len() == arguments;
    let overloads = |a: u32, b: u32| names.definition(a).qualified_name == names.definition(b).qualified_name;
    let keep = |id: u32| fits(id) || !reached.iter().any(|&other| other != id && overloads(id, other) && fits(other));
    reached.iter().copied().filter(|&id| keep(id)).collect()
}

/// Methods by name, for objects of unknown type.
struct ByName {
    methods: FxHashMap<Symbol, Vec<u32>>,
    /// By language rules.
    common: FxHashMap<*const Scopes, FxHashSet<Symbol>>,
}

impl ByName {
    fn new(names: &Names<'_>) -> Self {
        let mut methods: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        for id in 0..names.total().definition {
            let definition = names.definition(id);
            if definition.kind == DefinitionKind::Method {
                methods.entry(symbol(&definition.name)).or_default().push(id);
            }
        }
        let mut common: FxHashMap<*const Scopes, FxHashSet<Symbol>> = FxHashMap::default();
        for scopes in (0..names.sources.len()).filter_map(|file| names.scopes(file)) {
            common
                .entry(std::ptr::from_ref(scopes))
                .or_insert_with(|| scopes.common_members.iter().map(|n| symbol(n)).collect());
        }
        Self { methods, common }
    }

    fn is_common(&self, scopes: Option<&Scopes>, name: Symbol) -> bool {
        scopes.is_some_and(|scopes| self.common.get(&std::ptr::from_ref(scopes)).is_some_and(|set| set.contains(&name)))
    }

    fn guess(&self, flow: &Flow<'_, '_>, file: usize, number: usize) -> Vec<u32> {
        let names = flow.names();
        let facts = names.sources[file].facts;
        let Value::Access(object, name) = facts.flow.values[facts.flow.calls[number].callee as usize] else {
            return Vec::new();
        };
        if flow.knows(file, object) || self.is_common(names.scopes(file), name) {
            return Vec::new();
        }
        let all = self.methods.get(&name).map_or(&[][..], Vec::as_slice);
        let language = names.sources[file].language;
        let of_language: Vec<u32> = all
            .iter()
            .copied()
            .filter(|&id| names.sources[names.file_of_definition[id as usize] as usize].language == language)
            .collect();
        let in_file = |id: &u32| names.file_of_definition[*id as usize] as usize == file;
        let directory = |id: &u32| {
            names.paths.directory_of(FileId(names.file_of_definition[*id as usize]))
                == names.paths.directory_of(FileId(file as u32))
        };
        for near in [&in_file as &dyn Fn(&u32) -> bool, &directory, &|_| true] {
            let found: Vec<u32> = of_language.iter().copied().filter(|id| near(id)).collect();
            if !found.is_empty() {
                return if found.len() <= MOST_BY_NAME { found } else { Vec::new() };
            }
        }
        Vec::new()
    }
}
