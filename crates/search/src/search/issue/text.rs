//! Splits the text of an issue into its parts, line by line.
//!
//! - **Cost:** one pass over the text. A text has at most [`MAX_FRAMES`] frames and
//!   [`MAX_MENTIONS`] mentions; the rest count as words only.

use super::mention::{Mention, MentionPlace, mentions};
use super::trace::{TraceFrame, call_line, frame, panic_place};
use crate::search::weights::{ISSUE_LINES, ISSUE_PROSE, ISSUE_WORDS, TITLE_WORDS};
use rustc_hash::FxHashSet;

/// Maximum number of frames that are read.
const MAX_FRAMES: usize = 256;
/// Maximum number of distinct mentions that are looked up.
const MAX_MENTIONS: usize = 2_048;
/// Maximum length of a line in bytes: longer lines are data, and only their start is read.
const LONGEST_LINE: usize = 1 << 16;

/// Words of the headings that templates of issues have.
const TEMPLATE: &str = " a about actual additional an and any anything attempted behavior behaviour bug category checklist \
     checks code complete configuration confirm context current currently dependencies desired describe description \
     details else environment error example expected explanation extra feature finish for full give happened happens \
     have help how i if information info input installed is issue it last log logs message minimal minimum modified \
     motivation must my no not note of on operating or os other output outcome package packages platform please pr \
     prerequisites problem proposed provide question ran read relevant repro reproduce reproducible reproducing \
     reproduction request response result results run sample screenshots search self setup short site snippet solution \
     sources step steps stack stacktrace submission suggested summary system terminal test tested that the this to trace \
     traceback type url use used using version versions want was were what when where which why will with you your \
     pull modifications after before new fix fixes changes ";

/// Headings under which a list of versions follows.
const VERSIONS: [&str; 8] =
    ["version", "versions", "environment", "system", "dependencies", "platform", "setup", "installed"];

/// Starts of lines that interpreters and test runners print before the first useful line.
const BANNERS: [&str; 16] = [
    "Python 2.",
    "Python 3.",
    "[GCC",
    "[Clang",
    "[MSC",
    "Type \"help\"",
    "Type 'copyright'",
    "IPython ",
    "Type \"copyright\"",
    "platform ",
    "rootdir:",
    "plugins:",
    "collected ",
    "cachedir:",
    "node v",
    "npm ERR! node",
];

/// A long text, taken apart.
#[derive(Debug, Clone, Default)]
pub struct Issue {
    /// First line, or first sentence of a text without lines.
    pub title: String,
    /// The rest that counts as words: prose, code, messages and what the frames say.
    pub body: String,
    /// Error messages.
    pub messages: String,
    /// Frames of all stack traces; each trace begins with depth 0.
    pub frames: Vec<TraceFrame>,
    /// Names, files and lines that the text refers to.
    pub mentions: Vec<Mention>,
}

/// Sort of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Prose,
    Code,
    Frame,
    Message,
    Log,
    Dropped,
}

/// Checks whether a text describes a problem at length: many lines, many words, or code fences,
/// with some prose. A trace, a log or a list of names without prose is no issue.
pub fn is_issue(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let count = lines.clone().take(ISSUE_LINES).count();
    let words = text.split_whitespace().take(ISSUE_WORDS + 1).count();
    let has_fence = || count > 1 && lines.clone().any(|line| is_fence(line.trim()));
    if words <= ISSUE_WORDS && count < ISSUE_LINES && !has_fence() {
        return false;
    }
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.line(line));
    reader.prose_words >= ISSUE_PROSE
}

impl Issue {
    /// Takes a text apart.
    pub fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        let (title, rest) = title_and_rest(text);
        reader.mention(title, MentionPlace::Title);
        reader.issue.title = without_links(title);
        rest.lines().for_each(|line| reader.line(line));
        reader.finish()
    }
}

/// Reads the frames of the stack traces in a text, each trace with its innermost frame first.
pub(in crate::search) fn read_frames(text: &str) -> Vec<TraceFrame> {
    let mut reader = Reader::default();
    text.lines().for_each(|line| {
        reader.part(start_of(line, LONGEST_LINE));
    });
    reader.finish().frames
}

