//! Reorders the first hits by an encoder that the user has installed.
//!
//! ```text
//! score + WEIGHT x z(cosine(question, function))     z: standardized among the first hits
//! ```
//!
//! - **Implements:** Sentence-BERT (Reimers and Gurevych, 2019) as a second opinion: the encoder reads only
//!   the [`DEPTH`] best functions, so it needs no index.
//! - **Invariant:** without an installed model, or if the first two scores differ by more than
//!   [`CLEAR_LEAD`], no hit changes. Only the first hits change places, so the last of them may have a
//!   lower score than the hit after it.
//! - **Cost:** one pass of the encoder for the question and for each of ten functions, at most
//!   [`LONGEST_WAIT`] in total.
//! - **Confidence:** it was measured without the model, so an answer that the model puts first has none.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use whichfn_encoder::Encoder;
use whichfn_index::source::Sources;
use whichfn_search::search::{AdjustmentKind, Aspect, Hit, Question, QuestionForm, Ranker};
use whichfn_syntax::ids::DefinitionId;

/// Number of hits that the model reads.
pub(super) const DEPTH: usize = 10;
/// Weight of a standardized cosine, in the unit of the learned score. On 127 phrases the mean reciprocal rank
/// rose by .007 with 2.5 and by .004 with 1.
const WEIGHT: f32 = 2.5;
/// Difference between the first two scores above which the model does not change the order.
const CLEAR_LEAD: f32 = 2.0;
/// Number of characters of a function's source that the model reads.
const MOST_CHARACTERS: usize = 700;
/// Longest time that an answer waits for the model.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// An encoder that the user installed or named, opened when it is first needed.
pub struct SecondOpinion {
    directory: PathBuf,
    encoder: OnceLock<Result<Encoder, String>>,
}

impl SecondOpinion {
    /// Creates the second opinion of the encoder in a directory. Reads nothing yet.
    pub fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), encoder: OnceLock::new() }
    }

    /// Returns the name of the model.
    pub fn name(&self) -> String {
        self.directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Reorders the best of the hits for a question. Returns a notice if the model cannot be used or
    /// takes too long; the order then stays as it was.
    pub(super) fn reorder(&self, question: &Question, sources: &Sources<'_>, hits: &mut [Hit]) -> Option<String> {
        let depth = hits.len().min(DEPTH);
        let first = &mut hits[..depth];
        if !is_open(question.form, first) {
            return None;
        }
        let encoder = match self
            .encoder
            .get_or_init(|| Encoder::open(&self.directory).map_err(|error| error.what().to_owned()))
        {
            Ok(encoder) => encoder,
            Err(error) => return Some(format!("the model {} was left out: {error}", self.name())),
        };
        let texts: Vec<String> = first.iter().map(|hit| text_of(sources, hit.definition)).collect();
        let texts: Vec<&str> =
            std::iter::once(question.text.as_str()).chain(texts.iter().map(String::as_str)).collect();
        let Some(vectors) = encoded(encoder, &texts) else {
            let seconds = LONGEST_WAIT.as_secs();
            return Some(format!("the model {} was left out: it takes longer than {seconds} s", self.name()));
        };
        let best = first[0].definition;
        let confidence = first[0].confidence.take();
        for (hit, change) in first.iter_mut().zip(changes(&vectors)) {
            hit.adjust(AdjustmentKind::Model, Aspect::Model, change);
        }
        first.sort_by(|a, b| b.score.total_cmp(&a.score));
        if first[0].definition == best {
            first[0].confidence = confidence;
        }
        None
    }
}

/// Checks whether the order of the first hits is open: the question is a sentence or keywords, and the best
/// two scores are close. On descriptions in parts the model gained nothing.
fn is_open(form: QuestionForm, hits: &[Hit]) -> bool {
    let is_learned = hits.iter().all(|hit| hit.ranker == Ranker::Learned);
    let is_close = matches!(hits, [first, second, ..] if first.score - second.score <= CLEAR_LEAD);
    matches!(form, QuestionForm::Sentence | QuestionForm::Keywords) && is_learned && is_close
}

/// Returns the name of a definition, followed by the start of its source.
fn text_of(sources: &Sources<'_>, id: DefinitionId) -> String {
    let source: String = sources.text_of(id).chars().take(MOST_CHARACTERS).collect();
    format!("{}\n{source}", sources.graph().qualified_name(id))
}

/// Returns a vector for each text, or `None` if that takes too long.
fn encoded(encoder: &Encoder, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
    let started = Instant::now();
    let threads = rayon::current_num_threads().max(1);
    let mut vectors = Vec::with_capacity(texts.len());
    for some in texts.chunks(threads) {
        if started.elapsed() > LONGEST_WAIT {
            return None;
        }
        vectors.extend(encoder.encode_all(some));
    }
    Some(vectors)
}

/// Returns the change of each score, from the vector of the question and those of the functions.
fn changes(vectors: &[Vec<f32>]) -> Vec<f32> {
    let [question, functions @ ..] = vectors else { return Vec::new() };
    let dot = |other: &Vec<f32>| question.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
    let cosines: Vec<f32> = functions.iter().map(dot).collect();
    let count = cosines.len().max(1) as f32;
    let mean = cosines.iter().sum::<f32>() / count;
    let deviation = (cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f32>() / count).sqrt();
    // Equal texts have equal vectors.
    let unit = if deviation > f32::EPSILON { WEIGHT / deviation } else { 0.0 };
    cosines.into_iter().map(|cosine| (cosine - mean) * unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_are_standardized_cosines() {
        let vectors = [vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(changes(&vectors), [WEIGHT, -WEIGHT]);
        assert_eq!(changes(&[vec![1.0], vec![1.0], vec![1.0]]), [0.0, 0.0], "equal functions stay in their order");
        assert!(changes(&[vec![1.0]]).is_empty());
    }
}
