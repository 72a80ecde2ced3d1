//! Tests questions that are whole issues: titles, prose, code, traces (SPEC sections 2 and 3).

use crate::support::env::Env;

const FORMS: &str = "\
class Form:
    def copy(self):
        return self._clone()

    def _clone(self):
        return type(self)(self.data)


def run(form):
    return form.copy()
";

const TESTS: &str = "\
from app.forms import Form


def test_copy_of_a_form_keeps_the_prefix():
    assert Form(prefix='a').copy().prefix == 'a'
";

const MONEY: &str = "\
def round_coins(cents):
    \"\"\"Rounds an amount of money down to whole coins.\"\"\"
    return cents - cents % 5
";

const ISSUE: &str = "\
A copied form has no prefix

### Steps to reproduce

I wrote a test for it: the test copies a form, and the prefix is missing in the test.

```python
>>> Form(prefix='a').copy()
Traceback (most recent call last):
  File \"<stdin>\", line 1, in <module>
  File \"/usr/lib/python3/site-packages/app/forms.py\", line 3, in copy
    return self._clone()
  File \"/usr/lib/python3/site-packages/app/forms.py\", line 6, in _clone
    return type(self)(self.data)
TypeError: __init__() missing 1 required argument: 'prefix'
```
";

fn shop() -> Env {
    Env::with(&[("app/forms.py", FORMS), ("app/money.py", MONEY), ("tests/test_forms.py", TESTS)])
}

#[test]
fn an_issue_is_recognized_and_its_innermost_frame_comes_before_its_callers() {
    let shop = shop();
    shop.write("issue.md", ISSUE);
    let piped = shop.run_with(&["ask", "-", "--json"], |command| {
        command.write_stdin(ISSUE);
    });
    let piped = piped.found();
    assert_eq!(piped.json()["asked_as"], "issue");
    let names: Vec<String> = piped.json()["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| result["qualified_name"].as_str().expect("a name").to_owned())
        .collect();
    assert_eq!(names[0], "Form._clone", "{names:?}");
    let test = names.iter().position(|name| name.starts_with("test_"));
    assert!(test.is_none_or(|test| test > 1), "the word test does not ask for tests: {names:?}");
    // The same from a file, with and without a directory after it.
    for arguments in
        [&["ask", "--issue", "issue.md"][..], &["--issue", "issue.md", "."], &["ask", "--issue", "issue.md", "app"]]
    {
        assert!(shop.run(arguments).found().out.contains("_clone"), "{arguments:?}");
    }
}

#[test]
fn the_parts_of_a_score_for_an_issue_add_up() {
    let shop = shop();
    let text = shop.run_with(&["ask", "-", "--explain", "-k", "1"], |command| {
        command.write_stdin(ISSUE);
    });
    let text = text.found().out;
    assert!(text.contains("asked as issue"), "{text}");
    let numbers = |line: &str| line.split_whitespace().find_map(|word| word.parse::<f32>().ok());
    let score = text.lines().find(|line| line.contains("score ")).and_then(numbers).expect("a score");
    let parts: f32 = text.lines().filter(|line| line.trim_start().starts_with(['+', '-'])).filter_map(numbers).sum();
    assert!((score - parts).abs() < 0.1, "{score} is not {parts}: {text}");
    assert!(text.contains("names, files and frames in the text"), "{text}");
}

#[test]
fn a_short_text_in_a_file_is_an_issue_too() {
    let shop = shop();
    shop.write("issue.txt", "Wrong coins\n");
    let found = shop.run(&["ask", "--issue", "issue.txt", "--json"]).found();
    assert_eq!(found.json()["asked_as"], "issue");
    assert_eq!(found.json()["results"][0]["name"], "round_coins");
}

#[test]
fn bad_files_are_rejected() {
    let shop = shop();
    shop.write("empty.md", "");
    shop.write("binary.md", b"\x7fELF\x00\x00\x01");
    shop.write("latin.md", b"Gr\xfc\xdfe\n");
    shop.run(&["ask", "--issue", "empty.md"]).failed(&["question is empty"]);
    shop.run(&["ask", "--issue", "binary.md"]).failed(&["cannot read the issue in binary.md", "not text"]);
    shop.run(&["ask", "--issue", "latin.md"]).failed(&["cannot read the issue in latin.md", "not valid UTF-8"]);
    shop.run(&["ask", "--issue", "missing.md"]).failed(&["cannot read the issue in missing.md"]);
    shop.run(&["ask", "--issue", "empty.md", "which", "function"]).failed(&["the question is already in the file"]);
}

#[test]
fn only_the_start_of_a_huge_file_counts() {
    let shop = shop();
    shop.write("huge.md", format!("{ISSUE}{}", "what a long line of the same words\n".repeat(300_000)));
    let found = shop.run(&["ask", "--issue", "huge.md"]).found();
    assert!(found.out.contains("_clone"));
    found.stderr_contains(&["the question is too long"]);
}
