//! Routers that a mount names by a variable or a call: `let v1 = users::routes();`, `nest("/v1", v1)`.

use super::super::extract::Extractor;
use super::MAX_AROUND;
use super::groups::{MAX_PASSED, MAX_SAME};
use super::handlers::Handler;
use super::mounts::Mounted;
use super::site::{MAX_CHAIN, is_name, plain_key};
use crate::ids::LocalId;
use crate::tree::Node;
use whichfn_text::PASSED_ON;

/// Assignments of calls to variables, by name: the scope and the offset of the variable, and the call.
pub(super) type Values<'a, 't> = rustc_hash::FxHashMap<&'a str, Vec<(LocalId, usize, Node<'t>)>>;

impl<'a, 't> Extractor<'a, 't> {
    /// Notes the value of a variable of a file with a framework, if it is a call.
    pub(in crate::parse) fn note_value(&mut self, scope: LocalId, target: Node<'t>, value: Node<'t>) {
        if self.entries.frameworks.is_empty() {
            return;
        }
        let name = self.text(target);
        if let Some(call) = self.call_in(value).filter(|_| name.chars().all(is_name)) {
            self.entries.values.entry(name).or_default().push((scope, target.start(), call));
        }
    }

    /// Returns the call that an expression is, without what is around it: `routes().await?`.
    fn call_in(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        for _ in 0..MAX_AROUND {
            if self.call_at(node).is_some() {
                return Some(node);
            }
            let mut children = node.named_children();
            node = children.next().filter(|_| children.next().is_none())?;
        }
        None
    }

    /// Returns the routers that a variable has the value of: those of the call that was last assigned to
    /// it. A variable with a prefix of its own is itself the router.
    pub(super) fn routers_in(&self, name: Node<'t>, depth: usize) -> Vec<Handler<'a, 't>> {
        let (key, scope, position) = (plain_key(self.text(name)), self.innermost(), name.start());
        let group = self.group_at(key, scope, position).map(|group| group.position);
        let mut found: Vec<_> = group.map(|_| Handler::Value(name)).into_iter().collect();
        let values = self.entries.values.get(key).map_or(&[][..], Vec::as_slice);
        let before = values.iter().rev().filter(|(_, at, call)| *at < position && call.end() <= position);
        let value = before.take(MAX_SAME).find(|(around, ..)| self.is_inside(scope, *around));
        // `let router = router.merge(users)` is another variable than the first one.
        if let Some((.., call)) = value.filter(|(_, at, _)| group.is_none_or(|group| *at > group)) {
            found.extend(self.routers_of(*call, depth + 1));
        }
        found
    }

    /// Returns the routers that a call may return: what the function registers, the routers that are passed
    /// to it, and the one that the call is chained on (`users::routes().layer(log)`).
    pub(super) fn routers_of(&self, call: Node<'t>, depth: usize) -> Vec<Handler<'a, 't>> {
        let Some((callee, arguments)) = self.call_at(call).filter(|_| depth < MAX_CHAIN) else { return Vec::new() };
        let mut found = Vec::new();
        if let Some(object) = self.object_of(callee) {
            match self.call_in(object) {
                Some(inner) => found.extend(self.routers_of(inner, depth + 1)),
                None => found.extend(self.routers_in(object, depth + 1)),
            }
        }
        let (_, name) = self.callee_parts(callee);
        // A call of the framework has its own rule.
        if self.entries.has_rules(name) {
            return found;
        }
        if found.is_empty() {
            found.push(Handler::Value(callee));
        }
        let (scope, position) = (self.innermost(), call.start());
        let is_router = |node: &Node<'t>| {
            let group = self.group_at(plain_key(self.text(*node)), scope, position);
            group.is_some_and(|group| !group.is_command)
        };
        let passed = arguments.into_iter().flat_map(Node::named_children).take(MAX_PASSED).filter(is_router);
        found.extend(passed.map(Handler::Value));
        found
    }

    /// Adds a mount without a prefix for the routers that a function returns: what gives the function a
    /// prefix also gives it to them. Only functions whose declared result is a router return one.
    pub(in crate::parse) fn pass_on(&mut self, function: LocalId, value: Node<'t>, id: u32) {
        let types = || self.entries.frameworks.iter().flat_map(|one| &one.passed_on);
        if types().next().is_none() || self.test_file || self.entries.is_full() {
            return;
        }
        let Some(open) = self.open.iter().rev().find(|open| open.id == function) else { return };
        let declared = self.source.get(open.returns.0..open.returns.1).unwrap_or_default();
        let returns_router = declared.split(|c| !is_name(c)).any(|word| types().any(|one| one == word));
        if !returns_router {
            return;
        }
        let objects = self.call_in(value).map_or(Vec::new(), |call| self.routers_of(call, 0));
        if !objects.is_empty() {
            let place = (id, self.syntax.depth());
            let mount = self.add_mount(value, place, function, String::new());
            self.definitions[mount].qualified_name = PASSED_ON.to_owned();
            self.entries.mounts.push(Mounted { id: mount, place, scope: function, objects });
        }
    }

    /// Checks whether a definition is another one or inside of it.
    pub(super) fn is_inside(&self, mut at: LocalId, around: LocalId) -> bool {
        while at != around && at != LocalId::FILE {
            at = self.definitions[at].parent;
        }
        at == around
    }
}
