//! Arguments that make a test runner run tests, from the `runner` of the language.

use super::super::typed_names::dotted;
use super::callers::Callers;
use super::cases::TestCase;
use rustc_hash::FxHashMap;
use whichfn_index::source::Sources;
use whichfn_syntax::lang::Tests;
use whichfn_text::{file_name, path_lossy};

/// Directory of the sources of a package, which is not part of a module path.
const SOURCES: &str = "src";

/// Returns one argument for each test, or for each group of tests that one argument can name, in
/// the order of the tests.
pub(super) fn arguments<'c>(
    sources: &Sources<'_>,
    callers: &Callers<'_>,
    tests: impl Iterator<Item = &'c TestCase>,
) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut by_text: FxHashMap<String, usize> = FxHashMap::default();
    for test in tests {
        let Some((text, name)) = argument(sources, callers, test) else { continue };
        let at = *by_text.entry(text).or_insert_with_key(|text| {
            groups.push((text.clone(), Vec::new()));
            groups.len() - 1
        });
        if !groups[at].1.contains(&name) {
            groups[at].1.push(name);
        }
    }
    groups.into_iter().map(|(text, names)| text.replace("{names}", &names.join("|"))).collect()
}

/// Returns the argument for a test, with `{names}` not replaced yet, and the pattern for its name.
fn argument(sources: &Sources<'_>, callers: &Callers<'_>, test: &TestCase) -> Option<(String, String)> {
    let path = sources.graph().path(test.file);
    let tests = callers.roles.tests(test.file)?;
    let around = dotted(&test.around);
    let types: Vec<&str> = around.split('.').filter(|part| !part.is_empty()).collect();
    let form =
        runner(tests, sources, test).map(|form| if types.is_empty() { without_type(form) } else { form.clone() });
    // A test without a name or a type may have only a file.
    let is_complete = |form: &String| !form.is_empty() && (!test.name.is_empty() || !form.contains("{name}"));
    let Some(form) = form.filter(is_complete) else {
        return Some((quoted(&path_lossy(path)), test.name.clone()));
    };
    let index_files = callers.roles.spec(test.file).map_or(&[][..], |spec| &spec.modules.index_files);
    let separator = tests.separator.as_str();
    let filled = |word: &str| {
        let word = word
            .replace("{module}", &module(path, index_files, separator))
            .replace("{type}", &types.join(separator))
            .replace("{qualified}", &[&types[..], &[test.name.as_str()]].concat().join(separator))
            // Backticks around a name belong to the source, not to the name.
            .replace("{name}", test.name.trim_matches('`'))
            .replace("{line}", &test.line.to_string())
            .replace("{directory}", path.strip_suffix(file_name(path)).unwrap_or(path).trim_end_matches('/'))
            .replace("{path}", &path_lossy(path));
        quoted(&word)
    };
    // A word in quotes contains `{names}`, which is quoted as a pattern.
    let words = form.split(' ').map(|word| if word.contains('\'') { word.to_owned() } else { filled(word) });
    Some((words.collect::<Vec<_>>().join(" "), pattern(&test.name, tests)))
}

/// Returns the form of the argument for a test.
fn runner<'t>(tests: &'t Tests, sources: &Sources<'_>, test: &TestCase) -> Option<&'t String> {
    let named = || {
        let text = sources.text(test.file);
        tests.runners.iter().find(|one| text.contains(&one.contains))
    };
    let other = if tests.runners.is_empty() { None } else { named() };
    let of_titles = tests.title_runner.as_ref().filter(|_| test.is_title);
    other.map(|one| &one.argument).or(of_titles).or(tests.runner.as_ref())
}

/// Returns the form of the argument for a test outside types, without the sign after the type.
fn without_type(runner: &str) -> String {
    match runner.split_once("{type}") {
        Some((before, after)) => [before, after.trim_start_matches(|c: char| !c.is_whitespace() && c != '{')].concat(),
        None => runner.to_owned(),
    }
}

