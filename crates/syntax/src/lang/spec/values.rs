//! `[words]`, `[expressions]` and `[item_macros]`: words, and the syntax of values.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Names with several parts, separated by dots: `aws_vpc.main` is the definition
/// `resource "aws_vpc" "main"` in Terraform.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addresses {
    /// Kind of the node with which a name with several parts begins in the source text.
    pub kind: String,
    /// Number of parts.
    pub parts: usize,
    /// First parts of names that have one part more.
    #[serde(default)]
    pub longer: Vec<String>,
    /// Words in definitions, each with the part that it stands for in names. Empty if the word is
    /// not a part.
    #[serde(default)]
    pub words: BTreeMap<String, String>,
}

impl Addresses {
    /// Returns the name with several parts with which `text` begins.
    pub fn first<'t>(&self, text: &'t str) -> &'t str {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let first = text.split(|c| !is_part(c)).next().unwrap_or_default();
        let parts = self.parts + usize::from(self.longer.iter().any(|longer| longer == first));
        let is_end = |dots: &mut usize, c: char| {
            *dots += usize::from(c == '.');
            *dots >= parts || !(is_part(c) || c == '.')
        };
        let mut dots = 0;
        let end = text.find(|c| is_end(&mut dots, c)).unwrap_or(text.len());
        text[..end].trim_end_matches('.')
    }

    /// Returns the name of a definition, given the words before its last part.
    pub fn name<'t>(&'t self, words: impl Iterator<Item = &'t str>, last: &'t str) -> String {
        let part = |word: &'t str| self.words.get(word).map_or(word, String::as_str);
        let parts: Vec<&str> = words.map(part).filter(|part| !part.is_empty()).chain([last]).collect();
        parts.join(".")
    }
}

/// How a string contains an expression: `f"{name}"`, `"${name}"`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpolation {
    /// Letter or sign before the quote; any string if there is none.
    pub mark: Option<char>,
    /// Quote of the string; any if there is none.
    pub quote: Option<char>,
    /// Text before the expression. If it is twice in a string, it stands for itself.
    pub open: String,
    /// Text after the expression, which is a name if the text is empty.
    #[serde(default)]
    pub close: String,
}

/// The kinds of syntax nodes whose text is read as words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordNodes {
    /// Leaves that are identifiers.
    pub identifiers: Vec<String>,
    /// Nodes that are the contents of strings.
    pub strings: Vec<String>,
    /// Nodes inside the contents of strings that are not words: escapes.
    #[serde(default)]
    pub escapes: Vec<String>,
    /// Expressions inside of strings.
    #[serde(default)]
    pub interpolations: Vec<Interpolation>,
    /// Nodes that are comments.
    pub comments: Vec<String>,
    /// Nodes immediately before a definition that belong to its span (attributes), in addition to
    /// comments.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// Prefixes to strip from each line of a doc comment, with longer prefixes first.
    #[serde(default)]
    pub doc_prefixes: Vec<String>,
    /// Keywords that the parser takes for the name of a function if a preprocessor line separates
    /// them from their statement (`if`).
    #[serde(default)]
    pub reserved: Vec<String>,
    /// True if indented lines at the beginning of documentation repeat the signature of the definition
    /// (Julia). They are left out.
    #[serde(default)]
    pub doc_signatures: bool,
    /// Suffixes to strip from each line of a doc comment, in addition to `*/`.
    #[serde(default)]
    pub doc_suffixes: Vec<String>,
}

