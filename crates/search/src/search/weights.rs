//! The ranking constants, each with its reason and source, in the order of the steps of a search.
//!
//! The field weights are tuned only on the development sets (`benches/records/README.md` has
//! figures; git history has the tables before each change).
//!
//! Only three kinds of constants are elsewhere: learned ones (`order.toml`), the scales of the
//! features that they were learned with (`feature.rs`), and constants that affect only speed. "0.2
//! to 0.5 are alike" means that the mean over the development sets moves by no more than a question
//! or two.

use super::field::DocumentField;
use whichfn_syntax::parse::Field;

// The question.

/// Number of leading terms among which `whether` or `if` marks a predicate.
pub(super) const PREDICATE_WORDS: usize = 2;
/// Number of leading terms that may belong to the frame of a question. A question with no more
/// terms than this has no frame.
pub(super) const FRAME_WORDS: usize = 2;
/// Weight of the words of a predicate, relative to a word about the function: "checks if" means
/// only that the answer is yes or no.
pub(super) const PREDICATE_WEIGHT: f32 = 0.4;
/// Weight added for each repetition of a word, divided by the word's accumulated weight: a repeated
/// word matters more, but not twice as much.
pub(super) const REPETITION: f32 = 0.5;
/// Maximum number of distinct words of a question; the rest are ignored.
///
/// Each word is looked up in all fields, so more words cost proportionally more time and memory.
/// Whole logs of 190 and 380 KB (apt, dpkg) have 1,358 and 757 distinct words.
pub const MAX_TERMS: usize = 2_000;
/// Number of words above which a question counts as a sentence rather than keywords.
pub(super) const MAX_KEYWORDS: usize = 6;

/// Weight of an occurrence of a word with the letters of several words of the question, such as
/// `http11` for "HTTP 1.1", relative to 1 for the word itself.
pub(super) const JOINED: f32 = 0.5;

// Issues.

/// Number of words above which a text is read as an issue.
pub(super) const ISSUE_WORDS: usize = 60;
/// Number of lines from which a text is read as an issue.
pub(super) const ISSUE_LINES: usize = 4;
/// Minimum number of words in the prose of an issue: a trace or a log without them is no issue.
pub(super) const ISSUE_PROSE: usize = 5;
/// Maximum number of words in the title of an issue; a longer first line is cut after a sentence.
pub(super) const TITLE_WORDS: usize = 24;
/// Maximum number of distinct words of an issue, title first; the rest are ignored. The features of
/// all candidates are measured for each of them.
pub(super) const ISSUE_TERMS: usize = 300;
/// Number of candidates that are found by the whole text of an issue.
pub(super) const BEST_BY_TEXT: usize = 150;
/// Number of candidates that are found by only the title of an issue.
pub(super) const BEST_BY_TITLE: usize = 100;
/// Number of candidates that an issue refers to by name, frame or line.
pub(super) const MOST_NAMED: usize = 100;
/// Number of places by words after which the feature `place by words` falls to one half.
pub(super) const HALF_PLACE: f32 = 10.0;
/// Number of candidates for an issue that are reranked: all of the above.
pub(super) const ISSUE_DEPTH: usize = BEST_BY_TEXT + BEST_BY_TITLE + MOST_NAMED;

/// Number of distinct terms above which a question is not expanded with neighbors.
pub(super) const EXPANDED_TERMS: usize = 16;

// BM25F of definitions.

/// Weight and length normalization of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeight {
    /// Weight of one occurrence in the field; 0 excludes the field.
    pub weight: f32,
    /// BM25's b: the strength of length normalization, from 0 (none) to 1 (full).
    pub b: f32,
}

/// Factor applied to the weight of strings if the question is an error message. Not tuned, because
/// no question set contains error messages.
const MESSAGE_STRINGS: f32 = 3.0;

