//! The table of the features that the reranker weighs: name, origin, scale and reason.
//!
//! A feature is between about -1 and 1 and describes one property of one candidate. The weights in
//! `order.toml` were learned with these scales: another scale needs other weights (`training/`).

use serde::{Deserialize, Serialize};

/// Source of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The definition itself.
    Own,
    /// The definitions that it is connected to.
    Environment,
}

/// Function from a measured value to a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    /// The value itself: a share or flag in [0, 1], a cosine in [-1, 1].
    Share,
    /// A score divided by the best score of the candidates and by this number.
    BestScore(f32),
    /// ln(1 + count) divided by this maximum, which few candidates exceed.
    Log(f32),
    /// A difference: 1 if equal, otherwise from 0 down to -1 at this number and above.
    ///
    /// A measured value of -1 means that there is nothing to compare and gives 0.
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

            /// Names of all features: the words shown to people and in JSON, and the keys in
            /// `order.toml`.
            pub const NAMES: [&str; Self::COUNT] = [$($name,)*];

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
    Base = "words", Own, BestScore(1.0), "BM25F and adjustments, before reranking.";
    Related = "related", Environment, BestScore(1.0), "What related scores add.";
    Named = "name asked for", Own, BestScore(1.0), "Bonus for a name whose words are asked for.";
    Test = "test", Own, BestScore(1.0), "What a test loses.";
    CoverName = "cover name", Own, Share, "Question words found in the name.";
    CoverScope = "cover scope", Own, Share, "Question words found in the names around it.";
    CoverPath = "cover path", Own, Share, "Question words found in the path.";
    CoverParameters = "cover parameters", Own, Share, "Question words found in parameters and results.";
    CoverBody = "cover body", Own, Share, "Question words found in the body.";
    CoverStrings = "cover strings", Own, Share, "Question words found in strings and comments.";
    CoverSummary = "cover summary", Own, Share, "Question words found in the first doc sentence.";
    CoverDoc = "cover doc", Own, Share, "Question words found in the rest of the documentation.";
    CoverCallers = "cover callers", Environment, Share,
        "Question words found in names and first doc sentences of callers.";
    CoverCallees = "cover callees", Environment, Share, "Question words found in first doc sentences of callees.";
    CoverOwn = "cover own", Own, Share, "Question words found in any own field; says best whether anything fits.";
    CoverRare = "cover rare", Own, Share, "The rarest question words found: they tell candidates apart.";
    CoverFirst = "cover first", Own, Share, "The first question words found: they say what it is about.";
    ShareName = "share name", Own, BestScore(1.0), "BM25F score from the name.";
    ShareScope = "share scope", Own, BestScore(1.0), "BM25F score from the names around it.";
    SharePath = "share path", Own, BestScore(1.0), "BM25F score from the path.";
    ShareParameters = "share parameters", Own, BestScore(1.0), "BM25F score from parameters and results.";
    ShareBody = "share body", Own, BestScore(1.0), "BM25F score from the body.";
    ShareStrings = "share strings", Own, BestScore(1.0), "BM25F score from strings and comments.";
    ShareSummary = "share summary", Own, BestScore(1.0), "BM25F score from the first doc sentence.";
    ShareDoc = "share doc", Own, BestScore(1.0), "BM25F score from the rest of the documentation.";
    ShareCallers = "share callers", Environment, BestScore(1.0),
        "BM25F score from names and first doc sentences of callers.";
    ShareCallees = "share callees", Environment, BestScore(1.0), "BM25F score from first doc sentences of callees.";
    Cosine = "meaning", Own, Share, "Cosine of all words asked for and all its words: finds other words for the same.";
    NearOwn = "near own", Own, Share, "Mean cosine of each question word and the nearest word in any field.";
    NearName = "near name", Own, Share, "The same with the nearest in the name.";
    NearParameters = "near parameters", Own, Share, "The same with the nearest in parameters and results.";
    NearSummary = "near summary", Own, Share, "The same with the nearest in the first doc sentence.";
    NearScope = "near scope", Own, Share, "The same with the nearest in the path and the names around it.";
    NearHead = "near head", Own, Share,
        "The same with the nearest in name, names around it, parameters and first doc sentence.";
    Together = "together", Own, Share,
        "Neighbouring question words that stand together in the name or documentation: exponential backoff.";
    Opposite = "opposite", Own, Share, "Question words whose opposite stands in the name instead: set, and clear.";
    Direction = "direction", Own, Share,
        "1 for a name that turns the same into the same (from_json, for an object from json), -1 for the way back.";
    PredicateAsked = "predicate as asked", Own, Share, "1 for a name such as is_safe where it is asked whether.";
    PredicateUnasked = "predicate unasked", Own, Share, "1 for such a name where it is not.";
    Aside = "aside", Own, Share, "1 in a folder of vendored code, examples, benchmarks and the like.";
    NameExplained = "name explained", Own, Share,
        "Mean cosine of each word of the name and the nearest question word: a name that says more fits less.";
    NameExplainedLeast = "name explained least", Own, Share, "That cosine of the word of the name that fits least.";
    CallerScore = "caller score", Environment, BestScore(1.0),
        "The best caller's score: where a neighbour fits better, it is the answer.";
    CalleeScore = "callee score", Environment, BestScore(1.0), "The best callee's score.";
    SiblingScore = "sibling score", Environment, BestScore(1.0), "The best sibling's score.";
    ParentScore = "parent score", Environment, BestScore(1.0), "The score of the definition around it.";
    FileScore = "file score", Environment, BestScore(10.0),
        "Sum of the file's other candidates: a file about the matter.";
    Length = "length", Own, Log(7.0), "Words of body and strings; few functions have 1,100.";
    Short = "short", Own, Share, "1 for a short one: getters and stubs.";
    Lines = "lines", Own, Log(6.0), "Lines; few functions have 400.";
    NameLength = "name length", Own, Log(3.0), "Words of the name; few have 20.";
    Callers = "callers", Own, Log(5.0), "Callers; few functions have 150.";
    Callees = "callees", Own, Log(4.0), "Calls; few functions have 50.";
    Parameters = "parameters", Own, Log(3.0), "Parameters; few functions have 20.";
    NoParameters = "no parameters", Own, Share, "1 without parameters.";
    ParametersAgree = "parameters agree", Own, Agreement(3.0),
        "How far the number of parameters is off what the question says; left 0 where it says none.";
    Documented = "documented", Own, Share, "1 with documentation: questions are about what others use.";
    Method = "method", Own, Share, "1 for a method.";
    Private = "private", Own, Share, "1 for a name with a leading underscore.";
    Nested = "nested", Own, Share, "1 inside a function: the outer one is meant more often.";
    Shared = "shared name", Own, Log(3.0), "Other candidates of the same name; few names have 20.";
    PurposeName = "purpose in name", Own, Share, "Words of a description's Purpose found in the name.";
    InputParameters = "input in parameters", Own, Share, "Words of its Input found in parameters and results.";
    ProcedureBody = "procedure in body", Own, Share, "Words of its Procedure found in the body.";
    OutputParameters = "output in parameters", Own, Share,
        "Words of its Output found in parameters and results (there the result's type is).";
}

impl Feature {
    /// Returns the name shown to people and in JSON, which is also the key in `order.toml`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Checks whether the feature describes the definitions that a candidate is connected to.
    pub fn is_environment(self) -> bool {
        self.origin() == Origin::Environment
    }
}

/// Features of one candidate, indexed by number of [`Feature`].
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

    /// Checks whether there is a finite number for each feature. Values received from elsewhere
    /// must pass this check.
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

/// Computes the matched share of the weight of some terms; 0 without terms.
///
/// Each item is the weight of a term and the matched part of it, in [0, 1].
pub(super) fn share(terms: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (mut found, mut all) = (0.0, 0.0);
    for (weight, share) in terms {
        found += weight * share;
        all += weight;
    }
    if all > 0.0 { found / all } else { 0.0 }
}
