//! Answers a question about text by reading it from beginning to end.
//!
//! **Implements:** PRISM, algorithm 1, for any schema. The answer is based only on the memory.
//!
//! **Differs from the paper:** without a model, the memory is the answer.

use super::extractive::ExtractiveReader;
use super::passage::{Passage, chunks};
use crate::reading::{
    Chunk, Instructions, MemoryPolicy, ModelReader, Reader, ReadingLoop, ReplyCounts, ServerCounts, StepTrace,
    Strategy, Task, WindowShares, revisions_schema,
};
use serde::Serialize;
use whichfn_index::source::NamedText;
use whichfn_llm::{Model, Templates};
use whichfn_memory::{MemoryFormat, Path, PathPart, PromptCost, Schema, Type, Value};
use whichfn_system::error::{Limit, Result};
use whichfn_text::{Stemmer, plain_words};

/// A question about text, with everything that is needed to answer it.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// Question as typed.
    pub question: &'a str,
    /// Type of the memory: the attributes that it may have.
    pub schema: &'a Schema,
    /// Text to read, in order.
    pub texts: &'a [NamedText],
    /// Maximum number of tokens in a chunk. Chunks are smaller if the context window of a model
    /// requires it.
    pub chunk_tokens: usize,
    /// Policy that updates, formats and limits the memory.
    pub policy: MemoryPolicy,
    /// Prompt templates for a model.
    pub templates: &'a Templates,
}

/// Result of an inquiry.
#[derive(Debug, Clone)]
pub struct Findings {
    /// Final memory: a map of the schema's attributes, without the empty ones.
    pub memory: Value,
    /// The model's answer, based on the memory; `None` if there is no model or the memory is empty.
    pub answer: Option<String>,
    /// Reading steps and token counts of the inquiry.
    pub trace: TextTrace,
}

/// Reading steps and token counts of an inquiry.
///
/// The field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; checked by
/// `tests/traces.rs`), in the order of the JSON. `LookupTrace` has the same fields with other
/// fields in between, so sharing one struct would change the order.
#[derive(Debug, Clone, Serialize)]
pub struct TextTrace {
    /// Strategy that updated the memory.
    pub strategy: Strategy,
    /// Name of the model, or `offline`.
    pub reader: String,
    /// Format of the memory in prompts.
    pub form: MemoryFormat,
    /// Number of tokens in all chunks, without the rest of their prompts.
    pub tokens_read: usize,
    /// Limit on the use of the model (`calls`, `tokens` or `cost`) that ended the reading. The
    /// memory contains the notes taken before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Steps, one for each chunk, in order.
    pub steps: Vec<StepTrace>,
    /// Cost of the prompt for the final answer; all zero if there is no model or the memory is
    /// empty.
    pub answering: PromptCost,
    /// Cost of all prompts: the steps and the answer.
    pub total: PromptCost,
    /// What the server reported about all replies.
    #[serde(skip_serializing_if = "ServerCounts::is_empty")]
    pub server: ServerCounts,
    /// Number of tokens encoded again plus three times the number of reply tokens, in millions.
    pub cost_index: f64,
}

impl Findings {
    /// Checks whether the memory is empty.
    pub fn is_empty(&self) -> bool {
        self.memory.as_map().is_none_or(|map| map.is_empty())
    }
}

impl Inquiry<'_> {
    /// Reads all chunks, with or without a language model. Calls `progress` with the number of
    /// chunks read so far and the total.
    ///
    /// # Errors
    /// Returns an error if the model fails, a prompt cannot be filled in, or a limit on the use of
    /// the model is reached before the end of the first chunk.
    pub fn read(&self, model: Option<&dyn Model>, progress: &mut dyn FnMut(usize, usize)) -> Result<Findings> {
        let instructions = Instructions {
            task: "You read texts to answer a question about them.".to_owned(),
            question: self.question.trim().to_owned(),
            example: example(self.schema),
            keys: " Note only information from the text that is relevant to the question. A key is a short name."
                .to_owned(),
            remarks: String::new(),
        };
        let mut run = ReadingLoop::new(self.templates, self.schema.clone(), instructions, self.policy);
        let wanted = WindowShares::wanted(self.chunk_tokens, self.policy.limit);
        let context = model.and_then(Model::context);
        let shares = WindowShares::fit(context, wanted, run.fixed_tokens()?)?;
        run.limit_memory(shares.memory);
        let chunks = chunks(self.texts, shares.chunk);
        let memory_schema = (&self.schema.reply_schema()).into();
        let mut reader: Box<dyn Reader<Passage> + '_> = match model {
            Some(model) => {
                // The schema is arbitrary, so a value may have any type.
                let value = serde_json::json!({"type": ["string", "number", "boolean", "object", "array"]});
                Box::new(ModelReader {
                    model,
                    revisions: revisions_schema(value),
                    memory_schema,
                    list: None,
                    longest_reply: shares.reply,
                    counts: ReplyCounts::default(),
                })
            }
            None => Box::new(ExtractiveReader::new(self.question, self.schema, &chunks)),
        };
        for (at, chunk) in chunks.iter().enumerate() {
            progress(at, chunks.len());
            let read = run.read(chunk, &mut *reader, &mut |revision| Ok(revision), &mut self.relevance());
            if run.within_limits(read)?.is_none() {
                break;
            }
        }
        let memory = run.memory().value().clone();
        let holds_any = memory.as_map().is_some_and(|map| !map.is_empty());
        let answer = match model {
            Some(_) if holds_any && run.reached_limit().is_none() => {
                let answer = run.ask(Task::Answer, &Chunk::default(), "", &mut *reader);
                run.within_limits(answer)?.map(|answer| answer.trim().to_owned())
            }
            _ => None,
        };
        let (reader, server, total) = (reader.name().to_owned(), reader.counts().server, run.total());
        let trace = TextTrace {
            strategy: self.policy.strategy,
            reader,
            form: self.policy.form,
            tokens_read: run.steps().iter().map(|step| step.chunk).sum(),
            limit: run.reached_limit().map(Limit::name),
            steps: run.steps().to_vec(),
            answering: run.other_cost(),
            total,
            server,
            cost_index: total.cost_index(),
        };
        Ok(Findings { memory, answer, trace })
    }

    /// Returns a function that counts the words of the question in the key of an entry. When the
    /// memory is compressed, entries with higher counts are kept longer.
    fn relevance(&self) -> impl FnMut(&Path) -> f32 + use<> {
        let mut stemmer = Stemmer::default();
        let question_stems = stems(&mut stemmer, self.question);
        move |path| match path.parts().last() {
            Some(PathPart::Key(key)) => {
                stems(&mut stemmer, key).iter().filter(|stem| question_stems.contains(stem)).count() as f32
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

/// Returns an example path of a revision, which is an entry of the first attribute.
fn example(schema: &Schema) -> String {
    let Some((name, field)) = schema.root().fields.first() else { return "$".to_owned() };
    match field.ty {
        Type::Map(_) => format!("$.{name}['a key']"),
        _ => format!("$.{name}"),
    }
}
