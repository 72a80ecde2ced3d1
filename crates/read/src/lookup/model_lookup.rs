//! Answers a question about functions with a language model that reads them.
//!
//! **Implements:** PRISM, algorithm 1; Chain-of-Key.
//!
//! **Differs from the paper:** a reply may declare that it is certain, which ends the reading, or
//! request more functions. At the end, the model ranks the candidates by their code. If the memory
//! is empty, the model names the closest functions, if any.
//!
//! **Invariant:** reading ends when the model is certain, when [`IDLE_CHUNKS`] consecutive chunks
//! added nothing to the memory and the model requested nothing after them, when
//! [`REJECTED_REPLIES`] consecutive replies were rejected before any note, when a limit on the use
//! of the model is reached, or when all chunks are read.

use super::model_chunks::ModelChunks;
use super::offline::CANDIDATES;
use super::reading_order::{ReadingOrder, reading_order};
use super::reply::{known, named};
use super::requests::RequestResolver;
use super::run::Lookup;
use super::trace::{ChunkOrder, LookupOutcome, RankedFunction, Verdict};
use crate::reading::{
    Chunk, Instructions, ModelReader, ReadingLoop, ReplyCounts, Task, WindowShares, list_schema, restrict_names,
    revisions_schema, with_remarks,
};
use rustc_hash::FxHashMap;
use whichfn_llm::Model;
use whichfn_memory::Remarks;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Number of consecutive chunks without an accepted revision after which the reading ends.
const IDLE_CHUNKS: usize = 2;
/// Number of consecutive rejected replies, before any note, after which the reading ends: the model
/// is not able to take notes, and each further prompt would only cost time.
const REJECTED_REPLIES: usize = 3;
/// Maximum number of replies whose requests for functions are answered.
const MAX_REQUESTS: usize = 4;

/// Instructions for the remarks at the end of a reply.
const REMARKS: &str = r#"Then write on a separate line how to continue:
{"certain": ["f3"]} - f3 is certainly what the question describes; list several with the best first. Reading ends; no note is needed.
{"more": []} - a better function may follow. Reading continues. The list may request at most six functions by key or name,
"callers of f3" or "callees of f3": they are shown next if the repository has them. Text marked "(shortened)" is complete on request.
"#;

/// Reason why reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadingEnd {
    /// There was nothing more to find.
    Settled,
    /// Every function was shown.
    AllRead,
    /// [`REJECTED_REPLIES`] replies in a row were rejected.
    Unreadable,
    /// A limit on the use of the model was reached after the first chunk.
    Limited,
}

/// The state of a running lookup.
struct ModelLookup<'l, 'a, 'm> {
    lookup: &'l Lookup<'a>,
    chunks: ModelChunks<'a>,
    run: ReadingLoop<'a>,
    reader: ModelReader<'m>,
    /// Rank of each function in the search results.
    ranks: FxHashMap<DefinitionId, usize>,
    /// Number of functions to read.
    most: usize,
    sent_requests: usize,
}

impl Lookup<'_> {
    /// Answers the question by reading with a language model.
    ///
    /// # Errors
    /// Returns an error if the model fails, a prompt cannot be filled in, or a limit on the use of
    /// the model is reached before the end of the first chunk.
    pub fn with_model(&self, model: &dyn Model) -> Result<LookupOutcome> {
        let mut reading = ModelLookup::new(self, model)?;
        let (end, certain) = reading.read_on()?;
        let (ranked, verdict) = reading.conclude(certain)?;
        let ModelLookup { chunks, run, reader, .. } = reading;
        let ranked = ranked.into_iter().map(|id| RankedFunction { id, shares: Vec::new() }).collect();
        let mut trace = self.trace(&run, &chunks.candidates, model.name().to_owned(), end == ReadingEnd::Settled);
        trace.unreadable = end == ReadingEnd::Unreadable;
        (trace.chunk_tokens, trace.server) = (chunks.most(), reader.counts.server);
        Ok(LookupOutcome { ranked, trace: trace.by_model(verdict, &chunks.candidates) })
    }
}

