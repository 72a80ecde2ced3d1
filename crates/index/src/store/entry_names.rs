//! Full names of entries: the name in the file of the registration, after the prefixes that other
//! places add.
//!
//! A mount is a call edge from the place that gives a prefix to the object, function or file whose
//! entries get it. An entry therefore looks for the mounts of the object that it is registered on,
//! then of the functions around it, then of its file. A mount itself may be inside another one.
//! Each of several mounts of the same object gives the entry a name. An object that needs a mount and
//! has none (a blueprint), or whose origin is not known, has an unknown prefix: [`UNKNOWN_SEGMENTS`].
//!
//! The prefix of a type also applies to the handlers in types that are derived from it, which may be in
//! other files. A type with a prefix of its own does not inherit another one.
//!
//! **Cost:** one pass over the kinds of all definitions and the calls of mounts, and a few look-ups for
//! each entry; computed
//! when a name is first needed.

use super::graph_file::GraphFile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use whichfn_graph::CallReason;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_text::{
    ANNOTATION, ANY_METHOD, APPLICATION, COMPLETE_PATH, OPEN_PREFIX, OPEN_PREFIX_OF_HANDLER, OPEN_PREFIX_OF_OBJECT,
    PASSED_ON, UNKNOWN_SEGMENTS, joined_route, prefix_in_type, route_path, template_of,
};

/// Maximum number of mounts inside one another.
const MAX_MOUNTS: usize = 8;
/// Maximum number of names of an entry.
const MAX_NAMES: usize = 16;
/// Maximum number of mounts that are followed for an entry.
const MAX_STEPS: usize = 128;

/// Maximum number of bases of a type, or of types derived from it, that are examined.
const MAX_TYPES: usize = 32;

impl GraphFile {
    /// Returns all names of an entry: one for each place that includes it.
    pub fn entry_names(&self, id: DefinitionId) -> impl Iterator<Item = &str> {
        let others = self.names_with_prefix(id).into_iter().flatten().skip(1).map(String::as_str);
        std::iter::once(self.qualified_name(id)).chain(others)
    }

    /// Returns the names of an entry with a prefix; `None` for any other definition.
    pub(super) fn names_with_prefix(&self, id: DefinitionId) -> Option<&Vec<String>> {
        let is_entry = self.traits(id).kind() == DefinitionKind::Entry;
        if is_entry { self.entry_names.get_or_init(|| entry_names(self)).get(&id) } else { None }
    }

    /// Checks whether an entry is no route or command, but an environment variable, event, task or
    /// table: its qualified name has the word for its kind in front.
    pub fn is_tagged(&self, entry: DefinitionId) -> bool {
        let qualified = self.string(entry, |row| row.qualified_name);
        let tag = qualified.strip_suffix(self.name(entry)).and_then(|front| front.strip_suffix(' '));
        tag.is_some_and(|tag| !tag.is_empty() && tag.chars().all(char::is_uppercase))
    }

    /// Returns the prefix of an object that a mount replaces: the usual prefix of a file, which follows the
    /// equals sign in the stored form of the mount, or else the object's own.
    fn replaced_prefix(&self, mount: DefinitionId, object: DefinitionId) -> Option<&str> {
        let file = self.string(mount, |row| row.qualified_name).strip_prefix('=')?;
        let is_file = self.traits(object).kind() == DefinitionKind::Module;
        Some(if is_file { file } else { self.name(object) })
    }

    /// Checks whether a definition is the prefix of an object that has no effect before another place
    /// mounts it.
    fn is_open_prefix(&self, id: DefinitionId) -> bool {
        self.traits(id).kind() == DefinitionKind::Mount
            && self.string(id, |row| row.qualified_name).starts_with(OPEN_PREFIX)
    }

    /// Checks whether a definition is the prefix of an object that another file may create.
    fn is_prefix_of_object(&self, id: DefinitionId) -> bool {
        let stored = || self.string(id, |row| row.qualified_name);
        self.traits(id).kind() == DefinitionKind::Mount && [APPLICATION, OPEN_PREFIX_OF_OBJECT].contains(&stored())
    }

