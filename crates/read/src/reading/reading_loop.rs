//! Runs the reading loop: one chunk after another, a reply to each, revisions to the memory, and
//! the cost of every prompt.
//!
//! **Implements:** PRISM (Jayalath et al. 2024), algorithm 1: memory := revise(memory, reader(task,
//! schema, memory, chunk)). The prompt has that order, so that the part before the first change is
//! a prefix that servers cache. Chain-of-Key (Hwang et al. 2024): first a summary of the chunk,
//! then keys to update, keys to add, and revisions.
//!
//! **Cost:** one call for each chunk, or two with Chain-of-Key; the tokens of each prompt are
//! counted.

use super::chunk::Chunk;
use super::counts::{ReplyQuality, ServerCounts};
use super::preserving::preserving;
use super::reader::{Reader, ReaderInput, Task};
use serde::{Deserialize, Serialize};
use serde_json::json;
use whichfn_llm::Templates;
use whichfn_memory::{
    Account, Applied, Memory, MemoryFormat, ParsedReply, Path, PromptCost, Rejection, RejectionReason, Remarks,
    Revision, Schema, Value, count_tokens, parse_object, parse_reply,
};
use whichfn_system::error::{Limit, Result};
use whichfn_text::one_line;

/// Strategy that updates a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// The reader replies with revisions, and each is applied separately.
    Prism,
    /// The reader summarizes the chunk, then merges it key by key; an update never drops known
    /// values.
    Cok,
}

/// Policy that updates, formats and limits a memory.
#[derive(Debug, Clone, Copy)]
pub struct MemoryPolicy {
    /// The strategy that updates the memory.
    pub strategy: Strategy,
    /// The format of the memory in prompts.
    pub form: MemoryFormat,
    /// True if a revision may replace a value; otherwise, it can only add one.
    pub updates: bool,
    /// Maximum number of tokens in the memory's text, above which it is compressed; `None` for no
    /// limit.
    pub limit: Option<usize>,
}

impl Default for MemoryPolicy {
    fn default() -> Self {
        Self { strategy: Strategy::Prism, form: MemoryFormat::Amendments, updates: true, limit: None }
    }
}

/// Part of the prompt that is the same for every chunk.
#[derive(Debug, Clone)]
pub struct Instructions {
    /// The reader's task, in one sentence.
    pub task: String,
    /// The question as typed.
    pub question: String,
    /// An example path of a revision.
    pub example: String,
    /// Rules for keys; begins with a space, or is empty.
    pub keys: String,
    /// Instructions to report certainty or to request functions; end with a line break, or are
    /// empty.
    pub remarks: String,
}

/// Cost of one chunk, and the result of its revisions.
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; checked by
/// `tests/traces.rs`).
#[derive(Debug, Clone, Serialize)]
pub struct StepTrace {
    /// Number of tokens in the chunk's text, without the rest of the prompt.
    pub chunk: usize,
    /// Number of pieces in the chunk: functions or parts of them (`lookup`), or passages
    /// (`inquiry`).
    pub pieces: usize,
    /// Total cost of the chunk's prompts. In JSON, its keys are among the keys of the step.
    #[serde(flatten)]
    pub cost: PromptCost,
    /// Number of revisions that the memory accepted, counted for each entry.
    pub applied: usize,
    /// Revisions that the memory rejected, each as `path: why`. Unreadable text is identified by
    /// its first words.
    pub rejected: Vec<String>,
    /// Number of replies that were truncated at a token limit or because the connection was closed.
    /// Their readable part counts.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: usize,
    /// Number of these replies that were cut off because they repeated themselves.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated: usize,
    /// Number of replies with revisions by quality; `None` if the program itself read the chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies: Option<ReplyQuality>,
    /// What the server reported.
    #[serde(skip_serializing_if = "ServerCounts::is_empty")]
    pub server: ServerCounts,
    /// Paths of the entries that were dropped to stay within [`MemoryPolicy::limit`].
    pub dropped: Vec<String>,
    /// Remarks of the reader on how to continue.
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// The reading loop, with its memory and the cost of filling it.
pub struct ReadingLoop<'t> {
    templates: &'t Templates,
    instructions: Instructions,
    policy: MemoryPolicy,
    schema: String,
    memory: Memory,
    account: Account,
    steps: Vec<StepTrace>,
    reached_limit: Option<Limit>,
}

