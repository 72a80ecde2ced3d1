//! Checks that the patterns of `queries/` match the same nodes as tree-sitter's own query cursor.
//! Only tests use the cursor, because compiling a query for it takes up to half a second.

use std::collections::BTreeMap;
use tree_sitter::{Parser, Query, QueryCursor, StreamingIterator};
use whichfn_syntax::lang::{LangId, Language, Patterns, QueryText, Registry, Test};
use whichfn_syntax::parse::find_matches;
use whichfn_syntax::tree::Tree;
use whichfn_testing::{Case, workspace};

/// The captures of a match: name, first byte, byte after the last one, number of the kind.
type Match = Vec<(String, usize, usize, u16)>;

/// Returns the queries of a language as one text for tree-sitter, inherited ones first.
fn query_text(registry: &Registry, id: LangId) -> String {
    let spec = registry.spec(id).expect("spec");
    let inherited = spec.head.inherits.as_ref().map(|name| query_text(registry, registry.named(name).expect("base")));
    let folder = workspace().join("queries").join(&spec.head.name);
    let files = ["definitions", "calls", "imports", "docs", "values"];
    let own = files.map(|file| std::fs::read_to_string(folder.join(file).with_extension("scm")).expect("query"));
    inherited.unwrap_or_default() + &own.join("\n")
}

/// Returns the matches of the query cursor, sorted by position in the text.
fn by_cursor(query: &Query, tree: &tree_sitter::Tree, text: &str) -> Vec<Match> {
    let (mut cursor, mut found) = (QueryCursor::new(), Vec::new());
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    while let Some(one) = matches.next() {
        // tree-sitter leaves predicates with other names to the application.
        let excluded = query.general_predicates(one.pattern_index).iter().any(|predicate| {
            assert_eq!(&*predicate.operator, "not-kind-eq?");
            let [tree_sitter::QueryPredicateArg::Capture(capture), kinds @ ..] = &*predicate.args else {
                panic!("capture first")
            };
            let kinds: Vec<_> = kinds.iter().map(|kind| format!("{kind:?}")).collect();
            let is_of = |kind: &str| kinds.iter().any(|one| one.contains(&format!("\"{kind}\"")));
            one.captures().iter().any(|found| found.index == *capture && is_of(found.node.kind()))
        });
        if !excluded {
            let names = query.capture_names();
            let of = |c: &tree_sitter::QueryCapture<'_>| {
                (names[c.index as usize].to_owned(), c.node.start_byte(), c.node.end_byte(), c.node.kind_id())
            };
            found.push(one.captures().iter().map(of).collect());
        }
    }
    found
}

/// Returns the matches of this crate.
fn by_tables(language: &Language, tree: &tree_sitter::Tree, text: &str) -> Vec<Match> {
    let (mut flat, mut found) = (Tree::default(), Vec::new());
    assert!(flat.read(tree, text, u32::MAX));
    find_matches(&language.patterns, &flat, text, |captures| {
        let of = |&(capture, node): &(u16, whichfn_syntax::tree::Node<'_>)| {
            (language.patterns.captures[capture as usize].to_owned(), node.start(), node.end(), node.kind())
        };
        found.push(captures.iter().map(of).collect());
    });
    found
}

/// Groups matches by the nodes that they capture, in their original order, because the first match
/// of a node wins.
fn by_node(matches: Vec<Match>) -> BTreeMap<(usize, usize, u16), Vec<Match>> {
    let mut found: BTreeMap<_, Vec<Match>> = BTreeMap::new();
    for one in matches {
        for (_, start, end, kind) in &one {
            found.entry((*start, *end, *kind)).or_default().push(one.clone());
        }
    }
    found
}

/// Compares both implementations over files of many languages.
#[derive(Default)]
struct Comparison {
    queries: BTreeMap<LangId, Query>,
    files: usize,
    matches: usize,
    differences: Vec<String>,
}

impl Comparison {
    fn compare(&mut self, registry: &Registry, path: &str, text: &str) {
        let name = path.rsplit('/').next().expect("name");
        let Some(id) = registry.detect_text(name, text) else { return };
        let language = registry.language(id).expect("language");
        let query = self.queries.entry(id).or_insert_with(|| {
            Query::new(&language.parser, &query_text(registry, id)).expect("tree-sitter reads the query too")
        });
        let mut parser = Parser::new();
        parser.set_language(&language.parser).expect("version");
        let tree = parser.parse(text, None).expect("tree");
        let (expected, found) = (by_cursor(query, &tree, text), by_tables(language, &tree, text));
        self.files += 1;
        self.matches += expected.len();
        let (expected, found) = (by_node(expected), by_node(found));
        if expected != found {
            let differs = |node: &&(usize, usize, u16)| expected.get(*node) != found.get(*node);
            let at = expected.keys().chain(found.keys()).find(differs).expect("a node");
            self.differences.push(format!("{path}: {:?} and {:?}", expected.get(at), found.get(at)));
        }
    }
}

#[test]
fn patterns_match_like_the_query_cursor_on_every_fixture() {
    let (registry, mut comparison) = (Registry::builtin().expect("language files"), Comparison::default());
    for case in Case::all("lang") {
        for file in case.files() {
            comparison.compare(&registry, &file.path, &file.text);
        }
    }
    assert_eq!(comparison.differences, Vec::<String>::new());
    assert!(comparison.matches > 1_000);
}

