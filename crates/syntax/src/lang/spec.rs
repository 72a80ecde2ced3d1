//! The schema of `grammars/<language>.toml`, which describes a language as data.
//! `grammars/README.md` documents each field for people who add a language.

use super::idioms::{Idioms, with_shared};
use globset::Glob;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Result};

/// The deserialized contents of a language file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Name of the language, and how its files are recognized.
    #[serde(skip)]
    pub head: SpecHead,
    /// Kinds of syntax nodes whose text is read as words.
    pub words: WordNodes,
    /// Syntax of values.
    pub expressions: Expressions,
    /// Macro calls that contain items; `None` if the language has none.
    pub item_macros: Option<ItemMacros>,
    /// Node kinds that have each effect.
    #[serde(default)]
    pub flow: BTreeMap<FlowKind, Vec<String>>,
    /// Signs in source text that show what a function does: first those in `grammars/idioms.toml`,
    /// then the language's own.
    #[serde(deserialize_with = "Idioms::deserialize_shared")]
    pub idioms: Arc<Idioms>,
    /// Built-in types, and their conversions.
    #[serde(default)]
    pub types: Types,
    /// Rules for resolving names.
    pub scopes: Scopes,
    /// Members of library types that hold other values.
    #[serde(default)]
    pub containers: Containers,
    /// Rules for resolving an import to a file or a directory.
    pub modules: Modules,
    /// Node kinds that determine how a name is used.
    #[serde(default)]
    pub uses: Uses,
    /// Rules for recognizing tests.
    #[serde(default)]
    pub tests: Tests,
    /// Rules that determine which methods override others.
    #[serde(default)]
    pub dispatch: Dispatch,
    /// Rules that determine what other files may use.
    #[serde(default)]
    pub api: Api,
    /// Markup around the code; `None` if a file consists of code only.
    pub markup: Option<Markup>,
    /// Commands in the code cells of notebooks; `None` if there are none.
    pub notebooks: Option<Notebooks>,
    /// Limits of the parser.
    #[serde(default)]
    pub limits: ParserLimits,
    /// Words of a language with a preprocessor, if macros may hide its structure from the parser.
    pub macros: Option<Macros>,
}

/// Keywords that distinguish a macro from a name by the words around it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Macros {
    /// Types: `int`.
    pub types: Vec<String>,
    /// Words before a type in a declaration: `static`.
    pub specifiers: Vec<String>,
    /// Words before or after a type: `const`.
    pub qualifiers: Vec<String>,
    /// Words before the type parameters of a declaration: `template`.
    pub templates: Vec<String>,
    /// Words before the name of a type or namespace with declarations in braces: `class`.
    pub groups: Vec<String>,
    /// Words before the name of a type with values in braces: `enum`.
    pub enumerations: Vec<String>,
    /// Words between parameters and a body, or a name and its bases, in addition to qualifiers:
    /// `override`.
    pub trailers: Vec<String>,
    /// Words before a condition in parentheses: `if`.
    pub conditions: Vec<String>,
    /// Words before a colon that begins a group of members: `public`.
    pub access: Vec<String>,
    /// All other keywords.
    pub keywords: Vec<String>,
    /// Macros that are replaced by spaces, with their arguments, before the first parse. A `*` at
    /// the beginning or the end represents any text: `NS_ASSUME_*`.
    pub erased: Vec<String>,
    /// Macros that declare a type with values in braces, and whose last argument is its name:
    /// `NS_ENUM`.
    pub enumerators: Vec<String>,
}

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

/// Lines in the code cells of a notebook that are commands to the notebook.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notebooks {
    /// Signs before a command: `!` in `!pip install x` and in `files = !ls`.
    pub signs: Vec<String>,
    /// Sign after a name whose documentation is requested: `?`.
    pub help_sign: String,
    /// Statement that replaces a command.
    pub empty_statement: String,
    /// Sign at the beginning of a cell before the command that runs the cell: `%%`.
    pub cell_sign: String,
    /// Commands whose cells contain code in the language of the notebook: `time`.
    pub code_cells: Vec<String>,
}

/// Markup with code in it: elements that contain scripts, and expressions in text and attributes.
/// Each such file is a component.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markup {
    /// Elements that contain code: `script`.
    pub scripts: Vec<String>,
    /// Attributes that select the language of an element's content: `lang`.
    pub language_attributes: Vec<String>,
    /// Values of these attributes for which the content is code in this language or markup.
    pub languages: Vec<String>,
    /// Elements whose content is neither code nor markup: `style`.
    #[serde(default)]
    pub raw: Vec<String>,
    /// Top-level elements that contain the markup. If there are none, the whole file is markup.
    #[serde(default)]
    pub templates: Vec<String>,
    /// Line before and after a script at the top of the file (`---`). Empty if there is none.
    #[serde(default)]
    pub fence: String,
    /// Signs before an expression in the text.
    pub open: String,
    /// Signs after an expression in the text. If it is a single brace, an attribute may also contain
    /// expressions in braces.
    pub close: String,
    /// Sign before a name with which the language's queries recognize a call of a component, or of a
    /// function without an argument list. It replaces one byte of the markup.
    pub call_sign: String,
    /// True if a component may be written in lower case with hyphens: `<my-button>`.
    #[serde(default)]
    pub hyphens: bool,
    /// True if names in the markup also refer to the methods of the object that the script exports.
    #[serde(default)]
    pub sees_methods: bool,
    /// True if an element that the file does not bind may be the only component of the repository
    /// with that name, because components can be registered for all files.
    #[serde(default)]
    pub shared_components: bool,
    /// Attributes with code. The first rule whose prefix matches applies.
    #[serde(default)]
    pub attributes: Vec<MarkupRule>,
    /// Beginnings of expressions in the text that are not only code: `#if`.
    #[serde(default)]
    pub blocks: Vec<MarkupRule>,
}