impl<'t> ReadingLoop<'t> {
    /// Creates a loop with an empty memory.
    pub fn new(templates: &'t Templates, schema: Schema, instructions: Instructions, policy: MemoryPolicy) -> Self {
        Self {
            templates,
            instructions,
            schema: schema.dataclass().trim_end().to_owned(),
            memory: Memory::new(schema, policy.form, policy.updates),
            policy,
            account: Account::default(),
            steps: Vec::new(),
            reached_limit: None,
        }
    }

    /// Returns the current memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns one entry for each chunk read so far, in order.
    pub fn steps(&self) -> &[StepTrace] {
        &self.steps
    }

    /// Returns the limit on the use of the model that ended the reading, if one did.
    pub fn reached_limit(&self) -> Option<Limit> {
        self.reached_limit
    }

    /// Separates a limit on the use of the model, for which it returns `None`, from other errors. The
    /// notes until then remain.
    ///
    /// # Errors
    /// Returns every other error, and a limit that was reached before the end of the first chunk.
    pub fn within_limits<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        let error = match result {
            Ok(value) => return Ok(Some(value)),
            Err(error) => error,
        };
        self.reached_limit = Limit::reached(&error).filter(|_| !self.steps.is_empty());
        if self.reached_limit.is_some() { Ok(None) } else { Err(error) }
    }

    /// Returns the total cost of all prompts.
    pub fn total(&self) -> PromptCost {
        self.account.total()
    }

    /// Returns the cost of prompts that read no chunk, such as the prompt that ranks the
    /// candidates.
    pub fn other_cost(&self) -> PromptCost {
        self.steps.iter().fold(self.total(), |left, step| less(left, step.cost))
    }

    /// Reads a chunk.
    ///
    /// `check` may reject a revision or correct its path. If there are too many entries, the ones
    /// with the lowest `relevance` are dropped first.
    ///
    /// # Errors
    /// Returns an error if the reader fails or a prompt cannot be filled in.
    pub fn read<P>(
        &mut self,
        chunk: &Chunk<P>,
        reader: &mut dyn Reader<P>,
        check: &mut dyn FnMut(Revision) -> std::result::Result<Revision, Rejection>,
        relevance: &mut dyn FnMut(&Path) -> f32,
    ) -> Result<()> {
        let (before, counted) = (self.account.total(), reader.counts());
        let mut remarks = Remarks::default();
        let (reply, keeps_all) = match self.policy.strategy {
            Strategy::Prism => (self.ask(Task::Revise, chunk, "", reader)?, false),
            Strategy::Cok => {
                let summary = self.ask(Task::Summarise, chunk, "", reader)?;
                (self.ask(Task::Merge, chunk, &summary, reader)?, true)
            }
        };
        let (applied, rejected) = self.revise(revisions(&reply, &mut remarks), keeps_all, check);
        let used = applied + usize::from(!remarks.is_empty());
        let quality = reader.is_model().then(|| ReplyQuality::of(&reply, used, rejected.len()));
        let dropped = self.compress(reader, relevance)?;
        let counts = reader.counts() - counted;
        self.steps.push(StepTrace {
            chunk: chunk.tokens(),
            pieces: chunk.pieces().len(),
            cost: less(self.account.total(), before),
            applied,
            rejected: rejected.iter().map(Rejection::to_string).collect(),
            cut: counts.cut,
            repeated: counts.repeated,
            replies: quality,
            server: counts.server,
            dropped,
            remarks,
        });
        Ok(())
    }

    /// Enforces the memory's limit, and returns the paths of the dropped entries.
    ///
    /// A reader that can compress first writes a shorter memory. Entries that still exceed the
    /// limit are dropped, as are all excess entries if the reader cannot compress.
    ///
    /// **Implements:** Chain-of-Key, appendix F: compression by redundancy, frequency and
    /// relevance.
    fn compress<P>(
        &mut self,
        reader: &mut dyn Reader<P>,
        relevance: &mut dyn FnMut(&Path) -> f32,
    ) -> Result<Vec<String>> {
        let Some(limit) = self.policy.limit else { return Ok(Vec::new()) };
        let mut dropped = Vec::new();
        if reader.compresses() && count_tokens(&self.memory.render()) > limit {
            let reply = self.ask(Task::Compress, &Chunk::default(), "", reader)?;
            // A reply that is not a memory, or does not fit the schema, changes nothing.
            dropped.extend(parse_object(&reply).and_then(|value| self.memory.replace(&value).ok()).unwrap_or_default());
        }
        dropped.extend(self.memory.compress(limit, relevance).dropped);
        Ok(dropped.iter().map(|dropped| dropped.path.to_string()).collect())
    }

    /// Returns the number of tokens in a prompt without a chunk and with the current memory.
    ///
    /// # Errors
    /// Returns an error if the prompt cannot be filled in.
    pub fn fixed_tokens(&self) -> Result<usize> {
        let task = match self.policy.strategy {
            Strategy::Prism => Task::Revise,
            Strategy::Cok => Task::Merge,
        };
        Ok(count_tokens(&self.prompt::<()>(task, &Chunk::default(), "")?))
    }

    /// Sets the maximum number of tokens in the memory's text; `None` for no limit.
    pub fn limit_memory(&mut self, limit: Option<usize>) {
        self.policy.limit = limit;
    }

    /// Sends one prompt, counts its cost, and returns the reply.
    ///
    /// # Errors
    /// Returns an error if the reader fails or the prompt cannot be filled in.
    pub fn ask<P>(
        &mut self,
        task: Task,
        chunk: &Chunk<P>,
        summary: &str,
        reader: &mut dyn Reader<P>,
    ) -> Result<String> {
        let prompt = self.prompt(task, chunk, summary)?;
        let reply = reader.reply(&ReaderInput { task, prompt: &prompt, chunk, memory: &self.memory, summary })?;
        self.account.step(&prompt, &reply);
        Ok(reply)
    }

    fn prompt<P>(&self, task: Task, chunk: &Chunk<P>, summary: &str) -> Result<String> {
        let template = match task {
            Task::Revise => "revise.md",
            Task::Summarise => "chunk.md",
            Task::Merge => "merge.md",
            Task::Compress => "compress.md",
            Task::Rank => "rank.md",
            Task::Nearest => "nearest.md",
            Task::Answer => "answer.md",
        };
        let Instructions { task: about, question, example, keys, remarks } = &self.instructions;
        self.templates.render(
            template,
            json!({
                "task": about, "question": question, "schema": self.schema, "example": example, "keys": keys,
                "updates": self.policy.updates, "amendments": self.policy.form == MemoryFormat::Amendments,
                "memory": self.memory.render(), "chunk": chunk.text(), "summary": summary,
                "limit": self.policy.limit.unwrap_or_default(), "remarks": remarks,
            }),
        )
    }

    fn revise(
        &mut self,
        parsed: ParsedReply,
        keeps_all: bool,
        check: &mut dyn FnMut(Revision) -> std::result::Result<Revision, Rejection>,
    ) -> (usize, Vec<Rejection>) {
        let (mut applied, mut rejected) = (0, parsed.rejected);
        for revision in parsed.revisions.into_iter().flat_map(entry_by_entry) {
            let revised = check(revision).and_then(|revision| {
                let revision = if keeps_all { preserving(&self.memory, revision) } else { revision };
                self.memory.apply(&revision)
            });
            match revised {
                Ok(Applied::Added | Applied::Merged { .. } | Applied::Updated) => applied += 1,
                Err(rejection) => rejected.push(rejection),
            }
        }
        (applied, rejected)
    }
}

