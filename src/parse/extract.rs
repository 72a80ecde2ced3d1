//! The one walk over a file's syntax tree: nodes, definitions, words, and where values move.
//!
//! The query has already said what each node is for ([`super::matches`]); the walk visits named nodes in order, keeps
//! the stack of open definitions, gives each leaf's words to the definition that it stands in (and to the functions
//! around that), and notes calls, assignments and imports. Values are read afterwards ([`super::value`]), when all
//! names of the file are known.
//!
//! Price: O(nodes); about a third of the time that parsing takes.
//! Departs:   a nested function's words count for the function around it too, because it does that work; a method's
//!            words do not count for its class, because the class would swallow every question.

use super::facts::{Definition, Facts, Parameter, Span, symbol};
use super::matches::{Found, Mark, Matches};
use super::syntax::SyntaxWriter;
use super::value::Values;
use super::words::{Field, Words};
use crate::error::{Error, Kind, Result};
use crate::lang::{DefinitionKind, Form, Language, WordSort};
use crate::text::Stemmer;
use std::ops::ControlFlow;
use tree_sitter::{Node, ParseOptions};

/// How often the parser may report progress, for each byte of a file, before the file counts as unreadable. It reports
/// every hundred steps, so this is a fixed amount of work, not of time: the same file gives the same facts on a slow
/// machine. Real code takes up to a quarter of this (measured on the development repositories: 0.016).
const WORK_LIMIT: f64 = 1.0 / 16.0;
/// What a small file may take besides.
const WORK_FLOOR: usize = 1_000;
/// No person nests code this deep, nor chains this many calls; what comes after parsing takes time or memory that grows
/// with the square of the depth.
const DEEPEST: u32 = 4_000;
/// Longest signature kept, in bytes.
const SIGNATURE: usize = 240;
/// Longest documentation kept for showing, in bytes; all of it is indexed.
const SHOWN_DOC: usize = 480;

/// A parser of one thread.
pub struct Parser {
    inner: tree_sitter::Parser,
    stemmer: Stemmer,
}

impl Default for Parser {
    fn default() -> Self {
        Self { inner: tree_sitter::Parser::new(), stemmer: Stemmer::default() }
    }
}

impl Parser {
    /// The memory of stems, for text that is not parsed.
    pub fn stemmer(&mut self) -> &mut Stemmer {
        &mut self.stemmer
    }
}

/// The facts of one file and the words of each of its definitions; none when the parser gives up on it.
///
/// # Errors
/// When the language's own data is wrong.
pub fn parse(
    parser: &mut Parser,
    language: &Language,
    path: &str,
    source: &str,
) -> Result<Option<(Facts, Vec<Words>)>> {
    let compiled = language.query()?;
    parser.inner.set_language(&language.parser).map_err(|cause| {
        Error::new(
            Kind::Language,
            format!("the parser for {} does not load: {cause}", language.spec.name),
            "report this",
        )
    })?;
    let (mut work, limit) = (0, WORK_FLOOR + (source.len() as f64 * WORK_LIMIT) as usize);
    let mut within_limit = |_: &tree_sitter::ParseState| {
        work += 1;
        if work > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = source.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut within_limit);
    let tree = parser.inner.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    let Some(tree) = tree else {
        parser.inner.reset();
        return Ok(None);
    };
    if is_too_deep(tree.root_node()) {
        return Ok(None);
    }
    let matches = Matches::collect(compiled, tree.root_node(), source);
    let walk = Walk::new(language, path, source, &matches, &mut parser.stemmer);
    Ok(Some(walk.run(tree.root_node())))
}

/// Whether a path from the root is longer than [`DEEPEST`]. A node with fewer nodes inside than levels are missing is
/// not looked into, so that an ordinary file costs a few steps.
fn is_too_deep(root: Node<'_>) -> bool {
    let mut todo = vec![(root, 0)];
    let mut cursor = root.walk();
    while let Some((node, depth)) = todo.pop() {
        if depth > DEEPEST {
            return true;
        }
        let missing = (DEEPEST - depth) as usize;
        todo.extend(
            node.children(&mut cursor)
                .filter(|child| child.descendant_count() > missing)
                .map(|child| (child, depth + 1)),
        );
    }
    false
}