    /// Returns what a mount specifies for the type or function around it, in stored form: the prefix
    /// of the type and the types derived from it, or the method and path of the function.
    fn stored_prefix(&self, mount: DefinitionId) -> &str {
        self.string(mount, |row| row.qualified_name)
    }

    /// Checks whether the file registers an entry with an empty path: its name follows a prefix
    /// without a slash.
    fn has_empty_path(&self, id: DefinitionId) -> bool {
        self.string(id, |row| row.qualified_name).ends_with(' ')
    }

    /// Checks whether the path of a route is complete, so that the type of its handler adds no prefix.
    fn has_complete_path(&self, id: DefinitionId) -> bool {
        self.string(id, |row| row.qualified_name).ends_with(COMPLETE_PATH)
    }
}

/// What mounts put in front of a name.
#[derive(Default)]
struct Prefix {
    text: String,
    /// Prefix at the start of the name that the mount replaces.
    replaced: Option<String>,
    /// True if no mount was found for an object that needs one.
    is_unknown: bool,
}

impl Prefix {
    fn of_mount(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    fn unknown() -> Self {
        Self { text: UNKNOWN_SEGMENTS.to_owned(), replaced: None, is_unknown: true }
    }
}

/// The mounts of a repository.
struct Known<'g> {
    graph: &'g GraphFile,
    /// Mounts of each object, function or file that they give a prefix.
    mounts: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// Mount with the prefix of each type that has one.
    types: FxHashMap<DefinitionId, DefinitionId>,
    /// Mounts of the annotations of each type that may define a prefix.
    annotations: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// Mount with the method and path of each function that has them.
    templates: FxHashMap<DefinitionId, DefinitionId>,
    /// Definitions with a mount, in order, by their name and what contains them.
    members: FxHashMap<(&'g str, DefinitionId), Vec<DefinitionId>>,
}

impl<'g> Known<'g> {
    fn new(graph: &'g GraphFile) -> Self {
        let of_kind = |kind| graph.definition_ids().filter(move |&id| graph.traits(id).kind() == kind);
        let mut known = Self {
            graph,
            mounts: FxHashMap::default(),
            types: FxHashMap::default(),
            annotations: FxHashMap::default(),
            templates: FxHashMap::default(),
            members: FxHashMap::default(),
        };
        for mount in of_kind(DefinitionKind::Mount) {
            let (stored, parent) = (graph.stored_prefix(mount), graph.definition(mount).parent);
            if stored == ANNOTATION {
                known.annotations.entry(parent).or_default().push(mount);
            } else if prefix_in_type(stored, "", "").is_some() {
                known.types.insert(parent, mount);
            } else if template_of(stored).is_some() {
                known.templates.insert(parent, mount);
            }
            // An object of another file has its prefix there.
            if graph.is_prefix_of_object(mount) {
                continue;
            }
            for call in graph.calls(mount).iter().filter(|call| call.reason() != CallReason::Name) {
                let mounts = known.mounts.entry(call.callee).or_default();
                if mounts.len() < MAX_NAMES && mounts.last() != Some(&mount) {
                    mounts.push(mount);
                }
            }
        }
        let mut mounted: Vec<DefinitionId> = known.mounts.keys().copied().collect();
        mounted.sort_unstable();
        for id in mounted.into_iter().filter(|&id| !graph.traits(id).kind().is_registered()) {
            let members = known.members.entry((graph.name(id), graph.definition(id).parent)).or_default();
            // Each of them has a mount, and not more of these are followed.
            if members.len() < MAX_NAMES {
                members.push(id);
            }
        }
        known
    }