/// Returns the revisions in a reply, and stores its remarks. Rejects a reply as a whole if it
/// contains text but neither revisions nor remarks; headings do not count as text.
fn revisions(reply: &str, remarks: &mut Remarks) -> ParsedReply {
    let mut parsed = parse_reply(reply);
    *remarks = std::mem::take(&mut parsed.remarks);
    let is_text = |line: &str| !line.starts_with('#') && line.contains(char::is_alphanumeric);
    if parsed.revisions.is_empty() && parsed.rejected.is_empty() && remarks.is_empty() && reply.lines().any(is_text) {
        parsed.rejected.push(unreadable(reply, "the reply contains no revision"));
    }
    parsed
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn unreadable(reply: &str, message: &str) -> Rejection {
    Rejection {
        what: one_line(reply).chars().take(80).collect(),
        reason: RejectionReason::Unread,
        message: message.to_owned(),
    }
}

/// Returns the cost of all prompts without the cost of earlier ones.
fn less(all: PromptCost, before: PromptCost) -> PromptCost {
    PromptCost {
        prompt: all.prompt - before.prompt,
        shared: all.shared - before.shared,
        net: all.net - before.net,
        output: all.output - before.output,
    }
}

/// Splits a revision of a whole attribute, or of the whole memory, into one for each entry, so that
/// valid entries are accepted even if other entries are not.
fn entry_by_entry(revision: Revision) -> Vec<Revision> {
    let depth = revision.path.parts().len();
    match revision.value {
        Value::Map(map) if depth < 2 && !map.is_empty() => {
            let entry = |(key, value)| Revision { path: revision.path.key(key), operation: revision.operation, value };
            map.into_iter().map(entry).flat_map(entry_by_entry).collect()
        }
        value => vec![Revision { value, ..revision }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader that notes two matches in a chunk, and then compresses them.
    struct Terse(&'static str);

    impl Reader<()> for Terse {
        fn name(&self) -> &str {
            "terse"
        }

        fn compresses(&self) -> bool {
            true
        }

        fn reply(&mut self, turn: &ReaderInput<'_, ()>) -> Result<String> {
            Ok(match turn.task {
                Task::Compress => self.0.to_owned(),
                _ => r#"{"path": "$.matches", "operation": "add", "value": {"one": 0.5, "two": 0.25}}"#.to_owned(),
            })
        }
    }

    fn kept(shorter: &'static str, limit: usize) -> (String, Vec<String>) {
        let templates = Templates::builtin().expect("prompts");
        let text = String::new;
        let instructions =
            Instructions { task: text(), question: text(), example: text(), keys: text(), remarks: text() };
        let policy = MemoryPolicy { limit: Some(limit), ..MemoryPolicy::default() };
        let schema = Schema::builtin("matches").expect("schema");
        let mut run = ReadingLoop::new(&templates, schema, instructions, policy);
        run.read(&Chunk::default(), &mut Terse(shorter), &mut Ok, &mut |_| 0.0).expect("read");
        (run.memory().value().to_string(), run.steps()[0].dropped.clone())
    }

    #[test]
    fn requests_a_shorter_memory_from_a_reader_that_compresses() {
        let (memory, dropped) = kept(r#"Shorter: {"matches": {"one": 0.5}}"#, 14);
        assert_eq!((memory.as_str(), dropped.len()), (r#"{"matches":{"one":0.5}}"#, 1));
    }

    #[test]
    fn drops_entries_above_the_limit() {
        let (memory, dropped) = kept("I cannot.", 14);
        assert_eq!((memory.matches(':').count(), dropped.len()), (2, 1), "{memory}");
    }
}
