//! Checks that windows match `docs/SPEC.md`, section 1, and that their scores are BM25 over the
//! words of their text, counted slowly.

use proptest::prelude::*;
use std::collections::BTreeMap;
use whichfn_search::search::{Environment, Hit, Query, Question, Unit};
use whichfn_testing::{Indexed, cases, windows_of};
use whichfn_text::{Stemmer, words};

/// Words of the texts; the question consists of the first three.
const WORDS: &[&str] = &["parse", "HTTPHeader", "dates", "split_fields", "x", "{", "==", "größe", "sha256Sum", "weigh"];
const QUESTION: &str = "parse header dates";
/// Upper limit on the count of a word in a block of ten lines.
const MOST: usize = 15;

/// Paths and texts of files.
type Texts = Vec<(String, String)>;

/// A window: path, first and last line.
type Place = (String, usize, usize);

/// Generates lines of up to four different words, so that no block of ten lines contains a word
/// more often than the limit allows.
fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::subsequence(WORDS, 0..=4).prop_map(|words| words.join(" "));
    let ending = prop::sample::select(&["\n", "\r\n"][..]);
    (prop::collection::vec((line, ending), 0..=70), any::<bool>()).prop_map(|(lines, closed)| {
        let text: String = lines.into_iter().map(|(line, ending)| line + ending).collect();
        if closed { text } else { text.trim_end_matches(['\r', '\n']).to_owned() }
    })
}

fn texts() -> impl Strategy<Value = Texts> {
    let ending = prop::sample::select(&["py", "rs", "txt", "c"][..]);
    let named = |files: Vec<(String, &str)>| {
        files.into_iter().enumerate().map(|(i, (text, ending))| (format!("d{}/f{i}.{ending}", i % 2), text)).collect()
    };
    prop::collection::vec((text(), ending), 1..5).prop_map(named)
}

fn indexed(texts: &Texts) -> Indexed {
    Indexed::new(|root| {
        for (path, text) in texts {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
            std::fs::write(path, text).expect("file written");
        }
    })
}

/// Returns all windows with their texts, sorted by path, then by place.
fn windows(texts: &Texts) -> Vec<(Place, &str)> {
    let mut all = Vec::new();
    let mut texts: Vec<_> = texts.iter().collect();
    texts.sort();
    for (path, text) in texts {
        for (first, start, end) in windows_of(text) {
            let window = &text[start..end];
            let last = first + window.split_inclusive('\n').count() - 1;
            all.push(((path.clone(), first, last), window));
        }
    }
    all
}

/// Returns the frequency of each word in a string, limited like blocks of ten lines.
fn counts(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for block in lines.chunks(10) {
        let (mut of_block, mut stemmer) = (BTreeMap::<String, usize>::new(), Stemmer::default());
        words(&block.concat(), |word| *of_block.entry(stemmer.stem(word).to_owned()).or_default() += 1);
        of_block.into_iter().for_each(|(word, count)| *counts.entry(word).or_default() += count.min(MOST));
    }
    counts
}

/// Returns the BM25 score (k1 = 1.2, b = 0.75) of every window, including scores of 0, sorted by
/// path, then by place.
fn slow(texts: &Texts, question: &str) -> Vec<(Place, f64)> {
    let windows: Vec<_> = windows(texts).into_iter().map(|(place, text)| (place, counts(text))).collect();
    let (k1, b, size) = (1.2, 0.75, windows.len() as f64);
    let length = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>() as f64;
    let average = (windows.iter().map(|(_, counts)| length(counts)).sum::<f64>() / size).max(1.0);
    let score = |counts: &BTreeMap<String, usize>| {
        let of = |term: &whichfn_search::search::Term| {
            let df = windows.iter().filter(|(_, counts)| counts.contains_key(&term.stem)).count() as f64;
            let tf = counts.get(&term.stem).copied().unwrap_or(0) as f64;
            let idf = (1.0 + (size - df + 0.5) / (df + 0.5)).ln();
            f64::from(term.weight) * idf * (k1 + 1.0) * tf / (tf + k1 * (1.0 - b + b * length(counts) / average))
        };
        Question::read(question).terms.iter().map(of).sum()
    };
    windows.iter().map(|(place, counts)| (place.clone(), score(counts))).collect()
}

