//! A language that is ready for use: its [`Spec`], with node kinds and fields converted to the
//! parser's numbers.

use super::framework::Framework;
use super::pattern::Patterns;
use super::query::QueryText;
use super::rewrites::Rewrites;
use super::role::Role;
use super::spec::{GuardedPlace, KeyEntry, Marker, Spec, Transparent};
use crate::lang::FlowKind;
use crate::tree::Node;
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::num::NonZeroU16;
use tree_sitter::Language as Parser;
use whichfn_system::error::{Error, Kind, Result};

/// What a node kind means to the extractor. A kind can have several meanings.
#[derive(Debug, Clone, Copy, Default)]
pub struct NodeMeaning {
    /// Sort of words in the node's text, or `None` if the text is not read as words.
    pub words: Option<WordSort>,
    /// Syntactic form of the value that the node represents.
    pub form: ExpressionForm,
    /// True for an attribute or annotation, which precedes a definition and belongs to its span.
    pub attribute: bool,
    /// True if the node is an ordered list of values or targets, such as a tuple.
    pub list: bool,
    /// Fields of a target that takes a value apart by its type.
    pub pattern: Option<PatternFields>,
    /// True if the node lists what a new object contains, after the call that creates it.
    pub initializer: bool,
    /// True if a call with this node as its only argument only stands for the function.
    pub partial: bool,
    /// True if the node may be or build the name of a member that code reads.
    pub builds_name: bool,
    /// For a node that runs code only if a condition holds, the places of both.
    pub guard: Option<GuardFields>,
    /// True if the node is an access whose object is never a local value.
    pub path: bool,
    /// True if the node is a target that takes all values that no other target takes (`*rest`).
    pub rest: bool,
    /// True if the node is the type of an array, or a new array.
    pub array: bool,
    /// True if the node is a type whose objects may also be null.
    pub nullable: bool,
    /// True if the node creates an object of the type that it calls.
    pub creation: bool,
    /// True if several such nodes in succession with the same name are one definition.
    pub equation: bool,
    /// True if the node declares the type of the definition directly below it.
    pub signature: bool,
    /// For a node with the name of a method that is written in parts, the field of the parts; an
    /// inner `None` if they are in no field.
    pub selector: Option<Option<NonZeroU16>>,
    /// True for a sign between arguments.
    pub separator: bool,
    /// True for a node with which a name with several parts begins.
    pub address: bool,
    /// True for a function that has no receiver of its own.
    pub lexical_function: bool,
    /// True if the node is an element of the array in the field that its form names.
    pub element: bool,
    /// True if the node is a macro call that may contain items.
    pub item_macro: bool,
    /// True if the node contains items.
    pub holds_items: bool,
    /// True if the node is the type of a function.
    pub function_type: bool,
    /// True if the node is a leaf with the path of a module.
    pub path_name: bool,
    /// True if the node declares a module in a file of its own.
    pub module_file: bool,
    /// True if an index of this kind selects a part of an array, not an element.
    pub slice: bool,
    /// For a node whose text contains a declared type, its index in `written_types` in
    /// `[expressions]`.
    pub written_type: Option<u8>,
    /// True if names that are declared in the node are visible only there.
    pub block: bool,
    /// True if the node ends the part of a block that sees the names declared in the block.
    pub block_end: bool,
    /// True if a whole function sees the names that are declared in the node.
    pub hoisted: bool,
    /// True if the names that are declared in the node are visible only after it.
    pub sequential: bool,
    /// For a literal, the index of its type in `literal_types` in `[expressions]`.
    pub literal: Option<u8>,
    /// The `operators` in `[expressions]` that the node may be, with one bit for each.
    pub operators: u32,
    /// For an argument passed by name (`key=value`), the children that are the name and the value.
    pub keyword: Option<(ChildSlot, ChildSlot)>,
    /// For an entry of an object literal or pattern, the children that are the name, and the value
    /// or target.
    pub entry: Option<(ChildSlot, ChildSlot)>,
    /// True if the node is a name that is an entry by itself.
    pub shorthand: bool,
    /// True if the node lists the fields of a new object or the elements of a new container.
    pub record: bool,
    /// True if the node is the type or declarator of a container.
    pub collection: bool,
    /// For a target with a default value, the field of the target.
    pub optional_target: Option<NonZeroU16>,
    /// Location of the path prefix of the imports inside the node, or `None` if the node contains
    /// no such prefix.
    pub import_prefix: Option<ImportPrefix>,
    /// True if the node may surround the body of a test like a call.
    pub case: bool,
    /// Effects of the node, with one bit for each [`super::FlowKind`]; see
    /// [`super::FlowKind::bit`].
    pub flow: u32,
    /// Effects of the node on the use of a name inside it.
    pub uses: UseMeaning,
}

