//! Measures the time and memory of relations, and the agreement of the fast implementation with the
//! exact one. Run it with `cargo bench --bench relations -- DIR [QUESTIONS.jsonl] [--exact]`.
//!
//! Times are medians over the questions (a few built-in ones if no set is given). With `--exact`,
//! the environment of every function is computed pair by pair over the whole graph, which takes
//! minutes, and the top ten results by the published mean are compared with those of the fast
//! implementation.

#![allow(clippy::print_stdout)] // a program of its own
#[path = "shared/measure.rs"]
mod measure;

use measure::{median, parse_all, timed};
use rayon::prelude::*;
use std::path::Path;
use std::time::Instant;
use whichfn::engine::Engine;
use whichfn::eval::read_cases;
use whichfn_graph::StructureGraph;
use whichfn_index::fragment::FileFragments;
use whichfn_index::index::{Options, Silent};
use whichfn_index::wordvec::Numbers;
use whichfn_scan::{read, scan};
use whichfn_search::relation::{Exact, Forest, FragmentUnit, Fragments, Relation, Structure, structure_of};
use whichfn_search::search::{Environment, EnvironmentForm, Hit, Query, Searcher};
use whichfn_syntax::ids::{FileId, FragmentId};
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::{Facts, FieldWords, Parser, parse};
use whichfn_text::Splitter;

const QUESTIONS: [&str; 5] = [
    "which function decides whether a redirect target URL is safe",
    "convert a route pattern into a regular expression",
    "split a script into separate statements",
    "hash a password",
    "order pending work by its dependencies",
];
/// Number of questions taken from a set.
const ASKED: usize = 100;
/// Weight of the environment in the published mean.
const ALPHA: f64 = 0.5;
const TOP: usize = 10;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let files: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let Some(root) = files.first() else {
        println!("relations: pass a directory, optionally a question set, and --exact to compare");
        return;
    };
    let questions = match files.get(1) {
        Some(set) => every_few(read_cases(Path::new(set)).expect("questions").into_iter().map(|case| case.query)),
        None => QUESTIONS.map(String::from).to_vec(),
    };
    let root = Path::new(root).canonicalize().expect("directory");
    let index = std::env::temp_dir().join("whichfn-relations");
    let engine = Engine::open(&root, &index, &Options::default(), &Silent).expect("index");
    let searcher = engine.searcher();
    making(&engine, &root);
    sizes(&engine);
    times(&searcher, &questions);
    if arguments.iter().any(|a| a == "--exact") {
        agreement(&engine, &searcher, &questions);
    }
}

/// Returns questions that are spread over the set and are the same in every run.
fn every_few(all: impl Iterator<Item = String>) -> Vec<String> {
    let all: Vec<String> = all.collect();
    let most = ASKED.min(all.len());
    (0..most).map(|at| all[at * all.len() / most].clone()).collect()
}

/// Measures the parts of the relations that are built for each file during indexing, and the rest,
/// which is built on request.
fn making(engine: &Engine, root: &Path) {
    let (registry, options) = (Registry::builtin().expect("languages"), Options::default());
    let graph = &engine.generation().graph;
    let files: Vec<(FileId, String, Facts)> = scan(root, &registry, options.max_size)
        .expect("scan")
        .files
        .par_iter()
        .filter_map(|entry| {
            let at = graph.file_ids().find(|&file| graph.path(file) == entry.path)?;
            let text = read(root, &entry.path).ok()?.ok()?.text;
            let id = registry.detect(entry.path.rsplit('/').next().unwrap_or_default())?;
            let language = registry.language(id).expect("language");
            let (facts, _) = parse(&mut Parser::default(), language, &entry.path, &text).expect("parse")?;
            Some((at, text, facts))
        })
        .collect();
    let fragments = Fragments::new(graph, FragmentUnit::Definition);
    let (mut floor, mut made, mut joined) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..9 {
        floor.push(timed(|| parse_all(root, &registry, options.max_size)));
        made.push(timed(|| {
            let make = |splitter: &mut Splitter, (_, text, facts): &(FileId, String, Facts)| {
                splitter.read(text);
                FileFragments::new(text, facts, &FieldWords::default(), splitter, &mut Numbers::default())
                    .blocks
                    .postings
                    .len()
            };
            files.par_iter().map_init(Splitter::default, make).sum::<usize>();
        }));
        joined.push(timed(|| drop(Structure::new(&fragments))));
    }
    let (floor, made, joined) = (median(floor), median(made), median(joined));
    println!("floor (read + parse)    {floor:8.1} ms");
    println!("built when indexing     {made:8.1} ms   {:.2} x floor", made / floor);
    println!("built on request        {joined:8.1} ms   {:.2} x floor", joined / floor);
}

