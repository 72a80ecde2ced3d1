//! Prefixes: of a variable, of everything inside a call, and of a list.

use super::super::extract::Extractor;
use super::super::facts::Definition;
use super::super::shown::span;
use super::super::value::NameScope;
use super::handlers::Handler;
use super::mounts::Mounted;
use super::names::{self, MAX_PREFIXES};
use super::site::{Site, is_name, literal, plain_key, split_name};
use super::{MAX_AROUND, MAX_ENTRIES};
use crate::ids::LocalId;
use crate::lang::{Argument, DefinitionKind, EntryRule, ExpressionForm};
use crate::tree::Node;
use std::borrow::Cow;
use whichfn_text::{
    ANNOTATION, APPLICATION, FUNCTION_NAME, OPEN_PREFIX, OPEN_PREFIX_OF_OBJECT, TYPE_NAME, type_prefix,
};

/// Maximum number of prefixes of variables with one name that are examined.
pub(super) const MAX_SAME: usize = 64;
/// Maximum number of arguments that are compared with the objects that have a prefix.
pub(super) const MAX_PASSED: usize = 16;

/// Maximum number of objects whose declarations are searched for.
const MAX_OBJECTS: usize = 256;
/// Maximum number of characters of a declaration that are compared.
const MAX_DECLARED: usize = 64;

/// A prefix for what is registered on a variable.
pub(super) struct Group<'a> {
    /// Definition of the prefix or command.
    pub id: LocalId,
    pub key: &'a str,
    pub prefix: String,
    /// Variable that the prefix follows the prefix of.
    pub parent: Option<&'a str>,
    pub scope: LocalId,
    pub position: usize,
    /// Number of the first node after the assignment, from which on the variable is visible.
    pub visible: usize,
    /// True for a command, whose name counts only below another command.
    pub is_command: bool,
    /// True for a member of an object (`this.router`), which no variable in the scope names.
    pub is_member: bool,
    /// True for an object whose creation is not known, so that its variable keeps its value.
    pub is_assumed: bool,
}

/// A call whose prefix applies to what is registered inside it.
pub(super) struct Around {
    pub start: usize,
    pub end: usize,
    /// Prefix together with those of the calls further out.
    pub prefix: String,
    /// For a resource, its path without the parameter, and the type of its handlers.
    pub resource: Option<(String, String)>,
    /// True for a part of a resource: `collection`, `member`.
    pub is_part: bool,
    /// Parameter of the resource.
    pub param: String,
    /// Modules of the types in handlers.
    pub modules: Vec<String>,
    /// Prefix of the object of the call, and its text. A function inside the call has the object as an
    /// argument: `r.Route("/users", func(users chi.Router) { ... })`.
    pub object: Option<(LocalId, String)>,
}

