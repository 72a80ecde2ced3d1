//! The schema of `grammars/<language>.toml`, which describes a language as data.
//! `grammars/README.md` documents each field for people who add a language.

use super::idioms::{Idioms, with_shared};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Result};

/// One language file, deserialized.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The name of the language, and how its files are recognized.
    #[serde(skip)]
    pub head: SpecHead,
    /// Node kinds whose text is read as words.
    pub words: WordNodes,
    /// The syntax of values.
    pub expressions: Expressions,
    /// Node kinds for each step that a function can take.
    #[serde(default)]
    pub flow: BTreeMap<FlowKind, Vec<String>>,
    /// Signs in source text that show what a function does: those of `grammars/idioms.toml`, then
    /// the language's own.
    #[serde(deserialize_with = "Idioms::deserialize_shared")]
    pub idioms: Arc<Idioms>,
    /// The rules for resolving names.
    pub scopes: Scopes,
    /// The rules for resolving an import to a file or a directory.
    pub modules: Modules,
    /// The rules for recognizing tests.
    #[serde(default)]
    pub tests: Tests,
    /// The rules for what other files may use.
    #[serde(default)]
    pub api: Api,
    /// The limits of the parser.
    #[serde(default)]
    pub limits: ParserLimits,
}

/// Rules that recognize a definition as public or private, by the rules of the language or by
/// convention.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Api {
    /// Names (globs) of private definitions: `_*`.
    #[serde(default)]
    pub private_names: Vec<String>,
    /// Words in the head of a private definition: `private`.
    #[serde(default)]
    pub private_words: Vec<String>,
    /// Words in the head of a public function. If there are any, a function outside of types is
    /// private without one of them.
    #[serde(default)]
    pub public_words: Vec<String>,
    /// Names (globs) that the language itself or its runtime calls: `__*__`, `main`.
    #[serde(default)]
    pub hook_names: Vec<String>,
}

/// The limits of a parser or its scanner. Files beyond them are not parsed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParserLimits {
    /// Maximum number of indentation levels open at once.
    #[serde(default)]
    pub indent_levels: Option<usize>,
    /// Maximum total length in bytes of the heredoc words on one line.
    #[serde(default)]
    pub heredoc_bytes: Option<usize>,
    /// Maximum number of `<` open at once between two of `;`, `{` and `}`.
    #[serde(default)]
    pub open_angles: Option<usize>,
}

/// Node kinds whose text is read as words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordNodes {
    /// Leaves that are identifiers.
    pub identifiers: Vec<String>,
    /// String contents.
    pub strings: Vec<String>,
    /// Comments.
    pub comments: Vec<String>,
    /// Nodes immediately before a definition that belong to its span (attributes), in addition to
    /// comments.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// Prefixes to strip from each line of a doc comment, longest first.
    #[serde(default)]
    pub doc_prefixes: Vec<String>,
    /// Suffixes to strip from each line of a doc comment, in addition to `*/`.
    #[serde(default)]
    pub doc_suffixes: Vec<String>,
}

/// The syntax of values: enough to follow functions and objects through names, fields, calls and
/// returns.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expressions {
    /// Leaves that are a name by themselves.
    pub names: Vec<String>,
    /// A member of an object, module or type.
    #[serde(default)]
    pub access: Vec<Access>,
    /// Leaves that name a member of the current object (`@name` in Ruby); signs before the name are
    /// stripped.
    #[serde(default)]
    pub members: Vec<String>,
    /// A node that creates an object of the type in its field (struct literals).
    #[serde(default)]
    pub instances: Vec<NodeField>,
    /// A node that has the value of its first named child, or of the given field.
    #[serde(default)]
    pub transparent: Vec<Transparent>,
    /// A node that may have the value of any of its children (conditionals, containers).
    #[serde(default)]
    pub choices: Vec<String>,
    /// A node that lists values or targets in order (tuples).
    #[serde(default)]
    pub lists: Vec<String>,
    /// A target that takes the values that no other target takes (`*rest`).
    #[serde(default)]
    pub rest: Vec<String>,
    /// An argument passed by name.
    #[serde(default)]
    pub keyword_arguments: Vec<KeywordArgument>,
    /// Values that are certainly of a built-in type (`string`, `list`), so their members are not in
    /// the repository.
    #[serde(default)]
    pub literals: Vec<String>,
    /// True if a function returns the value of its last statement without a `return` (Rust, Ruby).
    #[serde(default)]
    pub last_value: bool,
    /// True if the result type is written before the name of the function (`int size()`).
    #[serde(default)]
    pub type_before_name: bool,
}

