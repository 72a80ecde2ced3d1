//! Tests the page that `whichfn graph --format html` writes, opened in a browser: it draws the
//! graph, a name selects a node, and text from files is never parsed as HTML. If there is no
//! browser on PATH, the tests print a note and pass.

use crate::support::browser::{body, dom};
use crate::support::env::Env;
use std::path::{Path, PathBuf};

const SHAPES: &str = "class Circle:
    def area(self):
        return square(self.r) * 3


def square(x, unit=\"</script><script>document.body.dataset.hacked = 1</script>\"):
    return x * x


def größe_名前(x):
    return square(x)
";

fn opened(env: &Env, page: &Path, after: &str) -> Option<String> {
    dom(env, &format!("file://{}{after}", page.display()))
}

/// Returns the HTML of the side panel.
fn panel(dom: &str) -> &str {
    dom.split("id=\"panel\"").nth(1).and_then(|rest| rest.split("</aside>").next()).expect("panel")
}

fn page(env: &Env, arguments: &[&str]) -> PathBuf {
    // Hidden files are not indexed, so the page is not part of the graph.
    let file = env.at(".page.html");
    let mut all = vec!["graph", "--format", "html", "-o", file.to_str().expect("path")];
    all.extend(arguments);
    let ran = env.run(&all);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    file
}

/// Callers that are not drawn count as well.
#[test]
fn the_page_counts_all_callers_not_the_drawn_ones() {
    let env = Env::with(&[("src/shapes.py", SHAPES)]);
    let page = page(&env, &["square", "-k", "2"]);
    let text = std::fs::read_to_string(&page).expect("page");
    assert!(text.contains("\"callers\":2"), "{text}");
    let Some(dom) = opened(&env, &page, "#q=square") else { return };
    assert!(panel(&dom).contains("Called by (2)") && panel(&dom).contains("of them not drawn"), "{}", panel(&dom));
}

#[test]
fn the_page_draws_every_node_and_edge_without_an_error() {
    let env = Env::with(&[("src/shapes.py", SHAPES)]);
    let graph = env.run(&["graph", "square"]).found().json();
    let count = |field: &str| graph[field].as_array().expect("list").len().to_string();
    let page = page(&env, &["square"]);
    let Some(dom) = opened(&env, &page, "") else { return };
    assert_eq!(body(&dom, "ready"), "true");
    assert_eq!(body(&dom, "errors"), "0");
    assert_eq!(body(&dom, "nodes"), count("nodes"));
    assert_eq!(body(&dom, "edges"), count("edges"));
    assert_eq!(dom.matches("class=\"label ").count().to_string(), count("nodes"), "a name for each node");
    let drawn = dom.split("<svg").nth(1).and_then(|rest| rest.split("</svg>").next()).expect("svg");
    assert!(!drawn.contains("NaN"), "a number was not one");
    assert!(!dom.contains("hacked="), "text of a file ran as a script");
    let again = opened(&env, &page, "").expect("still a browser");
    assert_eq!(dom, again, "the same data gives the same picture");
}

#[test]
fn the_page_of_a_name_begins_with_its_callers_and_callees_by_depth() {
    let env = Env::with(&[("a.py", "def low():\n    pass\n\n\ndef mid():\n    low()\n\n\ndef high():\n    mid()\n")]);
    let page = page(&env, &["low"]);
    let Some(dom) = opened(&env, &page, "") else { return };
    let order = ["Called by (1)", "at line 6 of a.py", "Called by through 2 calls (1)", "at line 10 of a.py"];
    let places: Vec<Option<usize>> = order.iter().map(|text| panel(&dom).find(text)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {}", panel(&dom));
}

#[test]
fn a_name_in_the_address_selects_a_node() {
    let env = Env::with(&[("src/shapes.py", SHAPES)]);
    let page = page(&env, &[]);
    let Some(dom) = opened(&env, &page, "?q=square") else { return };
    assert_eq!(body(&dom, "errors"), "0");
    let panel = panel(&dom);
    for words in
        ["<h2>square</h2>", "src/shapes.py:6", "href=\"./src/shapes.py\"", "Called by (2)", "größe_名前", "Circle.area"]
    {
        assert!(panel.contains(words), "{words}: {panel}");
    }
    assert!(panel.contains("unit=\"&lt;/script&gt;&lt;script&gt;document"), "the signature as text: {panel}");
    assert!(dom.contains("selected"), "the node is marked");
}

#[cfg(unix)]
#[test]
fn hostile_paths_are_shown_as_text() {
    let env = Env::new();
    let hostile = "</script><script>document.body.dataset.hacked=1;'\"&amp;é.py";
    env.write(hostile, "def draw():\n    return 1\n");
    env.write("<!--<script>.py", "def sketch():\n    return draw()\n");
    let page = page(&env, &[]);
    let text = std::fs::read_to_string(&page).expect("page");
    assert_eq!(text.matches("</script").count(), 2, "the data's end and the script's, no other");
    assert!(!text.contains("<!--"), "no comment begins in the data");
    let Some(dom) = opened(&env, &page, "?q=draw") else { return };
    assert_eq!(body(&dom, "errors"), "0");
    assert_eq!(body(&dom, "ready"), "true");
    assert!(!dom.contains("data-hacked"), "a path ran as a script");
    assert!(
        panel(&dom).contains("&lt;/script&gt;&lt;script&gt;document.body.dataset.hacked=1;'\"&amp;amp;é.py:1"),
        "{dom}"
    );
}

#[test]
fn the_page_loads_nothing() {
    let env = Env::with(&[("src/shapes.py", SHAPES)]);
    let text = std::fs::read_to_string(page(&env, &[])).expect("page");
    for load in ["http:", "https:", " src=", "@import", "url(h", "fetch(", "XMLHttpRequest", "<link"] {
        assert!(!text.contains(load), "the page has {load}");
    }
    assert!(text.contains("default-src 'none'"), "and the browser is told so");
    let own = env.repo().display().to_string();
    assert!(!text.contains(&own), "no path of this machine");
}

#[test]
fn without_scripts_there_is_a_list() {
    let env = Env::with(&[("src/shapes.py", SHAPES)]);
    let text = std::fs::read_to_string(page(&env, &["square"])).expect("page");
    let list = text.split("<noscript>").nth(1).and_then(|rest| rest.split("</noscript>").next()).expect("noscript");
    assert!(list.contains("<li><b>square</b> function <code>src/shapes.py:6</code></li>"), "{list}");
    assert_eq!(
        list.matches("<li>").count(),
        env.run(&["graph", "square"]).found().json()["nodes"].as_array().expect("list").len()
    );
}