impl<'a, 't> Extractor<'a, 't> {
    pub(super) fn group(
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
                self.prefix_type(site, id, rule, &prefix);
            }
            return is_type;
        }
        if !rule.extends.is_empty() {
            let of_type = self.derived_type(site, &rule.extends);
            of_type.into_iter().for_each(|id| self.prefix_type(site, id, rule, &prefix));
            return of_type.is_some();
        }
        if rule.inside {
            let owner = self.owner_of(rule, site).map(|owner| (prefix.clone(), owner));
            self.enter_group(rule, site, &prefix, owner, "id");
            return true;
        }
        let (scope, position) = (site.scope, site.node.start());
        let (key, visible) = match self.binding(site.node) {
            Some(bound) => bound,
            // `router.Group("/users").POST("/", create)`
            None if !prefix.is_empty() && self.is_chained(site.node) => (self.text(site.node), site.node.after()),
            None => return self.passed_group(site, parent, &prefix),
        };
        let around = parent.map(|parent| self.object_prefix(site, parent));
        let front = parent.map_or(String::new(), |parent| self.prefix(parent, scope, position, 0));
        let name = names::joined(&front, &prefix);
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), name);
        if rule.mounted {
            self.definitions[id].qualified_name.insert(0, OPEN_PREFIX);
        }
        let member = self.assigned_member(site.node);
        if let Some(target) = member {
            self.entries.members.push((scope, target, id));
        }
        // All functions of a type see its members.
        let is_member = member.is_some();
        let scope = if is_member { self.type_around(scope) } else { scope };
        let (is_command, is_assumed) = (false, false);
        self.add_group(Group { id, key, prefix, parent, scope, position, visible, is_command, is_member, is_assumed });
        true
    }

    /// Returns the prefix of an object that something is registered on. If the file does not create the
    /// object, adds one: an empty one for an application, and otherwise one that needs a mount.
    pub(super) fn object_prefix(&mut self, site: &Site<'a, 't>, object: &'a str) -> LocalId {
        let (scope, position) = (site.scope, site.node.start());
        if let Some(group) = self.group_at(object, scope, position) {
            return group.id;
        }
        let passed = self.around(position).and_then(|around| around.object.clone());
        let (id, prefix) = passed.unwrap_or_else(|| (self.add_assumed_prefix(site, object), String::new()));
        self.add_group(Group {
            id,
            key: object,
            prefix,
            parent: None,
            scope,
            position,
            visible: site.node.after(),
            is_command: false,
            is_member: false,
            is_assumed: true,
        });
        id
    }

    /// Adds the prefix of an object that the file does not create. If another file creates it, the prefix
    /// is that of the other file.
    fn add_assumed_prefix(&mut self, site: &Site<'a, 't>, object: &'a str) -> LocalId {
        let stored = if self.is_application(object) { APPLICATION } else { OPEN_PREFIX_OF_OBJECT };
        let id = self.add_stored(site, stored);
        let (place, scope, objects) = (site.place, site.scope, vec![Handler::Object(object)]);
        self.entries.mounts.push(Mounted { id, place, scope, objects });
        id
    }

    /// Adds a prefix without a text, with a stored form that says what may give it one.
    pub(super) fn add_stored(&mut self, site: &Site<'a, 't>, stored: &str) -> LocalId {
        let id = self.add_mount(site.node, site.place, site.scope, String::new());
        self.definitions[id].qualified_name = stored.to_owned();
        id
    }

    /// Checks whether a variable holds an application of a framework that the file uses.
    fn is_application(&mut self, object: &'a str) -> bool {
        if let Some(known) = self.entries.applications.get(object) {
            return *known;
        }
        let is_application = self.declares_application(object);
        self.entries.applications.insert(object, is_application);
        is_application
    }

    /// Checks whether a variable has the name of an application, or is declared as one. Spaces do not count.
    fn declares_application(&self, object: &str) -> bool {
        let last = split_name(object).1;
        let frameworks = self.entries.frameworks.iter();
        let (declared, named): (Vec<&str>, Vec<&str>) =
            frameworks.flat_map(|one| &one.applications).map(String::as_str).partition(|one| one.starts_with("NAME"));
        if named.iter().any(|one| *one == "*" || *one == last || *one == object) {
            return true;
        }
        if declared.is_empty() || self.entries.applications.len() >= MAX_OBJECTS {
            return false;
        }
        let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).take(MAX_DECLARED).collect::<String>();
        let declared: Vec<String> = declared.iter().map(|one| dense(one.trim_start_matches("NAME"))).collect();
        let places = memchr::memmem::find_iter(self.source.as_bytes(), last.as_bytes()).take(MAX_SAME);
        let is_it = |at: usize| {
            let (before, rest) = (self.source.get(..at), self.source.get(at + last.len()..));
            let is_whole = before.is_some_and(|before| !before.ends_with(is_name));
            is_whole && rest.map(dense).is_some_and(|rest| declared.iter().any(|one| rest.starts_with(one.as_str())))
        };
        places.into_iter().any(is_it)
    }

    /// Returns the type around a site if it names one of several types as its base.
    fn derived_type(&self, site: &Site<'a, 't>, bases: &[String]) -> Option<LocalId> {
        let id = self.type_around(site.scope);
        let found = self.open.iter().rev().find(|open| open.id == id)?.found?;
        let is_base = |node: &Node<'t>| {
            let name = split_name(self.text(*node)).1;
            bases.iter().any(|base| name.ends_with(base.as_str()))
        };
        found.bases.iter().any(is_base).then_some(id)
    }

    /// Notes an annotation of a type that no rule names: if the repository defines it, the type may get
    /// its prefix.
    pub(super) fn note_annotation(&mut self, node: Node<'t>, callee: Node<'t>, place: (u32, u32)) {
        let Some(end) = self.entries.frameworks.iter().find_map(|one| one.annotation_end.as_ref()) else { return };
        let text = self.text(callee);
        let Some(Some(id)) = self.decorated(node).filter(|_| text.chars().all(|c| is_name(c) || c == '.')) else {
            return;
        };
        let is_new = self.entries.annotations.len() < MAX_ENTRIES && self.entries.annotations.insert((id, text));
        if is_new && self.definitions[id].kind.is_type() {
            let name = if text.ends_with(end.as_str()) { Cow::from(text) } else { [text, end].concat().into() };
            let mount = self.add_mount(node, place, id, String::new());
            self.definitions[mount].qualified_name = ANNOTATION.to_owned();
            let scope = self.definitions[id].parent;
            self.entries.mounts.push(Mounted { id: mount, place, scope, objects: vec![Handler::Path(name)] });
        }
    }

    /// Checks whether another call is chained on a call.
    fn is_chained(&self, call: Node<'t>) -> bool {
        let object = call.parent().and_then(|around| self.object_of(around));
        object.is_some_and(|object| object.number() == call.number())
    }

    /// Adds a prefix for the handlers of a type, and of the types that are derived from it.
    pub(super) fn prefix_type(&mut self, site: &Site<'a, 't>, id: LocalId, rule: &'a EntryRule, prefix: &str) {
        let replaced = |word: &Option<String>, with: &str, text: &str| {
            word.as_ref().map_or(text.to_owned(), |word| text.replace(word.as_str(), with))
        };
        let of_types = replaced(&rule.function_word, FUNCTION_NAME, &replaced(&rule.type_word, TYPE_NAME, prefix));
        let of_types = type_prefix(&rule.suffix, &of_types);
        let mount = self.add_mount(site.node, site.place, id, prefix.to_owned());
        self.definitions[mount].qualified_name = of_types;
        let name = &self.definitions[id].name;
        let prefix = replaced(&rule.type_word, name.strip_suffix(rule.suffix.as_str()).unwrap_or(name), prefix);
        self.entries.types.insert(id, (prefix, rule));
    }

    /// Adds a prefix for what is registered on a variable.
    pub(super) fn add_group(&mut self, group: Group<'a>) {
        self.entries.groups_by_key.entry(group.key).or_default().push(self.entries.groups.len());
        self.entries.groups.push(group);
    }

    /// Adds the prefix that a call passes to a function: `register(router.Group("/users"))`.
    fn passed_group(&mut self, site: &Site<'a, 't>, parent: Option<&'a str>, prefix: &str) -> bool {
        let call = site.node.parent().and_then(Node::parent).and_then(|call| self.call_at(call));
        let is_passed = |arguments: Node<'t>| arguments.start() < site.node.start();
        let Some((callee, _)) = call.filter(|(_, arguments)| arguments.is_some_and(is_passed)) else { return false };
        // A call of the framework itself has its own rule.
        if self.entries.has_rules(self.callee_parts(callee).1) {
            return false;
        }
        let (scope, position) = (site.scope, site.node.start());
        let around = parent.map(|parent| self.object_prefix(site, parent));
        let front = parent.map_or(String::new(), |parent| self.prefix(parent, scope, position, 0));
        self.pass_prefix(site.node, callee, site.place, around.unwrap_or(scope), names::joined(&front, prefix));
        true
    }

    /// Adds the prefixes of the objects that a call passes to a function: `register(users)`. `name` is the
    /// last part of the callee's name.
    pub(super) fn pass_groups(
        &mut self,
        node: Node<'t>,
        callee: Node<'t>,
        name: &str,
        arguments: Option<Node<'t>>,
        place: (u32, u32),
    ) {
        let is_prefix = |group: &Group<'a>| !group.is_command;
        let extends = |start: &String| name.starts_with(start.as_str());
        if self.entries.frameworks.iter().any(|one| one.extended.as_ref().is_some_and(extends)) {
            self.open_chain(callee, place);
            self.pass_receiver(node, callee, arguments, place);
        }
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
            self.pass_prefix(node, callee, place, around, self.prefix(key, scope, position, 0));
        }
    }

    /// Adds the prefix of the object that a function is called on: `app.MapGroup("/users").MapUsers()`.
    fn pass_receiver(&mut self, node: Node<'t>, callee: Node<'t>, arguments: Option<Node<'t>>, place: (u32, u32)) {
        let Some(object) = self.object_of(callee) else { return };
        let (scope, position) = (self.innermost(), node.start());
        let chained = self.entries.groups.iter().rev().find(|one| one.position == position && !one.is_command);
        let key = chained.map_or(plain_key(self.text(object)), |one| one.key);
        // `app.MapUsers()` and `Users.Map(app)`, where `app` is an application or a parameter.
        let first = arguments.and_then(|arguments| arguments.named_children().next());
        for key in [Some(key), first.map(|first| plain_key(self.text(first)))].into_iter().flatten() {
            if !key.is_empty() && key.chars().all(is_name) && !key.starts_with(char::is_uppercase) {
                let site = self.site(node, callee, None, place);
                self.object_prefix(&site, key);
            }
        }
        let Some(around) = self.group_at(key, scope, position).filter(|one| !one.is_command).map(|one| one.id) else {
            return;
        };
        self.pass_prefix(node, callee, place, around, self.prefix(key, scope, position, 0));
    }

    /// Adds the prefix that a call passes to its function.
    fn pass_prefix(&mut self, node: Node<'t>, callee: Node<'t>, place: (u32, u32), around: LocalId, prefix: String) {
        let id = self.add_mount(node, place, around, prefix);
        let (scope, objects) = (self.innermost(), vec![self.function_called(callee)]);
        self.entries.mounts.push(Mounted { id, place, scope, objects });
    }

    /// Adds the definition of a prefix.
    pub(super) fn add_mount(
        &mut self,
        node: Node<'t>,
        (id, depth): (u32, u32),
        parent: LocalId,
        name: String,
    ) -> LocalId {
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
    pub(super) fn enter_group(
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
        modules.extend(self.modules_of(rule, site));
        let param = around.filter(|_| rule.of_resource).map_or(param, |around| around.param.as_str()).to_owned();
        let prefix = names::joined(
            &base,
            &if rule.of_resource { prefix.replace(":id", &parameter(&param)) } else { prefix.to_owned() },
        );
        let (start, end) = (site.inside, site.node.end());
        self.entries.around.retain(|around| around.end > at);
        self.entries.around.push(Around {
            start,
            end,
            prefix,
            resource,
            is_part: rule.of_resource,
            param,
            modules,
            object: None,
        });
    }

    /// Returns the type of the handlers that an argument of a group names: `controller: :users`,
    /// `Users::class`.
    pub(super) fn owner_of(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Option<String> {
        let text = rule.owner.iter().find_map(|one| self.site_value(site, one))?.text;
        if let Some(name) = text.strip_suffix("::class") {
            return Some(split_name(name).1.to_owned());
        }
        let mut modules = self.around(site.node.start()).map_or(Vec::new(), |around| around.modules.clone());
        modules.extend(self.modules_of(rule, site));
        literal(text).map(|(name, _)| names::type_path(&modules, name, &rule.suffix))
    }

    /// Returns the modules that an argument of a group or resource names: `module: "admin/users"`.
    pub(super) fn modules_of(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Vec<String> {
        let module = rule.module.iter().find_map(|one| self.site_value(site, one)).and_then(|one| literal(one.text));
        let parts = module.map_or("", |(name, _)| name).split('/').filter(|part| !part.is_empty());
        parts.map(|part| names::type_name(part, "")).collect()
    }

    /// Returns the prefix of the calls around a registration. An argument may place it on the
    /// resource around it.
    pub(super) fn prefix_around(&self, site: &Site<'a, 't>) -> String {
        let Some(around) = self.around(site.node.start()) else { return String::new() };
        let rules = self.entries.frameworks.iter().flat_map(|framework| framework.rules(site.name));
        let on = rules
            .filter_map(|rule| rule.on.as_deref())
            .find_map(|on| self.site_value(site, &Argument::Named(on.to_owned())));
        match (on.and_then(|one| literal(one.text)), &around.resource) {
            (Some(("member", _)), Some((path, _))) => names::joined(path, &parameter(&around.param)),
            (Some(_), Some((path, _))) => path.clone(),
            _ => around.prefix.clone(),
        }
    }

    /// Returns the innermost call around an offset that has a prefix.
    pub(super) fn around(&self, at: usize) -> Option<&Around> {
        self.entries.around.iter().rev().find(|around| (around.start..around.end).contains(&at))
    }

    /// Returns the prefix of the list that a registration is an element of: `urls = [path(...)]`.
    pub(super) fn list_around(&mut self, site: &Site<'a, 't>) -> Option<LocalId> {
        let list = site.node.parent().filter(|around| self.language.meaning(around.kind()).list)?;
        let (scope, position) = (site.scope, list.start());
        if let Some(known) = self.entries.groups.iter().find(|group| group.position == position) {
            return Some(known.id);
        }
        let (key, visible) = self.binding(list)?;
        let id = self.add_mount(list, site.place, scope, String::new());
        let (prefix, parent, is_command) = (String::new(), None, false);
        let (is_member, is_assumed) = (false, false);
        self.add_group(Group { id, key, prefix, parent, scope, position, visible, is_command, is_member, is_assumed });
        Some(id)
    }

    /// Returns the variable that the value of an expression is assigned to.
    pub(super) fn bound_name(&self, node: Node<'t>) -> Option<&'a str> {
        self.binding(node).map(|(name, _)| name)
    }

    /// Returns the variable that the value of an expression is assigned to, and the number of the first node
    /// after the assignment.
    fn binding(&self, node: Node<'t>) -> Option<(&'a str, usize)> {
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
                let key = plain_key(target.get(start..)?);
                return Some((key, around.after())).filter(|_| !key.is_empty());
            }
            at = around.parent();
        }
        None
    }

    /// Returns the member of an object that the value of an expression is assigned to: `this.router`.
    fn assigned_member(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut at = node;
        for _ in 0..MAX_AROUND {
            let around = at.parent()?;
            let first = around.named_children().next()?;
            if first.end() <= at.start() {
                let is_assigned = self.source.get(first.end()..at.start())?.trim() == "=";
                let is_member = matches!(self.language.meaning(first.kind()).form, ExpressionForm::Access(..));
                return (is_assigned && is_member).then_some(first);
            }
            at = around;
        }
        None
    }

    /// Returns the prefix of what is registered on a variable.
    pub(super) fn prefix(&self, key: &str, scope: LocalId, position: usize, depth: usize) -> String {
        let Some(group) = self.group_at(key, scope, position).filter(|_| depth < MAX_PREFIXES) else {
            return String::new();
        };
        let parent = group.parent.filter(|parent| *parent != key || group.position < position);
        let front = parent.map_or(String::new(), |parent| self.prefix(parent, group.scope, group.position, depth + 1));
        if group.is_command {
            // A command that is not below another one is the program itself.
            let own = if parent.is_some() { group.prefix.as_str() } else { "" };
            return [&front, " ", own].concat().trim().to_owned();
        }
        names::joined(&front, &group.prefix)
    }

    /// Returns the group that a variable is bound to at a position: the last one before it.
    pub(super) fn group_at(&self, key: &str, scope: LocalId, position: usize) -> Option<&Group<'a>> {
        let known = self.entries.groups_by_key.get(key).map_or(&[][..], Vec::as_slice);
        let groups = known.iter().rev().filter_map(|&at| self.entries.groups.get(at));
        let before = groups.filter(|group| group.position <= position).take(MAX_SAME);
        before.into_iter().find(|group| self.is_inside(scope, group.scope))
    }
}

/// Returns the path of a parameter; nothing if a resource has none, because there is only one object.
fn parameter(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(":{name}") }
}
