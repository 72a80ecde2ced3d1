//! Embeds texts by an embedding model of the user's choice: a fastembed model by name, or a
//! directory with a model.
//!
//! ```text
//! choice ──> model (name and digest, known before it is loaded)
//!        ──> embedder (loaded on first use) ──> unit vectors
//! ```
//!
//! - **Cost:** the default build contains only the [`Embedder`] trait. A model needs the cargo
//!   feature `embed` (the user's ONNX Runtime library is opened at run time) or `embed-bundled` (it
//!   is downloaded during the build). Each more than doubles the time of a clean build.
//!
//! **Never:** knows code, an index or a question's words; opens the network unless a model is named
//! that is not downloaded yet.

mod hashed;
mod model;
#[cfg(any(feature = "embed", feature = "embed-bundled"))]
mod onnx;
#[cfg(any(feature = "embed", feature = "embed-bundled"))]
mod prompts;
#[cfg(not(any(feature = "embed", feature = "embed-bundled")))]
mod without;

#[cfg(any(feature = "embed", feature = "embed-bundled"))]
use onnx as runtime;
#[cfg(not(any(feature = "embed", feature = "embed-bundled")))]
use without as runtime;

use whichfn_system::error::Result;

pub use hashed::{HASHED, HashedEmbedder};
pub use model::{Choice, EmbedModel};

/// Converts texts to vectors.
pub trait Embedder: Send + Sync {
    /// Returns the name that the user chose.
    fn name(&self) -> &str;

    /// Returns the number of dimensions of each vector.
    fn dimensions(&self) -> usize;

    /// Embeds each text as one vector, of any length. `as_question` marks the texts as questions,
    /// which many models require.
    ///
    /// # Errors
    /// When the model cannot read a text, or its runtime fails.
    fn embed(&self, texts: &[&str], as_question: bool) -> Result<Vec<Vec<f32>>>;
}