/// How the name inside a node is used: see [`super::spec::Uses`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UseMeaning {
    /// The node is an import.
    pub import: bool,
    /// The node is or surrounds the name of a type.
    pub type_name: bool,
    /// The node surrounds base types.
    pub base: bool,
    /// The node is a decorator, annotation or attribute.
    pub decorator: bool,
    /// The first child of the node is a key.
    pub key: bool,
    /// The first child of the node is a member of the first parameter of the component around it.
    pub attribute: bool,
    /// The kind of node around it that makes the first child of the node a key.
    pub key_inside: Option<u16>,
    /// The first child of the node is the object or type that has the keys inside the node.
    pub key_owner: bool,
    /// The first child of the node is a name that it declares.
    pub declares: bool,
}

impl NodeMeaning {
    /// Checks whether the node is a symbol or text, which may contain the name of a function.
    pub fn is_quoted(&self) -> bool {
        match self.form {
            ExpressionForm::Literal => true,
            ExpressionForm::Other => self.words == Some(WordSort::String),
            _ => false,
        }
    }

    /// Returns the target inside a node that is an entry of a pattern, or that has a default value.
    pub fn target_in<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match (self.entry, self.optional_target) {
            (Some((_, target)), _) => target.child_of(node),
            (None, Some(field)) => node.child_in(field),
            (None, None) => None,
        }
    }
}

/// The sort of words in a leaf, which determines the field that they are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordSort {
    /// A name.
    Identifier,
    /// The contents of a string.
    String,
    /// A comment.
    Comment,
    /// An escape inside the contents of a string, which is not a word.
    Escape,
}

/// The location within a node of the path prefix of the imports inside the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportPrefix {
    /// The prefix is in a field.
    Field(NonZeroU16),
    /// The prefix is the first child of a kind.
    Child(u16),
}

impl ImportPrefix {
    /// Returns the child of `node` that contains the prefix.
    pub fn child_of<'t>(self, node: Node<'t>) -> Option<Node<'t>> {
        match self {
            Self::Field(field) => node.child_in(field),
            Self::Child(kind) => node.named_children().find(|child| child.kind() == kind),
        }
    }
}

/// A child of a node, for grammars with and without a field for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildSlot {
    /// The child in a field.
    Field(NonZeroU16),
    /// The first child, if it is named and followed by another child.
    First,
    /// The last child.
    Last,
}

impl ChildSlot {
    /// Returns the child of `node`, or `None` if it has no such child.
    pub fn child_of<'t>(self, node: Node<'t>) -> Option<Node<'t>> {
        match self {
            Self::Field(field) => node.child_in(field),
            Self::First => node.children().next().filter(|child| child.is_named() && child.after() < node.after()),
            Self::Last => node.children().last(),
        }
    }
}

/// The fields of a target that takes a value apart by its type
/// ([`TypePattern`](super::TypePattern)).
#[derive(Debug, Clone, Copy)]
pub struct PatternFields {
    /// Field of the type or variant.
    pub of_type: NonZeroU16,
    /// Kind of the children that name the part that they take.
    pub part: Option<u16>,
    /// Field of the part's name in such a child.
    pub name: Option<NonZeroU16>,
    /// Field of the target in such a child.
    pub value: Option<NonZeroU16>,
}

/// The fields of a node that runs code only if a condition holds ([`Guard`](super::Guard)).
#[derive(Debug, Clone, Copy)]
pub struct GuardFields {
    /// Field of the condition.
    pub condition: Option<NonZeroU16>,
    /// Field of the code that runs if the condition is true.
    pub then: Option<NonZeroU16>,
    /// Field of the code that runs if the condition is false.
    pub otherwise: Option<NonZeroU16>,
    /// Additional code that runs only if the condition is true.
    pub also: GuardedPlace,
}