/// The code in a kind of attribute or block.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarkupRule {
    /// Beginning of the attribute's name or of the block.
    pub prefix: String,
    /// Signs before the code. The code begins after the first of them.
    pub after: Vec<String>,
    /// Signs at which the code ends.
    pub until: Vec<String>,
    /// True if a name without an argument list is called (`@click="save"`).
    pub calls: bool,
    /// True if the rest of the attribute's name is the name of a function that is called
    /// (`use:action`).
    pub names_function: bool,
    /// True if there is no code.
    pub is_text: bool,
    /// Word before the head of a definition, at most as long as the signs before the head:
    /// `function` for `{#snippet row(item)}`.
    pub defines: String,
    /// Beginning of the block that ends the definition: `/snippet`.
    pub ends: String,
}

/// Node kinds that determine how a name inside them is used.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Uses {
    /// Imports: `import_statement`.
    pub imports: Vec<String>,
    /// Leaves that name types, and nodes around the names of types.
    pub types: Vec<String>,
    /// Nodes around base types, directly or in a list.
    pub bases: Vec<String>,
    /// Decorators, annotations and attributes.
    pub decorators: Vec<String>,
    /// Entries of objects, maps, struct literals and patterns, whose first child is a key.
    pub keys: Vec<KeyEntry>,
    /// Attributes of elements, whose first child is a member of the first parameter of the component.
    pub attributes: Vec<String>,
    /// Nodes around such entries whose first child is the object or type that has the keys.
    pub key_owners: Vec<String>,
    /// True if a member may be written without its type, where the code around it determines the
    /// type: `.red`.
    pub bare_members: bool,
    /// Nodes whose first child is a name that they declare.
    pub declarations: Vec<String>,
}

/// A kind of node whose first child is a key.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum KeyEntry {
    /// Everywhere.
    Kind(String),
    /// Only directly inside a node of another kind.
    Inside {
        /// Kind of the node.
        kind: String,
        /// Kind of the node around it.
        inside: String,
    },
}

/// Rules that determine whether a definition is public or private, by the language's rules or by
/// convention.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Api {
    /// Globs that match the names of private definitions: `_*`.
    pub private_names: Vec<String>,
    /// Words in the header of a private definition: `private`.
    pub private_words: Vec<String>,
    /// Words in the header of a function outside types that only its own file can use: `static`.
    pub file_words: Vec<String>,
    /// Words in the header of a public function. If there are any, a function outside types is
    /// private unless its header has one of them.
    pub public_words: Vec<String>,
    /// Words in the header of a function that has a public word but is visible only in its own
    /// package: `pub(crate)`.
    pub restricted_words: Vec<String>,
    /// True if a method without a public word is private.
    pub private_members: bool,
    /// Words in the header of a method that other code can use. If there are any, a method without
    /// them is private: `public`, `protected`.
    pub member_words: Vec<String>,
    /// Lines after which the methods of a type are private: `private`.
    pub private_lines: Vec<String>,
    /// Lines after which the methods of a type are public again: `public`.
    pub public_lines: Vec<String>,
    /// Globs that match the paths of files that no other repository can import: `**/internal/**`.
    pub private_paths: Vec<String>,
    /// Lines of a file of a program, which no other code can import: `package main`.
    pub program_lines: Vec<String>,
    /// Beginnings of statements and values that make a file a module: `import `, `require(`. If
    /// there are any, functions outside types in other files are visible to other scripts.
    pub module_marks: Vec<String>,
    /// Texts before an expression that computes a name.
    pub computed_names: ComputedNames,
    /// Globs that match the names of functions that are unused on purpose: `_*`.
    pub unused_names: Vec<String>,
    /// Globs that match the names of files whose functions belong to each file that includes them:
    /// `*.h`.
    pub shared_files: Vec<String>,
    /// Texts before a definition by which the build selects it: `#[cfg(`.
    pub conditional_marks: Vec<String>,
    /// Texts in the header of a function or in the comment before it by which the author keeps it,
    /// although no code calls it: `//go:linkname`.
    pub kept_marks: Vec<String>,
    /// Sign with which the preprocessor puts names together: `##`. Empty if there is none.
    pub paste_sign: String,
    /// Globs that match the names of functions that the language itself or its runtime calls:
    /// `__*__`, `main`.
    pub hook_names: Vec<String>,
}

/// Texts that a function, type or file contains if it calls functions inside it by computed names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComputedNames {
    /// For functions, which see the functions that are nested in them: `locals()`.
    pub functions: Vec<String>,
    /// For types, which see their members: `getattr(self, `. `{type}` represents the type's name. A
    /// literal after the text is not a computed name.
    pub types: Vec<String>,
    /// For files: `globals()`.
    pub files: Vec<String>,
}

impl Api {
    /// Checks whether definitions with this name are private.
    pub fn is_private_name(&self, name: &str) -> bool {
        let mut globs = self.private_names.iter().filter_map(|glob| Glob::new(glob).ok());
        globs.any(|glob| glob.compile_matcher().is_match(name))
    }
}

/// How a type implements an interface, and which calls are dispatched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interfaces {
    /// By naming it. Calls are dispatched through all types.
    #[default]
    Named,
    /// By having its methods. Calls are dispatched only through interfaces (Go).
    Structural,
    /// By having its methods. Calls are dispatched through all types (protocols in Python).
    Protocols,
}

