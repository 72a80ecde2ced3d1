//! Tests the pictures of `whichfn graph`: they match the whole structure graph, names select the
//! right nodes, and every format escapes any text.

use crate::support::env::Env;
use serde_json::Value;
use std::collections::BTreeMap;
use whichfn_testing::Case;

const SESSION: &str = "from clock import now


class Session:
    def renew(self):
        if self.open:
            self.until = now()

    def close(self):
        self.open = False


def renew(session):
    session.renew()
    return now()
";

const CLOCK: &str = "def now():
    return 0
";

fn shop() -> Env {
    Env::with(&[("app/session.py", SESSION), ("app/clock.py", CLOCK), ("notes.txt", "nothing\n")])
}

fn number(value: &Value, field: &str) -> u64 {
    value[field].as_u64().unwrap_or_else(|| panic!("{field} of {value}"))
}

fn weight(value: &Value) -> f64 {
    value["weight"].as_f64().unwrap_or_else(|| panic!("weight of {value}"))
}

fn list<'v>(graph: &'v Value, field: &str) -> &'v Vec<Value> {
    graph[field].as_array().expect("list")
}

// ---- the picture and the whole graph

/// Returns the container of each node of the whole graph, with the kind and the weight of the edge
/// to it.
fn containers(whole: &Value) -> BTreeMap<u64, (u64, String, f64)> {
    let edges = list(whole, "edges").iter().filter(|edge| edge["kind"] != "call");
    edges.map(|e| (number(e, "b"), (number(e, "a"), e["kind"].as_str().expect("kind").to_owned(), weight(e)))).collect()
}

/// Returns the product of the weights on the path up from one node to another; `None` if there is
/// no such path. A node that is a part of `to` ends the path, too.
fn up(
    containers: &BTreeMap<u64, (u64, String, f64)>,
    mut from: u64,
    to: u64,
    is_part: impl Fn(u64) -> bool,
) -> Option<f64> {
    let mut product = 1.0;
    while from != to && !is_part(from) {
        let (around, _, weight) = containers.get(&from)?;
        (from, product) = (*around, product * weight);
    }
    Some(product)
}

/// Checks whether a node is a further equation of a function in Haskell: all of them are one
/// definition, whose node is the first.
fn is_part(nodes: &BTreeMap<u64, &Value>, containers: &BTreeMap<u64, (u64, String, f64)>, id: u64, first: u64) -> bool {
    let around = |id: u64| containers.get(&id).map(|(around, ..)| *around);
    nodes[&id]["name"].is_null() && nodes[&id]["kind"] == nodes[&first]["kind"] && around(id) == around(first)
}

#[test]
fn an_edge_of_the_picture_is_a_path_in_the_graph() {
    let mut calls = 0;
    for case in Case::all("lang") {
        let env = Env::new();
        case.write_to(&env.repo());
        let whole = env.run(&["graph"]).found().json();
        let names: Vec<Value> = list(&whole, "nodes").iter().filter(|n| !n["name"].is_null()).cloned().collect();
        let centre = names.iter().find(|node| node["kind"] != "module").expect("a definition");
        let place = format!("{}:{}", centre["path"].as_str().expect("path"), centre["end_line"]);
        let picture = env.run(&["graph", &place, "-k", "100000"]).found().json();
        let containers = containers(&whole);
        let wholes: BTreeMap<u64, &Value> =
            list(&whole, "nodes").iter().map(|node| (number(node, "id"), node)).collect();
        for node in list(&picture, "nodes") {
            for field in ["kind", "path", "start_byte", "end_byte", "start_line", "end_line", "name"] {
                assert_eq!(node[field], wholes[&number(node, "id")][field], "{}: {field} of {node}", case.name());
            }
        }
        let way = |from, to| up(&containers, from, to, |id| is_part(&wholes, &containers, id, to));
        for edge in list(&picture, "edges") {
            let (a, b, merged) = (number(edge, "a"), number(edge, "b"), weight(edge));
            if edge["kind"] != "call" {
                assert_eq!(way(b, a), Some(merged), "{}: {edge}", case.name());
                continue;
            }
            calls += 1;
            let sites = list(&whole, "edges").iter().filter(|edge| edge["kind"] == "call");
            let ways = sites
                .flat_map(|site| [("a", "b"), ("b", "a")].map(|(from, to)| (number(site, from), number(site, to))));
            let products = ways.filter_map(|(from, to)| Some(way(from, a)? * 0.8 * way(to, b)?));
            let best = products.filter(|product| (product - merged).abs() < 1e-12).count();
            assert!(best > 0, "{}: no site gives {edge}", case.name());
        }
    }
    assert!(calls > 50, "the fixtures have calls: {calls}");
}

