//! Shortens strings and paths to fit on one line of a message or an answer.
//!
//! Some modules have their own code for this on purpose, and their comments give the reason:
//! signatures (`parse`), server messages (`llm`) and summaries (`memwalk`) have their own rules for
//! where a line may end.

/// Joins the words of a string with single spaces so that it fits on one line. The result is empty
/// if the text has no words.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Shortens a string to its first `max_chars` characters, removes trailing spaces, and appends
/// `mark`. A string of at most `max_chars` characters is returned unchanged.
pub fn ellipsis(text: &str, max_chars: usize, mark: &str) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}{mark}", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Returns the longest prefix of a string that has at most `max_bytes` bytes and does not split a
/// character.
pub fn prefix(text: &str, max_bytes: usize) -> &str {
    let mut end = text.len().min(max_bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the part of a path after the last slash, or the whole path if it has no slash.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the number of directories between two files: 0 in the same directory, 1 if one of them is
/// a directory further down.
pub fn directories_between(a: &str, b: &str) -> usize {
    let directories = |path: &str| path.split('/').count() - 1;
    let shared = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
    let shared = shared.min(directories(a)).min(directories(b));
    directories(a) + directories(b) - 2 * shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_between_files_are_counted() {
        for (a, b, count) in
            [("a.rs", "a.rs", 0), ("a.rs", "b.rs", 0), ("x/a.rs", "b.rs", 1), ("x/y/a.rs", "x/z/a.rs", 2)]
        {
            assert_eq!((directories_between(a, b), directories_between(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn joins_lines_into_one() {
        assert_eq!(one_line("  one\n\ttwo   three\n"), "one two three");
        assert_eq!(one_line(" \n"), "");
    }

    #[test]
    fn ellipsis_counts_characters_and_marks_only_cut_text() {
        assert_eq!(ellipsis("größer", 6, "…"), "größer");
        assert_eq!(ellipsis("größer als", 7, "…"), "größer…");
        assert_eq!(ellipsis("größer", 3, "..."), "grö...");
        assert_eq!(ellipsis("a", 0, "…"), "…");
    }

    #[test]
    fn prefix_counts_bytes_and_ends_at_a_character_boundary() {
        assert_eq!(prefix("größer", 3), "gr");
        assert_eq!(prefix("größer", 4), "grö");
        assert_eq!(prefix("größer", 99), "größer");
    }

    #[test]
    fn file_name_is_the_last_part_of_a_path() {
        assert_eq!(file_name("src/text/mod.rs"), "mod.rs");
        assert_eq!(file_name("mod.rs"), "mod.rs");
        assert_eq!(file_name("src/"), "");
    }
}
