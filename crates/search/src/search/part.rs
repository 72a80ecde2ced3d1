//! Splits a learned score into a few parts that a person can follow.
//!
//! A weighted sum over sixty overlapping features explains little feature by feature, because one
//! feature subtracts what other features counted too often (`words` contains the bonus for a name,
//! which `name asked for` subtracts again). The sum of all features about the name can be
//! understood, but only relative to the other candidates: a value that all candidates share puts
//! none of them first. A part is therefore
//!
//! ```text
//! part_p(c) = sum over features f of p of  w_f x_f(c), less the mean of that over all candidates
//! score(c)  = average score + sum over p of part_p(c)
//! ```
//!
//! The feature `words` is the score before reranking. It is divided among the parts that add up to
//! it.
//!
//! - **Tested by:** `rerank.rs`, which checks that the parts of each candidate add up to its score

use super::feature::Feature;

/// A group of features that match the same text or describe the same property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// Mean score of all candidates, the same for each.
    Average,
    /// The name.
    Name,
    /// The documentation.
    Documentation,
    /// The parameters and the result.
    Parameters,
    /// The body.
    Body,
    /// The enclosing names and the path.
    Around,
    /// All words taken together, and their similarity in meaning.
    Together,
    /// Callers, callees and other related definitions.
    Connected,
    /// Properties of the definition itself: size, whether it is a test, whether it is nested in a
    /// function.
    Shape,
    /// Names, files, lines and frames in an issue.
    Mentioned,
    /// Only the title of an issue.
    Title,
    /// Similarity computed by the user's embedding model.
    Model,
    /// Choice of a language model.
    Choice,
}

/// One part of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScorePart {
    /// Group of features.
    pub part: Aspect,
    /// Amount added to the score; negative if other candidates have more.
    pub change: f32,
}

impl Aspect {
    /// All parts, in display order.
    pub const ALL: [Self; 13] = [
        Self::Average,
        Self::Name,
        Self::Documentation,
        Self::Parameters,
        Self::Body,
        Self::Around,
        Self::Together,
        Self::Connected,
        Self::Shape,
        Self::Mentioned,
        Self::Title,
        Self::Model,
        Self::Choice,
    ];

    /// Returns the description shown to people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Average => "average of the candidates",
            Self::Name => "its name",
            Self::Documentation => "its documentation",
            Self::Parameters => "parameters and result",
            Self::Body => "its code",
            Self::Around => "its path and the names around it",
            Self::Together => "all its words together, including their meaning",
            Self::Connected => "callers, callees and other related definitions",
            Self::Shape => "size, kind, test or not",
            Self::Mentioned => "names, files and frames in the text",
            Self::Title => "the title by itself",
            Self::Model => "the embedding model",
            Self::Choice => "the choice of the language model",
        }
    }

    /// Returns the part that a feature belongs to.
    pub(super) fn from_feature(feature: Feature) -> Self {
        use Feature as F;
        match feature {
            _ if feature.is_of_issues() => Self::Mentioned,
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

/// Features that the score before reranking consists of; the rest of that score comes from the
/// similarity of words.
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
