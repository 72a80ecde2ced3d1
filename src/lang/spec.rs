//! The shape of `grammars/<language>.toml`: what a language is, as data. The file's comments in
//! `grammars/README.md` describe each field for whoever adds a language.

use super::idioms::{Idioms, with_shared};
use crate::error::{Error, Kind, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One language file, as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// What tells a file's language, and the language's name.
    #[serde(skip)]
    pub head: SpecHead,
    /// Node kinds whose text is read as words.
    pub words: WordNodes,
    /// How a value is written.
    pub expressions: Expressions,
    /// What a function does step by step: node kinds.
    #[serde(default)]
    pub flow: BTreeMap<FlowKind, Vec<String>>,
    /// Signs in source text that say what a function does: those of `grammars/idioms.toml`, then the language's own.
    #[serde(deserialize_with = "Idioms::shared")]
    pub idioms: Arc<Idioms>,
    /// How names are looked up.
    pub scopes: Scopes,
    /// How an import names a file or a directory.
    pub modules: Modules,
    /// What counts as a test.
    #[serde(default)]
    pub tests: Tests,
    /// What of a file others may use.
    #[serde(default)]
    pub api: Api,
    /// What its parser cannot take.
    #[serde(default)]
    pub limits: ParserLimits,
}

/// How the language, or those who write it, tell what others may use from what is a file's or a type's own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Api {
    /// Names (globs) of what is nobody else's: `_*`.
    #[serde(default)]
    pub private_names: Vec<String>,
    /// Words in the head of what is nobody else's: `private`.
    #[serde(default)]
    pub private_words: Vec<String>,
    /// Words in the head of a function for others: without one of them, a function outside of types is nobody else's.
    #[serde(default)]
    pub public_words: Vec<String>,
    /// Names (globs) that the language itself, or what runs it, calls: `__*__`, `main`.
    #[serde(default)]
    pub hook_names: Vec<String>,
}

/// What a grammar or its scanner cannot take: files beyond are not parsed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParserLimits {
    /// The most levels of indentation that may be open at once.
    #[serde(default)]
    pub indent_levels: Option<usize>,
    /// The most bytes that words of heredocs may have on one line together.
    #[serde(default)]
    pub heredoc_bytes: Option<usize>,
    /// The most `<` that may be open at once between two of `;`, `{` and `}`.
    #[serde(default)]
    pub open_angles: Option<usize>,
}

/// Node kinds whose text is read as words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordNodes {
    /// Leaves that name things.
    pub identifiers: Vec<String>,
    /// String contents.
    pub strings: Vec<String>,
    /// Comments.
    pub comments: Vec<String>,
    /// Nodes right before a definition that belong to its span (attributes), besides comments.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// What is cut off the front of each line of a doc comment (longest first).
    #[serde(default)]
    pub doc_prefixes: Vec<String>,
    /// What is cut off the end of each line of a doc comment, besides `*/`.
    #[serde(default)]
    pub doc_suffixes: Vec<String>,
}

/// How a value is written: enough to follow functions and objects through names, fields, calls and returns.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expressions {
    /// Leaves that are a name by themselves.
    pub names: Vec<String>,
    /// A member of an object, module or type.
    #[serde(default)]
    pub access: Vec<Access>,
    /// Leaves that name a member of the object itself (`@name` in Ruby); signs before the name are cut off.
    #[serde(default)]
    pub members: Vec<String>,
    /// A node that makes an object of the type in its field (struct literals).
    #[serde(default)]
    pub instances: Vec<OneField>,
    /// A node that has the value of its first named child, or of the field given.
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
    /// An argument given by name.
    #[serde(default)]
    pub keyword_arguments: Vec<KeywordArgument>,
    /// Values that are surely of a built-in type (`string`, `list`): their members are not of the repository.
    #[serde(default)]
    pub literals: Vec<String>,
    /// A function returns the value of its last statement, without a `return` (Rust, Ruby).
    #[serde(default)]
    pub last_value: bool,
    /// The result type is written before the name of the function (`int size()`).
    #[serde(default)]
    pub type_before_name: bool,
}

