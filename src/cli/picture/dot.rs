//! The picture for Graphviz. Weights are called `strength` and groups `class`, because `weight` and `group` have a meaning
//! of their own there (how hard an edge pulls, which nodes stand in line).

use crate::answer::{Drawing, DrawnNode, Group};
use crate::graph::EdgeKind;

pub(super) fn of(drawing: &Drawing) -> String {
    let mut out = String::from("digraph whichfn {\n  node [fontname=\"sans-serif\"];\n  edge [color=\"#777777\"];\n");
    for node in &drawing.nodes {
        out += &format!(
            "  n{} [label={}, shape={}, class={}, kind={}, path={}, line={}, strength={}, tooltip={}];\n",
            node.id.0,
            quoted(label(node)),
            shape(node.group),
            quoted(node.group.name()),
            quoted(&node.kind),
            quoted(&node.path),
            node.line,
            node.weight,
            quoted(&node.place()),
        );
    }
    for edge in &drawing.edges {
        let style = match edge.kind {
            EdgeKind::Call => "color=\"#1f6fb2\"",
            EdgeKind::Directory => "dir=none, style=dashed",
            EdgeKind::Root | EdgeKind::Syntax => "dir=none",
        };
        let line = edge.line.map(|line| format!(", line={line}")).unwrap_or_default();
        let (a, b, kind, weight) = (edge.a.0, edge.b.0, edge.kind.name(), edge.weight);
        out += &format!("  n{a} -> n{b} [kind={kind}, strength={weight}{line}, {style}];\n");
    }
    out + "}\n"
}

fn label(node: &DrawnNode) -> &str {
    if node.label.is_empty() { "." } else { &node.label }
}

fn shape(group: Group) -> &'static str {
    match group {
        Group::Directory => "folder",
        Group::File => "note",
        Group::Type => "box",
        Group::Function => "ellipse",
        Group::Module => "component",
    }
}

/// In a quoted string only the quote ends it; a backslash would begin an escape such as `\N`. Other control characters
/// would be lost on the way to standard output.
fn quoted(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 2);
    for c in text.chars() {
        match c {
            '\\' => safe += "\\\\",
            '"' => safe += "\\\"",
            '\n' => safe += "\\n",
            '\r' => safe += "\\r",
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    format!("\"{safe}\"")
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_and_backslashes_stay_text() {
        assert_eq!(super::quoted("a\"b\\N\n"), "\"a\\\"b\\\\N\\n\"");
    }
}