/// The rules by which a method in a subtype overrides one in a base or an interface.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dispatch {
    /// How a type implements an interface.
    pub interfaces: Interfaces,
    /// True if a method overrides only methods with as many parameters.
    pub same_parameters: bool,
    /// True if a method may override one with more parameters (JavaScript).
    pub fewer_parameters: bool,
    /// Signs that begin the body of a method, in languages in which a method of an interface without
    /// a body has to be implemented: `{`.
    pub body_signs: Vec<String>,
    /// Words before a method that has to be implemented: `abstractmethod`.
    pub abstract_marks: Vec<String>,
    /// Words before a method that does not have to be implemented: `optional`.
    pub optional_words: Vec<String>,
    /// Words in the header of a type that may leave methods without an implementation: `abstract`.
    pub open_words: Vec<String>,
    /// Words in the header of a method that has to override another one: `override`.
    pub override_marks: Vec<String>,
    /// Words in the signature of a method that overrides nothing and is not overridden: `static`.
    pub fixed_words: Vec<String>,
    /// Texts before the name in the signature of a method whose receiver is the type. Such a method
    /// overrides only methods of types, and only such methods override it: `self.`.
    pub type_method_marks: Vec<String>,
    /// Types of the library whose members are known: names of types, and the names of the members that
    /// a type inherits from each of them. Any other type outside the repository may have any member.
    pub library_bases: Vec<[Vec<String>; 2]>,
}

/// The limits of a parser or its scanner. Files that exceed a limit are not parsed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParserLimits {
    /// Maximum number of indentation levels that are open at the same time.
    pub indent_levels: Option<usize>,
    /// Maximum total length in bytes of the heredoc delimiters on one line.
    pub heredoc_bytes: Option<usize>,
    /// Maximum length of a chain.
    pub chain: Option<ChainLimit>,
}

/// The maximum number of times that a sign may occur between two of the characters that end a chain
/// (`|` in a pipeline), or be open at the same time, if another sign closes it (`<`).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainLimit {
    /// The sign, an ASCII character like the others.
    pub sign: char,
    /// The sign that closes it.
    pub close: Option<char>,
    /// Characters that end a chain.
    pub ends: String,
    /// Maximum number of signs.
    pub most: usize,
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

/// The effect of a node, or the kind of value that it represents. The examples are node kinds in
/// the Python or Rust grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    /// A loop: `for_statement`, `while_expression`.
    Loops,
    /// A conditional branch: `if_statement`, `case_clause`, `match_arm`.
    Branches,
    /// A return: `return_statement`.
    Returns,
    /// A raised error: `raise_statement`, `assert_statement`.
    Raises,
    /// A value that a generator yields: `yield`.
    Yields,
    /// A wait for a concurrent operation: `await`.
    Awaits,
    /// An error handler: `except_clause`, `try_expression`.
    Catches,
    /// A resource or condition that applies to a block: `with_statement`, `unsafe_block`.
    Guards,
    /// A call: `call`, `macro_invocation`.
    Calls,
    /// An assignment: `augmented_assignment`, `let_declaration`.
    Assignments,
    /// A comparison or a logical operation: `comparison_operator`, `not_operator`.
    Comparisons,
    /// Arithmetic: `binary_expression`. If the grammar has the same kind for comparisons, the
    /// operator decides.
    Operations,
    /// A parameter with a default value: `default_parameter`.
    Defaults,
    /// A boolean literal: `true`, `boolean_literal`.
    Booleans,
    /// The value that represents nothing: `none`, `unit_expression`.
    Nothing,
    /// A string literal: `string`, `raw_string_literal`.
    Strings,
    /// A number literal: `integer`, `float_literal`.
    Numbers,
    /// An ordered collection: `list`, `array_expression`.
    Lists,
    /// A collection of values with names or keys: `dictionary`, `struct_expression`.
    Maps,
    /// A fixed number of values: `tuple`, `expression_list`.
    Tuples,
}

impl FlowKind {
    /// Number of flow kinds.
    pub const COUNT: usize = 20;

    /// Returns the bit of this kind in [`super::NodeMeaning::flow`].
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
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

/// A node that runs code only if a condition holds: `if_statement`, `assert_statement`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// Kind of the node.
    pub kind: String,
    /// Field of the condition; by default, the first child that is neither before it nor in a field.
    pub condition: Option<String>,
    /// Field of the code that runs if the condition is true.
    pub then: Option<String>,
    /// Field of the code that runs if the condition is false.
    pub otherwise: Option<String>,
    /// Additional code that runs only if the condition is true.
    #[serde(default)]
    pub also: GuardedPlace,
}

/// The place of code that runs only if a condition is true, outside the fields of the node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GuardedPlace {
    /// There is no other code.
    #[default]
    None,
    /// The first child of the node, before the condition: `a if b else c`.
    Before,
    /// The statements after the node: `assert`.
    After,
    /// The node around it: the comprehension around an `if`.
    Around,
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

/// Which imports the names that a file exports limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportRule {
    /// All, even if the file lists no name (JavaScript).
    All,
    /// All, if the file has a list (Haskell).
    #[default]
    Listed,
    /// Imports of all names, if the file has a list (`__all__` in Python).
    Stars,
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

