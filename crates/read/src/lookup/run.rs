//! Answers a question about functions by reading them: the order of reading, the end condition and
//! the final ranking.
//!
//! **Implements:** PRISM, algorithm 1, with its schema for RepoQA.
//!
//! **Differs from the paper:** the paper reads a repository from the first file to the last. By
//! default, this module reads the functions that the search ranks highest and stops when the memory
//! is settled, so that a lookup reads a few thousand tokens instead of the whole repository. A
//! result is always an indexed function that was shown.
//!
//! **Invariant:** the offline memory is settled when it contains [`RERANK_DEPTH`] functions; later
//! functions keep their search rank. `model_lookup` describes the end condition with a model.

use super::candidates::Candidates;
use super::chunks::{Chunks, Piece};
use super::features::FeatureExtractor;
use super::function::{Function, FunctionReader};
use super::offline::{CANDIDATES, OfflineReader};
use super::question::ParsedQuestion;
use super::reply::candidate_key;
use super::rerank::{RERANK_DEPTH, shares};
use super::trace::{ChunkOrder, LookupOutcome, LookupTrace, RankedFunction};
use crate::reading::{Chunk, DEFAULT_CHUNK_TOKENS, Instructions, MemoryPolicy, ReadingLoop, ServerCounts};
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_index::source::Sources;
use whichfn_index::store::{GraphFile, KindGroup};
use whichfn_index::wordvec::Lexicon;
use whichfn_llm::Templates;
use whichfn_memory::{Path, Schema, Value};
use whichfn_search::search::{Hit, Question, QuestionForm, Ranker};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Limit, Result};

/// Options of a lookup.
#[derive(Debug, Clone, Copy)]
pub struct LookupOptions {
    /// Policy that updates, formats and limits the memory.
    pub policy: MemoryPolicy,
    /// Maximum number of tokens in a chunk, clamped to [`crate::reading::CHUNK_TOKENS`].
    pub chunk_tokens: usize,
    /// Order in which functions are read.
    pub order: ChunkOrder,
    /// True to take notes on every function that is read, not only on those that the search found.
    pub note_all: bool,
}

impl Default for LookupOptions {
    fn default() -> Self {
        Self {
            policy: MemoryPolicy::default(),
            chunk_tokens: DEFAULT_CHUNK_TOKENS,
            order: ChunkOrder::Best,
            note_all: false,
        }
    }
}

/// A question to answer by reading.
pub struct Lookup<'a> {
    /// Sources of the repository's files.
    pub sources: &'a Sources<'a>,
    /// Languages of the repository.
    pub registry: &'a Registry,
    /// Prompt templates.
    pub templates: &'a Templates,
    /// Text of the question as typed.
    pub text: &'a str,
    /// Question as parsed by the search.
    pub question: &'a Question,
    /// Search results, best first.
    pub hits: &'a [Hit],
    /// True for each file that the question is about, indexed by file. Other files are neither read
    /// nor shown to a model.
    pub allowed: &'a [bool],
    /// Options of the lookup, such as the reading order and the chunk size.
    pub options: LookupOptions,
    /// Called after each chunk that a model has read, with the number of functions shown so far and
    /// the maximum number.
    pub progress: &'a dyn Fn(usize, usize),
}

impl<'a> Lookup<'a> {
    /// Answers the question by reading without a model.
    ///
    /// # Errors
    /// Returns an error if a prompt cannot be filled in.
    pub fn offline(&self) -> Result<LookupOutcome> {
        let wanted: FxHashSet<DefinitionId> = self.hits.iter().map(|hit| hit.definition).collect();
        let wanted = Some(wanted).filter(|_| !self.options.note_all);
        let functions = FunctionReader::new(self.sources, self.registry);
        let mut reader = OfflineReader::new(&functions, wanted);
        let mut stream = self.stream();
        let mut run = self.run(Instructions {
            keys: " Note only functions that could be the answer. A key is the name after ### in the chunk, copied \
                   exactly."
                .to_owned(),
            ..self.instructions(&format!("$.{CANDIDATES}['Session.renew']"))
        })?;
        let settled = loop {
            let count = candidate_keys(&run).len();
            if self.options.order == ChunkOrder::Best && count >= RERANK_DEPTH {
                break true;
            }
            let Some(chunk) = stream.next() else { break false };
            run.read(&chunk, &mut reader, &mut |revision| Ok(revision), &mut self.relevance(&stream.candidates))?;
        };
        let noted = candidate_keys(&run);
        let noted: FxHashSet<DefinitionId> = noted.iter().filter_map(|key| stream.candidates.find(key)).collect();
        let ranked = self.reranked(&noted, &mut reader);
        Ok(LookupOutcome { ranked, trace: self.trace(&run, &stream.candidates, "offline".to_owned(), settled) })
    }

