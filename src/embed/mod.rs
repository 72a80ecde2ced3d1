//! Texts to vectors, by an embedding model that the user brings: a fastembed model by name, or a directory with a model.
//!
//! ```text
//! choice ──> model (name and digest, known before it is loaded) ──> embedder (loaded when first asked) ──> unit vectors
//! ```
//!
//! Price:     the program's default build has none of it but the [`Embedder`] trait: a model needs the cargo feature
//!            `embed` (ONNX Runtime is a library of the user's, opened at run time) or `embed-bundled` (it is downloaded
//!            while building); each more than doubles the time of a clean build
//! **Never:** knows code, an index or a question's words; opens the network unless a model is named that is not here yet.

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

use crate::error::Result;

pub use hashed::{HASHED, Hashed};
pub use model::{Choice, EmbedModel};

/// What turns texts into vectors.
pub trait Embedder: Send + Sync {
    /// What the user calls it.
    fn name(&self) -> &str;

    /// How many numbers each vector has.
    fn dimensions(&self) -> usize;

    /// One vector for each text, of any length. Many models want a question marked as one: `as_question` says so.
    ///
    /// # Errors
    /// When the model cannot read a text, or its runtime fails.
    fn embed(&self, texts: &[&str], as_question: bool) -> Result<Vec<Vec<f32>>>;
}