/// The constants of BM25F and of the adjustments, which `benches/tune.rs` can change.
///
/// Three adjustments were tried and left out, because no share from 0.02 to 0.2 moved the mean of
/// the development sets by more than a question or two: the best callee's score, the best score in
/// the file, and a bonus for all of the question's words (BM25F rewards that already).
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// BM25's k1, at least 0. The larger it is, the more each repeated occurrence of a word adds to
    /// the score.
    pub k1: f32,
    /// Weight and length normalization, indexed by [`DocumentField`].
    pub fields: [FieldWeight; DocumentField::COUNT],
    /// Weight of an occurrence of a synonym, relative to 1 for the word itself; 0 disables
    /// synonyms.
    pub synonym: f32,
    /// Weight of an occurrence of a word-vector neighbor, multiplied by its cosine; 0 disables
    /// neighbors.
    pub neighbour: f32,
    /// Bonus for a name whose words are all in the question, as a share of the best score.
    pub name: f32,
    /// Penalty for a test unless the question is about tests, as a share of the best score.
    pub test: f32,
    /// Weight of each additional definition in its file's score, relative to the previous one.
    pub further: f32,
}

impl Weights {
    /// Returns the fields with a weight above 0.
    pub(super) fn used_fields(&self) -> impl Iterator<Item = DocumentField> + '_ {
        DocumentField::ALL.into_iter().filter(|field| self.fields[field.number()].weight > 0.0)
    }

    /// Returns the weights for an error message. Its words are in a string, and the function with
    /// that string is the answer.
    pub fn for_messages(mut self) -> Self {
        self.fields[Field::Strings as usize].weight *= MESSAGE_STRINGS;
        self
    }

    /// Returns the weights for ranking files, which leave out neighbors: a file's score covers all
    /// definitions in it, and nearly every file contains a neighbor.
    pub fn for_files(self) -> Self {
        Self { neighbour: 0.0, ..self }
    }

    /// Returns weights that leave out the words of callers and callees.
    pub fn own_words_only(mut self) -> Self {
        for field in DocumentField::ALL.into_iter().filter(|field| !field.is_own()) {
            self.fields[field.number()].weight = 0.0;
        }
        self
    }
}

impl Default for Weights {
    fn default() -> Self {
        let fields = DocumentField::ALL.map(|field| {
            let (weight, b) = match field {
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
                // The callers of a function, and the words in their names and docs, are part of
                // what it does.
                DocumentField::CallerNames => (0.5, 1.0),
                DocumentField::CallerDocs => (0.3, 0.75),
                DocumentField::CalleeDocs => (0.3, 0.75),
            };
            FieldWeight { weight, b }
        });
        Self {
            // Above the usual 1.2: a question's words occur in many fields, so counts are larger
            // than in plain text.
            k1: 1.8,
            fields,
            // 0.1 and 0.5 were worse on the mean of the development sets.
            synonym: 0.25,
            // 0.3 to 0.6 are alike; without neighbors, 2% more of the short questions have no right
            // candidate.
            neighbour: 0.4,
            name: 0.05,
            test: 0.3,
            further: 0.8,
        }
    }
}

// BM25 of windows.

/// BM25's usual k1 (Robertson and Zaragoza 2009, section 3.5), because no better value is known for
/// windows, which all have the same length.
pub(super) const WINDOW_K1: f64 = 1.2;
/// BM25's usual b; see [`WINDOW_K1`].
pub(super) const WINDOW_B: f64 = 0.75;

// Bounds.

/// Factor applied to the upper bound of a score, because a sum in a different order is rounded
/// differently.
pub(super) const ROUNDED_UP: f32 = 1.0001;

// The environment: the amount that related scores add (`environment.rs` has the formula).

/// Weight of the environment in the mean form (FragRel, section 4.1).
pub const MEAN_ALPHA: f64 = 0.5;
/// Weight of the environment in the sum form, for ranking definitions.
///
/// 0.2 to 0.5 are alike. The larger it is, the more a large class with many weak answers outranks a
/// better one.
pub const SUM_ALPHA: f64 = 0.2;
/// Weight of the environment in the sum form, for ranking files, where a large class with many weak
/// answers is the right result.
pub const FILE_ALPHA: f64 = 0.35;
/// Number of words up to which the sum counts in full. For a longer question, its weight falls in
/// inverse proportion. 3 to 8 are alike.
pub(super) const FULL_SUM_WORDS: f64 = 8.0;
/// Exponent of the ratio of a score to the best score in the sum. 1.5 to 3 are alike; with 1, many
/// weak neighbors win.
pub(super) const SUM_POWER: f64 = 1.5;
/// Value of the sum, as a multiple of the best score, at which the environment reaches half of its
/// limit. 0.25 to 1 are alike.
pub(super) const SUM_HALF: f64 = 0.5;
/// Number of fragments for which the mean also follows calls: the best ones by the mean along the
/// tree.
///
/// With 24, 1% of the top ten results for questions about Django differ from the exact ones; with
/// 32, none do.
pub(super) const REFINED_FRAGMENTS: usize = 32;

