//! Reads the frames of stack traces as they are pasted into issues.
//!
//! | Format | Frame |
//! |---|---|
//! | Python | `File "a/b.py", line 3, in f`, `File a/b.py:3, in f(x)`, `a/b.py in f(x)` |
//! | pytest | `a/b.py:3: in f` |
//! | Java, Kotlin, Scala | `at com.a.Parser.next(Parser.java:120)` |
//! | Node.js | `at Parser.next (/a/b.js:10:5)`, `at /a/b.js:10:5` |
//! | C# | `at Name.Parser.Next(String text) in C:\a\Parser.cs:line 12` |
//! | Go | `main.(*Parser).next(0x1)`, and in the next line `/a/b.go:12 +0x1f` |
//! | Rust | `panicked at src/a.rs:3:7`, `3: crate::parser::next`, and in the next line `at src/a.rs:3:7` |
//! | Ruby | `a/b.rb:12:in 'next'` |
//! | PHP | `#0 /a/b.php(12): Parser->next()` |
//! | C, C++ | `#1 0x0 in next (p=0x0) at a/b.c:12`, `#1 0x0 in next a/b.c:12:3`, `by 0x0: next (b.c:12)` |

/// One line of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceFrame {
    /// Path as written, with slashes; empty if the frame has none.
    pub path: String,
    /// 1-based line number.
    pub line: Option<u32>,
    /// Name of the function, with dots between its parts; empty if the frame has none.
    pub function: String,
    /// Distance from the frame where the error occurred: 0 for that frame.
    pub depth: usize,
    /// True for formats that list the innermost frame last.
    pub(in crate::search) is_innermost_last: bool,
    /// True if the function is in the line before, which has no path.
    pub(in crate::search) continues: bool,
}

impl TraceFrame {
    fn new(path: &str, line: Option<u32>, function: &str) -> Self {
        let path = path.trim().trim_start_matches("file://").replace('\\', "/");
        let path = path.trim_start_matches("./").trim_start_matches("~/").to_owned();
        Self { path, line, function: function_name(function), ..Self::default() }
    }

    fn last(self) -> Self {
        Self { is_innermost_last: true, ..self }
    }
}

/// Reads a line as a frame. Returns `None` if it is none.
pub(in crate::search) fn frame(line: &str) -> Option<TraceFrame> {
    let line = line.trim();
    // Valgrind begins each line with the process.
    let line = line.strip_prefix("==").and_then(|rest| rest.split_once("== ")).map_or(line, |(_, rest)| rest.trim());
    python(line)
        .or_else(|| valgrind(line))
        .or_else(|| at_frame(line))
        .or_else(|| numbered(line))
        .or_else(|| in_frame(line))
        .or_else(|| go(line))
}

/// `File "a/b.py", line 3, in f`, `File a/b.py:3, in f(x)` and `a/b.py in f(x)`.
fn python(line: &str) -> Option<TraceFrame> {
    if let Some(rest) = line.split_once("File \"").filter(|(before, _)| before.len() < 4).map(|(_, rest)| rest) {
        let (path, rest) = rest.split_once("\", line ")?;
        let function = rest.split_once(", in ").map_or("", |(_, name)| name);
        return Some(TraceFrame::new(path, leading_number(rest), function).last());
    }
    if let Some(rest) = line.strip_prefix("File ") {
        let (place, function) = rest.split_once(", in ").unwrap_or((rest, ""));
        let (path, line) = place.rsplit_once(':')?;
        return Some(TraceFrame::new(path, Some(leading_number(line)?), function).last()).filter(|_| is_file(path));
    }
    let (path, rest) = line.split_once(" in ")?;
    let is_call = rest.ends_with(')') && rest.split_once('(').is_some_and(|(name, _)| is_name(name));
    (is_call && is_file(path)).then(|| TraceFrame::new(path, None, rest).last())
}

/// `at com.a.Parser.next(Parser.java:120)`, `at next (/a/b.js:10:5)`, `at /a/b.js:10:5` and
/// `at Parser.Next(String text) in C:\a\Parser.cs:line 12`.
fn at_frame(line: &str) -> Option<TraceFrame> {
    let rest = line.strip_prefix("at ")?;
    if let Some((function, place)) = rest.rsplit_once(" in ")
        && let Some((path, number)) = place.rsplit_once(":line ")
    {
        return Some(TraceFrame::new(path, leading_number(number), function));
    }
    if let Some((function, place)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        let function = function.trim().trim_start_matches("async ").trim_start_matches("new ");
        let place_of = place_in(place).filter(|(path, _)| is_file(path));
        return match place_of {
            Some((path, line)) => Some(TraceFrame::new(path, line, function)),
            // `at a.B.c(Native Method)`, and C# without files.
            None => is_name(function).then(|| TraceFrame::new("", None, function)),
        };
    }
    let (path, line) = place_in(rest).filter(|(path, line)| is_file(path) && line.is_some())?;
    Some(TraceFrame { continues: true, ..TraceFrame::new(path, line, "") })
}

