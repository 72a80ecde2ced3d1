//! Walks over a file's syntax tree once, and collects its nodes, definitions, words and data flow.
//!
//! The patterns determine the role of each node before the walk ([`super::matches`]). The walk
//! visits named nodes in order, maintains the stack of open definitions, adds each leaf's words to
//! the innermost definition (and to the functions around it), and records calls, assignments and
//! imports. Values are read later ([`super::value`]), when all names in the file are known.
//!
//! **Cost:** O(nodes), about a third of the time that parsing takes.
//!
//! The words of a nested function also count for the function around it, because the nested
//! function is part of that function's work. The words of a method do not count for its class,
//! because the class would then match every question.

use super::comments::LeadingComments;
use super::component::export_component;
use super::embedded::Embedded;
use super::entries::Entries;
use super::facts::{Definition, Exports, Facts, Span, Symbol, ValueFlow};
use super::field::Field;
use super::matches::{CalledOn, DefinitionMatch, Mark, QueryMatches};
use super::named_values::NamedValues;
use super::operators::{is_assigned, is_updated};
use super::patterns::{MAX_PARTS, part_name};
use super::shown::{display_doc, file_stem};
use super::syntax::SyntaxWriter;
use super::value::{Declares, Values};
use super::words::{FieldWords, WordLog};
use crate::ids::{IdVec, LocalId};
use crate::lang::{DefinitionKind, Language, WordSort};
use crate::tree::Node;
use rustc_hash::FxHashSet;
use whichfn_text::{Splitter, line_count, occurrences};

/// Maximum number of nodes around the name of a field, up to the list of fields. A field of a type
/// without a name inside the list has more.
const FIELD_DEPTH: usize = 3;

/// A definition that contains the current position of the walk.
pub(super) struct Open<'t> {
    pub id: LocalId,
    /// Offset after the end of the definition.
    pub end: usize,
    /// Parts of the definition that the patterns captured, or `None` for the file.
    pub found: Option<&'t DefinitionMatch<'t>>,
    /// Byte range of the name, or an empty range if there is none. Leaves in this range are not
    /// words of the body, and neither are leaves in the next two ranges.
    pub name: (usize, usize),
    /// Byte range of the parameter list.
    pub parameters: (usize, usize),
    /// Byte range of the declared result.
    pub returns: (usize, usize),
    /// Number of fields of a type that were already visited.
    pub fields: usize,
    /// True if the definition is a method without a receiver.
    pub static_method: bool,
    /// True if a test runner passes a fixture for each parameter.
    pub takes_fixtures: bool,
    /// True if a parameter was already visited, so that the next one is not the first.
    pub saw_parameter: bool,
    /// Offset after the last parameter visited so far.
    pub parameter_end: usize,
    /// Number of the last parameter's node; 0 if there is none.
    pub parameter: usize,
    /// True for an equation of the function after the first. Its parameters are those of the first.
    pub continues: bool,
    /// Whether the text of a type has the form of a constructor; `None` if that is not known yet.
    pub has_constructor: Option<bool>,
}

impl Open<'_> {
    /// Creates an open definition with only its end.
    pub fn new(id: LocalId, end: usize) -> Self {
        let nothing = (0, 0);
        Self {
            id,
            end,
            found: None,
            name: nothing,
            parameters: nothing,
            returns: nothing,
            fields: 0,
            static_method: false,
            takes_fixtures: false,
            saw_parameter: false,
            parameter_end: 0,
            parameter: 0,
            continues: false,
            has_constructor: None,
        }
    }
}

/// The state of the walk over one file, and the facts collected so far.
pub(super) struct Extractor<'a, 't> {
    pub(super) language: &'a Language,
    pub(super) path: &'a str,
    /// Code of the file.
    pub(super) source: &'a str,
    pub(super) file: &'a Embedded<'a>,
    pub(super) matches: &'t QueryMatches<'t>,
    pub(super) syntax: SyntaxWriter,
    pub(super) definitions: IdVec<LocalId, Definition>,
    pub(super) words: WordLog<'a>,
    pub(super) docs: IdVec<LocalId, String>,
    pub(super) open: Vec<Open<'t>>,
    pub(super) values: Values<'a, 't>,
    pub(super) named_values: NamedValues,
    pub(super) leading: LeadingComments<'t>,
    /// Outermost wrapper around the next definition, and its decorators from outermost to
    /// innermost.
    pub(super) wrapper: Option<(Node<'t>, Vec<Node<'t>>)>,
    pub(super) test_file: bool,
    /// Syntax nodes of the calls that are elements of the markup.
    pub(super) elements: FxHashSet<u32>,
    pub(super) entries: Entries<'a, 't>,
    /// Offset of the current node.
    pub(super) at: usize,
    /// Offset after the last attribute, which contains no calls.
    pub(super) inert_end: usize,
    /// Scope, block, text of the object and first method of each operator so far.
    pub(super) operators: FxHashSet<(LocalId, usize, Symbol, Symbol)>,
}

