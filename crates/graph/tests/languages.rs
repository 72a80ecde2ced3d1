//! Tests of the definitions and calls that are found in each language:
//! `fixtures/lang/<language>.md` contains a small repository with the expected definitions and
//! resolved calls.

use std::path::Path;
use whichfn_graph::{PackedFacts, Source, link};
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, LangId, Registry};
use whichfn_syntax::parse::{Facts, Parser, parse, read_plain_text};
use whichfn_testing::{Block, Case, workspace};
use whichfn_text::{Splitter, file_name};

#[test]
fn every_language_has_valid_data() {
    let registry = Registry::builtin().expect("language files");
    let cases: Vec<_> = Case::all("lang").iter().map(Case::name).collect();
    for id in registry.ids() {
        let language = registry.language(id).unwrap_or_else(|e| panic!("{e}"));

        let name = &language.spec.head.name;
        assert!(cases.contains(name) || language.spec.head.inherits.is_some(), "fixtures/lang/{name}.md is missing");
    }
    for case in &cases {
        assert!(registry.named(case).is_some(), "fixtures/lang/{case}.md is of no language");
    }
}

/// Parses a file of a case, if it is in a supported language.
fn parsed(registry: &Registry, file: &Block) -> Option<(LangId, Facts)> {
    let first_line = file.text.lines().next().unwrap_or_default();
    let id = registry.detect_text(&file.path, &file.text).or_else(|| registry.detect_shebang(first_line))?;
    let language = registry.language(id).expect("language");
    Some((id, parse(&mut Parser::default(), language, &file.path, &file.text).expect("data").expect("parses").0))
}

#[test]
fn finds_definitions() {
    let registry = Registry::builtin().expect("language files");
    for mut case in Case::all("lang") {
        let mut out = String::new();
        for file in case.files() {
            let Some((_, facts)) = parsed(&registry, &file) else { continue };
            out += &format!("{}{}\n", file.path, if facts.has_errors { " (with syntax errors)" } else { "" });
            for d in facts.definitions.iter().filter(|d| !matches!(d.kind, DefinitionKind::Anonymous)) {
                let test = if d.is_test { " [test]" } else { "" };
                out += &format!(
                    "  {}-{} {} {}{test}",
                    d.span.start_line,
                    d.span.end_line,
                    d.kind.name(),
                    d.qualified_name
                );
                for (sign, text) in [("  ", &d.signature), ("  -- ", &d.doc)] {
                    if !text.is_empty() {
                        out += &format!("{sign}{text}");
                    }
                }
                out.push('\n');
            }
        }
        case.check("definitions", &out);
    }
}

#[test]
fn finds_named_values() {
    let registry = Registry::builtin().expect("language files");
    for mut case in Case::all("lang") {
        let mut out = String::new();
        for file in case.files() {
            let Some((_, facts)) = parsed(&registry, &file) else { continue };
            for value in &facts.named_values {
                let parent = &facts.definitions[value.parent];
                let kind = if parent.kind.has_members() { "member" } else { "value" };
                let line = file.text[..value.name_start as usize].matches('\n').count() + 1;
                out += &format!("{}:{line} {kind} {} of {}\n", file.path, value.name, parent.qualified_name);
            }
        }
        case.check("values", &out);
    }
}

#[test]
fn resolves_calls() {
    let registry = Registry::builtin().expect("language files");
    for mut case in Case::all("lang").into_iter().chain(Case::all("imports")) {
        let mut files = case.files();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let parsed: Vec<_> = files
            .iter()
            .map(|file| match parsed(&registry, file) {
                Some((language, facts)) => (Some(language), facts),
                None => (None, read_plain_text(&registry, &file.path, &file.text, &mut Splitter::default()).0),
            })
            .collect();
        let packed: Vec<_> = parsed.iter().map(|(_, facts)| PackedFacts::new(facts)).collect();
        let sources: Vec<_> = files
            .iter()
            .zip(&parsed)
            .zip(&packed)
            .map(|((file, (language, facts)), packed)| Source {
                path: &file.path,
                language: language.or_else(|| registry.manifest_language(file_name(&file.path))),
                facts: Some(packed.facts()),
                definitions: facts.definitions.len() as u32,
            })
            .collect();
        let name = |id: DefinitionId| {
            let mut first = 0;
            for (source, (_, facts)) in sources.iter().zip(&parsed) {
                if id.index() < first + source.definitions as usize {
                    return (source.path, facts.definitions[LocalId::new(id.index() - first)].qualified_name.clone());
                }
                first += source.definitions as usize;
            }
            unreachable!("{id:?}")
        };
        let edges = link("", &sources, &registry).edges;
        let mut lines: Vec<_> = edges
            .iter()
            .map(|edge| {
                let ((caller_path, caller), (_, callee)) = (name(edge.caller), name(edge.callee));
                (
                    caller_path,
                    edge.site.line,
                    format!("{caller_path}:{} {caller} -> {callee} ({})", edge.site.line, edge.reason.name()),
                )
            })
            .collect();
        lines.sort();
        case.check("calls", &lines.into_iter().map(|(_, _, line)| line + "\n").collect::<String>());
    }
}

/// A language's name in code means that the format of `grammars/*.toml` lacks a field. The name
/// of a passage format is not the name of a language.
#[test]
fn languages_are_named_in_one_place() {
    let registry = Registry::builtin().expect("language files");
    let names: Vec<String> = registry.ids().map(|id| format!("\"{}\"", registry.name(Some(id)))).collect();
    let root = workspace();
    let is_format = |path: &Path, line: &str| path.ends_with("passages/src/split/mod.rs") && line.contains("Self::Sql");
    let (mut folders, mut wrong) = (vec![root.join("src"), root.join("crates")], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry").path()) {
            let is_test = path.ends_with("tests") || path.ends_with("testing");
            if path.is_dir() && !path.is_symlink() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("lang/parsers.rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let named = code
                    .filter(|line| names.iter().any(|name| line.contains(name.as_str())) && !is_format(&path, line));
                wrong.extend(named.map(|line| format!("{}: {line}", path.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "make it a field of the language's data:\n{}", wrong.join("\n"));
}
