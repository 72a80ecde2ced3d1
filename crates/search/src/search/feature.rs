//! The table of features that the reranker weighs, with the name, origin, scale and reason of each.
//!
//! A feature describes one property of one candidate and ranges from about -1 to 1. The weights in
//! `order.toml` were learned with these scales, so a changed scale needs new weights (`training/`).

use serde::{Deserialize, Serialize};

/// Source of the data that a feature is measured from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The candidate itself.
    Own,
    /// The definitions connected to the candidate.
    Environment,
}

/// Function that scales a measured value to a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    /// The value itself: a share or flag in [0, 1], a cosine in [-1, 1].
    Share,
    /// A score, divided by the best candidate's score and by this number.
    BestScore(f32),
    /// ln(1 + count), capped at this maximum and divided by it; few candidates exceed the maximum.
    Log(f32),
    /// A difference: 1 if there is none, otherwise a value below 0 that falls to -1 at this number.
    ///
    /// A measured value of -1 means that there is nothing to compare, and gives 0.
    Agreement(f32),
}

impl Scale {
    fn apply(self, measured: f32, best_score: f32) -> f32 {
        match self {
            Self::Share => measured,
            Self::BestScore(times) => measured / best_score / times,
            Self::Log(most) => (1.0 + measured).ln().min(most) / most,
            Self::Agreement(_) if measured < 0.0 => 0.0,
            Self::Agreement(_) if measured == 0.0 => 1.0,
            Self::Agreement(worst) => -(measured / worst).min(1.0),
        }
    }
}

macro_rules! features {
    ($($variant:ident = $name:literal, $origin:ident, $scale:ident $(($number:literal))?, $reason:literal;)*) => {
        /// A feature of a candidate.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Feature { $(#[doc = $reason] $variant,)* }

        impl Feature {
            /// All features, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            /// Number of features.
            pub const COUNT: usize = Self::ALL.len();

            /// Names of all features, as shown to people, written to JSON and used as keys in
            /// `order.toml`.
            pub const NAMES: [&str; Self::COUNT] = [$($name,)*];

            /// Names of the features that compare a candidate with the title of an issue.
            pub const TITLE_NAMES: [&str; Self::COUNT] = [$(concat!("title: ", $name),)*];

            fn origin(self) -> Origin {
                match self { $(Self::$variant => Origin::$origin,)* }
            }

            fn scale(self) -> Scale {
                match self { $(Self::$variant => Scale::$scale $(($number))?,)* }
            }
        }
    };
}

