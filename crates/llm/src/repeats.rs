//! Detects a reply that repeats itself. Small models often write the same words until they reach a
//! token limit.
//!
//! **Cost:** the end of the reply is compared with itself once for every [`CHECKED_EVERY`] new
//! bytes.
//!
//! **Differs from** penalties for repetition, which servers offer under different names: they
//! change every reply, also those that repeat a word for a good reason.

/// Number of new bytes after which the end of a reply is checked again.
const CHECKED_EVERY: usize = 64;
/// Maximum length of the repeated part in bytes: a few lines.
const LONGEST_PART: usize = 512;
/// Number of times that a part must occur in a row.
const TIMES: usize = 6;
/// Number of times that a part must occur in a row if only its numbers differ, as in a model that
/// counts. A list of keys with numbers is shorter.
const COUNTED_TIMES: usize = 24;
/// Minimum number of bytes that all repetitions have together. A row of blanks, of signs, or of
/// equal list items is shorter.
const SHORTEST: usize = 400;

/// A check for repetitions at the end of a growing text.
#[derive(Debug, Default)]
pub(super) struct RepetitionCheck {
    checked_to: usize,
}

impl RepetitionCheck {
    /// Returns the length of the text without its repetitions if the text ends with the same part
    /// over and over; otherwise `None`. The first two occurrences are kept.
    pub fn end_without_repetitions(&mut self, text: &str) -> Option<usize> {
        if text.len() < self.checked_to + CHECKED_EVERY {
            return None;
        }
        self.checked_to = text.len();
        let mut end = kept(text.as_bytes(), TIMES).or_else(|| {
            let (signs, offsets) = without_numbers(text.as_bytes());
            kept(&signs, COUNTED_TIMES).map(|end| offsets[end])
        })?;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Some(end)
    }
}

/// Returns the length of the bytes with only the first two of the repetitions at their end.
fn kept(bytes: &[u8], times: usize) -> Option<usize> {
    (1..=LONGEST_PART).find_map(|part| {
        let same = bytes.iter().rev().zip(bytes.iter().rev().skip(part)).take_while(|(a, b)| a == b).count();
        let length = same + part;
        (length >= SHORTEST.max(times * part)).then(|| bytes.len() - length + 2 * part)
    })
}

/// Replaces each number by one digit. Also returns the offset of each remaining byte.
fn without_numbers(bytes: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let is_inside = |at: usize| at > 0 && bytes[at].is_ascii_digit() && bytes[at - 1].is_ascii_digit();
    let offsets: Vec<usize> = (0..bytes.len()).filter(|&at| !is_inside(at)).collect();
    let signs = offsets.iter().map(|&at| if bytes[at].is_ascii_digit() { b'0' } else { bytes[at] }).collect();
    (signs, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn end(text: &str) -> Option<usize> {
        RepetitionCheck::default().end_without_repetitions(text)
    }

    #[test]
    fn keeps_two_occurrences_of_a_repeated_part() {
        let text = format!("The answer is f3.\n{}", "<|im_start|>user\n".repeat(40));
        assert_eq!(end(&text).map(|end| &text[..end]), Some("The answer is f3.\n<|im_start|>user\n<|im_start|>user"));
        let list = format!("{{\"certain\": [{}", "\"f1\", \"f2\", ".repeat(50));
        assert_eq!(end(&list).map(|end| &list[..end]), Some("{\"certain\": [\"f1\", \"f2\", \"f1\", \"f2\", "));
        let counted: String = (18..90).map(|n| format!("\"f{n}\", ")).collect();
        let cut = end(&counted).map(|end| &counted[..end]);
        assert_eq!(cut, Some("\"f18\", \"f19\", "), "a model that counts");
        assert!(end(&" \n".repeat(300)).is_some(), "blanks that a grammar allows without end");
        assert!(end(&"é".repeat(300)).is_some());
    }

    #[test]
    fn accepts_what_replies_repeat_for_a_reason() {
        let note = |n: usize| format!("{{\"path\": \"$.candidate_functions['f{n}']\", \"operation\": \"add\"}}\n");
        assert_eq!(end(&(0..20).map(note).collect::<String>()), None);
        assert_eq!(end(&format!("{}\n", "-".repeat(120))), None);
        assert_eq!(end(&"null, ".repeat(40)), None);
        let keys: String = (1..20).map(|n| format!("  \"function_{n}\",\n")).collect();
        assert_eq!(end(&keys), None);
        assert_eq!(end(""), None);
    }

    proptest! {
        /// The result is a prefix of the text, for any text.
        #[test]
        fn returns_a_prefix(start in ".{0,80}", part in ".{1,20}", times in 0..200usize) {
            let text = start + &part.repeat(times);
            if let Some(end) = end(&text) {
                prop_assert!(text.get(..end).is_some());
            }
        }
    }
}
