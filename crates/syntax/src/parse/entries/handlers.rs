//! The handlers of a registration.

use super::super::extract::Extractor;
use super::site::{Site, SiteArgument, literal, literals};
use super::{Found, MAX_WRAPPERS, names};
use crate::ids::LocalId;
use crate::lang::{EntryRule, ExpressionForm};
use crate::tree::Node;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The handler of an entry, or the object that a mount gives a prefix.
#[derive(Debug, Clone)]
pub(in crate::parse) enum Handler<'a, 't> {
    /// A definition of the file.
    Definition(LocalId),
    /// An expression.
    Value(Node<'t>),
    /// An expression of which only the text is known: a path of names.
    Path(Cow<'a, str>),
    /// The imported object with a name, on which entries are registered.
    Object(&'a str),
    /// The module with a path.
    Module(Cow<'a, str>),
    /// A function of the type with a name: `users#show`.
    Member { owner: String, name: String },
    /// A function of the type that an expression names: `[Users::class, 'show']`.
    MemberOf { owner: Node<'t>, name: String },
}

impl<'a, 't> Extractor<'a, 't> {
    /// Returns the handlers of a registration.
    pub(super) fn handlers(
        &self,
        rule: &EntryRule,
        site: &Site<'a, 't>,
        decorated: Option<LocalId>,
    ) -> Vec<Handler<'a, 't>> {
        if rule.handler.is_empty() {
            return decorated.map(Handler::Definition).into_iter().collect();
        }
        let mut found = Vec::new();
        let at = site.node.start();
        let Some(argument) = rule.handler.iter().find_map(|one| self.site_value(site, one)) else {
            found.extend(self.named_by_path(rule, site));
            return found;
        };
        let of_type = argument.node.filter(|_| argument.text.ends_with("::class"));
        if let (Some(name), Some(node)) = (&rule.invoked, of_type) {
            found.push(Handler::MemberOf { owner: type_node(node), name: name.clone() });
        } else if let Some(handler) = self.member_handler(rule, argument, at) {
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
        let modules = around.map_or(&[][..], |around| &around.modules);
        let function = rule.function.iter().find_map(|one| self.site_value(site, one));
        let function = function.and_then(|one| literal(one.text)).map(|(name, _)| name);
        let owner = self.owner_of(rule, site);
        let of_resource = || around.and_then(|around| around.resource.as_ref()).map(|(_, owner)| owner.clone());
        if let Some(owner) = owner.or_else(of_resource).filter(|_| function.is_some() || !path.contains('/')) {
            let name = function.unwrap_or(path).replace('-', "_");
            return Some(Handler::Member { owner, name });
        }
        let (modules, owner, name) = match (path.rsplit_once('/'), modules) {
            (Some((owner, name)), _) => (modules, owner, name),
            // In `namespace :webhooks`, `post "stripe"` is `webhooks#stripe`.
            (None, [outer @ .., last]) => (outer, last.as_str(), path),
            (None, []) => return None,
        };
        Some(Handler::Member { owner: names::type_path(modules, owner, &rule.suffix), name: name.to_owned() })
    }

    /// Returns the handler that a string (`users#show`) or a pair (`[Users::class, 'show']`) names.
    fn member_handler(&self, rule: &EntryRule, argument: SiteArgument<'a, 't>, at: usize) -> Option<Handler<'a, 't>> {
        let separator = rule.separator.as_deref()?;
        if let Some((inside, _)) = literal(argument.text) {
            let Some((owner, name)) = inside.split_once(separator) else {
                // `get "" => :edit` in a resource
                let (_, owner) = self.around(at)?.resource.as_ref()?;
                return Some(Handler::Member { owner: owner.clone(), name: inside.to_owned() });
            };
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

    /// Removes the functions of the file that are no handlers by their signature from each entry, if others
    /// are left.
    pub(super) fn keep_handlers(&self, found: &mut [Found<'a, 't>]) {
        let words: Vec<&String> = self.entries.frameworks.iter().flat_map(|one| &one.signatures).collect();
        if words.is_empty() || found.iter().all(|one| one.handlers.len() < 2) {
            return;
        }
        // Of several functions with a name, the first one counts.
        let mut is_handler: FxHashMap<&str, bool> = FxHashMap::default();
        for one in self.definitions.iter().filter(|one| one.kind.is_function()) {
            let by_signature = || words.iter().any(|word| one.signature.contains(word.as_str()));
            is_handler.entry(&one.name).or_insert_with(by_signature);
        }
        let is_other = |handler: &Handler<'a, 't>| {
            let Handler::Value(node) = handler else { return false };
            is_handler.get(self.text(*node)) == Some(&false)
        };
        for one in found.iter_mut().filter(|one| !one.handlers.iter().all(is_other)) {
            one.handlers.retain(|handler| !is_other(handler));
        }
    }

    /// Checks whether an expression is a function without a name.
    fn is_function(&self, node: Node<'t>) -> bool {
        self.matches.definitions.get(&node.number()).is_some_and(|found| !found.is_object)
    }

    /// Adds the functions that an expression passes: itself, or the functions inside a call
    /// around them.
    pub(super) fn add_handlers(
        &self,
        rule: &EntryRule,
        node: Node<'t>,
        depth: usize,
        found: &mut Vec<Handler<'a, 't>>,
    ) {
        let meaning = self.language.meaning(node.kind());
        if depth > MAX_WRAPPERS {
            return;
        }
        if self.is_function(node) {
            return found.push(Handler::Value(node));
        }
        if let Some((callee, arguments)) = self.call_at(node) {
            let (_, name) = self.callee_parts(callee);
            let is_view = rule.views.iter().any(|view| view == name);
            if let Some(object) = self.object_of(callee).filter(|_| is_view) {
                return self.add_handlers(rule, object, depth + 1, found);
            }
            let before = found.len();
            for argument in arguments.into_iter().flat_map(Node::named_children) {
                self.add_handlers(rule, argument, depth + 1, found);
            }
            // `withUser(show)` runs `show`, and `show(settings)` returns a function.
            let is_function =
                |handler: &Handler<'a, 't>| matches!(handler, Handler::Value(node) if self.is_function(*node));
            if !found[before..].iter().any(is_function) {
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
}

/// Returns the type in an expression such as `Users::class`.
pub(super) fn type_node(node: Node<'_>) -> Node<'_> {
    let is_class = |child: &Node<'_>| child.later_siblings().any(|next| next.is_named());
    node.named_children().next().filter(is_class).unwrap_or(node)
}
