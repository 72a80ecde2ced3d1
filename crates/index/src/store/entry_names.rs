//! Full names of entries: the name in the file of the registration, after the prefixes that other
//! places add.
//!
//! A mount is a call edge from the place that gives a prefix to the object, function or file whose
//! entries get it. An entry therefore looks for a mount of the object that it is registered on,
//! then of the functions around it, then of its file. The mount itself may be inside another one.
//!
//! **Cost:** one pass over the kinds of all definitions, and a few look-ups for each entry; computed
//! when a name is first needed.

use super::graph_file::GraphFile;
use super::graph_rows::CallRow;
use rustc_hash::FxHashMap;
use whichfn_graph::CallReason;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_text::{joined_route, route_path};

/// Maximum number of mounts inside one another.
const MAX_MOUNTS: usize = 8;
/// Maximum number of callers of a definition that are examined.
const MAX_CALLERS: usize = 64;

/// Returns the full name of each entry with a prefix.
pub(super) fn entry_names(graph: &GraphFile) -> FxHashMap<DefinitionId, String> {
    let entries = graph.definition_ids().filter(|&id| graph.traits(id).kind() == DefinitionKind::Entry);
    entries.filter_map(|id| Some((id, full_name(graph, id)?))).collect()
}

/// Returns the full name of an entry, or `None` if no mount gives it a prefix.
fn full_name(graph: &GraphFile, id: DefinitionId) -> Option<String> {
    let name = graph.name(id);
    let Some(prefix) = prefix_from(graph, id, true, 0) else {
        return graph.has_empty_path(id).then(|| name.to_owned());
    };
    match name.split_once(' ').filter(|(_, path)| path.starts_with('/')) {
        Some((method, path)) => {
            let path = if graph.has_empty_path(id) { "" } else { path };
            Some(format!("{method} {}", route_path(&joined_route(&prefix, path))))
        }
        None => Some([&prefix, " ", name].concat().trim().to_owned()),
    }
}

/// Returns the prefix of the nearest mount of a definition or of what is around it.
fn prefix_from(graph: &GraphFile, start: DefinitionId, is_itself: bool, depth: usize) -> Option<String> {
    if depth > MAX_MOUNTS {
        return None;
    }
    let is_entry = |id: DefinitionId| graph.traits(id).kind() == DefinitionKind::Entry;
    // The outermost command on the way, whose name the file does not put before the others.
    let (mut at, mut command) = (start, None);
    loop {
        if is_entry(at) && !(is_itself && at == start) {
            command = Some(at);
        }
        // An object of another file, which has a prefix of its own.
        if at == start
            && is_itself
            && let Some(object) = object_of(graph, at)
        {
            let front = prefix_from(graph, object, false, depth + 1).unwrap_or_default();
            return Some(joined_route(&front, graph.name(object)));
        }
        if let Some(mount) = mount_of(graph, at) {
            let front = prefix_from(graph, graph.definition(mount).parent, false, depth + 1).unwrap_or_default();
            if !is_entry(at) && graph.name(mount).starts_with('/') || front.starts_with('/') {
                return Some(joined_route(&front, graph.name(mount)));
            }
            let words = [front.as_str(), graph.name(mount), command.map_or("", |command| graph.name(command))];
            return Some(words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "));
        }
        let parent = graph.definition(at).parent;
        if parent == at {
            return None;
        }
        at = parent;
    }
}

/// Returns the first mount of a definition; for a command, also of its handler.
fn mount_of(graph: &GraphFile, id: DefinitionId) -> Option<DefinitionId> {
    let direct = mount_calling(graph, id);
    if direct.is_some() || graph.traits(id).kind() != DefinitionKind::Entry || graph.name(id).contains('/') {
        return direct;
    }
    let site = graph.definition(id).node;
    let handlers = graph.calls(id).iter().filter(|call| call.site == site);
    handlers.into_iter().find_map(|call| mount_calling(graph, call.callee))
}

/// Returns the object that an entry is registered on, if another file defines it.
fn object_of(graph: &GraphFile, entry: DefinitionId) -> Option<DefinitionId> {
    let site = graph.definition(entry).node;
    let mut objects = graph.calls(entry).iter().filter(|call| call.site == site && call.reason() != CallReason::Name);
    let is_object = |call: &&CallRow| graph.traits(call.callee).kind() == DefinitionKind::Mount;
    objects.find(is_object).map(|call| call.callee)
}

fn mount_calling(graph: &GraphFile, id: DefinitionId) -> Option<DefinitionId> {
    let mounts = graph.callers(id).iter().copied().take(MAX_CALLERS);
    let mut mounts = mounts.filter(|&caller| graph.traits(caller).kind() == DefinitionKind::Mount);
    mounts.find(|&mount| {
        let mut calls = graph.calls(mount).iter();
        calls.any(|call| call.callee == id && call.reason() != CallReason::Name)
    })
}