/// `by 0x125D30: next (b.c:12)`.
fn valgrind(line: &str) -> Option<TraceFrame> {
    let (_, rest) = line.strip_prefix("at 0x").or_else(|| line.strip_prefix("by 0x"))?.split_once(": ")?;
    let (function, place) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let (path, line) = place_in(place).unwrap_or(("", None));
    Some(TraceFrame::new(path, line, function))
}

/// `#0 /a/b.php(12): Parser->next()`, `#1 0x0 in next (p=0x0) at a/b.c:12` and
/// `3: crate::parser::next`.
fn numbered(line: &str) -> Option<TraceFrame> {
    let rest = line.strip_prefix('#').unwrap_or(line);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let is_hash = line.starts_with('#');
    let rest = &rest[digits..];
    if !is_hash {
        let function = rest.strip_prefix(": ")?.trim();
        let function = function.strip_prefix("0x").and_then(|rest| rest.split_once(" - ")).map_or(function, |it| it.1);
        return (function.contains("::") && is_name(function.split('(').next()?))
            .then(|| TraceFrame::new("", None, function));
    }
    let rest = rest.trim_start();
    if let Some((place, function)) = rest.split_once("): ") {
        let (path, number) = place.rsplit_once('(')?;
        return Some(TraceFrame::new(path, leading_number(number), function)).filter(|_| is_file(path));
    }
    let rest = rest.strip_prefix("0x").and_then(|rest| rest.split_once(" in ")).map_or(rest, |(_, rest)| rest);
    let (function, place) = match rest.rsplit_once(" at ") {
        Some(both) => both,
        None => rest.rsplit_once(' ')?,
    };
    let (path, line) = place_in(place).filter(|(path, line)| is_file(path) && line.is_some())?;
    Some(TraceFrame::new(path, line, function))
}

/// `a/b.rb:12:in 'next'` and `a/b.py:3: in f`.
fn in_frame(line: &str) -> Option<TraceFrame> {
    let line = line.trim_start_matches("from ");
    let (place, function, is_last) = match line.split_once(":in ") {
        Some((place, function)) => (place, function, false),
        None => line.split_once(": in ").map(|(place, function)| (place, function, true))?,
    };
    let (path, number) = place.rsplit_once(':')?;
    let function = function.trim_matches(['`', '\'', '"']).split(['\'', '"']).next()?;
    let function = function.trim_start_matches("block in ").trim_start_matches("rescue in ");
    let found = TraceFrame::new(path, Some(number.parse().ok()?), function);
    (is_file(path) && !path.contains(' ')).then_some(TraceFrame { is_innermost_last: is_last, ..found })
}

/// The second line of a Go frame: `/a/b.go:12 +0x1f`. The first line has the function.
fn go(line: &str) -> Option<TraceFrame> {
    let (place, offset) = line.rsplit_once(" +0x")?;
    let (path, line) = place_in(place)?;
    let is_offset = offset.bytes().all(|b| b.is_ascii_hexdigit());
    (is_offset && is_file(path)).then(|| TraceFrame { continues: true, ..TraceFrame::new(path, line, "") })
}

/// Returns the path and the line in `a/b.js:10:5`, `a.java:10` and `panicked at 'x', a.rs:3:7`.
pub(super) fn panic_place(line: &str) -> Option<TraceFrame> {
    let (_, rest) = line.split_once("panicked at ")?;
    let place = rest.rsplit([' ', ',']).next()?.trim_end_matches(':');
    let (path, line) = place_in(place).filter(|(path, line)| is_file(path) && line.is_some())?;
    Some(TraceFrame::new(path, line, ""))
}

/// Splits `path:line` and `path:line:column`.
pub(in crate::search) fn place_in(place: &str) -> Option<(&str, Option<u32>)> {
    let place = place.trim();
    let (before, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match before.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<u32>().ok()?))) {
        Some((path, line)) => Some((path, Some(line))),
        None => Some((before, Some(last))),
    }
}

/// Reads a Go or C function line: `main.(*Parser).next(0xc000, 0x1)`.
pub(super) fn call_line(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches("created by ");
    let (name, arguments) = line.rsplit_once('(')?;
    let is_alone = arguments.ends_with(')') && !name.contains(' ') && name.contains('.');
    (is_alone && name.len() < 300).then(|| function_name(name))
}

