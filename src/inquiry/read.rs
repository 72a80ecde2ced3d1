//! A question about texts, answered by reading them from the first to the last.
//!
//! Paper:    PRISM, algorithm 1, for any schema; the answer comes from the memory alone
//! Departs:  without a model the memory is the answer

use super::extractive::ExtractiveReader;
use super::passage::Passage;
use crate::error::Result;
use crate::llm::{Model, Templates};
use crate::memory::{MemoryFormat, Path, PathPart, PromptCost, Schema, Type, Value};
use crate::reading::{
    Chunk, Instructions, MemoryPolicy, ModelReader, Reader, ReadingLoop, StepTrace, Strategy, Task, revisions_schema,
};
use crate::text::{Stemmer, plain_words};
use serde::Serialize;

/// A question about texts, and all that is needed to answer it.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// The question, as asked.
    pub question: &'a str,
    /// The type of the memory: which attributes it may have.
    pub schema: &'a Schema,
    /// The texts, cut into chunks, in the order in which they are read.
    pub chunks: &'a [Chunk<Passage>],
    /// How the memory is brought up to date, shown and bounded.
    pub policy: MemoryPolicy,
    /// The prompts of a model.
    pub templates: &'a Templates,
}

/// The result of reading.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The memory at the end: a map of the schema's attributes, without those that nothing was noted for.
    pub memory: Value,
    /// A model's answer from the memory; `None` without a model, or if the memory is empty.
    pub answer: Option<String>,
    /// How the texts were read, and what it cost.
    pub trace: TextTrace,
}

/// How texts were read, and what it cost.
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; held by `tests/traces.rs`), and their order
/// is that of the JSON. It shares them with `LookupTrace`, but others stand between: one struct for both would change
/// the order.
#[derive(Debug, Clone, Serialize)]
pub struct TextTrace {
    /// How the memory was brought up to date.
    pub strategy: Strategy,
    /// The model's name, or `offline`.
    pub reader: String,
    /// How the memory stands in prompts.
    pub form: MemoryFormat,
    /// Tokens of all chunks together, without the rest of their prompts.
    pub tokens_read: usize,
    /// One for each chunk, in order.
    pub steps: Vec<StepTrace>,
    /// The prompt for the answer in words; all zero without a model, or if the memory is empty.
    pub answering: PromptCost,
    /// All prompts together: the steps and the answer.
    pub total: PromptCost,
    /// Tokens encoded anew + 3 x tokens of replies, in millions.
    pub cost_index: f64,
}

impl Findings {
    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.memory.as_map().is_none_or(|map| map.is_empty())
    }
}

impl Inquiry<'_> {
    /// Reads all chunks, with a language model or without; `progress` is told how many are read, of how many.
    ///
    /// # Errors
    /// When the model fails, or a prompt does not fill in.
    pub fn read(&self, model: Option<&dyn Model>, progress: &mut dyn FnMut(usize, usize)) -> Result<Findings> {
        let instructions = Instructions {
            task: "You read texts to answer a question about them.".to_owned(),
            question: self.question.trim().to_owned(),
            example: example(self.schema),
            keys: " Note only what the text says and what matters for the question; a key is a short name.".to_owned(),
            remarks: String::new(),
        };
        let mut run = ReadingLoop::new(self.templates, self.schema.clone(), instructions, self.policy);
        let whole = (&self.schema.json_schema()).into();
        let mut reader: Box<dyn Reader<Passage> + '_> = match model {
            Some(model) => {
                // A memory of any schema: its values may be anything.
                let value = serde_json::json!({"type": ["string", "number", "boolean", "object", "array"]});
                Box::new(ModelReader { model, revisions: revisions_schema(value), whole, cut: 0 })
            }
            None => Box::new(ExtractiveReader::new(self.question, self.schema, self.chunks)),
        };
        for (at, chunk) in self.chunks.iter().enumerate() {
            progress(at, self.chunks.len());
            run.read(chunk, &mut *reader, &mut |revision| Ok(revision), &mut self.relevance())?;
        }
        let memory = run.memory().value().clone();
        let holds_any = memory.as_map().is_some_and(|map| !map.is_empty());
        let answer = match model {
            Some(_) if holds_any => Some(run.ask(Task::Answer, &Chunk::default(), "", &mut *reader)?.trim().to_owned()),
            _ => None,
        };
        let (reader, total) = (reader.name().to_owned(), run.total());
        let trace = TextTrace {
            strategy: self.policy.strategy,
            reader,
            form: self.policy.form,
            tokens_read: run.steps().iter().map(|step| step.chunk).sum(),
            steps: run.steps().to_vec(),
            answering: run.beside(),
            total,
            cost_index: total.cost_index(),
        };
        Ok(Findings { memory, answer, trace })
    }

    /// How many words of the question the key of an entry has, for a memory that must be compressed.
    fn relevance(&self) -> impl FnMut(&Path) -> f32 + use<> {
        let mut stemmer = Stemmer::default();
        let asked = stems(&mut stemmer, self.question);
        move |path| match path.parts().last() {
            Some(PathPart::Key(key)) => {
                stems(&mut stemmer, key).iter().filter(|stem| asked.contains(stem)).count() as f32
            }
            _ => 0.0,
        }
    }
}

fn stems(stemmer: &mut Stemmer, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    plain_words(text, |word| found.push(stemmer.stem(word).to_owned()));
    found
}

/// The path of a revision, by example: an entry of the first attribute.
fn example(schema: &Schema) -> String {
    let Some((name, field)) = schema.root().fields.first() else { return "$".to_owned() };
    match field.of {
        Type::Map(_) => format!("$.{name}['a key']"),
        _ => format!("$.{name}"),
    }
}
