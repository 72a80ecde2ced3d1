//! Resolves a name to a single definition, or explains why that is not possible.

use super::common::counted;
use super::ui::Ui;
use super::{mistyped, output, unsearched};
use crate::engine::Engine;
use whichfn_search::answer::{DefinitionLocation, Named, Resolved, ResolvedName};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// End of the advice for an ambiguous name.
const OR_ALL: &str = ", or --all";
/// Maximum number of choices listed.
const CHOICES: usize = 10;

/// Returns the definition that `name` refers to, with its overloads and its variants for other
/// builds, or with `all` each definition with this name; if it refers to a value, which has no calls,
/// prints a notice and returns an empty list.
///
/// # Errors
/// Returns an error if nothing has this name, or if it refers to several other definitions, unless
/// `all` is set.
pub(super) fn definitions(engine: &Engine, name: &str, all: bool) -> Result<Vec<DefinitionId>> {
    match engine.resolve(name) {
        Resolved::Many(found) if all || engine.are_variants(&found) => Ok(found),
        resolved => Ok(single(engine, name, resolved, OR_ALL)?.into_iter().collect()),
    }
}

/// Returns the few definitions that `name` refers to, as a question with this name does, and prints
/// which they are; `None` if it refers to one or to none, or to too many.
pub(super) fn merged(engine: &Engine, name: &str, ui: Ui) -> Option<Vec<DefinitionId>> {
    let Resolved::Many(found) = engine.resolve(name) else { return None };
    let merged = engine.merged(&found)?;
    let choices: Vec<String> = merged.iter().map(|&id| shown(&engine.location(id))).collect();
    if !engine.are_variants(&merged) && merged.len() > 1 {
        ui.notice(&format!("{name} matches {}:", counted(choices.len(), "definition")));
        choices.iter().for_each(|choice| ui.notice(&format!("  {choice}")));
    }
    Some(merged)
}

/// Returns the single definition that `name` refers to; if it refers to a value, which has no calls,
/// prints a notice and returns `None`.
///
/// # Errors
/// Returns an error if nothing has this name, or if it refers to several definitions.
pub(super) fn definition(engine: &Engine, name: &str) -> Result<Option<DefinitionId>> {
    single(engine, name, engine.resolve(name), "")
}

fn single(engine: &Engine, name: &str, resolved: Resolved, or_all: &str) -> Result<Option<DefinitionId>> {
    if matches!(resolved, Resolved::Corrected(_) | Resolved::None { .. }) && value_notice(engine, name) {
        return Ok(None);
    }
    let place = |id| (engine.location(id), engine.is_test(id));
    chosen(engine, name, resolved, ("no function, type or file", or_all), place).map(Some)
}

/// Returns the definition or value that `name` refers to or, with `all`, each of them.
///
/// # Errors
/// Returns an error if nothing has this name, or if it refers to several, unless `all` is set.
pub(super) fn named(engine: &Engine, name: &str, all: bool) -> Result<Vec<Named>> {
    let is_test = |named| matches!(named, Named::Definition(id) if engine.is_test(id));
    let place = |named| (engine.named_location(named), is_test(named));
    match engine.resolve_named(name) {
        ResolvedName::Many(found) if all => Ok(found),
        resolved => Ok(vec![chosen(engine, name, resolved, ("nothing", OR_ALL), place)?]),
    }
}

/// Returns what a name refers to; if it is corrected, prints the name that is used.
fn chosen<T: Copy>(
    engine: &Engine,
    name: &str,
    resolved: Resolved<T>,
    (nothing, or_all): (&str, &str),
    place: impl Fn(T) -> (DefinitionLocation, bool),
) -> Result<T> {
    let choice = |one| shown(&place(one).0);
    match resolved {
        Resolved::One(one) => Ok(one),
        Resolved::Corrected(one) => {
            let used = choice(one);
            output::notice(&format!("no function, type or file is called {name}; using {used}"));
            Ok(one)
        }
        Resolved::None { near } => Err(unknown(engine, nothing, name, near.into_iter().map(choice).collect())),
        Resolved::Many(all) => Err(several(name, all.into_iter().map(place).collect(), or_all)),
    }
}

/// Returns the definitions that use the values with a name, and prints their number.
///
/// # Errors
/// Returns an error if there are several values, unless `all` is set.
pub(super) fn users(engine: &Engine, name: &str, values: &[Named], all: bool) -> Result<Vec<DefinitionId>> {
    if let [_, _, ..] = values
        && !all
    {
        let choices = values.iter().map(|&value| (engine.named_location(value), false));
        return Err(several(name, choices.collect(), OR_ALL));
    }
    let users = engine.users(values);
    for &value in values.iter().take(CHOICES) {
        output::notice(&value_line(engine, value));
    }
    output::notice(&format!("used by {}", counted(users.len(), "definition")));
    Ok(users)
}

fn value_line(engine: &Engine, value: Named) -> String {
    let location = engine.named_location(value);
    format!("{} is a {}: {}:{}", location.name, location.kind, location.path, location.line)
}

/// Prints that a name refers to values, which have no calls, and returns whether it does.
fn value_notice(engine: &Engine, name: &str) -> bool {
    let values = engine.values_named(name);
    if values.is_empty() {
        return false;
    }
    for &value in values.iter().take(CHOICES) {
        output::notice(&value_line(engine, value));
    }
    output::notice(&format!("to list its uses: whichfn references {name}"));
    true
}

/// Prints similar names, and returns the error about a name that nothing has. A name that does not
/// exist is an error, as a file that does not exist is for grep, so that a script never takes it for
/// a function without callers.
fn unknown(engine: &Engine, kinds: &str, name: &str, near: Vec<String>) -> Error {
    if let Some(message) = mistyped::line_beyond_end(engine.root(), name) {
        return Error::new(Kind::Usage, message, "pass a line of the file, or a name");
    }
    if !near.is_empty() {
        output::notice("similar names:");
    }
    near.iter().take(CHOICES).for_each(|choice| output::notice(&format!("  {choice}")));
    unsearched::after_unknown_name(engine);
    let next = match near.is_empty() {
        true => "check the spelling; to find a function by what it does: whichfn \"...\"",
        false => "pass one of the similar names; to find a function by what it does: whichfn \"...\"",
    };
    Error::new(Kind::Usage, format!("{kinds} is called {name}"), next)
}

/// Prints the choices for a name, tests last and overloads once, and returns the error about them.
fn several(name: &str, mut all: Vec<(DefinitionLocation, bool)>, or_all: &str) -> Error {
    all.sort_by_key(|(_, is_test)| *is_test);
    let is_same = |a: &DefinitionLocation, b: &DefinitionLocation| (&a.path, &a.name) == (&b.path, &b.name);
    let choices: Vec<_> = all.chunk_by(|(a, _), (b, _)| is_same(a, b)).collect();
    for overloads in choices.iter().take(CHOICES) {
        let Some((first, is_test)) = overloads.first() else { continue };
        let count = if overloads.len() > 1 { format!(", {} overloads", overloads.len()) } else { String::new() };
        let test = if *is_test { ", test" } else { "" };
        output::notice(&format!("  {}  ({}{count}{test})", shown(first), first.kind));
    }
    if choices.len() > CHOICES {
        output::notice(&format!("  and {} more", choices.len() - CHOICES));
    }
    let next = format!("pass a longer name or a location, such as {}:{}{or_all}", all[0].0.path, all[0].0.line);
    Error::new(Kind::Usage, format!("{name} matches {} definitions", all.len()), next)
}

fn shown(location: &DefinitionLocation) -> String {
    format!("{}:{}  {}", location.path, location.line, location.name)
}
