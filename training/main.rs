//! Makes the weights that ship with the program from a manifest of packages: `training/README.md`
//! is the tour.
//!
//! ```text
//! train check PACKAGES                 rejects packages that must not be used for learning
//! train pairs PACKAGES PAIRS           packages to pairs of documentation and code
//! train words PAIRS VECTORS WORDS      pairs to one vector for each word, starting from the
//!                                      vectors of `vectors.py`
//! train lists LISTS ROOT=SET.jsonl..   questions to lists of candidates with their features
//! train foreign LISTS ROOT=SET.jsonl   the same, with every third question sent to another one
//! train order LISTS ORDER [LISTS..]    lists to the weights of the learned order; the last ones
//!                                      are only judged
//! train trust LISTS FOREIGN ORDER      adds the weights of trust; two more lists, own and foreign,
//!                                      are only judged
//! train ablate LISTS [LISTS..]         worth of each signal
//! train curve LISTS [LISTS..]          gain from more questions
//! train evidence READ ROOT=SET.jsonl.. questions to the features that the offline reader finds in
//!                                      their first candidates
//! train judge READ JUDGE [READ..]      evidence to the order of a memory's candidates; the last
//!                                      ones are only judged
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program of its own

mod ablate;
mod check;
mod corpus;
mod curve;
mod evidence;
mod fit;
mod folds;
mod judge;
mod lists;
mod order;
mod start;
mod trust;
mod words;

use std::path::Path;
use whichfn::eval::SplitMix64;

/// Stack size of a thread in bytes.
const STACK: usize = 64 << 20;

fn main() {
    // Indexing is nested in questions, which are nested in sets: this needs more stack than the
    // default.
    rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global().expect("threads");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["check", packages] => check::check(Path::new(packages)),
        ["pairs", packages, out] => corpus::write(Path::new(packages), Path::new(out)),
        ["words", pairs, start, out] => words::train(Path::new(pairs), Path::new(start), Path::new(out)),
        ["lists", out, ref sets @ ..] => lists::dump(sets, false, Path::new(out)),
        ["foreign", out, ref sets @ ..] => lists::dump(sets, true, Path::new(out)),
        ["order", lists, out, ref apart @ ..] => order::train(Path::new(lists), apart, Path::new(out)),
        ["ablate", lists, ref apart @ ..] => ablate::ablate(Path::new(lists), apart),
        ["trust", own, foreign, out] => trust::train(Path::new(own), Path::new(foreign), None, Path::new(out)),
        ["trust", own, foreign, out, a, b] => {
            trust::train(Path::new(own), Path::new(foreign), Some((Path::new(a), Path::new(b))), Path::new(out));
        }
        ["curve", lists, ref apart @ ..] => curve::curve(Path::new(lists), apart),
        ["evidence", out, ref sets @ ..] => evidence::dump(sets, Path::new(out)),
        ["judge", read, out, ref apart @ ..] => judge::train(Path::new(read), apart, Path::new(out)),
        _ => {
            eprintln!("the commands stand at the top of training/main.rs");
            std::process::exit(2);
        }
    }
}

/// Returns a random number from 0 to 1, excluding 1.
fn chance(random: &mut SplitMix64) -> f32 {
    (random.draw() >> 40) as f32 / (1u64 << 24) as f32
}
