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

#[test]
fn the_terms_of_a_whole_query_are_limited() {
    let words = |between: &str, count: usize| vec!["word"; count].join(between);
    let patterns = |mark: &str, between: &str| vec![format!("word{mark}"); 11].join(between);
    for query in [
        words(" AND ", 201),
        words(" OR ", 201),
        format!("{} AND model", words("-", 201)),
        format!("\"{}\" AND model", words(" ", 201)),
        format!("model AND NOT ({})", words(" ", 201)),
        format!("model AND {}", words("_", 201)),
        format!("({}) OR ({})", words(" ", 101), words(" ", 101)),
        vec!["path:docs"; 201].join(" "),
        patterns("~2", " AND "),
        patterns("*", " OR "),
        format!("model AND {}", " ".repeat(70_000)) + "b",
    ] {
        let shown = query.chars().take(30).collect::<String>();
        assert!(error(&query).starts_with("the query is invalid: it has more than 200 words and paths"), "{shown}");
    }
}

#[test]
fn a_plain_question_is_cut_at_the_same_limits() {
    let is_cut = |text: &str| PassageQuery::parse(text).expect("no error").is_cut();
    assert!(!is_cut(&"memory ".repeat(200)) && is_cut(&"memory ".repeat(201)));
    assert!(is_cut(&format!("\"{}\"", "memory ".repeat(201))) && is_cut(&vec!["memory"; 201].join("_")));
    assert!(!is_cut(&"mem* ".repeat(10)) && is_cut(&"mem* ".repeat(11)) && is_cut(&"memory~2 ".repeat(11)));
    assert!(is_cut(&("the ".repeat(20_000) + "memory")) && !is_cut(&("the ".repeat(10_000) + "memory")));
    assert_eq!(found(&("memory cache ".to_owned() + &"unknown ".repeat(300)))[0], "docs/cache.md:6");
}
