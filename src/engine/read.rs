//! A question to any texts. Needs no repository and no index, so it is no method of [`super::Engine`].

use crate::error::Result;
use crate::inquiry::{Findings, Inquiry, chunks, generate};
use crate::llm::{Model, Templates};
use crate::memory::Schema;
use crate::reading::MemoryPolicy;
use crate::source::Texts;

/// A question about texts.
#[derive(Clone, Copy)]
pub struct ReadQuery<'a> {
    /// What is to be found.
    pub question: &'a str,
    /// What is read, in this order.
    pub texts: &'a Texts,
    /// What the memory may hold.
    pub schema: &'a Schema,
    /// Tokens that are read at once, at most.
    pub chunk_tokens: usize,
    /// How the memory is kept.
    pub policy: MemoryPolicy,
    /// Who reads; this program without a model.
    pub model: Option<&'a dyn Model>,
    /// The prompt templates; not used without a model.
    pub templates: &'a Templates,
}

/// Reads the texts from the first to the last; `progress` is told how many chunks are read, of how many.
///
/// # Errors
/// When the model fails, or a prompt does not fill in.
pub fn read(query: &ReadQuery<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<Findings> {
    let &ReadQuery { question, texts, schema, chunk_tokens, policy, model, templates } = query;
    let chunks = chunks(&texts.read, chunk_tokens);
    Inquiry { question, schema, chunks: &chunks, policy, templates }.read(model, progress)
}

/// Has a model write the schema of the memory for a question about texts of some domain.
///
/// # Errors
/// When the model fails, or writes no schema that a memory can use.
pub fn write_schema(model: &dyn Model, templates: &Templates, domain: &str, question: &str) -> Result<Schema> {
    generate(model, templates, domain, question)
}
