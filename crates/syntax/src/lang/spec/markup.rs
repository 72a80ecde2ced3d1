//! `[markup]`, `[notebooks]`, `[macros]` and `[limits]`: what surrounds the code in a file, and what
//! keeps the parser from reading it.

use serde::Deserialize;

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
