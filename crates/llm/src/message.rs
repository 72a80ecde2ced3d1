//! Shortens the message of a server or a command for an error.

use whichfn_text as text;

/// Maximum number of characters to show.
const SHOWN: usize = 300;

/// Returns the words with single spaces, without control characters, and shortened if necessary.
pub(super) fn one_line(words: &str) -> String {
    let clean: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = text::one_line(&clean);
    match words.char_indices().nth(SHOWN) {
        Some(_) => words.chars().take(SHOWN - 1).chain(['…']).collect(),
        None => words,
    }
}
