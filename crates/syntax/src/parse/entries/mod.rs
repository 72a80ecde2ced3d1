//! Entries: the routes and commands that a file registers with a framework.
//!
//! The rules are data (`grammars/frameworks/*.toml`), and apply only to files that import the
//! framework. The walk offers each call, decorator, annotation and object literal of such a file to
//! the rules ([`site`]). A match becomes a definition of the kind
//! [`DefinitionKind::Entry`], at the position of the registration. It has no words, so a search
//! never finds it and no count of words includes it. Its handler is a call: linking resolves it
//! like every other call, and callers, affected code and their updates after an edit need no rules
//! of their own. If the handler is a function without a name, the entry is the definition around
//! it, so that the calls inside belong to the entry.
//!
//! The names are computed at the end of the walk, because a prefix may be registered after the
//! routes that it applies to. A prefix belongs to a variable (`Blueprint`, `router.group`), to a
//! type (annotation on a class), or to everything inside a call (`namespace ... do`). It is known
//! only if the same file registers it.
//!
//! **Cost:** no work for files without a framework, except a search for the imports in the first
//! 16 KiB. Otherwise a look-up of each callee's name.
//!
//! **Alternatives:** a list of routes next to the graph, with its own links to handlers, needs its
//! own resolution, its own updates and its own format.

mod file_routes;
mod names;
mod site;

use super::extract::Extractor;
use super::facts::Definition;
use super::shown::{SIGNATURE, folded, span};
use super::value::NameScope;
use crate::ids::LocalId;
use crate::lang::{Argument, DefinitionKind, EntryRule, ExpressionForm, Framework, Language, Registers};
use crate::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use site::{MAX_CHAIN, Site, SiteArgument, is_name, literal, literals, plain_key, split_name};
use whichfn_text::{ANY_METHOD, HTTP_METHODS};

/// Maximum number of entries in a file.
const MAX_ENTRIES: usize = 4_096;
/// Maximum depth of calls around a handler.
const MAX_WRAPPERS: usize = 6;
/// Maximum number of nodes between a registration and the assignment around it.
const MAX_AROUND: usize = 4;

/// Maximum number of arguments that are compared with the objects that have a prefix.
const MAX_PASSED: usize = 16;
/// Functions that load a module in an expression.
const IMPORTS: [&str; 2] = ["require", "import"];

/// Argument whose name is the path, and whose value is the handler.
const PAIR: &str = "=>";