impl<'a, 't> Extractor<'a, 't> {
    pub(super) fn new(
        language: &'a Language,
        path: &'a str,
        file: &'a Embedded<'a>,
        matches: &'t QueryMatches<'t>,
        splitter: &'a mut Splitter,
    ) -> Self {
        let source = &file.code[..];
        Self {
            language,
            path,
            source,
            file,
            matches,
            syntax: SyntaxWriter::default(),
            definitions: IdVec::new(),
            words: WordLog::new(file.words.unwrap_or(source), splitter),
            docs: IdVec::new(),
            open: Vec::new(),
            values: Values::new(language, path, source),
            named_values: NamedValues::default(),
            leading: LeadingComments { at_top: true, ..LeadingComments::default() },
            wrapper: None,
            test_file: language.is_test_path(path),
            elements: FxHashSet::default(),
            entries: Entries::of_file(language, path, source),
            at: 0,
            inert_end: 0,
            operators: FxHashSet::default(),
        }
    }

    pub(super) fn run(mut self, root: Node<'t>, has_errors: bool) -> (Facts, FieldWords) {
        self.open_file(root);
        self.open_component();
        // Ends of the nodes around the next one.
        let mut around: Vec<usize> = Vec::new();
        for node in root.and_inside().filter(|node| node.is_named()) {
            while around.last().is_some_and(|&after| after <= node.number()) {
                around.pop();
            }
            let depth = around.len() as u32;
            let id = self.syntax.push(depth, node.kind(), node.start() as u32, node.end() as u32);
            if depth > 0 {
                self.visit(node, id);
            }
            around.push(node.after());
        }
        self.finish(root, has_errors)
    }

