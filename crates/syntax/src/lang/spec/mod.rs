//! The schema of `grammars/<language>.toml`, which describes a language as data.
//! `grammars/README.md` documents each field for people who add a language.

mod markup;
mod modules;
mod rules;
mod scopes;
mod values;

use super::idioms::{Idioms, with_shared};
pub use markup::{ChainLimit, Macros, Markup, MarkupRule, Notebooks, ParserLimits};
pub use modules::{ExportRule, Manifest, ManifestKeys, Modules, Relative};
pub use rules::{Api, Dispatch, Interfaces, OtherRunner, Tests};
pub use scopes::{
    Containers, Guard, GuardedPlace, KeyEntry, Marker, PlainMembers, Scopes, SuperForm, Types, Uses, Visibility,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
pub use values::{
    Addresses, DataRows, Expressions, Interpolation, ItemMacros, Operator, Rewrite, Tokens, Transparent, TypePattern,
    WordNodes,
};
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