/// The handler of an entry, or the object that a mount gives a prefix.
#[derive(Debug, Clone)]
pub(super) enum Handler<'a, 't> {
    /// A definition of the file.
    Definition(LocalId),
    /// An expression.
    Value(Node<'t>),
    /// The imported object with a name that an entry is registered on.
    Object(&'a str),
    /// The module with a path.
    Module(&'a str),
    /// A function of the type with a name: `users#show`.
    Member { owner: String, name: String },
    /// A function of the type that an expression names: `[Users::class, 'show']`.
    MemberOf { owner: Node<'t>, name: String },
}

/// A registration whose name is not known yet.
struct Found<'a, 't> {
    id: LocalId,
    registers: Registers,
    /// Method of a route.
    method: String,
    /// Path, command or flag as written.
    path: String,
    /// Prefix of everything around.
    around: String,
    /// Variable on which it was registered.
    object: Option<&'a str>,
    /// Variable that the registration is bound to.
    bound: Option<&'a str>,
    scope: LocalId,
    position: usize,
    place: (u32, u32),
    handlers: Vec<Handler<'a, 't>>,
}

/// A prefix for what is registered on a variable.
struct Group<'a> {
    /// Definition of the prefix or command.
    id: LocalId,
    key: &'a str,
    prefix: String,
    /// Variable that the prefix follows the prefix of.
    parent: Option<&'a str>,
    scope: LocalId,
    position: usize,
    /// True for a command, whose name counts only below another command.
    is_command: bool,
}

/// A place at which other objects get a prefix.
struct Mounted<'a, 't> {
    id: LocalId,
    place: (u32, u32),
    scope: LocalId,
    objects: Vec<Handler<'a, 't>>,
}

/// A call whose prefix applies to what is registered inside it.
struct Around {
    start: usize,
    end: usize,
    /// Prefix together with those of the calls further out.
    prefix: String,
    /// For a resource, its path without the parameter, and the type of its handlers.
    resource: Option<(String, String)>,
    /// Parameter of the resource.
    param: String,
    /// Modules of the types in handlers.
    modules: Vec<String>,
}

/// The entries of a file, and what their names depend on.
#[derive(Default)]
pub(super) struct Entries<'a, 't> {
    frameworks: Vec<&'a Framework>,
    /// Prefix of all routes of the file.
    pub(super) prefix: &'a str,
    found: Vec<Found<'a, 't>>,
    /// Decorators before their definition.
    waiting: Vec<Site<'a, 't>>,
    /// Groups and resources around the current position.
    around: Vec<Around>,
    /// Entry of each function without a name that is a handler, by node.
    inline: FxHashMap<usize, LocalId>,
    groups: Vec<Group<'a>>,
    mounts: Vec<Mounted<'a, 't>>,
    /// Prefixes of types.
    types: FxHashMap<LocalId, String>,
    /// Calls that belong to a registration further out.
    used: FxHashSet<usize>,
    /// Commands that are variants of a type, by node.
    variants: FxHashMap<usize, String>,
    /// Types whose functions are handlers, each with its site.
    views: Vec<(LocalId, Site<'a, 't>, &'a EntryRule)>,
    /// Handlers of commands that are bound to a variable.
    later: Vec<(&'a str, usize, Handler<'a, 't>)>,
}

impl<'a> Entries<'a, '_> {
    /// Creates the state for a file: the frameworks that it uses.
    pub fn of_file(language: &'a Language, path: &str, source: &str) -> Self {
        let used = language.frameworks.iter().filter(|framework| framework.is_used(path, source));
        let frameworks: Vec<&Framework> = used.collect();
        let prefixes = frameworks.iter().flat_map(|framework| &framework.prefixes);
        let prefix = prefixes.filter(|(end, _)| path.ends_with(end.as_str())).map(|(_, prefix)| prefix.as_str()).next();
        Self { frameworks, prefix: prefix.unwrap_or_default(), ..Self::default() }
    }
}

impl<'a, 't> Extractor<'a, 't> {
    /// Offers a call, decorator, annotation or object literal to the rules of the file's
    /// frameworks.
    pub(super) fn note_site(&mut self, node: Node<'t>, callee: Node<'t>, arguments: Option<Node<'t>>, id: u32) {
        if self.entries.frameworks.is_empty() || self.test_file || self.entries.found.len() >= MAX_ENTRIES {
            return;
        }
        let (_, name) = self.callee_parts(callee);
        let place = (id, self.syntax.depth());
        let rules = |name: &str| self.entries.frameworks.iter().any(|framework| framework.rules(name).next().is_some());
        if !rules(name) {
            return self.pass_groups(node, callee, arguments, place);
        }
        if self.entries.used.contains(&node.number()) || self.definitions[self.innermost()].is_test {
            return;
        }
        self.open_chain(callee, place);
        let site = self.site(node, callee, arguments, place);
        match self.decorated(node) {
            None => self.apply(&site, None),
            _ if self.is_on_field(name) => self.apply(&site, None),
            Some(Some(definition)) => self.apply(&site, Some(definition)),
            Some(None) => self.entries.waiting.push(site),
        }
    }

    /// Offers the first call of a chain to the rules for groups before the calls after it, which
    /// register on what it returns: `Router().use("/users", users)`.
    fn open_chain(&mut self, callee: Node<'t>, place: (u32, u32)) {
        let mut first = None;
        let mut at = self.object_of(callee);
        for _ in 0..MAX_CHAIN {
            let Some((callee, arguments)) = at.and_then(|node| self.call_at(node)) else { break };
            first = at.map(|node| (node, callee, arguments));
            at = self.object_of(callee);
        }
        let Some((node, callee, arguments)) = first else { return };
        let (_, name) = self.callee_parts(callee);
        let frameworks = &self.entries.frameworks;
        let is_group = |rule: &EntryRule| rule.registers == Registers::Group && !rule.inside;
        let opens = frameworks.iter().any(|framework| framework.rules(name).any(is_group));
        if opens && self.entries.used.insert(node.number()) {
            let site = self.site(node, callee, arguments, place);
            self.apply(&site, None);
        }
    }

    /// Checks whether annotations with a name are on fields.
    fn is_on_field(&self, name: &str) -> bool {
        self.entries.frameworks.iter().any(|framework| framework.rules(name).any(|rule| rule.field))
    }

    /// Applies the decorators that were waiting for a definition, after it was opened.
    pub(super) fn decorate(&mut self, id: LocalId) {
        for site in std::mem::take(&mut self.entries.waiting) {
            self.apply(&site, Some(id));
        }
        self.note_view(id);
    }

    /// Returns the entry whose handler is the function without a name at a node.
    pub(super) fn entry_around(&self, node: Node<'t>) -> Option<LocalId> {
        self.entries.inline.get(&node.number()).copied()
    }

    /// Returns the definition that a decorator or annotation applies to: `Some(None)` if it follows,
    /// `None` if the node is neither.
    fn decorated(&self, node: Node<'t>) -> Option<Option<LocalId>> {
        let is_mark = |node: Node<'t>| self.language.meaning(node.kind()).uses.decorator;
        if !is_mark(node) && !node.parent().is_some_and(is_mark) {
            return None;
        }
        let open = self.open.last()?;
        let Some(found) = open.found else { return Some(None) };
        let at = node.start();
        let is_before_body = found.body.is_none_or(|body| at < body.start());
        let in_parameters = open.parameters.0 <= at && at < open.parameters.1;
        Some((is_before_body && !in_parameters).then_some(open.id))
    }

    fn apply(&mut self, site: &Site<'a, 't>, decorated: Option<LocalId>) {
        let frameworks = self.entries.frameworks.clone();
        let object = site.object();
        let fits = |rule: &&EntryRule| {
            let last = split_name(object).1;
            rule.receivers.is_empty() || rule.receivers.iter().any(|one| one == last || one == object)
        };
        for rule in frameworks.iter().flat_map(|framework| framework.rules(site.name)).filter(fits) {
            if self.register(rule, site, decorated) {
                break;
            }
        }
    }

    /// Applies a rule. Returns true if it matches.
    fn register(&mut self, rule: &'a EntryRule, site: &Site<'a, 't>, decorated: Option<LocalId>) -> bool {
        let is_chained = |name: &String| self.chained_call(site.callee, name).is_some();
        if !rule.chain.is_empty() && !rule.chain.iter().any(is_chained) {
            return false;
        }
        let is_elsewhere = |text: &String| self.source.contains(text.as_str());
        if rule.annotation && decorated.is_none() || rule.unless.iter().any(is_elsewhere) {
            return false;
        }
        let has = |name: &String| site.arguments.iter().any(|one| one.key == Some(name) || one.text == name);
        if !rule.requires.is_empty() && !rule.requires.iter().any(has) {
            return false;
        }
        if rule.variants {
            return self.variants(site, decorated);
        }
        let paths = self.paths(rule, site, decorated);
        // The group that begins the chain of calls, or else the variable.
        let at = site.node.start();
        let chained = self.entries.groups.iter().rev().find(|group| group.position == at && !group.is_command);
        let object = chained.filter(|_| rule.registers != Registers::Group).map_or(site.object(), |group| group.key);
        let object = Some(object).filter(|object| !object.is_empty() && !rule.roots.iter().any(|root| root == object));
        match rule.registers {
            Registers::Group => {
                let Some(prefix) = paths.into_iter().next() else { return false };
                self.group(rule, site, decorated, prefix, object)
            }
            Registers::Mount => {
                let Some(prefix) = paths.into_iter().next() else { return false };
                self.mount(rule, site, prefix, object)
            }
            Registers::Handler => {
                let handlers = self.handlers(rule, site, None);
                let (Some(object), Some(handler)) = (object, handlers.into_iter().next()) else { return false };
                self.entries.later.push((object, site.node.start(), handler));
                true
            }
            Registers::Resource => self.resource(rule, site, object, paths),
            Registers::Route | Registers::Command | Registers::Flag => self.entry(rule, site, decorated, object, paths),
        }
    }

    /// Returns the paths, commands or prefixes of a registration.
    fn paths(&self, rule: &EntryRule, site: &Site<'a, 't>, decorated: Option<LocalId>) -> Vec<String> {
        let is_plain = |one: &&Argument| !matches!(one, Argument::Named(name) if name == PAIR);
        let argument = rule.path.iter().filter(is_plain).find_map(|one| self.site_value(site, one));
        if rule.registers == Registers::Flag {
            return self.flag(rule, site).into_iter().collect();
        }
        let own_name = decorated.map(|id| self.definitions[id].name.clone());
        let default = || match rule.default.as_deref() {
            Some("NAME") => own_name.map(|name| name.trim_matches('_').replace('_', "-").to_lowercase()),
            other => other.map(str::to_owned),
        };
        // `get "/users" => "users#index"`
        let first = site.arguments.first().and_then(|one| one.key);
        if let Some(key) = first.filter(|_| argument.is_none() && rule.path.contains(&Argument::Named(PAIR.to_owned())))
        {
            return vec![key.to_owned()];
        }
        let Some(argument) = argument else { return default().into_iter().collect() };
        let text = argument.text.trim_start();
        if rule.first {
            return literals(text).first().map(|text| (*text).to_owned()).into_iter().collect();
        }
        let found = match text.starts_with(['[', '{', '(']) || text.starts_with("new") {
            true => literals(text).into_iter().map(str::to_owned).collect(),
            false => self.path_text(text).into_iter().collect::<Vec<_>>(),
        };
        let has_method = |path: &str| path.split_once(' ').is_some_and(|(method, _)| HTTP_METHODS.contains(&method));
        let is_path =
            |path: &String| !rule.rooted || path.is_empty() || path.starts_with(['/', '*', '^']) || has_method(path);
        let found: Vec<String> = found.into_iter().filter(is_path).collect();
        if found.is_empty() && literal(text).is_none() { default().into_iter().collect() } else { found }
    }

    /// Returns the name of the field that an annotation is on, with dashes.
    fn field_name(&self, site: &Site<'a, 't>) -> Option<String> {
        let is_name = |node: &Node<'t>| self.language.meaning(node.kind()).form == ExpressionForm::Name;
        let around = site.node.parent()?;
        let is_other = |node: &Node<'t>| {
            let meaning = self.language.meaning(node.kind());
            node.is_named() && !meaning.attribute && meaning.words.is_none()
        };
        let field = around.later_siblings().find(is_other)?;
        Some(names::dashed(self.text(field.named_children().find(is_name)?)))
    }

    /// Returns the flag that a registration adds, after the command that its field belongs to.
    fn flag(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Option<String> {
        let positional = site.arguments.iter().filter(|one| one.key.is_none() && rule.path.is_empty());
        let keyed = rule.path.iter().filter_map(|one| self.site_value(site, one));
        let known: Vec<&str> = keyed.chain(positional.copied()).flat_map(|one| literals(one.text)).collect();
        if rule.prefix.is_empty() {
            return flag_in(&known);
        }
        let own = known.first().map(|name| (*name).to_owned());
        let name = own.or_else(|| self.field_name(site).filter(|_| rule.field)).filter(|name| !name.is_empty())?;
        let mut around = std::iter::successors(site.node.parent(), |node| node.parent()).take(MAX_AROUND * 2);
        let command = around.find_map(|node| self.entries.variants.get(&node.number()));
        Some(command.map_or(String::new(), |command| format!("{command} ")) + &rule.prefix + &name)
    }

    fn mount(&mut self, rule: &'a EntryRule, site: &Site<'a, 't>, prefix: String, parent: Option<&'a str>) -> bool {
        let is_any = rule.child.contains(&Argument::Named("*".to_owned()));
        let children: Vec<SiteArgument<'a, 't>> = match is_any {
            true => site.arguments.iter().filter(|one| one.key.is_none()).copied().collect(),
            false => rule.child.iter().find_map(|one| self.site_value(site, one)).into_iter().collect(),
        };
        let is_fit = |one: &SiteArgument<'a, 't>| {
            rule.calls.is_empty() || rule.calls.iter().any(|call| one.text.starts_with(call.as_str()))
        };
        // A rule for strings names the calls around them.
        let is_text = |one: &SiteArgument<'a, 't>| rule.calls.is_empty() && literal(one.text).is_some();
        if children.is_empty() || !children.iter().all(is_fit) || children.iter().any(is_text) {
            return false;
        }
        if rule.inside {
            self.enter_group(rule, site, &prefix, None, "id");
        }
        let (scope, position) = (site.scope, site.node.start());
        let objects: Vec<_> = children.into_iter().filter_map(|child| self.mounted(rule, child.node?)).collect();
        if objects.is_empty() {
            return rule.inside;
        }
        let front = parent.map_or(String::new(), |parent| self.prefix(parent, scope, position, 0));
        let group = parent.and_then(|parent| self.group_at(parent, scope, position));
        let (around, is_command) = (group.map(|group| group.id), group.is_some_and(|group| group.is_command));
        let inside = self.around(position).map_or(String::new(), |around| around.prefix.clone());
        let name = match is_command {
            true => [&front, " ", &prefix].concat().trim().to_owned(),
            false => names::joined(&names::joined(&front, &inside), &prefix),
        };
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), name);
        self.entries.mounts.push(Mounted { id, place: site.place, scope, objects });
        true
    }

    /// Returns the object that a mount gives a prefix: what a function registers, a module, or the
    /// object that an expression names.
    fn mounted(&self, rule: &EntryRule, mut node: Node<'t>) -> Option<Handler<'a, 't>> {
        for _ in 0..MAX_WRAPPERS {
            let (text, meaning) = (self.text(node), self.language.meaning(node.kind()));
            if rule.strip.iter().any(|end| text.ends_with(end.as_str())) {
                let callee = self.call_at(node).map_or(node, |(callee, _)| callee);
                node = self.object_of(callee)?;
            } else if self.matches.definitions.contains_key(&node.number()) {
                return None;
            } else if let Some((module, _)) = literal(text) {
                return Some(Handler::Module(module));
            } else if let Some((callee, arguments)) = self.call_at(node) {
                let (_, name) = self.callee_parts(callee);
                let is_around = rule.calls.iter().any(|call| call == name) || IMPORTS.contains(&name);
                match arguments.and_then(|arguments| arguments.named_children().next()).filter(|_| is_around) {
                    Some(first) => node = first,
                    None => return Some(Handler::Value(callee)),
                }
            } else if matches!(meaning.form, ExpressionForm::Name | ExpressionForm::Access(..) | ExpressionForm::Path) {
                return Some(Handler::Value(node));
            } else {
                node = node.named_children().next()?;
            }
        }
        None
    }

    fn group(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        decorated: Option<LocalId>,
        prefix: String,
        parent: Option<&'a str>,
    ) -> bool {
        if let Some(id) = decorated {
            let is_type = self.definitions[id].kind.is_type();
            if is_type {
                self.entries.types.insert(id, prefix);
            }
            return is_type;
        }
        if rule.inside {
            self.enter_group(rule, site, &prefix, None, "id");
            return true;
        }
        let (scope, position) = (site.scope, site.node.start());
        let Some(key) = self.bound_name(site.node) else {
            return self.passed_group(site, parent, &prefix);
        };
        let around = parent.and_then(|parent| self.group_at(parent, scope, position)).map(|group| group.id);
        let front = parent.map_or(String::new(), |parent| self.prefix(parent, scope, position, 0));
        let name = names::joined(&front, &prefix);
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), name);
        self.entries.groups.push(Group { id, key, prefix, parent, scope, position, is_command: false });
        true
    }