/// The syntax of values, in enough detail to follow functions and objects through names, fields,
/// calls and returns.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expressions {
    /// Leaves that are names by themselves.
    pub names: Vec<String>,
    /// Signs around a name that do not belong to it.
    pub name_quotes: Vec<char>,
    /// Nodes that access a member of an object, module or type.
    pub access: Vec<Access>,
    /// Types that may be members of other types. The path begins with the first named child, and
    /// goes on with the names after it.
    pub type_paths: Vec<String>,
    /// Leaves that name a member of the current object (`@name` in Ruby). Signs before the name are
    /// stripped.
    pub members: Vec<String>,
    /// Kinds of `access` whose object is never a local value, but a definition, import or module
    /// (`a::b` in Rust).
    pub paths: Vec<String>,
    /// Nodes that create an object of the type in one of their fields (struct literals).
    pub instances: Vec<NodeField>,
    /// Nodes that have the value of their first named child, or of a given field.
    pub transparent: Vec<Transparent>,
    /// Nodes that may have the value of any of their children (conditionals, containers).
    pub choices: Vec<String>,
    /// Signs between two values, with the value of either (`?:` in Kotlin).
    pub choice_signs: Vec<String>,
    /// Nodes that are ordered lists of values or targets (tuples).
    pub lists: Vec<String>,
    /// Targets that take all values that no other target takes (`*rest`).
    pub rest: Vec<String>,
    /// Targets that take a value apart by its type.
    pub patterns: Vec<TypePattern>,
    /// Tokens without a syntax tree, in the arguments of a macro.
    pub tokens: Option<Tokens>,
    /// Nodes whose first named child is a value, and whose last one is the type that it is used as.
    pub casts: Vec<String>,
    /// Nodes that name a member in an object literal, or in a pattern that takes objects apart,
    /// each with its name and its value or target (`{ open: openSession }`).
    pub entries: Vec<KeywordArgument>,
    /// Names that are entries by themselves: `{ open }`.
    pub shorthands: Vec<String>,
    /// Nodes that list the fields of a new object or the elements of a new container, whose type is
    /// written before them or determined by what they are assigned to (`{ .open = d_open }` in C).
    pub records: Vec<String>,
    /// Types and declarators of containers whose elements such a node lists.
    pub collections: Vec<String>,
    /// Targets with a default value, each with the field of the target.
    pub optional_targets: Vec<NodeField>,
    /// Nodes that call members of a value without naming them (`a + b`), 32 at most.
    pub operators: Vec<Operator>,
    /// Nodes that are arguments passed by name.
    pub keyword_arguments: Vec<KeywordArgument>,
    /// Nodes whose text contains a declared type (`"Session"` in an annotation, `@var Session` in a
    /// comment).
    pub written_types: Vec<WrittenType>,
    /// Names of the types of containers that are no objects, so that an operator on one calls no
    /// method: `array` in PHP. The form `Row[]` is one, too.
    pub container_types: Vec<String>,
    /// Nodes whose values are certainly of a built-in type (`string`, `list`). The members of such
    /// values are not in the repository.
    pub literals: Vec<String>,
    /// Nodes that create an object of the type that is called (`new`).
    pub creations: Vec<String>,
    /// Nodes after the arguments of such a call that list what the object contains.
    pub initializers: Vec<String>,
    /// An argument in place of all others: the call only stands for the function (`renew(...)`).
    pub partial_arguments: Vec<String>,
    /// Texts, operations on texts, and names of variables in which code may build the name of a member
    /// that it reads (`getattr(self, f"visit_{kind}")`).
    pub built_names: Vec<String>,
    /// Functions that have no receiver of their own: `this` is that of the code around them, unless
    /// they are members of a type (`() => {}` in JavaScript).
    pub lexical_functions: Vec<String>,
    /// Literals whose type is known.
    pub literal_types: Vec<LiteralType>,
    /// Nodes that compute a value of a built-in type from one or two operands.
    pub operations: Vec<String>,
    /// Nodes that are the type of an array, or a new array.
    pub arrays: Vec<String>,
    /// Nodes that are a type whose objects may also be null, where that is another type for the
    /// selection of overloads.
    pub nullables: Vec<String>,
    /// Nodes with the value of a field (`transparent`) that are an element of the array in it.
    pub elements: Vec<String>,
    /// Names that are the path of a module. The first part may be an alias, which an import of such
    /// a name declares (`Session.Store` in Elixir).
    pub path_names: Vec<String>,
    /// Nodes that are the type of a function: `(Session) -> Unit`.
    pub function_types: Vec<String>,
    /// Kinds of indexes that select a part of an array (`list[1..]`), not an element.
    pub slices: Vec<String>,
    /// True if a function returns the value of its last statement even without a `return` (Rust,
    /// Ruby).
    pub last_value: bool,
    /// True if the result type precedes the name of a function (`int size()`).
    pub type_before_name: bool,
    /// True if a line with only a name in capital letters is a macro that stands in place of
    /// declarations or statements.
    pub bare_macros: bool,
    /// Signs between arguments that the grammar names like nodes.
    pub separators: Vec<String>,
    /// Definitions whose names consist of several words, and the names that refer to them.
    pub addresses: Option<Addresses>,
    /// Nodes with the name of a method that is written in parts between its parameters or arguments:
    /// `[list addObserver:me forKey:key]` calls `addObserver:forKey:`.
    pub selectors: Vec<Selector>,
    /// Nodes of which several in succession with the same name are one definition (the equations of a
    /// function in Haskell).
    pub equations: Vec<String>,
    /// Nodes directly above a definition that declare its type, and are shown as its signature.
    pub signatures: Vec<String>,
    /// Words that begin a line with a quoted name and a block in braces, which is a function of that
    /// name (`@test` in Bats).
    pub named_blocks: Vec<String>,
    /// Statements with rows of data. The parser receives the first megabyte of them.
    pub data_rows: Vec<DataRows>,
    /// Forms that the grammar cannot read. They are rewritten, for the parser only, in a file with
    /// syntax errors.
    pub rewrites: Vec<Rewrite>,
}

/// A statement with rows of data, which begins at the start of a line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRows {
    /// Start of its first line, in any case.
    pub start: String,
    /// End of its first line, if not all statements that start so have rows.
    #[serde(default)]
    pub first_line: String,
    /// End of its last line.
    pub end: String,
}

impl DataRows {
    /// Checks whether a line begins such a statement.
    pub fn begins(&self, line: &str) -> bool {
        let start = line.get(..self.start.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(&self.start)) && line.ends_with(&self.first_line)
    }
}