/// Returns the lines of a pasted trace that a program wrote about its error: those that are no
/// frames, no code below a frame, and no text that every trace has.
pub fn message_lines(text: &str) -> Vec<&str> {
    let mut is_in_trace = false;
    let is_message = |line: &&str| {
        let trimmed = line.trim();
        let is_place = frame(trimmed).is_some() || panic_place(trimmed).is_some() || call_line(trimmed).is_some();
        let is_code = is_in_trace && line.starts_with([' ', '\t']);
        is_in_trace = is_place || is_trace_start(trimmed) || is_code;
        !is_in_trace && !trimmed.is_empty()
    };
    text.lines().filter(is_message).map(|line| line.trim().trim_start_matches("E  ").trim_start()).collect()
}

/// Splits off the first line that has words, or, if it is long, its first sentence.
fn title_and_rest(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`' && c != '_' && c != '<');
    let end = text.find('\n').unwrap_or(text.len());
    let line = &text[..end];
    if line.split_whitespace().nth(TITLE_WORDS).is_none() {
        return (line.trim_end(), text.get(end..).unwrap_or_default());
    }
    let sentence = line.match_indices(['.', '?', '!', ':']).map(|(at, _)| at + 1);
    let sentence = sentence.filter(|&at| line[at..].starts_with(char::is_whitespace)).find(|&at| at > 20);
    let words: Vec<&str> = line.split_whitespace().take(TITLE_WORDS).collect();
    let cut = words.last().map_or(0, |last| last.as_ptr() as usize + last.len() - line.as_ptr() as usize);
    let end = sentence.filter(|&at| at <= cut).unwrap_or(cut);
    (&line[..end], &text[end..])
}

/// Reads lines one by one.
#[derive(Default)]
struct Reader {
    issue: Issue,
    /// True in a fenced block.
    is_fenced: bool,
    /// True in a comment of the template.
    is_comment: bool,
    /// True under a heading such as "Versions".
    is_version_list: bool,
    /// True after the start of a trace, before its message.
    is_trace: bool,
    /// Frames of the trace that is read.
    trace: Vec<TraceFrame>,
    /// Function in the line before, for formats with two lines per frame.
    function: Option<String>,
    /// Number of words in prose.
    prose_words: usize,
    known: FxHashSet<Mention>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let line = start_of(line, LONGEST_LINE);
        match self.part(line) {
            Line::Dropped => {}
            Line::Prose => {
                self.prose_words += line.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
                self.add(line, MentionPlace::Prose);
            }
            Line::Code | Line::Log => self.add(line, MentionPlace::Block),
            Line::Message => {
                self.issue.messages.push_str(line.trim());
                self.issue.messages.push('\n');
                self.add(line, MentionPlace::Message);
            }
            Line::Frame => {}
        }
    }

    /// Classifies a line, and ends the trace before it, if it is not a part of that.
    fn part(&mut self, line: &str) -> Line {
        let sort = self.sort(line);
        if !matches!(sort, Line::Frame | Line::Code) || !self.is_trace {
            self.end_trace();
        }
        sort
    }

    /// Classifies a line, and reads frames.
    fn sort(&mut self, line: &str) -> Line {
        let trimmed = line.trim();
        if self.in_comment(trimmed) || trimmed.is_empty() {
            return Line::Dropped;
        }
        if is_fence(trimmed) {
            self.is_fenced = !self.is_fenced;
            self.is_trace = false;
            return Line::Dropped;
        }
        if self.frame(trimmed) {
            return Line::Frame;
        }
        // The code of a frame, and the signs that mark a part of it.
        if self.is_trace && !self.trace.is_empty() && line.starts_with([' ', '\t']) {
            return Line::Code;
        }
        if is_trace_start(trimmed) {
            self.is_trace = true;
            return Line::Dropped;
        }
        if is_message(trimmed) {
            self.is_trace = false;
            return Line::Message;
        }
        if !self.is_fenced && self.is_template(trimmed) || is_banner(trimmed) {
            return Line::Dropped;
        }
        match () {
            () if is_log(trimmed) => Line::Log,
            () if self.is_fenced || is_code(line) => Line::Code,
            () if self.is_version_list || is_version(trimmed) => Line::Dropped,
            () => Line::Prose,
        }
    }

    /// Checks whether a line is within a comment of the template.
    fn in_comment(&mut self, line: &str) -> bool {
        if !self.is_fenced && line.starts_with("<!--") {
            self.is_comment = true;
        }
        let was = self.is_comment;
        self.is_comment &= !line.ends_with("-->");
        was
    }

    /// Checks whether a line is a heading or an empty answer of a template.
    fn is_template(&mut self, line: &str) -> bool {
        let is_heading =
            line.starts_with('#') && !line.starts_with("#!") || line.starts_with("**") && line.ends_with(['*', ':']);
        let is_label = line.ends_with(':') && line.split_whitespace().count() <= 6;
        let is_empty_answer = matches!(line, "_No response_" | "N/A" | "n/a" | "None" | "No response")
            || line.starts_with("(last modified by")
            || line.starts_with("- [") && line.get(4..5) == Some("]")
            || line.chars().all(|c| "-=*_~#| +:".contains(c));
        let words: Vec<String> = line
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .map(|word| word.trim_end_matches("'s").to_lowercase())
            .collect();
        let is_known = words.len() <= 12 && words.iter().all(|word| TEMPLATE.contains(&format!(" {word} ")));
        if is_heading {
            self.is_version_list = words.len() <= 5 && words.iter().any(|word| VERSIONS.contains(&word.as_str()));
        }
        is_empty_answer || is_known && (is_heading || is_label || words.len() <= 2)
    }

    /// Reads a line as a frame. Returns false if it is none.
    fn frame(&mut self, line: &str) -> bool {
        if let Some(found) = frame(line).or_else(|| panic_place(line)) {
            let is_panic = line.contains("panicked at ");
            self.is_trace = !is_panic;
            let function = self.function.take();
            if self.trace.len() < MAX_FRAMES {
                match (self.trace.last_mut(), found.continues) {
                    // The place of a frame whose function is in the line before.
                    (Some(last), true) if last.path.is_empty() && !last.function.is_empty() => {
                        (last.path, last.line) = (found.path, found.line);
                    }
                    _ => self.trace.push(TraceFrame {
                        function: function.filter(|_| found.continues).unwrap_or(found.function),
                        ..found
                    }),
                }
            }
            return !is_panic;
        }
        self.function = call_line(line);
        false
    }

    /// Adds the frames of a trace that has ended, the innermost first.
    fn end_trace(&mut self) {
        self.is_trace = false;
        let mut frames = std::mem::take(&mut self.trace);
        if frames.first().is_some_and(|frame| frame.is_innermost_last) {
            frames.reverse();
        }
        // What is typed at a prompt has no file.
        let is_file = |frame: &TraceFrame| !frame.path.starts_with('<');
        for (depth, raw) in frames.into_iter().filter(is_file).enumerate() {
            if self.issue.frames.len() >= MAX_FRAMES {
                return;
            }
            if depth < 3 {
                self.issue.body.push_str(&raw.function);
                self.issue.body.push('\n');
            }
            self.issue.frames.push(TraceFrame { depth, ..raw });
        }
    }

    fn add(&mut self, line: &str, place: MentionPlace) {
        self.mention(line, place);
        self.issue.body.push_str(&without_links(line));
        self.issue.body.push('\n');
    }

    fn mention(&mut self, line: &str, place: MentionPlace) {
        mentions(line, place, |mention| {
            if self.known.len() < MAX_MENTIONS && self.known.insert(mention.clone()) {
                self.issue.mentions.push(mention);
            }
        });
    }

    fn finish(mut self) -> Issue {
        self.end_trace();
        self.issue
    }
}

/// Returns the start of a text, at most this number of bytes.
pub(super) fn start_of(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or_default()]
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~") || line.starts_with("{{{") || line.starts_with("}}}")
}

fn is_trace_start(line: &str) -> bool {
    line.contains("Traceback (most recent call last)")
        || line.starts_with("goroutine ")
        || line.starts_with("stack backtrace:")
        || line.starts_with("During handling of the above exception")
        || line.starts_with("The above exception was the direct cause")
        || line.starts_with("... ") && line.ends_with(" more")
        || line.starts_with("note: run with `RUST_BACKTRACE")
}

