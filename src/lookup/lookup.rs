//! A question about functions, answered by reading: which are read and in what order, when to stop, and who is first.
//!
//! Paper:    PRISM, algorithm 1, with its schema for RepoQA
//! Departs:  the paper reads a repository from the first file to the last. By default the functions that the search ranks
//!           highest are read first, and reading stops when the memory is settled: a look-up reads some thousand tokens, not
//!           the repository. What is found is always a function of the index that was shown
//! Law:      settled, offline: [`JUDGED`] functions are in memory; what comes after keeps the place that the search gave it.
//!           With a model: [`QUIET`] chunks in a row that it took nothing from

use super::asked::Asked;
use super::candidates::Candidates;
use super::chunks::{Chunks, Piece};
use super::evidence::Bench;
use super::function::{Function, FunctionReader};
use super::judge::{JUDGED, shares};
use super::offline::{CANDIDATES, OfflineReader};
use crate::error::Result;
use crate::ids::{DefinitionId, FileId};
use crate::lang::Registry;
use crate::llm::{Model, Templates};
use crate::memory::{Form, Part, Path, Reason, Rejection, Revision, Schema, Step, Tokens, Value};
use crate::reading::{Brief, Chunk, Keeping, ModelReader, Run, StepTrace, Strategy, Task};
use crate::search::{Hit, Order, Question, QuestionForm};
use crate::source::Sources;
use crate::store::GraphFile;
use crate::wordvec::Lexicon;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// A model that took nothing from so many chunks in a row has what it looks for.
const QUIET: usize = 2;

/// In which order functions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkOrder {
    /// As the search ranks them, until the memory is settled.
    #[default]
    Best,
    /// From the first file to the last, all of them.
    Repository,
}

/// How to read.
#[derive(Debug, Clone, Copy)]
pub struct LookupOptions {
    /// How the memory is kept.
    pub keeping: Keeping,
    /// Tokens of a chunk.
    pub chunk_tokens: usize,
    /// Which functions are read first.
    pub order: ChunkOrder,
    /// Every function that is read gets a note, not only those that the search found.
    pub note_all: bool,
}

impl Default for LookupOptions {
    fn default() -> Self {
        Self { keeping: Keeping::default(), chunk_tokens: CHUNK, order: ChunkOrder::Best, note_all: false }
    }
}

/// Tokens of a chunk where nobody says otherwise: of 100 right functions, 96 are in the first (repoqa-dev).
const CHUNK: usize = 2_000;

/// A candidate of the memory, in its place.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// Which it is.
    pub id: DefinitionId,
    /// What its place comes from; empty where a model or the search gave it.
    pub shares: Vec<(&'static str, f32)>,
}

/// What reading found, the best first, and how.
#[derive(Debug, Clone)]
pub struct Found {
    /// Candidates.
    pub ranked: Vec<Ranked>,
    /// How it went.
    pub trace: Trace,
}

/// How reading went.
#[derive(Debug, Clone, Serialize)]
pub struct Trace {
    /// How the memory was brought up to date.
    pub strategy: Strategy,
    /// Who read.
    pub reader: String,
    /// Which functions were read first.
    pub order: ChunkOrder,
    /// How the memory stands in prompts.
    pub form: Form,
    /// Tokens of a chunk at most.
    pub chunk_tokens: usize,
    /// Functions that were shown, of how many.
    pub functions_read: usize,
    /// Functions of the index.
    pub functions: usize,
    /// Tokens of all chunks.
    pub tokens_read: usize,
    /// Reading ended because there was nothing more to find, not because all was read.
    pub settled: bool,
    /// Chunk by chunk.
    pub steps: Vec<StepTrace>,
    /// The prompt for the order of the candidates; nothing where none was needed.
    pub ranking: Step,
    /// All prompts together: the steps and the ranking.
    pub total: Step,
    /// Tokens encoded anew + 3 x tokens of replies, in millions.
    pub cost_index: f64,
    /// What was held at the end.
    pub memory: Value,
}

/// One question, to be answered by reading.
pub struct Lookup<'a> {
    /// The files of the repository.
    pub sources: &'a Sources<'a>,
    /// Its languages.
    pub registry: &'a Registry,
    /// The prompts.
    pub templates: &'a Templates,
    /// The question as asked.
    pub text: &'a str,
    /// The question, read.
    pub question: &'a Question,
    /// What the search found, the best first.
    pub hits: &'a [Hit],
    /// By file: whether the question is about it. Of others nothing is read, nor shown to a model.
    pub allowed: &'a [bool],
    /// How to read.
    pub options: LookupOptions,
    /// Told after each chunk how many functions were shown, of how many at most.
    pub told: &'a dyn Fn(usize, usize),
}