features! {
    Base = "words", Own, BestScore(1.0), "Score from BM25F and adjustments, before reranking.";
    Related = "related", Environment, BestScore(1.0), "Part of the score that comes from related definitions.";
    Named = "name asked for", Own, BestScore(1.0), "Bonus for a name whose words are in the question.";
    Test = "test", Own, BestScore(1.0), "Penalty for a test.";
    CoverName = "cover name", Own, Share, "Share of question words found in the name.";
    CoverScope = "cover scope", Own, Share, "Share of question words found in the enclosing names.";
    CoverPath = "cover path", Own, Share, "Share of question words found in the path.";
    CoverParameters = "cover parameters", Own, Share, "Share of question words found in parameters and results.";
    CoverBody = "cover body", Own, Share, "Share of question words found in the body.";
    CoverStrings = "cover strings", Own, Share, "Share of question words found in strings and comments.";
    CoverSummary = "cover summary", Own, Share, "Share of question words found in the first doc sentence.";
    CoverDoc = "cover doc", Own, Share, "Share of question words found in the rest of the documentation.";
    CoverCallers = "cover callers", Environment, Share,
        "Share of question words found in names and first doc sentences of callers.";
    CoverCallees = "cover callees", Environment, Share,
        "Share of question words found in first doc sentences of callees.";
    CoverOwn = "cover own", Own, Share,
        "Share of question words found in any own field, the best sign that anything fits.";
    CoverRare = "cover rare", Own, Share, "Share of the rarest question words found, which distinguish candidates.";
    CoverFirst = "cover first", Own, Share, "Share of the first question words found, which name the subject.";
    ShareName = "share name", Own, BestScore(1.0), "BM25F score from the name.";
    ShareScope = "share scope", Own, BestScore(1.0), "BM25F score from the enclosing names.";
    SharePath = "share path", Own, BestScore(1.0), "BM25F score from the path.";
    ShareParameters = "share parameters", Own, BestScore(1.0), "BM25F score from parameters and results.";
    ShareBody = "share body", Own, BestScore(1.0), "BM25F score from the body.";
    ShareStrings = "share strings", Own, BestScore(1.0), "BM25F score from strings and comments.";
    ShareSummary = "share summary", Own, BestScore(1.0), "BM25F score from the first doc sentence.";
    ShareDoc = "share doc", Own, BestScore(1.0), "BM25F score from the rest of the documentation.";
    ShareCallers = "share callers", Environment, BestScore(1.0),
        "BM25F score from names and first doc sentences of callers.";
    ShareCallees = "share callees", Environment, BestScore(1.0), "BM25F score from first doc sentences of callees.";
    Cosine = "meaning", Own, Share,
        "Cosine between all question words and all words of the definition, which finds synonyms.";
    NearOwn = "near own", Own, Share, "Mean cosine between each question word and its nearest word in any field.";
    NearName = "near name", Own, Share, "Mean cosine between each question word and its nearest word in the name.";
    NearParameters = "near parameters", Own, Share,
        "Mean cosine between each question word and its nearest word in parameters and results.";
    NearSummary = "near summary", Own, Share,
        "Mean cosine between each question word and its nearest word in the first doc sentence.";
    NearScope = "near scope", Own, Share,
        "Mean cosine between each question word and its nearest word in the path and the enclosing names.";
    NearHead = "near head", Own, Share,
        "Mean cosine between each question word and its nearest word in name, scope, parameters or first doc sentence.";
    Together = "together", Own, Share,
        "Share of adjacent question words that are also adjacent in the name or documentation.";
    Opposite = "opposite", Own, Share,
        "Share of question words whose opposite is in the name instead, such as `set` and `clear`.";
    Direction = "direction", Own, Share,
        "1 for a name that converts in the question's direction (`from_json`), -1 for the reverse direction.";
    PredicateAsked = "predicate as asked", Own, Share,
        "1 for a name such as `is_safe` if the question expects yes or no.";
    PredicateUnasked = "predicate unasked", Own, Share,
        "1 for a name such as `is_safe` if the question does not expect yes or no.";
    Aside = "aside", Own, Share, "1 in a folder with vendored code, examples, benchmarks or the like.";
    NameExplained = "name explained", Own, Share,
        "Mean cosine between each word of the name and its nearest question word: other words fit worse.";
    NameExplainedLeast = "name explained least", Own, Share,
        "Lowest cosine between a word of the name and its nearest question word.";
    CallerScore = "caller score", Environment, BestScore(1.0),
        "Score of the best caller, which is the answer if it fits better.";
    CalleeScore = "callee score", Environment, BestScore(1.0), "Score of the best callee.";
    SiblingScore = "sibling score", Environment, BestScore(1.0), "Score of the best sibling.";
    ParentScore = "parent score", Environment, BestScore(1.0), "Score of the enclosing definition.";
    FileScore = "file score", Environment, BestScore(10.0),
        "Sum of the scores of the other candidates in the file, which shows that the file is about the subject.";
    Length = "length", Own, Log(7.0), "Number of words in body and strings; few functions have more than 1,100.";
    Short = "short", Own, Share, "1 for a short function, such as a getter or a stub.";
    Lines = "lines", Own, Log(6.0), "Number of lines; few functions have more than 400.";
    NameLength = "name length", Own, Log(3.0), "Number of words in the name; few names have more than 20.";
    Callers = "callers", Own, Log(5.0), "Number of callers; few functions have more than 150.";
    Callees = "callees", Own, Log(4.0), "Number of callees; few functions have more than 50.";
    Parameters = "parameters", Own, Log(3.0), "Number of parameters; few functions have more than 20.";
    NoParameters = "no parameters", Own, Share, "1 for a function without parameters.";
    ParametersAgree = "parameters agree", Own, Agreement(3.0),
        "Difference between the number of parameters and the number in the question; 0 if it gives no number.";
    Documented = "documented", Own, Share,
        "1 for a function with documentation, because questions are about functions that others use.";
    Method = "method", Own, Share, "1 for a method.";
    Private = "private", Own, Share, "1 for a name with a leading underscore.";
    Nested = "nested", Own, Share, "1 for a function inside another one, because the outer one is usually meant.";
    Shared = "shared name", Own, Log(3.0),
        "Number of other candidates with the same name; few names have more than 20.";
    PurposeName = "purpose in name", Own, Share, "Share of the words of a description's Purpose found in the name.";
    InputParameters = "input in parameters", Own, Share,
        "Share of the words of a description's Input found in parameters and results.";
    ProcedureBody = "procedure in body", Own, Share,
        "Share of the words of a description's Procedure found in the body.";
    OutputParameters = "output in parameters", Own, Share,
        "Share of the words of a description's Output found in parameters and results, including the type.";
    NamedTitle = "named in title", Own, Share, "Rarity of the name, if the title of an issue has it.";
    NamedProse = "named in prose", Own, Share, "Rarity of the name, if the prose of an issue has it.";
    NamedInline = "named as code", Own, Share, "Rarity of the name, if the question has it in code form: in backticks, as a call, or like `CodeBlock`.";
    NamedBlock = "named in code", Own, Share, "Rarity of the name, if a block of code in an issue has it.";
    NamedMessage = "named in message", Own, Share, "Rarity of the name, if an error message in an issue has it.";
    NamedQualified = "named with scope", Own, Share,
        "Rarity of the name with the name of its type or file before it, if an issue has both.";
    TypeTitle = "type in title", Own, Share, "Rarity of the type's name, if the title of an issue has it.";
    TypeText = "type in text", Own, Share, "Rarity of the type's name, if an issue has it.";
    FileNamed = "file named", Own, Share, "Rarity of the file's path, if an issue has it.";
    ModuleNamed = "module named", Own, Share, "Rarity of the file's module, if an issue has it as a dotted name.";
    Linked = "lines linked", Own, Share, "1 if a link in an issue points to lines of the function.";
    Frame = "frame", Own, Share, "1 for the innermost frame of a trace in an issue, 1/2 for its caller, and so on.";
    FrameEntry = "entry frame", Own, Share, "0 for the innermost frame of a trace in an issue, 1 for the outermost.";
    FrameFile = "file of frame", Own, Share, "Strength of the innermost frame in the file.";
    CallerFrame = "called by frame", Environment, Share, "Strength of the innermost frame among the callers.";
    CallerNamed = "called by named", Environment, Share, "Strength of the best caller that an issue names.";
    CalleeNamed = "calls named", Environment, Share, "Strength of the best callee that an issue names.";
    SiblingNamed = "sibling named", Environment, Share,
        "Strength of the best definition with the same parent that an issue names.";
    MessageStrings = "message in strings", Own, Share,
        "Share of the words of an issue's error messages found in strings.";
    Place = "place by words", Own, Share,
        "1 for the first candidate by words, 1/2 for the eleventh: in a long text, scores are close to one another.";
}

