//! Measures what `whichfn context` retrieves for a completion, without a language model. With a
//! model, measures the lines that the model writes.
//!
//! ```text
//! cargo bench --bench quality -- DIR [--dev | --held-out | --all] [--tasks N] [--rows NAME,...]
//!                                [--json FILE]
//! cargo bench --bench quality -- DIR [--dev | --held-out | --all] [--tasks N] [--rows NAME,...]
//!     --llm-url URL --llm-model NAME --generated FILE.jsonl [--prompt-tokens N,...] [--fragments N]
//! cargo bench --bench quality -- --generated FILE.jsonl     # only the table of an earlier run
//! ```
//!
//! DIR is the directory that `fetch.sh` filled. Tasks are made as in RepoEval (RepoCoder, Zhang et
//! al. 2023): a line of a package is hidden together with everything after it in its file, in a
//! working copy whose index is refreshed, so that nothing hidden can leak. The retrieved fragments
//! are then compared with the line.

#![allow(clippy::print_stdout)] // a program of its own
mod completions;
mod generate;
mod generated_table;
mod lines;
mod packages;
mod rows;
mod score;
mod table;
mod tasks;
mod tree;

use completions::CompletionServer;
use generate::{GeneratedRow, Generation, Generations};
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
#[derive(Default)]
struct Options {
    folder: Option<PathBuf>,
    packages: Vec<Package>,
    /// Number of tasks of each kind in one package.
    tasks: usize,
    /// Names of the rows to run; empty for all.
    rows: Vec<String>,
    json: Option<PathBuf>,
    /// Address and name of a model.
    llm: (Option<String>, Option<String>),
    generated: Option<PathBuf>,
    prompt_tokens: Vec<usize>,
    fragments: usize,
}

fn main() {
    let options = options(std::env::args().skip(1).filter(|a| a != "--bench"));
    let work = std::env::temp_dir().join(format!("whichfn-quality-{}", std::process::id()));
    match (&options.folder, &options.generated) {
        (folder, Some(generated)) => {
            let mut lines = Generations::open(generated);
            if let (Some(folder), (Some(url), Some(model))) = (folder, &options.llm) {
                generate(&options, folder, CompletionServer::new(url, model), &work, &mut lines);
            }
            println!("{}", generated_table::text(&lines));
        }
        (Some(folder), None) => retrieve(&options, folder, &work),
        (None, None) => println!("quality: pass the folder that benches/quality/fetch.sh filled"),
    }
    let _ = std::fs::remove_dir_all(work);
}

/// Measures the fragments of all tasks.
fn retrieve(options: &Options, folder: &Path, work: &Path) {
    let rows: Vec<(&'static str, Row)> = chosen(&options.rows, &Row::ALL, |(name, _)| name);
    let mut outcomes = Vec::new();
    for package in &options.packages {
        outcomes.extend(measure(package, options, folder, &rows, &work.join(&package.name)));
    }
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    println!("{}", table::text(&outcomes, &names));
    if let Some(file) = &options.json {
        std::fs::write(file, format!("{:#}\n", table::json(&outcomes, &names))).expect("json file");
    }
}

/// Lets a model write the hidden lines of all tasks.
fn generate(options: &Options, folder: &Path, server: CompletionServer, work: &Path, into: &mut Generations) {
    let rows: Vec<GeneratedRow> = chosen(&options.rows, &generate::ROWS, |row| row.name);
    let (prompt_tokens, most_fragments) = (options.prompt_tokens.clone(), options.fragments);
    let generation = Generation { server, prompt_tokens, most_fragments, rows };
    for package in &options.packages {
        let (tree, tasks) = tasks_of(package, options, folder, &work.join(&package.name));
        let files = lines_of(&tree);
        for task in tasks {
            let view = View { files: &files, cursor: &task.at };
            let engine = tree.hide(&task.at.file, task.at.line);
            generation.run(&task, (&package.name, &package.language), &engine, &view, into);
            tree.restore(&task.at.file);
        }
        println!("{:<12} {:<8} {:>6} lines written so far", package.name, package.version, into.lines.len());
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Options {
    let mut options = Options { tasks: 200, prompt_tokens: vec![1_024], fragments: rows::K, ..Options::default() };
    let mut dev = None;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
        match argument.as_str() {
            "--dev" => dev = Some(true),
            "--held-out" => dev = Some(false),
            "--all" => dev = None,
            "--tasks" => options.tasks = value().parse().expect("--tasks N"),
            "--rows" => options.rows = value().split(',').map(str::to_owned).collect(),
            "--json" => options.json = Some(PathBuf::from(value())),
            "--llm-url" => options.llm.0 = Some(value()),
            "--llm-model" => options.llm.1 = Some(value()),
            "--generated" => options.generated = Some(PathBuf::from(value())),
            "--prompt-tokens" => {
                options.prompt_tokens =
                    value().split(',').map(|size| size.parse().expect("--prompt-tokens N,...")).collect();
            }
            "--fragments" => options.fragments = value().parse().expect("--fragments N"),
            other => options.folder = Some(PathBuf::from(other)),
        }
    }
    options.packages = packages();
    // N tasks for each kind and language over all packages, regardless of which ones are measured.
    options.tasks = (2 * options.tasks).div_ceil(options.packages.len());
    options.packages.retain(|package| dev.is_none_or(|dev| package.dev == dev));
    options
}

/// Returns the rows with the given names, or all rows if no name is given.
fn chosen<R: Copy>(names: &[String], all: &[R], name_of: impl Fn(&R) -> &'static str) -> Vec<R> {
    let row = |name: &String| {
        let found = all.iter().find(|row| name_of(row) == name);
        *found.unwrap_or_else(|| panic!("no row is called {name}: {:?}", all.iter().map(&name_of).collect::<Vec<_>>()))
    };
    if names.is_empty() { all.to_vec() } else { names.iter().map(row).collect() }
}

/// Returns a working copy of a package, and its tasks.
fn tasks_of(package: &Package, options: &Options, folder: &Path, work: &Path) -> (Tree, Vec<Task>) {
    let (tree, engine) = Tree::copy(&folder.join(package.folder()), &package.sources, work);
    let candidates = Candidates::new(package, &tree, &engine);
    let tasks = Kind::ALL.into_iter().flat_map(|kind| draw(kind, options.tasks, package, &candidates)).collect();
    (tree, tasks)
}

/// Returns the lines of each file.
fn lines_of(tree: &Tree) -> BTreeMap<String, Vec<&str>> {
    tree.texts.iter().map(|(path, text)| (path.clone(), text.lines().collect())).collect()
}

/// Runs all tasks of a package.
fn measure(package: &Package, options: &Options, folder: &Path, rows: &[(&str, Row)], work: &Path) -> Vec<Outcome> {
    let started = Instant::now();
    let (tree, tasks) = tasks_of(package, options, folder, work);
    let files = lines_of(&tree);
    let outcomes: Vec<Outcome> = tasks
        .into_iter()
        .enumerate()
        .map(|(number, task)| {
            let (ceiling, rows) = run(number, &task, &tree, &files, rows);
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