    pub(super) fn visit(&mut self, node: Node<'t>, id: u32) {
        let start = node.start();
        self.at = start;
        while self.open.len() > 1 && self.open.last().is_some_and(|open| open.end <= start) {
            self.open.pop();
        }
        let meaning = self.language.meaning(node.kind());
        if meaning.words == Some(WordSort::Comment) {
            return self.comment(node);
        }
        if meaning.attribute {
            self.leading.extend(node);
        }
        if self.entries.next_read <= start {
            self.note_read(node, id);
        }
        let special = self.matches.is_special(node.kind());
        if special && self.matches.tests.contains(&node.number()) {
            self.leading.is_test = true;
        }
        if let Some(doc) = special.then(|| self.matches.attributes.get(&node.number())).flatten() {
            self.attribute(node, *doc);
        }
        let around = self.innermost();
        if let Some(decorators) = special.then(|| self.matches.wrappers.get(&node.number())).flatten() {
            let known = self.wrapper.take().filter(|(outer, _)| outer.end() >= node.end());
            let (outer, mut all) = known.unwrap_or((node, Vec::new()));
            all.extend(decorators);
            self.wrapper = Some((outer, all));
        } else if let Some(found) = special.then(|| self.matches.definitions.get(&node.number())).flatten()
            && !self.is_object_of_component(found)
        {
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
        if meaning.operators != 0 {
            self.operator(node, id);
        }
        if self.language.has_properties {
            self.property_read(node, id);
        }
        if let Some(sort) = meaning.words {
            self.leaf(node, sort);
        }
    }

    /// Checks whether a node is outside both the leading run and the wrapper, and therefore ends
    /// the run.
    pub(super) fn is_unrelated(&self, node: Node<'t>) -> bool {
        let inside_wrapper =
            self.wrapper.as_ref().is_some_and(|(outer, _)| outer.end() >= node.end() && outer.start() <= node.start());
        !inside_wrapper && !self.begins_definition(node)
    }

    /// Checks whether a definition starts at the same position as `node`. If so, the node only
    /// encloses the definition (the body of a Ruby class).
    pub(super) fn begins_definition(&self, node: Node<'t>) -> bool {
        let mut at = Some(node);
        while let Some(inner) = at.filter(|inner| inner.start() == node.start()) {
            if self.matches.definitions.contains_key(&inner.number())
                || self.matches.wrappers.contains_key(&inner.number())
            {
                return true;
            }
            at = inner.children().next();
        }
        false
    }

    fn open_file(&mut self, root: Node<'t>) {
        let end_line = root.end_line() as u32 + 1;
        let span = Span { start_byte: 0, end_byte: self.source.len() as u32, start_line: 1, end_line };
        let file = Definition::new(DefinitionKind::Module, span);
        let qualified_name = file_stem(self.path).to_owned();
        let id = self.push(Definition { qualified_name, is_test: self.test_file, ..file });
        self.open.push(Open::new(id, usize::MAX));
    }

    /// Returns the innermost definition that contains the current position.
    pub(super) fn innermost(&self) -> LocalId {
        self.open.last().map_or(LocalId::FILE, |open| open.id)
    }

    pub(super) fn leaf(&mut self, node: Node<'t>, sort: WordSort) {
        let Some(open) = self.open.last() else { return };
        let at = node.start();
        let within = |range: (usize, usize)| range.0 <= at && at < range.1;
        if within(open.name) {
            return;
        }
        if sort != WordSort::Identifier && self.matches.docs.contains(&node.number()) {
            return self.add_doc_node(open.id, node);
        }
        if sort != WordSort::Identifier && self.matches.part_docs.contains(&node.number()) {
            return self.add_words(Field::Doc, node);
        }
        let field = match sort {
            _ if within(open.parameters) || within(open.returns) => Field::Parameters,
            WordSort::Identifier => Field::Body,
            WordSort::String | WordSort::Comment => Field::Strings,
            WordSort::Escape => return,
        };
        self.add_words(field, node);
    }

    /// Adds words to the innermost definition, and to the enclosing definitions of whose work it is
    /// a part. Escapes inside the node separate words.
    pub(super) fn add_words(&mut self, field: Field, node: Node<'t>) {
        let id = self.innermost();
        let mut start = node.start();
        for escape in node.children() {
            if self.language.meaning(escape.kind()).words == Some(WordSort::Escape) {
                self.words.read(start..escape.start()).add_shared(id, field);
                start = escape.end();
            }
        }
        self.words.read(start..node.end()).add_shared(id, field);
    }

    pub(super) fn mark(&mut self, node: Node<'t>, id: u32, around: LocalId, mark: &Mark<'t>) {
        let Some(open) = self.open.last_mut() else { return };
        let scope = open.id;
        match *mark {
            Mark::Parameter(parameter) => self.parameter_mark(node, id, parameter),
            // The head of a definition may have the form of a call.
            Mark::Call { callee, .. }
                if open.name == (callee.start(), callee.end()) || node.start() < self.inert_end => {}
            Mark::Call { callee, on, arguments, last } => self.call_mark(node, id, (callee, on, arguments, last)),
            Mark::Site { callee, arguments } => self.note_site(node, callee, arguments, id),
            Mark::Read(read) => self.values.note_read(node, read),
            Mark::Tested { name, of_type } => self.values.note_test(scope, node, name, of_type),
            Mark::Bind { target, declares, value, declared } => {
                // The name of a definition (`const f: T = memo(() => ...)`) is bound around it.
                let is_own_name = open.name == (target.start(), target.end());
                let scope = if is_own_name { self.definitions[scope].parent } else { scope };
                if self.definitions[scope].kind.has_members() && matches!(declares, Declares::Names { .. }) {
                    self.values.declare_setter(scope, target);
                }
                self.values.bind(scope, target, declares, value, declared);
                if let Some(value) = value {
                    self.note_loop(target, value);
                    self.note_value(scope, target, value);
                }
            }
            Mark::Access => {
                let place = (id, self.syntax.depth());
                match self.assigned_value(node) {
                    Some(value) => self.values.setter(scope, node, value, place),
                    None => self.values.access(scope, node, place),
                }
            }
            Mark::Each { target, container } => {
                self.note_loop(target, container);
                self.values.each(scope, target, container)
            }
            Mark::Field { name, declared } => {
                let of_type = self.type_around(scope);
                self.values.note_field(scope, of_type, name, declared);
            }
            Mark::Position { variant } => self.part(scope, node, variant),
            Mark::Ordered { declared } => self.ordered_field(node, declared),
            Mark::Named { name, is_member } => {
                let inside = if is_member { self.type_around(scope) } else { self.around_component(scope) };
                if !self.matches.definitions.contains_key(&node.number()) {
                    self.named_values.add(&self.definitions, inside, (node, name), self.text(name), is_member);
                }
            }
            Mark::TypeParameter { bound } => self.values.type_parameter(scope, node, bound),
            Mark::Alias { old, object } if self.definitions[scope].kind.has_members() => {
                self.values.function_alias(scope, node, old, object);
            }
            Mark::Alias { .. } => {}
            Mark::Extended => {
                if let [only] = &mut self.definitions[scope].parameters[..] {
                    only.is_extended = true;
                }
            }
            // `return function () { ... }`: the returned function is already open here, but the one
            // around it returns.
            Mark::Return(value) => {
                self.values.note_return(around, value);
                self.pass_on(around, value, id);
            }
            Mark::Table(object) if self.definitions[scope].kind.has_members() => self.values.note_table(scope, object),
            Mark::Table(_) => {}
            Mark::Elements(of_type) => self.values.note_elements(scope, of_type),
            Mark::Import { path, name, alias, all, is_shared } => {
                let first = self.values.flow.imports.len();
                self.values.import(scope, node, path, name, alias, all);
                self.values.flow.imports[first..].iter_mut().for_each(|import| import.is_shared = is_shared);
            }
        }
    }

    fn call_mark(
        &mut self,
        node: Node<'t>,
        id: u32,
        call: (Node<'t>, Option<CalledOn<'t>>, Option<Node<'t>>, Option<Node<'t>>),
    ) {
        let (callee, _, arguments, _) = call;
        let scope = self.innermost();
        if self.is_set_by_constructor(scope, node, callee) {
            return;
        }
        self.note_element(id, callee);
        if let Some(value) = self.assigned_value(node) {
            self.values.setter(scope, node, value, (id, self.syntax.depth()));
            if !is_updated(self.language, node) {
                return;
            }
        }
        self.values.call(scope, node, call, (id, self.syntax.depth()));
        self.note_site(node, callee, arguments, id);
    }

    /// Checks whether a call is the declaration of a member (`Guard guard;`) in a type that declares a
    /// constructor, which may create the member in another way.
    fn is_set_by_constructor(&mut self, scope: LocalId, node: Node<'t>, callee: Node<'t>) -> bool {
        let around = &self.definitions[scope];
        let is_name = callee.end() <= node.start() && node.children().next().is_none();
        let is_member = is_name && around.kind.has_members();
        if !is_member || !self.language.spec.scopes.names_constructors_like_types() {
            return false;
        }
        let Some(open) = self.open.last_mut() else { return false };
        *open.has_constructor.get_or_insert_with(|| {
            let span = around.span.start_byte as usize..around.span.end_byte as usize;
            let text = self.source.get(span).unwrap_or_default();
            let is_call = |at: usize| text[at + around.name.len()..].trim_start().starts_with('(');
            occurrences(text, &around.name).any(|at| !text[..at].ends_with('~') && is_call(at))
        })
    }

    /// Returns the value that is assigned to a member, if the assignment calls a method.
    fn assigned_value(&self, member: Node<'t>) -> Option<Option<Node<'t>>> {
        if self.language.spec.scopes.setter.is_empty() {
            return None;
        }
        let value = |mark: &Mark<'t>| match *mark {
            Mark::Bind { target, value, .. } if target == member => Some(value),
            _ => None,
        };
        // The values of a list of targets are not paired with calls.
        let is_list = |list: &Node<'t>| self.language.meaning(list.kind()).list && is_assigned(self.language, *list);
        let in_list = || member.parent().filter(is_list).map(|_| None);
        self.matches.marks(member).find_map(value).or_else(in_list)
    }

    /// Declares a part without a name of the enclosing type, given its declared type.
    fn part(&mut self, scope: LocalId, declared: Node<'t>, variant: Option<Node<'t>>) {
        let around = declared.parent().into_iter().flat_map(|around| around.children());
        let before = around.take_while(|other| other.number() < declared.number()).take(4 * MAX_PARTS);
        let index = before.filter(|other| other.field() == declared.field()).count();
        if index < MAX_PARTS {
            let name = part_name(variant.map(|variant| self.text(variant)), index);
            self.values.declare_typed(self.type_around(scope), &name, declared);
        }
    }

    /// Counts a field of the innermost type, and binds it to its position. Fields of a type inside it
    /// without a name do not count.
    fn ordered_field(&mut self, node: Node<'t>, declared: Option<Node<'t>>) {
        let Some(open) = self.open.last_mut() else { return };
        let (id, body) = (open.id, open.found.and_then(|found| found.body));
        let is_object = self.definitions[id].kind == DefinitionKind::Anonymous;
        let is_list = |list: Node<'t>| {
            body == Some(list) || list.parent().is_some_and(|around| self.values.is_defined_as(around, id))
        };
        let mut around = std::iter::successors(node.parent(), |around| around.parent()).take(FIELD_DEPTH);
        let Some(levels) = around.position(is_list) else { return };
        // A field without a name is captured as a whole.
        let is_named = levels > 0;
        let index = open.fields;
        open.fields += 1;
        let name =
            node.and_inside().find(|leaf| self.language.meaning(leaf.kind()).words == Some(WordSort::Identifier));
        if let Some(name) = name.filter(|_| is_named && index < MAX_PARTS) {
            let text = self.text(name);
            self.values.note_place(id, text, index);
            if self.may_hold(node == name, declared) {
                self.values.bind_field(id, text, index, is_object);
            }
        }
    }