// Exact matches for pasted text.

/// Bonus for a definition with a pasted name, as a multiple of the best score. It is doubled if the
/// qualified name matches, so that such a definition ranks first.
pub(super) const EXACT_NAME: f32 = 1.0;
/// Bonus for the innermost definition around a line of a stack trace, as a multiple of the best
/// score.
pub(super) const STACK_FRAME: f32 = 2.0;
/// Probability that an exact match is meant if nothing else fits as well: the only definition with a
/// pasted name, or with the path, line and name of a frame.
pub(super) const EXACT_RIGHT: f32 = 0.95;
/// Decay of the bonus over stack frames: the n-th frame after the first gets 1 / (1 + n /
/// `FRAME_DECAY`) of the bonus, so that the first frame ranks first.
pub(super) const FRAME_DECAY: f32 = 10.0;

// The user's embedding model.

/// Weight of a standardized cosine, in the unit of the learned score.
///
/// With EmbeddingGemma, 2 to 4 gave the same mean reciprocal rank of 437 short questions within .008. With
/// all-MiniLM-L6-v2, the mean reciprocal rank of 127 phrases rose by .007 with 2.5 and by .004 with 1.
pub(super) const STANDARDIZED_COSINE: f32 = 2.5;
/// Difference between the first two scores above which an embedding model does not change the order.
pub(super) const CLEAR_LEAD: f32 = 2.0;
/// Number of functions nearest to the question that are always results.
pub(super) const NEAREST_BY_MODEL: usize = 50;

// Features and reranking.

/// Number of candidates that are reranked. They include the right function for 98% of the questions
/// in the development sets.
pub const RERANK_DEPTH: usize = 100;
/// Number of question words with the largest weights that are compared one by one.
pub(super) const COMPARED_WORDS: usize = 24;
/// Number of the question's rarest words that count for the feature `cover rare`.
pub(super) const RARE_WORDS: usize = 3;
/// Number of leading words that count for the feature `cover first`.
pub(super) const FIRST_WORDS: usize = 3;
/// Number of words below which a function counts as short (feature `short`).
pub(super) const SHORT_WORDS: f32 = 12.0;
/// Weight of the word vectors' cosine where the reranker does not apply, as a multiple of the best
/// score.
///
/// On semble-dev with definitions of any kind, 0.2 to 1.5 are alike (nDCG@10 .735 to .752, and .723
/// without the cosine). It does not help for ranking files (.829 without it, .827 with 0.4).
pub(super) const WORD_VECTOR_COSINE: f32 = 0.6;

/// Maximum number of words in the body and strings of a thin wrapper.
pub(super) const WRAPPER_BODY: usize = 16;
/// Number of first hits among which wrappers are lowered.
pub(super) const WRAPPER_DEPTH: usize = 10;
/// Maximum difference in score between a wrapper and the function that it forwards to. With 0.5, 1,
/// 2 and 4, the MRR of the development sets is alike on average; 4 lowers needles-dev.
pub(super) const WRAPPER_GAP: f32 = 1.0;
/// Amount subtracted from the learned score of a definition for each definition of its file before it,
/// if the question is about a subject. With 1, 2 and 3, the nDCG of files on semble-dev is 0.803, 0.816
/// and 0.825, and the MRR of everyday questions falls by 0.003 each time.
pub(super) const FURTHER_IN_FILE: f32 = 2.0;
/// Amount added to the learned score of a definition, divided by one more than the rank of its file, if
/// the question is about a subject. 3 and 4 are alike for files; 6 is better for functions.
pub(super) const FILE_BONUS: f32 = 6.0;
/// Number of first functions whose scores in two searches show how the scores of the searches compare.
pub(super) const COMPARED_FIRST: usize = 10;
/// Amount subtracted from the learned score of a type or module among functions. With 2, 3 and 4, the
/// MRR of octocode-dev is 0.718, 0.717 and 0.714; without types and modules, 0.664.
pub(super) const OTHER_KIND: f32 = 3.0;
/// Amount added to the learned score of a function, not a test, with the only word of the question
/// in its name.
pub(super) const ONLY_WORD_IN_NAME: f32 = 6.0;
/// Amount added to the learned score of the only definition with a name that the question contains
/// in code form. Too few questions that the weights were learned from contain such names.
pub(super) const NAMED_AS_CODE: f32 = 6.0;
/// Minimum probability that something fits if a name contains the only word of the question.
pub(super) const ONLY_WORD_FITS: f32 = 0.9;

