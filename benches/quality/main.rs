//! Measures what `whichfn context` retrieves for a completion, without a language model.
//!
//! ```text
//! cargo bench --bench quality -- DIR [--dev | --held-out | --all] [--tasks N] [--rows NAME,...]
//!                                [--json FILE]
//! ```
//!
//! DIR is the directory that `fetch.sh` filled. Tasks are made as in RepoEval (RepoCoder, Zhang et
//! al. 2023): a line of a package is hidden together with everything after it in its file, in a
//! working copy whose index is refreshed, so that nothing hidden can leak. The retrieved fragments
//! are then compared with the line.

#![allow(clippy::print_stdout)] // a program of its own
mod lines;
mod packages;
mod rows;
mod score;
mod table;
mod tasks;
mod tree;

use packages::{Package, packages};
use rows::Row;
use score::{View, score};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use table::Outcome;
use tasks::{Candidates, Kind, Task, draw};
use tree::Tree;

/// Command-line options.
struct Options {
    folder: PathBuf,
    packages: Vec<Package>,
    /// Number of tasks of each kind in one package.
    tasks: usize,
    rows: Vec<(&'static str, Row)>,
    json: Option<PathBuf>,
}

fn main() {
    let Some(options) = options(std::env::args().skip(1).filter(|a| a != "--bench")) else {
        println!("quality: pass the folder that benches/quality/fetch.sh filled");
        return;
    };
    let work = std::env::temp_dir().join(format!("whichfn-quality-{}", std::process::id()));
    let mut outcomes = Vec::new();
    for package in &options.packages {
        outcomes.extend(measure(package, &options, &work.join(&package.name)));
    }
    let _ = std::fs::remove_dir_all(work);
    let names: Vec<&str> = options.rows.iter().map(|(name, _)| *name).collect();
    println!("{}", table::text(&outcomes, &names));
    if let Some(file) = &options.json {
        std::fs::write(file, format!("{:#}\n", table::json(&outcomes, &names))).expect("json file");
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
    let (mut folder, mut dev, mut tasks, mut rows, mut json) = (None, None, 200usize, Row::ALL.to_vec(), None);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
        match argument.as_str() {
            "--dev" => dev = Some(true),
            "--held-out" => dev = Some(false),
            "--all" => dev = None,
            "--tasks" => tasks = value().parse().expect("--tasks N"),
            "--rows" => rows = value().split(',').map(row).collect(),
            "--json" => json = Some(PathBuf::from(value())),
            other => folder = Some(PathBuf::from(other)),
        }
    }
    let mut packages = packages();
    // N tasks for each kind and language over all packages, regardless of which ones are measured.
    let tasks = (2 * tasks).div_ceil(packages.len());
    packages.retain(|package| dev.is_none_or(|dev| package.dev == dev));
    Some(Options { folder: folder?, packages, tasks, rows, json })
}

fn row(name: &str) -> (&'static str, Row) {
    let known = Row::ALL.into_iter().find(|(known, _)| *known == name);
    known.unwrap_or_else(|| panic!("no row is called {name}: {:?}", Row::ALL.map(|(name, _)| name)))
}

/// Runs all tasks of a package.
fn measure(package: &Package, options: &Options, work: &Path) -> Vec<Outcome> {
    let started = Instant::now();
    let (tree, engine) = Tree::copy(&options.folder.join(package.folder()), &package.sources, work);
    let candidates = Candidates::new(package, &tree, &engine);
    let tasks: Vec<Task> =
        Kind::ALL.into_iter().flat_map(|kind| draw(kind, options.tasks, package, &candidates)).collect();
    let files: BTreeMap<String, Vec<&str>> =
        tree.texts.iter().map(|(path, text)| (path.clone(), text.lines().collect())).collect();
    let outcomes: Vec<Outcome> = tasks
        .into_iter()
        .enumerate()
        .map(|(number, task)| {
            let (ceiling, rows) = run(number, &task, &tree, &files, &options.rows);
            Outcome { package: package.name.clone(), language: package.language.clone(), task, ceiling, rows }
        })
        .collect();
    let lines: usize = files.values().map(Vec::len).sum();
    println!(
        "{:<12} {:<8} {:>4} files {:>6} lines {:>4} tasks {:>6.1} s",
        package.name,
        package.version,
        files.len(),
        lines,
        outcomes.len(),
        started.elapsed().as_secs_f64()
    );
    outcomes
}

/// Runs one task: hides the line, refreshes the index, runs every row, and restores the file.
fn run(
    number: usize,
    task: &Task,
    tree: &Tree,
    files: &BTreeMap<String, Vec<&str>>,
    rows: &[(&str, Row)],
) -> (score::Score, Vec<(score::Score, f64)>) {
    let view = View { files, cursor: &task.at };
    let judge = |spans: &[score::Span]| score(&view, &task.hidden, &task.callees, spans);
    let engine = tree.hide(&task.at.file, task.at.line);
    let mut scores = vec![Default::default(); rows.len()];
    // The first row after a refresh is slowed by cold pages, so the rows take turns at being first.
    for row in (0..rows.len()).map(|row| (row + number) % rows.len()) {
        let started = Instant::now();
        let fragments = rows[row].1.fragments(&engine, task, &view);
        let ms = started.elapsed().as_secs_f64() * 1e3;
        scores[row] = (judge(&fragments), ms);
    }
    tree.restore(&task.at.file);
    (judge(&view.everything()), scores)
}