/// The built-in types of a language with overloads, and their conversions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Types {
    /// Type of a comparison.
    pub boolean: String,
    /// Operators whose result is a `boolean`.
    pub comparisons: Vec<String>,
    /// Types of the result of arithmetic, from the narrowest to the widest. An operation has the
    /// widest type of its operands, and at least the first of these types.
    pub arithmetic: Vec<String>,
    /// Type of the operations that have an operand of this type.
    pub text: String,
    /// Type of the literal that represents no object.
    pub null: String,
    /// Types without `null`.
    pub primitives: Vec<String>,
    /// Types that every object has.
    pub top: Vec<String>,
    /// The types that a type converts to implicitly, the preferred one first.
    pub conversions: BTreeMap<String, Vec<String>>,
    /// Types of the results of members of objects outside the repository, and the names of these
    /// members: `int` and `length`. `[]` after a type means an array.
    pub results: BTreeMap<String, Vec<String>>,
    /// Members with a result of the type that they are called on, or of the object's type.
    pub own_results: Vec<String>,
    /// Members with a result of the type of their first argument (`requireNonNull`).
    pub argument_results: Vec<String>,
    /// Types that no type converts to unless `conversions` contains it.
    pub closed: Vec<String>,
    /// Types whose objects are functions (`Func`). `{interface}` stands for the interfaces and traits
    /// of the repository with one method, `{type}` for its types without members (delegates).
    pub functions: Vec<String>,
    /// Names in place of a declared type that mean the type of the value (`var`).
    pub inferred: Vec<String>,
    /// Label of parameters whose arguments have none, in languages in which calls pass arguments by
    /// labels (`_` in Swift); empty in all others.
    pub unlabeled: String,
    /// Types that a variadic parameter declares are arrays (C#), not their elements.
    pub variadic_arrays: bool,
    /// Types of `closed` that also have the members of the object that they point to (`Box` in
    /// Rust).
    pub pointers: Vec<String>,
    /// True if types of the repository may convert to each other in ways that the grammar file
    /// cannot describe (constructors, conversion operators).
    pub user_conversions: bool,
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

/// The scope in which a top-level name is visible without an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Only in its own file (Python, JavaScript, Rust).
    #[default]
    File,
    /// In all files of its directory (Go).
    Directory,
    /// In all files of its directory, and in all files that declare the same package (Java, where
    /// the tests of a package are in another directory).
    Package,
    /// In the whole repository (C, C++, C#, PHP, Ruby).
    Repository,
}

/// What the name of a base type's object is (`super`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuperForm {
    /// The object itself; a call of it calls the constructor of the base type.
    #[default]
    Object,
    /// A function that returns the object (Python).
    Function,
    /// The method of the base type that has the same name as the one around it (Ruby).
    Method,
}

/// Where the members of a type are visible by their plain names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlainMembers {
    /// Nowhere, not even in the type: an enum variant may have the name of the type that it contains
    /// (Rust).
    Nowhere,
    /// In the declarations of the type.
    #[default]
    Declarations,
    /// In the body of the type, outside methods (Python).
    Body,
    /// In its methods, too.
    Methods,
    /// In its declarations; those of an interface wherever the interface is visible (the methods of a
    /// class in Haskell).
    Interfaces,
}

/// What a decorator or modifier says about a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Marker {
    /// It has no receiver: `staticmethod`.
    Static,
    /// Its receiver is the type: `classmethod`.
    Class,
    /// Its result is the value of the member: `property`.
    Property,
    /// It is another method of such a member, whose name `{name}` represents: first the one that an
    /// assignment to the member calls (`{name}.setter`).
    Accessor,
    /// It describes one way to call the function with the same name that follows: `overload`.
    Stub,
}

