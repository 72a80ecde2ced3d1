//! A learned score as a few parts that a person can follow.
//!
//! A weighted sum over sixty features that overlap says little feature by feature: what one of them takes away is what three
//! others gave too much of ("words" holds the bonus for a name, which "name asked for" takes back). What a candidate has in its
//! name, in all features that look at names together, can be understood, and only compared with the other candidates: what all
//! of them have puts none first. So a part is
//!
//! ```text
//! part_p(c) = sum over features f of p of  w_f x_f(c), less the mean of that over all candidates
//! score(c)  = average score + sum over p of part_p(c)
//! ```
//!
//! with the feature "words", the score before reranking, shared out to the parts that it is the sum of.
//!
//! Checked: `rerank.rs`, the parts of each candidate add up to its score

use super::feature::Feature;

/// What the words of a question can meet, or what else speaks for a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// The mean score of all candidates: the same for each.
    Average,
    /// Its name.
    Name,
    /// Its documentation.
    Documentation,
    /// Its parameters and what it gives back.
    Parameters,
    /// Its code.
    Body,
    /// The names around it, and its path.
    Around,
    /// All its words taken together, and how near they are in meaning.
    Together,
    /// Callers, callees and what else is related.
    Connected,
    /// What it is whatever is asked: its size, a test, a helper inside a function.
    Shape,
    /// How near it is by the user's embedding model.
    Model,
}

/// One part of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScorePart {
    /// Which.
    pub part: Aspect,
    /// What it adds, in the score's unit; below 0 if other candidates have more.
    pub change: f32,
}

impl Aspect {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 10] = [
        Self::Average,
        Self::Name,
        Self::Documentation,
        Self::Parameters,
        Self::Body,
        Self::Around,
        Self::Together,
        Self::Connected,
        Self::Shape,
        Self::Model,
    ];

    /// The words that people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Average => "what the candidates have on average",
            Self::Name => "its name",
            Self::Documentation => "its documentation",
            Self::Parameters => "parameters and result",
            Self::Body => "its code",
            Self::Around => "its path and the names around it",
            Self::Together => "all its words together, by meaning too",
            Self::Connected => "callers, callees and what else is near",
            Self::Shape => "what it is: size, test, kind",
            Self::Model => "the embedding model",
        }
    }

    /// The part that a feature is of.
    pub(super) fn of(feature: Feature) -> Self {
        use Feature as F;
        match feature {
            _ if feature.is_environment() => Self::Connected,
            F::Named | F::CoverName | F::ShareName | F::NearName | F::PurposeName | F::NameExplained => Self::Name,
            F::NameExplainedLeast | F::NameLength | F::Opposite | F::Direction => Self::Name,
            F::PredicateAsked | F::PredicateUnasked | F::Private | F::Shared => Self::Name,
            F::CoverSummary | F::ShareSummary | F::NearSummary | F::CoverDoc | F::ShareDoc | F::Documented => {
                Self::Documentation
            }
            F::CoverParameters | F::ShareParameters | F::NearParameters | F::InputParameters => Self::Parameters,
            F::OutputParameters | F::ParametersAgree | F::Parameters | F::NoParameters => Self::Parameters,
            F::CoverBody | F::ShareBody | F::CoverStrings | F::ShareStrings | F::ProcedureBody => Self::Body,
            F::CoverScope | F::ShareScope | F::CoverPath | F::SharePath | F::NearScope | F::Aside => Self::Around,
            F::Test | F::Length | F::Short | F::Lines | F::Callers | F::Callees | F::Method | F::Nested => Self::Shape,
            _ => Self::Together,
        }
    }
}

/// What the score before reranking is the sum of; the rest are words by meaning.
pub(super) const OF_WORDS: [Feature; 13] = [
    Feature::ShareName,
    Feature::ShareScope,
    Feature::SharePath,
    Feature::ShareParameters,
    Feature::ShareBody,
    Feature::ShareStrings,
    Feature::ShareSummary,
    Feature::ShareDoc,
    Feature::ShareCallers,
    Feature::ShareCallees,
    Feature::Related,
    Feature::Named,
    Feature::Test,
];