    fn graph(&self) -> &'a GraphFile {
        self.sources.graph()
    }

    fn stream(&self) -> ChunkStream<'a> {
        ChunkStream {
            sources: self.sources,
            candidates: Candidates::new(self.graph()),
            chunks: Chunks::new(self.functions().into_iter(), self.options.chunk_tokens, self.graph()),
        }
    }

    /// Returns all functions to read, in order.
    pub(super) fn functions(&self) -> Vec<DefinitionId> {
        match self.options.order {
            ChunkOrder::Best => self.hits.iter().map(|hit| hit.definition).collect(),
            ChunkOrder::Repository => {
                let files = (0..self.graph().file_count()).filter(|&file| self.allowed[file]);
                files.flat_map(|file| self.graph().functions_of(FileId::new(file))).collect()
            }
        }
    }

    /// Returns the instructions for a reader, without the rules for keys. `example` is the path of
    /// a revision.
    pub(super) fn instructions(&self, example: &str) -> Instructions {
        Instructions {
            task: "You search a repository for the function that a question describes.".to_owned(),
            question: self.text.trim().to_owned(),
            example: example.to_owned(),
            keys: String::new(),
            remarks: String::new(),
        }
    }

    /// Creates a reading loop with an empty memory.
    pub(super) fn run(&self, instructions: Instructions) -> Result<ReadingLoop<'a>> {
        Ok(ReadingLoop::new(self.templates, Schema::builtin(CANDIDATES)?, instructions, self.options.policy))
    }

    /// Returns a function that rates a candidate by its search rank: 1 for the first result, 1/2
    /// for the second, and 0 if the search did not find it.
    pub(super) fn relevance<'c>(&self, candidates: &'c Candidates<'a>) -> impl FnMut(&Path) -> f32 + 'c {
        let ranks: FxHashMap<DefinitionId, usize> =
            self.hits.iter().enumerate().map(|(rank, hit)| (hit.definition, rank)).collect();
        move |path| {
            let id = candidate_key(path).and_then(|key| candidates.find(key));
            let rank = id.and_then(|id| ranks.get(&id));
            rank.map_or(0.0, |&rank| 1.0 / (1.0 + rank as f32))
        }
    }

    /// Returns all hits in a new order: the first [`RERANK_DEPTH`] hits in memory sorted by their
    /// features, then the other hits in memory, then the remaining hits. The second and third group
    /// keep the search order.
    fn reranked(&self, noted: &FxHashSet<DefinitionId>, reader: &mut OfflineReader<'_>) -> Vec<RankedFunction> {
        let hits: Vec<&Hit> = self.hits.iter().filter(|hit| noted.contains(&hit.definition)).collect();
        let as_found = |hit: &&Hit| RankedFunction { id: hit.definition, shares: Vec::new() };
        // The weights of `judge.toml` were learned with scores of the learned order. Their weight
        // for the search score has no meaning with `--order words`, so the search order is kept.
        let is_learned = hits.first().is_some_and(|hit| hit.ranker == Ranker::Learned);
        let reranks = is_learned && QuestionForm::LEARNED.contains(&self.question.form);
        let (first, rest) = hits.split_at(if reranks { hits.len().min(RERANK_DEPTH) } else { 0 });
        let functions: Vec<Function> = first.iter().map(|hit| reader.take(hit.definition)).collect();
        let mut lexicon = Lexicon::default();
        let question = ParsedQuestion::new(self.text, self.question.form, &mut lexicon);
        let features = FeatureExtractor::new(&question, &functions, &mut lexicon).features(&mut lexicon);
        let mut ranked: Vec<RankedFunction> = (first.iter().zip(&features))
            .map(|(hit, features)| RankedFunction {
                id: hit.definition,
                shares: shares(self.question.form, hit.score, features),
            })
            .collect();
        // The sort is stable, so equal scores stay in the search order.
        ranked.sort_by(|a, b| b.score().total_cmp(&a.score()));
        ranked.extend(rest.iter().map(as_found));
        // Functions that were not read come after functions that were.
        ranked.extend(self.hits.iter().filter(|hit| !noted.contains(&hit.definition)).map(|hit| as_found(&hit)));
        ranked
    }

    pub(super) fn trace(
        &self,
        run: &ReadingLoop<'_>,
        candidates: &Candidates<'_>,
        reader: String,
        settled: bool,
    ) -> LookupTrace {
        let total = run.total();
        LookupTrace {
            strategy: self.options.policy.strategy,
            reader,
            order: self.options.order,
            form: self.options.policy.form,
            chunk_tokens: self.options.chunk_tokens,
            functions_read: candidates.shown().count(),
            functions: self.graph().count_of(KindGroup::Function),
            tokens_read: run.steps().iter().map(|step| step.chunk).sum(),
            settled,
            unreadable: false,
            limit: run.reached_limit().map(Limit::name),
            steps: run.steps().to_vec(),
            ranking: run.other_cost(),
            total,
            server: ServerCounts::default(),
            cost_index: total.cost_index(),
            memory: candidates.named(run.memory().value()),
            verdict: None,
            shown: Vec::new(),
        }
    }
}

/// The chunks of a lookup, and the names of the functions in them.
struct ChunkStream<'a> {
    sources: &'a Sources<'a>,
    candidates: Candidates<'a>,
    chunks: Chunks<'a, std::vec::IntoIter<DefinitionId>>,
}

impl ChunkStream<'_> {
    fn next(&mut self) -> Option<Chunk<Piece>> {
        self.chunks.next(self.sources, &mut self.candidates)
    }
}

/// Returns the keys of the candidates in memory, in order.
fn candidate_keys(run: &ReadingLoop<'_>) -> Vec<String> {
    let map = run.memory().value().get(CANDIDATES).and_then(Value::as_map);
    map.into_iter().flat_map(|map| map.keys().cloned()).collect()
}