    /// Returns the enclosing type or extension of a definition, or the file if there is none.
    pub(super) fn type_around(&self, mut at: LocalId) -> LocalId {
        while at != LocalId::FILE && !self.definitions[at].kind.has_members() {
            at = self.definitions[at].parent;
        }
        at
    }

    pub(super) fn finish(mut self, root: Node<'t>, has_errors: bool) -> (Facts, FieldWords) {
        self.flush_leading();
        self.finish_entries(root);
        self.fill_words();
        self.add_markup(root);
        let names = self.matches.exports.iter().map(|&name| self.text(name).to_owned()).collect();
        let exports = Exports { names, has_others: self.matches.exports_others };
        let package = self.matches.package.map(|node| self.text(node).to_owned()).unwrap_or_default();
        let mut flow = ValueFlow { package, ..self.values.finish(&mut self.definitions) };
        if self.file.markup.is_some() {
            export_component(&mut flow, &self.elements);
        }
        let words = self.words.finish(&self.definitions);
        for id in self.definitions.ids() {
            self.definitions[id].lengths = words.lengths(id);
        }
        let lines = line_count(self.source) as u32;
        let (nodes, syntax) = (self.syntax.count(), self.syntax.finish());
        let named_values = self.named_values.finish(&flow);
        let lacks_entries = self.entries.is_cut;
        (
            Facts {
                lines,
                nodes,
                definitions: self.definitions,
                named_values,
                flow,
                exports,
                syntax,
                has_errors,
                lacks_entries,
            },
            words,
        )
    }

