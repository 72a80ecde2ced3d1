//! Places that give other objects a prefix, which may be in other files.

use super::super::extract::Extractor;
use super::handlers::Handler;
use super::site::{Site, SiteArgument, literal};
use super::{MAX_WRAPPERS, names};
use crate::ids::LocalId;
use crate::lang::{Argument, EntryRule, ExpressionForm};
use crate::tree::Node;

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
        // A list of routes that is included elsewhere: `api = [path("users/", include("users.urls"))]`.
        let around = if parent.is_some() { around } else { self.list_around(site) };
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), name);
        let is_given =
            |one: &Argument| self.site_value(site, one).is_some_and(|prefix| self.path_text(prefix.text).is_some());
        if rule.replaces && rule.path.iter().any(is_given) {
            self.definitions[id].qualified_name.insert(0, '=');
        }
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
}
