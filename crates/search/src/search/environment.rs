//! Adds the scores of related fragments to a fragment's own score: s_rel = s_ind + alpha x s_env.
//!
//! - **Implements:** FragRel, equations 9 and 10
//! - **Differs from the paper:** the published form is [`EnvironmentForm::Mean`], the
//!   relation-weighted mean of all scores. A mean loses the amount of evidence, and a hundred weak
//!   neighbors outweigh a strong one. [`EnvironmentForm::Sum`], the default, adds up the related
//!   scores, gives strong scores more weight, and saturates:
//!
//!   ```text
//!   m(j)  = best (s_j / best)^1.5
//!   x_i   = sum over j other than i of w(i,j) m(j)
//!   s_env = best x / (x + best / 2)
//!   ```
//!
//!   It follows relations only along the tree, because the words of callers and callees are already
//!   fields of a definition. It counts less for a longer question, because a long description needs
//!   no help (`benches/records/README.md` has the figures of both forms).
//! - **Error bound:** the fast mean differs from the exact one by at most the best score times the
//!   omitted share of the relations' weight. After the [`REFINED_FRAGMENTS`] best fragments, it is
//!   the mean along the tree.
//! - **Cost:** two passes over the skeleton; for the mean also a search from each of the
//!   [`REFINED_FRAGMENTS`] best fragments along the tree

use super::weights::{FULL_SUM_WORDS, MEAN_ALPHA, REFINED_FRAGMENTS, SUM_ALPHA, SUM_HALF, SUM_POWER};
use crate::relation::{
    Exact, Forest, FragmentUnit, Fragments, Position, Relation, Selected, Semantic, Structure, WeightedSums,
};
use serde::{Deserialize, Serialize};
use whichfn_graph::StructureGraph;
use whichfn_index::store::Embeddings;
use whichfn_syntax::ids::FragmentId;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Relation between fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RelationName {
    /// Distance in the structure graph.
    #[default]
    Structure,
    /// Distance within the file.
    Position,
    /// Similarity of meaning, as the cosine of embeddings.
    Semantic,
    /// No relation, so that each fragment keeps its own score.
    None,
}

/// Formula that combines related scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentForm {
    /// Saturating sum, which counts less for longer questions.
    #[default]
    Sum,
    /// Weighted mean, as published.
    Mean,
}

/// Settings of the environment score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Environment {
    /// Relation between fragments.
    pub relation: RelationName,
    /// Formula that combines related scores.
    pub form: EnvironmentForm,
    /// Weight of the environment, at least 0.
    ///
    /// `None` selects the form's default: [`SUM_ALPHA`], [`super::FILE_ALPHA`] for files, or
    /// [`MEAN_ALPHA`].
    pub alpha: Option<f64>,
}

impl Environment {
    /// Settings of the form published in the FragRel paper.
    pub const PUBLISHED: Self = Self { relation: RelationName::Structure, form: EnvironmentForm::Mean, alpha: None };

    /// Checks whether each fragment keeps its own score unchanged.
    pub fn is_none(&self) -> bool {
        self.relation == RelationName::None
    }

    /// Checks whether an exact computation needs the whole structure graph.
    ///
    /// Only the mean over the structure relation does. The position relation does not read the
    /// graph, and the sum uses only the tree, where the fast computation omits nothing.
    pub(super) fn reads_graph(&self) -> bool {
        self.relation == RelationName::Structure && self.form == EnvironmentForm::Mean
    }

    /// Returns the maximum that the environment adds to a score for a question of `words` words, as
    /// a multiple of the best score.
    ///
    /// `alpha` is the weight of the environment; `None` selects the form's default.
    pub(super) fn max_score(&self, words: usize, alpha: Option<f64>) -> f64 {
        match (self.relation, self.form) {
            (RelationName::None, _) => 0.0,
            (_, EnvironmentForm::Mean) => alpha.unwrap_or(MEAN_ALPHA),
            (_, EnvironmentForm::Sum) => alpha.unwrap_or(SUM_ALPHA) * share_for(words),
        }
    }

    /// Checks whether the result depends only on the fragments with a score, not on other members.
    ///
    /// This is true for the sum along the tree.
    pub(super) fn needs_found_only(&self) -> bool {
        self.form == EnvironmentForm::Sum && matches!(self.relation, RelationName::Structure | RelationName::None)
    }

    /// Computes the amount that the environment adds to the score of each fragment in `scored`.
    ///
    /// `scored` contains every fragment with a score, in ascending order of fragments; the result
    /// is in the same unit. `words` is the number of words of the question. `best` is the best
    /// score of all indexes that are ranked together; `None` selects the best score in `scored`.
    /// With `exact`, relations are computed pair by pair on that graph. The semantic relation needs
    /// `embeddings`.
    ///
    /// # Errors
    /// Returns an error if the relation is semantic and there are no embeddings of these fragments.
    pub fn added(
        &self,
        fragments: &Fragments<'_>,
        scored: &[(FragmentId, f64)],
        words: usize,
        best: Option<f64>,
        exact: Option<&StructureGraph>,
        embeddings: Option<&Embeddings>,
    ) -> Result<Vec<f64>> {
        let default = if self.form == EnvironmentForm::Mean { MEAN_ALPHA } else { SUM_ALPHA };
        let alpha = self.alpha.unwrap_or(default);
        if alpha == 0.0 {
            return Ok(vec![0.0; scored.len()]);
        }
        if self.needs_found_only() {
            let environment = match self.relation {
                RelationName::None => vec![0.0; scored.len()],
                _ => along_tree(fragments, scored, words, best),
            };
            return Ok(environment.into_iter().map(|environment| alpha * environment).collect());
        }
        let (scores, found) = (&by_fragment(fragments, scored), &scored.iter().map(|pair| pair.0).collect::<Vec<_>>());
        let gather = |relation: &dyn Relation| match self.form {
            EnvironmentForm::Mean => means(&relation.sums(scores, found)),
            EnvironmentForm::Sum => saturated(relation, scores, found, words, best),
        };
        let environment = match (self.relation, exact) {
            (RelationName::None, _) => vec![0.0; found.len()],
            (RelationName::Position, _) => gather(&Position::new(fragments)),
            (RelationName::Structure, Some(graph)) if self.reads_graph() => gather(&Exact::new(graph, fragments)),
            (RelationName::Structure, _) => structural(fragments, scores, found, alpha),
            (RelationName::Semantic, _) => gather(&Semantic::new(fragments, embedded(fragments, embeddings)?)),
        };
        Ok(environment.into_iter().map(|environment| alpha * environment).collect())
    }
}

