//! Parses text with tree-sitter alone, for comparison with the parser of the program.

use tree_sitter::{Node, Parser, Tree};
use whichfn_syntax::lang::Language;
use whichfn_syntax::parse::parsed_text;

/// Returns the syntax tree of a text. If the tree has errors, and fewer with the rewrites of the
/// language, returns that tree.
///
/// # Panics
/// Panics if tree-sitter cannot load the language, or gives up.
pub fn tree(language: &Language, code: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&language.parser).expect("parser");
    let mut parse = |text: &str| parser.parse(&*parsed_text(language, text), None).expect("tree");
    let tree = parse(code);
    match language.rewrites.apply(code) {
        Some(text) if tree.root_node().has_error() => {
            let rewritten = parse(&text);
            if errors(rewritten.root_node()) < errors(tree.root_node()) { rewritten } else { tree }
        }
        _ => tree,
    }
}

/// Counts the syntax errors in a node.
fn errors(node: Node<'_>) -> usize {
    let own = usize::from(node.is_error() || node.is_missing());
    own + node.children(&mut node.walk()).map(errors).sum::<usize>()
}
