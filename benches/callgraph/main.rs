//! Compares the call edges of whichfn with true ones.
//!
//! ```text
//! cargo bench --bench callgraph -- PYCG/micro-benchmark/snippets [-v]
//! cargo bench --bench callgraph -- TREE TRUTH.json [-v]
//! ```
//!
//! The first form takes the small Python programs of PyCG, each with its call graph. The second
//! form compares the index of a directory with the calls that a compiler found there ([`truth`]
//! describes the file). `-v` also prints each edge that is wrong or missing.

#![allow(clippy::print_stdout)] // a program of its own
mod measure;
mod pycg;
mod truth;

use std::path::{Path, PathBuf};
use whichfn::engine::Engine;
use whichfn_index::index::{Options, Silent};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let verbose = arguments.iter().any(|a| a == "-v");
    let paths: Vec<PathBuf> = arguments.iter().filter(|a| *a != "-v").map(PathBuf::from).collect();
    match paths.as_slice() {
        [snippets] => pycg::compare(snippets, verbose),
        [tree, truth] => measure::compare(tree, truth, verbose),
        _ => println!(
            "callgraph: pass the folder micro-benchmark/snippets of github.com/vitsalis/PyCG, or a directory and its \
             true calls (see benches/records/README.md)"
        ),
    }
}

/// Indexes a directory from scratch.
fn open(directory: &Path) -> Engine {
    let index = std::env::temp_dir().join("whichfn-callgraph");
    let root = directory.canonicalize().expect("directory");
    Engine::open(&root, &index, &Options { force: true, ..Options::default() }, &Silent).expect("index")
}