/// Checks whether a line is an error message: a name that ends in `Error` or the like, and a colon,
/// or a common prefix.
fn is_message(line: &str) -> bool {
    let line = line.trim_start_matches("E   ").trim_start_matches("Caused by: ").trim_start();
    let line = line.trim_start_matches("Uncaught ").trim_start_matches("Exception in thread \"main\" ");
    let line = line.trim_start_matches("Unhandled exception. ");
    let prefixes =
        ["error:", "Error:", "error[", "fatal:", "panic:", "FATAL:", "ERROR:", "fatal error:", "PHP Fatal error:"];
    if prefixes.iter().any(|prefix| line.starts_with(prefix)) || line.contains("panicked at ") {
        return true;
    }
    let end = line.find(|c: char| !(c.is_alphanumeric() || "_.:\\$".contains(c))).unwrap_or(line.len());
    let name = line[..end].trim_end_matches(':');
    let is_error = ["Error", "Exception", "Warning", "Failure"].iter().any(|ending| name.ends_with(ending));
    let rest = &line[end..];
    is_error
        && name.len() > 5
        && (line[..end].ends_with(':') || rest.is_empty() && name.contains('.') || rest.starts_with(" ("))
}

/// Checks whether a line is one that a program logs: it starts with a time or a level.
fn is_log(line: &str) -> bool {
    let start = line.trim_start_matches(['[', '(']);
    let is_time = start.len() > 8 && {
        let bytes = start.as_bytes();
        bytes[..4].iter().all(u8::is_ascii_digit) && matches!(bytes[4], b'-' | b'/')
            || bytes[..2].iter().all(u8::is_ascii_digit) && bytes[2] == b':' && bytes[3].is_ascii_digit()
    };
    let levels = ["INFO", "DEBUG", "WARN", "ERROR", "TRACE", "FATAL"];
    is_time
        || levels.iter().any(|level| start.strip_prefix(level).is_some_and(|rest| rest.starts_with([' ', ':', ']'])))
}