/// The syntactic form of a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExpressionForm {
    /// A form that the grammar file does not describe. The value is unknown.
    #[default]
    Other,
    /// A name: `session`.
    Name,
    /// A member access, such as `session.renew`. Contains the children that are the object and the
    /// name of the member.
    Access(ChildSlot, ChildSlot),
    /// A member of the current object that is accessed only by its name, such as `@name` in Ruby.
    Member,
    /// A new object of the type in a field, such as `Session { .. }`.
    Instance(NonZeroU16),
    /// The value of the first named child, such as `(session)`.
    First,
    /// The value of a field.
    Field(NonZeroU16),
    /// A value that is used as another type: the first named child, and the last one.
    Cast,
    /// The value of any child, such as `a if x else b`.
    Choice,
    /// A value of a built-in type, such as `"text"` or `[1, 2]`.
    Literal,
    /// Tokens without a syntax tree, in brackets: the arguments of a macro.
    Tokens,
    /// A value of a built-in type that is computed from one or two other values, such as `a + b`.
    Operation,
    /// A type whose path begins with the first named child and goes on with the names after it,
    /// such as `Outer.Inner`.
    Path,
}

/// A language that is ready for use.
pub struct Language {
    /// Contents of the language's grammar file.
    pub spec: Spec,
    /// Tree-sitter parser of the language.
    pub parser: Parser,
    /// Meaning of each node kind, indexed by the parser's number for the kind. The last one is that of
    /// all other kinds, such as errors.
    meanings: Vec<NodeMeaning>,
    /// For each of the `operators` in `[expressions]`, the fields of the value and of the sign.
    pub operator_fields: Vec<[Option<NonZeroU16>; 2]>,
    /// True if reading a member may call a definition (a getter).
    pub has_properties: bool,
    /// True if an assignment to a member may call another method than a read.
    pub has_setters: bool,
    /// Globs that match the paths of test files.
    test_paths: GlobSet,
    test_names: GlobSet,
    case_files: GlobSet,
    /// Globs that match the names of functions that a test runner runs.
    case_names: GlobSet,
    /// Patterns to search for in the language's syntax trees.
    pub patterns: Patterns,
    /// Frameworks of the language.
    pub frameworks: Vec<Framework>,
    /// Forms that the parser cannot read.
    pub rewrites: Rewrites,
}

impl Language {
    /// Compiles a language from its grammar file and queries.
    pub(super) fn new(spec: Spec, parser: Parser, queries: &[QueryText], frameworks: &[(&str, &str)]) -> Result<Self> {
        let meanings = MeaningTable {
            name: &spec.head.name,
            parser: &parser,
            table: vec![NodeMeaning::default(); parser.node_kind_count() + 1],
        }
        .fill(&spec)?;
        let test_paths = globs(&spec.head.name, &spec.tests.paths)?;
        let test_names = globs(&spec.head.name, &spec.tests.names)?;
        let case_files = globs(&spec.head.name, &spec.tests.case_files)?;
        let case_names = globs(&spec.head.name, &spec.tests.cases)?;
        let patterns = Patterns::read(&parser, queries)?;
        let has_properties =
            !spec.scopes.markers(Marker::Property).is_empty() || patterns.roles.contains(&Role::Property);
        let has_setters = !spec.scopes.markers(Marker::Accessor).is_empty() || patterns.roles.contains(&Role::Setter);
        let frameworks = read_frameworks(&spec.head.name, frameworks)?;
        let rewrites = Rewrites::new(&spec.head.name, &spec.expressions.rewrites)?;
        let field = |name: &Option<String>| name.as_ref().and_then(|name| parser.field_id_for_name(name));
        let operator_fields = spec.expressions.operators.iter().map(|one| [field(&one.object), field(&one.sign)]);
        let operator_fields = operator_fields.collect();
        Ok(Self {
            spec,
            parser,
            meanings,
            operator_fields,
            has_properties,
            has_setters,
            test_paths,
            test_names,
            case_files,
            case_names,
            patterns,
            frameworks,
            rewrites,
        })
    }

    /// Returns the meaning of the node kind with the given number.
    pub fn meaning(&self, kind: u16) -> &NodeMeaning {
        let last = self.meanings.len() - 1;
        &self.meanings[usize::from(kind).min(last)]
    }

