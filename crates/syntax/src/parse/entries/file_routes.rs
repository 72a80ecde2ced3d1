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
/// Name of that value in an import.
const DEFAULT: &str = "default";
/// Words at the start of a value that is declared where it is exported.
const DECLARATIONS: [&str; 4] = ["function", "class", "async", "new"];

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
    fn file_handlers(&self, rule: &FileRule) -> Vec<(String, Option<Handler<'a, 't>>)> {
        let at_top = || {
            let all = self.definitions.enumerate();
            all.filter(|(id, one)| *id != LocalId::FILE && one.parent == LocalId::FILE)
        };
        if let Some(method) = &rule.method {
            let Some(at) = self.source.find(DEFAULT_EXPORT) else {
                return self
                    .imported_handler(DEFAULT)
                    .map(|handler| (method.clone(), Some(handler)))
                    .into_iter()
                    .collect();
            };
            let line = self.source[at + DEFAULT_EXPORT.len()..].lines().next().unwrap_or_default();
            let words = || line.split(|c: char| !is_name(c)).filter(|word| !word.is_empty());
            let is_named = |name: &str| words().any(|word| word == name);
            let mut exported = at_top().filter(|(_, one)| one.kind.is_function() && is_named(&one.name));
            let own = exported.next().map(|(id, _)| Handler::Definition(id));
            // `export default send`, `export default withUser(send)`
            let is_call = |c: char| is_name(c) || " (),.;".contains(c);
            let is_declared = words().next().is_some_and(|word| DECLARATIONS.contains(&word));
            let named = || words().collect::<Vec<_>>().into_iter().rev().find_map(|name| self.imported_handler(name));
            let handler = own.or_else(|| if line.chars().all(is_call) && !is_declared { named() } else { None });
            return vec![(method.clone(), handler)];
        }
        let is_method = |one: &Definition| HTTP_METHODS.contains(&one.name.as_str());
        let own = at_top().filter(|(_, one)| is_method(one));
        let mut found: Vec<_> = own.map(|(id, one)| (one.name.clone(), Some(Handler::Definition(id)))).collect();
        for (name, method) in self.exported_methods() {
            let local = at_top().find(|(_, one)| one.name == name).map(|(id, _)| Handler::Definition(id));
            // `export { GET } from "./send"` imports the method itself.
            let handler = local.or_else(|| self.imported_handler(name)).or_else(|| self.imported_handler(method));
            if handler.is_some() && !found.iter().any(|(known, _)| known == method) {
                found.push((method.to_owned(), handler));
            }
        }
        found
    }

    /// Returns an imported function.
    fn imported_handler(&self, name: &'a str) -> Option<Handler<'a, 't>> {
        self.values.is_imported(LocalId::FILE, name).then_some(Handler::Object(name))
    }

    /// Returns the names that the file exports as methods, each with its method:
    /// `export { send as GET, POST }`.
    fn exported_methods(&self) -> Vec<(&'a str, &'a str)> {
        let lists = self.source.split("export {").skip(1).filter_map(|rest| rest.split_once('}'));
        let names = lists.flat_map(|(list, _)| list.split(',')).map(|one| {
            let one = one.trim();
            one.split_once(" as ").map_or((one, one), |(name, method)| (name.trim(), method.trim()))
        });
        names.filter(|(_, method)| HTTP_METHODS.contains(method)).collect()
    }

    fn add_file_route(&mut self, method: String, path: String, handler: Option<Handler<'a, 't>>) {
        // A function without a name belongs to the file.
        let own = match handler {
            Some(Handler::Definition(id)) => Some(id),
            _ => None,
        };
        let of = own.unwrap_or(LocalId::FILE);
        let Definition { span, node, depth, line, signature, .. } = self.definitions[of].clone();
        let exported = self.source.find(DEFAULT_EXPORT).filter(|_| own.is_none());
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
            handlers: handler.into_iter().collect(),
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
    let is_component =
        rule.lower && route.split('/').any(|part| !part.starts_with('{') && part.contains(char::is_uppercase));
    (!is_left_out && !is_component).then_some(route)
}
