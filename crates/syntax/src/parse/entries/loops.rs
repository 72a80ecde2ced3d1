//! Paths that a loop over a list of strings computes: `for kind in ["a", "b"]: app.get("/" + kind)`.

use super::super::extract::Extractor;
use super::MAX_ENTRIES;
use super::site::{Bound, MAX_CONSTANT_FILE, is_name, literal};
use crate::tree::Node;

/// Maximum number of strings in a list.
const MAX_VALUES: usize = 256;
/// Maximum number of places at which a list is searched for.
const MAX_PLACES: usize = 64;
/// Maximum length of the text between the name of a list and its value.
const MAX_BETWEEN: usize = 80;

/// A loop over a list of strings.
pub(super) struct Loop<'a> {
    start: usize,
    end: usize,
    /// Variable that has the values of the list one after the other.
    name: &'a str,
    values: Vec<&'a str>,
}

impl<'a, 't> Extractor<'a, 't> {
    /// Notes a loop of a file with a framework, if its list consists of strings. A loop has code after
    /// the list, and an assignment has none.
    pub(in crate::parse) fn note_loop(&mut self, target: Node<'t>, container: Node<'t>) {
        let Some(around) = target.parent().filter(|_| !self.entries.frameworks.is_empty()) else { return };
        if around.named_children().last().is_some_and(|last| last.start() >= container.end()) {
            self.add_loop(around, self.text(target), self.text(container));
        }
    }

    /// Notes a call with a function for each string of a list: `paths.forEach((path) => ...)`.
    /// `list` and `name` are the object and the name of the callee.
    pub(super) fn note_calls(&mut self, node: Node<'t>, list: &'a str, name: &str, arguments: Option<Node<'t>>) {
        if !self.entries.frameworks.iter().any(|framework| framework.loops.iter().any(|one| one == name)) {
            return;
        }
        let function = arguments.and_then(|arguments| arguments.named_children().next());
        let body = function.and_then(|one| self.matches.definitions.get(&one.number())?.body);
        if let (Some(function), Some(body)) = (function, body) {
            let head = self.source.get(function.start()..body.start()).unwrap_or_default();
            self.add_loop(node, first_parameter(head), list);
        }
    }

    fn add_loop(&mut self, around: Node<'t>, name: &'a str, list: &'a str) {
        if name.is_empty() || !name.chars().all(is_name) || self.entries.loops.len() >= MAX_ENTRIES {
            return;
        }
        let values = self.list_values(list);
        if !values.is_empty() {
            self.entries.loops.push(Loop { start: around.start(), end: around.end(), name, values });
        }
    }

    /// Returns the values of the innermost loop around an offset whose variable a text contains, each
    /// with the variable.
    pub(super) fn loop_values(&self, text: &str, at: usize) -> Vec<Bound<'a>> {
        let is_around = |one: &&Loop<'a>| (one.start..one.end).contains(&at);
        let contains = |name: &str| text.split(|c| !is_name(c)).any(|word| word == name);
        let around = self.entries.loops.iter().rev().filter(is_around).find(|one| contains(one.name));
        around.map_or(Vec::new(), |one| one.values.iter().map(|value| (one.name, *value)).collect())
    }

    /// Returns the strings of a list, or of the list that the file assigns to a name; none if the list
    /// contains anything else.
    fn list_values(&self, text: &'a str) -> Vec<&'a str> {
        if !text.chars().all(is_name) {
            return strings(text);
        }
        // `forEach(show)` has no list, and an empty text is found even inside a character.
        if text.is_empty() || self.source.len() > MAX_CONSTANT_FILE {
            return Vec::new();
        }
        let places = memchr::memmem::find_iter(self.source.as_bytes(), text.as_bytes()).take(MAX_PLACES);
        let lists = places.filter_map(|at| {
            let is_whole = !self.source[..at].ends_with(is_name);
            let after = self.source.get(at + text.len()..)?;
            let sign = after.bytes().take(MAX_BETWEEN + 1).position(|byte| byte == b'=')?;
            let (between, value) = (&after[..sign], &after[sign + 1..]);
            let is_declared = between.chars().all(|c| c.is_alphanumeric() || " :&<>[]".contains(c));
            (is_whole && is_declared && !between.starts_with(is_name)).then(|| strings(value))
        });
        let mut lists = lists.filter(|values| !values.is_empty());
        lists.next().unwrap_or_default()
    }
}

/// Returns the name of the first parameter in the head of a function without a name: `(page) =>`,
/// `page =>`, `function (page)`.
fn first_parameter(head: &str) -> &str {
    let inside = head.split_once('(').map_or(head, |(_, rest)| rest);
    let first = inside.split([',', ')', '=', ':']).next().unwrap_or_default();
    first.split_whitespace().last().unwrap_or_default()
}

/// Returns the strings of the list literal at the start of a text; none if it contains anything else.
fn strings(text: &str) -> Vec<&str> {
    let Some(mut rest) = text.trim_start().strip_prefix(['[', '(']) else { return Vec::new() };
    let mut found = Vec::new();
    while found.len() <= MAX_VALUES {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.starts_with([']', ')']) {
            return found;
        }
        let Some((value, after)) = literal(rest) else { break };
        found.push(value);
        rest = after;
    }
    Vec::new()
}