    /// Adds the prefix that a call passes to a function: `register(router.Group("/users"))`.
    fn passed_group(&mut self, site: &Site<'a, 't>, parent: Option<&'a str>, prefix: &str) -> bool {
        let call = site.node.parent().and_then(Node::parent).and_then(|call| self.call_at(call));
        let is_passed = |arguments: Node<'t>| arguments.start() < site.node.start();
        let Some((callee, _)) = call.filter(|(_, arguments)| arguments.is_some_and(is_passed)) else { return false };
        let (scope, position) = (site.scope, site.node.start());
        let front = parent.map_or(String::new(), |parent| self.prefix(parent, scope, position, 0));
        let around = parent.and_then(|parent| self.group_at(parent, scope, position)).map(|group| group.id);
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), names::joined(&front, prefix));
        self.entries.mounts.push(Mounted { id, place: site.place, scope, objects: vec![Handler::Value(callee)] });
        true
    }

    /// Adds the prefixes of the objects that a call passes to a function: `register(users)`.
    fn pass_groups(&mut self, node: Node<'t>, callee: Node<'t>, arguments: Option<Node<'t>>, place: (u32, u32)) {
        let is_prefix = |group: &Group<'a>| !group.is_command;
        if !self.entries.groups.iter().any(is_prefix) {
            return;
        }
        let (scope, position) = (self.innermost(), node.start());
        for argument in arguments.into_iter().flat_map(Node::named_children).take(MAX_PASSED) {
            let key = plain_key(self.text(argument));
            let Some(around) =
                self.group_at(key, scope, position).filter(|group| is_prefix(group)).map(|group| group.id)
            else {
                continue;
            };
            let prefix = self.prefix(key, scope, position, 0);
            let id = self.add_mount(node, place, around, prefix);
            self.entries.mounts.push(Mounted { id, place, scope, objects: vec![Handler::Value(callee)] });
        }
    }

    /// Adds the definition of a prefix.
    fn add_mount(&mut self, node: Node<'t>, (id, depth): (u32, u32), parent: LocalId, name: String) -> LocalId {
        let definition = Definition {
            name: name.clone(),
            qualified_name: name,
            parent,
            node: id,
            depth,
            ..Definition::new(DefinitionKind::Mount, span(node, node))
        };
        let id = self.push(definition);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        id
    }

    /// Adds a prefix for everything inside a call.
    fn enter_group(
        &mut self,
        rule: &EntryRule,
        site: &Site<'a, 't>,
        prefix: &str,
        resource: Option<(String, String)>,
        param: &str,
    ) {
        let at = site.node.start();
        let around = self.around(at);
        let base = match around.and_then(|around| around.resource.as_ref()) {
            Some((path, _)) if rule.of_resource => path.clone(),
            _ => around.map_or(String::new(), |around| around.prefix.clone()),
        };
        let resource = resource.map(|(path, owner)| (names::joined(&base, &path), owner));
        let resource =
            resource.or_else(|| around.and_then(|around| around.resource.clone()).filter(|_| rule.of_resource));
        let mut modules = around.map_or(Vec::new(), |around| around.modules.clone());
        if rule.module {
            modules.push(names::type_name(prefix, ""));
        }
        let param = around.filter(|_| rule.of_resource).map_or(param, |around| around.param.as_str()).to_owned();
        let prefix = names::joined(
            &base,
            &if rule.of_resource { prefix.replace(":id", &format!(":{param}")) } else { prefix.to_owned() },
        );
        let (start, end) = (site.inside, site.node.end());
        self.entries.around.retain(|around| around.end > at);
        self.entries.around.push(Around { start, end, prefix, resource, param, modules });
    }

    /// Returns the prefix of the calls around a registration. An argument may place it on the
    /// resource around it.
    fn prefix_around(&self, site: &Site<'a, 't>) -> String {
        let Some(around) = self.around(site.node.start()) else { return String::new() };
        let rules = self.entries.frameworks.iter().flat_map(|framework| framework.rules(site.name));
        let on = rules
            .filter_map(|rule| rule.on.as_deref())
            .find_map(|on| self.site_value(site, &Argument::Named(on.to_owned())));
        match (on.and_then(|one| literal(one.text)), &around.resource) {
            (Some(("member", _)), Some((path, _))) => format!("{path}/:{}", around.param),
            (Some(_), Some((path, _))) => path.clone(),
            _ => around.prefix.clone(),
        }
    }

    /// Returns the innermost call around an offset that has a prefix.
    fn around(&self, at: usize) -> Option<&Around> {
        self.entries.around.iter().rev().find(|around| (around.start..around.end).contains(&at))
    }

    fn entry(
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
                false => drop(self.entries.types.insert(id, paths[0].clone())),
            }
            return true;
        }
        if rule.chained {
            return self.chained(rule, site, object, &paths);
        }
        let handlers = self.handlers(rule, site, decorated);
        if handlers.is_empty() && rule.registers == Registers::Route {
            return false;
        }
        self.use_chain(rule, site);
        for path in paths {
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
                self.add(rule.registers, site, method, path, object, handlers.clone());
            }
        }
        true
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
            let name = name.trim_end_matches("_service").to_uppercase();
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
    fn variants(&mut self, site: &Site<'a, 't>, decorated: Option<LocalId>) -> bool {
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

    /// Adds the routes of a resource, and a prefix for what is registered inside.
    fn resource(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        object: Option<&'a str>,
        paths: Vec<String>,
    ) -> bool {
        let after = self.source.get(site.node.end()..).unwrap_or_default();
        let limits = |key: &str| {
            let text = self.site_value(site, &Argument::Named(key.to_owned())).map(|one| one.text);
            // `Route::resource("users", Users::class)->only(["index"])`
            let chained = after.trim_start().strip_prefix("->").and_then(|rest| rest.strip_prefix(key));
            let text = text.or_else(|| chained.and_then(|rest| rest.split(')').next()));
            text.map(|text| text.split(|c| !is_name(c)).map(str::to_owned).collect::<Vec<_>>())
        };
        let (only, except) = (limits("only"), limits("except").unwrap_or_default());
        let owner = rule.handler.iter().find_map(|one| self.site_value(site, one));
        let modules = self.around(site.node.start()).map_or(Vec::new(), |around| around.modules.clone());
        let controller = self.site_value(site, &Argument::Named("controller".to_owned()));
        let param = rule.param.as_ref().and_then(|name| self.site_value(site, &Argument::Named(name.clone())));
        let param = param.and_then(|one| literal(one.text)).map_or("id", |(name, _)| name);
        for path in &paths {
            let named = controller.and_then(|one| literal(one.text)).map_or(path.as_str(), |(name, _)| name);
            let named = if rule.plural { names::plural(named) } else { named.to_owned() };
            let type_name = names::type_path(&modules, &named, &rule.suffix);
            let singular = names::singular(split_name(path).1);
            for [method, rest, action] in &rule.actions {
                if only.as_ref().is_some_and(|only| !only.contains(action)) || except.contains(action) {
                    continue;
                }
                let name = action.clone();
                let handlers = vec![match owner.and_then(|owner| Some((owner.node?, literal(owner.text)))) {
                    Some((node, None)) => Handler::MemberOf { owner: type_node(node), name },
                    Some((_, Some((owner, _)))) => Handler::Member { owner: owner.to_owned(), name },
                    None => Handler::Member { owner: type_name.clone(), name },
                }];
                let rest = rest.replace(":id", &format!(":{param}")).replace("{singular}", &format!("{{{singular}}}"));
                let path = names::joined(path, &rest);
                self.add(Registers::Route, site, method.clone(), path, object, handlers);
            }
            if rule.inside {
                let nested = match rule.actions.iter().any(|[_, rest, _]| rest.contains(':')) {
                    true => format!("{path}/:{singular}_{param}"),
                    false => path.clone(),
                };
                self.enter_group(rule, site, &nested, Some((path.clone(), type_name)), param);
                break;
            }
        }
        !paths.is_empty()
    }

    /// Notes a function of a type whose functions are handlers.
    fn note_view(&mut self, id: LocalId) {
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
        for path in self.paths(rule, &site, None) {
            self.add(Registers::Route, &site, method.clone(), path, object, vec![Handler::Definition(id)]);
        }
    }

    /// Returns the handlers of a registration.
    fn handlers(&self, rule: &EntryRule, site: &Site<'a, 't>, decorated: Option<LocalId>) -> Vec<Handler<'a, 't>> {
        if rule.handler.is_empty() {
            return decorated.map(Handler::Definition).into_iter().collect();
        }
        let mut found = Vec::new();
        let at = site.node.start();
        let Some(argument) = rule.handler.iter().find_map(|one| self.site_value(site, one)) else {
            found.extend(self.named_by_path(rule, site));
            return found;
        };
        if let Some(handler) = self.member_handler(rule, argument, at) {
            found.push(handler);
        } else if let Some(node) = argument.node {
            self.add_handlers(rule, node, 0, &mut found);
        }
        found
    }

    /// Returns the handler of a route without one: the function with the name of the path, of the
    /// resource around it or of the path's first part.
    fn named_by_path(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Option<Handler<'a, 't>> {
        rule.separator.as_ref().filter(|_| !rule.suffix.is_empty())?;
        let path = rule.path.iter().find_map(|one| self.site_value(site, one))?;
        let path = literal(path.text)?.0.trim_matches('/');
        let around = self.around(site.node.start());
        if let Some((_, owner)) = around.and_then(|around| around.resource.as_ref()).filter(|_| !path.contains('/')) {
            return Some(Handler::Member { owner: owner.clone(), name: path.replace('-', "_") });
        }
        let (owner, name) = path.rsplit_once('/')?;
        let modules = around.map_or(&[][..], |around| &around.modules);
        Some(Handler::Member { owner: names::type_path(modules, owner, &rule.suffix), name: name.to_owned() })
    }

    /// Returns the handler that a string (`users#show`) or a pair (`[Users::class, 'show']`) names.
    fn member_handler(&self, rule: &EntryRule, argument: SiteArgument<'a, 't>, at: usize) -> Option<Handler<'a, 't>> {
        let separator = rule.separator.as_deref()?;
        if let Some((inside, _)) = literal(argument.text) {
            let (owner, name) = inside.split_once(separator)?;
            let modules = self.around(at).map_or(&[][..], |around| &around.modules);
            return Some(Handler::Member {
                owner: names::type_path(modules, owner, &rule.suffix),
                name: name.to_owned(),
            });
        }
        let (node, inside) = (argument.node?, argument.text.strip_prefix(['[', 'a'])?);
        let name = literals(inside).pop()?.to_owned();
        let owner = node.and_inside().skip(1).find(|inner| self.text(*inner).ends_with("::class"))?;
        let owner = owner.and_inside().filter(|inner| self.text(*inner).ends_with("::class")).last()?;
        Some(Handler::MemberOf { owner: type_node(owner), name })
    }

    /// Adds the functions that an expression passes: itself, or the functions inside a call
    /// around them.
    fn add_handlers(&self, rule: &EntryRule, node: Node<'t>, depth: usize, found: &mut Vec<Handler<'a, 't>>) {
        let meaning = self.language.meaning(node.kind());
        let is_function = self.matches.definitions.get(&node.number()).is_some_and(|found| !found.is_object);
        if depth > MAX_WRAPPERS {
            return;
        }
        if is_function {
            return found.push(Handler::Value(node));
        }
        if let Some((callee, arguments)) = self.call_at(node) {
            let (_, name) = self.callee_parts(callee);
            let is_view = rule.views.iter().any(|view| view == name) || name == "bind";
            if let Some(object) = self.object_of(callee).filter(|_| is_view) {
                return self.add_handlers(rule, object, depth + 1, found);
            }
            let before = found.len();
            for argument in arguments.into_iter().flat_map(Node::named_children) {
                self.add_handlers(rule, argument, depth + 1, found);
            }
            if found.len() == before {
                found.push(Handler::Value(callee));
            }
            return;
        }
        match meaning.form {
            ExpressionForm::Name | ExpressionForm::Access(..) | ExpressionForm::Path => {
                found.push(Handler::Value(node))
            }
            ExpressionForm::First | ExpressionForm::Field(_) => {
                if let Some(inner) = node.named_children().next() {
                    self.add_handlers(rule, inner, depth + 1, found);
                }
            }
            _ if meaning.keyword.is_some() => {
                if let Some(inner) = meaning.keyword.and_then(|(_, value)| value.child_of(node)) {
                    self.add_handlers(rule, inner, depth + 1, found);
                }
            }
            _ if meaning.list => {
                if let Some(last) = node.named_children().last() {
                    self.add_handlers(rule, last, depth + 1, found);
                }
            }
            _ => {}
        }
    }

    /// Adds an entry.
    fn add(
        &mut self,
        registers: Registers,
        site: &Site<'a, 't>,
        method: String,
        path: String,
        object: Option<&'a str>,
        handlers: Vec<Handler<'a, 't>>,
    ) {
        if self.entries.found.len() >= MAX_ENTRIES {
            return;
        }
        let node = site.node;
        let around = self.prefix_around(site);
        let around_id = match object {
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
        let mut handlers = handlers;
        if let Some(object) = object.filter(|_| around_id.is_none() && registers == Registers::Route) {
            handlers.push(Handler::Object(object));
        }
        if let (Registers::Command, Some(key)) = (registers, bound) {
            let prefix = path.split_whitespace().next().unwrap_or_default().to_owned();
            let scope = site.scope;
            self.entries.groups.push(Group { id, key, prefix, parent: object, scope, position, is_command: true });
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
        });
    }

    /// Returns the prefix of the list that a registration is an element of: `urls = [path(...)]`.
    fn list_around(&mut self, site: &Site<'a, 't>) -> Option<LocalId> {
        let list = site.node.parent().filter(|around| self.language.meaning(around.kind()).list)?;
        let (scope, position) = (site.scope, list.start());
        if let Some(known) = self.entries.groups.iter().find(|group| group.position == position) {
            return Some(known.id);
        }
        let key = self.bound_name(list)?;
        let id = self.add_mount(list, site.place, scope, String::new());
        let (prefix, parent) = (String::new(), None);
        self.entries.groups.push(Group { id, key, prefix, parent, scope, position, is_command: false });
        Some(id)
    }

    /// Returns the methods of a route; one empty text for other entries.
    fn methods(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Vec<String> {
        if rule.registers != Registers::Route {
            return vec![String::new()];
        }
        let all = rule.methods.contains(&Argument::Named("*".to_owned()));
        let listed = match all {
            true => Some(site.arguments.iter().flat_map(|one| methods_in(one.text)).collect()),
            false => rule.methods.iter().find_map(|one| self.site_value(site, one)).map(|one| methods_in(one.text)),
        };
        if let Some(listed) = listed.filter(|listed| !listed.is_empty()) {
            return listed;
        }
        match rule.method.as_deref() {
            Some("NAME") => {
                let name = methods_in(site.name);
                if name.is_empty() { vec![ANY_METHOD.to_owned()] } else { name }
            }
            Some(method) => vec![method.to_owned()],
            None => vec![ANY_METHOD.to_owned()],
        }
    }

    /// Returns the variable that the value of an expression is assigned to.
    fn bound_name(&self, node: Node<'t>) -> Option<&'a str> {
        let mut at = node.parent();
        let (mut steps, mut start) = (0, node.start());
        while steps < MAX_AROUND {
            let around = at?;
            steps += usize::from(around.start() < start);
            start = around.start();
            let before = self.source.get(around.start()..node.start())?;
            let front = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '&' | '*' | '('));
            let front = ["new", "await"].iter().find_map(|word| front.strip_suffix(word)).unwrap_or(front).trim_end();
            if let Some(target) = front.strip_suffix('=') {
                let target = target.trim_end_matches([':', ' ']);
                let target = target.split([':', ',']).next().unwrap_or(target).trim_end();
                let start =
                    target.rfind(|c: char| !is_name(c) && !matches!(c, '.' | '-' | '>' | '@')).map_or(0, |at| at + 1);
                return Some(plain_key(target.get(start..)?)).filter(|key| !key.is_empty());
            }
            at = around.parent();
        }
        None
    }
}

/// Returns the type in an expression such as `Users::class`.
fn type_node(node: Node<'_>) -> Node<'_> {
    let is_class = |child: &Node<'_>| child.later_siblings().any(|next| next.is_named());
    node.named_children().next().filter(is_class).unwrap_or(node)
}

/// Returns the HTTP methods among the words of a text: `["GET", "POST"]`, `RequestMethod.GET`,
/// `http.MethodGet`, `GetMapping`, `MapGet`.
fn methods_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word = ["Method", "Http", "Map"].iter().find_map(|front| word.strip_prefix(front)).unwrap_or(word);
        let word = ["Mapping", "Async"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word).to_uppercase();
        if HTTP_METHODS.contains(&word.as_str()) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Returns the flag among the texts of a registration: the first that begins with two dashes, or
/// else with one.
fn flag_in(texts: &[&str]) -> Option<String> {
    let words =
        || texts.iter().flat_map(|text| text.split([' ', ',', '/', '=', '|', '<', '['])).filter(|word| word.len() > 1);
    let long = words().find(|word| word.starts_with("--") && word.len() > 2);
    let flag = long.or_else(|| words().find(|word| word.starts_with('-')));
    flag.filter(|flag| !flag.contains(['{', '%'])).map(str::to_owned)
}
