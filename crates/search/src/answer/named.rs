//! Resolves a typed name to a definition or a named value. Definitions take precedence.

use super::location::{DefinitionLocation, HeadLine, head_line, location, qualified_value};
use super::resolve::{Resolved, resolve};
use super::similar_names::similar_values;
use super::typed_names::{dotted, files_ending_in};
use serde::{Deserialize, Serialize};
use whichfn_index::source::Sources;
use whichfn_index::store::{GraphFile, NamedValueId, NamedValueRow};
use whichfn_syntax::ids::{DefinitionId, FileId};

/// Something with a name: a definition, or a constant, variable, field or enum variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Named {
    /// A definition.
    Definition(DefinitionId),
    /// A named value.
    Value(NamedValueId),
}

/// Result of resolving a name to definitions and values.
pub type ResolvedName = Resolved<Named>;

/// Resolves a name to definitions or, if there is none, to values. A line of a file resolves to the
/// value that is declared on it, unless a definition begins on that line.
pub fn resolve_named(sources: &Sources<'_>, name: &str) -> ResolvedName {
    let (graph, typed) = (sources.graph(), name.trim().trim_start_matches("./"));
    let resolved = resolve(graph, typed);
    let (definitions, near) = match &resolved {
        Resolved::One(id) => (vec![*id], Vec::new()),
        Resolved::Corrected(_) => (Vec::new(), Vec::new()),
        Resolved::Many(all) => (all.clone(), Vec::new()),
        Resolved::None { near } => (Vec::new(), near.clone()),
    };
    // The definition of a file starts on the first line, which may declare a value.
    let is_file = |id: DefinitionId| graph.definition(id).parent == id;
    let starts_here = |line: u32| definitions.iter().any(|&id| !is_file(id) && graph.definition(id).line == line);
    let values: Vec<Named> = match typed.rsplit_once(':').filter(|(path, _)| !path.ends_with(':')) {
        Some((path, rest)) => {
            let line = rest.parse::<u32>().ok();
            let files = files_ending_in(graph, path);
            let here = |value: &NamedValueRow<'_>| match line {
                Some(line) => !starts_here(line) && declared_on(sources, value) == line,
                None => definitions.is_empty() && has_name(graph, value, rest),
            };
            files.into_iter().flat_map(|file| named_in(graph, file, here)).collect()
        }
        None if definitions.is_empty() => values_called(graph, typed).into_iter().map(Named::Value).collect(),
        None => Vec::new(),
    };
    let all = if values.is_empty() { definitions.into_iter().map(Named::Definition).collect() } else { values };
    match all[..] {
        [] if let Resolved::Corrected(id) = resolved => ResolvedName::Corrected(Named::Definition(id)),
        [] => {
            let near = near.into_iter().map(Named::Definition);
            ResolvedName::None {
                near: similar_values(graph, typed).into_iter().map(Named::Value).chain(near).collect(),
            }
        }
        [one] => ResolvedName::One(one),
        _ => ResolvedName::Many(all),
    }
}

fn named_in(graph: &GraphFile, file: FileId, wanted: impl Fn(&NamedValueRow<'_>) -> bool) -> Vec<Named> {
    graph.named_values_of(file).filter(|value| wanted(value)).map(|value| Named::Value(value.id)).collect()
}

/// Returns the values with a name that ends with the typed parts, sorted by path and position.
pub fn values_called(graph: &GraphFile, name: &str) -> Vec<NamedValueId> {
    graph.named_values().filter(|value| has_name(graph, value, name)).map(|value| value.id).collect()
}

fn has_name(graph: &GraphFile, value: &NamedValueRow<'_>, typed: &str) -> bool {
    if !typed.ends_with(value.name) {
        return false;
    }
    let (typed, qualified) = (dotted(typed), dotted(&qualified_value(graph, value)));
    qualified.strip_suffix(&typed).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Returns the kind of a value: `member` of a type, or `value` of a file or namespace.
pub fn value_kind(graph: &GraphFile, value: &NamedValueRow<'_>) -> &'static str {
    if graph.definition(value.parent).kind().has_members() { "member" } else { "value" }
}

fn declared_on(sources: &Sources<'_>, value: &NamedValueRow<'_>) -> u32 {
    sources.line_span(value.id.file, value.name_start, value.name_start + 1).0
}

/// Returns the line that contains the name of a definition or value.
pub fn named_head_line(sources: &Sources<'_>, named: Named) -> HeadLine {
    match named {
        Named::Definition(id) => head_line(sources, id),
        Named::Value(id) => {
            let value = sources.graph().named_value(id).unwrap_or_else(|| sources.graph().reject());
            HeadLine::at(&sources.text(value.id.file), value.name_start as usize, value.name)
        }
    }
}

/// Returns the position of a definition or value.
pub fn named_location(sources: &Sources<'_>, named: Named) -> DefinitionLocation {
    let graph = sources.graph();
    let value = match named {
        Named::Definition(id) => return location(graph, id),
        Named::Value(id) => graph.named_value(id).unwrap_or_else(|| graph.reject()),
    };
    let (start_line, end_line) = sources.line_span(value.id.file, value.start_byte, value.end_byte);
    DefinitionLocation {
        definition: value.parent,
        path: graph.path(value.id.file).to_owned(),
        start_line,
        end_line,
        line: declared_on(sources, &value),
        name: qualified_value(graph, &value),
        kind: value_kind(graph, &value),
    }
}