/// Returns the results for a question by its words only.
fn found(indexed: &Indexed, question: &str, folder: Option<&str>) -> Vec<(Place, f32)> {
    let environment = Environment { alpha: Some(0.0), ..Environment::default() };
    let paths = folder.into_iter().map(|folder| format!("{folder}/**")).collect();
    let query = Query { unit: Unit::Window, k: 1000, environment, paths, ..Query::new(question) };
    let one = |hit: Hit| {
        let (first, last) = hit.window.expect("a window");
        assert_eq!(hit.score.to_bits(), hit.independent.to_bits(), "nothing is added");
        ((indexed.generation.graph.path(hit.file).to_owned(), first as usize, last as usize), hit.score)
    };
    indexed.searcher().search(&query).expect("hits").into_iter().map(one).collect()
}

/// Checks a question over all texts, or over those in a directory.
fn check(texts: &Texts, question: &str, folder: Option<&str>) {
    let found = found(&indexed(texts), question, folder);
    let texts = &below(texts, folder.unwrap_or_default());
    let mut right: Vec<(Place, f64)> = slow(texts, question).into_iter().filter(|&(_, score)| score > 0.0).collect();
    let scores: BTreeMap<Place, f64> = right.iter().cloned().collect();
    assert_eq!(found.len(), right.len(), "every window with a word is found, once");
    for (place, score) in &found {
        let right = scores.get(place).unwrap_or_else(|| panic!("{place:?} is not a window"));
        assert!((f64::from(*score) - right).abs() < 1e-5 * right.max(1.0), "{place:?}: {score}");
    }
    // Sorted by score, then by path and line; windows with equal scores up to rounding may be in
    // any order.
    right.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for ((place, _), (_, score)) in found.iter().zip(&right) {
        assert!((scores[place] - score).abs() < 1e-5 * score.max(1.0), "{place:?} ranks too high");
    }
    let ties = found.windows(2).filter(|two| two[0].1 == two[1].1);
    ties.for_each(|two| assert!(two[0].0 < two[1].0, "equal scores by path, then line"));
}

/// Returns the texts whose path begins with `start`; all texts if it is empty.
fn below(texts: &Texts, start: &str) -> Texts {
    texts.iter().filter(|(path, _)| path.starts_with(start)).cloned().collect()
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn window_scores_equal_a_plain_count(texts in texts()) {
        check(&texts, QUESTION, None);
    }

    #[test]
    fn other_directories_do_not_affect_scores(texts in texts()) {
        check(&texts, QUESTION, Some("d1"));
    }

    #[test]
    fn a_repeated_word_counts_more(texts in texts()) {
        check(&texts, "parse dates, parse sums, weigh dates", None);
    }
}

#[test]
fn windows_cover_any_number_of_lines() {
    for lines in [0, 1, 9, 10, 11, 19, 20, 21, 29, 30, 31, 39, 40, 41, 70] {
        for ending in ["\n", "\r\n"] {
            let text = vec!["parse"; lines].join(ending);
            let texts = vec![("a.py".to_owned(), text.clone() + ending), ("b.txt".to_owned(), text)];
            check(&texts, QUESTION, None);
            let found = found(&indexed(&texts), QUESTION, None);
            for path in ["a.py", "b.txt"].into_iter().filter(|_| lines > 0) {
                let mut of_file: Vec<_> =
                    found.iter().map(|(place, _)| place).filter(|place| place.0 == path).cloned().collect();
                of_file.sort();
                let first: Vec<usize> = of_file.iter().map(|&(_, first, _)| first).collect();
                assert_eq!(first, (1..).step_by(10).take(of_file.len()).collect::<Vec<_>>(), "{path}: {lines} lines");
                assert_eq!(of_file.last().map(|&(.., last)| last), Some(lines), "{path}: {lines} lines");
            }
        }
    }
}

#[test]
fn a_block_counts_a_word_fifteen_times_at_most() {
    let line = |times: usize| format!("{} header\n", "parse ".repeat(times));
    let texts = |times| vec![("a.py".to_owned(), line(times)), ("b.py".to_owned(), "split fields\n".to_owned())];
    for times in [14, 15, 16, 40] {
        check(&texts(times), QUESTION, None);
    }
}
