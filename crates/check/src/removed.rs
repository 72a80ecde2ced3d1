//! The rule `callers` for removed functions: a function was deleted or renamed, but calls that the
//! change did not touch still refer to it.
//!
//! The graph of the working tree does not contain such a function, so its calls are recognized by
//! their spelling: its name in the files from which it was visible without an import, the name
//! imported from its file, and a member access on its file, its type or the receiver. Calls on
//! other objects (`thing.save()`) are not reported, because only the function's own links
//! identified the type of `thing`. Nothing is reported while the name is defined anywhere in the
//! repository, because the function was then moved or is created in another way.
//!
//! **Cost:** nothing if no function was removed; otherwise one pass over the text of all files, and
//! parsing the files that contain the name of a removed function.

use super::body::Body;
use super::finding::{Finding, FindingLocation, Rule};
use super::sides::{ChangedFile, ParsedFiles, ParsedSide, Sides};
use rayon::prelude::*;
use whichfn_syntax::ids::{FileId, VariableId};
use whichfn_syntax::lang::{DefinitionKind, Visibility};
use whichfn_syntax::parse::{AssignmentTarget, Call, Definition, Import, Symbol, SymbolicValue, symbol};
use whichfn_system::error::Result;
use whichfn_text::{file_name, occurrences};

/// A function that the change removed and that no longer exists anywhere.
struct RemovedFunction<'s, 'a> {
    changed: &'s ChangedFile<'a>,
    old: &'s ParsedSide<'a>,
    definition: &'s Definition,
    symbol: Symbol,
    /// Name of the type that the function belonged to, or `None` if it was not a member of a type.
    type_name: Option<&'s str>,
}

/// Returns a finding for each removed function that is still called.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn calls_of_removed(sides: &Sides<'_>) -> Result<Vec<Finding>> {
    let removed: Vec<RemovedFunction<'_, '_>> =
        sides.files.iter().flat_map(|changed| removed_from(sides, changed)).collect();
    let mut files = ParsedFiles::new(sides);
    let mut found = Vec::new();
    for (function, mentioning) in removed.iter().zip(files_with(sides, &removed)) {
        let mut left = Vec::new();
        for file in mentioning {
            let Some(side) = files.side(file)? else { continue };
            let calls = side.facts.flow.calls.iter().filter(|call| function.is_called(sides, file, side, call));
            left.extend(calls.filter(|call| !is_touched(sides, file, side, call)).map(|call| {
                let around = side.facts.definitions.get(call.scope).map(|around| around.qualified_name.clone());
                let (path, name) = (sides.graph.path(file).to_owned(), around.unwrap_or_default());
                FindingLocation { path, line: call.line, name, note: "still calls it".to_owned() }
            }));
        }
        left.sort();
        left.dedup();
        let Some(location) = left.first().map(|first| FindingLocation { note: String::new(), ..first.clone() }) else {
            continue;
        };
        found.push(Finding { rule: Rule::Callers, location, message: function.message(left.len()), related: left });
    }
    Ok(found)
}

fn is_touched(sides: &Sides<'_>, file: FileId, side: &ParsedSide<'_>, call: &Call) -> bool {
    let last = call.line + side.node(call.node).matches('\n').count() as u32;
    sides.changed(file).is_some_and(|changed| changed.touches((call.line, last)))
}

/// Returns the functions of a changed file that no longer exist anywhere.
fn removed_from<'s, 'a>(sides: &Sides<'_>, changed: &'s ChangedFile<'a>) -> Vec<RemovedFunction<'s, 'a>> {
    let Some(old) = &changed.old else { return Vec::new() };
    let removed =
        old.functions().into_values().filter(|(_, was)| !still_exists(sides, changed.new.as_ref(), &was.name));
    let function = |definition: &'s Definition| {
        let around = old.facts.definitions.get(definition.parent)?;
        let type_name = match around.kind {
            DefinitionKind::Module => None,
            kind if kind.has_members() => Some(&around.name[..]),
            // A nested function is called only in the function that encloses it.
            _ => return None,
        };
        Some(RemovedFunction { changed, old, definition, symbol: symbol(&definition.name), type_name })
    };
    removed.filter_map(|(_, definition)| function(definition)).collect()
}

/// Checks whether a name may still refer to something: to a definition anywhere, or to anything
/// that the changed file still binds to it.
fn still_exists(sides: &Sides<'_>, now: Option<&ParsedSide<'_>>, name: &str) -> bool {
    let is_bound = |side: &ParsedSide<'_>| {
        let (flow, wanted) = (&side.facts.flow, symbol(name));
        flow.variables.iter().any(|variable| variable.symbol == wanted)
            || flow.bindings.iter().any(|b| matches!(b.target, AssignmentTarget::Member(_, member) if member == wanted))
            || flow.imports.iter().any(|import| import.variable.is_none() && !side.language.spec.modules.include)
    };
    !sides.graph.named(name).is_empty() || now.is_some_and(is_bound)
}

/// Returns, for each removed function, the files that contain its name.
fn files_with(sides: &Sides<'_>, removed: &[RemovedFunction<'_, '_>]) -> Vec<Vec<FileId>> {
    if removed.is_empty() {
        return Vec::new();
    }
    let named_in = |file: FileId| -> Vec<(usize, FileId)> {
        let text = sides.sources().text(file);
        let may_call =
            |(_, one): &(usize, &RemovedFunction<'_, '_>)| occurrences(&text, &one.definition.name).next().is_some();
        removed.iter().enumerate().filter(may_call).map(|(at, _)| (at, file)).collect()
    };
    let files: Vec<FileId> = sides.graph.file_ids().filter(|file| sides.language(*file).is_some()).collect();
    let mut found = vec![Vec::new(); removed.len()];
    for (at, file) in files.into_par_iter().flat_map_iter(named_in).collect::<Vec<_>>() {
        found[at].push(file);
    }
    found
}

