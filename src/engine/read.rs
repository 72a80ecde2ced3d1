//! Answers a question about arbitrary texts. This needs neither a repository nor an index, so it is
//! not a method of [`super::Engine`].

use whichfn_index::source::Texts;
use whichfn_llm::{Model, Templates};
use whichfn_memory::Schema;
use whichfn_read::inquiry::{Findings, Inquiry, chunks, generate};
use whichfn_read::reading::MemoryPolicy;
use whichfn_system::error::Result;

/// A question about texts.
#[derive(Clone, Copy)]
pub struct ReadQuery<'a> {
    /// The question.
    pub question: &'a str,
    /// Texts to read, in this order.
    pub texts: &'a Texts,
    /// Schema of the memory.
    pub schema: &'a Schema,
    /// Maximum number of tokens read at once.
    pub chunk_tokens: usize,
    /// Policy of the memory.
    pub policy: MemoryPolicy,
    /// Model that reads; `None` to read without a model.
    pub model: Option<&'a dyn Model>,
    /// Prompt templates, unused without a model.
    pub templates: &'a Templates,
}

/// Reads the texts from first to last; calls `progress` with the number of chunks read and their
/// total.
///
/// # Errors
/// When the model fails, or a prompt template cannot be filled in.
pub fn read(query: &ReadQuery<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<Findings> {
    let &ReadQuery { question, texts, schema, chunk_tokens, policy, model, templates } = query;
    let chunks = chunks(&texts.read, chunk_tokens);
    Inquiry { question, schema, chunks: &chunks, policy, templates }.read(model, progress)
}

/// Lets a model write the schema of the memory for a question about texts of a domain.
///
/// # Errors
/// When the model fails, or writes a schema that a memory cannot use.
pub fn write_schema(model: &dyn Model, templates: &Templates, domain: &str, question: &str) -> Result<Schema> {
    generate(model, templates, domain, question)
}