/// Returns a word in quotes if a shell or `xargs` would otherwise split it.
fn quoted(word: &str) -> String {
    let is_split = |c: char| c.is_whitespace() || "'\"\\".contains(c);
    if word.contains(is_split) { format!("'{}'", word.replace('\'', "'\\''")) } else { word.to_owned() }
}

/// Returns the path of the module in a file, with a separator at its end; empty for the top of a
/// package.
fn module(path: &str, index_files: &[String], separator: &str) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let parts: Vec<&str> = stem.split('/').collect();
    let Some(top) = parts.iter().rposition(|part| *part == SOURCES) else { return String::new() };
    let is_index = |part: &str| index_files.iter().any(|index| index == part);
    let mut names: Vec<&str> = parts[top + 1..].to_vec();
    if names.last().is_some_and(|last| is_index(last)) {
        names.pop();
    }
    names.iter().flat_map(|name| [*name, separator]).collect()
}

/// Returns a regular expression for a name, for use between single quotes. It accepts any text for
/// the parts of the name that are known only when the test runs.
fn pattern(name: &str, tests: &Tests) -> String {
    let (mut out, mut rest) = (String::new(), name);
    while let Some(c) = rest.chars().next() {
        if let Some(length) = placeholder(rest, tests) {
            out.push_str(".*");
            rest = &rest[length..];
            continue;
        }
        match c {
            '\'' | '\n' => out.push('.'),
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' | '\\' | '/' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Returns the length of the placeholder at the start of a text: everything between two brackets, or
/// a sign with the word behind it.
fn placeholder(text: &str, tests: &Tests) -> Option<usize> {
    if let Some([open, close]) = tests.placeholder_brackets.iter().find(|[open, _]| text.starts_with(open.as_str())) {
        let end = text[open.len()..].find(close.as_str()).map(|at| open.len() + at + close.len());
        return Some(end.unwrap_or(text.len()));
    }
    let sign = tests.placeholder_signs.iter().find(|sign| text.starts_with(sign.as_str()))?;
    let behind = &text[sign.len()..];
    let is_word = |c: char| c.is_alphanumeric() || "_.#".contains(c);
    Some(sign.len() + behind.find(|c: char| !is_word(c)).unwrap_or(behind.len()))
}

#[cfg(test)]
mod unit_tests {
    use super::{module, pattern, quoted};
    use whichfn_syntax::lang::Tests;

    #[test]
    fn module_path_is_below_the_sources() {
        let index = ["mod", "lib", "main"].map(str::to_owned);
        assert_eq!(module("crates/a/src/store/names.rs", &index, "::"), "store::names::");
        assert_eq!(module("src/store/mod.rs", &index, "::"), "store::");
        assert_eq!(module("src/lib.rs", &index, "::"), "");
        assert_eq!(module("tests/calls.rs", &index, "::"), "");
    }

    #[test]
    fn name_is_escaped_for_a_pattern_in_quotes() {
        let mut tests = Tests::default();
        assert_eq!(pattern("adds (1 + 1)", &tests), "adds \\(1 \\+ 1\\)");
        assert_eq!(pattern("isn't", &tests), "isn.t");
        assert_eq!(pattern("costs $a", &tests), "costs \\$a");
        tests.placeholder_signs = vec!["$".to_owned(), "%".to_owned()];
        tests.placeholder_brackets = vec![["${".to_owned(), "}".to_owned()]];
        assert_eq!(pattern("row $a.b of %i (${f(x)})", &tests), "row .* of .* \\(.*\\)");
        assert_eq!(pattern("${f(`", &tests), ".*");
    }

    #[test]
    fn word_is_quoted_if_it_would_be_split() {
        assert_eq!(quoted("tests/a.py::A::b"), "tests/a.py::A::b");
        assert_eq!(quoted("a b.js"), "'a b.js'");
        assert_eq!(quoted("it's.js"), "'it'\\''s.js'");
    }
}
