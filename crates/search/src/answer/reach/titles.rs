//! The title of a test that is an anonymous function: the string that the call around it passes.

/// Maximum length in characters of a title.
const LONGEST: usize = 200;

/// Maximum length in bytes of a call up to its function; the title of a longer one is unknown. A list
/// may contain thousands of functions, and the text up to each of them is read.
const LONGEST_CALL: usize = 50_000;

/// Number of characters at the end of a longer call that show the brackets around its function.
const LAST_CHARACTERS: usize = 200;

/// Maximum length of what precedes the quote of a string: `r'..'`, `String.raw`.
const LONGEST_PREFIX: usize = 10;

/// Returns the parts of the name that a call begins with: `test` and `only` in `test.only("..")`.
pub(super) fn callee_words(call: &str) -> Vec<String> {
    let call = call.trim_start_matches('@'); // a macro
    call[..callee_length(call)].split('.').map(str::to_owned).collect()
}

fn callee_length(call: &str) -> usize {
    call.find(|c: char| !c.is_alphanumeric() && !"_$.".contains(c)).unwrap_or(call.len())
}

/// Returns the string that a call passes first. The text of the call ends where its function begins.
/// Only the last list of arguments counts: `it.each([["a", 1]])("adds %s", `. Words before the
/// string do not count: `TEST_CASE_METHOD(Fixture, "adds") `, `it should "add" in `. If a string
/// begins the call, the title is the last one: `"A sum" should "be positive" in `.
pub(super) fn title(call: &str) -> Option<String> {
    if call.len() > LONGEST_CALL {
        return None;
    }
    if call.starts_with('"') {
        return outer_strings(call).last().map(|&at| string(&call[at..]));
    }
    let mut argument = match last_arguments(call) {
        Some(at) => call[at..].trim_start(),
        None => call[callee_length(call)..].trim_start().trim_start_matches(|c: char| c.is_alphanumeric()).trim_start(),
    };
    while let Some((word, rest)) = argument.split_once(',')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
    {
        argument = rest.trim_start();
    }
    if let Some(long) = argument.strip_prefix("[[") {
        return Some(long.split("]]").next().unwrap_or(long).chars().take(LONGEST).collect());
    }
    let quote = argument.find(['"', '\'', '`'])?;
    let is_prefix = |c: char| c.is_alphanumeric() || ".@".contains(c);
    if quote > LONGEST_PREFIX || !argument[..quote].chars().all(is_prefix) {
        return None;
    }
    Some(string(&argument[quote..]))
}

/// Checks whether a function behind the text is an argument of the call by itself, and not a part of
/// an argument: in `it.each([() => 1])`, the function is not a test.
pub(super) fn ends_before_argument(call: &str) -> bool {
    let mut open = Vec::new();
    if call.len() > LONGEST_CALL {
        return innermost_bracket(call) == Some('(');
    }
    scan(call, |_, c, depth| {
        open.truncate(depth);
        open.extend("([{".contains(c).then_some(c));
    });
    !matches!(open.last(), Some('[' | '{'))
}

/// Returns the innermost open bracket before the end of a long call, as far as its last characters
/// show it.
fn innermost_bracket(call: &str) -> Option<char> {
    let mut closed = 0;
    call.chars().rev().take(LAST_CHARACTERS).find(|&c| {
        let (opens, closes) = ("([{".contains(c), ")]}".contains(c));
        let is_it = opens && closed == 0;
        closed += usize::from(closes);
        closed -= usize::from(opens && !is_it);
        is_it
    })
}

/// Returns the name in an object that describes a test: `{ name: "adds", fn: () => .. }`.
pub(super) fn title_in_object(object: &str) -> Option<String> {
    let value = object.strip_prefix('{')?.trim_start().strip_prefix("name:")?.trim_start();
    value.starts_with(['"', '\'', '`']).then(|| string(value))
}

/// Returns the offsets of the strings of a call that are not in brackets.
fn outer_strings(call: &str) -> Vec<usize> {
    let mut found = Vec::new();
    scan(call, |at, c, depth| found.extend((depth == 0 && c == '"').then_some(at)));
    found
}

