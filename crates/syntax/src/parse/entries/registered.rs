//! Routes, commands and flags: one entry for each path and method.

use super::super::extract::Extractor;
use super::super::facts::Definition;
use super::super::shown::{SIGNATURE, folded, span};
use super::super::value::NameScope;
use super::groups::Group;
use super::handlers::Handler;
use super::paths::method_of;
use super::site::{Site, literal};
use super::{Found, MAX_ENTRIES, MAX_WRAPPERS, names};
use crate::ids::LocalId;
use crate::lang::{Argument, DefinitionKind, EntryRule, ExpressionForm, Registers};
use crate::tree::Node;
use whichfn_text::{ANY_METHOD, HTTP_METHODS, OPEN_PREFIX, OPEN_PREFIX_OF_HANDLER, route_template};

/// Maximum number of entries that an annotation is compared with.
const MAX_ANNOTATIONS: usize = 8;

/// The method of a route, its path, and whether the path is complete.
type Joined = (String, (String, bool));

impl<'a, 't> Extractor<'a, 't> {
    pub(super) fn entry(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        decorated: Option<LocalId>,
        object: Option<&'a str>,
        paths: Vec<String>,
    ) -> bool {
        if paths.is_empty() {
            return false;
        }
        if let Some(id) =
            decorated.filter(|&id| self.definitions[id].kind.is_type() && rule.registers == Registers::Route)
        {
            match rule.type_methods {
                true => self.entries.views.push((id, site.clone(), rule)),
                false => self.prefix_type(site, id, rule, &paths[0]),
            }
            return true;
        }
        if rule.each {
            return self.each_handler(site, object);
        }
        if rule.chained {
            return self.chained(rule, site, object, &paths);
        }
        let handlers = self.handlers(rule, site, decorated);
        let has_none = handlers.is_empty() && !rule.itself;
        if rule.registers == Registers::Route && (has_none || self.is_one_argument(rule, site)) {
            return false;
        }
        self.use_chain(rule, site);
        if self.join_annotations(rule, site, &handlers, &paths) {
            return true;
        }
        let is_in_part = self.around(site.node.start()).is_some_and(|around| around.is_part);
        for mut path in paths {
            if is_in_part && rule.silent.contains(&path) {
                path.clear();
            }
            // `GET /users`
            if let Some((method, path)) = path.split_once(' ').filter(|(method, _)| HTTP_METHODS.contains(method)) {
                self.add(
                    rule.registers,
                    site,
                    method.to_owned(),
                    path.trim_start().to_owned(),
                    object,
                    handlers.clone(),
                );
                continue;
            }
            for method in self.methods(rule, site) {
                let under =
                    rule.under.iter().find_map(|one| self.site_value(site, one)).and_then(|one| literal(one.text));
                let path = match under.and_then(|(name, _)| name.split_whitespace().next()) {
                    Some(name) => [name, " ", &path].concat(),
                    None => path.clone(),
                };
                let open = self.open_parent(rule, site, &path, &handlers);
                let before = self.entries.found.len();
                let complete = complete_path(rule, &path).map(str::to_owned);
                self.add(rule.registers, site, method, complete.clone().unwrap_or(path), object, handlers.clone());
                let Some(added) = self.entries.found.get_mut(before) else { continue };
                added.is_complete = complete.is_some();
                if let Some(open) = open {
                    self.definitions[added.id].parent = open;
                }
            }
        }
        true
    }

    /// Adds an unknown prefix for a route whose handler has to be mounted, or whose path needs the prefix of
    /// a type that has none in this file. The type may inherit one from a type in another file.
    fn open_parent(
        &mut self,
        rule: &EntryRule,
        site: &Site<'a, 't>,
        path: &str,
        handlers: &[Handler<'a, 't>],
    ) -> Option<LocalId> {
        let Some(Handler::Definition(handler)) = handlers.first() else { return None };
        if rule.mounted {
            return Some(self.add_stored(site, OPEN_PREFIX_OF_HANDLER));
        }
        if !rule.in_type || complete_path(rule, path).is_some() {
            return None;
        }
        let has_prefix = self.entries.types.contains_key(&self.definitions[*handler].parent);
        (!has_prefix).then(|| self.add_stored(site, &OPEN_PREFIX.to_string()))
    }