/// What a node does, or what sort of value it writes. The examples are node kinds of the Python or Rust grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    /// A loop: `for_statement`, `while_expression`.
    Loops,
    /// A branch that is taken or not: `if_statement`, `case_clause`, `match_arm`.
    Branches,
    /// A return: `return_statement`.
    Returns,
    /// An error is raised: `raise_statement`, `assert_statement`.
    Raises,
    /// A generator hands out a value and goes on: `yield`.
    Yields,
    /// A wait for something that runs concurrently: `await`.
    Awaits,
    /// An error is handled: `except_clause`, `try_expression`.
    Catches,
    /// A resource or a condition that is held for a block: `with_statement`, `unsafe_block`.
    Guards,
    /// A call: `call`, `macro_invocation`.
    Calls,
    /// An assignment: `augmented_assignment`, `let_declaration`.
    Assignments,
    /// A comparison or a logical connection: `comparison_operator`, `not_operator`.
    Comparisons,
    /// Arithmetic, or a comparison where the grammar has one kind for both (the operator tells): `binary_expression`.
    Operations,
    /// A parameter with a default value: `default_parameter`.
    Defaults,
    /// A literal truth value: `true`, `boolean_literal`.
    Booleans,
    /// The value for nothing: `none`, `unit_expression`.
    Nothing,
    /// A string literal: `string`, `raw_string_literal`.
    Strings,
    /// A number literal: `integer`, `float_literal`.
    Numbers,
    /// Values in order: `list`, `array_expression`.
    Lists,
    /// Values by name or key: `dictionary`, `struct_expression`.
    Maps,
    /// A fixed number of values together: `tuple`, `expression_list`.
    Tuples,
}

impl FlowKind {
    /// How many kinds there are.
    pub const COUNT: usize = 20;

    /// Its bit in [`super::NodeMeaning::flow`].
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
    /// Field of the member's name; without it, the last child.
    #[serde(default)]
    pub member: Option<String>,
}

/// A node kind and one of its fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneField {
    /// Node kind.
    pub kind: String,
    /// Field name.
    pub field: String,
}

/// A node kind that passes a value through.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Transparent {
    /// The first named child's value.
    First(String),
    /// The value of a field.
    Field(OneField),
}

/// An argument given by name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordArgument {
    /// Node kind.
    pub kind: String,
    /// Field of the name.
    pub name: String,
    /// Field of the value; without it, the last child.
    #[serde(default)]
    pub value: Option<String>,
}

/// From where a top-level name is seen without an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// In its own file only (Python, JavaScript, Rust).
    #[default]
    File,
    /// In every file of its directory (Go, Java).
    Directory,
    /// Everywhere (C, C++, C#, PHP, Ruby).
    Repository,
}

/// How names are looked up.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scopes {
    /// The first parameter of a method is the object itself.
    #[serde(default)]
    pub receiver_parameter: bool,
    /// Names that mean the object itself.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// Names that mean the enclosing type.
    #[serde(default)]
    pub self_types: Vec<String>,
    /// Names (or calls of names) that mean the object seen as its base type.
    #[serde(default)]
    pub supers: Vec<String>,
    /// The base type is reached by calling that name (`super()`), not by naming it.
    #[serde(default)]
    pub super_call: bool,
    /// Calling that name calls the base's method of the same name (Ruby), not its constructor.
    #[serde(default)]
    pub super_same_method: bool,
    /// Decorators or modifiers of a method without a receiver.
    #[serde(default)]
    pub static_markers: Vec<String>,
    /// Decorators of a method whose receiver is the type.
    #[serde(default)]
    pub class_markers: Vec<String>,
    /// Names of constructors; `{type}` stands for the type's own name.
    #[serde(default)]
    pub constructors: Vec<String>,
    /// Members of a type that make an object of it when called (`new` in Ruby).
    #[serde(default)]
    pub instantiators: Vec<String>,
    /// The member that is called when an object is called.
    #[serde(default)]
    pub callables: Vec<String>,
    /// A bare name inside a method may mean a member of its type.
    #[serde(default)]
    pub implicit_members: bool,
    /// From where a top-level name is seen without an import.
    #[serde(default)]
    pub visibility: Visibility,
    /// Member names of the language's built-in types: an unknown object's member of that name links to nothing.
    #[serde(default)]
    pub common_members: Vec<String>,
}

