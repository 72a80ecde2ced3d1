//! What a server or a command said, as it stands in an error.

use crate::text;

/// Characters of it that are shown.
const SHOWN: usize = 300;

/// Words with single spaces, without control characters, and not too many.
pub(super) fn one_line(words: &str) -> String {
    let clean: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = text::one_line(&clean);
    match words.char_indices().nth(SHOWN) {
        Some(_) => words.chars().take(SHOWN - 1).chain(['…']).collect(),
        None => words,
    }
}
