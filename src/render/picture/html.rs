//! The picture as one page that needs nothing else: no network, no fonts, no scripts from elsewhere.

use super::graphml::escaped;
use super::json;
use crate::picture::{Drawing, DrawnNode};
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// In the order in which they run.
const SCRIPTS: &[&str] = &[include_str!("page/layout.js"), include_str!("page/view.js"), include_str!("page/panel.js")];

/// Where the places on a page lead.
#[derive(Debug, Clone)]
pub enum PageLinks {
    /// To files: the way from the page's folder to the root, in parts.
    Files(Vec<String>),
    /// To this address with the place, `PATH:LINE`, behind it.
    Address(&'static str),
}

impl PageLinks {
    /// To the files below `root`, of a page that is put at `file` (at the top of the repository if there is none).
    pub fn files(root: &Path, file: Option<&Path>) -> Self {
        Self::Files(way(root, file))
    }
}

/// The page.
pub fn graph_page(drawing: &Drawing, links: &PageLinks) -> String {
    let centre = drawing.nodes.iter().find(|node| Some(node.id) == drawing.centre);
    let title = match centre {
        Some(node) => format!("{} in {}", shown(node, &drawing.root), drawing.root),
        None => drawing.root.clone(),
    };
    // What is put in is never looked at again, so no name can pass for one of the marks.
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
        "base": base,
        "address": address,
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": drawing.edges.iter().map(json::edge).collect::<Vec<_>>(),
    })
}

/// The root's label is empty: its folder's name stands for it.
fn shown<'a>(node: &'a DrawnNode, root: &'a str) -> &'a str {
    if node.label.is_empty() { root } else { &node.label }
}

/// JSON inside a script element: without `<` nothing in it can end the element or begin a comment.
fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// For browsers without scripts, and for text search in the file: every node, the weightiest first.
fn list(drawing: &Drawing) -> String {
    let mut nodes: Vec<&DrawnNode> = drawing.nodes.iter().collect();
    nodes.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.id.cmp(&b.id)));
    let item = |node: &DrawnNode| {
        let (label, group) = (escaped(shown(node, &drawing.root)), node.group.name());
        format!("<li><b>{label}</b> {group} <code>{}</code></li>\n", escaped(&node.place()))
    };
    nodes.into_iter().map(item).collect()
}

/// The way from the page's folder to the root, in parts.
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