/// The rules for resolving names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scopes {
    /// True if the first parameter of a method is the receiver.
    pub receiver_parameter: bool,
    /// True if a call of an unqualified name refers to a definition or import of the file, even if
    /// a local value has the same name (`let entries = entries()`).
    pub calls_skip_values: bool,
    /// True if a call of a value may also refer to the definition or import of the file with its
    /// name, because few objects can be called (`val config: Config` and `fun config()` in Kotlin).
    pub calls_see_items: bool,
    /// Names that refer to the receiver.
    pub receivers: Vec<String>,
    /// True if types get members by implementing traits (Rust). Then
    /// - the receiver of a method always has the type around the method, so the objects of calls add
    ///   nothing to it;
    /// - traits that a file defines or imports may add members to objects of library types;
    /// - a member of an extension without bases takes precedence over members with the same name in
    ///   extensions with bases (inherent methods and trait methods);
    /// - a type may implement one trait several times, with different type arguments, and the
    ///   arguments of a call select the implementation (`From`). The declared type of an object then
    ///   determines its members.
    pub traits: bool,
    /// True if a call of a member that is an object of its own type creates such an object
    /// (variants of an enum).
    pub variants_create: bool,
    /// Method of the value of a field that a read of the field calls, if the value has one; empty if the
    /// language has none. The read then has the method's result (`__get__` in Python).
    pub field_getter: String,
    /// Member of an implementation that is the type of the object to which an object points; empty
    /// if the language has none. The object has the members of that type, too (`Target` in Rust).
    pub dereference: String,
    /// Method of an iterator that returns its next element; empty if the language has none.
    pub next: String,
    /// Text before the name of a member in the name of the variable that stores it (`_clock` for the
    /// property `clock` in Objective-C). Empty if the language has no such variables.
    pub storage_prefix: String,
    /// Name of the method that an assignment to a member calls, where `{name}` represents the name of
    /// the member, and `{Name}` the name with a capital letter (`setClock:` for `self.clock = x`).
    /// Empty if an assignment calls no method of another name.
    pub setter: String,
    /// Members of the receiver whose value is its type (`class`).
    pub type_members: Vec<String>,
    /// Names that refer to the enclosing type.
    pub self_types: Vec<String>,
    /// Names, or calls of names, that refer to the receiver as an object of its base type.
    pub supers: Vec<String>,
    /// What such a name is.
    pub super_form: SuperForm,
    /// Decorators or modifiers of methods, by their effect.
    pub markers: BTreeMap<Marker, Vec<String>>,
    /// Functions that each type has (`private`): in the body of a type, a plain name of this kind means
    /// no function outside types. With `messages`.
    pub type_functions: Vec<String>,
    /// True if extensions may add members to library types. Every file sees them, unless
    /// `imported_extensions` is set.
    pub extends_libraries: bool,
    /// True if only the file itself sees what it imports, unless it shares the import (`export`,
    /// `global using`). A file then sees an extension only if it is in the same file, in the package
    /// of the file or one around that, or in a file or package that is imported.
    pub own_imports: bool,
    /// True if a file sees an extension outside of types only if it is in the file's package, or if
    /// the file imports its name or all names of its package.
    pub imported_extensions: bool,
    /// Packages whose names every file imports: `kotlin.collections`.
    pub default_imports: Vec<String>,
    /// True if the head of a type may declare a constructor, which the type itself represents. The
    /// constructors of base types do not create its objects.
    pub header_constructors: bool,
    /// Members of a type that a call of its name calls, unless it creates an object (`apply` in
    /// Scala).
    pub factories: Vec<String>,
    /// Members that copy an object, whose named arguments are the fields with new values (`copy` in
    /// Kotlin).
    pub copies: Vec<String>,
    /// Names of constructors. `{type}` represents the name of the type.
    pub constructors: Vec<String>,
    /// Members of a type that stand for the type, so that a call of one creates an object (`new` in
    /// Ruby) and its members are those of the type (`Companion` in Kotlin).
    pub instantiators: Vec<String>,
    /// Built-in functions whose first argument is a type, and that create an object of that type
    /// (`new` and `make` in Go).
    pub allocators: Vec<String>,
    /// Built-in functions whose result is an object of the type in their second argument
    /// (`setmetatable`).
    pub metatable_setters: Vec<String>,
    /// True if types are values, so that a declared type may be a variable (`const Self = @This()`), and
    /// a file is a type, whose members are the names at its top level (Zig).
    pub type_values: bool,
    /// Members that are called when an object is called. `{type}` means that a call of the receiver
    /// (`this(...)`) calls a constructor.
    pub callables: Vec<String>,
    /// True if a call sends a message to an object (Ruby). Then
    /// - a call reaches only functions with the name that it writes: a value is called by one of
    ///   `callables` (`handler.call`);
    /// - a call of a member may read a field with its name (`attr_reader`);
    /// - a type has methods of its own, apart from those of its objects, which may have the same names
    ///   (`def self.run`);
    /// - all definitions of a type, in any file, are parts of it.
    pub messages: bool,
    /// Members of a function that call it (`Invoke`, `apply`).
    pub invokers: Vec<String>,
    /// Members of a function that call it with their first argument as the receiver (`call`).
    pub rebinders: Vec<String>,
    /// Members of a function that call it with the elements of a list as arguments (`apply`).
    pub appliers: Vec<String>,
    /// True if a function and a local variable may share a name, and a call means the function.
    pub functions_apart: bool,
    /// True if the functions of a trait run on objects of the types that mix it in, and call their
    /// members (PHP, Ruby).
    pub mixins: bool,
    /// Name of the trait inside a trait with whose functions that trait extends the types that mix it
    /// in (`ClassMethods`, by convention).
    pub type_mixin: String,
    /// Beginnings of statements that make the names in another module or type visible: `using`. If
    /// empty, any code may see the names in a module.
    pub opening_words: Vec<String>,
    /// True if a type and a function or variable may share a name, and a declared type or `new`
    /// means the type.
    pub types_apart: bool,
    /// True if several functions in one scope may share a name, and the arguments of a call select
    /// one of them.
    pub overloads: bool,
    /// True if the functions of a base type with the same name are overloads, too.
    pub inherited_overloads: bool,
    /// True if the types of nearly all variables are declared, and a variable refers only to
    /// objects of its declared type. A name that a file does not see is then foreign even if
    /// another file defines it.
    pub declared_types: bool,
    /// True if the language checks declared types, so a variable with a declared type contains only
    /// objects of that type. With `declared_types`, it always does.
    pub declared_bounds: bool,
    /// True if an alias of a type is the type itself, which may be declared in any file (`typedef` in
    /// C).
    pub typedefs: bool,
    /// True if a variable of a struct type only holds objects of that type, because structs have no
    /// subtypes (C, Go).
    pub exact_structs: bool,
    /// Functions of the language's library to which a repository may add methods (`length` in Julia).
    /// A call of their plain names is not linked.
    pub library_functions: Vec<String>,
    /// Where the members of a type are visible by their plain names.
    pub plain_members: PlainMembers,
    /// Names of the parameters of a function without a name that declares none (`it` in Kotlin).
    pub implicit_parameters: Vec<String>,
    /// Nodes inside functions with names of their own: a name that is declared in such a node is
    /// visible only there.
    pub blocks: Vec<String>,
    /// Last children of such nodes that do not see the names (`else`).
    pub block_ends: Vec<String>,
    /// Declarations whose names the whole function sees, even if they are in a block (`var` in
    /// JavaScript).
    pub hoisted: Vec<String>,
    /// Declarations whose names are visible only after them, and hide earlier ones of the same
    /// block (`let` in Rust).
    pub sequential: Vec<String>,
    /// Nodes that run code only if a condition holds. In this code, a name whose type the condition
    /// tests has that type.
    pub guards: Vec<Guard>,
    /// True if the value of a declaration does not see the declared name: the value of `x := x.y`
    /// refers to another `x`.
    pub values_outside: bool,
    /// The scope in which a top-level name is visible without an import.
    pub visibility: Visibility,
    /// True if names of the own package take precedence over star imports.
    pub package_first: bool,
    /// True if a name that no file of the repository binds or declares refers to a library (`Vec`
    /// in Rust, `process` in JavaScript). Its members are never guessed by name.
    pub foreign_names: bool,
    /// True if a declared type that the repository does not define belongs to a library. The
    /// members of its objects are never guessed by name.
    pub foreign_types: bool,
    /// True if an object literal implements the declared types of the variables that it reaches
    /// (TypeScript), so its members are members of these types, and a declared type may name a
    /// value (`typeof value`).
    pub structural_types: bool,
    /// Names of built-in types. A call of their members never refers to a method of the repository.
    pub builtin_types: Vec<String>,
    /// Namespaces of libraries, to which a repository may add names: `std`.
    pub libraries: Vec<String>,
    /// True if several functions with one name are usually alternatives for different systems, of
    /// which a program contains one (C). The paths of files, and the branches of an `#if`, name the
    /// systems.
    pub system_variants: bool,
    /// Names of the members of the language's built-in types. If an object's type is unknown, an
    /// access to such a member is not linked.
    pub common_members: Vec<String>,
    /// Names of the members that every object has, even if its type does not declare them.
    pub object_members: Vec<String>,
}