/// Reduces a function as a trace writes it to its name, with dots between its parts.
fn function_name(written: &str) -> String {
    let written = written.trim();
    let end = written.find(|c: char| c == ' ' || c == '[' || c == '<' && !written.starts_with('<'));
    let written = &written[..end.unwrap_or(written.len())];
    // `(*Parser)` is a receiver; any other parenthesis begins the arguments.
    let written = written.replace("(*", "").replace(").", ".");
    let written = written.split('(').next().unwrap_or_default();
    let name = written.replace("::", ".").replace("->", ".").replace('#', ".").replace(['$', '/', '\\'], ".");
    // A hash that a compiler adds, and parts that are no names.
    let is_hash =
        |part: &str| part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|b| b.is_ascii_hexdigit());
    let is_part = |part: &&str| !part.is_empty() && !is_hash(part) && !part.starts_with(['<', '{']);
    let parts: Vec<&str> = name.split('.').filter(is_part).collect();
    parts.join(".")
}

/// Returns the number that a text begins with.
fn leading_number(text: &str) -> Option<u32> {
    text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())].parse().ok()
}

/// Checks whether a text is a path with a file name that has an ending of 1 to 5 letters or digits.
pub(in crate::search) fn is_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
            && ending.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.:$<>#/@-".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (String, Option<u32>, String) {
        let found = frame(line).unwrap_or_else(|| panic!("no frame: {line}"));
        (found.path, found.line, found.function)
    }

    #[test]
    fn reads_frames_of_many_languages() {
        let cases = [
            ("  File \"/usr/lib/app/views.py\", line 88, in login", "/usr/lib/app/views.py", 88, "login"),
            ("File ~/app/views.py:88, in View.login(self)", "app/views.py", 88, "View.login"),
            ("src/app/views.py:88: in login", "src/app/views.py", 88, "login"),
            ("\tat com.a.Parser.next(Parser.java:120)", "Parser.java", 120, "com.a.Parser.next"),
            ("at async Parser.next (file:///a/b.js:10:5)", "/a/b.js", 10, "Parser.next"),
            ("    at /a/b.ts:10:5", "/a/b.ts", 10, ""),
            (
                r"   at Name.Parser.Next(String text) in C:\a\Parser.cs:line 12",
                "C:/a/Parser.cs",
                12,
                "Name.Parser.Next",
            ),
            ("\t/a/b.go:12 +0x1f", "/a/b.go", 12, ""),
            ("lib/a/b.rb:12:in `next'", "lib/a/b.rb", 12, "next"),
            ("from lib/a/b.rb:12:in 'Parser#next'", "lib/a/b.rb", 12, "Parser.next"),
            ("#0 /a/b.php(12): Name\\Parser->next()", "/a/b.php", 12, "Name.Parser.next"),
            ("#1  0x00007f in next (p=0x0) at src/b.c:12", "src/b.c", 12, "next"),
            ("    #1 0x4f in next /a/src/b.c:12:3", "/a/src/b.c", 12, "next"),
            ("==7==    by 0x125D30: next (b.c:12)", "b.c", 12, "next"),
            ("             at ./src/a.rs:3:7", "src/a.rs", 3, ""),
        ];
        for (line, path, number, function) in cases {
            assert_eq!(read(line), (path.to_owned(), Some(number), function.to_owned()), "{line}");
        }
        assert_eq!(
            read("   3: app::parser::next::h0123456789abcdef"),
            (String::new(), None, "app.parser.next".to_owned())
        );
        assert_eq!(read("~/app/views.py in login(self, name)"), ("app/views.py".to_owned(), None, "login".to_owned()));
        assert_eq!(call_line("main.(*Parser).next(0xc000, 0x1)").as_deref(), Some("main.Parser.next"));
        let panic = panic_place("thread 'main' panicked at src/a.rs:3:7:").expect("a place");
        assert_eq!((panic.path.as_str(), panic.line), ("src/a.rs", Some(3)));
    }

    #[test]
    fn prose_is_no_frame() {
        for line in [
            "at the end of the file",
            "File a bug",
            "it fails in a loop",
            "1: first",
            "#12 is related",
            "at 3:4",
            "keep the ratio 3:4",
            "look at a.py",
            "src/a.py:3:1: E501 line too long",
            "in :in:",
            "#",
            "at ",
            "at (",
            "#1 0x",
        ] {
            assert!(frame(line).is_none(), "{line}");
        }
    }
}
