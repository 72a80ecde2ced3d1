//! The direction of a conversion, that is, its source and its target, as a question or a name
//! states it. The strings `json string into an object` and `to_json` share a word but describe
//! opposite conversions.

use super::stem::Stemmer;
use super::stop::is_stop_word;
use super::words::{plain_words, split_identifier};

/// Words that precede the target of a conversion.
const TO: &[&str] = &["into", "to", "as"];
/// The word that precedes the source of a conversion.
const FROM: &str = "from";
/// First words of names in which the source follows: `parse_json`.
const READING: &[&str] = &["parse", "decode", "deserialize", "unmarshal", "load", "read"];
/// First words of names in which the target follows: `encode_json`.
const WRITING: &[&str] = &["encode", "serialize", "marshal", "dump", "stringify", "render", "write", "format"];
/// Maximum number of words that are read before or after a direction word.
const WORDS: usize = 3;

/// The source and target of a conversion, as stems. Either may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversion {
    source: Vec<String>,
    target: Vec<String>,
}

impl Conversion {
    /// Returns the conversion that a question describes, or an empty one if it describes none.
    pub fn from_question(text: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        plain_words(text, |word| words.push(word.to_owned()));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Self::from_words(&words)
    }

    /// Returns the conversion that a name describes, or an empty one if it describes none.
    pub fn from_name(name: &str) -> Self {
        let words = split_identifier(name);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let conversion = Self::from_words(&words);
        match words.split_first() {
            Some((first, rest)) if conversion == Self::default() && READING.contains(first) => {
                Self { source: stems(rest.iter()), target: Vec::new() }
            }
            Some((first, rest)) if conversion == Self::default() && WRITING.contains(first) => {
                Self { source: Vec::new(), target: stems(rest.iter()) }
            }
            _ => conversion,
        }
    }

    fn from_words(words: &[&str]) -> Self {
        let from = words.iter().position(|&word| word == FROM);
        // "into" is clearer than "to", which may precede any verb.
        let to = TO.iter().find_map(|to| words.iter().rposition(|word| word == to));
        let content_stems = |from: usize, until: usize| {
            stems(words.get(from..until).unwrap_or_default().iter().filter(is_content_word))
        };
        let after =
            |at: usize| content_stems(at + 1, to.filter(|&to| to > at).unwrap_or(words.len()).min(at + 1 + WORDS));
        let before = |at: usize| content_stems(at.saturating_sub(WORDS), at);
        match (from, to) {
            (Some(from), Some(to)) => {
                Self { source: after(from), target: content_stems(to + 1, (to + 1 + WORDS).min(words.len())) }
            }
            (Some(from), None) => Self { source: after(from), target: before(from) },
            (None, Some(to)) => {
                Self { source: before(to), target: content_stems(to + 1, (to + 1 + WORDS).min(words.len())) }
            }
            (None, None) => Self::default(),
        }
    }

    /// Compares two conversions. Returns 1 if they share a source or a target, -1 if one's source
    /// is the other's target, and 0 if neither or both apply.
    pub fn agreement(&self, other: &Self) -> f32 {
        let overlap = |a: &[String], b: &[String]| a.iter().any(|stem| b.contains(stem));
        let same = overlap(&self.source, &other.source) || overlap(&self.target, &other.target);
        let reversed = overlap(&self.source, &other.target) || overlap(&self.target, &other.source);
        f32::from(i8::from(same) - i8::from(reversed))
    }
}

fn is_content_word(word: &&&str) -> bool {
    !is_stop_word(word)
}

fn stems<'w>(words: impl Iterator<Item = &'w &'w str>) -> Vec<String> {
    let mut stemmer = Stemmer::default();
    words.map(|word| stemmer.stem(word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(question: &str, name: &str) -> f32 {
        Conversion::from_question(question).agreement(&Conversion::from_name(name))
    }

    #[test]
    fn distinguishes_both_directions_of_a_conversion() {
        for (question, there, reversed) in [
            ("turn a json string into an object", "fromJson", "toJson"),
            ("convert bytes to hex", "bytes_to_hex", "hex_to_bytes"),
            ("build a timestamp from a date", "dateToTimestamp", "timestamp_to_date"),
            ("parse xml to a tree", "parse_xml", "encode_xml"),
        ] {
            assert_eq!((agreement(question, there), agreement(question, reversed)), (1.0, -1.0), "{question}");
        }
    }

    #[test]
    fn unrelated_question_and_name_have_no_direction() {
        assert_eq!(agreement("which function closes the socket", "toJson"), 0.0);
        assert_eq!(agreement("turn a json string into an object", "close_socket"), 0.0);
        assert_eq!(agreement("", ""), 0.0);
    }
}