/// How an import names a file or a directory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modules {
    /// What separates the parts of a module path.
    pub separators: Vec<String>,
    /// File stems that stand for their directory.
    #[serde(default)]
    pub index_files: Vec<String>,
    /// Leading dots go up from the importing file: `dots` (Python, one is the own package) or `path` (`./`, `../`).
    #[serde(default)]
    pub relative: Relative,
    /// Leading names that mean the top of the package, found as the nearest directory above that holds one of
    /// `root_files`.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Stems of files that mark the top of a package.
    #[serde(default)]
    pub root_files: Vec<String>,
    /// A leading name that means the importing module.
    #[serde(default)]
    pub current: Vec<String>,
    /// A leading name that means the module around the importing one.
    #[serde(default)]
    pub parent: Vec<String>,
    /// An ancestor of an import that holds the front of its path (nested `use` lists).
    #[serde(default)]
    pub prefixes: Vec<Prefix>,
    /// An import also makes every name of the file visible (`#include`, `require`).
    #[serde(default)]
    pub include: bool,
    /// A path that is found nowhere as it stands is looked for by its endings (`github.com/a/b/sub` is `sub/`).
    #[serde(default)]
    pub suffix: bool,
    /// The word before the import path in a manifest ([`SpecHead::manifests`]).
    #[serde(default)]
    pub manifest_keyword: Option<String>,
    /// Without a manifest, only a path that starts with the name of a host (`example.org/a`) may lead into the
    /// repository; all others name libraries of the language.
    #[serde(default)]
    pub hosted: bool,
    /// A last part such as `v2` is a version, and the part before it names the module.
    #[serde(default)]
    pub versions: bool,
    /// The last part of an import's path is the imported name, unless it names a module itself.
    #[serde(default)]
    pub path_ends_in_name: bool,
    /// Endings of compiled files, each with the endings of the sources that an import by that name means, the
    /// preferred one first (`js = ["ts"]`: `./b.js` means `b.ts`).
    #[serde(default)]
    pub compiled_endings: BTreeMap<String, Vec<String>>,
    /// What may be between stem and ending of a file that an import names by its stem (`d` of `b.d.ts`), where no
    /// file has just the stem and an ending; empty for anything.
    #[serde(default)]
    pub declaration_endings: Vec<String>,
}

/// A node around imports that holds the front of their path.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    /// Node kind.
    pub kind: String,
    /// Field of the front.
    #[serde(default)]
    pub field: Option<String>,
    /// Kind of the child that is the front, where the grammar has no field for it.
    #[serde(default)]
    pub child: Option<String>,
}

/// How leading dots of a module path are read.
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

    /// Returns the name that an import of a whole module binds where neither an alias nor the module itself gives
    /// another; none for an empty path.
    pub fn bound_name<'p>(&self, parts: &[&'p str]) -> Option<&'p str> {
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        // `import a.b` binds `a`; where paths are not dotted names, the last part is the name.
        let last = match parts {
            [first, ..] if self.relative == Relative::Dots => return Some(first),
            [.., name, version] if self.versions && is_version(version) => name,
            [.., name] => name,
            [] => return None,
        };
        Some(last.split('.').next().unwrap_or(last))
    }
}

/// What counts as a test: globs over repository paths and names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// Globs over the path from the root.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs over the definition's name.
    #[serde(default)]
    pub names: Vec<String>,
}

/// What tells a language's files, and its name: the keys before the first table of its file, which are read for every
/// language; the tables are read when a file of the language is met.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecHead {
    /// The language's name, as `--lang` takes it and JSON prints it.
    pub name: String,
    /// The language whose file this one starts from; its tables are merged under ours, its queries come first.
    #[serde(default)]
    pub inherits: Option<String>,
    /// Languages of one family import each other's files; by default a language and those that inherit from it.
    #[serde(default)]
    pub family: Option<String>,
    /// File name endings without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Beginnings of lines that tell a file of this language from one of an earlier row with the same ending
    /// (`namespace ` in a `.h`).
    #[serde(default)]
    pub markers: Vec<String>,
    /// Whole file names.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Names of files that declare the import path of their directory, as plain text ([`Modules::manifest_keyword`]).
    #[serde(default)]
    pub manifests: Vec<String>,
    /// Interpreter names in a first line `#!`.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// What starts a comment that runs to the end of the line.
    pub line_comment: String,
    /// What separates the parts of a qualified name: `.`, `::`.
    pub qualifier: String,
}

impl SpecHead {
    /// Reads the head of one language file; `inherited` is as for [`Spec::read`].
    pub fn read(name: &str, inherited: &dyn Fn(&str) -> Option<&'static str>, text: &'static str) -> Result<Self> {
        from_table(name, merged(name, &|base| inherited(base).map(head), head(text), 0)?)
    }
}

/// The keys before the first table.
fn head(text: &'static str) -> &'static str {
    text.split("\n[").next().unwrap_or(text)
}

impl Spec {
    /// Reads one language file; `inherited` finds the text of the language that it starts from, `idioms` are those that
    /// languages share.
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