impl Dispatch {
    /// Checks whether a type implements an interface by having its methods.
    pub fn has_structural_interfaces(&self) -> bool {
        self.interfaces != Interfaces::Named
    }
}

impl Scopes {
    /// Checks whether an unqualified name inside a method may refer to a member of its type.
    pub fn implicit_members(&self) -> bool {
        self.plain_members == PlainMembers::Methods
    }

    /// Returns the decorators or modifiers with an effect.
    pub fn markers(&self, effect: Marker) -> &[String] {
        self.markers.get(&effect).map_or(&[], Vec::as_slice)
    }

    /// Checks whether constructors have the name of their type.
    pub fn names_constructors_like_types(&self) -> bool {
        self.constructors.iter().any(|constructor| constructor == OWN_TYPE)
    }

    /// Checks whether a function with the given name is a constructor of the type `owner`.
    pub fn is_constructor(&self, name: &str, owner: &str) -> bool {
        self.constructors.iter().any(|one| if one == OWN_TYPE { owner == name } else { one == name })
    }
}

/// Stands for the name of the type in a list of constructors.
const OWN_TYPE: &str = "{type}";

/// Members of library types that hold other values (lists, iterators, options, smart pointers). An
/// object that holds values is not distinguished from them. If a type of the repository has a
/// member of the same name, that member counts instead.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Containers {
    /// Members whose result is the object or its elements (`iter`, `unwrap`).
    pub same: Vec<String>,
    /// Members and functions whose result also holds their arguments (`Some`, `Box::new`, `chain`).
    pub wrappers: Vec<String>,
    /// Functions whose result holds the members of the object literals in their arguments
    /// (`Object.values`).
    pub openers: Vec<String>,
    /// Members that add their arguments to the object (`push`).
    pub fillers: Vec<String>,
    /// Members that pass the elements to the closures in their arguments (`for_each`).
    pub visitors: Vec<String>,
    /// Members whose result is that of the closures in their arguments (`map`).
    pub mappers: Vec<String>,
    /// Members of a type whose result is an object of the type, or holds some (`default`, `valueOf`).
    pub makers: Vec<String>,
}

/// The rules for resolving an import to a file or a directory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Modules {
    /// Separators between the parts of a module path.
    pub separators: Vec<String>,
    /// File stems that represent their directory.
    pub index_files: Vec<String>,
    /// Meaning of leading dots, which refer to directories relative to the importing file: `dots`
    /// (Python, where one dot is the current package) or `path` (`./`, `../`).
    pub relative: Relative,
    /// True if a relative path that does not exist is searched for like any other path, because it
    /// is relative to the working directory (`source ./lib.sh`).
    pub working_directory: bool,
    /// First names of paths that refer to the top of the package, which is the nearest enclosing
    /// directory that contains one of `root_files`. Without `root_files`, the rest of such a path is
    /// the whole name (`global::App.Time`).
    pub roots: Vec<String>,
    /// Stems of files that mark the top of a package.
    pub root_files: Vec<String>,
    /// First names of paths that refer to the importing module.
    pub current: Vec<String>,
    /// First names of paths that refer to the parent of the importing module.
    pub parent: Vec<String>,
    /// Ancestors of an import that contain a prefix of its path (nested `use` lists).
    pub prefixes: Vec<Prefix>,
    /// True if an import also makes every name of the file visible (`#include`, `require`).
    pub include: bool,
    /// True if a path that does not exist as written is searched for by its suffixes
    /// (`github.com/a/b/sub` refers to `sub/`).
    pub suffix: bool,
    /// True if a path that is not found as it is written is searched below all directories, as the
    /// source roots of a program are (Java).
    pub source_roots: bool,
    /// Names of the directories in which the language looks for imports (`lib`). If empty, it may
    /// look in any directory.
    pub load_folders: Vec<String>,
    /// Directories for the sources of one program, in which files without a package see each other:
    /// `src/*/*`, where `*` represents one directory.
    pub source_sets: Vec<String>,
    /// Words in an import of all members of a type: `import static a.B.*`.
    pub member_words: Vec<String>,
    /// Which imports the names that a file exports (`@export`) limit.
    pub exports: ExportRule,
    /// How a manifest declares import paths.
    pub manifest: Manifest,
    /// Directories of a package in which an import of the package is searched for.
    pub package_sources: Vec<String>,
    /// First names of paths that, by convention, refer to a directory of the program, each with
    /// that directory relative to the importing file's directory or one around it. An alias in a
    /// manifest wins.
    pub source_aliases: BTreeMap<String, Vec<String>>,
    /// True if the paths of modules begin with a host name (`example.org/a`). Without a manifest, all
    /// other paths refer to libraries. The last part of a path can be a version such as `v2`, in which
    /// case the part before it is the name of the module.
    pub hosted: bool,
    /// True if an import refers to a directory, and never to a file with the same name next to it
    /// (Go).
    pub imports_directories: bool,
    /// True if the parts of an import's path are separate nodes in one field.
    pub path_parts: bool,
    /// Kinds of nodes that declare a module in a file of its own, which is in the folder of the modules
    /// around the declaration (`mod a { mod b; }` of Rust).
    pub nested: Vec<String>,
    /// True if the last part of an import's path is the imported name, unless it is itself the name
    /// of a module.
    pub path_ends_in_name: bool,
    /// Alias of an import that is the value of the file (`default` in JavaScript). Empty if the
    /// language has none.
    pub value_name: String,
    /// Extensions of compiled files, each with the extensions of the source files that an import
    /// with that extension refers to, the preferred one first. With `js = ["ts"]`, `./b.js` refers
    /// to `b.ts`.
    pub compiled_endings: BTreeMap<String, Vec<String>>,
    /// Words that may be between the stem and the extension of a file that is imported by its stem
    /// (`d` in `b.d.ts`), if no file has only the stem and an extension. If the list is empty, any
    /// word may be there.
    pub declaration_endings: Vec<String>,
}

