//! Opens definitions: determines the kind, names, span, signature and scope of each.

use super::extract::{Extractor, Open};
use super::facts::{Definition, setter_member};
use super::matches::{Accessor, DefinitionMatch};
use super::selector::selector;
use super::shown::{SIGNATURE, folded, plain_type_name, span};
use super::value::NameScope;
use crate::ids::LocalId;
use crate::lang::{DefinitionKind, ExpressionForm, Marker, PlainMembers, WordSort};
use crate::tree::Node;

/// Maximum length of a stored name in bytes.
const NAME: usize = 120;
/// Maximum length in bytes of a name without spaces.
const LONGEST_WORD: usize = 240;

impl<'t> Extractor<'_, 't> {
    /// Adds a definition to the file, without words or documentation.
    pub(super) fn push(&mut self, definition: Definition) -> LocalId {
        self.docs.push(String::new());
        self.definitions.push(definition)
    }

    /// Opens the definition that a match found at `node`. `node_id` is the number of the node in
    /// the file.
    pub(super) fn open_definition(&mut self, node: Node<'t>, node_id: u32, found: &'t DefinitionMatch<'t>) {
        let Some(kind) = found.kind.or(found.is_object.then_some(DefinitionKind::Anonymous)) else { return };
        if self.is_open_already(node, kind, found) {
            return self.values.define(node, self.innermost());
        }
        match kind {
            DefinitionKind::Anonymous => self.open_anonymous(node, node_id, found),
            DefinitionKind::Declaration => self.note_declaration(node, node_id, found),
            kind => self.open_named(kind, node, node_id, found),
        }
    }

    /// Checks whether `node` is the function in an assignment that is already open (`handler =
    /// lambda: ...`, `handler = function named() { ... }`). In this case, both have the same body,
    /// or the body of the assignment is inside `node`.
    fn is_open_already(&self, node: Node<'t>, kind: DefinitionKind, found: &DefinitionMatch<'t>) -> bool {
        let Some(body) = self.open.last().and_then(|open| open.found).and_then(|f| f.body) else { return false };
        match found.body {
            Some(own) => body.number() == own.number(),
            None => {
                let inside = body.start() >= node.start() && body.end() <= node.end();
                kind == DefinitionKind::Anonymous && inside && body.number() != node.number()
            }
        }
    }

    fn open_anonymous(&mut self, node: Node<'t>, node_id: u32, found: &'t DefinitionMatch<'t>) {
        let anonymous = Definition {
            receives_type: found.is_object,
            is_test: self.definitions[self.innermost()].is_test || self.matches.tests.contains(&node.number()),
            ..Definition::new(DefinitionKind::Anonymous, span(node, node))
        };
        let parent = self.entry_around(node).unwrap_or_else(|| self.innermost());
        let id = self.push(Definition { parent, node: node_id, depth: self.syntax.depth(), ..anonymous });
        self.values.define(node, id);
        if found.is_object {
            self.values.note_object(id, node);
        }
        self.enter(id, node, found, false);
        if !found.is_object {
            self.add_implicit_parameters(id);
        }
    }

    /// Records a function that is only declared, if a comment directly above describes it. The
    /// comment also remains in the enclosing definition, because a file and a type match the
    /// documentation of their parts. Declarations inside a function are not recorded, because the
    /// comment would describe what the function does (and `Lock held(mutex);` parses as a
    /// declaration). A comment above several declarations does not count either, because it is a
    /// heading.
    fn note_declaration(&mut self, node: Node<'t>, node_id: u32, found: &'t DefinitionMatch<'t>) {
        let Some(name_node) = found.name.filter(|name| !name.bytes().is_empty()) else { return };
        let (around, comments) = (self.innermost(), self.comments_above(node));
        let is_function_body = |kind: DefinitionKind| kind.is_function() || kind == DefinitionKind::Anonymous;
        if comments.is_empty() || is_function_body(self.definitions[around].kind) || self.has_several_declarations(node)
        {
            return;
        }
        let (name_node, receiver) = self.split_name(name_node, DefinitionKind::Function, None);
        let name = self.display_name(name_node, DefinitionKind::Function);
        let declaration = Definition {
            qualified_name: self.qualify(around, &name, receiver.map(|node| self.text(node))),
            name,
            signature: self.signature(node, node, found),
            parent: around,
            line: name_node.first_line() as u32 + 1,
            node: node_id,
            depth: self.syntax.depth(),
            is_test: self.definitions[around].is_test,
            ..Definition::new(DefinitionKind::Declaration, span(node, node))
        };
        let id = self.push(declaration);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        comments.into_iter().for_each(|comment| self.add_doc_node(id, comment));
    }

    /// Checks whether another declaration, without its own comment, begins on the next line.
    fn has_several_declarations(&self, node: Node<'t>) -> bool {
        let next = node.later_siblings().find(|next| next.is_named());
        next.is_some_and(|next| {
            let found = self.matches.definitions.get(&next.number());
            let is_declaration = found.is_some_and(|found| found.kind == Some(DefinitionKind::Declaration));
            is_declaration && next.first_line() <= node.last_line() + 1
        })
    }

    fn open_named(&mut self, kind: DefinitionKind, node: Node<'t>, node_id: u32, found: &'t DefinitionMatch<'t>) {
        // The parser inserts a name with an empty range if the source lacks one.
        let Some(name_node) = found.name.filter(|name| !name.bytes().is_empty()) else { return };
        let is_reserved = |word: &String| kind.is_function() && word == self.text(name_node);
        if self.language.spec.words.reserved.iter().any(is_reserved) {
            return;
        }
        let around = self.innermost();
        let (name_node, receiver) = self.split_name(name_node, kind, found.receiver);
        let in_type = self.definitions[around].kind.has_members();
        let kind = match kind {
            DefinitionKind::Function if in_type || receiver.is_some() => DefinitionKind::Method,
            kind => kind,
        };
        let name = match &self.language.spec.expressions.addresses {
            Some(addresses) if !found.address.is_empty() => {
                addresses.name(found.address.iter().map(|&word| self.text(word)), self.text(name_node))
            }
            _ => self.display_name(name_node, kind),
        };
        if self.language.meaning(node.kind()).equation
            && let Some(id) = self.equation_before(around, &name)
        {
            return self.continue_definition(id, node, found);
        }
        let is_test = self.is_test(node, around, &name);
        let (outer, decorators) = self.take_wrapper(node);
        let (first, comments) = self.take_leading(outer);
        let mut span = span(first, outer);
        span.end_byte = span.end_byte.max(node.end() as u32);
        let scopes = &self.language.spec.scopes;
        let marked = |markers: &[String]| decorators.iter().any(|d| markers.iter().any(|m| m == self.text(*d)));
        let is_static = marked(scopes.markers(Marker::Static))
            || !self.definitions[around].kind.is_type() && self.is_lexical(found);
        let is_stub =
            marked(scopes.markers(Marker::Stub)) || kind.is_function() && found.body.is_none() && !scopes.overloads;
        let of_member = |marker: &String| !decorators.is_empty() && marked(&[marker.replace("{name}", &name)]);
        let accessor = match scopes.markers(Marker::Accessor).iter().position(of_member) {
            _ if marked(scopes.markers(Marker::Property)) => Accessor::Getter,
            Some(0) => Accessor::Setter,
            Some(_) => Accessor::Other,
            None => found.accessor,
        };
        // A function in an argument with a name (`with_mocks(read = function() 1)`) is only a value.
        let is_argument = !in_type && self.language.meaning(node.kind()).keyword.is_some();
        let definition = Definition {
            qualified_name: self.qualify(around, &name, receiver.map(|r| self.display_receiver(r, kind))),
            name,
            signature: self.declared_signature(first, outer).unwrap_or_else(|| self.signature(outer, node, found)),
            parent: around,
            line: name_node.first_line() as u32 + 1,
            node: node_id,
            depth: self.syntax.depth(),
            is_test,
            is_private: is_argument || self.is_private(node, name_node, around),
            is_property: matches!(accessor, Accessor::Getter | Accessor::Setter),
            receives_type: found.receives_type || marked(scopes.markers(Marker::Class)),
            ..Definition::new(kind, span)
        };
        let id = self.push(definition);
        self.add_leading_doc(id, &comments);
        self.values.define(node, id);
        let is_elsewhere = is_argument || kind.is_function() && receiver.is_some();
        let wrappers = if accessor == Accessor::None { &decorators[..] } else { &[] };
        self.declare_definition(id, is_elsewhere, wrappers, accessor, is_stub);
        if found.is_object {
            self.values.note_object(id, node);
        }
        let path = if kind.is_function() { self.receiver_path(found) } else { Vec::new() };
        self.values.note_bases(id, around, found, path);
        self.enter(id, node, found, is_static);
        let takes_fixtures = self.takes_fixtures(id, &decorators);
        if let Some(open) = self.open.last_mut().filter(|open| open.id == id) {
            open.takes_fixtures = takes_fixtures;
        }
        self.decorate(id);
    }

    /// Returns the last definition in `around`, if it is a function with this name.
    fn equation_before(&self, around: LocalId, name: &str) -> Option<LocalId> {
        let mut at = self.definitions.ids().next_back()?;
        while at != LocalId::FILE && self.definitions[at].parent != around {
            at = self.definitions[at].parent;
        }
        let before = &self.definitions[at];
        (at != LocalId::FILE && before.kind.is_function() && before.name == name).then_some(at)
    }

    /// Opens a function again for a further equation.
    fn continue_definition(&mut self, id: LocalId, node: Node<'t>, found: &'t DefinitionMatch<'t>) {
        self.flush_leading();
        let end = span(node, node);
        let span = &mut self.definitions[id].span;
        (span.end_byte, span.end_line) = (end.end_byte, end.end_line);
        self.values.define(node, id);
        let name = found.name.map_or((0, 0), |name| (name.start(), name.end()));
        self.open.push(Open { found: Some(found), name, continues: true, ..Open::new(id, node.end()) });
    }

    /// Returns the text of the node between `first` and a definition that declares its type.
    fn declared_signature(&self, first: Node<'t>, definition: Node<'t>) -> Option<String> {
        let is_signature = |node: &Node<'t>| self.language.meaning(node.kind()).signature;
        let above = std::iter::once(first).chain(first.later_siblings());
        let node = above.take_while(|node| node.end() <= definition.start()).filter(is_signature).last()?;
        Some(folded(self.text(node), SIGNATURE))
    }

    /// Checks whether a function has no receiver of its own.
    fn is_lexical(&self, found: &DefinitionMatch<'t>) -> bool {
        let function = found.body.and_then(Node::parent);
        function.is_some_and(|function| self.language.meaning(function.kind()).lexical_function)
    }

    /// Checks whether a test runner passes a fixture for each parameter of a definition: it is a
    /// test or a fixture.
    fn takes_fixtures(&self, id: LocalId, decorators: &[Node<'t>]) -> bool {
        let (definition, fixtures) = (&self.definitions[id], &self.language.spec.tests.fixtures);
        let is_fixture = |decorator: &Node<'t>| {
            let callee = self.text(*decorator).split('(').next().unwrap_or_default();
            fixtures.iter().any(|fixture| callee.rsplit('.').next().map(str::trim) == Some(fixture))
        };
        !fixtures.is_empty()
            && definition.is_test
            && definition.kind.is_function()
            && (self.language.is_case_name(&definition.name) || decorators.iter().any(is_fixture))
    }

    /// Returns the unqualified name of a definition in the form in which it is displayed and
    /// searched.
    fn display_name(&self, name: Node<'t>, kind: DefinitionKind) -> String {
        if let Some(selector) = name.parent().and_then(|around| selector(self.language, self.source, around)) {
            return selector;
        }
        let quotes = &self.language.spec.expressions.name_quotes;
        let text = self.text(name).trim_start_matches(':').trim_matches(&quotes[..]); // `define_method(:name)`
        let is_word = text.len() <= LONGEST_WORD && !text.contains(char::is_whitespace);
        let name = if is_word { text.to_owned() } else { folded(text, NAME) };
        if kind == DefinitionKind::Extension { plain_type_name(&name).to_owned() } else { name }
    }

    /// Returns the type that an out-of-line definition belongs to, in the form in which it appears
    /// in the qualified name.
    fn display_receiver(&self, receiver: Node<'t>, kind: DefinitionKind) -> &str {
        let text = self.text(receiver);
        if kind.is_function() { plain_type_name(text) } else { text }
    }

    /// Checks whether a definition is a test, according to an attribute before it, a node in it,
    /// its name, or the test that encloses it.
    fn is_test(&self, node: Node<'t>, around: LocalId, name: &str) -> bool {
        self.leading.is_test
            || self.definitions[around].is_test
            || self.language.is_test_name(self.path, name)
            || self.matches.tests.contains(&node.number())
    }

    /// Checks whether a word before the name of a definition, or of the extension around it, makes
    /// it private. A word that brackets follow is private in another way: `private(set)` in Swift,
    /// `private[app]` in Scala. Words in brackets belong to annotations or parameters.
    fn is_private(&self, node: Node<'t>, name: Node<'t>, around: LocalId) -> bool {
        let around = &self.definitions[around];
        if around.kind == DefinitionKind::Extension && around.is_private {
            return true;
        }
        let words = &self.language.spec.api.private_words;
        let mut brackets = 0;
        let mut is_word = |part: Node<'t>| {
            let text = self.text(part);
            brackets += i32::from(text == "(") - i32::from(text == ")");
            let follows = || self.source[part.end()..].starts_with(char::is_whitespace);
            brackets == 0 && words.iter().any(|word| word == text) && follows()
        };
        let mut before = node.and_inside().take_while(|part| part.start() < name.start());
        !words.is_empty() && before.any(&mut is_word)
    }

    /// Binds the name of a definition in the enclosing scope. `is_elsewhere` is true for a member of
    /// a type that is named before it, and for an argument.
    fn declare_definition(
        &mut self,
        id: LocalId,
        is_elsewhere: bool,
        decorators: &[Node<'t>],
        accessor: Accessor,
        is_stub: bool,
    ) {
        let definition = &self.definitions[id];
        // An extension names a type that is defined elsewhere.
        if definition.kind == DefinitionKind::Extension {
            return;
        }
        // A method defined outside its type does not bind its name in the scope of its location.
        let in_type = self.definitions[definition.parent].kind.has_members();
        let out_of_line = is_elsewhere || definition.kind == DefinitionKind::Method && !in_type;
        let variable = match accessor {
            _ if out_of_line || accessor == Accessor::Other => self.values.declare_unseen(id, &definition.name),
            Accessor::Setter => self.values.declare(definition.parent, &setter_member(&definition.name)),
            _ => self.values.declare(definition.parent, &definition.name),
        };
        self.values.bind_definition(id, definition, variable, decorators, is_stub);
        if self.language.spec.scopes.plain_members == PlainMembers::Interfaces
            && self.definitions[definition.parent].kind == DefinitionKind::Interface
        {
            let around = self.definitions[definition.parent].parent;
            let variable = self.values.declare(around, &definition.name);
            self.values.bind_definition(id, definition, variable, &[], is_stub);
        }
        if accessor == Accessor::Getter {
            self.values.properties.insert(id, variable);
        }
    }

    /// Makes a definition the innermost open one, and declares the variable of its receiver.
    fn enter(&mut self, id: LocalId, node: Node<'t>, found: &'t DefinitionMatch<'t>, static_method: bool) {
        let (scopes, definition) = (&self.language.spec.scopes, &mut self.definitions[id]);
        if let Some(name) = found.self_name {
            definition.receiver = Some(self.values.declare(id, &self.source[name.bytes()]));
        } else if definition.kind == DefinitionKind::Method && !scopes.receiver_parameter && !static_method {
            // Rust writes its receiver as a parameter, which later resolves to this variable by its
            // name.
            definition.receiver = scopes.receivers.first().map(|name| self.values.declare(id, name));
        }
        self.values.scopes.push(NameScope::new(definition));
        let range = |n: Option<Node<'t>>| n.map_or((0, 0), |n| (n.start(), n.end()));
        self.open.push(Open {
            found: Some(found),
            name: range(found.name),
            parameters: range(found.parameters),
            returns: range(found.returns),
            static_method,
            ..Open::new(id, node.end())
        });
    }

    /// Splits a name that is a path (`Session::renew`) into its last part and the type that the
    /// other parts refer to.
    fn split_name(
        &self,
        name: Node<'t>,
        kind: DefinitionKind,
        receiver: Option<Node<'t>>,
    ) -> (Node<'t>, Option<Node<'t>>) {
        let (mut name, mut receiver) = (name, receiver);
        if kind == DefinitionKind::Extension {
            return (name, receiver);
        }
        while let ExpressionForm::Access(object, member) = self.language.meaning(name.kind()).form {
            let Some(member) = member.child_of(name) else { break };
            receiver = object.child_of(name).or(receiver);
            name = member;
        }
        (name, receiver)
    }

    /// Returns the path of the type that a definition belongs to: `Outer` and `Inner` of
    /// `Outer::Inner::run`.
    fn receiver_path(&self, found: &DefinitionMatch<'t>) -> Vec<Node<'t>> {
        let mut path: Vec<Node<'t>> = found.receiver.into_iter().collect();
        let mut name = found.name;
        while let Some(at) = name
            && let ExpressionForm::Access(object, member) = self.language.meaning(at.kind()).form
        {
            if let Some(object) = object.child_of(at) {
                path.push(object);
            }
            name = member.child_of(at);
        }
        path
    }

    /// Returns a name, qualified by the names of the enclosing definitions. `receiver` is the type
    /// that an out-of-line definition belongs to.
    fn qualify(&self, around: LocalId, name: &str, receiver: Option<&str>) -> String {
        let qualifier = &self.language.spec.head.qualifier;
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

    /// Returns the text of a definition up to its body, on one line. `outer` is the node around the
    /// definition that belongs to it.
    fn signature(&self, outer: Node<'t>, node: Node<'t>, found: &DefinitionMatch<'t>) -> String {
        let end = found.body.map_or(node.end(), |body| body.start().max(node.start()));
        // A comment before the name, or between the name and the body, does not belong to the
        // signature.
        let named = found.name.map_or(0, |name| name.end());
        let comments =
            || node.named_children().filter(|n| self.language.meaning(n.kind()).words == Some(WordSort::Comment));
        // The name may precede the function: `export default () => ...`.
        let is_before = found.name.is_some_and(|name| name.start() < node.start());
        let first = if is_before { outer.start() } else { node.start() };
        let start = comments().take_while(|n| n.end() < named).last().map_or(first, Node::end);
        let end = comments().find(|n| n.start() >= named).map_or(end, |comment| end.min(comment.start()));
        let head = self.source.get(start..end).unwrap_or_default();
        let line = folded(head, SIGNATURE);
        let line = ["=>", "->"].iter().find_map(|arrow| line.strip_suffix(arrow)).unwrap_or(&line);
        let line = line.trim_end_matches(['{', ':', '=', ';', ',', '\\', ' ']).trim_end();
        // The closing quote of a named block.
        let has_quotes = !self.language.spec.expressions.named_blocks.is_empty();
        line.trim_end_matches(|c| has_quotes && matches!(c, '"' | '\'')).to_owned()
    }
}