/// A definition whose end has not been reached.
struct Open<'t> {
    id: u32,
    end: usize,
    found: Option<&'t Found<'t>>,
    /// Byte ranges whose leaves are not body words: the name, the documentation inside the body.
    name: (usize, usize),
    parameters: (usize, usize),
    returns: (usize, usize),
    static_method: bool,
    saw_parameter: bool,
    /// End of its last parameter.
    parameter_end: usize,
}

/// A run of comments and attributes that may belong to the definition after it.
#[derive(Default)]
struct Leading<'t> {
    start: Option<Node<'t>>,
    comments: Vec<Node<'t>>,
    end_row: usize,
    end_byte: usize,
    is_test: bool,
    at_top: bool,
}

struct Walk<'a, 't> {
    language: &'a Language,
    path: &'a str,
    source: &'a str,
    matches: &'t Matches<'t>,
    stemmer: &'a mut Stemmer,
    syntax: SyntaxWriter,
    definitions: Vec<Definition>,
    words: Vec<Words>,
    docs: Vec<String>,
    open: Vec<Open<'t>>,
    values: Values<'a, 't>,
    leading: Leading<'t>,
    /// Outermost wrapper of the definition to come: its node, and its decorators from the outside in.
    wrapper: Option<(Node<'t>, Vec<Node<'t>>)>,
    test_file: bool,
}

impl<'a, 't> Walk<'a, 't> {
    fn new(
        language: &'a Language,
        path: &'a str,
        source: &'a str,
        matches: &'t Matches<'t>,
        stemmer: &'a mut Stemmer,
    ) -> Self {
        Self {
            language,
            path,
            source,
            matches,
            stemmer,
            syntax: SyntaxWriter::default(),
            definitions: Vec::new(),
            words: Vec::new(),
            docs: Vec::new(),
            open: Vec::new(),
            values: Values::new(language, source),
            leading: Leading { at_top: true, ..Leading::default() },
            wrapper: None,
            test_file: language.is_test_path(path),
        }
    }