// Files.

/// Difference in learned score to the first definition at which the bonus for a file falls to 1/e.
///
/// nDCG@10 of 256 questions about files (`training/files.jsonl`) with 1: .832, 2: .837, 4: .844, 8:
/// .838; .787 without the bonus.
pub(super) const BEST_DEFINITION_SCALE: f32 = 4.0;

// Literal texts.

/// Amount by which a definition with a literal text of the question exceeds the next result, as a
/// share of the best score.
pub(crate) const LITERAL_LEAD: f32 = 0.05;
/// Amount added to the learned score of a definition with a text that is a part of the question, such
/// as an example in quotation marks. Not tuned: about a third of what an exact name adds.
pub(crate) const LITERAL_PART: f32 = 2.0;
/// Probability that the first answer is right if only one definition contains most of the literal
/// text, and otherwise.
pub(crate) const LITERAL_RIGHT: (f32, f32) = (0.95, 0.8);

// Confidence.

/// Minimum probability for the first answer to be called sure. At least 90% of such answers are
/// right on the development sets (`benches/records/README.md`).
pub const SURE_FROM: f32 = 0.85;
/// Number of candidates whose mean cosine shows whether the repository is about the subject at all.
///
/// In cross-validation, it rejects 1 to 9 percentage points more of the questions about other
/// repositories than the first candidate's cosine does, while both reject 3% of the repository's
/// own questions.
pub(super) const MEANING_OF: usize = 10;
/// Number of the question's words that are most typical of the repository.
pub(super) const TYPICAL_WORDS: usize = 3;
/// Number that is added to the place of a word among all words by frequency, as in Mandelbrot's
/// form of Zipf's law: the most frequent words are less frequent than the law predicts.
pub(super) const ZIPF_OFFSET: f32 = 20.0;
/// Least and greatest number of definitions of the repositories that the weights of the confidence
/// were learned from.
pub(super) const SIZES: (f32, f32) = (100.0, 20_000.0);
/// Minimum probability for the first answer to be called likely.
///
/// In cross-validation, two out of three likely answers are right, and half of those below 0.6.
/// Below this constant, three in ten answers are right.
pub const LIKELY_FROM: f32 = 0.4;
/// Minimum probability that the repository contains the answer for something to count as fitting.
///
/// The constant of the learned probability is chosen such that 1% of the questions with the right
/// answer among the first ten are below it, on folds of repositories (`training/trust.rs`).
pub const FITS_FROM: f32 = 0.4;

#[cfg(test)]
mod tests {
    /// Constants that are not part of the ranking: speed, and sizes of tables.
    const OTHERS: [&str; 12] = [
        "COUNT",
        "ALL",
        "CALL_FIELDS",
        "SIGNALS",
        "RIGHT_SIGNALS",
        "LEAST_ODDS",
        "FAMILIARITY",
        "FILES_PER_TASK",
        "FILTER_SIZE",
        "DEFAULT_RESULTS",
        "INDEXES_PER_THREAD",
        "LONGEST_JOINED",
    ];

    #[test]
    #[expect(clippy::disallowed_methods, reason = "reads the source of this crate")]
    fn all_ranking_constants_are_in_one_file() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
        for file in std::fs::read_dir(folder).expect("folder") {
            let path = file.expect("a file").path();
            if path.ends_with("weights.rs") || path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("source");
            for line in text.lines().map(str::trim_start) {
                let Some((before, after)) = line.split_once("const ") else { continue };
                let Some((name, field)) = after.split_once(": ") else { continue };
                let is_number = ["f32 ", "f64 ", "usize "].iter().any(|number| field.starts_with(number));
                let is_constant = before.is_empty() || before.starts_with("pub");
                assert!(!is_constant || !is_number || OTHERS.contains(&name), "{}: {line}", path.display());
            }
        }
    }
}
