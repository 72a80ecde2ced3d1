//! Measures the cost of answers that read functions, and how early the right function is read.
//!
//! ```text
//! cargo bench --bench reading -- QUESTIONS.jsonl REPO_ROOT
//! ```
//! Prints tables over the repositories of a question set, with the offline reader in repository
//! order and one question for each repository: cache hits, total, net and output tokens and the
//! cost index for each format of the memory, with chunks of 2k, 8k and 32k tokens. Then prints,
//! over all questions with the best functions first, how often the right one is in the first 2,000
//! and 8,000 tokens.

#![allow(clippy::print_stdout)] // a program of its own
use std::path::{Path, PathBuf};
use whichfn::engine::Engine;
use whichfn::eval::{Case, read_cases};
use whichfn_index::index::{Options, Silent};
use whichfn_index::source::Sources;
use whichfn_llm::Templates;
use whichfn_memory::{MemoryFormat, PromptCost};
use whichfn_read::lookup::{Candidates, ChunkOrder, Chunks, Lookup, LookupOptions, LookupTrace};
use whichfn_read::reading::{MemoryPolicy, Strategy};
use whichfn_search::search::{Query, RERANK_DEPTH};
use whichfn_syntax::lang::Registry;

const WAYS: [(&str, MemoryFormat, bool); 4] = [
    ("in place, no updates", MemoryFormat::InPlace, false),
    ("in place, updates", MemoryFormat::InPlace, true),
    ("amendments, no updates", MemoryFormat::Amendments, false),
    ("amendments, updates", MemoryFormat::Amendments, true),
];

fn main() {
    let typed: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [questions, root] = typed.as_slice() else {
        println!("usage: cargo bench --bench reading -- QUESTIONS.jsonl REPO_ROOT");
        return;
    };
    let cases = read_cases(Path::new(questions)).expect("question set");
    let bench = Bench {
        root: PathBuf::from(root),
        index: std::env::temp_dir().join("whichfn-bench-reading"),
        registry: Registry::builtin().expect("languages"),
        templates: Templates::builtin().expect("prompts"),
    };
    let mut firsts: Vec<&Case> = Vec::new();
    for case in &cases {
        if !firsts.iter().any(|first| first.repo == case.repo) {
            firsts.push(case);
        }
    }
    for (notes, note_all) in [("every function", true), ("what the search found", false)] {
        for chunk_tokens in [2_000, 8_000, 32_000] {
            println!("\n{} repositories, chunks of {chunk_tokens} tokens, notes of {notes}", firsts.len());
            println!("| memory | cache hit | total | net | output | cost index |\n|---|---:|---:|---:|---:|---:|");
            for (name, form, updates) in WAYS {
                let policy = MemoryPolicy { strategy: Strategy::Prism, form, updates, limit: None };
                let options = LookupOptions { policy, chunk_tokens, order: ChunkOrder::Repository, note_all };
                let mut sum = PromptCost::default();
                for case in &firsts {
                    let PromptCost { prompt, shared, net, output } = bench.read(case, options).total;
                    sum.prompt += prompt;
                    sum.shared += shared;
                    sum.net += net;
                    sum.output += output;
                }
                let (share, index) = (100.0 * sum.share(), sum.cost_index() / firsts.len() as f64);
                println!(
                    "| {name} | {} ({share:.0} %) | {} | {} | {} | {index:.3} |",
                    sum.shared, sum.prompt, sum.net, sum.output
                );
            }
        }
    }
    println!("\nbest first, {} questions", cases.len());
    for tokens in [500, 1_000, 2_000, 4_000, 8_000] {
        let found = cases.iter().filter(|case| bench.is_in_first(case, tokens)).count();
        println!("right function in the first {tokens} tokens: {:.3}", found as f64 / cases.len() as f64);
    }
    let traces: Vec<LookupTrace> = cases.iter().map(|case| bench.read(case, LookupOptions::default())).collect();
    let mean =
        |of: &dyn Fn(&LookupTrace) -> usize| traces.iter().map(of).sum::<usize>() as f64 / traces.len().max(1) as f64;
    println!(
        "read until settled: {:.0} tokens and {:.0} functions a question, of {:.0}",
        mean(&|trace| trace.tokens_read),
        mean(&|trace| trace.functions_read),
        mean(&|trace| trace.functions)
    );
}

struct Bench {
    root: PathBuf,
    index: PathBuf,
    registry: Registry,
    templates: Templates,
}

impl Bench {
    fn engine(&self, case: &Case) -> Engine {
        let root = self.root.join(&case.repo).canonicalize().expect("repository");
        Engine::open(&root, &self.index, &Options::default(), &Silent).expect("index")
    }

    fn read(&self, case: &Case, options: LookupOptions) -> LookupTrace {
        let engine = self.engine(case);
        let searcher = engine.searcher();
        let query = Query { k: RERANK_DEPTH, ..Query::new(&case.query) };
        let hits = searcher.search(&query).expect("search");
        let lookup = Lookup {
            sources: &Sources::new(engine.root(), engine.generation()),
            registry: &self.registry,
            templates: &self.templates,
            text: &case.query,
            question: &query.question,
            hits: &hits,
            allowed: &vec![true; engine.generation().graph.file_count()],
            options,
            progress: &|_, _| {},
        };
        lookup.offline().expect("reading").trace
    }

    /// Checks whether the right function is in a first chunk with this number of tokens.
    fn is_in_first(&self, case: &Case, tokens: usize) -> bool {
        let engine = self.engine(case);
        let graph = &engine.generation().graph;
        let searcher = engine.searcher();
        let hits = searcher.search(&Query { k: RERANK_DEPTH, ..Query::new(&case.query) }).expect("search");
        let sources = Sources::new(engine.root(), engine.generation());
        let functions = hits.iter().map(|hit| hit.definition);
        let chunk = Chunks::new(functions, tokens, graph).next(&sources, &mut Candidates::new(graph));
        chunk.is_some_and(|chunk| chunk.pieces().any(|piece| case.is_answered_by(graph, piece.id)))
    }
}
