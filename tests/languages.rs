//! What is seen of each language: `fixtures/lang/<language>.md` shows a small repository, the definitions found in it
//! and the calls resolved in it.

mod support;

use support::case::Case;
use whichfn::lang::{DefinitionKind, Registry};
use whichfn::parse::{Parser, parse};

#[test]
fn each_language_has_its_data_and_its_data_is_sound() {
    let registry = Registry::builtin().expect("language files");
    let cases: Vec<_> = Case::all("lang").iter().map(Case::name).collect();
    for id in registry.ids() {
        let language = registry.language(id).unwrap_or_else(|e| panic!("{e}"));
        language.query().unwrap_or_else(|e| panic!("{e}"));
        let name = &language.spec.name;
        assert!(cases.contains(name) || language.spec.inherits.is_some(), "fixtures/lang/{name}.md is missing");
    }
    for case in &cases {
        assert!(registry.named(case).is_some(), "fixtures/lang/{case}.md is of no language");
    }
}

#[test]
fn definitions_are_seen() {
    let registry = Registry::builtin().expect("language files");
    for mut case in Case::all("lang") {
        let mut out = String::new();
        for file in case.files() {
            let Some(id) = registry.detect(file.path.rsplit('/').next().expect("name")) else { continue };
            let language = registry.language(id).expect("language");
            let (facts, _) = parse(&mut Parser::default(), language, &file.path, &file.text).expect("data").expect("parses");
            out += &format!("{}{}\n", file.path, if facts.has_errors { " (with syntax errors)" } else { "" });
            for d in facts.definitions.iter().filter(|d| !matches!(d.kind, DefinitionKind::Anonymous)) {
                let test = if d.is_test { " [test]" } else { "" };
                out += &format!("  {}-{} {} {}{test}", d.span.start_line, d.span.end_line, d.kind.name(), d.qualified_name);
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
