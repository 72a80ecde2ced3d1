//! The picture as GraphML, for Gephi, yEd, NetworkX and igraph.

use crate::answer::Drawing;
use crate::graph::EdgeKind;

/// Name, what it is of, type.
const KEYS: &[(&str, &str, &str)] = &[
    ("label", "node", "string"),
    ("name", "node", "string"),
    ("group", "node", "string"),
    ("kind", "node", "string"),
    ("path", "node", "string"),
    ("start_byte", "node", "int"),
    ("end_byte", "node", "int"),
    ("start_line", "node", "int"),
    ("end_line", "node", "int"),
    ("weight", "node", "double"),
    ("kind", "edge", "string"),
    ("weight", "edge", "double"),
    ("line", "edge", "int"),
];

pub(super) fn of(drawing: &Drawing) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    for (name, of, kind) in KEYS {
        out += &format!("  <key id=\"{of}-{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n");
    }
    out += "  <graph id=\"whichfn\" edgedefault=\"directed\">\n";
    for node in &drawing.nodes {
        out += &format!("    <node id=\"n{}\">", node.id.0);
        out += &data("node-label", &node.label);
        out += &node.name.as_ref().map(|name| data("node-name", name)).unwrap_or_default();
        out += &data("node-group", node.group.name());
        out += &data("node-kind", &node.kind);
        out += &data("node-path", &node.path);
        out += &data("node-start_byte", &node.start.to_string());
        out += &data("node-end_byte", &node.end.to_string());
        out += &data("node-start_line", &node.start_line.to_string());
        out += &data("node-end_line", &node.end_line.to_string());
        out += &data("node-weight", &node.weight.to_string());
        out += "</node>\n";
    }
    for edge in &drawing.edges {
        let directed = edge.kind == EdgeKind::Call;
        out += &format!("    <edge source=\"n{}\" target=\"n{}\" directed=\"{directed}\">", edge.a.0, edge.b.0);
        out += &data("edge-kind", edge.kind.name());
        out += &data("edge-weight", &edge.weight.to_string());
        out += &edge.line.map(|line| data("edge-line", &line.to_string())).unwrap_or_default();
        out += "</edge>\n";
    }
    out + "  </graph>\n</graphml>\n"
}

fn data(key: &str, text: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", escaped(text))
}

/// Text of an element or a quoted attribute, in XML and HTML. Characters that XML cannot hold, or should not, become
/// the sign for a lost one.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // A parser would make a newline of it.
            '\r' => out += "&#13;",
            '\t' | '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_that_xml_reads_is_left() {
        assert_eq!(super::escaped("<a b=\"c\">&'\u{1}é"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\u{fffd}é");
    }
}