    /// Returns the mounts of a definition.
    fn of(&self, id: DefinitionId) -> Vec<DefinitionId> {
        self.mounts.get(&id).cloned().unwrap_or_default()
    }
}

/// Returns the full names of each entry with a prefix.
fn entry_names(graph: &GraphFile) -> FxHashMap<DefinitionId, Vec<String>> {
    let known = Known::new(graph);
    let entries = graph.definition_ids().filter(|&id| graph.traits(id).kind() == DefinitionKind::Entry);
    entries.map(|id| (id, full_names(&known, id))).filter(|(_, names)| !names.is_empty()).collect()
}

/// Returns the full names of an entry; none if neither a mount nor an annotation gives it another
/// name.
fn full_names(known: &Known<'_>, id: DefinitionId) -> Vec<String> {
    let graph = known.graph;
    let (name, is_empty) = (graph.name(id), graph.has_empty_path(id));
    if graph.is_tagged(id) {
        return Vec::new();
    }
    if graph.has_complete_path(id) {
        return vec![name.to_owned()];
    }
    let mut steps = MAX_STEPS;
    let is_route = name.contains(" /");
    let mut prefixes = Mounts { known, is_route, steps: &mut steps }.prefixes(id, true, 0);
    if let Some(inherited) = inherited_prefix(known, id).filter(|_| is_route) {
        prefixes.retain(|prefix| !prefix.is_unknown);
        if prefixes.is_empty() {
            prefixes.push(Prefix::default());
        }
        prefixes.iter_mut().for_each(|prefix| prefix.text = joined_route(&prefix.text, &inherited));
    }
    let template = template_of_handler(known, id).filter(|_| is_empty);
    if prefixes.is_empty() && template.is_none() {
        return is_empty.then(|| name.to_owned()).into_iter().collect();
    }
    if prefixes.is_empty() {
        prefixes.push(Prefix::default());
    }
    let written = name.split_once(' ').filter(|(_, path)| path.starts_with('/'));
    let written = written.map(|(method, path)| (method, if is_empty { "" } else { path }));
    let full = |prefix: &Prefix| match template.or(written) {
        Some((method, path)) => {
            let path = without_front(path, prefix.replaced.as_deref());
            format!("{method} {}", route_path(&joined_route(&prefix.text, path)))
        }
        None => [&prefix.text, " ", name].concat().trim().to_owned(),
    };
    let mut names: Vec<String> = Vec::new();
    for name in prefixes.iter().map(full) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the prefix that the type around the handler of an entry has from the type of an annotation, or
/// inherits.
fn inherited_prefix(known: &Known<'_>, entry: DefinitionId) -> Option<String> {
    let Known { graph, types, .. } = known;
    let file = graph.file_around(entry);
    let handler = handlers(graph, entry).find(|&handler| !types.is_empty() && graph.file_around(handler) == file)?;
    let of_type = graph.definition(handler).parent;
    if types.contains_key(&of_type) {
        return None;
    }
    let of_annotation = |id: DefinitionId| annotation_prefix(known, id);
    let mut around = types_from(of_type, |id| graph.bases(id));
    let mount = around.find_map(|base| types.get(&base).copied().or_else(|| of_annotation(base)))?;
    prefix_in_type(graph.stored_prefix(mount), graph.name(of_type), graph.name(handler))
}

/// Returns the mount with the prefix that an annotation of a type has in the type that defines it.
fn annotation_prefix(known: &Known<'_>, of_type: DefinitionId) -> Option<DefinitionId> {
    let graph = known.graph;
    let is_type = |id: DefinitionId| graph.traits(id).kind().is_type();
    let calls = known.annotations.get(&of_type)?.iter().flat_map(|&mount| graph.calls(mount));
    let defining = calls.filter(|call| call.reason() != CallReason::Name).map(|call| call.callee);
    // The definition is the type, or its constructor.
    let mut types = defining.map(|id| if is_type(id) { id } else { graph.definition(id).parent });
    types.find_map(|one| known.types.get(&one).copied())
}

/// Returns the method and the path in the annotation of the handler of an entry for any method.
fn template_of_handler<'g>(known: &Known<'g>, entry: DefinitionId) -> Option<(&'g str, &'g str)> {
    let graph = known.graph;
    let is_any = !known.templates.is_empty() && graph.name(entry).split(' ').next() == Some(ANY_METHOD);
    let mount = handlers(graph, entry).filter(|_| is_any).find_map(|handler| known.templates.get(&handler))?;
    template_of(graph.stored_prefix(*mount))
}

/// Returns what an entry runs.
fn handlers(graph: &GraphFile, entry: DefinitionId) -> impl Iterator<Item = DefinitionId> {
    let site = graph.definition(entry).node;
    graph.calls(entry).iter().filter(move |call| call.site == site).map(|call| call.callee)
}

/// Returns the types that are reached from a type, nearest first.
fn types_from<I: Iterator<Item = DefinitionId>>(
    start: DefinitionId,
    step: impl Fn(DefinitionId) -> I,
) -> impl Iterator<Item = DefinitionId> {
    let mut seen = FxHashSet::from_iter([start]);
    let mut next = VecDeque::from([start]);
    std::iter::from_fn(move || {
        let one = next.pop_front()?;
        // A type may have thousands of derived ones.
        for found in step(one) {
            if seen.len() >= MAX_TYPES {
                break;
            }
            if seen.insert(found) {
                next.push_back(found);
            }
        }
        Some(one)
    })
}

/// Returns a path without the prefix that a mount replaces.
fn without_front<'p>(path: &'p str, front: Option<&str>) -> &'p str {
    let rest = front.and_then(|front| path.strip_prefix(front.trim_end_matches('/')));
    rest.filter(|rest| rest.is_empty() || rest.starts_with('/')).unwrap_or(path)
}

