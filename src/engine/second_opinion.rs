//! Reorders the first hits by an embedding model of the user: an installed encoder that reads them, or
//! vectors that are stored with the index (`--embed`).
//!
//! - **Implements:** Sentence-BERT (Reimers and Gurevych, 2019) as a second opinion. The formula is in
//!   `crates/search/src/search/embedding_model.rs`.
//! - **Invariant:** without a model, no hit changes.
//! - **Cost:** of the encoder: one pass for the question and for each of [`DEPTH`] functions that no earlier
//!   question had among its first ones (`vector_cache.rs`), at most [`LONGEST_WAIT`] in total. Stored vectors
//!   cost nothing more.

use super::Engine;
use super::vector_cache::VectorCache;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use whichfn_encoder::Encoder;
use whichfn_index::source::Sources;
use whichfn_index::store::Layout;
use whichfn_search::search::{Hit, Query, QuestionForm, is_order_open, reorder_by_cosines};
use whichfn_syntax::ids::DefinitionId;

/// Number of hits that a model compares with the question.
pub(super) const DEPTH: usize = 10;
/// Number of characters of a function's source that the encoder reads.
const MOST_CHARACTERS: usize = 700;
/// Longest time that an answer waits for the encoder.
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

    /// Returns the cosine of each function with the question, or the reason why there are none.
    fn cosines(
        &self,
        question: &str,
        sources: &Sources<'_>,
        hits: &[Hit],
        layout: &Layout,
    ) -> Result<Vec<f32>, String> {
        let open = || Encoder::open(&self.directory).map_err(|error| error.what().to_owned());
        let encoder = self.encoder.get_or_init(open).as_ref().map_err(Clone::clone)?;
        let texts: Vec<String> = hits.iter().map(|hit| text_of(sources, hit.definition)).collect();
        let texts: Vec<&str> = std::iter::once(question).chain(texts.iter().map(String::as_str)).collect();
        let vectors = VectorCache::open(layout, encoder).vectors(&texts, |texts| encoded(encoder, texts));
        let vectors = vectors.ok_or_else(|| format!("it takes longer than {} s", LONGEST_WAIT.as_secs()))?;
        let Some((question, functions)) = vectors.split_first() else { return Ok(Vec::new()) };
        let dot = |other: &Vec<f32>| question.iter().zip(other).map(|(a, b)| a * b).sum();
        Ok(functions.iter().map(dot).collect())
    }
}

impl Engine {
    /// Reorders the first hits by the user's embedding model, if there is one. Returns a notice if it
    /// cannot be used or takes too long; the order then stays as it was.
    pub(super) fn reorder(&self, query: &Query, sources: &Sources<'_>, hits: &mut [Hit]) -> Option<String> {
        let depth = hits.len().min(DEPTH);
        let (form, first) = (query.question.form, &mut hits[..depth]);
        if !is_order_open(first) {
            return None;
        }
        if self.model.is_some() {
            if QuestionForm::LEARNED.contains(&form) {
                let cosine = |hit: &Hit| self.model_cosine(hit.definition, query).unwrap_or_default();
                let cosines: Vec<f32> = first.iter().map(cosine).collect();
                reorder_by_cosines(first, &cosines);
            }
            return None;
        }
        // all-MiniLM-L6-v2 gained nothing on descriptions in parts.
        let is_read = matches!(form, QuestionForm::Sentence | QuestionForm::Keywords);
        let encoder = self.second_opinion.as_deref().filter(|_| is_read)?;
        match encoder.cosines(&query.question.text, sources, first, &self.layout) {
            Ok(cosines) => {
                reorder_by_cosines(first, &cosines);
                None
            }
            Err(reason) => Some(format!("the model {} was left out: {reason}", encoder.name())),
        }
    }
}

/// Returns the name of a definition, followed by the start of its source.
fn text_of(sources: &Sources<'_>, id: DefinitionId) -> String {
    let source: String = sources.text_of(id).chars().take(MOST_CHARACTERS).collect();
    format!("{}\n{source}", sources.graph().qualified_name(id))
}

/// Returns a vector for each text, or for the first of them if all take too long.
fn encoded(encoder: &Encoder, texts: &[&str]) -> Vec<Vec<f32>> {
    let started = Instant::now();
    let threads = rayon::current_num_threads().max(1);
    let in_time = texts.chunks(threads).take_while(|_| started.elapsed() <= LONGEST_WAIT);
    in_time.flat_map(|some| encoder.encode_all(some)).collect()
}
