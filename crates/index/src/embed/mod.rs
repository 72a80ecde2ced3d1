//! Embeds inputs with an embedding model of the user's choice: a fastembed model selected by name,
//! or a directory with a model.
//!
//! ```text
//! choice ──> model (name and digest, known before it is loaded)
//!        ──> embedder (loaded on first use) ──> unit vectors
//! ```
//!
//! - **Cost:** the default build contains only the [`Embedder`] trait. A model needs the cargo
//!   feature `embed` (the user's ONNX Runtime library is opened at run time) or `embed-bundled`
//!   (the library is downloaded during the build). Either feature more than doubles the time of a
//!   clean build.
//!
//! **Never:** depends on code, an index or the words of a question; opens the network, except to
//! download a model that the user named.

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

/// Converts inputs to vectors.
pub trait Embedder: Send + Sync {
    /// Returns the name that the user chose.
    fn name(&self) -> &str;

    /// Returns the number of dimensions of the model's vectors.
    fn dimensions(&self) -> usize;

    /// Embeds each input as one vector, which need not be normalized. `as_question` marks the
    /// inputs as questions, which many models require.
    ///
    /// # Errors
    /// Returns an error if the model cannot read an input, or if its runtime fails.
    fn embed(&self, texts: &[&str], as_question: bool) -> Result<Vec<Vec<f32>>>;
}
