//! Each format is split into the passages that a reader would name.

use proptest::prelude::*;
use whichfn_passages::split::{Format, LONGEST_PASSAGE, MOST_PASSAGES, split};

/// Returns a line for each passage: its lines and its headings.
fn shown(path: &str, text: &str) -> Vec<String> {
    let format = Format::of(path).unwrap_or(Format::Plain);
    let passages = split(format, text).passages;
    passages.iter().map(|one| format!("{}-{} {}", one.start_line, one.end_line, one.headings.join(" > "))).collect()
}

#[test]
fn a_section_of_markdown_has_its_chain_of_headings() {
    let text = "\
intro

# Guide
text
## Install
### Linux
apt
```sh
# not a heading
```
## Use
run

Old style
---------
text
";
    let expected =
        ["1-1 ", "3-4 Guide", "6-10 Guide > Install > Linux", "11-12 Guide > Use", "14-16 Guide > Old style"];
    assert_eq!(shown("docs/guide.md", text), expected);
}

#[test]
fn a_heading_in_html_starts_a_section() {
    let text = "\
<h1 align=\"center\">Tool</h1>
intro
<h3 name=\"colors\">
How do I change <code>colors</code>?
</h3>
With `--colors`.
<h2>unfinished
text
";
    assert_eq!(shown("FAQ.md", text), ["1-2 Tool", "3-8 Tool > How do I change colors?"]);
}

#[test]
fn the_title_in_the_front_matter_is_a_heading() {
    let text = "---\ntitle: Ignore Files\n---\nintro\n## Unignore\ntext\n";
    assert_eq!(shown("a.md", text), ["1-4 Ignore Files", "5-6 Ignore Files > Unignore"]);
}

#[test]
fn restructured_text_has_underlined_titles_and_descriptions() {
    let text = "\
========
Settings
========

Cache
=====

text

.. confval:: cache_dir

   The folder.

After it.

``DEBUG``
---------

text
";
    let expected = [
        "5-8 Settings > Cache",
        "10-12 Settings > Cache > cache_dir",
        "14-14 Settings > Cache",
        "16-19 Settings > Cache > DEBUG",
    ];
    assert_eq!(shown("docs/settings.rst", text), expected);
}

#[test]
fn asciidoc_ignores_headings_in_literal_blocks() {
    let text = "= Manual\ntext\n== Build\n----\n= no\n----\n";
    assert_eq!(shown("a.adoc", text), ["1-2 Manual", "3-6 Manual > Build"]);
}

#[test]
fn a_table_of_toml_has_its_key_path_and_comments() {
    let text = "name = 1\n\n# The tests.\n[tool.pytest.\"a.b\"]\nx = 2\n[[bin]]\ntext = '''\n[not.a.table]\n'''\n";
    assert_eq!(shown("pyproject.toml", text), ["1-1 ", "3-5 tool > pytest > a.b", "6-9 bin"]);
    assert_eq!(shown("tox.ini", "[testenv:lint]\ncommands = x\n"), ["1-2 testenv:lint"]);
    assert_eq!(shown(".env.example", "# The database.\nDATABASE_URL=x\n"), ["1-2 "]);
}

#[test]
fn a_job_of_a_long_workflow_has_its_key_path() {
    let steps = "      - run: echo words\n".repeat(20);
    let text =
        format!("name: CI\non: push\njobs:\n  # Lints.\n  lint:\n    steps:\n{steps}  test:\n    steps:\n{steps}");
    let expected = ["1-2 ", "4-26 jobs > lint", "27-48 jobs > test"];
    assert_eq!(shown(".github/workflows/ci.yml", &text), expected);
}

#[test]
fn long_json_is_split_into_its_keys() {
    let scripts = "    \"run\": \"words\",\n".repeat(30);
    let text = format!(
        "{{\n  \"name\": \"x\",\n  \"scripts\": {{\n{scripts}  }},\n  \"files\": [\n    \"lib\"\n  ],\n{}}}\n",
        "  \"a\": 1,\n".repeat(10)
    );
    let found = shown("package.json", &text);
    assert!(found.contains(&"3-34 scripts".to_owned()) && found.contains(&"35-37 files".to_owned()), "{found:?}");
}

#[test]
fn targets_stages_and_statements_are_passages() {
    let makefile = "CC := gcc\n.PHONY: all\n\n# Builds the docs.\ndocs: html\n\tsphinx\nclean:\n\trm\n";
    assert_eq!(shown("Makefile", makefile), ["1-2 ", "4-6 docs", "7-8 clean"]);
    assert_eq!(shown("Justfile", "@test *args: init\n  pytest\n"), ["1-2 test *args"]);
    let dockerfile = "FROM node:22 AS web\nRUN yarn\nFROM python:3\nCOPY . .\n";
    assert_eq!(shown("Dockerfile", dockerfile), ["1-2 web", "3-4 python:3"]);
    let sql = "CREATE TABLE users (\n  id int\n);\nCREATE FUNCTION f() AS $$\nx;\n$$;\n";
    assert_eq!(shown("schema.sql", sql), ["1-3 CREATE TABLE users", "4-6 CREATE FUNCTION f"]);
}

#[test]
fn other_text_is_split_into_blocks() {
    let text = "words\n".repeat(90);
    assert_eq!(shown("LICENSE", &text), ["1-40 ", "41-80 ", "81-90 "]);
}

#[test]
fn a_table_with_a_million_rows_is_truncated() {
    let found = split(Format::Outline, &"- a: 1\n  b: 2\n".repeat(500_000));
    assert!(found.is_truncated && found.passages.len() == MOST_PASSAGES);
}

#[test]
fn aliases_are_not_expanded() {
    let bomb: String = (0..30).map(|n| format!("a{}: &a{} [*a{n}, *a{n}, *a{n}]\n", n + 1, n + 1)).collect();
    assert_eq!(shown("bomb.yml", &bomb), ["1-30 "]);
}

proptest! {
    /// Passages are in order, do not overlap, and are short, for any text in any format.
    #[test]
    fn passages_are_in_order_and_short(text in "([#=\\-\\[\\]:{}\" .`a-c\u{e9}]{0,12}\n){0,120}") {
        for path in ["a.md", "a.rst", "a.adoc", "a.toml", "a.yml", "a.json", "Makefile", "Dockerfile", "a.sql", "x"] {
            let found = split(Format::of(path).unwrap_or(Format::Plain), &text);
            let mut last = 0;
            for one in &found.passages {
                prop_assert!(one.start_line > last && one.end_line >= one.start_line, "{path}: {one:?}");
                prop_assert!(one.end_line - one.start_line < LONGEST_PASSAGE as u32);
                last = one.end_line;
            }
            prop_assert!(last as usize <= text.lines().count());
        }
    }
}