/// Computes the mean over the structure relation: along the tree for all fragments, and also
/// through calls for the best fragments.
fn structural(fragments: &Fragments<'_>, scores: &[f64], found: &[FragmentId], alpha: f64) -> Vec<f64> {
    let structure = Structure::new(fragments);
    let mut environment = means(&structure.forest().sums(scores, found));
    let mut order: Vec<usize> = (0..found.len()).collect();
    let total = |&at: &usize| scores[found[at].index()] + alpha * environment[at];
    order.sort_by(|a, b| total(b).total_cmp(&total(a)).then(a.cmp(b)));
    order.truncate(REFINED_FRAGMENTS);
    let best: Vec<FragmentId> = order.iter().map(|&at| found[at]).collect();
    for (at, mean) in order.into_iter().zip(means(&structure.sums(scores, &best))) {
        environment[at] = mean;
    }
    environment
}

/// Expands the scores to one for each fragment; 0 for a fragment without a score.
fn by_fragment(fragments: &Fragments<'_>, scored: &[(FragmentId, f64)]) -> Vec<f64> {
    let mut scores = vec![0.0; fragments.count()];
    scored.iter().for_each(|&(fragment, score)| scores[fragment.index()] = score);
    scores
}

/// Computes the saturating sum along the tree. Reads only files with a fragment in `scored`.
fn along_tree(fragments: &Fragments<'_>, scored: &[(FragmentId, f64)], words: usize, best: Option<f64>) -> Vec<f64> {
    let Some(sum) = SaturatingSum::new(scored.iter().map(|&(_, score)| score), words, best) else {
        return vec![0.0; scored.len()];
    };
    let forest = Forest::with_fragments(fragments, scored.iter().map(|&(fragment, _)| fragment));
    let masses: Vec<f64> = scored.iter().map(|&(_, score)| sum.mass(score)).collect();
    let sums = forest.scored(&masses);
    let own = |at| forest.own(Selected(at as u32));
    (0..scored.len()).map(|at| sum.saturate(sums[at] - own(at) * masses[at])).collect()
}

fn means(sums: &[WeightedSums]) -> Vec<f64> {
    sums.iter().map(WeightedSums::mean).collect()
}

fn saturated(
    relation: &dyn Relation,
    scores: &[f64],
    found: &[FragmentId],
    words: usize,
    best: Option<f64>,
) -> Vec<f64> {
    let Some(sum) = SaturatingSum::new(scores.iter().copied(), words, best) else { return vec![0.0; found.len()] };
    let masses: Vec<f64> = scores.iter().map(|&score| sum.mass(score)).collect();
    let one = |(&fragment, sums): (&FragmentId, WeightedSums)| {
        sum.saturate(sums.scored - relation.own(fragment) * masses[fragment.index()])
    };
    found.iter().zip(relation.sums(&masses, found)).map(one).collect()
}

/// Computes the terms m(j) and s_env of the saturating sum.
struct SaturatingSum {
    best: f64,
    /// Weight of the sum, which depends on the length of the question.
    share: f64,
}

impl SaturatingSum {
    /// Creates the sum for these scores. Returns `None` if no score is above 0.
    fn new(scores: impl Iterator<Item = f64>, words: usize, best: Option<f64>) -> Option<Self> {
        let best = best.unwrap_or_else(|| scores.fold(0.0, f64::max));
        (best != 0.0).then(|| Self { best, share: share_for(words) })
    }

    fn mass(&self, score: f64) -> f64 {
        self.best * (score / self.best).powf(SUM_POWER)
    }

    /// Computes s_env from the weighted sum over all other fragments.
    fn saturate(&self, others: f64) -> f64 {
        let others = others.max(0.0);
        self.share * self.best * others / (others + SUM_HALF * self.best)
    }
}

/// Returns the weight of the saturating sum for a question of `words` words.
fn share_for(words: usize) -> f64 {
    (FULL_SUM_WORDS / words.max(1) as f64).min(1.0)
}

/// Returns the embeddings if they exist and the fragments are definitions; windows have no
/// embeddings.
fn embedded<'a>(fragments: &Fragments<'_>, embeddings: Option<&'a Embeddings>) -> Result<&'a Embeddings> {
    let (what, next) = match (embeddings, fragments.unit) {
        (Some(embeddings), FragmentUnit::Definition) => return Ok(embeddings),
        (Some(_), FragmentUnit::Window) => (
            "the semantic relation works only on functions, because windows have no embeddings",
            Remedy::RankDefinitions,
        ),
        (None, _) => ("the semantic relation needs embeddings, but no model was specified", Remedy::NameEmbedding),
    };
    Err(Error::new(Kind::Usage, what, next))
}
