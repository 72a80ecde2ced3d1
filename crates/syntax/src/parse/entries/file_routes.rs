//! Routes whose path is the location of their file.

use super::super::extract::Extractor;
use super::super::facts::{Definition, Span};
use super::super::shown::{SIGNATURE, folded, span};
use super::super::value::NameScope;
use super::Found;
use super::handlers::Handler;
use super::site::is_name;
use crate::ids::LocalId;
use crate::lang::{DefinitionKind, Exports, FileRule, Registers};
use crate::tree::Node;
use whichfn_text::{HTTP_METHODS, file_name};

/// Maximum number of words in an export, and of exported methods in lists, that are looked up.
const MAX_EXPORTS: usize = 64;

/// Signs around strings.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// A function that a file exports for requests.
struct Exported<'a, 't> {
    method: String,
    handler: Option<Handler<'a, 't>>,
    /// Offset of the export; `None` if the handler is a definition, or another file exports it.
    at: Option<usize>,
}

impl<'a, 't> Extractor<'a, 't> {
    /// Adds the routes of the file according to the rules for locations.
    pub(super) fn add_file_routes(&mut self, root: Node<'t>) {
        if self.test_file {
            return;
        }
        let frameworks = self.entries.frameworks.clone();
        for (exports, rule) in
            frameworks.into_iter().flat_map(|one| one.files.iter().map(move |rule| (&one.exports, rule)))
        {
            let Some(path) = route_of(rule, self.path) else { continue };
            for exported in self.exported(root, rule, exports) {
                self.add_file_route(root, exported, path.clone());
            }
        }
    }

    /// Returns the functions of the file that handle requests.
    fn exported(&self, root: Node<'t>, rule: &FileRule, exports: &'a Exports) -> Vec<Exported<'a, 't>> {
        if let Some(method) = &rule.method {
            return self.default_export(exports, method).into_iter().collect();
        }
        let is_method = |one: &Definition| HTTP_METHODS.contains(&one.name.as_str());
        let own = self.at_top().filter(|(_, one)| is_method(one));
        let mut found: Vec<_> = own
            .map(|(id, one)| Exported { method: one.name.clone(), handler: Some(Handler::Definition(id)), at: None })
            .collect();
        let lists = self.export_lists(exports).into_iter().filter(|one| one.handler.is_some());
        for one in self.exported_values(root, exports).into_iter().chain(lists) {
            if !found.iter().any(|known| known.method == one.method) {
                found.push(one);
            }
        }
        found
    }

    /// Returns the default export of the file, which may be that of another file.
    fn default_export(&self, exports: &'a Exports, method: &str) -> Option<Exported<'a, 't>> {
        let method = method.to_owned();
        let Some(at) = self.source.find(exports.default.as_str()) else {
            let handler = self.imported_handler(&exports.default_name)?;
            return Some(Exported { method, handler: Some(handler), at: None });
        };
        let line = self.source[at + exports.default.len()..].lines().next().unwrap_or_default();
        let is_named = |one: &Definition| words(line).take(MAX_EXPORTS).any(|word| word == one.name);
        let own = self.at_top().find(|(_, one)| one.kind.is_function() && is_named(one));
        match own {
            Some((id, _)) => Some(Exported { method, handler: Some(Handler::Definition(id)), at: None }),
            None => Some(Exported { method, handler: self.named_handler(exports, line), at: Some(at) }),
        }
    }

    /// Returns the methods that the file exports as values: `export const GET = withUser(send)`.
    fn exported_values(&self, root: Node<'t>, exports: &Exports) -> Vec<Exported<'a, 't>> {
        let mut found = Vec::new();
        let mut at = 0;
        for line in self.source.split_inclusive('\n') {
            let start = exports.values.iter().find_map(|word| line.strip_prefix(word.as_str()));
            if let Some((target, _)) = start.and_then(|rest| rest.split_once('=')) {
                // `export const { GET, POST } = handlers`
                let count = if target.trim_start().starts_with('{') { usize::MAX } else { 1 };
                for method in words(target).take(count).filter(|word| HTTP_METHODS.contains(word)) {
                    if found.iter().any(|one: &Exported<'_, '_>| one.method == method) {
                        continue;
                    }
                    // The arguments of a call may be on the next lines. This looks through all statements
                    // of the file, but only once for each method.
                    let statement = root.named_children().find(|statement| statement.start() == at);
                    let text = statement.map_or(line, |statement| self.text(statement));
                    let value = text.split_once('=').map_or("", |(_, value)| value);
                    let handler = self.named_handler(exports, value);
                    found.push(Exported { method: method.to_owned(), handler, at: Some(at) });
                }
            }
            at += line.len();
        }
        found
    }

