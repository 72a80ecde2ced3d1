//! Answers a question about arbitrary text. This needs neither a repository nor an index, so it is
//! not a method of [`super::Engine`].

use whichfn_index::source::Texts;
use whichfn_llm::{Model, Templates};
use whichfn_memory::Schema;
use whichfn_read::inquiry::{Findings, Inquiry, generate};
use whichfn_read::reading::MemoryPolicy;
use whichfn_system::error::Result;

/// A question about arbitrary text, and how to read that text.
#[derive(Clone, Copy)]
pub struct ReadQuery<'a> {
    /// Text of the question.
    pub question: &'a str,
    /// Text to read, in order.
    pub texts: &'a Texts,
    /// Schema of the memory that stores what was read.
    pub schema: &'a Schema,
    /// Maximum number of tokens to read at once.
    pub chunk_tokens: usize,
    /// Policy for updating the memory.
    pub policy: MemoryPolicy,
    /// Model that reads the text, or `None` to read it without a model.
    pub model: Option<&'a dyn Model>,
    /// Prompt templates. They are not used without a model.
    pub templates: &'a Templates,
}

/// Reads the text from beginning to end. Calls `progress` with the number of chunks read so far and
/// the total number of chunks.
///
/// # Errors
/// Returns an error if the model fails, or if a prompt template cannot be rendered.
pub fn read(query: &ReadQuery<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<Findings> {
    let &ReadQuery { question, texts, schema, chunk_tokens, policy, model, templates } = query;
    Inquiry { question, schema, texts: &texts.read, chunk_tokens, policy, templates }.read(model, progress)
}

/// Generates the schema of the memory for a question about text from the given domain, with the
/// help of a model.
///
/// # Errors
/// Returns an error if the model fails, or if it writes a schema that a memory cannot use.
pub fn write_schema(model: &dyn Model, templates: &Templates, domain: &str, question: &str) -> Result<Schema> {
    generate(model, templates, domain, question)
}
