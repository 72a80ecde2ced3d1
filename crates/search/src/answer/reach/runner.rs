//! Arguments that make a test runner run tests, from the `runner` of the language.

use super::super::typed_names::dotted;
use super::callers::Callers;
use super::cases::TestCase;
use rustc_hash::FxHashMap;
use whichfn_index::source::Sources;
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
    let Some(runner) = &tests.runner else { return Some((path_lossy(path).into_owned(), test.name.clone())) };
    let qualified = dotted(&test.qualified);
    let parts: Vec<&str> = qualified.split('.').collect();
    let index_files = callers.roles.spec(test.file).map_or(&[][..], |spec| &spec.modules.index_files);
    let separator = tests.separator.as_str();
    let text = runner
        .replace("{module}", &module(path, index_files, separator))
        .replace("{type}", &parts[..parts.len() - 1].join(separator))
        .replace("{qualified}", &parts.join(separator))
        .replace("{name}", &test.name)
        .replace("{line}", &test.line.to_string())
        .replace("{directory}", path.strip_suffix(file_name(path)).unwrap_or(path).trim_end_matches('/'))
        .replace("{path}", &path_lossy(path));
    Some((text, pattern(&test.name)))
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

/// Returns a regular expression for a name, for use between single quotes.
fn pattern(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '\'' | '\n' => out.push('.'),
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' | '\\' | '/' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod unit_tests {
    use super::{module, pattern};

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
        assert_eq!(pattern("adds (1 + 1)"), "adds \\(1 \\+ 1\\)");
        assert_eq!(pattern("isn't"), "isn.t");
    }
}