impl<'a> Lookup<'a> {
    /// Reads with no model.
    ///
    /// # Errors
    /// When a prompt does not fill in.
    pub fn offline(&self) -> Result<Found> {
        let wanted: FxHashSet<DefinitionId> = self.hits.iter().map(|hit| hit.definition).collect();
        let wanted = Some(wanted).filter(|_| !self.options.note_all);
        let functions = FunctionReader::new(self.sources, self.registry);
        let mut reader = OfflineReader::new(&functions, wanted);
        let (mut read, mut run) = (self.reading(), self.run()?);
        let settled = loop {
            let held = entries(&run).len();
            if self.options.order == ChunkOrder::Best && held >= JUDGED {
                break true;
            }
            let Some(chunk) = read.next() else { break false };
            run.read(&chunk, &mut reader, &mut |revision| Ok(revision), &mut self.relevance(&read.candidates))?;
        };
        let held: Vec<DefinitionId> = entries(&run).iter().filter_map(|key| read.candidates.find(key)).collect();
        let ranked = self.judged(&held, &mut reader);
        Ok(Found { ranked, trace: self.trace(&run, &read.candidates, "offline".to_owned(), settled) })
    }

    /// Reads with a language model.
    ///
    /// # Errors
    /// When the model fails or a prompt does not fill in.
    pub fn with_model(&self, model: &dyn Model) -> Result<Found> {
        let (mut read, mut run) = (self.reading(), self.run()?);
        let whole = (&run.memory().schema().json_schema()).into();
        let mut reader = ModelReader { model, revisions: revisions_schema(), whole };
        let mut quiet = 0;
        let settled = loop {
            if self.options.order == ChunkOrder::Best && quiet >= QUIET && !entries(&run).is_empty() {
                break true;
            }
            let Some(chunk) = read.next() else { break false };
            let candidates = &read.candidates;
            run.read(
                &chunk,
                &mut reader,
                &mut |revision| known(candidates, revision),
                &mut self.relevance(candidates),
            )?;
            (self.told)(read.candidates.shown().len(), read.most);
            quiet = if run.steps().last().is_some_and(|step| step.applied > 0) { 0 } else { quiet + 1 };
        };
        let keys = entries(&run);
        let mut ranked: Vec<DefinitionId> = Vec::new();
        if keys.len() > 1 {
            let reply = run.ask(Task::Rank, &Chunk::<Piece>::default(), "", &mut reader)?;
            ranked.extend(named(&reply, &keys).iter().filter_map(|key| read.candidates.find(key)));
        }
        for id in keys.iter().filter_map(|key| read.candidates.find(key)) {
            if !ranked.contains(&id) {
                ranked.push(id);
            }
        }
        let ranked = ranked.into_iter().map(|id| Ranked { id, shares: Vec::new() }).collect();
        Ok(Found { ranked, trace: self.trace(&run, &read.candidates, model.name().to_owned(), settled) })
    }

