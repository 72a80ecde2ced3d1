//! Compares the times of indexing, refreshing and asking with a floor in the same run. Run it with
//! `cargo bench --bench speed -- DIR [FILE TO EDIT]`, or print the stages of an index with
//! `cargo bench --bench speed -- --stages DIR...`.
//!
//! The floor only reads the same files and parses them with tree-sitter, with the same number of
//! threads. The tree is copied first, so that one of its files can be edited. Prints medians of
//! nine rounds; floor and index alternate.

#![allow(clippy::print_stdout)] // a program of its own
#[path = "shared/measure.rs"]
mod measure;
#[path = "shared/stages.rs"]
mod stages;

use measure::{median, parse_all, timed};
use std::path::{Path, PathBuf};
use whichfn::engine::Engine;
use whichfn_index::index::{Options, Silent};
use whichfn_scan::scan;
use whichfn_search::search::Query;
use whichfn_syntax::lang::Registry;

const ROUNDS: usize = 9;
const QUESTION: &str = "which function decides whether a redirect target URL is safe";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let Some(root) = arguments.first() else {
        println!("speed: pass a directory and optionally a file in it to edit, or --floor DIR, or --stages DIR...");
        return;
    };
    if root == "--stages" {
        return stages::print_stages(&arguments[1..]);
    }
    if root == "--floor" {
        // For `benches/processes.py`: the floor as a separate process.
        let root = arguments.get(1).map_or(".", String::as_str);
        return parse_all(Path::new(root), &Registry::builtin().expect("languages"), Options::default().max_size);
    }
    let work = std::env::temp_dir().join(format!("whichfn-speed-{}", std::process::id()));
    let tree = work.join("tree");
    let source_bytes = copy(Path::new(root), &tree);
    let tree = tree.canonicalize().expect("tree");
    let registry = Registry::builtin().expect("languages");
    let options = Options::default();
    let (mut floor, mut full) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        floor.push(timed(|| parse_all(&tree, &registry, options.max_size)));
        let index = work.join(format!("index-{round}"));
        full.push(timed(|| drop(Engine::open(&tree, &index, &options, &Silent).expect("index"))));
    }
    let index = work.join("index-0");
    let warm: Vec<f64> =
        (0..ROUNDS).map(|_| timed(|| drop(Engine::open(&tree, &index, &options, &Silent).expect("index")))).collect();
    let edited = arguments.get(1).map_or_else(|| ordinary(&tree, &registry), |name| tree.join(name));
    let refresh: Vec<f64> = (0..ROUNDS)
        .map(|round| {
            let text = std::fs::read_to_string(&edited).expect("file");
            std::fs::write(&edited, format!("{text}\n# edit {round}\n")).expect("file");
            timed(|| drop(Engine::open(&tree, &index, &options, &Silent).expect("index")))
        })
        .collect();
    let engine = Engine::open(&tree, &index, &options, &Silent).expect("index");
    let ask: Vec<f64> =
        (0..ROUNDS * 5).map(|_| timed(|| drop(engine.ask(&Query::new(QUESTION), 0).expect("answer")))).collect();
    let status = engine.status();
    println!(
        "{} files, {} lines, {} functions, {} threads",
        status.files,
        status.lines,
        status.functions,
        rayon::current_num_threads()
    );
    let floor = median(floor);
    println!("floor (read + parse)    {floor:8.1} ms");
    let full = median(full);
    println!("full index              {full:8.1} ms   {:.2} x floor", full / floor);
    println!("nothing to do           {:8.1} ms", median(warm));
    let refresh = median(refresh);
    println!("refresh after one edit  {refresh:8.1} ms   {:.1} % of a full index", 100.0 * refresh / full);
    println!("ask, index open         {:8.2} ms", median(ask));
    println!(
        "index size              {:8.1} MiB  {:.2} x source ({:.1} MiB)",
        mib(status.bytes),
        status.bytes as f64 / source_bytes as f64,
        mib(source_bytes)
    );
    let _ = std::fs::remove_dir_all(work);
}

/// Copies the files that a directory walk finds. Returns their total size in bytes.
fn copy(from: &Path, to: &Path) -> u64 {
    let registry = Registry::builtin().expect("languages");
    let files = scan(from, &registry, u64::MAX).expect("scan").files;
    for entry in &files {
        let target = to.join(&entry.path);
        std::fs::create_dir_all(target.parent().expect("parent")).expect("directory");
        std::fs::copy(from.join(&entry.path), target).expect("copy");
    }
    files.iter().map(|f| f.stamp.size).sum()
}

/// Returns a file of typical size, the same in each run: the median by size among the files in
/// known languages.
fn ordinary(root: &Path, registry: &Registry) -> PathBuf {
    let mut files = scan(root, registry, 1 << 20).expect("scan").files;
    files.retain(|f| registry.detect(f.path.rsplit('/').next().unwrap_or_default()).is_some());
    files.sort_by_key(|f| f.stamp.size);
    root.join(&files[files.len() / 2].path)
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / (1 << 20) as f64
}