/// Returns the offset of the last list of arguments of a call.
fn last_arguments(call: &str) -> Option<usize> {
    let mut found = None;
    scan(call, |at, c, depth| {
        if depth == 0 && c == '(' {
            found = Some(at + 1);
        }
    });
    found
}

/// Passes each sign outside strings, and the quote that begins each string, to `see`, with its
/// offset and the number of brackets that are open before it, without the one that it closes.
fn scan(call: &str, mut see: impl FnMut(usize, char, usize)) {
    let (mut depth, mut quote, mut is_escaped) = (0_usize, None, false);
    for (at, c) in call.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (_, '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, c) => {
                depth = if ")]}".contains(c) { depth.saturating_sub(1) } else { depth };
                see(at, c, depth);
                match c {
                    '"' | '\'' | '`' => quote = Some(c),
                    '(' | '[' | '{' => depth += 1,
                    _ => {}
                }
            }
        }
    }
}

/// Returns the value of a string that begins with its quote.
fn string(text: &str) -> String {
    let mut chars = text.chars();
    let quote = chars.next();
    let (mut found, mut is_escaped) = (String::new(), false);
    for c in chars.take(LONGEST) {
        match c {
            '\\' if !is_escaped => is_escaped = true,
            c if Some(c) == quote && !is_escaped => break,
            c => {
                found.push(match c {
                    'n' | 'r' | 't' if is_escaped => ' ',
                    c => c,
                });
                is_escaped = false;
            }
        }
    }
    found
}

#[cfg(test)]
mod unit_tests {
    use super::{callee_words, ends_before_argument, title, title_in_object};

    #[test]
    fn call_around_an_anonymous_test_has_its_title() {
        assert_eq!(callee_words("test.only(\"adds\", "), ["test", "only"]);
        assert_eq!(callee_words("it \"adds\" "), ["it"]);
        assert_eq!(callee_words("@testset \"adds\" begin"), ["testset"]);
        assert_eq!(callee_words("\"adds\" "), [""]);
        for (call, expected) in [
            ("it('does n\\'t', ", Some("does n't")),
            ("it \"adds\", :slow ", Some("adds")),
            ("test(\"adds (1)\") ", Some("adds (1)")),
            ("it.each([['a', 1]])('row %s', ", Some("row %s")),
            ("it.each(['('])(`row ${1}`, ", Some("row ${1}")),
            ("test.each`\n  a | b\n  ${1} | ${')'}\n`('adds $a', ", Some("adds $a")),
            ("test.each(table)(String.raw`a`, ", Some("a")),
            ("test(r'adds', ", Some("adds")),
            ("it(@\"adds\", ", Some("adds")),
            ("it([[adds]], ", Some("adds")),
            ("TEST_CASE_METHOD(Fixture, \"adds\", \"[tag]\") ", Some("adds")),
            ("it \"adds\" $ ", Some("adds")),
            ("it should \"add\" in ", Some("add")),
            ("\"A sum\" should \"be positive\" in ", Some("be positive")),
            ("\"adds\".config(tags = setOf(\"slow\")) ", Some("adds")),
            ("test(\"adds\".tag(Slow)) ", Some("adds")),
            ("it(name, ", None),
            ("it(names['adds'], ", None),
            ("it(", None),
        ] {
            assert_eq!(title(call).as_deref(), expected, "{call}");
        }
        assert_eq!(title(&format!("it.each([{}])('adds', ", "1, ".repeat(20_000))), None);
        assert_eq!(title_in_object("{ name: 'adds', fn() {} }").as_deref(), Some("adds"));
        assert_eq!(title_in_object("{ fn() {} }"), None);
    }

    #[test]
    fn function_in_a_list_is_not_an_argument() {
        for call in ["it('adds', ", "it.each([['a', 1]])('row %s', ", "it ", "it('[', "] {
            assert!(ends_before_argument(call), "{call}");
        }
        for call in ["it.each([() => 1, ", "it.each({ a: "] {
            assert!(!ends_before_argument(call), "{call}");
        }
    }
}
