//! Classes of text files. A question is rarely about the input of a test or an old release, so their
//! passages rank lower, unless the question mentions them.

use crate::split::Format;
use whichfn_text::file_name;

/// Folders with tests and their input.
const TEST_FOLDERS: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "spec",
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "testsuite",
];
/// Folders with release notes, and starts of the names of such files.
const NEWS: &[&str] = &["changelog", "changes", "history", "news", "release-notes", "release_notes", "releases"];
/// Words of a question about tests, and of a question about releases, as stems.
const TEST_WORDS: &[&str] = &["test", "fixtur", "suit"];
const NEWS_WORDS: &[&str] = &["changelog", "releas", "version", "histori", "deprec", "chang", "migrat", "upgrad"];

/// Factors of the score: for settings, for text that is neither documentation nor settings, for the
/// input of tests, and for release notes.
const SETTINGS: f32 = 0.9;
const OTHER: f32 = 0.6;
const TESTS: f32 = 0.6;
const RELEASES: f32 = 0.7;

const IS_SETTINGS: u64 = 1;
const IS_OTHER: u64 = 2;
const IS_TEST: u64 = 4;
const IS_NEWS: u64 = 8;
/// Number of classes.
pub(crate) const CLASSES: usize = 16;

/// Returns the class of a file, below [`CLASSES`].
pub(crate) fn class(path: &str) -> u64 {
    let path = path.to_ascii_lowercase();
    let of_format = match Format::of(&path) {
        Some(format) if format.is_settings() => IS_SETTINGS,
        Some(Format::Plain) | None => IS_OTHER,
        Some(_) => 0,
    };
    let folders = || path.split('/').rev().skip(1);
    let name = file_name(&path);
    let is_test = folders().any(|folder| TEST_FOLDERS.contains(&folder));
    let is_news = folders().any(|folder| NEWS.contains(&folder))
        || NEWS.iter().any(|news| name.starts_with(news) || name.ends_with(&format!("-{news}.md")));
    of_format | if is_test { IS_TEST } else { 0 } | if is_news { IS_NEWS } else { 0 }
}

/// Returns the factor of the score for each class, for a question with these stems.
pub(crate) fn factors(stems: &[String]) -> [f32; CLASSES] {
    let mentions = |words: &[&str]| stems.iter().any(|stem| words.contains(&stem.as_str()));
    let (tests, news) = (mentions(TEST_WORDS), mentions(NEWS_WORDS));
    let mut factors = [1.0; CLASSES];
    for (factor, class) in factors.iter_mut().zip(0..) {
        let mut reduce = |mark: u64, by: f32, is_wanted: bool| {
            if class & mark != 0 && !is_wanted {
                *factor *= by;
            }
        };
        reduce(IS_SETTINGS, SETTINGS, false);
        reduce(IS_OTHER, OTHER, false);
        reduce(IS_TEST, TESTS, tests);
        reduce(IS_NEWS, RELEASES, news);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_releases_rank_lower_unless_the_question_mentions_them() {
        let of = |question: &str, path: &str| factors(&[question.to_owned()])[class(path) as usize];
        assert_eq!(of("cach", "docs/cache.md"), 1.0);
        assert_eq!((of("cach", "tests/data/cache.md"), of("test", "tests/data/cache.md")), (TESTS, 1.0));
        assert_eq!((of("cach", "docs/releases/1.9.txt"), of("releas", "docs/releases/1.9.txt")), (RELEASES, 1.0));
        assert_eq!((of("cach", "docs/2026-news.md"), of("cach", "CHANGELOG.md")), (RELEASES, RELEASES));
        assert_eq!((of("cach", "tox.ini"), of("cach", "index.html")), (SETTINGS, OTHER));
    }
}
