//! Checks the postings of an index against those counted from the same documents: one document per
//! definition, with its words by field.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use whichfn_index::store::{GraphFile, each_word};
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::{Field, Parser, parse, read_plain_text};
use whichfn_testing::{Case, Indexed, cases};
use whichfn_text::file_name;

/// Definition, field and frequency of each term, sorted.
type AllPostings = BTreeMap<String, Vec<(u32, Field, u32)>>;

/// The words of a definition by field, joined by spaces.
type Document = [String; Field::COUNT];

/// Returns the documents of all definitions, from the current files of an index.
fn documents(root: &Path, graph: &GraphFile) -> Vec<Document> {
    let (registry, mut parser) = (Registry::builtin().expect("languages"), Parser::default());
    let mut documents = vec![Document::default(); graph.definition_count()];
    for file in graph.file_ids() {
        let path = graph.path(file);
        let text = std::fs::read_to_string(root.join(path)).expect("a file of the index");
        let shebang = || registry.detect_shebang(text.lines().next().unwrap_or_default());
        let (facts, words) = match registry.detect_text(file_name(path), &text).or_else(shebang) {
            Some(id) => {
                let language = registry.language(id).expect("a language");
                parse(&mut parser, language, path, &text).expect("parsed").expect("within its bounds")
            }
            None => read_plain_text(&registry, path, &text, parser.splitter()),
        };
        let first = graph.file(file).first_definition.index();
        let stems: Vec<&str> = words.stems().map(|(stem, _)| stem).collect();
        for (definition, field, word) in each_word(&facts, &words) {
            let of = &mut documents[first + definition.index()][field as usize];
            for _ in 0..word.count {
                *of += stems[word.stem as usize];
                of.push(' ');
            }
        }
    }
    documents
}

/// Returns the postings of these documents, counted word by word.
fn by_counting(documents: &[Document]) -> AllPostings {
    let mut all = AllPostings::new();
    for (id, words) in (0..).zip(documents) {
        for (field, text) in Field::ALL.into_iter().zip(words) {
            let mut counts = BTreeMap::<&str, u32>::new();
            text.split_whitespace().for_each(|term| *counts.entry(term).or_default() += 1);
            for (term, count) in counts {
                all.entry(term.to_owned()).or_default().push((id, field, count));
            }
        }
    }
    all.values_mut().for_each(|list| list.sort_unstable());
    all
}

/// Asserts that an index has exactly the postings of its definitions' words.
fn assert_equal(root: &Path, graph: &GraphFile) {
    let expected = by_counting(&documents(root, graph));
    for term in expected.keys() {
        for asked in [term.clone(), format!("{term}0"), term.chars().skip(1).collect()] {
            let found = graph.postings(&asked).into_iter().map(|of| (of.definition.0, of.field, of.count));
            let expected = expected.get(&asked).cloned().unwrap_or_default();
            assert_eq!(found.collect::<Vec<_>>(), expected, "{asked:?}");
        }
    }
}

#[test]
fn postings_equal_those_of_a_plain_count_in_every_language() {
    let indexed = Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))));
    assert_equal(&indexed.root(), &indexed.generation.graph);
}

/// Number of files that no edit touches, so that a refresh shares the base.
const OTHERS: usize = 48;
const WORDS: &[&str] = &["split", "splits", "größe", "zero", "date_parts", "parseDate", "a", "12", "+"];

/// Returns a string with lines of words, given by number; 45 lines are three definitions and the
/// file.
fn text(words: &[usize]) -> String {
    words
        .chunks(3)
        .map(|line| line.iter().map(|&word| WORDS[word % WORDS.len()]).collect::<Vec<_>>().join(" ") + "\n")
        .collect()
}

fn write(root: &Path, number: usize, words: &[usize]) {
    std::fs::write(root.join(format!("notes{number}.txt")), text(words)).expect("file written");
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn postings_in_any_pieces_equal_those_of_a_plain_count(
        files in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..135), 6),
        edits in prop::collection::vec((0..8usize, prop::option::of(prop::collection::vec(0..WORDS.len(), 0..135))), 1..5),
    ) {
        let indexed = Indexed::new(|root| {
            files.iter().enumerate().for_each(|(number, words)| write(root, number, words));
            (0..OTHERS).for_each(|number| write(root, 100 + number, &[number, number / 2, 0, 1].repeat(40)));
        });
        assert_equal(&indexed.root(), &indexed.generation.graph);
        for (number, words) in edits {
            match words {
                Some(words) => write(&indexed.root(), number, &words),
                None => drop(std::fs::remove_file(indexed.root().join(format!("notes{number}.txt")))),
            }
            assert_equal(&indexed.root(), &indexed.refreshed(&indexed.index_dir()).graph);
        }
    }
}
