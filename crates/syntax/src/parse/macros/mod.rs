//! Replaces macros that hide the structure of a file from the parser by spaces.
//!
//! The parser does not know what a macro stands for. A macro in place of an attribute
//! (`class EXPORT Session`, `) LIFETIME_BOUND {`, `char* nullable name`) makes it misread the
//! declaration, and often every declaration after it. Such a macro stands where the language allows
//! no name, so it can be recognized without its definition.
//!
//! - **Invariant:** the result has the length and the lines of the source text, so offsets remain
//!   valid.
//! - **Heuristic:** a macro is a word in capital letters, except after `*` and `&`, where no
//!   expression and no type contains two names in succession.
//! - **Cost:** one pass over the tokens; each looks at most [`MAX_AHEAD`] tokens ahead.

mod conditional;
mod decoration;
mod listed;
mod token;

use crate::lang::Macros;
use conditional::partial_branches;
use decoration::Decorations;
pub(super) use listed::without_listed;
use token::{Token, TokenKind, tokens};

/// Maximum number of tokens after a macro that determine whether it is replaced.
const MAX_AHEAD: usize = 200;

/// Returns the source text with spaces in place of macros and of branches of conditionals that are
/// no complete declarations; `None` if there are none.
pub(super) fn without_macros(macros: &Macros, source: &str) -> Option<String> {
    let mut text = Blanked { bytes: source.as_bytes().to_vec(), is_changed: false };
    let mut all = tokens(macros, source);
    let partial = partial_branches(source, &all);
    for (token, &is_partial) in all.iter().zip(&partial) {
        match token.kind {
            _ if is_partial => text.blank(token.start, token.end, ""),
            TokenKind::Directive => text.simplify_condition(source, *token),
            _ => {}
        }
    }
    let mut partial = partial.into_iter();
    all.retain(|_| !partial.next().unwrap_or(false));
    Decorations::new(source, &all).find(|start, end, by| text.blank(start, end, by));
    let bytes = text.is_changed.then_some(text.bytes)?;
    String::from_utf8(bytes).ok()
}

/// Returns the position of the closing parenthesis for each opening one; 0 for all other tokens.
fn closing(tokens: &[Token]) -> Vec<usize> {
    let (mut closing, mut open) = (vec![0; tokens.len()], Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        if token.is(b'(') {
            open.push(at);
        } else if token.is(b')')
            && let Some(start) = open.pop()
        {
            closing[start] = at;
        }
    }
    closing
}

/// Source text, part of which is replaced by spaces.
struct Blanked {
    bytes: Vec<u8>,
    is_changed: bool,
}

impl Blanked {
    /// Replaces a range by a shorter text and spaces. Line breaks remain.
    fn blank(&mut self, start: usize, end: usize, by: &str) {
        self.is_changed = true;
        let range = &mut self.bytes[start..end];
        range.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        range.iter_mut().zip(by.bytes()).for_each(|(byte, by)| *byte = by);
    }

    /// Replaces the condition of a directive if it contains a header's name, which the parser does
    /// not expect in `#if HAS_INCLUDE(<bit>)`.
    fn simplify_condition(&mut self, source: &str, token: Token) {
        let text = &source[token.start..token.end];
        let word = text.trim_start_matches(|c: char| c == '#' || c.is_whitespace());
        let Some(condition) = word.strip_prefix("elif").or_else(|| word.strip_prefix("if")) else { return };
        let names_header = || condition.contains("(<") || condition.contains("(\"");
        if condition.starts_with([' ', '\t', '(']) && names_header() {
            self.blank(token.end - condition.len(), token.end, " 1");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lang::Registry;

    /// Returns C++ text without macros, each line without trailing spaces and runs of spaces.
    fn repaired(source: &str) -> String {
        let registry = Registry::builtin().expect("languages");
        let all = registry.ids().filter_map(|id| registry.spec(id)?.macros.as_ref());
        let macros = all.into_iter().find(|macros| !macros.templates.is_empty()).expect("C++");
        let text = super::without_macros(macros, source).unwrap_or_else(|| source.to_owned());
        assert_eq!(text.len(), source.len());
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn removes_macros_in_place_of_attributes() {
        for (source, expected) in [
            ("class API_EXPORT Session {};", "class Session {};"),
            ("struct ALIGNED(8) Session : Base {};", "struct Session : Base {};"),
            ("EXPORT static int open();", "static int open();"),
            ("API int open();\nNO_RETURN API void fail();", "int open();\nvoid fail();"),
            ("EXPORT std::string name(int);", "std::string name(int);"),
            ("DEPRECATED(\"old\") Session* open();", "Session* open();"),
            (
                "int read() NOEXCEPT;\nint get() const BOUND { return 1; }",
                "int read() ;\nint get() const { return 1; }",
            ),
            ("class A { int size_ GUARDED_BY(mutex_) = 0; };", "class A { int size_ = 0; };"),
            ("void f(UNUSED int a, int b MAYBE_UNUSED);", "void f( int a, int b );"),
            ("char* nullable name(Node* nonnull a, int& RESTRICT b);", "char* name(Node* a, int& b);"),
            ("namespace a {\nBEGIN_NAMESPACE\nclass B;\nEND_NAMESPACE\n}", "namespace a {\n\nclass B;\n\n}"),
            ("int CALL open(int a) { return 0; }", "int open(int a) { return 0; }"),
            ("template <typename T, ENABLE_IF(is_number<T>())> T f();", "template <typename T, int > T f();"),
            ("void f() { if CONSTEXPR (a) return; }", "void f() { if (a) return; }"),
            ("DECLARE_FLAG(int, limit);\nint x;", "\nint x;".trim_start_matches(' ')),
            ("extern template class List<int>;\nint x;", "\nint x;"),
        ] {
            assert_eq!(repaired(source).trim_start_matches([' ', ';']), expected, "{source}");
        }
    }

    #[test]
    fn keeps_types_functions_and_values_in_capital_letters() {
        for source in [
            "BOOL open(HANDLE file, DWORD size);",
            "static BOOL Session::open(HANDLE file) { return FALSE; }",
            "PCRE::Arg PCRE::none((void*)NULL);",
            "class PCRE final { PCRE(int a); };",
            "FILE* file = OPEN(path);",
            "enum { FIRST };",
            "TEST(Session, Opens) { CHECK(a); int x = SIZE * width; }",
            "const SIZE x = LIMIT;",
            "void f() { RETURN_IF(a) return b; }",
            "int a = b * c & d;",
        ] {
            assert_eq!(repaired(source), source);
        }
    }

    #[test]
    fn keeps_first_branch_of_conditional_that_is_no_complete_declaration() {
        let source = "#ifdef A\nint f(int a) {\n#else\nint f() {\n#endif\n}\nint g(int a,\n#if B\nint b\n#endif\n);";
        assert_eq!(repaired(source), "\nint f(int a) {\n\n\n\n}\nint g(int a,\n\nint b\n\n);");
        let complete = "#ifdef A\nint f() {}\n#else\nint f(int a) {}\n#endif";
        assert_eq!(repaired(complete), complete);
    }

    #[test]
    fn takes_linear_time_on_repeated_openings() {
        for part in
            ["A ", "A(", "template ", "A<", "#if X\n(", "a::", "* b ", "A b<", "#if X\n#else\n{", "\"", "'", "/*"]
        {
            repaired(&part.repeat(100_000));
        }
    }
}
