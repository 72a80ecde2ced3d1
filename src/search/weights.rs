//! Every constant of the ranking, each with its reason and source, in the order of the steps of a search. Those of the
//! field weights are tuned on the development sets only (`benches/records/` holds the tables before and after each
//! change).
//!
//! Elsewhere there are only what training learned (`order.toml`), the scales of the features that it was learned with
//! (`feature.rs`), and constants of speed. "0.2 to 0.5 are alike" says that the mean of the development sets moves by
//! no more than a question or two.

use super::field::DocumentField;
use crate::parse::Field;

// The question.

/// A verb and `whether` or `if` are looked for among this many words at the front.
pub(super) const PREDICATE_WORDS: usize = 2;
/// The frame of a question is among this many of its terms at the front; one of no more has no frame.
pub(super) const FRAME_WORDS: usize = 2;
/// What these words count, against a word that says what the function is about: "checks if" says that the answer is
/// yes or no.
pub(super) const PREDICATE_WEIGHT: f32 = 0.4;
/// What a repetition adds to a word's weight, divided by the weight so far: said twice it matters more, but not twice
/// as much.
pub(super) const REPETITION: f32 = 0.5;
/// Distinct words of a question that count; the rest of a longer one is not looked for. Each is looked up in all fields, so
/// that more cost time and memory in proportion. Whole logs of 190 and 380 KB (apt, dpkg) have 1,358 and 757.
pub const MOST_TERMS: usize = 2_000;
/// More words than this are a sentence, not keywords.
pub(super) const MOST_KEYWORDS: usize = 6;

/// A question of more distinct terms is not widened by neighbours.
pub(super) const EXPANDED_TERMS: usize = 16;

// BM25F of definitions.

/// How much a field counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeight {
    /// What one occurrence in it counts; 0 leaves the field out.
    pub weight: f32,
    /// BM25's b: how much its length counts against it, from 0 (not at all) to 1 (in full).
    pub b: f32,
}

/// How much more strings count for the message of an error. Not tuned: no set holds such questions.
const MESSAGE_STRINGS: f32 = 3.0;

/// The constants of BM25F and of the adjustments, which `benches/tune.rs` can change. Tried and left out, because no
/// share from 0.02 to 0.2 moved the mean of the development sets by more than a question or two: the best callee's
/// score, the best score in the file, and a bonus for holding all of the question's words (BM25F rewards that already).
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// BM25's k1: how soon more occurrences of a word stop to count; from 0, where one is enough.
    pub k1: f32,
    /// Weight and length normalisation, by [`DocumentField`].
    pub fields: [FieldWeight; DocumentField::COUNT],
    /// What an occurrence of a synonym counts, against 1 for the word itself; 0 looks for none.
    pub synonym: f32,
    /// What an occurrence of a neighbour by word vectors counts, times its cosine; 0 looks for none.
    pub neighbour: f32,
    /// Bonus for a name all of whose words are asked for, as a share of the best score.
    pub name: f32,
    /// What a test loses unless the question speaks of tests, as a share of the best score.
    pub test: f32,
    /// What each further definition of a file counts in the file's score, against 1 for the one before.
    pub further: f32,
}

impl Weights {
    /// The fields that count.
    pub(super) fn used_fields(&self) -> impl Iterator<Item = DocumentField> + '_ {
        DocumentField::ALL.into_iter().filter(|of| self.fields[of.number()].weight > 0.0)
    }

    /// For the message of an error: its words stand in a string, and the function that says them is meant.
    pub fn for_messages(mut self) -> Self {
        self.fields[Field::Strings as usize].weight *= MESSAGE_STRINGS;
        self
    }

    /// For files, whose score is of all that is found in them: nearly every file holds a neighbour.
    pub fn for_files(self) -> Self {
        Self { neighbour: 0.0, ..self }
    }

    /// Without the words of callers and callees.
    pub fn own_words_only(mut self) -> Self {
        for of in DocumentField::ALL.into_iter().filter(|of| !of.is_own()) {
            self.fields[of.number()].weight = 0.0;
        }
        self
    }
}