fn is_code(line: &str) -> bool {
    let trimmed = line.trim_start();
    line.starts_with("    ")
        || line.starts_with('\t')
        || [">>> ", "... ", "In [", "Out[", "$ ", "> git "].iter().any(|prompt| trimmed.starts_with(prompt))
        || trimmed.ends_with(['{', ';', '}'])
}

fn is_banner(line: &str) -> bool {
    BANNERS.iter().any(|start| line.starts_with(start)) || line.starts_with("=====") || line.starts_with("-----")
}

/// Checks whether a short line gives the version of something: `Python: 3.6.0`, `numpy==1.2`.
fn is_version(line: &str) -> bool {
    let has_number = || {
        line.split(|c: char| !(c.is_alphanumeric() || c == '.')).any(|word| {
            let word = word.trim_start_matches('v');
            word.starts_with(|c: char| c.is_ascii_digit()) && word.trim_end_matches('.').contains('.')
        })
    };
    let is_short = line.split_whitespace().count() <= 8;
    let names =
        ["OS", "Python", "Version", "version", "Platform", "Operating", "Node", "Ruby", "Java", "PHP", "Go", "Browser"];
    let start = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_known = names.iter().any(|name| start.starts_with(name));
    is_short && has_number() && (line.contains("==") || line.contains(": ") || is_known) && !line.contains(['(', '`'])
}

