//! Runs sentence encoders of the BERT architecture in plain Rust, such as all-MiniLM-L6-v2.
//!
//! An [`Encoder`] converts a text to a vector of length one. The cosine of two texts is the dot
//! product of their vectors.
//!
//! ```text
//! text ──tokenizer──> ids ──forward──> one vector a token ──pooling──> one vector
//!            │                 │                               │
//!       vocabulary        parameters <── safetensors      modules.json
//! ```
//!
//! - **Implements:** BERT (Devlin et al. 2019): embeddings, layers, tokenizer; WordPiece (Wu et al.
//!   2016), as the longest match first; Sentence-BERT (Reimers & Gurevych 2019): pooling.
//! - **Cost:** opening reads the small files and maps the weights; a text of 126 tokens takes 2.8
//!   billion floating-point operations with all-MiniLM-L6-v2. Texts are computed up to five at once on
//!   each thread, which saves a fifth of the time.
//! - **Invariant:** a vector depends only on the model, the text and the processor. Threads and
//!   other texts never change it. Processors with different vector instructions can differ in the last
//!   digits.
//!
//! **Never:** uses the network, writes a file, or allocates by an unchecked number in a file.

mod characters;
mod config;
mod directory;
mod encoder;
mod forward;
mod functions;
mod matrix;
mod parameters;
mod pooling;
mod safetensors;
mod tensor;
mod tokenizer;
mod vocabulary;

pub use encoder::Encoder;