impl Default for Weights {
    fn default() -> Self {
        let fields = DocumentField::ALL.map(|of| {
            let (weight, b) = match of {
                // A name is the shortest description that its author could find.
                DocumentField::Own(Field::Name) => (3.0, 0.3),
                DocumentField::Own(Field::Scope) => (1.5, 0.3),
                DocumentField::Own(Field::Path) => (2.0, 0.3),
                DocumentField::Own(Field::Parameters) => (1.3, 0.5),
                // Long bodies soak up the words of long questions.
                DocumentField::Own(Field::Body) => (1.0, 1.0),
                DocumentField::Own(Field::Strings) => (0.9, 0.75),
                DocumentField::Own(Field::Summary) => (2.0, 0.5),
                DocumentField::Own(Field::Doc) => (0.6, 0.9),
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
            // 0.3 to 0.6 are alike; without, of short questions 2 in 100 more have no right candidate.
            neighbour: 0.4,
            name: 0.05,
            test: 0.3,
            further: 0.8,
        }
    }
}

// BM25 of windows.

/// BM25's usual constants (Robertson and Zaragoza 2009, section 3.5): of windows, all of one length, only these are
/// known.
pub(super) const WINDOW_K1: f64 = 1.2;
/// See [`WINDOW_K1`].
pub(super) const WINDOW_B: f64 = 0.75;

// Bounds.

/// A bound is a sum taken in another order than the scores it bounds: so much more is on the safe side.
pub(super) const ROUNDED_UP: f32 = 1.0001;

// The environment: what related scores add (`environment.rs` has the formula).

/// How much the mean counts. FragRel, section 4.1.
pub const MEAN_ALPHA: f64 = 0.5;
/// How much the sum counts where definitions are ranked. 0.2 to 0.5 are alike; the more it is, the more a large class
/// with many answers that fit a little outranks one that fits better.
pub const SUM_ALPHA: f64 = 0.2;
/// How much the sum counts where files are ranked: there such a class is what is looked for.
pub const FILE_ALPHA: f64 = 0.35;
/// Words of a question up to which the sum counts in full; of more it counts as much as of these. 3 to 8 are alike.
pub(super) const FULL_SUM_WORDS: f64 = 8.0;
/// Power of a score's share of the best in the sum. 1.5 to 3 are alike; with 1, many weak neighbours win.
pub(super) const SUM_POWER: f64 = 1.5;
/// Where the sum reaches half of its limit, in best scores. 0.25 to 1 are alike.
pub(super) const SUM_HALF: f64 = 0.5;
/// So many fragments, the best along the tree, have their paths through calls searched for the mean. With 24, the ten
/// best of a question to Django differ from the exact ones in 1 of 100 results, with 32 in none.
pub(super) const REFINED_FRAGMENTS: usize = 32;

// Exact matches of what is pasted into a question.

/// What a definition of the name gets, in best scores; one of the whole qualified name gets as much again. More than 1
/// in all, so that it comes first.
pub(super) const EXACT_NAME: f32 = 1.0;
/// What the innermost definition around a line of a stack trace gets, in best scores.
pub(super) const STACK_FRAME: f32 = 2.0;
/// The n-th frame after the first gets 1 / (1 + n / this) of it: the first of a trace comes first.
pub(super) const FRAME_DECAY: f32 = 10.0;

// The user's embedding model.

/// How much a cosine of 1 counts, in best scores. With all-MiniLM-L6-v2 on a development set, 1.5 and 2 are alike, 0.5
/// and 3 worse; other models have cosines of another range.
pub(super) const MODEL_COSINE: f32 = 1.5;
/// So many functions of those nearest to the question are results in any case. On that set 0 and 200 answer as 50 does.
pub(super) const NEAREST_BY_MODEL: usize = 50;
/// What the share of the model counts in the reranked score: about what the score of words counts there. Not tuned: no
/// model was at hand when the reranker was learned.
pub(super) const MODEL_RERANKED: f32 = 4.0;

// Features and reranking.

/// How many of the best are reranked. Among them is the right one for 98 of 100 questions of the development sets.
pub const RERANK_DEPTH: usize = 100;
/// Word by word, only so many of a question's words are compared: those that count most.
pub(super) const COMPARED_WORDS: usize = 24;
/// So many of the rarest words make the feature `cover rare`.
pub(super) const RARE_WORDS: usize = 3;
/// So many words at the front make the feature `cover first`.
pub(super) const FIRST_WORDS: usize = 3;
/// A function of fewer words is short (feature `short`).
pub(super) const SHORT_WORDS: f32 = 12.0;
/// What a cosine of 1 counts where no reranker was learned, in best scores. On semble-dev with definitions of any
/// kind, 0.2 to 1.5 are alike (nDCG@10 .735 to .752, without .723); where files are ranked it helps nothing (.829,
/// with 0.4 .827).
pub(super) const WORD_VECTOR_COSINE: f32 = 0.6;

// Files.

/// How far, in scores of the learned order, a file's best definition lies behind the first of all where it says 1/e of
/// what that says for its file. nDCG@10 of 256 questions about files (`training/files.jsonl`) with 1: .832, 2: .837, 4: .844,
/// 8: .838; without, .787.
pub(super) const BEST_DEFINITION_SCALE: f32 = 4.0;

// Confidence.

/// A first answer that is right with at least this chance is sure. Of those, at least 90 of 100 are right on the
/// development sets (`benches/records/` has the table).
pub const SURE_FROM: f32 = 0.85;
/// Candidates whose mean cosine tells whether the repository is about such things at all: by folds it turns 1 to 9 of 100
/// foreign questions more away than the first candidate alone, at 3 of 100 own.
pub(super) const MEANING_OF: usize = 10;
/// From this chance the first answer is called likely. By folds two of three of those are right, and half of those below 0.6;
/// of those below it, three in ten.
pub const LIKELY_FROM: f32 = 0.4;
/// From this chance that the repository holds what is asked for, something fits. Of questions about another repository
/// six in ten fall below; of those about this one, 4 in 100 or fewer.
pub const FITS_FROM: f32 = 0.4;

#[cfg(test)]
mod tests {
    /// What is no constant of the ranking: speed, and sizes of tables.
    const OTHERS: [&str; 7] =
        ["COUNT", "ALL", "CALL_FIELDS", "SIGNALS", "FILES_PER_TASK", "FILTER_SIZE", "DEFAULT_RESULTS"];

    #[test]
    fn no_constant_of_the_ranking_is_elsewhere() {
        let room = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
        for file in std::fs::read_dir(room).expect("the room") {
            let path = file.expect("a file").path();
            if path.ends_with("weights.rs") || path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("source");
            for line in text.lines().map(str::trim_start) {
                let Some((before, after)) = line.split_once("const ") else { continue };
                let Some((name, of)) = after.split_once(": ") else { continue };
                let is_number = ["f32 ", "f64 ", "usize "].iter().any(|number| of.starts_with(number));
                let is_constant = before.is_empty() || before.starts_with("pub");
                assert!(!is_constant || !is_number || OTHERS.contains(&name), "{}: {line}", path.display());
            }
        }
    }
}