    /// Adds the words in names, scopes, paths and documentation. This requires that all definitions
    /// are known.
    pub(super) fn fill_words(&mut self) {
        for id in self.definitions.ids() {
            let doc = std::mem::take(&mut self.docs[id]);
            let definition = &mut self.definitions[id];
            if definition.kind == DefinitionKind::Anonymous || definition.kind.is_registered() {
                continue;
            }
            definition.doc = display_doc(&doc);
            self.words.add_doc(id, &doc);
            if definition.kind == DefinitionKind::Declaration {
                continue;
            }
            self.words.read_text(&definition.name).add(id, Field::Name);
            let scope = definition.qualified_name.strip_suffix(&definition.name).unwrap_or_default();
            if id != LocalId::FILE {
                self.words.read_text(scope).add(id, Field::Scope);
            }
            // A type also matches the names of its members, and a file matches the names of its
            // definitions.
            let (parent, name) = (definition.parent, &self.definitions[id].name);
            if id != LocalId::FILE && (self.definitions[parent].kind.has_members() || parent == LocalId::FILE) {
                self.words.read_text(name).add(parent, Field::Body);
            }
        }
        self.words.read_text(self.path);
        for (id, definition) in self.definitions.enumerate() {
            let is_found = !matches!(definition.kind, DefinitionKind::Anonymous | DefinitionKind::Declaration)
                && !definition.kind.is_registered();
            if is_found {
                self.words.add(id, Field::Path);
            }
        }
    }

    pub(super) fn text(&self, node: Node<'t>) -> &'a str {
        self.source.get(node.bytes()).unwrap_or_default()
    }
}
