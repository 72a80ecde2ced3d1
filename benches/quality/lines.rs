//! Selects the lines that are worth completing, which are real code, as in RepoEval.

use tree_sitter::{Node, Parser};
use whichfn_syntax::lang::Registry;

/// Number of lines at the start of a file that are left out, because they are mostly boilerplate
/// and there is little text before them for a query.
const OPENING: usize = 10;
const WORDS: usize = 2;
const TOKENS: usize = 3;
const CHARACTERS: usize = 6;

/// Kinds of syntax that are not code to complete: comments, imports, attributes.
const OMITTED: &[&str] = &[
    "comment",
    "line_comment",
    "block_comment",
    "import_statement",
    "import_from_statement",
    "future_import_statement",
    "use_declaration",
    "extern_crate_declaration",
    "attribute_item",
    "inner_attribute_item",
];
const STRINGS: &[&str] = &["string", "string_literal", "raw_string_literal"];

/// Returns the 1-based numbers of the lines that contain real code.
pub fn code_lines(registry: &Registry, language: &str, text: &str) -> Vec<u32> {
    let id = registry.named(language).expect("language");
    let mut parser = Parser::new();
    parser.set_language(&registry.language(id).expect("language").parser).expect("parser");
    let tree = parser.parse(text, None).expect("tree");
    let mut lines = Vec::new();
    let mut start = 0;
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let first = start + (line.len() - line.trim_start().len());
        start += line.len();
        if row >= OPENING
            && is_substantial(line)
            && let Some(node) = tree.root_node().descendant_for_byte_range(first, first + 1)
            && is_code(node, row)
        {
            lines.push(row as u32 + 1);
        }
    }
    lines
}

/// Checks whether a line is neither blank nor a single bracket or similar (`} else {`,
/// `) -> None:`).
fn is_substantial(line: &str) -> bool {
    let line = line.trim();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = line.split(|c| !is_word(c)).filter(|word| !word.is_empty()).count();
    let signs = line.chars().filter(|&c| !is_word(c) && !c.is_whitespace()).count();
    words >= WORDS && words + signs >= TOKENS && line.chars().filter(|c| !c.is_whitespace()).count() >= CHARACTERS
}

/// Checks whether the text at the first character of a row is code, starting from the smallest node
/// there.
fn is_code(node: Node<'_>, row: usize) -> bool {
    std::iter::successors(Some(node), Node::parent).all(|node| {
        let kind = node.kind();
        let inside_string = STRINGS.contains(&kind) && node.start_position().row < row;
        let docstring = kind == "expression_statement" && node.named_child(0).is_some_and(|n| n.kind() == "string");
        let module_elsewhere = kind == "mod_item" && node.child_by_field_name("body").is_none();
        !(OMITTED.contains(&kind) || inside_string || docstring || module_elsewhere)
    })
}