/// Compares the matches in whole repositories: `WHICHFN_TREES=/path cargo test -p whichfn-syntax --
/// --ignored patterns`
#[test]
#[ignore = "needs a folder of repositories"]
fn patterns_match_like_the_query_cursor_in_repositories() {
    let (registry, mut comparison) = (Registry::builtin().expect("language files"), Comparison::default());
    let mut folders = vec![std::env::var_os("WHICHFN_TREES").expect("a folder").into()];
    while let Some(folder) = folders.pop() {
        let folder: std::path::PathBuf = folder;
        for entry in std::fs::read_dir(folder).expect("folder") {
            let entry = entry.expect("entry");
            let kind = entry.file_type().expect("type");
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && let Ok(text) = std::fs::read_to_string(entry.path())
                && text.len() < 1 << 20
            {
                comparison.compare(&registry, &entry.path().to_string_lossy(), &text);
            }
        }
    }
    let Comparison { files, matches, differences, .. } = comparison;
    assert!(differences.is_empty(), "{files} files, {matches} matches, {} differ: {differences:#?}", differences.len());
    assert!(matches > 0, "no source file in the folder");
}

fn matches(text: &'static str, source: &str) -> usize {
    let registry = Registry::builtin().expect("language files");
    let python = registry.language(registry.named("python").expect("name")).expect("language");
    let query = Patterns::read(&python.parser, &[QueryText { path: "test.scm", text }]).expect("query");
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&python.parser).expect("version");
    let (mut tree, mut count) = (Tree::default(), 0);
    assert!(tree.read(&parser.parse(source, None).expect("tree"), source, u32::MAX));
    find_matches(&query, &tree, source, |_| count += 1);
    count
}

#[test]
fn a_captured_child_matches_any_and_an_uncaptured_one_the_first() {
    let source = "f(1, 2, 3)";
    assert_eq!(matches("(argument_list (integer) @value)", source), 3);
    assert_eq!(matches("(argument_list (integer)) @arguments", source), 1);
    assert_eq!(matches("(argument_list (integer) @value (integer) @value)", source), 3);
    assert_eq!(matches("(argument_list . (integer) @value)", source), 1);
    assert_eq!(matches("(argument_list (integer) @value .)", source), 1);
    assert_eq!(matches("(argument_list (integer) . (integer) @value)", source), 2);
}

#[test]
fn an_optional_child_is_omitted_only_if_missing() {
    let pattern = "(return_statement (integer)? @value) @return";
    assert_eq!(matches(pattern, "return 1\nreturn\nreturn x"), 3);
    assert_eq!(matches("(return_statement (integer) @value) @return", "return 1\nreturn\nreturn x"), 1);
}

#[test]
fn matching_three_of_many_siblings_is_bounded() {
    let source = format!("f({})", "1,".repeat(3_000));
    let found = matches("(argument_list (integer) @value (integer) @value (integer) @value)", &source);
    // Without the limit there are 4,498,500,500 matches; each step gives at most one match.
    assert!((1_000..300_000).contains(&found), "{found}");
}

fn message(text: &'static str) -> String {
    let registry = Registry::builtin().expect("language files");
    let language = registry.language(registry.named("python").expect("python")).expect("language");
    let file = QueryText { path: "queries/python/calls.scm", text };
    Patterns::read(&language.parser, &[file]).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn errors_in_a_file_name_its_line() {
    for (text, line, what) in [
        ("(module)\n(cal)", 2, "the grammar has no node kind `cal`"),
        ("(call fun: (_))", 1, "the grammar has no field `fun`"),
        ("(call) @calls", 1, "unknown capture @calls"),
        ("(call", 1, "expected a node"),
        ("[(call) (module)", 1, "expected a node"),
        ("(call (_) @callee", 1, "expected a node"),
        ("((call) @call (#eq? @call \"a)", 1, "`\"` is missing"),
        ("((call) @call (#is? @call \"a\"))", 1, "expected a known predicate"),
        ("((comment) (call))", 1, "`)` is missing"),
        ("(_ (call))", 1, "the root must be a single node of a named kind"),
        ("(call)+", 1, "expected a node"),
        ("(expression)", 1, "a supertype"),
        ("(block (comment)* @doc)", 1, "expected `*` between anchors"),
        ("(block . (comment)* (call) @call)", 1, "expected `*` between anchors"),
        ("(block .)", 1, "an anchor without a child"),
    ] {
        let said = message(text);
        assert!(said.contains(&format!("queries/python/calls.scm:{line}: {what}")), "{text}: {said}");
    }
}

#[test]
fn every_regular_expression_of_the_queries_can_be_compiled() {
    let registry = Registry::builtin().expect("language files");
    for id in registry.ids() {
        let patterns = &registry.language(id).expect("language").patterns;
        for predicate in patterns.all.iter().flat_map(|pattern| &pattern.predicates) {
            let Test::Matches(expression, _) = &predicate.test else { continue };
            assert!(expression.is_sound(), "{}: {expression:?}", registry.name(Some(id)));
        }
    }
}