fn sizes(engine: &Engine) {
    let graph = &engine.generation().graph;
    for unit in [FragmentUnit::Definition, FragmentUnit::Window] {
        let fragments = Fragments::new(graph, unit);
        let mut forest = None;
        let built = median((0..9).map(|_| timed(|| forest = Some(Forest::new(&fragments)))).collect());
        let nodes = forest.map_or(0, |forest| forest.size());
        let members = fragments.members.iter().filter(|member| **member).count();
        println!("{:<10} {members:>6} fragments, skeleton of {nodes} nodes in {built:.2} ms", unit.name());
    }
}

fn times(searcher: &Searcher<'_>, questions: &[String]) {
    let none = Environment { alpha: Some(0.0), ..Environment::default() };
    let rows =
        [("without", none), ("sum (default)", Environment::default()), ("mean (published)", Environment::PUBLISHED)];
    for (name, environment) in rows {
        let times =
            questions.iter().map(|question| timed(|| drop(ask(searcher, question, environment, TOP)))).collect();
        println!("ask, {name:<18} {:6.2} ms", median(times));
    }
}

fn ask(searcher: &Searcher<'_>, question: &str, environment: Environment, k: usize) -> Vec<Hit> {
    searcher.search(&Query { environment, k, ..Query::new(question) }).expect("answer")
}

fn agreement(engine: &Engine, searcher: &Searcher<'_>, questions: &[String]) {
    let graph = &engine.generation().graph;
    let structure: StructureGraph = structure_of(graph);
    let fragments = Fragments::new(graph, FragmentUnit::Definition);
    let exact = Exact::new(&structure, &fragments);
    let none = Environment { alpha: Some(0.0), ..Environment::default() };
    let alone: Vec<Vec<Hit>> = questions.iter().map(|question| ask(searcher, question, none, usize::MAX)).collect();
    let scores: Vec<Vec<f64>> = alone.iter().map(|hits| by_fragment(hits, fragments.count())).collect();
    let started = Instant::now();
    let members: Vec<FragmentId> = fragments.ids().filter(|&at| fragments.members[at]).collect();
    let environment: Vec<Vec<f64>> = members.par_iter().map(|&at| means(&exact.row(at), &scores)).collect();
    println!("exact environment of {} functions: {:.1} s", members.len(), started.elapsed().as_secs_f64());
    let mut overlaps = Vec::new();
    for (number, (question, hits)) in questions.iter().zip(&alone).enumerate() {
        let mut wanted: Vec<(f64, u32)> = hits
            .iter()
            .map(|hit| {
                let at = members.binary_search(&fragments.of_definition(hit.definition)).expect("member");
                (f64::from(hit.score) + ALPHA * environment[at][number], hit.definition.0)
            })
            .collect();
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        wanted.truncate(TOP);
        let fast = ask(searcher, question, Environment { form: EnvironmentForm::Mean, ..Environment::default() }, TOP);
        let common = fast.iter().filter(|hit| wanted.iter().any(|&(_, id)| id == hit.definition.0)).count();
        overlaps.push(common as f64 / wanted.len().max(1) as f64);
    }
    let mean = overlaps.iter().sum::<f64>() / overlaps.len() as f64;
    let whole = overlaps.iter().filter(|overlap| **overlap >= 1.0).count();
    println!(
        "top {TOP} of fast and exact: mean overlap {mean:.4}, all {TOP} the same in {whole} of {}",
        overlaps.len()
    );
}

fn by_fragment(hits: &[Hit], count: usize) -> Vec<f64> {
    let mut scores = vec![0.0; count];
    hits.iter().for_each(|hit| scores[hit.definition.index()] = f64::from(hit.independent));
    scores
}

/// Returns the weighted mean of each question's scores.
fn means(row: &[(FragmentId, f64)], scores: &[Vec<f64>]) -> Vec<f64> {
    let below: f64 = row.iter().map(|&(_, weight)| weight).sum();
    let mean = |scores: &Vec<f64>| row.iter().map(|&(at, weight)| weight * scores[at.index()]).sum::<f64>() / below;
    scores.iter().map(mean).collect()
}
