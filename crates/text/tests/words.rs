//! Compares the word splitter with a slow reference implementation that was written from its
//! documentation only.

use proptest::prelude::*;
use whichfn_testing::cases;
use whichfn_text::{LONGEST_WORD, Splitter, Stemmer, split_identifier, words};

/// Returns the words of a string: each run of letters, digits and underscores becomes its parts
/// and, if there are several, also the parts joined.
fn slow_words(text: &str) -> Vec<String> {
    let mut runs = vec![String::new()];
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            runs.last_mut().expect("a run").push(c);
        } else {
            runs.push(String::new());
        }
    }
    let mut out = Vec::new();
    for run in runs {
        let mut parts = slow_parts(&run);
        if parts.len() > 1 {
            parts.push(parts.concat());
        }
        out.extend(parts.into_iter().filter(|part| part.len() <= LONGEST_WORD));
    }
    out
}

/// Marks every border with a space, then splits at spaces.
fn slow_parts(run: &str) -> Vec<String> {
    let chars: Vec<char> = run.chars().collect();
    let mut marked = String::new();
    for (i, &c) in chars.iter().enumerate() {
        if i > 0 && is_border(chars[i - 1], c, chars.get(i + 1).copied()) {
            marked.push(' ');
        }
        marked.push(if c == '_' { ' ' } else { c });
    }
    marked.split(' ').filter(|part| !part.is_empty()).map(lower).collect()
}

/// Checks whether a part ends between two characters: where lower case meets upper, before the last
/// capital of a run of capitals, and where digits are followed by letters (but not where letters
/// are followed by digits: `utf8`).
fn is_border(before: char, here: char, after: Option<char>) -> bool {
    let camel = before.is_lowercase() && here.is_uppercase();
    let acronym = before.is_uppercase() && here.is_uppercase() && after.is_some_and(char::is_lowercase);
    let number = before.is_numeric() && here.is_alphabetic();
    camel || acronym || number
}

/// Converts each character separately, so that a word does not depend on its neighbors.
fn lower(part: &str) -> String {
    part.chars().flat_map(char::to_lowercase).collect()
}

fn fast_words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    words(text, |word| out.push(word.to_owned()));
    out
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn identifiers_split_as_documented(text in "[a-cA-C0-2_]{0,12}") {
        prop_assert_eq!(fast_words(&text), slow_words(&text));
    }

    #[test]
    fn prose_with_identifiers_splits_as_documented(text in "([a-zA-Z_]{1,8}|[0-9]{1,3}|[ .,:(\\-\n]){0,20}") {
        prop_assert_eq!(fast_words(&text), slow_words(&text));
    }

    #[test]
    fn any_text_in_any_script_splits_as_documented(text in "\\PC{0,40}") {
        prop_assert_eq!(fast_words(&text), slow_words(&text));
    }

    #[test]
    fn letters_whose_lower_case_is_longer_or_depends_on_place_split_as_documented(text in "[ΣσςİıßẞDžDždžaA1_]{0,10}") {
        prop_assert_eq!(fast_words(&text), slow_words(&text));
    }

    #[test]
    fn overlong_words_are_dropped(text in "[a-z]{40,60}(_[a-z]{1,30}){0,2}") {
        prop_assert_eq!(fast_words(&text), slow_words(&text));
        prop_assert!(fast_words(&text).iter().all(|word| word.len() <= LONGEST_WORD));
    }

    #[test]
    fn splitting_an_identifier_gives_the_parts_among_its_words(run in "[a-cA-C0-2_]{1,12}") {
        prop_assert_eq!(split_identifier(&run), slow_parts(&run));
    }

    #[test]
    fn an_identifier_matches_in_every_naming_style(parts in prop::collection::vec("[a-z]{2,6}", 2..4)) {
        let snake = parts.join("_");
        let camel: String = parts.iter().map(|p| p[..1].to_uppercase() + &p[1..]).collect();
        prop_assert_eq!(fast_words(&snake), fast_words(&camel));
        prop_assert_eq!(fast_words(&snake.to_uppercase()), fast_words(&snake));
    }

    #[test]
    fn a_part_has_no_parts(run in "[a-zA-Z0-9_]{1,20}") {
        for part in split_identifier(&run) {
            prop_assert_eq!(fast_words(&part), [part]);
        }
    }
}

#[test]
fn digits_stay_with_the_letters_before_them() {
    assert_eq!(split_identifier("parseHTTPDate2"), ["parse", "http", "date2"]);
    assert_eq!(fast_words("utf8 sha256sum"), ["utf8", "sha256", "sum", "sha256sum"]);
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn a_part_has_the_same_words_as_by_itself(
        text in "([a-cA-C0-1_ßé]{0,9}[ .\n]{0,2}){0,12}",
        parts in prop::collection::vec((0usize..80, 0usize..20), 1..20),
    ) {
        let (mut splitter, mut alone) = (Splitter::default(), Stemmer::default());
        for _ in 0..2 {
            splitter.read(&text);
            for &(start, length) in &parts {
                let mut numbers = Vec::new();
                splitter.part(&text, start..start + length, &mut numbers);
                let found: Vec<String> =
                    numbers.iter().map(|&stem| splitter.stemmer().word(stem).text.to_owned()).collect();
                let mut expected = Vec::new();
                alone.stems(text.get(start..start + length).unwrap_or_default(), |stem| expected.push(stem.text.to_owned()));
                prop_assert_eq!(found, expected, "{}..{}", start, start + length);
            }
        }
    }

    #[test]
    fn parts_that_follow_each_other_have_all_words(lines in prop::collection::vec("[a-c0-1_ ]{0,9}\n", 0..12)) {
        let (text, mut splitter, mut numbers) = (lines.concat(), Splitter::default(), Vec::new());
        splitter.read(&text);
        splitter.part(&text, 0..text.len(), &mut numbers);
        let mut at = 0;
        let ends = lines.iter().map(|line| { at += line.len(); at });
        let parts: Vec<_> = splitter.stems_up_to(ends).map(<[_]>::to_vec).collect();
        prop_assert_eq!((parts.len(), parts.concat()), (lines.len(), numbers));
    }
}
