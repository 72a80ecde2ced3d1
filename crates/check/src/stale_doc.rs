//! The rule `stale-doc`: a function lost a parameter or no longer raises an exception, but its
//! documentation still has an entry for it.
//!
//! The patterns of such entries are in `doc_parameters.txt` and `doc_exceptions.txt`. They cover
//! the styles of Sphinx, Google, NumPy, JSDoc and its relatives, Doxygen, C#, Rust and YARD. A name
//! in running text does not count.
//!
//! A function lost an exception if it raised the exception before and does not name it now, and if
//! no function that the graph reaches from it names the exception. Code outside the graph cannot
//! raise the exception, because its type is defined in the repository.

use super::body::Body;
use super::finding::{Finding, FindingLocation, Rule};
use super::sides::{ChangedFile, ParsedSide, Sides};
use regex::Regex;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{FlowKind, WordSort};
use whichfn_syntax::parse::{Definition, symbol};
use whichfn_text::occurrences;

const PARAMETER_LINES: &str = include_str!("doc_parameters.txt");
const EXCEPTION_LINES: &str = include_str!("doc_exceptions.txt");
/// Maximum number of functions that are searched for an exception. If more functions are reachable,
/// any of them may raise it.
const MAX_REACHED: usize = 1_000;

/// Returns a finding for each removed parameter or exception that the documentation still lists.
pub(super) fn stale_docs(sides: &Sides<'_>) -> Vec<Finding> {
    sides.files.iter().flat_map(|file| in_file(sides, file)).collect()
}

fn in_file(sides: &Sides<'_>, changed: &ChangedFile<'_>) -> Vec<Finding> {
    let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { return Vec::new() };
    let before = old.functions();
    let mut found = Vec::new();
    for (name, (local, now)) in new.functions() {
        let Some(&(was_local, was)) = before.get(name) else { continue };
        let id = sides.definition(file, local);
        let mut tell = |patterns: &str, word: &str, what: &str| {
            let Some(line) = line_for(patterns, new.text_of(now), word) else { return };
            let location = FindingLocation { line: now.span.start_line + line, ..sides.location(id, "") };
            let message = format!("{name} {what} {word}, but its documentation still describes it");
            found.push(Finding { rule: Rule::StaleDoc, location, message, related: Vec::new(), is_guess: false });
        };
        for parameter in removed_parameters(old, was, new, now) {
            tell(PARAMETER_LINES, &parameter, "no longer has the parameter");
        }
        for exception in removed_exceptions((old, was_local, was), (new, local, now)) {
            if !may_raise(sides, id, &exception) {
                tell(EXCEPTION_LINES, &exception, "no longer raises");
            }
        }
    }
    found
}

/// Returns the parameters that a function no longer has. Returns none if the function accepts any
/// number of additional arguments, because the documentation may name one of them.
fn removed_parameters(old: &ParsedSide<'_>, was: &Definition, new: &ParsedSide<'_>, now: &Definition) -> Vec<String> {
    let (Some(old_head), Some(new_head)) = (old.head(was), new.head(now)) else { return Vec::new() };
    if new_head.open || new_head.open_names {
        return Vec::new();
    }
    let names = old_head.parameters.into_iter().map(|parameter| parameter.name);
    names.filter(|name| !name.is_empty() && new_head.named(name).is_none()).collect()
}