    fn graph(&self) -> &'a GraphFile {
        self.sources.graph()
    }

    fn reading(&self) -> Reading<'a> {
        let functions: Vec<DefinitionId> = match self.options.order {
            ChunkOrder::Best => self.hits.iter().map(|hit| hit.definition).collect(),
            ChunkOrder::Repository => {
                let files = (0..self.graph().files().len()).filter(|&file| self.allowed[file]);
                files.flat_map(|file| self.graph().functions_of(FileId::new(file))).collect()
            }
        };
        let tokens = Tokens::load();
        Reading {
            sources: self.sources,
            most: functions.len(),
            candidates: Candidates::new(self.graph()),
            chunks: Chunks::new(functions.into_iter(), self.options.chunk_tokens, tokens, self.graph()),
        }
    }

    fn run(&self) -> Result<Run<'a>> {
        let brief = Brief {
            task: "You look for the function of a repository that a question is about.".to_owned(),
            question: self.text.trim().to_owned(),
            example: format!("$.{CANDIDATES}['Session.renew']"),
            keys:
                " Note only functions that could be the one. A key is the name behind ### in the chunk, exactly as it \
                   stands there."
                    .to_owned(),
        };
        Ok(Run::new(self.templates, Schema::builtin(CANDIDATES)?, brief, self.options.keeping, Tokens::load()))
    }

    /// How high the search ranks the candidate of an entry: 1 for the first.
    fn relevance<'c>(&self, candidates: &'c Candidates<'a>) -> impl FnMut(&Path) -> f32 + 'c {
        let ranks: FxHashMap<DefinitionId, usize> =
            self.hits.iter().enumerate().map(|(rank, hit)| (hit.definition, rank)).collect();
        move |path| {
            let id = key_of(path).and_then(|key| candidates.find(key));
            let rank = id.and_then(|id| ranks.get(&id));
            rank.map_or(0.0, |&rank| 1.0 / (1.0 + rank as f32))
        }
    }

    /// Puts what is held in order: the best by what was read, the rest as the search had them.
    fn judged(&self, held: &[DefinitionId], reader: &mut OfflineReader<'_>) -> Vec<Ranked> {
        let held: FxHashSet<DefinitionId> = held.iter().copied().collect();
        let hits: Vec<&Hit> = self.hits.iter().filter(|hit| held.contains(&hit.definition)).collect();
        let as_found = |hit: &&Hit| Ranked { id: hit.definition, shares: Vec::new() };
        // The weights know the learned order's scores, not those of words.
        let is_learned = hits.first().is_some_and(|hit| hit.order == Order::Learned);
        let is_judged = is_learned && QuestionForm::LEARNED.contains(&self.question.form);
        let (first, rest) = hits.split_at(if is_judged { hits.len().min(JUDGED) } else { 0 });
        let functions: Vec<Function> = first.iter().map(|hit| reader.function(hit.definition).clone()).collect();
        let mut lexicon = Lexicon::default();
        let asked = Asked::new(self.text, self.question.form, &mut lexicon);
        let evidence = Bench::new(&asked, &functions, &mut lexicon).evidence(&mut lexicon);
        let judge = |(hit, evidence): (&&Hit, _)| Ranked {
            id: hit.definition,
            shares: shares(self.question.form, hit.score, evidence),
        };
        let mut ranked: Vec<Ranked> = first.iter().zip(&evidence).map(judge).collect();
        // Stable: equal scores stay in the order of the search.
        ranked.sort_by(|a, b| b.score().total_cmp(&a.score()));
        ranked.extend(rest.iter().map(as_found));
        // What was not read stays behind what was.
        ranked.extend(self.hits.iter().filter(|hit| !held.contains(&hit.definition)).map(|hit| as_found(&hit)));
        ranked
    }

    fn trace(&self, run: &Run<'_>, candidates: &Candidates<'_>, reader: String, settled: bool) -> Trace {
        let total = run.total();
        Trace {
            strategy: self.options.keeping.strategy,
            reader,
            order: self.options.order,
            form: self.options.keeping.form,
            chunk_tokens: self.options.chunk_tokens,
            functions_read: candidates.shown().len(),
            functions: self.graph().definitions().iter().filter(|row| row.kind().is_function()).count(),
            tokens_read: run.steps().iter().map(|step| step.chunk).sum(),
            settled,
            steps: run.steps().to_vec(),
            ranking: run.beside(),
            total,
            cost_index: total.cost_index(),
            memory: run.memory().value().clone(),
        }
    }
}

impl Ranked {
    /// The sum of what its place comes from.
    pub fn score(&self) -> f32 {
        self.shares.iter().map(|(_, share)| share).sum()
    }
}

/// What is read, chunk by chunk.
struct Reading<'a> {
    sources: &'a Sources<'a>,
    /// How many functions there are to read.
    most: usize,
    candidates: Candidates<'a>,
    chunks: Chunks<'a, std::vec::IntoIter<DefinitionId>>,
}

impl Reading<'_> {
    fn next(&mut self) -> Option<Chunk<Piece>> {
        self.chunks.next(self.sources, &mut self.candidates)
    }
}

/// The names of the memory's candidates, in order.
fn entries(run: &Run<'_>) -> Vec<String> {
    let map = run.memory().value().get(CANDIDATES).and_then(Value::as_map);
    map.into_iter().flat_map(|map| map.keys().cloned()).collect()
}

/// The candidate that a path is about.
fn key_of(path: &Path) -> Option<&str> {
    match path.parts() {
        [Part::Key(attribute), Part::Key(key), ..] if attribute == CANDIDATES => Some(key),
        _ => None,
    }
}