impl Feature {
    /// Returns the name shown to people and written to JSON, which is also the key in `order.toml`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Checks whether the weight of the feature is learned only from issues.
    pub fn is_of_issues(self) -> bool {
        self >= Self::NamedTitle
    }

    /// Checks whether the feature describes the definitions connected to a candidate.
    pub fn is_environment(self) -> bool {
        self.origin() == Origin::Environment
    }
}

/// Features of one candidate, indexed by [`Feature`].
pub type Features = [f32; Feature::COUNT];

/// Features of one candidate as measured: counts, shares and scores, not yet scaled.
///
/// Features that depend on the other candidates are not included. `order.rs` adds them when all
/// candidates are known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawFeatures(Vec<f32>);

impl RawFeatures {
    pub(super) fn new() -> Self {
        let unset = |feature: &Feature| if matches!(feature.scale(), Scale::Agreement(_)) { -1.0 } else { 0.0 };
        Self(Feature::ALL.iter().map(unset).collect())
    }

    /// Stores a measured value.
    pub(super) fn set(&mut self, feature: Feature, measured: f32) {
        self.0[feature as usize] = measured;
    }

    /// Checks whether there is a finite number for each feature. Values received from another
    /// process must pass this check.
    pub fn is_whole(&self) -> bool {
        self.0.len() == Feature::COUNT && self.0.iter().all(|measured| measured.is_finite())
    }

    /// Returns the measured value; 0 if it was not set.
    pub(super) fn get(&self, feature: Feature) -> f32 {
        self.0.get(feature as usize).copied().unwrap_or_default()
    }

    /// Scales the features; `best_score` is the score of the best candidate.
    pub(super) fn scaled(&self, best_score: f32) -> Features {
        let mut out = [0.0; Feature::COUNT];
        for ((out, feature), &measured) in out.iter_mut().zip(Feature::ALL).zip(&self.0) {
            *out = feature.scale().apply(measured, best_score);
        }
        out
    }
}

/// Computes the matched share of the total weight of some terms; 0 if there are no terms.
///
/// Each item is the weight of a term and the share of the term that is matched, in [0, 1].
pub(super) fn share(terms: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (mut found, mut all) = (0.0, 0.0);
    for (weight, share) in terms {
        found += weight * share;
        all += weight;
    }
    if all > 0.0 { found / all } else { 0.0 }
}
