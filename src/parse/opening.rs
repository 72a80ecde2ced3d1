//! A definition begins: its kind, names, span, signature and scope.

use super::extract::{Extractor, Open};
use super::facts::{Definition, Span, symbol};
use super::matches::DefinitionMatch;
use super::shown::{SIGNATURE, folded, plain_type_name, span};
use super::words::FieldWords;
use crate::ids::LocalId;
use crate::lang::{DefinitionKind, ExpressionForm, WordSort};
use tree_sitter::Node;

impl<'t> Extractor<'_, 't> {
    #[allow(clippy::too_many_arguments)] // one place builds definitions; a struct of the same nine fields would only rename them
    pub(super) fn push(
        &mut self,
        kind: DefinitionKind,
        name: String,
        qualified_name: String,
        signature: String,
        parent: LocalId,
        span: Span,
        line: u32,
        node: u32,
        is_test: bool,
    ) {
        self.definitions.push(Definition {
            name,
            qualified_name,
            signature,
            parent,
            line,
            node,
            is_test,
            ..Definition::new(kind, span)
        });
        self.words.push(FieldWords::default());
        self.docs.push(String::new());
    }

    pub(super) fn open_definition(&mut self, node: Node<'t>, node_id: u32, found: &'t DefinitionMatch<'t>) {
        let Some(kind) = found.kind else { return };
        let around = self.open.last().map_or(LocalId::FILE, |open| open.id);
        // `handler = lambda: ...`, `handler = function named() { ... }`: the function that the assignment already opened.
        let body = self.open.last().and_then(|open| open.found).and_then(|f| f.body);
        let is_bound = match (body, found.body) {
            (Some(body), Some(own)) => body.id() == own.id(),
            (Some(body), None) => {
                let inside = body.start_byte() >= node.start_byte() && body.end_byte() <= node.end_byte();
                kind == DefinitionKind::Anonymous && inside && body.id() != node.id()
            }
            _ => false,
        };
        if is_bound {
            self.values.define(node, around);
            return;
        }
        if kind == DefinitionKind::Anonymous {
            let line = node.start_position().row as u32 + 1;
            let id = self.definitions.next_id();
            self.push(
                kind,
                String::new(),
                String::new(),
                String::new(),
                around,
                span(node, node),
                line,
                node_id,
                false,
            );
            self.values.define(node, id);
            return self.enter(id, node, found, false);
        }
        let Some(name_node) = found.name else { return };
        if name_node.byte_range().is_empty() {
            return; // the parser put in a name that is missing
        }
        let (name_node, receiver) = self.split_name(name_node, kind, found.receiver);
        let parent = &self.definitions[around];
        let in_type = parent.kind.has_members();
        let kind = if kind == DefinitionKind::Function && (in_type || receiver.is_some()) {
            DefinitionKind::Method
        } else {
            kind
        };
        let mut name = folded(self.text(name_node).trim_start_matches(':'), 120); // `define_method(:name)`
        if kind == DefinitionKind::Extension {
            name = plain_type_name(&name).to_owned();
        }
        let mut is_test = self.leading.is_test || parent.is_test || self.language.is_test_name(&name);
        let (start_node, decorators) = self.take_wrapper(node);
        let (start, comments) = self.take_leading(start_node);
        is_test |= self.matches.tests.contains(&node.id());
        let receiver_name =
            receiver.map(|r| if kind.is_function() { plain_type_name(self.text(r)) } else { self.text(r) });
        let qualified = self.qualify(around, &name, receiver_name);
        let id = self.definitions.next_id();
        let line = name_node.start_position().row as u32 + 1;
        let mut span = span(start, start_node);
        span.end_byte = span.end_byte.max(node.end_byte() as u32);
        let signature = self.signature(node, found);
        self.push(kind, name, qualified, signature, around, span, line, node_id, is_test);
        self.leading_doc(id, &comments);
        self.values.define(node, id);
        // An extension names a type that is defined elsewhere.
        if kind != DefinitionKind::Extension {
            let out_of_line = kind == DefinitionKind::Method && !in_type;
            self.values.declare_definition(
                around,
                id,
                &self.definitions[id].name,
                out_of_line,
                &decorators,
                node_id,
                line,
            );
        }
        let marked = |markers: &[String]| decorators.iter().any(|d| markers.iter().any(|m| m == self.text(*d)));
        let is_static = marked(&self.language.spec.scopes.static_markers);
        self.definitions[id].receives_type = marked(&self.language.spec.scopes.class_markers);
        self.values.bases_of(id, around, found, receiver.filter(|_| kind.is_function()));
        self.enter(id, node, found, is_static);
    }

    pub(super) fn enter(&mut self, id: LocalId, node: Node<'t>, found: &'t DefinitionMatch<'t>, static_method: bool) {
        let range = |n: Option<Node<'t>>| n.map_or((0, 0), |n| (n.start_byte(), n.end_byte()));
        let (scopes, definition) = (&self.language.spec.scopes, &mut self.definitions[id]);
        if let Some(name) = found.self_name {
            definition.receiver = Some(self.values.declare(id, &self.source[name.byte_range()]));
        } else if definition.kind == DefinitionKind::Method && !scopes.receiver_parameter && !static_method {
            // Rust writes its receiver as a parameter: that parameter finds this variable again by its name.
            definition.receiver = scopes.receivers.first().map(|name| self.values.declare(id, name));
        }
        self.values.scope_parents.push((definition.parent, definition.kind, symbol(&definition.name)));
        let (name, parameters, returns) = (range(found.name), range(found.parameters), range(found.returns));
        self.open.push(Open {
            id,
            end: node.end_byte(),
            found: Some(found),
            name,
            parameters,
            returns,
            static_method,
            saw_parameter: false,
            parameter_end: 0,
        });
    }

    /// A name that is a path (`Session::renew`) is its last part, of the type that the part before it names.
    pub(super) fn split_name(
        &self,
        name: Node<'t>,
        kind: DefinitionKind,
        receiver: Option<Node<'t>>,
    ) -> (Node<'t>, Option<Node<'t>>) {
        let (mut name, mut receiver) = (name, receiver);
        if kind == DefinitionKind::Extension {
            return (name, receiver);
        }
        while let ExpressionForm::Access(object, member) = self.language.meaning(name.kind_id()).form {
            let Some(member) = member.of(name) else { break };
            receiver = name.child_by_field_id(object.get()).or(receiver);
            name = member;
        }
        (name, receiver)
    }

    pub(super) fn qualify(&self, around: LocalId, name: &str, receiver: Option<&str>) -> String {
        let qualifier = &self.language.spec.qualifier;
        let mut parts = vec![name.to_owned()];
        parts.extend(receiver.map(str::to_owned));
        let mut at = around;
        while at != LocalId::FILE && self.definitions[at].name.is_empty() {
            at = self.definitions[at].parent;
        }
        if at != LocalId::FILE {
            parts.push(self.definitions[at].qualified_name.clone());
        }
        parts.reverse();
        parts.join(qualifier)
    }

    pub(super) fn signature(&self, node: Node<'t>, found: &DefinitionMatch<'t>) -> String {
        let end = found.body.map_or(node.end_byte(), |body| body.start_byte().max(node.start_byte()));
        // A comment between the name and the body is no part of the head.
        let named = found.name.map_or(0, |name| name.end_byte());
        let is_comment = |n: &Node<'t>| {
            n.start_byte() >= named && self.language.meaning(n.kind_id()).words == Some(WordSort::Comment)
        };
        let end =
            node.named_children(&mut node.walk()).find(is_comment).map_or(end, |comment| end.min(comment.start_byte()));
        let head = self.source.get(node.start_byte()..end).unwrap_or_default();
        let line = folded(head, SIGNATURE);
        let line = ["=>", "->"].iter().find_map(|arrow| line.strip_suffix(arrow)).unwrap_or(&line);
        line.trim_end_matches(['{', ':', '=', ';', '\\', ' ']).trim_end().to_owned()
    }
}