/// The effect of a node, or the sort of value that it writes. The examples are node kinds of the
/// Python or Rust grammar.
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
    /// A wait for something that runs concurrently: `await`.
    Awaits,
    /// An error handler: `except_clause`, `try_expression`.
    Catches,
    /// A resource or a condition that is held for a block: `with_statement`, `unsafe_block`.
    Guards,
    /// A call: `call`, `macro_invocation`.
    Calls,
    /// An assignment: `augmented_assignment`, `let_declaration`.
    Assignments,
    /// A comparison or a logical operation: `comparison_operator`, `not_operator`.
    Comparisons,
    /// Arithmetic; or also a comparison if the grammar has one kind for both, where the operator
    /// decides: `binary_expression`.
    Operations,
    /// A parameter with a default value: `default_parameter`.
    Defaults,
    /// A boolean literal: `true`, `boolean_literal`.
    Booleans,
    /// The value for nothing: `none`, `unit_expression`.
    Nothing,
    /// A string literal: `string`, `raw_string_literal`.
    Strings,
    /// A number literal: `integer`, `float_literal`.
    Numbers,
    /// An ordered collection: `list`, `array_expression`.
    Lists,
    /// Values by name or key: `dictionary`, `struct_expression`.
    Maps,
    /// A fixed number of values together: `tuple`, `expression_list`.
    Tuples,
}

impl FlowKind {
    /// Number of kinds.
    pub const COUNT: usize = 20;

    /// Returns the bit of this kind in [`super::NodeMeaning::flow`].
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A member access node and its fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Node kind.
    pub kind: String,
    /// Field of the object; absent in a node without one (`::name`).
    pub object: String,
    /// Field of the member's name, or `None` for the last child.
    #[serde(default)]
    pub member: Option<String>,
}

/// A node kind and one of its fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeField {
    /// Node kind.
    pub kind: String,
    /// Field name.
    pub field: String,
}

/// A node kind that passes a value through.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Transparent {
    /// The value of the first named child.
    First(String),
    /// The value of a field.
    Field(NodeField),
}

/// An argument passed by name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordArgument {
    /// Node kind.
    pub kind: String,
    /// Field of the name.
    pub name: String,
    /// Field of the value, or `None` for the last child.
    #[serde(default)]
    pub value: Option<String>,
}

/// The scope in which a top-level name is visible without an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Only in its own file (Python, JavaScript, Rust).
    #[default]
    File,
    /// Also in the other files of its directory (Go, Java).
    Directory,
    /// Everywhere (C, C++, C#, PHP, Ruby).
    Repository,
}

/// The rules for resolving names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scopes {
    /// True if the first parameter of a method is the receiver.
    #[serde(default)]
    pub receiver_parameter: bool,
    /// Names that mean the receiver.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// Names that mean the enclosing type.
    #[serde(default)]
    pub self_types: Vec<String>,
    /// Names (or calls of names) that mean the receiver as its base type.
    #[serde(default)]
    pub supers: Vec<String>,
    /// True if the base type is accessed by calling that name (`super()`), not by using it
    /// directly.
    #[serde(default)]
    pub super_call: bool,
    /// True if calling that name calls the base's method of the same name (Ruby), not its
    /// constructor.
    #[serde(default)]
    pub super_same_method: bool,
    /// Decorators or modifiers of a method without a receiver.
    #[serde(default)]
    pub static_markers: Vec<String>,
    /// Decorators of a method whose receiver is the type.
    #[serde(default)]
    pub class_markers: Vec<String>,
    /// Names of constructors; `{type}` is replaced by the name of the type.
    #[serde(default)]
    pub constructors: Vec<String>,
    /// Members of a type that create an object of it when called (`new` in Ruby).
    #[serde(default)]
    pub instantiators: Vec<String>,
    /// The member that is called when an object is called.
    #[serde(default)]
    pub callables: Vec<String>,
    /// True if a bare name inside a method may mean a member of its type.
    #[serde(default)]
    pub implicit_members: bool,
    /// The scope in which a top-level name is visible without an import.
    #[serde(default)]
    pub visibility: Visibility,
    /// Member names of the language's built-in types. Such a member of an unknown object is not
    /// linked.
    #[serde(default)]
    pub common_members: Vec<String>,
}

