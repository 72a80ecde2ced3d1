//! Every constant of the ranking, with its reason and source. Tuned on the development sets only
//! (`benches/records/` holds the tables before and after each change).

use super::bm25f::DocumentField;

/// How much a field counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeight {
    /// What one occurrence in it counts.
    pub weight: f32,
    /// How much its length counts against it: 0 not at all, 1 in full.
    pub b: f32,
}

/// How much more strings count for the message of an error. Not tuned: no set holds such questions.
const MESSAGE: f32 = 3.0;

/// The constants of the ranking (those of the environment are in `environment`). Tried and left out, because no share
/// from 0.02 to 0.2 moved the mean of the development sets by more than a question or two: the best callee's score, the
/// best score in the file, and a bonus for holding all of the question's words (BM25F rewards that already).
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// How soon more occurrences of a word stop to count.
    pub k1: f32,
    /// By [`DocumentField`].
    pub fields: [FieldWeight; DocumentField::COUNT],
    /// What an occurrence of a synonym counts, against one of the word itself.
    pub synonym: f32,
    /// Bonus, in shares of the best score, for a name all of whose words are asked for.
    pub name: f32,
    /// A test is lowered by this share of the best score, unless the question speaks of tests.
    pub test: f32,
    /// In the score of a file, each further definition counts by this factor less than the one before.
    pub further: f32,
}

impl Weights {
    /// The fields that count.
    pub(super) fn used_fields(&self) -> impl Iterator<Item = DocumentField> + '_ {
        DocumentField::ALL.into_iter().filter(|of| self.fields[*of as usize].weight > 0.0)
    }

    /// For the message of an error: its words stand in a string, and the function that says them is meant.
    pub fn for_messages(mut self) -> Self {
        self.fields[DocumentField::Strings as usize].weight *= MESSAGE;
        self
    }

    /// Without the words of callers and callees.
    pub fn own_words_only(mut self) -> Self {
        for of in DocumentField::ALL.into_iter().filter(|of| !of.is_own()) {
            self.fields[of as usize].weight = 0.0;
        }
        self
    }
}

impl Default for Weights {
    fn default() -> Self {
        let fields = DocumentField::ALL.map(|of| {
            let (weight, b) = match of {
                // A name is the shortest description that its author could find.
                DocumentField::Name => (3.0, 0.3),
                DocumentField::Scope => (1.5, 0.3),
                DocumentField::Path => (2.0, 0.3),
                DocumentField::Parameters => (1.3, 0.5),
                // Long bodies soak up the words of long questions.
                DocumentField::Body => (1.0, 1.0),
                DocumentField::Strings => (0.9, 0.75),
                DocumentField::Summary => (2.0, 0.5),
                DocumentField::Doc => (0.6, 0.9),
                // Who calls a function, and in which words, is part of what it does.
                DocumentField::CallerNames => (0.5, 1.0),
                DocumentField::CallerDocs => (0.3, 0.75),
                DocumentField::CalleeDocs => (0.3, 0.75),
            };
            FieldWeight { weight, b }
        });
        Self {
            // Above the usual 1.2: a question's words occur in many fields, so counts are larger than in plain text.
            k1: 1.8,
            fields,
            // 0.1 and 0.5 were worse on the mean of the development sets.
            synonym: 0.25,
            name: 0.05,
            test: 0.3,
            further: 0.8,
        }
    }
}
