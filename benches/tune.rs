//! Tries other ranking constants on question sets. Run it with
//! `cargo bench --bench tune -- ROOT=SET.jsonl... [name=value...] [sweep|try]`.
//!
//! Prints MRR and acc@1 for each set and category. `try` reads constants from standard input, one
//! line at a time; `sweep` changes one constant at a time and keeps what improves the mean of these
//! rows (nDCG@10 for file questions). Use only the development sets, and write the results to
//! `crates/search/src/search/weights.rs` with their reasons.

#![allow(clippy::print_stdout)] // a program of its own
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use whichfn::engine::Engine;
use whichfn::eval::{Case, read_cases};
use whichfn_index::index::{Options, Silent};
use whichfn_search::search::{DocumentField, Hit, KindFilter, Query, Searcher, Unit, Weights};

struct Group {
    engine: Engine,
    cases: Vec<Case>,
    files: bool,
    set: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let mut weights = Weights::default();
    let mut groups = Vec::new();
    for argument in &arguments {
        let Some((name, value)) = argument.split_once('=') else { continue };
        match value.parse::<f32>() {
            Ok(number) => *constant(&mut weights, name) = number,
            Err(_) => groups.extend(open(Path::new(name), Path::new(value))),
        }
    }
    report(&measure(&groups, &weights));
    if arguments.iter().any(|a| a == "try") {
        std::io::stdin().lines().map_while(Result::ok).for_each(|line| attempt(&groups, weights.clone(), &line));
    }
    if arguments.iter().any(|a| a == "sweep") {
        sweep(&groups, weights);
    }
}

fn open(root: &Path, set: &Path) -> Vec<Group> {
    let cases = read_cases(set).expect("question set");
    let mut by_repo: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    cases.into_iter().for_each(|case| by_repo.entry(case.repo.clone()).or_default().push(case));
    by_repo
        .into_iter()
        .map(|(repo, cases)| {
            let index = std::env::temp_dir().join("whichfn-tune");
            let root = root.join(repo).canonicalize().expect("repository");
            let engine = Engine::open(&root, &index, &Options::default(), &Silent).expect("index");
            let files = cases.iter().all(|c| c.gold.iter().all(|g| g.name.is_none()));
            Group { engine, cases, files, set: set.file_stem().expect("name").to_string_lossy().into_owned() }
        })
        .collect()
}

fn constant<'w>(weights: &'w mut Weights, name: &str) -> &'w mut f32 {
    let (stem, part) = name.rsplit_once('.').unwrap_or((name, ""));
    if let Some(field) = DocumentField::ALL.into_iter().find(|f| f.name().replace(' ', "-") == stem) {
        let of = &mut weights.fields[field.number()];
        return if part == "b" { &mut of.b } else { &mut of.weight };
    }
    match name {
        "k1" => &mut weights.k1,
        "synonym" => &mut weights.synonym,
        "name-bonus" => &mut weights.name,
        "test" => &mut weights.test,
        "further" => &mut weights.further,
        other => panic!("no constant is called {other}"),
    }
}

/// Figures for each set and category: number of questions, sum of reciprocal ranks or nDCG, number
/// of first ranks, and number of ranks in the top ten.
type Figures = BTreeMap<String, (usize, f64, usize, usize)>;

fn measure(groups: &[Group], weights: &Weights) -> Figures {
    let all: Vec<Vec<(String, f64, usize)>> = groups
        .par_iter()
        .map(|group| {
            let searcher = group.engine.searcher().with_weights(weights.clone());
            group
                .cases
                .iter()
                .map(|case| {
                    let (value, rank) = judge(group, &searcher, case);
                    (format!("{} {}", group.set, case.category), value, rank)
                })
                .collect()
        })
        .collect();
    let mut figures = Figures::new();
    for (key, value, rank) in all.into_iter().flatten() {
        let of = figures.entry(key).or_default();
        *of = (of.0 + 1, of.1 + value, of.2 + usize::from(rank == 1), of.3 + usize::from((1..=10).contains(&rank)));
    }
    figures
}

fn judge(group: &Group, searcher: &Searcher<'_>, case: &Case) -> (f64, usize) {
    let graph = &group.engine.generation().graph;
    let mut query = Query { k: 100, ..Query::new(&case.query) };
    if group.files {
        (query.unit, query.kind) = (Unit::File, KindFilter::Any);
    }
    let hits = searcher.search(&query).expect("search");
    let meets = |hit: &Hit, gold: &whichfn::eval::Gold| {
        let row = graph.definition(hit.definition);
        gold.is_met_by(graph.path(hit.file), graph.name(hit.definition), (row.start_line, row.end_line))
    };
    let ranks: Vec<usize> =
        case.gold.iter().filter_map(|gold| hits.iter().position(|h| meets(h, gold))).map(|at| at + 1).collect();
    let first = ranks.iter().min().copied().unwrap_or(0);
    if !group.files {
        return (if first > 0 { 1.0 / first as f64 } else { 0.0 }, first);
    }
    let gain = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
    let ideal: f64 = (1..=case.gold.len().min(10)).map(gain).sum();
    (ranks.iter().filter(|&&r| r <= 10).map(|&r| gain(r)).sum::<f64>() / ideal, first)
}

fn mean(figures: &Figures) -> f64 {
    figures.values().map(|f| f.1 / f.0 as f64).sum::<f64>() / figures.len().max(1) as f64
}

fn report(figures: &Figures) {
    for (key, (n, value, first, ten)) in figures {
        let n = *n as f64;
        println!("{key:<28} value {:.4}  acc@1 {:.3}  acc@10 {:.3}", value / n, *first as f64 / n, *ten as f64 / n);
    }
    println!("mean {:.5}", mean(figures));
}

/// Measures other constants, given as `name=value...`, and prints one line of figures.
fn attempt(groups: &[Group], mut weights: Weights, line: &str) {
    for (name, value) in line.split_whitespace().filter_map(|setting| setting.split_once('=')) {
        *constant(&mut weights, name) = value.parse().expect("number");
    }
    let figures = measure(groups, &weights);
    let values: Vec<String> = figures.values().map(|f| format!("{:.4}", f.1 / f.0 as f64)).collect();
    println!("{line:<60} {:.5} = {}", mean(&figures), values.join(" "));
}

fn sweep(groups: &[Group], mut weights: Weights) {
    let mut names: Vec<String> = ["k1", "synonym", "name-bonus", "test", "further"].map(String::from).into();
    for field in DocumentField::ALL {
        names.extend([field.name().replace(' ', "-"), format!("{}.b", field.name().replace(' ', "-"))]);
    }
    let mut best = mean(&measure(groups, &weights));
    for name in &names {
        let now = *constant(&mut weights, name);
        let tries: Vec<f32> = if name.ends_with(".b") {
            vec![(now - 0.2).max(0.0), (now + 0.2).min(1.0)]
        } else if now == 0.0 {
            vec![0.05, 0.1, 0.2]
        } else {
            vec![now * 0.5, now * 0.75, now * 1.33, now * 2.0]
        };
        for value in tries {
            let mut other = weights.clone();
            *constant(&mut other, name) = value;
            let reached = mean(&measure(groups, &other));
            // A gain below this is noise from a few questions.
            if reached > best + 0.0005 {
                println!("{name} {now} -> {value}: {best:.5} -> {reached:.5}");
                (best, weights) = (reached, other);
            }
        }
    }
    report(&measure(groups, &weights));
}
