//! Questions and queries find the passages that they describe.

use crate::index::Texts;
use whichfn_passages::PassageQuery;

/// A few documents about a web framework.
fn documents() -> Texts {
    Texts::new(&[
        (
            "docs/validators.md",
            "# Validators\n\n## Writing validators\nA validator is a callable that raises an error.\n",
        ),
        (
            "docs/cache.md",
            "# Cache\n\n## Redis\nInstall redis and set the location.\n\n## Memory\nThe local memory cache.\n",
        ),
        ("docs/settings.md", "# Settings\n\n## `SESSION_COOKIE_SECURE`\nSends the cookie over HTTPS only.\n"),
        ("CHANGELOG.md", "# 1.0\n- The validator of the memory cache is new.\n"),
    ])
}

/// Returns the best passages for a query, as path and first line.
fn found(query: &str) -> Vec<String> {
    let query = PassageQuery::parse(query).expect("no error");
    let documents = documents();
    let hits = documents.search(&documents.open(), &query, 10);
    hits.iter().map(|hit| format!("{}:{}", hit.path, hit.start_line)).collect()
}

fn error(query: &str) -> String {
    PassageQuery::parse(query).expect_err("an error").what().to_owned()
}

#[test]
fn a_plain_question_prefers_headings_and_word_forms() {
    assert_eq!(found("how do I write a validator")[0], "docs/validators.md:3");
    assert_eq!(found("installing redis")[0], "docs/cache.md:3");
}

#[test]
fn the_name_of_a_setting_matches_in_any_spelling() {
    for question in ["SESSION_COOKIE_SECURE", "session cookie secure", "sessionCookieSecure"] {
        assert_eq!(found(question)[0], "docs/settings.md:3", "{question}");
    }
}

#[test]
fn operators_combine_words() {
    assert_eq!(found("memory AND validator"), ["CHANGELOG.md:1"]);
    assert_eq!(found("redis OR https").len(), 2);
    assert_eq!(found("memory NOT validator"), ["docs/cache.md:6"]);
    assert_eq!(found("cache AND NOT (validator OR redis)"), ["docs/cache.md:6"]);
}

#[test]
fn a_phrase_a_prefix_and_a_similar_word_match() {
    assert_eq!(found("\"local memory cache\""), ["docs/cache.md:6"]);
    assert!(found("\"memory local\"").is_empty());
    assert_eq!(found("call*"), ["docs/validators.md:3"]);
    assert_eq!(found("reids~"), ["docs/cache.md:3"]);
}

#[test]
fn a_path_limits_the_files() {
    assert_eq!(found("memory path:docs/"), ["docs/cache.md:6"]);
    assert_eq!(found("memory NOT path:docs"), ["CHANGELOG.md:1"]);
    assert_eq!(found("path:docs/cache.md").len(), 2);
}

#[test]
fn a_plain_question_never_fails() {
    for question in
        ["what: is \"this", "(", "a) b (", "\"", "path: x", "*", "~", "HOW AND WHY", "C++ && D", "é \u{1f600}"]
    {
        PassageQuery::parse(question).expect("no error");
    }
    assert!(found("?!").is_empty());
    assert_eq!(found("the memory: \"")[0], "docs/cache.md:6");
}

#[test]
fn an_invalid_query_is_an_error_that_names_the_operator() {
    assert_eq!(error("cache AND"), "the query is invalid: AND has nothing after it");
    assert_eq!(error("OR cache"), "the query is invalid: OR has nothing before it");
    assert_eq!(error("cache AND (a OR b"), "the query is invalid: a parenthesis is not closed");
    assert_eq!(error("cache) AND a"), "the query is invalid: a closing parenthesis has no opening one");
    assert_eq!(error("cache AND \"a"), "the query is invalid: a quotation mark is not closed");
    assert_eq!(error("NOT cache"), "the query is invalid: it only excludes passages with NOT");
    assert!(error(&format!("a AND {}b", "(".repeat(60))).contains("too many parentheses"));
}
