//! Renders the picture as one self-contained page: no network, no fonts, no scripts from elsewhere.

use super::graphml::escaped;
use super::json;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};
use whichfn_search::picture::{Drawing, DrawnNode};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// Scripts in the order of execution.
const SCRIPTS: &[&str] = &[include_str!("page/layout.js"), include_str!("page/view.js"), include_str!("page/panel.js")];

/// Targets of the links on a page.
#[derive(Debug, Clone)]
pub enum PageLinks {
    /// Links to files, with the relative path from the page's directory to the root, in components.
    Files(Vec<String>),
    /// Links to this address, followed by the location, `PATH:LINE`.
    Address(&'static str),
}

impl PageLinks {
    /// Creates links to the files below `root` for a page written to `file`, or to the top of the
    /// repository if `file` is `None`.
    pub fn files(root: &Path, file: Option<&Path>) -> Self {
        Self::Files(way(root, file))
    }
}

/// Renders the page.
pub fn graph_page(drawing: &Drawing, links: &PageLinks) -> String {
    let centre = drawing.nodes.iter().find(|node| Some(node.node.id) == drawing.centre);
    let title = match centre {
        Some(node) => format!("{} in {}", shown(node, &drawing.root), drawing.root),
        None => drawing.root.clone(),
    };
    // The inserted text is never searched, so no name can be mistaken for a placeholder.
    let parts = [
        ("{{title}}", escaped(&title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{list}}", list(drawing)),
        ("{{data}}", embedded(&data(drawing, &title, links))),
        ("{{script}}", SCRIPTS.concat()),
    ];
    let mut out = String::new();
    let mut rest = PAGE;
    for (mark, text) in parts {
        let Some((before, after)) = rest.split_once(mark) else { continue };
        out += before;
        out += &text;
        rest = after;
    }
    out + rest
}

fn data(drawing: &Drawing, title: &str, links: &PageLinks) -> Value {
    let (base, address) = match links {
        PageLinks::Files(base) => (&base[..], None),
        PageLinks::Address(address) => (&[][..], Some(*address)),
    };
    let nodes = drawing.nodes.iter().map(|node| {
        let mut value = json::node(node);
        value["label"] = shown(node, &drawing.root).into();
        value["line"] = node.line.into();
        value["callers"] = node.callers.into();
        value["callees"] = node.callees.into();
        value["signature"] = node.signature.as_str().into();
        value
    });
    json!({
        "title": title,
        "centre": drawing.centre.map(|id| id.0),
        "left_out": drawing.left_out,
        "notices": drawing.notices,
        "base": base,
        "address": address,
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": drawing.edges.iter().map(json::edge).collect::<Vec<_>>(),
    })
}

/// Returns the label of a node; for the root, whose label is empty, the name of its directory.
fn shown<'a>(node: &'a DrawnNode, root: &'a str) -> &'a str {
    if node.label.is_empty() { root } else { &node.label }
}

/// Embeds JSON in a script element. Without `<`, nothing in it can end the element or begin a
/// comment.
fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Lists every node, the one with the largest weight first, for browsers without scripts and for
/// text search in the file.
fn list(drawing: &Drawing) -> String {
    let mut nodes: Vec<&DrawnNode> = drawing.nodes.iter().collect();
    nodes.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.node.id.cmp(&b.node.id)));
    let item = |node: &DrawnNode| {
        let (label, group) = (escaped(shown(node, &drawing.root)), node.group.name());
        format!("<li><b>{label}</b> {group} <code>{}</code></li>\n", escaped(&node.place()))
    };
    nodes.into_iter().map(item).collect()
}

/// Returns the relative path from the page's directory to the root, in components.
fn way(root: &Path, file: Option<&Path>) -> Vec<String> {
    let Some(folder) = file.and_then(|file| Path::new(".").join(file).parent().map(Path::to_path_buf)) else {
        return Vec::new();
    };
    let folder = folder.canonicalize().unwrap_or(folder);
    let shared = folder.iter().zip(root.iter()).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), folder.iter().count() - shared);
    let down: PathBuf = root.iter().skip(shared).collect();
    let down = down.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    up.chain(down).collect()
}