/// A form that the grammar cannot read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// Regular expression with one group, which is replaced.
    pub pattern: String,
    /// Signs in place of the group; spaces replace the rest of it.
    #[serde(default)]
    pub by: String,
}

/// A kind of node that accesses a member, and its fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Kind of the node.
    pub kind: String,
    /// Field of the object, or `None` if it is the first child. A node without an object (`::name`)
    /// is a name by itself.
    pub object: Option<String>,
    /// Field of the member's name, or `None` if it is the last child.
    pub member: Option<String>,
}

/// A node kind and one of its fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeField {
    /// Kind of the node.
    pub kind: String,
    /// Name of the field.
    pub field: String,
}

/// A kind of node that declares or calls a method whose name is written in parts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selector {
    /// Kind of the node.
    pub kind: String,
    /// Field of the parts of the name, or `None` if the names among the children are the parts.
    pub part: Option<String>,
}

/// A kind of node whose text contains a declared type.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenType {
    /// Kind of the node.
    pub kind: String,
    /// Word before the type, which ends at the next space; if it is empty, the whole text is the
    /// type.
    #[serde(default)]
    pub after: String,
    /// Words in the text that name no type of the repository: `array`.
    #[serde(default)]
    pub builtin: Vec<String>,
}

/// A kind of node that has the same value as one of its children.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Transparent {
    /// The node has the value of its first named child.
    First(String),
    /// The node has the value of a field.
    Field(NodeField),
}

/// A kind of target that takes a value of a type, or a variant of it, apart (`Shape::Circle(r)`).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypePattern {
    /// Kind of the node.
    pub kind: String,
    /// Field of the type or variant. The other children are targets for its parts, in order.
    #[serde(rename = "type")]
    pub of_type: String,
    /// Kind of the children that name the part that they take.
    pub field: Option<String>,
    /// Field of the part's name in such a child.
    pub name: Option<String>,
    /// Field of the target in such a child. If it is missing, the name is also the target.
    pub value: Option<String>,
}

/// The rules for expressions among tokens that have no syntax tree.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Kind of the node that contains the tokens, in brackets.
    pub kind: String,
    /// Signs between an object and its member.
    #[serde(default)]
    pub access: Vec<String>,
    /// The signs of `access` whose object is never a local value.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Signs and words after an expression that preserve its value.
    #[serde(default)]
    pub transparent: Vec<String>,
    /// The words of `transparent` after which the value is an element of the expression's value.
    #[serde(default)]
    pub elements: Vec<String>,
    /// Signs and words before an expression that preserve its value.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Words before a name that is declared and not called.
    #[serde(default)]
    pub declares: Vec<String>,
}

impl Tokens {
    /// Checks whether a token may be a part of a chain of members and calls.
    pub fn joins(&self, token: &str) -> bool {
        self.access.iter().chain(&self.transparent).any(|sign| sign == token)
    }
}

/// The rules for macro calls that contain items, which the parser reads only as tokens.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemMacros {
    /// Kind of a macro call. Its last child contains the tokens.
    pub kind: String,
    /// Kinds of the nodes that contain items.
    pub around: Vec<String>,
    /// Sign between the name of a macro and its tokens.
    pub sign: String,
    /// Signs and words before an item that are skipped, together with tokens in brackets after
    /// them.
    pub modifiers: Vec<String>,
    /// Words with which an item begins.
    pub items: Vec<String>,
}

/// Kinds of literals, and their type.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiteralType {
    /// Kinds of the nodes.
    pub kinds: Vec<String>,
    /// Name of the type.
    pub name: String,
    /// Endings of the text that mean another type: `L` means `long`.
    #[serde(default)]
    pub suffixes: BTreeMap<String, String>,
    /// Beginnings of the text of literals whose type has no name: `b` (a byte string in Rust).
    #[serde(default)]
    pub others: Vec<String>,
    /// Name of the type if the text contains a decimal point.
    pub fraction: Option<String>,
}

/// A kind of node that calls members of a value without naming them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// Kind of the node.
    pub kind: String,
    /// Field of the value whose members are called, or `None` if it is the first named child.
    pub object: Option<String>,
    /// True if the value is the last named child.
    #[serde(default)]
    pub last: bool,
    /// True if the members are called only if the other operand cannot have any: `2 * a`.
    #[serde(default)]
    pub reflected: bool,
    /// True if the value is the first named child of the node that `object` selects.
    #[serde(default)]
    pub inside: bool,
    /// Field of the sign. If there is none, the sign is the text between the first two named
    /// children, or before the only one.
    pub sign: Option<String>,
    /// Names of the members that are called, whatever the sign is.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Names of the members that are called instead if the node is what an assignment assigns to.
    #[serde(default)]
    pub assigned: Vec<String>,
    /// Names of the members that are called, by sign.
    #[serde(default)]
    pub signs: BTreeMap<String, Vec<String>>,
}

/// A kind of node that is an argument passed by name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordArgument {
    /// Kind of the node.
    pub kind: String,
    /// Field of the argument's name, or `None` if it is the first child.
    pub name: Option<String>,
    /// Field of the argument's value, or `None` if it is the last child.
    pub value: Option<String>,
}
