//! Checks which comments document the function below them.

use whichfn_testing::{graph, indexed};

/// Returns the documentation of the functions of one file, sorted by place, as `name: text`.
fn documented(path: &str, source: &str) -> Vec<String> {
    let indexed = indexed(&[(path, source)]);
    let graph = graph(&indexed);
    let functions: Vec<_> = graph.file_ids().flat_map(|file| graph.functions_of(file)).collect();
    functions.into_iter().map(|id| format!("{}: {}", graph.name(id), graph.doc(id))).collect()
}

/// Express writes its comments like this; without this rule its whole interface had no
/// documentation.
#[test]
fn a_doc_comment_documents_across_one_blank_line() {
    let (js, block) = ("use(x);\n\n", "/** Adds a route. */\n\n");
    for (path, source) in [
        ("a.js", format!("{js}{block}app.route = function route(path) {{ return path; }}\n")),
        ("a.js", format!("{js}{block}app.route = (path) => path;\n")),
        ("a.js", format!("{js}{block}export function route(path) {{ return path; }}\n")),
        ("a.ts", format!("{js}{block}export const route = (path: string) => path;\n")),
        ("a.js", format!("{js}class App {{\n  {block}  route(path) {{ return path; }}\n}}\n")),
        ("A.java", format!("class A {{\n  int a;\n\n  {block}  @Deprecated\n  int route() {{ return 1; }}\n}}\n")),
        ("a.php", format!("<?php\nuse B;\n\n{block}function route($path) {{ return $path; }}\n")),
        ("a.c", format!("int x;\n\n{block}int route(int path) {{ return path; }}\n")),
        ("a.c", "int x;\n\n/// Adds a route.\n\nint route(int path) { return path; }\n".to_owned()),
        ("a.cc", format!("int x;\n\n{block}int route(int path) {{ return path; }}\n")),
        ("A.cs", "class A {\n  int a;\n\n  /// Adds a route.\n\n  int route() { return 1; }\n}\n".to_owned()),
        ("a.rs", "use b;\n\n/// Adds a route.\n\npub fn route() {}\n".to_owned()),
        ("a.rs", format!("use b;\n\n{block}#[inline]\nfn route() {{}}\n")),
    ] {
        assert_eq!(documented(path, &source), ["route: Adds a route."], "{path}\n{source}");
    }
}

#[test]
fn a_comment_about_something_else_documents_no_function() {
    let (js, route) = ("use(x);\n\n", "function route(path) { return path; }\n");
    for (path, source) in [
        // A license at the top of the file.
        ("a.js", format!("/** Copyright, and so on. */\n\n{route}")),
        ("a.php", format!("<?php\n/**\n * A part.\n * @package Part\n */\n\n{route}")),
        ("a.rs", "/// Copyright.\n\nfn route() {}\n".to_owned()),
        ("a.rs", "// Copyright, and so on.\nfn route() {}\n".to_owned()),
        // Two blank lines.
        ("a.js", format!("{js}/** Helpers. */\n\n\n{route}")),
        // Code between the comment and the function.
        ("a.js", format!("{js}/** Dependencies. */\n\nvar b = require('b');\n\n{route}")),
        ("a.js", format!("{js}/** Adds a route. */\n\nstart();\n{route}")),
        ("a.js", format!("{js}/** Adds a route. */\n\n// eslint-disable-next-line\n{route}")),
        // A banner, a plain comment, and a type that only the comment declares.
        ("a.js", format!("{js}/******* Helpers *******/\n\n{route}")),
        ("a.js", format!("{js}/* Helpers. */\n\n{route}")),
        ("a.js", format!("{js}// Helpers.\n\n{route}")),
        ("a.js", format!("{js}/** @typedef {{object}} Path */\n\n{route}")),
        ("a.c", "int x;\n\n/** @defgroup routes Routes */\n\nint route(int path) { return path; }\n".to_owned()),
        ("a.go", "package a\n\n// Helpers.\n\nfunc route() {}\n".to_owned()),
        ("a.rs", "use b;\n\n//! Helpers.\n\nfn route() {}\n".to_owned()),
        ("a.rs", "use b;\n\n//// Helpers.\n\nfn route() {}\n".to_owned()),
    ] {
        assert_eq!(documented(path, &source), ["route: "], "{path}\n{source}");
    }
}

#[test]
fn a_plain_comment_documents_the_private_function_right_below_it() {
    let of = |above: &str, head: &str| documented("a.rs", &format!("use b;\n\n{above}\n{head} {{}}\n"));
    for head in ["fn route()", "#[inline]\nfn route()", "async fn route()", "pub(crate) fn route()"] {
        assert_eq!(of("// Adds a route\n// to a table.", head), ["route: Adds a route to a table."], "{head}");
    }
    assert_eq!(of("// Adds a route.", "pub fn route()"), ["route: "], "it is public");
    for above in [
        "// Adds a route.\n",
        "// TODO: add a route\n// one day",
        "// ---- routes ----",
        "// ----------\n// Routes\n// ----------",
        "//==== routes",
        "// SAFETY: nothing else has the pointer.",
        "// clippy: too long",
        "// let route = old();",
        "/* Adds a route. */",
    ] {
        assert_eq!(of(above, "fn route()"), ["route: "], "{above}");
    }
    assert_eq!(of("// A note.\n/// Adds a route.", "fn route()"), ["route: Adds a route."], "real documentation wins");
    let method = "struct A;\n\nimpl A {\n    // Adds a route.\n    fn route(&self) {}\n}\n";
    assert_eq!(documented("a.rs", method), ["route: Adds a route."]);
}