type FunctionSide<'s, 'a> = (&'s ParsedSide<'a>, LocalId, &'s Definition);

/// Returns the names in a function's old raise statements that no longer occur anywhere in the
/// function.
fn removed_exceptions(
    (old, was_local, was): FunctionSide<'_, '_>,
    (new, local, now): FunctionSide<'_, '_>,
) -> BTreeSet<String> {
    let mut raised = BTreeSet::new();
    let (nodes, mut raise_end) = (old.nodes(), 0);
    for (at, node) in nodes.iter().enumerate().skip(was.node as usize + 1) {
        if node.depth <= was.depth {
            break;
        }
        let meaning = old.language.meaning(node.kind);
        if meaning.flow & FlowKind::Raises.bit() != 0 {
            raise_end = node.end;
        }
        if node.start < raise_end && meaning.words == Some(WordSort::Identifier) {
            raised.insert(old.node(at as u32).to_owned());
        }
    }
    if raised.is_empty() {
        return raised;
    }
    let (before, after) = (Body::new(old, was_local, was), Body::new(new, local, now));
    raised.retain(|name| before.names.has(symbol(name)) && !after.names.has(symbol(name)));
    raised
}

/// Checks whether any function that `id` calls, directly or indirectly, may raise an exception.
fn may_raise(sides: &Sides<'_>, id: DefinitionId, exception: &str) -> bool {
    let graph = sides.graph;
    if !graph.named(exception).iter().any(|&id| graph.definition(id).kind().is_type()) {
        return true;
    }
    let sources = sides.sources();
    let (mut reached, mut next) = (FxHashSet::from_iter([id]), vec![id]);
    while let Some(caller) = next.pop() {
        for call in graph.calls(caller) {
            if reached.len() >= MAX_REACHED || occurrences(&sources.text_of(call.callee), exception).next().is_some() {
                return true;
            }
            if reached.insert(call.callee) {
                next.push(call.callee);
            }
        }
    }
    false
}

/// Returns the 0-based line of a string that documents a name, given the patterns of such lines.
fn line_for(patterns: &str, text: &str, name: &str) -> Option<u32> {
    let patterns = patterns.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let at = |pattern_template: &str| {
        let pattern = Regex::new(&format!("(?m){}", pattern_template.replace("NAME", &regex::escape(name)))).ok()?;
        pattern.captures(text)?.name("at").map(|at| at.start())
    };
    let first = patterns.filter_map(at).min()?;
    Some(text[..first].matches('\n').count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_parameter_lines_in_every_doc_style() {
        for (text, line) in [
            ("    \"\"\"Adds.\n\n    :param rate: how fast\n", Some(2)),
            ("    :param float rate: how fast\n", Some(0)),
            ("    :type rate: float\n", Some(0)),
            ("    Args:\n        path: where\n        rate (int): how fast\n            or how slow\n", Some(2)),
            ("    Args:\n        rate: how fast\n", Some(1)),
            ("    Parameters\n    ----------\n    rate : float\n        How fast.\n", Some(2)),
            (" * @param rate how fast\n", Some(0)),
            (" * @param {number} [rate=1] how fast\n", Some(0)),
            (" * @param int $rate how fast\n", Some(0)),
            ("/// \\param rate how fast\n", Some(0)),
            ("/// <param name=\"rate\">How fast.</param>\n", Some(0)),
            ("/// # Arguments\n///\n/// * `rate` - how fast\n", Some(2)),
            ("# @param rate [Integer] how fast\n", Some(0)),
            ("    The rate: it is how fast.\n    rate: is told by others\n", None),
            ("    Args:\n        path: where\n\n    x = {\n        rate: 1,\n", None),
            ("    :param rates: how fast\n", None),
        ] {
            assert_eq!(line_for(PARAMETER_LINES, text, "rate"), line, "{text}");
        }
    }

    #[test]
    fn finds_exception_lines_in_every_doc_style() {
        for (text, line) in [
            ("    \"\"\"Adds.\n\n    :raises Full: if it is\n", Some(2)),
            ("    :raise store.Full: if it is\n", Some(0)),
            ("    :exc Full: if it is\n", None),
            ("    Raises:\n        Empty: never\n        Full: if it is\n", Some(2)),
            ("    Raises\n    ------\n    Full\n        If it is.\n", Some(2)),
            (" * @throws Full if it is\n", Some(0)),
            (" * @throws {Full} if it is\n", Some(0)),
            (" * @exception Full if it is\n", Some(0)),
            (" * @throws \\Store\\Full\n", Some(0)),
            ("/// \\throws Full if it is\n", Some(0)),
            ("/// <exception cref=\"Full\">If it is.</exception>\n", Some(0)),
            ("# @raise [Full] if it is\n", Some(0)),
            ("    It may raise Full: then wait.\n", None),
            ("    :raises Fuller: if it is\n", None),
            (" * @throws FullException\n", None),
        ] {
            assert_eq!(line_for(EXCEPTION_LINES, text, "Full"), line, "{text}");
        }
    }
}
