//! The words of a definition, by field: the document that BM25F ranks.

use crate::text::{Stemmer, first_sentence};

/// The part of a definition that a word is from. Each field has its own weight and length (see `search`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// The definition's own name.
    Name,
    /// Names of the definitions around it.
    Scope,
    /// The file's path.
    Path,
    /// Parameters and results, with their types.
    Parameters,
    /// Identifiers in its body.
    Body,
    /// Strings and comments in its body.
    Strings,
    /// The first sentence of its documentation.
    Summary,
    /// The rest of its documentation.
    Doc,
}

impl Field {
    /// How many fields there are.
    pub const COUNT: usize = 8;
    /// All fields, in the order of their number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Name, Self::Scope, Self::Path, Self::Parameters, Self::Body, Self::Strings, Self::Summary, Self::Doc];

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Scope => "scope",
            Self::Path => "path",
            Self::Parameters => "parameter",
            Self::Body => "body",
            Self::Strings => "string",
            Self::Summary => "summary",
            Self::Doc => "doc",
        }
    }
}

/// Stemmed words by field, each field as words joined by spaces: what the full-text index takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldWords {
    /// Text by field.
    pub fields: [String; Field::COUNT],
    /// Number of words by field.
    pub lengths: [u32; Field::COUNT],
}

impl FieldWords {
    /// Adds the words of `text` to a field.
    pub fn add(&mut self, field: Field, text: &str, stemmer: &mut Stemmer) {
        let (out, length) = (&mut self.fields[field as usize], &mut self.lengths[field as usize]);
        stemmer.stems(text, |stem| {
            if stem.is_noise {
                return;
            }
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&stem.text);
            *length += 1;
        });
    }

    /// Gives a field the words that it has elsewhere.
    pub fn copy(&mut self, field: Field, from: &Self) {
        self.fields[field as usize].clone_from(&from.fields[field as usize]);
        self.lengths[field as usize] = from.lengths[field as usize];
    }

    /// Adds documentation: its first sentence and the rest.
    pub fn add_doc(&mut self, text: &str, stemmer: &mut Stemmer) {
        let text = text.trim_start();
        let summary = first_sentence(text);
        self.add(Field::Summary, summary, stemmer);
        self.add(Field::Doc, &text[summary.len()..], stemmer);
    }
}