    /// Adds the method or the path of an annotation to the route of another annotation of the same
    /// function: `[HttpPost] [Route("users")]`. Returns true if the annotation is no route of its own.
    fn join_annotations(
        &mut self,
        rule: &EntryRule,
        site: &Site<'a, 't>,
        handlers: &[Handler<'a, 't>],
        paths: &[String],
    ) -> bool {
        let (Some(Handler::Definition(handler)), [path]) = (handlers.first().filter(|_| rule.joined), paths) else {
            return false;
        };
        let methods: Vec<String> = self.methods(rule, site).into_iter().filter(|one| one != ANY_METHOD).collect();
        let is_of_function =
            |one: &Found<'a, 't>| matches!(one.handlers.first(), Some(Handler::Definition(id)) if id == handler);
        let all = 0..self.entries.found.len();
        let others: Vec<usize> =
            all.rev().take(MAX_ANNOTATIONS).filter(|&at| is_of_function(&self.entries.found[at])).collect();
        let complete = complete_path(rule, path);
        let added = match methods.as_slice() {
            [] if !path.is_empty() => self.join_path(&others, (complete.unwrap_or(path), complete.is_some())),
            [first, rest @ ..] if path.is_empty() => self.join_methods(&others, first, rest),
            _ => None,
        };
        let Some(added) = added else { return false };
        for (method, (path, is_complete)) in added {
            let before = self.entries.found.len();
            self.add(Registers::Route, site, method, path, None, handlers.to_vec());
            if let Some(found) = self.entries.found.get_mut(before) {
                (found.is_complete, found.is_joined) = (is_complete, true);
            }
        }
        true
    }

    /// Gives the path of an annotation to the routes of other annotations that have none. If all have one,
    /// returns further routes, with the methods of those that were joined; `None` if there are none.
    fn join_path(&mut self, others: &[usize], (path, is_complete): (&str, bool)) -> Option<Vec<Joined>> {
        let without = others.iter().filter(|&&at| self.entries.found[at].path.is_empty());
        let without: Vec<usize> = without.copied().collect();
        if without.is_empty() {
            let joined = others.iter().map(|&at| &self.entries.found[at]).filter(|other| other.is_joined);
            let added: Vec<_> = joined.map(|one| (one.method.clone(), (path.to_owned(), is_complete))).collect();
            return Some(added).filter(|added| !added.is_empty());
        }
        for at in without {
            self.give_path(at, path, is_complete);
        }
        Some(Vec::new())
    }

    /// Gives the first method of an annotation to the routes of other annotations that have none. Returns
    /// routes for the other methods; `None` if the other annotations have no path.
    fn join_methods(&mut self, others: &[usize], first: &String, rest: &[String]) -> Option<Vec<Joined>> {
        let has_none = |found: &Found<'a, 't>| found.method == ANY_METHOD;
        let found = others.iter().map(|&at| &self.entries.found[at]);
        let with_path = found.filter(|one| one.is_joined || has_none(one));
        let mut paths: Vec<_> = with_path.map(|one| (one.path.clone(), one.is_complete)).collect();
        paths.sort();
        paths.dedup();
        let mut methods = vec![first];
        for &at in others {
            let found = &mut self.entries.found[at];
            if has_none(found) {
                found.method.clone_from(first);
                found.is_joined = true;
                methods.clear();
            }
        }
        methods.extend(rest);
        let added = methods.into_iter().flat_map(|method| paths.iter().map(move |path| (method.clone(), path.clone())));
        (!paths.is_empty()).then(|| added.collect())
    }

    /// Gives a route the path of another annotation.
    fn give_path(&mut self, at: usize, path: &str, is_complete: bool) {
        let found = &mut self.entries.found[at];
        path.clone_into(&mut found.path);
        (found.is_complete, found.is_joined) = (is_complete, true);
        // The path was unknown, and no longer needs a prefix.
        let (id, parent) = (found.id, self.definitions[found.id].parent);
        if self.definitions[parent].qualified_name.starts_with(OPEN_PREFIX) {
            self.definitions[id].parent = self.definitions[parent].parent;
        }
    }