/// A revision about a function that was shown, under the name that it was shown with; no other is taken.
fn known(candidates: &Candidates<'_>, revision: Revision) -> std::result::Result<Revision, Rejection> {
    let refuse = |why: &str| Rejection { what: revision.path.to_string(), reason: Reason::Place, why: why.to_owned() };
    let Some(key) = key_of(&revision.path) else {
        return Err(refuse("name one function: $.candidate_functions['NAME']"));
    };
    let Some(id) = candidates.find(key) else {
        return Err(refuse("no function of this name was shown, or more than one"));
    };
    let parts = revision.path.parts().iter().enumerate();
    let name = candidates.key(id);
    let path = parts.map(|(at, part)| if at == 1 { Part::Key(name.clone()) } else { part.clone() }).collect();
    Ok(Revision { path, ..revision })
}

/// Which of some names a reply has, in its order, each once.
fn named(reply: &str, keys: &[String]) -> Vec<String> {
    let mut longest_first: Vec<&String> = keys.iter().collect();
    longest_first.sort_by_key(|key| std::cmp::Reverse(key.len()));
    let (mut left, mut places) = (reply.to_owned(), Vec::new());
    for key in longest_first {
        let is_whole = |at: usize| {
            let part = |c: char| c.is_alphanumeric() || c == '_';
            !left[..at].ends_with(part) && !left[at + key.len()..].starts_with(part)
        };
        let found = left.match_indices(key.as_str()).map(|(at, _)| at).find(|&at| is_whole(at));
        places.extend(found.map(|at| (at, key)));
        // A name within another, such as `a.rs:new` in `lib/a.rs:new`, was not said.
        left = left.replace(key.as_str(), &"_".repeat(key.len()));
    }
    places.sort();
    places.into_iter().map(|(_, key)| key.clone()).collect()
}

/// The JSON Schema of a reply of revisions, for servers that keep to one.
fn revisions_schema() -> serde_json::Value {
    let field = |of: &str| serde_json::json!({"type": of});
    serde_json::json!({
        "type": "object",
        "properties": {"revisions": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "path": field("string"),
                "operation": {"type": "string", "enum": ["add", "update"]},
                "value": {
                    "type": "object",
                    "properties": {
                        "purpose": field("string"), "input": field("string"),
                        "output": field("string"), "procedure": field("string")
                    },
                    "required": ["purpose", "input", "output", "procedure"],
                    "additionalProperties": false
                }
            },
            "required": ["path", "operation", "value"],
            "additionalProperties": false
        }}},
        "required": ["revisions"],
        "additionalProperties": false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_taken_in_the_order_in_which_they_are_said() {
        let keys = ["a.rs:new", "lib/a.rs:new", "renew", "new"].map(str::to_owned);
        for (reply, expected) in [
            (r#"["renew", "lib/a.rs:new", "a.rs:new"]"#, &["renew", "lib/a.rs:new", "a.rs:new"][..]),
            ("lib/a.rs:new, and of course lib/a.rs:new; renew", &["lib/a.rs:new", "renew"]),
            ("renewal, new_one, anew", &[]),
            ("1. `new`\n2. `renew`\n3. `new`", &["new", "renew"]),
            ("", &[]),
        ] {
            assert_eq!(named(reply, &keys), expected, "{reply}");
        }
    }

    proptest! {
        #[test]
        fn nothing_but_keys_is_named_each_once(
            reply in "[ab./:é \"]{0,60}",
            keys in prop::collection::btree_set("[ab./:é]{1,4}", 0..8),
        ) {
            let keys: Vec<String> = keys.into_iter().collect();
            let mut named = named(&reply, &keys);
            let count = named.len();
            named.sort();
            named.dedup();
            prop_assert_eq!(named.len(), count);
            prop_assert!(named.iter().all(|name| keys.contains(name) && reply.contains(name.as_str())));
        }

        /// Of keys that are no part of one another, as in a list of JSON, all are read in order.
        #[test]
        fn a_json_list_is_read_as_it_stands(mut numbers in prop::collection::vec(0..30u8, 0..12)) {
            let keys: Vec<String> = (0..30).map(|n| format!("src/{n}.rs:Type.new_{n}")).collect();
            let reply = serde_json::json!(numbers.iter().map(|&n| &keys[n as usize]).collect::<Vec<_>>()).to_string();
            let mut seen = FxHashSet::default();
            numbers.retain(|&n| seen.insert(n));
            let expected: Vec<String> = numbers.iter().map(|&n| keys[n as usize].clone()).collect();
            prop_assert_eq!(named(&reply, &keys), expected);
        }
    }
}