/// Removes links, which name a site rather than code.
fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("http") {
        let (before, link) = rest.split_at(at);
        out.push_str(before);
        let is_link = link.starts_with("http://") || link.starts_with("https://");
        let length = if is_link { link.find([' ', ')', '>', ']', '"', '\t']).unwrap_or(link.len()) } else { 4 };
        out.push_str(if is_link { " " } else { "http" });
        rest = &link[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUE: &str = "\
Form loses its `prefix` when copied\n\
\n\
### Description\n\
\n\
<!-- Please read the rules\n\
before you write. -->\n\
Copying a form with `Form.copy()` loses the prefix, see https://example.org/zebra for why.\n\
The same happens in forms/widgets.py and with app.forms.renderers.\n\
\n\
### Versions\n\
Python: 3.6.0\n\
some library that is installed\n\
\n\
### Steps to reproduce\n\
```python\n\
Python 3.6.0 |Continuum Analytics\n\
>>> form = SignupForm(prefix='a')\n\
>>> form.copy()\n\
Traceback (most recent call last):\n\
  File \"<stdin>\", line 1, in <module>\n\
  File \"/usr/lib/app/forms/base.py\", line 88, in copy\n\
    return self._clone()\n\
  File \"/usr/lib/app/forms/base.py\", line 91, in _clone\n\
    return type(self)(self.data)\n\
TypeError: __init__() missing the prefix\n\
```\n\
_No response_\n";

    #[test]
    fn an_issue_is_taken_apart() {
        assert!(is_issue(ISSUE));
        let issue = Issue::read(ISSUE);
        assert_eq!(issue.title, "Form loses its `prefix` when copied");
        for dropped in ["rules", "zebra", "3.6.0", "Continuum", "library", "Steps", "response", "stdin"] {
            assert!(!issue.body.contains(dropped), "{dropped} in {}", issue.body);
        }
        for kept in ["loses the prefix", "SignupForm", "_clone", "missing the prefix"] {
            assert!(issue.body.contains(kept), "{kept} not in {}", issue.body);
        }
        assert_eq!(issue.messages.trim(), "TypeError: __init__() missing the prefix");
        let frames: Vec<(&str, usize)> =
            issue.frames.iter().map(|frame| (frame.function.as_str(), frame.depth)).collect();
        assert_eq!(frames, [("_clone", 0), ("copy", 1)], "the innermost first, and nothing typed at a prompt");
        let name = |name: &str, scope: &str, place| Mention::Name { name: name.into(), scope: scope.into(), place };
        for mention in [
            name("prefix", "", MentionPlace::Title),
            name("copy", "Form", MentionPlace::Inline),
            name("SignupForm", "", MentionPlace::Block),
            Mention::Path("forms/widgets.py".into()),
            Mention::Dotted("app.forms.renderers".into()),
        ] {
            assert!(issue.mentions.contains(&mention), "{mention:?} not in {:?}", issue.mentions);
        }
    }

    #[test]
    fn traces_of_two_lines_per_frame_are_read() {
        let frames = |text: &str| -> Vec<(String, String, Option<u32>)> {
            let issue = Issue::read(&format!("The title\n\n{text}"));
            issue.frames.into_iter().map(|frame| (frame.function, frame.path, frame.line)).collect()
        };
        let expected = |list: &[(&str, &str, u32)]| -> Vec<(String, String, Option<u32>)> {
            list.iter().map(|&(function, path, line)| (function.into(), path.into(), Some(line))).collect()
        };
        let go = "panic: index out of range\n\ngoroutine 1 [running]:\nmain.(*Parser).next(0xc0, 0x1)\n\t/src/app/parser.go:12 +0x1f\n\
                  main.main()\n\t/src/app/main.go:3 +0x2a\n";
        assert_eq!(
            frames(go),
            expected(&[("main.Parser.next", "/src/app/parser.go", 12), ("main.main", "/src/app/main.go", 3)])
        );
        let rust = "stack backtrace:\n   0: app::parser::next\n             at src/parser.rs:3:7\n   1: app::main\n             at ./src/main.rs:9:5\n";
        assert_eq!(frames(rust), expected(&[("app.parser.next", "src/parser.rs", 3), ("app.main", "src/main.rs", 9)]));
    }

    #[test]
    fn a_lint_log_is_no_trace() {
        let text = "The linter complains\n\nsrc/a.py:3:1: E501 line too long\nsrc/b.py:4:1: W291 whitespace\nWhy does it do that for these two files?\n";
        assert!(Issue::read(text).frames.is_empty());
    }

    #[test]
    fn short_questions_traces_and_logs_are_no_issues() {
        let trace = "Traceback (most recent call last):\n  File \"a.py\", line 1, in main\n    run()\n  File \"a.py\", line 3, in run\n    fail()\nValueError: no\n";
        let log = "2026-01-01 12:00:00 status half-configured\n".repeat(20);
        for text in
            ["", "which function renews the session", "split a date\nat its dashes\n", trace, &log, "```\ncode()\n```"]
        {
            assert!(!is_issue(text), "{text}");
        }
        assert!(is_issue("The session is not renewed when the clock changes\n```\nrenew()\n```\n"));
    }

    #[test]
    fn odd_texts_do_not_fail() {
        for text in [
            "\0\0\0",
            "```",
            "<!--",
            "``",
            "`",
            "\n\n\n",
            "File \"",
            "at (",
            "🦓".repeat(5_000).as_str(),
            "http",
            "a https://",
        ] {
            let _ = Issue::read(text);
        }
    }
}