impl<'l, 'a, 'm> ModelLookup<'l, 'a, 'm> {
    fn new(lookup: &'l Lookup<'a>, model: &'m dyn Model) -> Result<Self> {
        let is_best = lookup.options.order == ChunkOrder::Best;
        let mut run = lookup.run(Instructions {
            keys:
                " Note only functions that could be the answer; a short `purpose` is enough. A key is the short name after \
                   ### in the chunk, such as f3."
                    .to_owned(),
            remarks: if is_best { REMARKS.to_owned() } else { String::new() },
            ..lookup.instructions(&format!("$.{CANDIDATES}['f3']"))
        })?;
        let wanted = WindowShares::wanted(lookup.options.chunk_tokens, lookup.options.policy.limit);
        let shares = WindowShares::fit(model.context(), wanted, run.fixed_tokens()?)?;
        run.limit_memory(shares.memory);
        let functions = lookup.functions();
        let most = functions.len();
        let order = match is_best {
            true => reading_order(lookup.sources, lookup.question, &functions, shares.chunk),
            false => ReadingOrder { functions, ..ReadingOrder::default() },
        };
        let revisions = revisions_schema(note_schema());
        Ok(Self {
            lookup,
            reader: ModelReader {
                model,
                revisions: if is_best { with_remarks(revisions) } else { revisions },
                memory_schema: (&run.memory().schema().reply_schema()).into(),
                list: None,
                longest_reply: shares.reply,
                counts: ReplyCounts::default(),
            },
            chunks: ModelChunks::new(lookup.sources, lookup.question, order, shares.chunk, !is_best),
            run,
            ranks: lookup.hits.iter().enumerate().map(|(rank, hit)| (hit.definition, rank)).collect(),
            most,
            sent_requests: 0,
        })
    }

    /// Reads chunks until an end condition is met. Returns the reason for the end, and the functions
    /// that the model is certain of.
    fn read_on(&mut self) -> Result<(ReadingEnd, Vec<DefinitionId>)> {
        let is_best = self.lookup.options.order == ChunkOrder::Best;
        let (mut idle, mut rejected_replies) = (0, 0);
        loop {
            if rejected_replies >= REJECTED_REPLIES {
                return Ok((ReadingEnd::Unreadable, Vec::new()));
            }
            if is_best && idle >= IDLE_CHUNKS && !self.held().is_empty() {
                return Ok((ReadingEnd::Settled, Vec::new()));
            }
            let Some(chunk) = self.chunks.next() else { return Ok((ReadingEnd::AllRead, Vec::new())) };
            let candidates = &self.chunks.candidates;
            let keys: Vec<String> = candidates.shown().filter_map(|id| candidates.key(id)).collect();
            let paths: Vec<String> = keys.iter().map(|key| format!("$.{CANDIDATES}['{key}']")).collect();
            restrict_names(&mut self.reader.revisions, &paths, &keys);
            let read = self.run.read(
                &chunk,
                &mut self.reader,
                &mut |revision| known(candidates, revision),
                &mut self.lookup.relevance(candidates),
            );
            if self.run.within_limits(read)?.is_none() {
                return Ok((ReadingEnd::Limited, Vec::new()));
            }
            (self.lookup.progress)(candidates.shown().count(), self.most);
            let step = self.run.steps().last();
            let is_rejected = step.and_then(|step| step.replies).is_some_and(|replies| replies.rejected > 0);
            // A model that took a note before may repeat it, which is rejected, and still find others.
            let took_notes = self.run.steps().iter().any(|step| step.applied > 0);
            rejected_replies = if is_rejected && !took_notes { rejected_replies + 1 } else { 0 };
            let (applied, remarks) = step.map(|step| (step.applied, step.remarks.clone())).unwrap_or_default();
            idle = if applied > 0 { 0 } else { idle + 1 };
            if is_best {
                if let Some(certain) = self.certain(&remarks) {
                    return Ok((ReadingEnd::Settled, certain));
                }
                if let Some(requests) = remarks.more {
                    self.ask(&requests);
                    idle = 0;
                }
            }
        }
    }

