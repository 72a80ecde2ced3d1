//! Places that give other objects a prefix, which may be in other files.

use super::super::extract::Extractor;
use super::handlers::Handler;
use super::site::{Site, SiteArgument, literal, literals};
use super::{MAX_WRAPPERS, names};
use crate::ids::LocalId;
use crate::lang::{Argument, EntryRule, ExpressionForm};
use crate::tree::Node;
use std::borrow::Cow;

/// Functions that load a module in an expression.
const IMPORTS: [&str; 2] = ["require", "import"];

/// A place at which other objects get a prefix.
pub(super) struct Mounted<'a, 't> {
    pub id: LocalId,
    pub place: (u32, u32),
    pub scope: LocalId,
    pub objects: Vec<Handler<'a, 't>>,
}

impl<'a, 't> Extractor<'a, 't> {
    pub(super) fn mount(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        prefix: String,
        parent: Option<&'a str>,
    ) -> bool {
        let is_any = rule.child.contains(&Argument::Named("*".to_owned()));
        let children: Vec<SiteArgument<'a, 't>> = match is_any {
            _ if rule.each => self.macro_arguments(site),
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
        let (scope, position) = (site.scope, site.node.start());
        let object = parent.map(|parent| (self.object_prefix(site, parent), self.prefix(parent, scope, position, 0)));
        if rule.inside {
            self.enter_group(rule, site, &prefix, None, "id");
        }
        if let Some(around) = self.entries.around.last_mut().filter(|_| rule.inside) {
            around.object.clone_from(&object);
        }
        let objects_of = |child: &SiteArgument<'a, 't>| match child.node {
            Some(node) => self.mounted(rule, node, 0),
            // An argument of a macro has no node.
            None => vec![Handler::Path(child.text.into())],
        };
        let objects: Vec<_> = children.iter().flat_map(objects_of).collect();
        if objects.is_empty() {
            return rule.inside;
        }
        let front = object.map_or(String::new(), |(_, prefix)| prefix);
        let group = parent.and_then(|parent| self.group_at(parent, scope, position));
        let (around, is_command) = (group.map(|group| group.id), group.is_some_and(|group| group.is_command));
        let inside = self.around(position).map_or(String::new(), |around| around.prefix.clone());
        let name = match is_command {
            true => [&front, " ", &prefix].concat().trim().to_owned(),
            false => names::joined(&names::joined(&front, &inside), &prefix),
        };
        // A list of routes that is included elsewhere: `api = [path("users/", include("users.urls"))]`.
        let around = if parent.is_some() { around } else { self.list_around(site) };
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), name);
        let is_given =
            |one: &Argument| self.site_value(site, one).is_some_and(|prefix| self.path_text(prefix.text).is_some());
        if rule.replaces && rule.path.iter().any(is_given) {
            // The usual prefix of a file is in the names of its routes.
            let mut files = children.iter().filter_map(|child| literals(child.text).into_iter().next());
            let file = files.find_map(|path| self.entries.prefix_of_file(path));
            self.definitions[id].qualified_name = format!("={}", file.unwrap_or_default());
        }
        self.entries.mounts.push(Mounted { id, place: site.place, scope, objects });
        true
    }

    /// Returns the objects that a mount gives a prefix: what a function registers, a module, the object
    /// that an expression names, or the objects in a list (`[path(...), *router.urls]`).
    fn mounted(&self, rule: &EntryRule, mut node: Node<'t>, depth: usize) -> Vec<Handler<'a, 't>> {
        for _ in 0..MAX_WRAPPERS {
            let (text, meaning) = (self.text(node), self.language.meaning(node.kind()));
            let next = if let Some(end) = rule.strip.iter().find(|end| text.ends_with(end.as_str())) {
                let callee = self.call_at(node).map_or(node, |(callee, _)| callee);
                // `*router.urls`
                let is_inside = |inner: &Node<'t>| self.text(*inner).ends_with(end.as_str());
                self.object_of(callee).or_else(|| node.named_children().next().filter(is_inside))
            } else if self.matches.definitions.contains_key(&node.number()) {
                None
            } else if let Some((module, _)) = literal(text) {
                return vec![Handler::Module(self.module_path(module))];
            } else if let Some((callee, arguments)) = self.call_at(node) {
                let (_, name) = self.callee_parts(callee);
                let is_around = rule.calls.iter().any(|call| call == name) || IMPORTS.contains(&name);
                match arguments.and_then(|arguments| arguments.named_children().next()).filter(|_| is_around) {
                    Some(first) => Some(first),
                    // The function that the last call of a chain names may be one of the repository.
                    None => return with_value(callee, self.routers_of(node, 0)),
                }
            } else if meaning.form == ExpressionForm::Name {
                return with_value(node, self.routers_in(node, 0));
            } else if let Some(module) = self.module_of_member(node) {
                return vec![Handler::Module(module.into())];
            } else if matches!(meaning.form, ExpressionForm::Access(..) | ExpressionForm::Path) {
                return vec![Handler::Value(node)];
            } else if meaning.list && depth < MAX_WRAPPERS {
                return self.mounted_in_list(rule, node, depth + 1);
            } else {
                node.named_children().next()
            };
            let Some(next) = next else { break };
            node = next;
        }
        Vec::new()
    }

    /// Returns the path of a module for the path of its file, if the language separates the parts of a path
    /// by another sign: `routes\\admin` for `routes/admin.php`.
    fn module_path(&self, path: &'a str) -> Cow<'a, str> {
        let separators = &self.language.spec.modules.separators;
        let (Some(separator), true) = (separators.first(), path.contains('/')) else { return path.into() };
        let stem =
            path.rsplit_once('.').filter(|(_, end)| self.language.spec.head.extensions.iter().any(|one| one == end));
        match stem {
            Some((stem, _)) if !separators.iter().any(|one| one == "/") => stem.replace('/', separator).into(),
            _ => path.into(),
        }
    }

    /// Returns the function that a callee names; for `require("./users")(app)`, the module.
    pub(super) fn function_called(&self, callee: Node<'t>) -> Handler<'a, 't> {
        let own = self.call_at(callee).and_then(|call| self.module_loaded(call));
        own.or_else(|| self.module_of_member(callee))
            .map_or(Handler::Value(callee), |module| Handler::Module(module.into()))
    }

    /// Returns the module that a call loads.
    fn module_loaded(&self, (callee, arguments): (Node<'t>, Option<Node<'t>>)) -> Option<&'a str> {
        let (_, name) = self.callee_parts(callee);
        let first = arguments.filter(|_| IMPORTS.contains(&name))?.named_children().next()?;
        literal(self.text(first)).map(|(module, _)| module)
    }

    /// Returns the module in `require("./users").router`. What the member registers is in its file.
    fn module_of_member(&self, node: Node<'t>) -> Option<&'a str> {
        self.module_loaded(self.call_at(self.object_of(node)?)?)
    }

    /// Returns the objects in a list that a mount gives a prefix. Calls in the list register their own
    /// routes inside the mount, and a string after the first element is a name (`("app.urls", "app")`).
    fn mounted_in_list(&self, rule: &EntryRule, list: Node<'t>, depth: usize) -> Vec<Handler<'a, 't>> {
        let is_object = |(at, node): &(usize, Node<'t>)| {
            (*at == 0 || literal(self.text(*node)).is_none()) && self.call_at(*node).is_none()
        };
        let objects = list.named_children().enumerate().filter(is_object);
        objects.flat_map(|(_, node)| self.mounted(rule, node, depth)).collect()
    }
}

/// Returns handlers with the value of an expression, which is the first one if it is not among them.
fn with_value<'a, 't>(node: Node<'t>, mut handlers: Vec<Handler<'a, 't>>) -> Vec<Handler<'a, 't>> {
    if !handlers.iter().any(|one| matches!(one, Handler::Value(known) if known.number() == node.number())) {
        handlers.insert(0, Handler::Value(node));
    }
    handlers
}