/// How a manifest ([`SpecHead::manifests`]) declares the import path of its directory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manifest {
    /// Word that precedes the import path.
    pub keyword: Option<String>,
    /// Keys that contain the import path in TOML, as `table.key`. The first one in the manifest counts.
    pub keys: Vec<String>,
    /// Signs in the import path, each with the sign that imports use instead.
    pub signs: BTreeMap<String, String>,
    /// Directories next to the manifest that may contain the modules of its import path. If none of
    /// them exists, the directory of the manifest does.
    pub sources: Vec<String>,
    /// Keys of the import paths, if the manifest is written in JSON.
    pub json: Option<ManifestKeys>,
}

/// Keys of a manifest in JSON, which may contain comments. A value that is nested in objects has
/// several keys.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestKeys {
    /// Keys of the import path of the manifest's directory.
    pub name: Vec<String>,
    /// Keys of files that an import of the directory may refer to.
    pub entries: Vec<String>,
    /// Keys of the directory that aliases, and paths that do not begin with a dot, are relative to.
    pub base: Vec<String>,
    /// Keys of an object with aliases: paths with at most one `*`, each with the places that it
    /// refers to.
    pub aliases: Vec<String>,
    /// Keys of maps from a subpath, with at most one `*`, to a place, to places, or to conditions with
    /// places: `imports` for the files below the manifest (`#a`), `exports` for those of other packages
    /// (`.`, `./a`).
    pub subpaths: Vec<String>,
}

/// A kind of node around imports that contains a prefix of their path.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    /// Kind of the node.
    pub kind: String,
    /// Field that contains the prefix.
    pub field: Option<String>,
    /// Kind of the child that is the prefix, for grammars without a field for it.
    pub child: Option<String>,
}

/// The meaning of leading dots in a module path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relative {
    /// Leading dots have no meaning.
    #[default]
    None,
    /// Leading dots are counted: `.name`, `..name`.
    Dots,
    /// Leading dots are directories in a path: `./name`, `../name`.
    Path,
}

impl Modules {
    /// Splits a module path into its parts.
    pub fn split<'p>(&self, path: &'p str) -> Vec<&'p str> {
        let mut parts = vec![path];
        for separator in &self.separators {
            parts = parts.into_iter().flat_map(|part| part.split(separator.as_str())).collect();
        }
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    /// Returns the name that an import of a whole module binds, unless an alias or the module
    /// itself specifies a different name. Returns `None` for an empty path.
    pub fn bound_name<'p>(&self, parts: &[&'p str]) -> Option<&'p str> {
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        // `import a.b` binds `a`; in languages without dotted paths, the last part is the name.
        let last = match parts {
            [first, ..] if self.relative == Relative::Dots => return Some(first),
            [.., name, version] if self.hosted && is_version(version) => name,
            [.., name] => name,
            [] => return None,
        };
        Some(last.split('.').next().unwrap_or(last))
    }
}

/// The rules for recognizing test code, and the parts of it that a test runner runs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tests {
    /// Globs that match the paths of test files from the root.
    pub paths: Vec<String>,
    /// Globs that match the names of tests, in `case_files`.
    pub names: Vec<String>,
    /// Globs that match the names of functions in test code that a test runner runs.
    pub cases: Vec<String>,
    /// Globs that match the paths of files in which a test runner finds tests by their names; all
    /// files if empty.
    pub case_files: Vec<String>,
    /// Globs that match the names of types in which it finds tests by their names; all types if
    /// empty. A type with a constructor does not count.
    pub case_types: Vec<String>,
    /// Globs that match the names of the bases of further such types.
    pub case_bases: Vec<String>,
    /// Globs that match the marks of such functions: an attribute, an annotation, a decorator, or
    /// the macro that the definition begins with.
    pub case_marks: Vec<String>,
    /// Globs that match those of these macros whose first argument is a type that must exist.
    pub fixture_marks: Vec<String>,
    /// Functions that take the name and the body of a test: `it("adds", () => ..)`. A name may have
    /// several parts: `Deno.test`.
    pub case_calls: Vec<String>,
    /// Names behind such a function with which it takes no test: `test.describe`, `test.step`.
    pub case_parts: Vec<String>,
    /// Whether a string that takes a body is the name of a test: `"adds" { .. }`.
    pub case_strings: bool,
    /// Kinds of nodes other than calls that begin with the name of such a function, or with such a
    /// string.
    pub case_nodes: Vec<String>,
    /// Names and marks of functions that run before the tests in the same type, block or file, and
    /// functions that take such a function (`beforeEach(() => ..)`).
    pub setups: Vec<String>,
    /// Marks of functions whose value a test runner passes to the parameters of that name in tests.
    pub fixtures: Vec<String>,
    /// Arguments of such a mark, without spaces, with which the function runs before all tests.
    pub automatic: Vec<String>,
    /// Stems of files whose fixtures apply to all files in their directory and below.
    pub shared_files: Vec<String>,
    /// Argument that makes the test runner run a test. `{path}`, `{directory}`, `{line}`,
    /// `{module}`, `{type}`, `{name}` and `{qualified}` are replaced; `{names}` represents the
    /// names, separated by `|`, of all tests that share the rest of the argument.
    pub runner: Option<String>,
    /// The same for a test whose name is a string, if the runner does not accept such names.
    pub title_runner: Option<String>,
    /// Other runners, of files that contain a certain text; the first one counts.
    pub runners: Vec<OtherRunner>,
    /// Brackets around a part of the name of a test that is known only when it runs: `${` and `}`.
    pub placeholder_brackets: Vec<[String; 2]>,
    /// Signs before a word that represents such a part: `%` and `$` in the name of a table of tests.
    pub placeholder_signs: Vec<String>,
    /// Separator between the parts of `{type}` and `{qualified}`.
    pub separator: String,
}