    /// Returns the methods that the file exports in a list, if they have a handler:
    /// `export { send as GET, POST }`.
    fn export_lists(&self, exports: &Exports) -> Vec<Exported<'a, 't>> {
        let lists = self.source.split(exports.list.as_str()).skip(1).filter_map(|rest| rest.split_once('}'));
        let names = lists.flat_map(|(list, _)| list.split(',')).map(|one| {
            let one = one.trim();
            one.split_once(" as ").map_or((one, one), |(name, method)| (name.trim(), method.trim()))
        });
        let methods = names.filter(|(_, method)| HTTP_METHODS.contains(method)).take(MAX_EXPORTS);
        let exported = methods.map(|(name, method)| {
            let local = self.at_top().find(|(_, one)| one.name == name).map(|(id, _)| Handler::Definition(id));
            // `export { GET } from "./send"` imports the method itself.
            let handler = local.or_else(|| self.imported_handler(name)).or_else(|| self.imported_handler(method));
            Exported { method: method.to_owned(), handler, at: None }
        });
        exported.collect()
    }

    /// Returns the function of the file, or the imported one, that an expression names last: `send`,
    /// `withUser(send)`.
    fn named_handler(&self, exports: &Exports, value: &'a str) -> Option<Handler<'a, 't>> {
        let is_call = |c: char| is_name(c) || " (),.;\t\r\n".contains(c);
        let is_declared = words(value).next().is_some_and(|word| exports.declared.iter().any(|one| one == word));
        // `withStats("users", list)`: a word of a string is no function, and a call with a string only is
        // not the handler itself.
        let outside: Vec<&str> = value.split(QUOTES).step_by(2).collect();
        if is_declared || !outside.iter().all(|text| text.chars().all(is_call)) {
            return None;
        }
        let is_wrapped = outside.len() > 1;
        let parts: Vec<&str> =
            outside.into_iter().flat_map(words).skip(usize::from(is_wrapped)).take(MAX_EXPORTS).collect();
        parts.into_iter().rev().find_map(|name| {
            let own = self.at_top().find(|(_, one)| one.kind.is_function() && one.name == name);
            own.map(|(id, _)| Handler::Definition(id)).or_else(|| self.imported_handler(name))
        })
    }

    /// Returns the definitions at the top level of the file.
    fn at_top(&self) -> impl Iterator<Item = (LocalId, &Definition)> {
        self.definitions.enumerate().filter(|(id, one)| *id != LocalId::FILE && one.parent == LocalId::FILE)
    }

    /// Returns an imported function.
    fn imported_handler(&self, name: &'a str) -> Option<Handler<'a, 't>> {
        self.values.is_imported(LocalId::FILE, name).then_some(Handler::Object(name))
    }

    fn add_file_route(&mut self, root: Node<'t>, exported: Exported<'a, 't>, path: String) {
        let Exported { method, handler, at } = exported;
        // A function without a name belongs to the file.
        let own = match handler {
            Some(Handler::Definition(id)) if at.is_none() => Some(id),
            _ => None,
        };
        let of = own.unwrap_or(LocalId::FILE);
        let Definition { span: whole, node, depth, line, signature, .. } = self.definitions[of].clone();
        let statement = at.and_then(|at| root.named_children().find(|statement| statement.start() == at));
        let span = statement.map_or(Span { start_line: line, ..whole }, |statement| span(statement, statement));
        let first = statement.map(|statement| self.text(statement).lines().next().unwrap_or_default());
        let signature =
            first.map_or(signature, |line| folded(line, SIGNATURE).trim_end_matches(['{', '(', ' ']).to_owned());
        let entry = Definition { node, depth, signature, ..Definition::new(DefinitionKind::Entry, span) };
        let id = self.push(entry);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        // A file that exports the value again has the same route handler.
        if at.is_some() {
            self.values.bind_entry(LocalId::FILE, &method, 0, id);
        }
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
            is_complete: false,
            is_joined: false,
        });
    }
}

/// Returns the names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_name(c)).filter(|word| !word.is_empty())
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
