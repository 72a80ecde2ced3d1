//! Checks that messages and help texts use common English terms.

use crate::docs::{all_help, root};
use whichfn_testing::entries;

const AVOIDED: &str = "told|tells|says|stands|lies|anew|beside|nobody|whoever|is no|asked for|price of";

/// Files with prompts (models were measured with their exact wording) or with names of learned
/// features.
const EXCEPT: [&str; 5] =
    ["search/feature.rs", "lookup/feature_table.rs", "lookup/model_lookup.rs", "lookup/run.rs", "inquiry/read.rs"];

/// Returns the string literals of Rust code, except those in comments and in the test module at its
/// end.
fn literals(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or(code);
    let code = ["\\\\", "\\\"", "'\"'"].iter().fold(code.to_owned(), |code, quote| code.replace(quote, ""));
    let (mut found, mut rest) = (Vec::new(), &*code);
    while let Some((at, mark)) = rest.match_indices(['"', '/']).next() {
        let (start, tail) = (rest[..at].trim_end_matches('#'), &rest[at + 1..]);
        let raw = if start.ends_with('r') { &rest[start.len()..at] } else { "" };
        let end = if mark == "\"" { format!("\"{raw}") } else { "\n".to_owned() };
        let (text, next) = tail.split_once(&end).unwrap_or((tail, ""));
        found.extend((mark == "\"").then(|| text.to_owned()));
        rest = if mark == "\"" || tail.starts_with('/') { next } else { tail };
    }
    found
}

/// Returns the avoided words of a text. A text of one or two words is data, such as a synonym.
fn avoided(text: &str) -> Vec<&'static str> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // Correct uses of the avoided words.
    let right = [" is no longer ", "there is no "];
    let line = format!(" {} ", words.join(" ").to_lowercase());
    let line = right.iter().fold(line, |line, phrase| line.replace(phrase, " "));
    AVOIDED.split('|').filter(|word| words.len() > 2 && line.contains(&format!(" {word} "))).collect()
}

#[test]
fn messages_and_help_avoid_odd_words() {
    assert_eq!(avoided(&all_help()), Vec::<&str>::new(), "--help");
    let crates = entries(&root().join("crates")).into_iter().filter(|path| !path.ends_with("testing"));
    let mut left: Vec<_> = crates.chain([root().to_owned()]).map(|path| path.join("src")).collect();
    while let Some(path) = left.pop() {
        left.extend(entries(&path));
        if path.extension().is_some_and(|end| end == "rs") && !EXCEPT.iter().any(|end| path.ends_with(end)) {
            let code = std::fs::read_to_string(&path).expect("text");
            let found = literals(&code).into_iter().find(|text| !avoided(text).is_empty());
            assert_eq!(found, None, "{}", path.display());
        }
    }
}