    /// Adds an entry without a path for each handler among the arguments of a macro. Linking finds the
    /// method and the path in the annotation of the handler.
    fn each_handler(&mut self, site: &Site<'a, 't>, object: Option<&'a str>) -> bool {
        // `.routes(...)` is a function of the router.
        if self.object_of(site.callee).is_some() {
            return false;
        }
        let arguments = self.macro_arguments(site);
        for argument in &arguments {
            let handlers = vec![Handler::Path(argument.text.into())];
            self.add(Registers::Route, site, ANY_METHOD.to_owned(), String::new(), object, handlers);
        }
        !arguments.is_empty()
    }

    /// Notes the method and the path that the annotation of a function has.
    pub(super) fn template(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        decorated: Option<LocalId>,
        paths: Vec<String>,
    ) -> bool {
        let method = self.methods(rule, site).into_iter().next();
        let (Some(id), Some(path), Some(method)) = (decorated, paths.into_iter().next(), method) else { return false };
        let template = route_template(&method, &path);
        let mount = self.add_mount(site.node, site.place, id, path);
        self.definitions[mount].qualified_name = template;
        true
    }

    /// Checks whether the path and the handler are the same argument: `map.get(path)`.
    fn is_one_argument(&self, rule: &EntryRule, site: &Site<'a, 't>) -> bool {
        let start = |from: &[Argument]| {
            let at = from.iter().find(|one| matches!(one, Argument::Position(_)))?;
            Some(self.site_value(site, at)?.text.as_ptr())
        };
        let path = start(&rule.path);
        path.is_some() && path == start(&rule.handler)
    }

    /// Adds the names of another kind that a site registers or uses. The handler is a function with a
    /// name: calls in a function without one belong to the function around it.
    pub(super) fn named(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        decorated: Option<LocalId>,
        names: &[String],
    ) -> bool {
        let has_name = |handler: &Handler<'a, 't>| !matches!(handler, Handler::Value(node) if self.matches.definitions.contains_key(&node.number()));
        let handlers: Vec<_> = self.handlers(rule, site, decorated).into_iter().filter(has_name).collect();
        for name in names.iter().filter(|name| !name.contains(char::is_whitespace)) {
            self.add_named(&rule.tag, name, site.node, site.place, handlers.clone());
        }
        !names.is_empty()
    }

    /// Notes the calls of the chain that a rule has read, so that they are not read again.
    fn use_chain(&mut self, rule: &EntryRule, site: &Site<'a, 't>) {
        for argument in rule.path.iter().chain(&rule.handler) {
            let Argument::Named(name) = argument else { continue };
            let Some(call) = name.strip_prefix('.') else { continue };
            let call = call.split(':').next().unwrap_or(call);
            if let Some((node, _)) = self.chained_call(site.callee, call) {
                self.entries.used.insert(node.number());
            }
        }
    }

    /// Adds an entry for each call in a chain whose name is a method: `get(list).post(create)`.
    fn chained(&mut self, rule: &'a EntryRule, site: &Site<'a, 't>, object: Option<&'a str>, paths: &[String]) -> bool {
        let handler = rule.handler.iter().find_map(|one| self.site_value(site, one)).and_then(|one| one.node);
        let (mut at, mut calls, mut target) = (handler, Vec::new(), None);
        while let Some((callee, arguments)) =
            at.filter(|_| calls.len() < MAX_WRAPPERS * 2).and_then(|node| self.call_at(node))
        {
            let (_, name) = self.callee_parts(callee);
            let name = method_of(name, &rule.affixes);
            let is_method = HTTP_METHODS.contains(&name.as_str()) || name == ANY_METHOD;
            let first = arguments.and_then(|arguments| arguments.named_children().last());
            // `get().to(list)`: the handler follows the method.
            if !is_method {
                target = first.or(target);
            } else if let Some(handler) = first.or(target) {
                calls.push((name, handler));
            }
            at = self.object_of(callee);
        }
        for (method, handler) in calls.iter().rev() {
            let mut handlers = Vec::new();
            self.add_handlers(rule, *handler, 0, &mut handlers);
            for path in paths {
                self.add(Registers::Route, site, method.clone(), path.clone(), object, handlers.clone());
            }
        }
        !calls.is_empty()
    }