/// The test runner of files that contain a certain text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherRunner {
    /// Text of such files, such as the name of the runner's module.
    pub contains: String,
    /// Argument in place of `runner`.
    pub argument: String,
}

/// The name of a language, and how its files are recognized. These keys precede the first table in
/// a language file, and are read for every language. The tables are read only when a file in the
/// language is found.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecHead {
    /// Name of the language in `--lang` and JSON output.
    pub name: String,
    /// Name of the language in documents. `None` if it is `name` with a capital letter.
    pub title: Option<String>,
    /// Language that this one inherits from. Its tables are merged with this language's tables,
    /// which take precedence, and its queries come first.
    pub inherits: Option<String>,
    /// Family of the language. Languages in one family can import each other's files. By default, a
    /// language and the languages that inherit from it are a family.
    pub family: Option<String>,
    /// Other families whose files it can import, if its own family has no file with that path.
    #[serde(default)]
    pub imported_families: Vec<String>,
    /// File extensions, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Prefixes of lines that distinguish a file in this language from a file in an earlier
    /// language with the same extension (`namespace ` in a `.h`).
    #[serde(default)]
    pub markers: Vec<String>,
    /// Complete names of files in the language.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Names of files that declare the import path of their directory in plain text
    /// ([`Modules::manifest`]).
    #[serde(default)]
    pub manifests: Vec<String>,
    /// Names of interpreters in a first line that begins with `#!`.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// Sign that begins a comment up to the end of the line.
    pub line_comment: String,
    /// Separator between the parts of a qualified name: `.`, `::`.
    pub qualifier: String,
    /// Word for the kind of entries that name the types of the language: the types of SQL are what a
    /// query calls `TABLE users`.
    pub defines: Option<String>,
}

impl SpecHead {
    /// Returns the name of the language in documents. Variants of a language (TSX) share its title.
    pub fn title(&self) -> String {
        let capitalized = || self.name[..1].to_uppercase() + &self.name[1..];
        self.title.clone().unwrap_or_else(capitalized)
    }

    /// Checks whether a notebook's kernel calls the language by a given name: its name, a file
    /// extension or an interpreter, possibly with a version.
    pub fn is_called(&self, kernel: &str) -> bool {
        let name = kernel.to_ascii_lowercase();
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        name == self.name || self.extensions.iter().chain(&self.shebangs).any(|one| one == name)
    }

    /// Reads the part of a language file before the first table. `inherited` has the same meaning
    /// as in [`Spec::read`].
    pub fn read(name: &str, inherited: &dyn Fn(&str) -> Option<&'static str>, text: &'static str) -> Result<Self> {
        from_table(name, merged(name, &|base| inherited(base).map(head), head(text), 0)?)
    }
}

/// Returns the part of a language file before the first table.
fn head(text: &'static str) -> &'static str {
    text.split("\n[").next().unwrap_or(text)
}

impl Spec {
    /// Reads a language file. `inherited` returns the language file with a given name, and `idioms`
    /// contains the signs that all languages share.
    pub fn read(
        name: &str,
        inherited: &dyn Fn(&str) -> Option<&'static str>,
        idioms: &toml::Table,
        text: &str,
    ) -> Result<Self> {
        let all = merged(name, inherited, text, 0)?;
        let (mut table, head): (toml::Table, toml::Table) = all.into_iter().partition(|(_, value)| value.is_table());
        let idioms = with_shared(idioms.clone(), table.remove("idioms"));
        table.insert("idioms".to_owned(), toml::Value::Table(idioms));
        Ok(Self { head: from_table(name, head)?, ..from_table(name, table)? })
    }
}

fn from_table<T: serde::de::DeserializeOwned>(name: &str, table: toml::Table) -> Result<T> {
    table.try_into().map_err(|cause: toml::de::Error| wrong(name, cause.message()))
}

fn merged(
    name: &str,
    inherited: &dyn Fn(&str) -> Option<&'static str>,
    text: &str,
    depth: usize,
) -> Result<toml::Table> {
    let own: toml::Table = text.parse().map_err(|cause: toml::de::Error| wrong(name, cause.message()))?;
    let Some(base) = own.get("inherits").and_then(|v| v.as_str()) else { return Ok(own) };
    let base_text = inherited(base)
        .filter(|_| depth < 4)
        .ok_or_else(|| wrong(name, &format!("it inherits from `{base}`, which does not exist")))?;
    let mut table = merged(base, inherited, base_text, depth + 1)?;
    for (key, value) in own {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) => under.extend(over),
            (_, value) => drop(table.insert(key, value)),
        }
    }
    Ok(table)
}

fn wrong(name: &str, cause: &str) -> Error {
    Error::new(Kind::Language, format!("grammars/{name}.toml: {cause}"), "see grammars/README.md for the fields")
}
