//! The definitions that a change touches.

use super::change::Change;
use super::sides::{ChangedFile, ParsedSide, Sides};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::Path;
use whichfn_index::store::Generation;
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, Registry};
use whichfn_system::error::Result;

/// The definitions that a change touches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedDefinitions {
    /// Functions that are new or whose text differs, and types and files with changed lines outside
    /// functions; sorted by position.
    pub definitions: Vec<DefinitionId>,
    /// Qualified names of functions that the change removed, each with its former path; sorted.
    pub removed: Vec<(String, String)>,
    /// Number of changed files that were examined.
    pub files: usize,
    /// Paths of files that were skipped because of an unresolved merge conflict.
    pub conflicts: Vec<String>,
    /// Paths of files that were skipped because they no longer parse.
    pub broken: Vec<String>,
}

/// Returns the definitions that a change to the repository at `root` touches.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub fn changed_definitions(
    root: &Path,
    generation: &Generation,
    registry: &Registry,
    change: &Change,
) -> Result<ChangedDefinitions> {
    let sides = Sides::new(root, generation, registry, change)?;
    let mut found = BTreeSet::new();
    let mut removed = BTreeSet::new();
    for changed in &sides.files {
        if let (Some(file), Some(new)) = (changed.file, &changed.new) {
            found.extend(touched(changed, new).into_iter().map(|local| sides.definition(file, local)));
        }
        removed.extend(gone(changed));
    }
    Ok(ChangedDefinitions {
        definitions: found.into_iter().collect(),
        removed: removed.into_iter().collect(),
        files: sides.files.len(),
        conflicts: sides.conflicts,
        broken: sides.broken,
    })
}

/// Returns the functions of a file that are new or differ, and the innermost types, or the file,
/// around changed lines outside functions.
fn touched(changed: &ChangedFile<'_>, new: &ParsedSide<'_>) -> BTreeSet<LocalId> {
    let old = changed.old.as_ref();
    let (before, after) = (old.map(ParsedSide::functions).unwrap_or_default(), new.functions());
    let lines = changed.touched_lines();
    let is_touched = |(first, last): (u32, u32)| (first..=last).any(|line| lines.contains(&line));
    let mut in_function = FxHashSet::default();
    let mut found = BTreeSet::new();
    for (id, definition) in new.facts.definitions.enumerate() {
        let span = (definition.span.start_line, definition.span.end_line);
        if !definition.kind.is_function() || definition.kind == DefinitionKind::Anonymous {
            continue;
        }
        in_function.extend(span.0..=span.1);
        let name = definition.qualified_name.as_str();
        // A name that several functions share cannot be paired, so its lines decide.
        let differs = match (before.get(name), after.get(name), old) {
            (Some((_, was)), Some(_), Some(old)) => old.text_of(was) != new.text_of(definition),
            (None, Some(_), _) => true,
            _ => is_touched(span),
        };
        if differs {
            found.insert(id);
        }
    }
    let outside = lines.iter().filter(|line| !in_function.contains(*line));
    found.extend(outside.filter_map(|&line| around(new, line)));
    found
}

/// Returns the innermost type around a line, or the file.
fn around(side: &ParsedSide<'_>, line: u32) -> Option<LocalId> {
    let is_around = |first: u32, last: u32| (first..=last).contains(&line);
    let all = side.facts.definitions.enumerate();
    let outer = all.filter(|(_, one)| !one.kind.is_function() && is_around(one.span.start_line, one.span.end_line));
    outer.min_by_key(|(id, one)| (one.span.end_byte - one.span.start_byte, std::cmp::Reverse(*id))).map(|(id, _)| id)
}

/// Returns the functions that a file no longer contains.
fn gone(changed: &ChangedFile<'_>) -> Vec<(String, String)> {
    let Some(old) = &changed.old else { return Vec::new() };
    let after = changed.new.as_ref().map(ParsedSide::functions).unwrap_or_default();
    let shared: FxHashSet<&str> = changed
        .new
        .iter()
        .flat_map(|new| new.facts.definitions.iter())
        .map(|definition| definition.qualified_name.as_str())
        .collect();
    let is_gone = |name: &&str| !after.contains_key(name) && !shared.contains(name);
    let names = old.functions().into_keys().filter(is_gone).map(str::to_owned).collect::<Vec<_>>();
    names.into_iter().map(|name| (name, changed.old_path.clone())).collect()
}