    /// Returns the functions that a reply is certain of, all of which were shown.
    ///
    /// An empty list means that one of the candidates in memory is certain. Returns `None` if the
    /// reply is not certain, or is certain of functions that were never shown.
    fn certain(&self, remarks: &Remarks) -> Option<Vec<DefinitionId>> {
        let keys = remarks.certain.as_ref()?;
        let found: Vec<DefinitionId> = keys.iter().filter_map(|key| self.chunks.candidates.find(key)).collect();
        match (found.is_empty(), &self.held()[..]) {
            (false, _) => Some(found),
            (true, [only]) if keys.is_empty() => Some(vec![*only]),
            (true, [_, ..]) if keys.is_empty() => Some(found),
            _ => None,
        }
    }

    fn ask(&mut self, requests: &[String]) {
        if requests.is_empty() || self.sent_requests >= MAX_REQUESTS {
            return;
        }
        self.sent_requests += 1;
        let reader = RequestResolver {
            graph: self.lookup.sources.graph(),
            candidates: &self.chunks.candidates,
            allowed: self.lookup.allowed,
            ranks: &self.ranks,
        };
        let resolved = reader.resolve(requests);
        self.chunks.ask(resolved);
    }

    /// Returns the candidates in memory, in order.
    fn held(&self) -> Vec<DefinitionId> {
        self.chunks.candidates.held(self.run.memory().value().get(CANDIDATES))
    }

    /// Returns the ranked functions, best first, and how the model decided.
    fn conclude(&mut self, certain: Vec<DefinitionId>) -> Result<(Vec<DefinitionId>, Verdict)> {
        let held = self.held();
        let (first, rest, verdict) = match &held[..] {
            _ if !certain.is_empty() => (certain, held, Verdict::Certain),
            [] => {
                let list = self.chunks.list();
                let all: Vec<DefinitionId> = self.chunks.candidates.shown().collect();
                let nearest = if all.is_empty() { Vec::new() } else { self.choice(Task::Nearest, &list, &all)? };
                let verdict = if nearest.is_empty() { Verdict::NotHere } else { Verdict::Nearest };
                (nearest, self.lookup.hits.iter().map(|hit| hit.definition).collect(), verdict)
            }
            [_] => (Vec::new(), held, Verdict::Chosen),
            _ => {
                let code = self.chunks.code(&held);
                (self.choice(Task::Rank, &code, &held)?, held, Verdict::Chosen)
            }
        };
        let mut ranked: Vec<DefinitionId> = Vec::new();
        for id in first.into_iter().chain(rest) {
            if !ranked.contains(&id) {
                ranked.push(id);
            }
        }
        Ok((ranked, verdict))
    }

    /// Returns the functions that the model names, in the order of its reply, or none if a limit on
    /// the use of the model is reached.
    fn choice<P>(&mut self, task: Task, chunk: &Chunk<P>, among: &[DefinitionId]) -> Result<Vec<DefinitionId>> {
        let keys: Vec<String> = among.iter().filter_map(|&id| self.chunks.candidates.key(id)).collect();
        self.reader.list = Some(list_schema(&keys));
        let reply = self.run.ask(task, chunk, "", &mut self.reader);
        let Some(reply) = self.run.within_limits(reply)? else { return Ok(Vec::new()) };
        let candidates = &self.chunks.candidates;
        let mut found: Vec<DefinitionId> = Vec::new();
        // Replies contain keys. A reply without a key may contain names of functions.
        for names in [keys, among.iter().map(|&id| candidates.name(id)).collect()] {
            let named_keys = named(&reply, &names);
            found.extend(named_keys.iter().filter_map(|name| candidates.find(name)));
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }
}

/// Returns the JSON Schema of a note. All of its four parts except the purpose may be null.
fn note_schema() -> serde_json::Value {
    let (text, or_null) = (serde_json::json!({"type": "string"}), serde_json::json!({"type": ["string", "null"]}));
    serde_json::json!({
        "type": "object",
        "properties": {"purpose": text, "input": or_null, "output": or_null, "procedure": or_null},
        "required": ["purpose", "input", "output", "procedure"],
        "additionalProperties": false
    })
}
