//! Measures what an offline walk finds, and how much of the text it reads. Run it with
//! `cargo bench --bench walk -- ROOT=SET.jsonl... [--index-dir DIR] [name=value...] [try]`.
//!
//! Prints one line of figures for each set; `try` reads constants from standard input, one line at
//! a time. Use only the development sets, and write the results to `crates/read/src/memwalk/` with
//! their reasons.

#![allow(clippy::print_stdout)] // a program of its own
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use whichfn::engine::Engine;
use whichfn::eval::{Case, read_cases};
use whichfn_index::index::{Options, Silent};
use whichfn_read::memwalk::{Shape, SummaryTree, WalkOptions, walk};
use whichfn_search::search::Query;

struct Group {
    engine: Engine,
    cases: Vec<Case>,
    set: String,
}

#[derive(Clone, Default)]
struct Constants {
    shape: Shape,
    walk: WalkOptions,
}

impl Constants {
    fn set(&mut self, name: &str, value: f64) {
        match name {
            "children" => self.shape.children = value as usize,
            "leaf" => self.shape.leaf_bytes = value as usize,
            "group" => self.shape.group_bytes = value as usize,
            "share" => self.walk.share = value,
            "floor" => self.walk.floor = value as usize,
            "decay" => self.walk.decay = value as f32,
            "texts" => self.walk.texts = value as f32,
            "cost" => self.walk.cost = value as f32,
            "test" => self.walk.test = value as f32,
            "sure" => self.walk.sure = value as f32,
            other => panic!("no constant is called {other}"),
        }
    }
}

/// Result of the walk for one question.
struct Outcome {
    rank: usize,
    share: f64,
    leaves: usize,
    reverts: usize,
    stray: f64,
    tree_ms: f64,
    read: bool,
    ms: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let mut index = std::env::temp_dir().join("whichfn-walk");
    let (mut constants, mut groups) = (Constants::default(), Vec::new());
    if let Some(at) = arguments.iter().position(|a| a == "--index-dir") {
        index = arguments[at + 1].clone().into();
    }
    for (name, value) in arguments.iter().filter_map(|argument| argument.split_once('=')) {
        match value.parse::<f64>() {
            Ok(number) => constants.set(name, number),
            Err(_) => groups.extend(open(Path::new(name), Path::new(value), &index)),
        }
    }
    attempt(&groups, constants.clone(), "");
    if arguments.iter().any(|a| a == "try") {
        std::io::stdin().lines().map_while(Result::ok).for_each(|line| attempt(&groups, constants.clone(), &line));
    }
}

fn open(root: &Path, set: &Path, index: &Path) -> Vec<Group> {
    let mut by_repo: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    let cases = read_cases(set).expect("question set");
    cases.into_iter().for_each(|case| by_repo.entry(case.repo.clone()).or_default().push(case));
    let open = |(repo, cases)| {
        let root = root.join(repo).canonicalize().expect("repository");
        let engine = Engine::open(&root, index, &Options::default(), &Silent).expect("index");
        Group { engine, cases, set: set.file_stem().expect("name").to_string_lossy().into_owned() }
    };
    by_repo.into_iter().map(open).collect()
}

fn attempt(groups: &[Group], mut constants: Constants, line: &str) {
    for (name, value) in line.split_whitespace().filter_map(|setting| setting.split_once('=')) {
        constants.set(name, value.parse().expect("number"));
    }
    let all: Vec<Vec<Outcome>> = groups.par_iter().map(|group| run(group, &constants)).collect();
    let mut sets: BTreeMap<&str, Vec<Outcome>> = BTreeMap::new();
    groups.iter().zip(all).for_each(|(group, outcomes)| sets.entry(&group.set).or_default().extend(outcomes));
    println!("{line}");
    for (set, outcomes) in &sets {
        let mean = |of: &dyn Fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / outcomes.len() as f64;
        let within = |k: usize| mean(&|o| f64::from(u8::from((1..=k).contains(&o.rank))));
        println!(
            "  {set:<12} acc@1 {:.3} @5 {:.3} @10 {:.3}  MRR {:.3}  read {:.3}  text {:.3} (most {:.3})  leaves {:.1}  reverts {:.1}  stray {:.3}  {:.1} ms (tree {:.1} ms)",
            within(1),
            within(5),
            within(10),
            mean(&|o| if o.rank > 0 { 1.0 / o.rank as f64 } else { 0.0 }),
            mean(&|o| f64::from(u8::from(o.read))),
            mean(&|o| o.share),
            outcomes.iter().map(|o| o.share).fold(0.0, f64::max),
            mean(&|o| o.leaves as f64),
            mean(&|o| o.reverts as f64),
            mean(&|o| o.stray),
            mean(&|o| o.ms),
            mean(&|o| o.tree_ms),
        );
    }
}

fn run(group: &Group, constants: &Constants) -> Vec<Outcome> {
    let graph = &group.engine.generation().graph;
    let searcher = group.engine.searcher();
    let started = Instant::now();
    let tree = SummaryTree::new(graph, &constants.shape);
    let tree_ms = started.elapsed().as_secs_f64() * 1e3;
    let ask = |case: &Case| {
        let started = Instant::now();
        let query = Query::new(&case.query);
        let walked = walk(graph, &searcher, &tree, &query, &constants.walk).expect("walk");
        let meets = |&(id, _): &(whichfn_syntax::ids::DefinitionId, f32)| case.is_answered_by(graph, id);
        Outcome {
            rank: walked.found.iter().take(100).position(meets).map_or(0, |at| at + 1),
            share: walked.trace.share(),
            leaves: walked.trace.leaves,
            reverts: walked.trace.reverts,
            stray: walked.trace.stray,
            tree_ms,
            read: walked.found.iter().any(|found| found.1 > 0.0 && meets(found)),
            ms: started.elapsed().as_secs_f64() * 1e3,
        }
    };
    group.cases.iter().map(ask).collect()
}