/// The rules for resolving an import to a file or a directory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modules {
    /// Separators between the parts of a module path.
    pub separators: Vec<String>,
    /// File stems that represent their directory.
    #[serde(default)]
    pub index_files: Vec<String>,
    /// Meaning of leading dots, which go up from the importing file: `dots` (Python, where one dot
    /// is the current package) or `path` (`./`, `../`).
    #[serde(default)]
    pub relative: Relative,
    /// Leading names that mean the top of the package, which is the nearest directory above that
    /// contains one of `root_files`.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Stems of files that mark the top of a package.
    #[serde(default)]
    pub root_files: Vec<String>,
    /// A leading name that means the importing module.
    #[serde(default)]
    pub current: Vec<String>,
    /// A leading name that means the parent of the importing module.
    #[serde(default)]
    pub parent: Vec<String>,
    /// Ancestors of an import that contain the front of its path (nested `use` lists).
    #[serde(default)]
    pub prefixes: Vec<Prefix>,
    /// True if an import also makes every name of the file visible (`#include`, `require`).
    #[serde(default)]
    pub include: bool,
    /// True if a path that is not found as written is searched by its endings (`github.com/a/b/sub`
    /// is `sub/`).
    #[serde(default)]
    pub suffix: bool,
    /// The word before the import path in a manifest (`SpecHead::manifests`).
    #[serde(default)]
    pub manifest_keyword: Option<String>,
    /// True if, without a manifest, only a path that starts with a host name (`example.org/a`) may
    /// lead into the repository; all others name libraries of the language.
    #[serde(default)]
    pub hosted: bool,
    /// True if a last part such as `v2` is a version, and the part before it names the module.
    #[serde(default)]
    pub versions: bool,
    /// True if the last part of an import's path is the imported name, unless it names a module
    /// itself.
    #[serde(default)]
    pub path_ends_in_name: bool,
    /// Extensions of compiled files, each with the extensions of the sources that an import by that
    /// name means, the preferred one first (`js = ["ts"]`: `./b.js` means `b.ts`).
    #[serde(default)]
    pub compiled_endings: BTreeMap<String, Vec<String>>,
    /// Words allowed between stem and extension of a file that an import names by its stem (`d` of
    /// `b.d.ts`), if no file has only the stem and an extension. Empty allows anything.
    #[serde(default)]
    pub declaration_endings: Vec<String>,
}

/// A node around imports that contains the front of their path.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    /// Node kind.
    pub kind: String,
    /// Field of the front.
    #[serde(default)]
    pub field: Option<String>,
    /// Kind of the child that is the front, for grammars without a field for it.
    #[serde(default)]
    pub child: Option<String>,
}

/// The meaning of leading dots in a module path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relative {
    /// No relative paths.
    #[default]
    None,
    /// `.name`, `..name`.
    Dots,
    /// `./name`, `../name`.
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
    /// itself specifies another. Returns `None` for an empty path.
    pub fn bound_name<'p>(&self, parts: &[&'p str]) -> Option<&'p str> {
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        // `import a.b` binds `a`; in languages without dotted paths, the last part is the name.
        let last = match parts {
            [first, ..] if self.relative == Relative::Dots => return Some(first),
            [.., name, version] if self.versions && is_version(version) => name,
            [.., name] => name,
            [] => return None,
        };
        Some(last.split('.').next().unwrap_or(last))
    }
}

/// The rules for recognizing tests: globs over repository paths and names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// Globs over the path from the root.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs over the name of the definition.
    #[serde(default)]
    pub names: Vec<String>,
}

/// The name of a language, and how its files are recognized: the keys before the first table of its
/// file. These are read for every language; the tables are read only when a file of the language is
/// found.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecHead {
    /// The name of the language, as used by `--lang` and in JSON output.
    pub name: String,
    /// The language that this one inherits from: its tables are merged under ours, and its queries
    /// come first.
    #[serde(default)]
    pub inherits: Option<String>,
    /// The family of the language: languages of one family import each other's files. The default
    /// is a language and those that inherit from it.
    #[serde(default)]
    pub family: Option<String>,
    /// File extensions, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Starts of lines that distinguish a file of this language from one of an earlier row with the
    /// same extension (`namespace ` in a `.h`).
    #[serde(default)]
    pub markers: Vec<String>,
    /// Whole file names.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Names of files that declare the import path of their directory, as plain text
    /// ([`Modules::manifest_keyword`]).
    #[serde(default)]
    pub manifests: Vec<String>,
    /// Interpreter names in a first line `#!`.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// The start of a comment that runs to the end of the line.
    pub line_comment: String,
    /// The separator of the parts of a qualified name: `.`, `::`.
    pub qualifier: String,
}

impl SpecHead {
    /// Reads the head of a language file. `inherited` is the same as for [`Spec::read`].
    pub fn read(name: &str, inherited: &dyn Fn(&str) -> Option<&'static str>, text: &'static str) -> Result<Self> {
        from_table(name, merged(name, &|base| inherited(base).map(head), head(text), 0)?)
    }
}

/// Returns the keys before the first table.
fn head(text: &'static str) -> &'static str {
    text.split("\n[").next().unwrap_or(text)
}

impl Spec {
    /// Reads a language file. `inherited` returns the text of the file of a language by name, and
    /// `idioms` are the signs that languages share.
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
        .ok_or_else(|| wrong(name, &format!("it inherits from `{base}`, which is unknown")))?;
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