    /// Checks whether a file contains tests, given its path from the root with slashes.
    pub fn is_test_path(&self, path: &str) -> bool {
        self.test_paths.is_match(path)
    }

    /// Checks whether a definition is a test, given the path of its file and its name.
    pub fn is_test_name(&self, path: &str, name: &str) -> bool {
        self.test_names.is_match(name) && (self.case_files.is_empty() || self.case_files.is_match(path))
    }

    /// Checks whether a node of a kind may be the call that takes the body of a test.
    pub fn is_test_call(&self, kind: u16) -> bool {
        let meaning = self.meaning(kind);
        meaning.case || meaning.flow & FlowKind::Calls.bit() != 0
    }

    /// Checks whether a test runner runs the functions in test code that have this name.
    pub fn is_case_name(&self, name: &str) -> bool {
        self.case_names.is_match(name)
    }
}

/// Reads the frameworks of a language. `texts` contains the name and the contents of each file.
fn read_frameworks(language: &str, texts: &[(&str, &str)]) -> Result<Vec<Framework>> {
    let mut found = Vec::new();
    // The list of languages is on one line, so that other files need not be read.
    let quoted = format!("\"{language}\"");
    let names_it =
        |text: &str| text.lines().find(|line| line.starts_with("languages")).is_some_and(|line| line.contains(&quoted));
    for (name, text) in texts.iter().filter(|(_, text)| names_it(text)) {
        let mut framework: Framework = toml::from_str(text).map_err(|cause| {
            let what = format!("grammars/frameworks/{name}.toml: {}", cause.message());
            Error::new(Kind::Language, what, "see grammars/frameworks/README.md for the fields")
        })?;
        framework.reads.retain(|rule| rule.languages.is_empty() || rule.languages.iter().any(|one| one == language));
        let paths = globs(&format!("frameworks/{name}"), &framework.paths)?;
        found.push(framework.compiled(paths));
    }
    Ok(found)
}

fn globs(name: &str, patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(|cause| {
            Error::new(Kind::Language, format!("grammars/{name}.toml: {cause}"), "correct the glob")
        })?);
    }
    set.build()
        .map_err(|cause| Error::new(Kind::Language, format!("grammars/{name}.toml: {cause}"), "correct the globs"))
}

/// Builds the table of meanings. Each kind and field is checked against the parser.
struct MeaningTable<'a> {
    name: &'a str,
    parser: &'a Parser,
    table: Vec<NodeMeaning>,
}

