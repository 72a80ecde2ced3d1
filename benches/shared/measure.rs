//! Measures times, and the floor with which they are compared.

use rayon::prelude::*;
use std::path::Path;
use std::time::Instant;
use whichfn_scan::{read, scan};
use whichfn_syntax::lang::Registry;

/// Runs the floor: reads the files under `root` and parses them with tree-sitter, with the same
/// threads, and does nothing else.
pub fn parse_all(root: &Path, registry: &Registry, max_size: u64) {
    let files = scan(root, registry, max_size).expect("scan").files;
    files
        .par_iter()
        .map_init(tree_sitter::Parser::new, |parser, entry| {
            let Ok(Ok(text)) = read(root, &entry.path) else { return 0 };
            let name = entry.path.rsplit('/').next().unwrap_or_default();
            let Some(id) = registry.detect(name) else { return 0 };
            parser.set_language(&registry.language(id).expect("language").parser).expect("parser");
            parser.parse(&text.text, None).map_or(0, |tree| tree.root_node().end_byte())
        })
        .sum::<usize>();
}

/// Returns the elapsed time of some work in milliseconds.
pub fn timed(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64() * 1e3
}

/// Returns the CPU time that some work takes on this thread, in milliseconds, or the elapsed time
/// if the system does not report CPU time.
#[allow(dead_code)] // not in every benchmark
pub fn cpu_ms(work: impl FnOnce()) -> f64 {
    let spent = || {
        // The file has the value of the last scheduler tick; yielding makes it current.
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    let (started, before) = (Instant::now(), spent());
    work();
    match (before, spent()) {
        (Some(before), Some(after)) => (after - before) / 1e6,
        _ => started.elapsed().as_secs_f64() * 1e3,
    }
}

/// Returns the median of the given values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