/// A search for the mounts around an entry.
struct Mounts<'k, 's> {
    known: &'k Known<'k>,
    /// True for a route, whose prefixes are joined by slashes, and false for a command.
    is_route: bool,
    /// Number of mounts that may still be followed.
    steps: &'s mut usize,
}

impl Mounts<'_, '_> {
    /// Returns the prefixes of the nearest mounts of a definition or of what is around it; an unknown one
    /// if there is none, but an object on the way needs one. With `is_itself`, the definition is the
    /// entry.
    fn prefixes(&mut self, start: DefinitionId, is_itself: bool, depth: usize) -> Vec<Prefix> {
        let graph = self.known.graph;
        if depth > MAX_MOUNTS || *self.steps == 0 {
            return Vec::new();
        }
        let is_entry = |id: DefinitionId| graph.traits(id).kind() == DefinitionKind::Entry;
        // The outermost command on the way, whose name the file does not put before the others.
        let (mut at, mut command) = (start, None);
        let mut is_open = false;
        loop {
            if is_entry(at) && !(is_itself && at == start) {
                command = Some(at);
            }
            let (mounted, mounts) = match at == start && is_itself {
                true => mounts_of_handler(self.known, at).unwrap_or_else(|| (at, mounts_of(self.known, at))),
                false => (at, mounts_of(self.known, at)),
            };
            if !mounts.is_empty() {
                return self.prefixes_of_mounts(mounted, &mounts, command, depth);
            }
            if let Some(object) = object_of(graph, at) {
                return self.prefixes_of_object(object, depth);
            }
            is_open |= self.is_route && graph.is_open_prefix(at);
            let parent = graph.definition(at).parent;
            if parent == at {
                return is_open.then(Prefix::unknown).into_iter().collect();
            }
            at = parent;
        }
    }

    /// Returns the prefixes of what is registered on an object of another file.
    fn prefixes_of_object(&mut self, object: DefinitionId, depth: usize) -> Vec<Prefix> {
        let own = self.known.graph.name(object);
        let joined =
            |front: Prefix| Prefix::of_mount(joined_route(&front.text, without_front(own, front.replaced.as_deref())));
        self.fronts(object, depth).into_iter().map(joined).collect()
    }

