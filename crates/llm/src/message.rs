//! Shortens messages from servers and commands for use in an error.

use whichfn_text as text;

/// Maximum number of characters of a message that are shown.
const SHOWN: usize = 300;

/// Joins the words of a message with single spaces, removes control characters, and shortens the
/// result if necessary.
pub(super) fn one_line(words: &str) -> String {
    let clean: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = text::one_line(&clean);
    match words.char_indices().nth(SHOWN) {
        Some(_) => words.chars().take(SHOWN - 1).chain(['…']).collect(),
        None => words,
    }
}
