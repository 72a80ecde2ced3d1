//! Routes whose path is the location of their file.

use super::super::extract::Extractor;
use super::super::facts::{Definition, Span};
use super::super::value::NameScope;
use super::Found;
use super::handlers::Handler;
use super::site::is_name;
use crate::ids::LocalId;
use crate::lang::{DefinitionKind, FileRule, Registers};
use whichfn_text::{HTTP_METHODS, file_name};

/// Text before the function that a file exports as its only value.
const DEFAULT_EXPORT: &str = "export default";

impl<'a, 't> Extractor<'a, 't> {
    /// Adds the routes of the file according to the rules for locations.
    pub(super) fn add_file_routes(&mut self) {
        if self.test_file {
            return;
        }
        let rules: Vec<&'a FileRule> = self.entries.frameworks.iter().flat_map(|framework| &framework.files).collect();
        for rule in rules {
            let Some(path) = route_of(rule, self.path) else { continue };
            for (method, handler) in self.file_handlers(rule) {
                self.add_file_route(method, path.clone(), handler);
            }
        }
    }

    /// Returns the functions of the file that handle requests, with their methods.
    fn file_handlers(&self, rule: &FileRule) -> Vec<(String, Option<LocalId>)> {
        let at_top =
            self.definitions.enumerate().filter(|(id, one)| *id != LocalId::FILE && one.parent == LocalId::FILE);
        if let Some(method) = &rule.method {
            let Some(at) = self.source.find(DEFAULT_EXPORT) else { return Vec::new() };
            let line = self.source[at + DEFAULT_EXPORT.len()..].lines().next().unwrap_or_default();
            let is_named = |name: &str| line.split(|c: char| !is_name(c)).any(|word| word == name);
            let mut exported = at_top.filter(|(_, one)| one.kind.is_function() && is_named(&one.name));
            return vec![(method.clone(), exported.next().map(|(id, _)| id))];
        }
        let is_method = |one: &Definition| HTTP_METHODS.contains(&one.name.as_str());
        at_top.filter(|(_, one)| is_method(one)).map(|(id, one)| (one.name.clone(), Some(id))).collect()
    }

    fn add_file_route(&mut self, method: String, path: String, handler: Option<LocalId>) {
        // A function without a name belongs to the file.
        let of = handler.unwrap_or(LocalId::FILE);
        let Definition { span, node, depth, line, signature, .. } = self.definitions[of].clone();
        let exported = self.source.find(DEFAULT_EXPORT).filter(|_| handler.is_none());
        let line = exported.map_or(line, |at| self.source[..at].matches('\n').count() as u32 + 1);
        let entry = Definition {
            node,
            depth,
            signature,
            ..Definition::new(DefinitionKind::Entry, Span { start_line: line, ..span })
        };
        let id = self.push(entry);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        self.entries.found.push(Found {
            id,
            registers: Registers::Route,
            method,
            path,
            around: String::new(),
            object: None,
            bound: None,
            scope: LocalId::FILE,
            position: span.start_byte as usize,
            place: (node, depth),
            handlers: handler.map(Handler::Definition).into_iter().collect(),
        });
    }
}

/// Returns the path of the route that a file is, if a rule applies to it.
fn route_of(rule: &FileRule, path: &str) -> Option<String> {
    let name = file_name(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if !rule.stems.is_empty() && !rule.stems.iter().any(|one| one == stem) {
        return None;
    }
    let directories = path.strip_suffix(name)?;
    let mut parts = directories.split('/').filter(|part| !part.is_empty());
    parts.find(|part| *part == rule.directory)?;
    let own = Some(stem).filter(|stem| rule.stem_in_path && *stem != "index");
    let mut route = String::new();
    for part in parts.chain(own).filter(|part| !part.starts_with(['(', '@'])) {
        route.push('/');
        match part.trim_matches(['[', ']']).trim_start_matches("...") {
            inside if inside.len() < part.len() => route.extend(["{", inside, "}"]),
            _ => route.push_str(part),
        }
    }
    let first = route.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_first = |one: &String| one == first;
    let is_left_out = !rule.only.is_empty() && !rule.only.iter().any(is_first) || rule.except.iter().any(is_first);
    let is_component = rule.lower && route.split('/').any(|part| !part.starts_with('{') && part.contains(char::is_uppercase));
    (!is_left_out && !is_component).then_some(route)
}