    /// Adds a command for each variant of a type.
    pub(super) fn variants(&mut self, site: &Site<'a, 't>, decorated: Option<LocalId>) -> bool {
        let Some(body) = self.open.last().filter(|open| Some(open.id) == decorated).and_then(|open| open.found?.body)
        else {
            return false;
        };
        if self.definitions[self.innermost()].kind != DefinitionKind::Enum {
            return false;
        }
        let is_name = |node: Node<'t>| self.language.meaning(node.kind()).form == ExpressionForm::Name;
        let is_variant = |node: &Node<'t>| node.named_children().next().is_some_and(is_name);
        for variant in body.named_children().filter(is_variant) {
            let Some(name) = variant.named_children().next().map(|name| self.text(name)) else { continue };
            let site = Site { node: variant, ..site.clone() };
            self.entries.variants.insert(variant.number(), names::dashed(name));
            self.add(Registers::Command, &site, String::new(), names::dashed(name), None, Vec::new());
        }
        true
    }

    /// Notes a function of a type whose functions are handlers.
    pub(super) fn note_view(&mut self, id: LocalId) {
        if self.entries.views.is_empty() {
            return;
        }
        let Definition { parent, kind, name, .. } = &self.definitions[id];
        let method = name.to_uppercase();
        if *kind != DefinitionKind::Method || !HTTP_METHODS.contains(&method.as_str()) {
            return;
        }
        let view = self.entries.views.iter().rev().find(|(of_type, ..)| of_type == parent);
        let Some((_, site, rule)) = view.cloned() else { return };
        let object = Some(site.object()).filter(|object| !object.is_empty());
        for path in self.based_paths(rule, &site, None) {
            self.add(Registers::Route, &site, method.clone(), path, object, vec![Handler::Definition(id)]);
        }
    }

    /// Adds an entry.
    pub(super) fn add(
        &mut self,
        registers: Registers,
        site: &Site<'a, 't>,
        method: String,
        path: String,
        object: Option<&'a str>,
        handlers: Vec<Handler<'a, 't>>,
    ) {
        if self.entries.found.len() >= MAX_ENTRIES {
            self.entries.is_cut = true;
            return;
        }
        let node = site.node;
        let around = self.prefix_around(site);
        let around_id = match object {
            Some(object) if registers == Registers::Route => Some(self.object_prefix(site, object)),
            Some(object) => self.group_at(object, site.scope, node.start()).map(|group| group.id),
            None => self.list_around(site),
        };
        let signature = folded(self.text(node).lines().next().unwrap_or_default(), SIGNATURE);
        let definition = Definition {
            signature: signature.trim_end_matches(['{', '(', ' ']).to_owned(),
            parent: around_id.unwrap_or(site.scope),
            node: site.place.0,
            depth: site.place.1,
            ..Definition::new(DefinitionKind::Entry, span(node, node))
        };
        let id = self.push(definition);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        for handler in &handlers {
            if let Handler::Value(node) = handler {
                self.entries.inline.entry(node.number()).or_insert(id);
            }
        }
        let bound = match (registers, &handlers[..]) {
            (Registers::Command, [Handler::Definition(id)]) => {
                let name = self.definitions[*id].name.clone();
                let text = self.source.get(self.definitions[*id].span.start_byte as usize..).unwrap_or_default();
                text.find(&name).map(|at| &text[at..at + name.len()])
            }
            (Registers::Command, _) => self.bound_name(node),
            _ => None,
        };
        let position = node.start();
        if let (Registers::Command, Some(key)) = (registers, bound) {
            let prefix = path.split_whitespace().next().unwrap_or_default().to_owned();
            let scope = site.scope;
            self.add_group(Group {
                id,
                key,
                prefix,
                parent: object,
                scope,
                position,
                visible: node.after(),
                is_command: true,
                is_member: false,
                is_assumed: false,
            });
        }
        let (scope, place) = (site.scope, site.place);
        self.entries.found.push(Found {
            id,
            registers,
            method,
            path,
            around,
            object,
            bound,
            scope,
            position,
            place,
            handlers,
            is_complete: false,
            is_joined: false,
        });
    }
}

/// Returns a path to which the prefix of a type does not apply, with a slash at its start.
fn complete_path<'p>(rule: &EntryRule, path: &'p str) -> Option<&'p str> {
    let is_complete = rule.complete.iter().any(|start| path.starts_with(start.as_str()));
    is_complete.then(|| path.trim_start_matches('~'))
}