impl RemovedFunction<'_, '_> {
    /// Returns the finding's message, given the number of remaining calls.
    fn message(&self, calls: usize) -> String {
        let calls = if calls == 1 { "1 call remains".to_owned() } else { format!("{calls} calls remain") };
        let renamed = self.renamed().map(|name| format!(" (now {name})")).unwrap_or_default();
        let Definition { qualified_name, .. } = self.definition;
        format!("{qualified_name} was removed from {}{renamed}, but {calls}", self.changed.old_path)
    }

    /// Returns the name of a new function in the same file with the same body, if there is one.
    fn renamed(&self) -> Option<String> {
        let (now, before) = (self.changed.new.as_ref()?, self.old.functions());
        let (was, _) = self.old.facts.definitions.enumerate().find(|(_, one)| one.span == self.definition.span)?;
        let body = Body::new(self.old, was, self.definition);
        let mut new = now.functions().into_iter().filter(|(name, _)| !before.contains_key(name));
        new.find(|(_, (local, one))| Body::new(now, *local, one).is_version_of(&body)).map(|(name, _)| name.to_owned())
    }

    /// Checks whether a call in a file of the working tree refers to the removed function.
    fn is_called(&self, sides: &Sides<'_>, file: FileId, side: &ParsedSide<'_>, call: &Call) -> bool {
        let (flow, path) = (&side.facts.flow, sides.graph.path(file));
        if !std::ptr::eq(side.language, self.old.language) {
            return false;
        }
        match flow.values.get(call.callee) {
            Some(SymbolicValue::Free { symbol, .. }) if *symbol == self.symbol => match self.type_name {
                None => self.is_seen_from(path),
                Some(_) => side.language.spec.scopes.implicit_members && self.is_call_on_own_type(side, call),
            },
            Some(SymbolicValue::Variable(variable)) => {
                let is_it = |import: &Import| import.name.as_ref() == Some(&self.definition.name);
                self.type_name.is_none() && self.imports(side, *variable, path).is_some_and(is_it)
            }
            Some(SymbolicValue::Access(object, member)) if *member == self.symbol => match flow.values.get(*object) {
                Some(SymbolicValue::Variable(variable)) => self.refers_to_function(side, call, *variable, path),
                Some(SymbolicValue::Free { symbol: name, .. }) => {
                    self.type_name.is_some_and(|own| symbol(own) == *name) && self.is_seen_from(path)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Checks whether a variable refers to the file, the type or the receiver that the removed
    /// function belonged to.
    fn refers_to_function(&self, side: &ParsedSide<'_>, call: &Call, variable: VariableId, path: &str) -> bool {
        let around = side.facts.definitions.get(call.scope);
        let is_receiver = around.is_some_and(|around| around.receiver == Some(variable));
        match (self.type_name, self.imports(side, variable, path)) {
            (Some(_), _) if is_receiver => self.is_call_on_own_type(side, call),
            (Some(own), Some(import)) => import.name.as_deref() == Some(own),
            (None, Some(import)) => import.name.as_deref().is_none_or(|name| name == self.module()),
            _ => false,
        }
    }

    /// Returns the import that binds a variable, if it imports the removed function's file or
    /// something from that file.
    fn imports<'i>(&self, side: &'i ParsedSide<'_>, variable: VariableId, path: &str) -> Option<&'i Import> {
        let mut imports = side.facts.flow.imports.iter().filter(|import| import.variable == Some(variable));
        let import = imports.next().filter(|_| imports.next().is_none())?;
        let last = import.path.last().map(|last| last.rsplit('/').next().unwrap_or(last));
        let named = last.map(|last| last.split('.').next().unwrap_or(last)).or(import.name.as_deref());
        let is_in_same_folder = import.path.is_empty() && folder(path) == folder(&self.changed.old_path);
        let is_module = named == Some(self.module()) || (import.name.as_deref() == Some(self.module()));
        (is_module || is_in_same_folder).then_some(import)
    }

    /// Returns the name by which imports refer to the removed function's file: the file stem, or
    /// the directory in languages that do not import single files.
    fn module(&self) -> &str {
        let (path, spec) = (&self.changed.old_path[..], &self.old.language.spec);
        let stem = file_name(path).split('.').next().unwrap_or_default();
        let is_index = spec.modules.index_files.iter().any(|index| index == stem);
        match spec.scopes.visibility {
            Visibility::File if !is_index => stem,
            _ => file_name(folder(path)),
        }
    }

    /// Checks whether the removed function was visible from a file without an import.
    fn is_seen_from(&self, path: &str) -> bool {
        let own = &self.changed.old_path;
        match self.old.language.spec.scopes.visibility {
            Visibility::File => path == own,
            Visibility::Directory => folder(path) == folder(own),
            Visibility::Repository => true,
        }
    }

    /// Checks whether a call is in a method of the removed function's type, and that type has no
    /// bases that could define the name.
    fn is_call_on_own_type(&self, side: &ParsedSide<'_>, call: &Call) -> bool {
        let definitions = &side.facts.definitions;
        let around = definitions.get(call.scope).and_then(|around| definitions.get(around.parent));
        around.is_some_and(|around| Some(&around.name[..]) == self.type_name && around.bases.is_empty())
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