#[test]
fn a_neighbourhood_contains_the_most_related_functions() {
    let shop = shop();
    let all = shop.run(&["graph", "now", "--siblings", "-k", "1000"]).found().json();
    let mut strengths: BTreeMap<u64, f64> = BTreeMap::new();
    let centre = list(&all, "nodes").iter().find(|node| node["name"] == "now").expect("the centre");
    strengths.insert(number(centre, "id"), 1.0);
    // Bellman-Ford: slow, but simple enough to be obviously correct.
    for _ in list(&all, "nodes") {
        for edge in list(&all, "edges") {
            for (from, to) in [("a", "b"), ("b", "a")] {
                let through = strengths.get(&number(edge, from)).unwrap_or(&0.0) * weight(edge);
                let best = strengths.entry(number(edge, to)).or_insert(0.0);
                *best = best.max(through);
            }
        }
    }
    for node in list(&all, "nodes") {
        assert!((strengths[&number(node, "id")] - weight(node)).abs() < 1e-12, "{node}");
    }
    let mut order: Vec<(f64, u64)> = strengths.iter().map(|(id, strength)| (*strength, *id)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let few = shop.run(&["graph", "now", "--siblings", "-k", "4"]).found().json();
    let mut expected: Vec<u64> = order.iter().take(4).map(|(_, id)| *id).collect();
    expected.sort();
    let ids: Vec<u64> = list(&few, "nodes").iter().map(|node| number(node, "id")).collect();
    assert_eq!(ids, expected);
    let inside = |id: u64| ids.contains(&id);
    assert!(list(&few, "edges").iter().all(|edge| inside(number(edge, "a")) && inside(number(edge, "b"))));
}

const CHAIN: &str = "def a():\n    b()\n\n\ndef b():\n    c()\n\n\ndef c():\n    d()\n    e()\n\n\ndef d():\n    return 1\n\n\ndef e():\n    d()\n\n\ndef aside():\n    return 2\n";

/// Returns names and depths, sorted by depth.
fn depths(graph: &Value) -> Vec<(i64, String)> {
    let depth = |node: &Value| Some((node["depth"].as_i64()?, node["name"].as_str()?.to_owned()));
    let mut all: Vec<(i64, String)> = list(graph, "nodes").iter().filter_map(depth).collect();
    all.sort();
    all
}

#[test]
fn a_name_is_surrounded_by_callers_and_callees_by_level() {
    let env = Env::with(&[("chain.py", CHAIN)]);
    let named = |pairs: &[(i64, &str)]| pairs.iter().map(|&(at, name)| (at, name.to_owned())).collect::<Vec<_>>();
    let graph = env.run(&["graph", "c"]).found().json();
    assert_eq!(depths(&graph), named(&[(-2, "a"), (-1, "b"), (0, "c"), (1, "d"), (1, "e")]), "{graph:#}");
    let few = env.run(&["graph", "c", "-k", "6"]).found().json();
    assert_eq!(depths(&few), named(&[(-1, "b"), (0, "c"), (1, "d"), (1, "e")]), "the nearest level first: {few:#}");
    let siblings = env.run(&["graph", "c", "--siblings"]).found().json();
    assert!(list(&siblings, "nodes").iter().any(|node| node["name"] == "aside"), "{siblings:#}");
    let alone = env.run(&["graph", "aside"]).found().json();
    assert!(list(&alone, "nodes").iter().any(|node| node["name"] == "a"), "without calls what is near: {alone:#}");
}

#[test]
fn a_file_has_the_callers_and_callees_of_its_definitions() {
    let env = Env::with(&[("chain.py", CHAIN), ("app.py", "from chain import a\n\n\ndef main():\n    a()\n")]);
    let graph = env.run(&["graph", "chain.py"]).found().json();
    let callers: Vec<String> = depths(&graph).into_iter().filter(|(at, _)| *at == -1).map(|(_, name)| name).collect();
    assert_eq!(callers, ["main"], "{graph:#}");
}

// ---- names

#[test]
fn a_name_can_be_a_function_a_file_or_a_position() {
    let shop = shop();
    let centre = |name: &str| {
        let graph = shop.run(&["graph", name, "-k", "1"]).found().json();
        let node = &list(&graph, "nodes")[0];
        (node["kind"].as_str().expect("kind").to_owned(), node["start_line"].as_u64().expect("line"))
    };
    let function = |line| ("function_definition".to_owned(), line);
    assert_eq!(centre("now"), function(1));
    assert_eq!(centre("Session.close"), function(9));
    assert_eq!(centre("Session::close()"), function(9), "any separator");
    assert_eq!(centre("app/session.py"), ("file".to_owned(), 1));
    assert_eq!(centre("session.py"), ("file".to_owned(), 1), "the first directories may be left out");
    assert_eq!(centre("./app/session.py:7"), function(5), "the innermost");
    assert_eq!(centre("app/session.py:7:3"), function(5), "a column is passed over");
    assert_eq!(centre("app/session.py:12"), ("file".to_owned(), 1), "between definitions");
    assert_eq!(centre("app/session.py:close"), function(9));
    assert_eq!(centre("notes.txt"), ("file".to_owned(), 1));
}

#[test]
fn paths_are_relative_to_the_current_directory() {
    let shop = shop();
    let ran = shop.run_with(&["graph", "clock.py", "-k", "1"], |command| {
        command.current_dir(shop.at("app"));
    });
    assert_eq!(ran.json()["nodes"][0]["path"], "app/clock.py");
    let repo = shop.repo();
    let elsewhere = shop.run_with(&["graph", "--in", repo.to_str().expect("path"), "app", "-k", "3"], |command| {
        command.current_dir(shop.outside("home"));
    });
    // With --in, the word is a name, never a directory.
    elsewhere.failed(&["is called app"]);
}

#[test]
fn an_unknown_name_is_reported_with_similar_ones() {
    let shop = shop();
    shop.run(&["graph", "Session.rennww"]).failed(&["Session.rennww", "app/session.py:5", "Session.renew"]);
    shop.run(&["graph", "zyxwvut"]).failed(&["whichfn \"...\""]);
    shop.run(&["graph", "app/sessoin.py"]).failed(&["app/session.py:1"]);
    shop.run(&["graph", "app/session.py:99"]).failed(&["has no line 99"]);
}

#[test]
fn an_ambiguous_name_is_an_error_with_the_choices() {
    let shop = shop();
    let ran = shop.run(&["graph", "renew"]);
    let ran =
        ran.failed(&["app/session.py:5  Session.renew", "app/session.py:13  renew", "matches 2", "app/session.py:5"]);
    assert!(!ran.err.contains("more"), "{ran:#?}");
    let many: String =
        (0..14).map(|i| format!("class Shape{i}:\n    def area(self):\n        return {i}\n\n\n")).collect();
    shop.write("app/shapes.py", many);
    let ran = shop.run(&["graph", "area"]).failed(&["app/shapes.py:2  Shape0.area", "and 4 more", "matches 14"]);
    assert_eq!(ran.err.matches("app/shapes.py:").count(), 11, "ten choices and an example: {ran:#?}");
}

#[test]
fn wrong_numbers_and_places_are_errors() {
    let shop = shop();
    shop.run(&["graph", "now", "-k", "0"]).failed(&["-k 0", "at least 1"]);
    shop.run(&["graph", "-k", "3"]).failed(&["-k", "--format"]);
    shop.run(&["graph", "now", "-o", "no/such/place.html"]).failed(&["no/such/place.html"]);
    shop.run(&["graph", "now", "--in", "no/such/place"]).failed(&["no/such/place"]);
}

#[test]
fn output_goes_to_the_file_that_is_named() {
    let shop = shop();
    let file = shop.outside("graph.dot");
    let ran = shop.run(&["graph", "now", "--format", "dot", "-o", file.to_str().expect("path")]).without_stderr();
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    let written = std::fs::read_to_string(file).expect("file");
    assert_eq!(written, shop.run(&["graph", "now", "--format", "dot"]).found().out);
}

#[test]
fn the_page_of_a_directory_counts_what_it_omits() {
    let shop = shop();
    shop.run(&["graph", "--format", "html"]).found().without_stderr();
    shop.run(&["graph", "--format", "html", "-k", "4"])
        .found()
        .stderr_contains(&["showing the 4 most connected nodes", "6 not shown"]);
    shop.run(&["graph", "--format", "html", "-k", "4", "-q"]).found().without_stderr();
    let connected = shop.run(&["graph", "--format", "dot", "-k", "4", "-q"]).found().out;
    assert!(connected.contains("label=\"now\"") && connected.contains("label=\"clock.py\""), "{connected}");
}

#[test]
fn an_empty_directory_has_nothing_to_draw() {
    for format in ["dot", "graphml", "mermaid", "html"] {
        Env::new()
            .run(&["graph", "--format", format])
            .nothing()
            .stderr_contains(&["nothing to draw", "whichfn status"]);
    }
}

#[test]
fn an_extension_is_distinguished_from_its_type() {
    let env = Env::with(&[(
        "a.rs",
        r"struct Clock;

impl Clock {
    fn now(&self) {}
}
",
    )]);
    let dot = env.run(&["graph", "Clock", "--format", "dot"]).found().out;
    assert!(dot.contains("label=\"Clock\"") && dot.contains("label=\"impl Clock\""), "{dot}");
}

// ---- formats

#[test]
fn dot_output_is_unchanged() {
    let out = shop().run(&["graph", "--format", "dot"]).found().without_stderr().out;
    insta::assert_snapshot!(out, @r##"
    // @generated by whichfn
    digraph whichfn {
      node [fontname="sans-serif"];
      edge [color="#777777"];
      n0 [label=".", shape=folder, class="directory", kind="directory", path="", line=0, strength=1, tooltip=""];
      n1 [label="app", shape=folder, class="directory", kind="directory", path="app", line=0, strength=1, tooltip="app"];
      n2 [label="clock.py", shape=note, class="file", kind="file", path="app/clock.py", line=1, strength=0.5, tooltip="app/clock.py:1"];
      n3 [label="session.py", shape=note, class="file", kind="file", path="app/session.py", line=1, strength=1, tooltip="app/session.py:1"];
      n4 [label="notes.txt", shape=note, class="file", kind="file", path="notes.txt", line=1, strength=0, tooltip="notes.txt:1"];
      n6 [label="now", shape=ellipse, class="function", kind="function_definition", path="app/clock.py", line=1, strength=1, tooltip="app/clock.py:1"];
      n18 [label="Session", shape=box, class="type", kind="class_definition", path="app/session.py", line=4, strength=0, tooltip="app/session.py:4"];
      n21 [label="Session.renew", shape=ellipse, class="function", kind="function_definition", path="app/session.py", line=5, strength=1, tooltip="app/session.py:5"];
      n39 [label="Session.close", shape=ellipse, class="function", kind="function_definition", path="app/session.py", line=9, strength=0, tooltip="app/session.py:9"];
      n50 [label="renew", shape=ellipse, class="function", kind="function_definition", path="app/session.py", line=13, strength=1, tooltip="app/session.py:13"];
      n0 -> n1 [kind=directory, strength=0.3, dir=none, style=dashed];
      n0 -> n4 [kind=directory, strength=0.3, dir=none, style=dashed];
      n1 -> n2 [kind=directory, strength=0.3, dir=none, style=dashed];
      n1 -> n3 [kind=directory, strength=0.3, dir=none, style=dashed];
      n2 -> n6 [kind=root, strength=0.5, dir=none];
      n3 -> n18 [kind=root, strength=0.5, dir=none];
      n3 -> n50 [kind=root, strength=0.5, dir=none];
      n18 -> n21 [kind=syntax, strength=0.25, dir=none];
      n18 -> n39 [kind=syntax, strength=0.25, dir=none];
      n21 -> n6 [kind=call, strength=0.0125, line=7, color="#1f6fb2"];
      n50 -> n6 [kind=call, strength=0.1, line=15, color="#1f6fb2"];
      n50 -> n21 [kind=call, strength=0.1, line=14, color="#1f6fb2"];
    }
    "##);
}

/// Reads XML with elements, attributes and text. Returns the text of the elements by key; panics if
/// the XML is malformed.
fn read_xml(text: &str) -> Vec<(String, String)> {
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("declaration");
    let body = body.strip_prefix("<!-- @generated by whichfn -->\n").expect("a mark for those who index it");
    let (mut open, mut found): (Vec<String>, Vec<(String, String)>) = (Vec::new(), Vec::new());
    for piece in body.split_inclusive('>') {
        let (text, tag) = piece.rsplit_once('<').unwrap_or((piece, ""));
        assert!(!text.contains('>') || tag.is_empty() && text.trim().is_empty(), "a stray bracket: {piece:?}");
        for part in text.split('&').skip(1) {
            let entity = part.split_once(';').unwrap_or_else(|| panic!("a bare ampersand: {piece:?}")).0;
            assert!(["amp", "lt", "gt", "quot", "#39", "#13"].contains(&entity), "{piece:?}");
        }
        if tag.is_empty() {
            continue;
        }
        let inner = tag.strip_suffix('>').unwrap_or_else(|| panic!("an open tag: {piece:?}"));
        if let Some(name) = inner.strip_prefix('/') {
            let closed = open.pop().expect("something to close");
            assert_eq!(closed.split(' ').next(), Some(name));
            let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
            found.push((closed, plain.replace("&#13;", "\r").replace("&amp;", "&")));
        } else {
            assert_eq!(inner.matches('"').count() % 2, 0, "quotes come in pairs: {piece:?}");
            open.extend((!inner.ends_with('/')).then(|| inner.to_owned()));
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    found
}

#[test]
fn mermaid_has_a_node_and_a_line_for_each_of_the_picture() {
    let shop = shop();
    let json = shop.run(&["graph", "now"]).found().json();
    let out = shop.run(&["graph", "now", "--format", "mermaid"]).found().without_stderr().out;
    assert!(out.contains("\nflowchart LR\n") && out.contains("([\"Session.renew\"])"), "{out}");
    assert_eq!(out.matches(" --> ").count() + out.matches(" --- ").count(), list(&json, "edges").len(), "{out}");
    assert_eq!(out.lines().filter(|line| line.contains('"')).count(), list(&json, "nodes").len(), "{out}");
}

#[test]
fn graphml_is_xml_with_a_declared_key_for_all_data() {
    let shop = shop();
    let out = shop.run(&["graph", "--format", "graphml"]).found().without_stderr().out;
    let elements = read_xml(&out);
    for (tag, _) in elements.iter().filter(|(tag, _)| tag.starts_with("data ")) {
        let key = tag.split('"').nth(1).expect("key");
        assert!(out.contains(&format!("<key id=\"{key}\" ")), "{key}");
    }
    let json = shop.run(&["graph", "now", "--siblings", "-k", "100"]).found().json();
    let count = |start: &str| elements.iter().filter(|(tag, _)| tag.starts_with(start)).count();
    assert_eq!(count("node "), list(&json, "nodes").len());
    assert_eq!(count("edge "), list(&json, "edges").len());
}

#[cfg(unix)]
#[test]
fn hostile_names_stay_text_in_dot_and_graphml() {
    let env = Env::new();
    let path = "a \"b\" \\N & <c>\u{1}\n'd' é.py";
    env.write(path, "def größe():\n    return 1\n");
    let elements = read_xml(&env.run(&["graph", "--format", "graphml"]).found().out);
    let paths: Vec<&str> =
        elements.iter().filter(|(tag, _)| tag.contains("node-path")).map(|(_, text)| text.as_str()).collect();
    assert!(paths.contains(&path.replace('\u{1}', "\u{fffd}").as_str()), "{paths:?}");
    let dot = env.run(&["graph", "--format", "dot"]).found().out;
    assert!(dot.contains("path=\"a \\\"b\\\" \\\\N & <c>\u{fffd}\\n'd' é.py\""), "{dot}");
    assert!(dot.contains("label=\"größe\""), "{dot}");
    assert!(
        dot.lines().all(|line| line.replace("\\\\", "").replace("\\\"", "").matches('"').count() % 2 == 0),
        "{dot}"
    );
}