    /// Returns the prefixes of mounts of the definition `at`.
    fn prefixes_of_mounts(
        &mut self,
        at: DefinitionId,
        mounts: &[DefinitionId],
        command: Option<DefinitionId>,
        depth: usize,
    ) -> Vec<Prefix> {
        let graph = self.known.graph;
        let mut found = Vec::new();
        for &mount in mounts.iter().take(MAX_NAMES) {
            *self.steps = self.steps.saturating_sub(1);
            let replaced = graph.replaced_prefix(mount, at).map(str::to_owned);
            // A function that passes a router on gives it no prefix if nothing mounts the function.
            let around = graph.definition(mount).parent;
            let fronts = match graph.stored_prefix(mount) == PASSED_ON {
                true => self.prefixes(around, false, depth + 1),
                false => self.fronts(around, depth),
            };
            for front in fronts {
                let name = without_front(graph.name(mount), front.replaced.as_deref());
                let text = if self.is_route {
                    joined_route(&front.text, name)
                } else {
                    let words = [front.text.as_str(), name, command.map_or("", |command| graph.name(command))];
                    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
                };
                found.push(Prefix { replaced: replaced.clone(), ..Prefix::of_mount(text) });
            }
        }
        found.truncate(MAX_NAMES);
        found
    }

    /// Returns the prefixes of a definition; an empty one if it has none.
    fn fronts(&mut self, of: DefinitionId, depth: usize) -> Vec<Prefix> {
        let found = self.prefixes(of, false, depth + 1);
        if found.is_empty() { vec![Prefix::default()] } else { found }
    }
}

/// Returns the mounts of a definition; for a command, also of its handler, for a method without any, of
/// the methods that it overrides, and for a type without any, of the types derived from it.
fn mounts_of(known: &Known<'_>, id: DefinitionId) -> Vec<DefinitionId> {
    let graph = known.graph;
    let direct = known.of(id);
    // A mount names the method of the trait: `merge(authorizer.routes())`.
    if direct.is_empty() && graph.traits(id).kind() == DefinitionKind::Method {
        return overridden(known, id).into_iter().flat_map(|one| known.of(one)).take(MAX_NAMES).collect();
    }
    if direct.is_empty() && graph.traits(id).kind().is_type() {
        return types_from(id, |id| graph.derived(id)).flat_map(|one| known.of(one)).collect();
    }
    if !direct.is_empty() || graph.traits(id).kind() != DefinitionKind::Entry || graph.name(id).contains('/') {
        return direct;
    }
    let site = graph.definition(id).node;
    let handlers = graph.calls(id).iter().filter(|call| call.site == site);
    let mounts = handlers.into_iter().map(|call| known.of(call.callee));
    mounts.into_iter().find(|mounts| !mounts.is_empty()).unwrap_or_default()
}

/// Returns a handler of an entry and its mounts, if the framework mounts handlers: `service(show)`.
fn mounts_of_handler(known: &Known<'_>, entry: DefinitionId) -> Option<(DefinitionId, Vec<DefinitionId>)> {
    let graph = known.graph;
    let parent = graph.definition(entry).parent;
    let is_it = graph.is_open_prefix(parent) && graph.stored_prefix(parent) == OPEN_PREFIX_OF_HANDLER;
    let mounted = handlers(graph, entry).filter(|_| is_it).map(|handler| (handler, known.of(handler)));
    mounted.into_iter().find(|(_, mounts)| !mounts.is_empty())
}

/// Returns the methods with a mount that a method overrides: those of the bases of its type with its name.
fn overridden(known: &Known<'_>, method: DefinitionId) -> Vec<DefinitionId> {
    let Known { graph, members, .. } = known;
    let (name, part) = (graph.name(method), graph.definition(method).parent);
    let bases = |id: DefinitionId| graph.bases(id).chain(graph.bases(graph.owner(id)));
    let types = types_from(part, bases).filter(|&one| one != part);
    let mut found: Vec<DefinitionId> = types.filter_map(|one| members.get(&(name, one))).flatten().copied().collect();
    found.sort_unstable();
    found
}

/// Returns the object that a prefix belongs to, if another file creates it.
fn object_of(graph: &GraphFile, prefix: DefinitionId) -> Option<DefinitionId> {
    if !graph.is_prefix_of_object(prefix) {
        return None;
    }
    let calls = graph.calls(prefix).iter().filter(|call| call.reason() != CallReason::Name);
    calls.map(|call| call.callee).find(|&callee| graph.traits(callee).kind() == DefinitionKind::Mount)
}