    fn run(mut self, root: Node<'t>) -> (Facts, Vec<Words>) {
        self.open_file(root);
        let mut cursor = root.walk();
        let mut depth = 0;
        let mut parents = 0;
        loop {
            let node = cursor.node();
            if node.is_named() {
                let id = self.syntax.push(depth, node.kind_id(), node.start_byte() as u32, node.end_byte() as u32);
                if parents > 0 {
                    self.visit(node, id);
                }
                depth += 1;
            }
            // Tokens have nothing inside; asking costs as much as looking at them.
            if node.is_named() && cursor.goto_first_child() {
                parents += 1;
                continue;
            }
            depth -= u32::from(node.is_named());
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return self.finish(root);
                }
                parents -= 1;
                depth -= u32::from(cursor.node().is_named());
            }
        }
    }

    fn visit(&mut self, node: Node<'t>, id: u32) {
        let start = node.start_byte();
        while self.open.len() > 1 && self.open.last().is_some_and(|open| open.end <= start) {
            self.open.pop();
        }
        let meaning = self.language.meaning(node.kind_id());
        if meaning.words == Some(WordSort::Comment) {
            return self.comment(node);
        }
        if meaning.attribute {
            self.lead(node);
        }
        let special = self.matches.is_special(node.kind_id());
        if special && self.matches.tests.contains(&node.id()) {
            self.leading.is_test = true;
        }
        let around = self.open.last().map_or(0, |open| open.id);
        if let Some(decorators) = special.then(|| self.matches.wrappers.get(&node.id())).flatten() {
            let known = self.wrapper.take().filter(|(outer, _)| outer.end_byte() >= node.end_byte());
            let (outer, mut all) = known.unwrap_or((node, Vec::new()));
            all.extend(decorators);
            self.wrapper = Some((outer, all));
        } else if let Some(found) = special.then(|| self.matches.definitions.get(&node.id())).flatten() {
            self.open_definition(node, id, found);
        } else if !meaning.attribute
            && self.leading.start.is_some()
            && self.leading.end_byte <= start
            && self.is_unrelated(node)
        {
            self.flush_leading();
        }
        let matches = self.matches;
        matches.marks(node).for_each(|mark| self.mark(node, id, around, mark));
        if let Some(sort) = meaning.words {
            self.leaf(node, sort);
        }
    }

    /// A node that is neither inside the leading run nor inside a wrapper ends the run.
    fn is_unrelated(&self, node: Node<'t>) -> bool {
        let inside_wrapper = self
            .wrapper
            .as_ref()
            .is_some_and(|(outer, _)| outer.end_byte() >= node.end_byte() && outer.start_byte() <= node.start_byte());
        !inside_wrapper && !self.begins_definition(node)
    }

    /// Whether a definition starts where `node` starts: then the node only holds it (the body of a Ruby class).
    fn begins_definition(&self, node: Node<'t>) -> bool {
        let mut at = Some(node);
        while let Some(inner) = at.filter(|inner| inner.start_byte() == node.start_byte()) {
            if self.matches.definitions.contains_key(&inner.id()) || self.matches.wrappers.contains_key(&inner.id()) {
                return true;
            }
            at = inner.child(0);
        }
        false
    }

    fn open_file(&mut self, root: Node<'t>) {
        let lines = (root.end_position().row + 1) as u32;
        let span = Span { start_byte: 0, end_byte: self.source.len() as u32, start_line: 1, end_line: lines };
        let stem = file_stem(self.path);
        self.push(DefinitionKind::Module, String::new(), stem.to_owned(), String::new(), 0, span, 1, 0, self.test_file);
        self.open.push(Open {
            id: 0,
            end: usize::MAX,
            found: None,
            name: (0, 0),
            parameters: (0, 0),
            returns: (0, 0),
            static_method: false,
            saw_parameter: false,
            parameter_end: 0,
        });
    }

    #[allow(clippy::too_many_arguments)] // one place builds definitions; a struct of the same nine fields would only rename them
    fn push(
        &mut self,
        kind: DefinitionKind,
        name: String,
        qualified_name: String,
        signature: String,
        parent: u32,
        span: Span,
        line: u32,
        node: u32,
        is_test: bool,
    ) {
        self.definitions.push(Definition {
            kind,
            name,
            qualified_name,
            signature,
            doc: String::new(),
            parent,
            span,
            line,
            node,
            is_test,
            lengths: [0; Field::COUNT],
            receiver: None,
            receiver_is_parameter: false,
            receives_type: false,
            parameters: Vec::new(),
            bases: Vec::new(),
            owner: None,
        });
        self.words.push(Words::default());
        self.docs.push(String::new());
    }

    fn open_definition(&mut self, node: Node<'t>, node_id: u32, found: &'t Found<'t>) {
        let Some(kind) = found.kind else { return };
        let around = self.open.last().map_or(0, |open| open.id);
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
            let id = self.definitions.len() as u32;
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
        let parent = &self.definitions[around as usize];
        let in_type = parent.kind.has_members();
        let kind = if kind == DefinitionKind::Function && (in_type || receiver.is_some()) {
            DefinitionKind::Method
        } else {
            kind
        };
        let mut name = one_line(self.text(name_node).trim_start_matches(':'), 120); // `define_method(:name)`
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
        let id = self.definitions.len() as u32;
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
                &self.definitions[id as usize].name,
                out_of_line,
                &decorators,
                node_id,
                line,
            );
        }
        let marked = |markers: &[String]| decorators.iter().any(|d| markers.iter().any(|m| m == self.text(*d)));
        let is_static = marked(&self.language.spec.scopes.static_markers);
        self.definitions[id as usize].receives_type = marked(&self.language.spec.scopes.class_markers);
        self.values.bases_of(id, around, found, receiver.filter(|_| kind.is_function()));
        self.enter(id, node, found, is_static);
    }

    fn enter(&mut self, id: u32, node: Node<'t>, found: &'t Found<'t>, static_method: bool) {
        let range = |n: Option<Node<'t>>| n.map_or((0, 0), |n| (n.start_byte(), n.end_byte()));
        let (scopes, definition) = (&self.language.spec.scopes, &mut self.definitions[id as usize]);
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
        while let Form::Access(object, member) = self.language.meaning(name.kind_id()).form {
            let Some(member) = member.of(name) else { break };
            receiver = name.child_by_field_id(object.get()).or(receiver);
            name = member;
        }
        (name, receiver)
    }

    fn qualify(&self, around: u32, name: &str, receiver: Option<&str>) -> String {
        let qualifier = &self.language.spec.qualifier;
        let mut parts = vec![name.to_owned()];
        parts.extend(receiver.map(str::to_owned));
        let mut at = around;
        while at != 0 && self.definitions[at as usize].name.is_empty() {
            at = self.definitions[at as usize].parent;
        }
        if at != 0 {
            parts.push(self.definitions[at as usize].qualified_name.clone());
        }
        parts.reverse();
        parts.join(qualifier)
    }

    fn signature(&self, node: Node<'t>, found: &Found<'t>) -> String {
        let end = found.body.map_or(node.end_byte(), |body| body.start_byte().max(node.start_byte()));
        // A comment between the name and the body is no part of the head.
        let named = found.name.map_or(0, |name| name.end_byte());
        let is_comment = |n: &Node<'t>| {
            n.start_byte() >= named && self.language.meaning(n.kind_id()).words == Some(WordSort::Comment)
        };
        let end =
            node.named_children(&mut node.walk()).find(is_comment).map_or(end, |comment| end.min(comment.start_byte()));
        let head = self.source.get(node.start_byte()..end).unwrap_or_default();
        let line = one_line(head, SIGNATURE);
        let line = ["=>", "->"].iter().find_map(|arrow| line.strip_suffix(arrow)).unwrap_or(&line);
        line.trim_end_matches(['{', ':', '=', ';', '\\', ' ']).trim_end().to_owned()
    }

    fn take_wrapper(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Node<'t>>) {
        match self.wrapper.take() {
            Some((outer, decorators))
                if outer.start_byte() <= node.start_byte() && outer.end_byte() >= node.end_byte() =>
            {
                (outer, decorators)
            }
            _ => (node, Vec::new()),
        }
    }

    /// Comments and attributes right above `node`, without a blank line between, belong to it.
    fn take_leading(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Node<'t>>) {
        let leading = std::mem::take(&mut self.leading);
        match leading.start {
            Some(start)
                if leading.end_row + 1 >= node.start_position().row && start.end_byte() <= node.start_byte() =>
            {
                (start, leading.comments)
            }
            _ => {
                self.spill(&leading.comments, leading.at_top);
                (node, Vec::new())
            }
        }
    }

    fn leading_doc(&mut self, id: u32, comments: &[Node<'t>]) {
        for comment in comments {
            let text = self.text(*comment);
            if self.matches.docs.contains(&comment.id()) {
                let clean = self.clean_doc(text);
                self.docs[id as usize].push_str(&clean);
                self.docs[id as usize].push('\n');
            } else {
                self.words[id as usize].add(Field::Strings, text, self.stemmer);
            }
        }
    }

    fn comment(&mut self, node: Node<'t>) {
        // A comment after code on its line is about that code, not about what follows.
        let line = self.source[..node.start_byte()].rsplit('\n').next().unwrap_or_default();
        if !line.trim().is_empty() && self.leading.start.is_none() {
            return self.give(Field::Strings, self.text(node));
        }
        if self.leading.start.is_some() && self.leading.end_row + 1 < node.start_position().row {
            self.flush_leading();
        }
        self.lead(node);
        self.leading.comments.push(node);
    }

    fn lead(&mut self, node: Node<'t>) {
        self.leading.start.get_or_insert(node);
        // A line comment that holds its line break ends at the start of the next line.
        let end = node.end_position();
        self.leading.end_byte = node.end_byte();
        self.leading.end_row =
            if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    }

    fn flush_leading(&mut self) {
        let leading = std::mem::take(&mut self.leading);
        self.spill(&leading.comments, leading.at_top);
    }

    /// Comments that belong to no definition: words of the one that they stand in; at the top, the file's own doc.
    fn spill(&mut self, comments: &[Node<'t>], at_top: bool) {
        for comment in comments {
            let text = self.text(*comment);
            if at_top && self.matches.docs.contains(&comment.id()) {
                let clean = self.clean_doc(text);
                self.docs[0].push_str(&clean);
                self.docs[0].push('\n');
            } else {
                self.give(Field::Strings, text);
            }
        }
    }

    fn leaf(&mut self, node: Node<'t>, sort: WordSort) {
        let Some(open) = self.open.last() else { return };
        let at = node.start_byte();
        let within = |range: (usize, usize)| range.0 <= at && at < range.1;
        if within(open.name) {
            return;
        }
        if sort != WordSort::Identifier && self.matches.docs.contains(&node.id()) {
            let id = open.id as usize;
            let clean = self.clean_doc(self.text(node));
            self.docs[id].push_str(&clean);
            self.docs[id].push('\n');
            return;
        }
        let field = match sort {
            _ if within(open.parameters) || within(open.returns) => Field::Parameters,
            WordSort::Identifier => Field::Body,
            WordSort::String | WordSort::Comment => Field::Strings,
        };
        self.give(field, self.text(node));
    }

    /// Gives words to the innermost definition that can be a result, and to the functions around it.
    fn give(&mut self, field: Field, text: &str) {
        let mut id = self.open.last().map_or(0, |open| open.id);
        loop {
            let (kind, parent) = (self.definitions[id as usize].kind, self.definitions[id as usize].parent);
            if kind != DefinitionKind::Anonymous {
                self.words[id as usize].add(field, text, self.stemmer);
            }
            let parent_kind = self.definitions[parent as usize].kind;
            let passes_up = kind == DefinitionKind::Anonymous
                || (kind.is_function() && (parent_kind.is_function() || parent_kind == DefinitionKind::Anonymous));
            if id == 0 || !passes_up {
                return;
            }
            id = parent;
        }
    }

    fn mark(&mut self, node: Node<'t>, id: u32, around: u32, mark: &Mark<'t>) {
        let Some(open) = self.open.last_mut() else { return };
        let scope = open.id;
        match *mark {
            Mark::Parameter { name, declared, default } => {
                // Parameters of function types, inside a parameter or the body, are nobody's.
                let at = name.start_byte();
                let body = open.found.and_then(|found| found.body).map_or(usize::MAX, |body| body.start_byte());
                if scope == 0
                    || at >= body
                    || node.end_byte() < open.parameter_end
                    || (open.returns.0 <= at && at < open.returns.1)
                {
                    return;
                }
                open.parameter_end = node.end_byte();
                let first = !std::mem::replace(&mut open.saw_parameter, true);
                let is_static = open.static_method;
                self.parameter(scope, first && !is_static, name, declared, default);
            }
            Mark::Call { callee, arguments } => self.values.call(scope, node, callee, arguments, id),
            Mark::Bind { target, declares, value, declared } => {
                self.values.bind(scope, target, declares, value, declared)
            }
            Mark::Field { name, declared } => {
                let of_type = self.type_around(scope);
                self.values.bind(of_type, name, true, None, declared);
            }
            // A function that is returned is returned by the one around it.
            Mark::Return(value) => self.values.give_back(around, value),
            Mark::Import { path, name, alias, all } => self.values.import(scope, node, path, name, alias, all),
        }
    }

    /// The type or extension around a definition; the file if there is none.
    fn type_around(&self, mut at: u32) -> u32 {
        while at != 0 && !self.definitions[at as usize].kind.has_members() {
            at = self.definitions[at as usize].parent;
        }
        at
    }

    fn parameter(
        &mut self,
        scope: u32,
        may_receive: bool,
        name: Node<'t>,
        declared: Option<Node<'t>>,
        default: Option<Node<'t>>,
    ) {
        let text = self.text(name);
        let scopes = &self.language.spec.scopes;
        let variable = self.values.declare(scope, text);
        let is_method = self.definitions[scope as usize].kind == DefinitionKind::Method;
        let receives = scopes.receivers.iter().any(|r| r == text) || (scopes.receiver_parameter && may_receive);
        let definition = &mut self.definitions[scope as usize];
        if is_method && receives && definition.parameters.is_empty() {
            definition.receiver = Some(variable);
            definition.receiver_is_parameter = true;
            return;
        }
        if definition.receiver == Some(variable) {
            return;
        }
        definition.parameters.push(Parameter { variable, symbol: symbol(text) });
        self.values.bind(scope, name, true, default, declared);
    }

    fn finish(mut self, root: Node<'t>) -> (Facts, Vec<Words>) {
        self.flush_leading();
        self.fill_words();
        let flow = self.values.finish(&mut self.definitions);
        for (definition, words) in self.definitions.iter_mut().zip(&self.words) {
            definition.lengths = words.lengths;
        }
        let lines = self.source.lines().count() as u32;
        (
            Facts {
                lines,
                definitions: self.definitions,
                flow,
                syntax: self.syntax.finish(),
                has_errors: root.has_error(),
            },
            self.words,
        )
    }

    /// Names, scopes, paths and docs, now that all definitions are known.
    fn fill_words(&mut self) {
        for id in 0..self.definitions.len() {
            let doc = std::mem::take(&mut self.docs[id]);
            let (definition, words) = (&mut self.definitions[id], &mut self.words[id]);
            if definition.kind == DefinitionKind::Anonymous {
                continue;
            }
            definition.doc = shown_doc(&doc);
            words.add_doc(&doc, self.stemmer);
            words.add(Field::Name, &definition.name, self.stemmer);
            words.add(Field::Path, self.path, self.stemmer);
            let scope = definition.qualified_name.strip_suffix(&definition.name).unwrap_or_default();
            if id > 0 {
                words.add(Field::Scope, scope, self.stemmer);
            }
        }
        // A type is found by the names of its members too, and a file by those of its definitions.
        for id in 1..self.definitions.len() {
            let (kind, parent) = (self.definitions[id].kind, self.definitions[id].parent as usize);
            if kind != DefinitionKind::Anonymous && (self.definitions[parent].kind.has_members() || parent == 0) {
                self.words[parent].add(Field::Body, &self.definitions[id].name, self.stemmer);
            }
        }
    }

    fn clean_doc(&self, text: &str) -> String {
        let words = &self.language.spec.words;
        let lines = text.lines().map(|line| {
            let mut line = line.trim();
            if let Some(rest) = words.doc_prefixes.iter().find_map(|p| line.strip_prefix(p.as_str())) {
                line = rest.trim_start();
            }
            let line = line.strip_suffix("*/").unwrap_or(line).trim_end();
            words.doc_suffixes.iter().find_map(|s| line.strip_suffix(s.as_str())).unwrap_or(line).trim_end()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn text(&self, node: Node<'t>) -> &'a str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }
}

fn span(start: Node<'_>, end: Node<'_>) -> Span {
    let last = end.end_position();
    // A node that ends at the first column of a line ends on the line before.
    let end_line = if last.column == 0 && last.row > end.start_position().row { last.row } else { last.row + 1 };
    Span {
        start_byte: start.start_byte() as u32,
        end_byte: end.end_byte() as u32,
        start_line: start.start_position().row as u32 + 1,
        end_line: end_line as u32,
    }
}

fn one_line(text: &str, longest: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() > longest {
            line.push('…');
            break;
        }
        if !line.is_empty() && !line.ends_with('(') && !word.starts_with(')') {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// `Vec<T>` is `Vec`, `fmt::Display` is `Display`, `&'a mut Foo` is `Foo`.
fn plain_type_name(text: &str) -> &str {
    let text = text.split(['<', '[', '(']).next().unwrap_or(text).trim();
    let last = text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|part| !part.is_empty());
    last.unwrap_or(text)
}

fn shown_doc(doc: &str) -> String {
    let paragraph = doc.trim().split("\n\n").next().unwrap_or_default();
    one_line(paragraph, SHOWN_DOC)
}

fn file_stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}