impl MeaningTable<'_> {
    fn fill(mut self, spec: &Spec) -> Result<Vec<NodeMeaning>> {
        let (words, values) = (&spec.words, &spec.expressions);
        for (kinds, sort) in [
            (&words.identifiers, WordSort::Identifier),
            (&words.strings, WordSort::String),
            (&words.comments, WordSort::Comment),
            (&words.escapes, WordSort::Escape),
        ] {
            self.change_each(kinds, |m| m.words = Some(sort))?;
        }
        self.change_each(&words.attributes, |m| m.attribute = true)?;
        self.change_each(&values.names, |m| m.form = ExpressionForm::Name)?;
        self.change_each(&values.members, |m| m.form = ExpressionForm::Member)?;
        self.change_each(&values.choices, |m| m.form = ExpressionForm::Choice)?;
        self.change_each(&values.casts, |m| m.form = ExpressionForm::Cast)?;
        self.change_each(&values.literals, |m| m.form = ExpressionForm::Literal)?;
        self.change_each(&values.type_paths, |m| m.form = ExpressionForm::Path)?;
        self.change_each(&values.operations, |m| m.form = ExpressionForm::Operation)?;
        for (index, literal) in (0..).zip(&values.literal_types) {
            self.change_each(&literal.kinds, |m| {
                m.literal = Some(index);
                if m.form != ExpressionForm::Choice {
                    m.form = ExpressionForm::Literal;
                }
            })?;
        }
        for (index, written) in (0..).zip(&values.written_types) {
            self.change_each(std::slice::from_ref(&written.kind), |m| m.written_type = Some(index))?;
        }
        self.change_each(&values.lists, |m| m.list = true)?;
        self.change_each(&values.paths, |m| m.path = true)?;
        self.change_each(&values.arrays, |m| m.array = true)?;
        self.change_each(&values.nullables, |m| m.nullable = true)?;
        self.change_each(&values.creations, |m| m.creation = true)?;
        self.change_each(&values.initializers, |m| m.initializer = true)?;
        self.change_each(&values.partial_arguments, |m| m.partial = true)?;
        self.change_each(&values.built_names, |m| m.builds_name = true)?;
        self.change_each(&values.lexical_functions, |m| m.lexical_function = true)?;
        self.change_each(&values.elements, |m| m.element = true)?;
        self.change_each(&values.slices, |m| m.slice = true)?;
        self.change_each(&values.separators, |m| m.separator = true)?;
        if let Some(addresses) = &values.addresses {
            self.change_each(std::slice::from_ref(&addresses.kind), |m| m.address = true)?;
        }
        self.change_each(&values.function_types, |m| m.function_type = true)?;
        self.change_each(&values.path_names, |m| m.path_name = true)?;
        self.change_each(&spec.modules.nested, |m| m.module_file = true)?;
        if let Some(macros) = &spec.item_macros {
            self.change_each(std::slice::from_ref(&macros.kind), |m| m.item_macro = true)?;
            self.change_each(&macros.around, |m| m.holds_items = true)?;
        }
        self.change_each(&values.rest, |m| m.rest = true)?;
        self.change_each(&spec.scopes.blocks, |m| m.block = true)?;
        self.change_each(&spec.scopes.block_ends, |m| m.block_end = true)?;
        self.change_each(&spec.scopes.hoisted, |m| m.hoisted = true)?;
        self.change_each(&spec.scopes.sequential, |m| m.sequential = true)?;
        self.change_each(&values.equations, |m| m.equation = true)?;
        self.change_each(&spec.tests.case_nodes, |m| m.case = true)?;
        self.change_each(&values.signatures, |m| m.signature = true)?;
        for selector in &values.selectors {
            let part = selector.part.as_ref().map(|field| self.field(field)).transpose()?;
            self.change_each(std::slice::from_ref(&selector.kind), |m| m.selector = Some(part))?;
        }
        for access in &values.access {
            let object = self.child_slot(access.object.as_ref(), ChildSlot::First)?;
            let form = ExpressionForm::Access(object, self.child_slot(access.member.as_ref(), ChildSlot::Last)?);
            self.change_each(std::slice::from_ref(&access.kind), |m| m.form = form)?;
        }
        for instance in &values.instances {
            let form = ExpressionForm::Instance(self.field(&instance.field)?);
            self.change_each(std::slice::from_ref(&instance.kind), |m| m.form = form)?;
        }
        for transparent in &values.transparent {
            let (kind, form) = match transparent {
                Transparent::First(kind) => (kind, ExpressionForm::First),
                Transparent::Field(one) => (&one.kind, ExpressionForm::Field(self.field(&one.field)?)),
            };
            self.change_each(std::slice::from_ref(kind), |m| m.form = form)?;
        }
        for pattern in &values.patterns {
            let field = |name: &Option<String>| name.as_ref().map(|name| self.field(name)).transpose();
            let kind = |name: &String| match self.parser.id_for_node_kind(name, true) {
                0 => Err(self.unknown("node kind", name)),
                kind => Ok(kind),
            };
            let part = pattern.field.as_ref().map(kind).transpose()?;
            let of_type = self.field(&pattern.of_type)?;
            let fields = PatternFields { of_type, part, name: field(&pattern.name)?, value: field(&pattern.value)? };
            self.change_each(std::slice::from_ref(&pattern.kind), |m| m.pattern = Some(fields))?;
        }
        for guard in &spec.scopes.guards {
            let field = |name: &Option<String>| name.as_ref().map(|name| self.field(name)).transpose();
            let (condition, then, otherwise) =
                (field(&guard.condition)?, field(&guard.then)?, field(&guard.otherwise)?);
            let fields = GuardFields { condition, then, otherwise, also: guard.also };
            self.change_each(std::slice::from_ref(&guard.kind), |m| m.guard = Some(fields))?;
        }
        if let Some(tokens) = &values.tokens {
            self.change_each(std::slice::from_ref(&tokens.kind), |m| m.form = ExpressionForm::Tokens)?;
        }
        for keyword in &values.keyword_arguments {
            let name = self.child_slot(keyword.name.as_ref(), ChildSlot::First)?;
            let fields = (name, self.child_slot(keyword.value.as_ref(), ChildSlot::Last)?);
            self.change_each(std::slice::from_ref(&keyword.kind), |m| m.keyword = Some(fields))?;
        }
        for (index, operator) in values.operators.iter().enumerate() {
            self.change_each(std::slice::from_ref(&operator.kind), |m| m.operators |= 1 << index)?;
            operator.object.iter().chain(&operator.sign).try_for_each(|name| self.field(name).map(drop))?;
        }
        for entry in &values.entries {
            let name = self.child_slot(entry.name.as_ref(), ChildSlot::First)?;
            let fields = (name, self.child_slot(entry.value.as_ref(), ChildSlot::Last)?);
            self.change_each(std::slice::from_ref(&entry.kind), |m| m.entry = Some(fields))?;
        }
        self.change_each(&values.shorthands, |m| m.shorthand = true)?;
        self.change_each(&values.records, |m| m.record = true)?;
        self.change_each(&values.collections, |m| m.collection = true)?;
        for target in &values.optional_targets {
            let field = self.field(&target.field)?;
            self.change_each(std::slice::from_ref(&target.kind), |m| m.optional_target = Some(field))?;
        }
        for (does, kinds) in &spec.flow {
            self.change_each(kinds, |m| m.flow |= does.bit())?;
        }
        let uses = &spec.uses;
        self.change_each(&uses.imports, |m| m.uses.import = true)?;
        self.change_each(&uses.types, |m| m.uses.type_name = true)?;
        self.change_each(&uses.bases, |m| m.uses.base = true)?;
        self.change_each(&uses.decorators, |m| m.uses.decorator = true)?;
        for entry in &uses.keys {
            match entry {
                KeyEntry::Kind(kind) => self.change_each(std::slice::from_ref(kind), |m| m.uses.key = true)?,
                KeyEntry::Inside { kind, inside } => {
                    let inside = match self.parser.id_for_node_kind(inside, true) {
                        0 => return Err(self.unknown("node kind", inside)),
                        kind => kind,
                    };
                    self.change_each(std::slice::from_ref(kind), |m| m.uses.key_inside = Some(inside))?;
                }
            }
        }
        self.change_each(&uses.attributes, |m| (m.uses.key, m.uses.attribute) = (true, true))?;
        self.change_each(&uses.key_owners, |m| m.uses.key_owner = true)?;
        self.change_each(&uses.declarations, |m| m.uses.declares = true)?;
        for prefix in &spec.modules.prefixes {
            let front = match (&prefix.field, &prefix.child) {
                (Some(field), _) => ImportPrefix::Field(self.field(field)?),
                (None, Some(child)) => match self.parser.id_for_node_kind(child, true) {
                    0 => return Err(self.unknown("node kind", child)),
                    kind => ImportPrefix::Child(kind),
                },
                (None, None) => return Err(self.unknown("field", "")),
            };
            self.change_each(std::slice::from_ref(&prefix.kind), |m| m.import_prefix = Some(front))?;
        }
        Ok(self.table)
    }

    /// Applies `change` to every node kind with one of the given names. A grammar may have several
    /// numbers for one name.
    fn change_each(&mut self, kinds: &[String], change: impl Fn(&mut NodeMeaning)) -> Result<()> {
        for kind in kinds {
            let mut known = false;
            for number in 0..self.parser.node_kind_count() {
                if self.parser.node_kind_for_id(number as u16) == Some(kind) {
                    change(&mut self.table[number]);
                    known = true;
                }
            }
            if !known {
                return Err(self.unknown("node kind", kind));
            }
        }
        Ok(())
    }

    fn field(&self, name: &str) -> Result<NonZeroU16> {
        self.parser.field_id_for_name(name).ok_or_else(|| self.unknown("field", name))
    }

    /// Returns the child in a field, or `otherwise` without the name of a field.
    fn child_slot(&self, field: Option<&String>, otherwise: ChildSlot) -> Result<ChildSlot> {
        field.map_or(Ok(otherwise), |name| Ok(ChildSlot::Field(self.field(name)?)))
    }

    fn unknown(&self, what: &str, name: &str) -> Error {
        let next = format!("see node-types.json of the tree-sitter grammar for {}", self.name);
        Error::new(Kind::Language, format!("grammars/{}.toml: the grammar has no {what} `{name}`", self.name), next)
    }
}
