//! Creates the weights that ship with the program from a manifest of packages. `training/README.md`
//! describes each step.
//!
//! ```text
//! train check PACKAGES                 rejects packages that must not be used for learning
//! train pairs PACKAGES PAIRS           converts packages to pairs of documentation and code
//! train words PAIRS VECTORS WORDS      learns one vector per word from the pairs, starting with
//!                                      the vectors of `vectors.py`
//! train lists LISTS ROOT=SET.jsonl..   converts questions to lists of candidates with features
//! train foreign LISTS ROOT=SET.jsonl.. the same, for each question posed about another repository
//! train order LISTS ORDER [LISTS..]    learns the weights of the search order from the first
//!                                      lists; evaluates them on the others
//! train type-lists LISTS ROOT=SET.jsonl..
//!                                      the same as `lists`, with types as candidates
//! train type-order LISTS ORDER TYPES [LISTS..]
//!                                      learns the weights for types, starting with those in ORDER
//! train trust LISTS FOREIGN ORDER      adds the confidence weights; two more files, LISTS and
//!                                      FOREIGN, are only evaluated
//! train ablate LISTS [LISTS..]         measures the contribution of each signal
//! train curve LISTS [LISTS..]          measures the gain from more questions
//! train issues LISTS MIRRORS WORK N CASES
//!                                      converts the texts that `issues.py` derives from commits to
//!                                      lists, at most N for each repository
//! train issue-order LISTS ORDER        learns the weights of the order of issues
//! train evidence READ ROOT=SET.jsonl.. converts questions to the features that the offline reader
//!                                      finds in the top candidates
//! train reader-pairs PACKAGES PAIRS OUT
//!                                      converts packages to sequences of words, for `reader.py`
//! train reader-lists PAIRS OUT ROOT=SET.jsonl..
//!                                      converts questions to candidates with sequences of words
//! train judge READ JUDGE [READ..]      learns the order of a memory's candidates from the first
//!                                      file, and the probability that its first is right;
//!                                      evaluates both on the others
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program of its own

mod ablate;
mod check;
mod corpus;
mod curve;
mod evidence;
mod fit;
mod folds;
mod issues;
mod judge;
mod lists;
mod logistic;
mod order;
mod reader;
mod start;
mod trust;
mod words;

use std::path::Path;
use whichfn::eval::SplitMix64;
use whichfn_search::search::KindFilter;

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
        ["reader-pairs", packages, pairs, out] => {
            reader::pairs(Path::new(packages), Path::new(pairs), Path::new(out));
        }
        ["reader-lists", pairs, out, ref sets @ ..] => reader::lists(Path::new(pairs), Path::new(out), sets),
        ["words", pairs, start, out] => words::train(Path::new(pairs), Path::new(start), Path::new(out)),
        ["lists", out, ref sets @ ..] => lists::dump(sets, false, KindFilter::Function, Path::new(out)),
        ["foreign", out, ref sets @ ..] => lists::dump(sets, true, KindFilter::Function, Path::new(out)),
        ["type-lists", out, ref sets @ ..] => lists::dump(sets, false, KindFilter::Type, Path::new(out)),
        ["order", lists, out, ref apart @ ..] => order::train(Path::new(lists), apart, Path::new(out)),
        ["type-order", lists, order, out, ref apart @ ..] => {
            order::train_types(Path::new(lists), Path::new(order), apart, Path::new(out));
        }
        ["ablate", lists, ref apart @ ..] => ablate::ablate(Path::new(lists), apart),
        ["trust", own, foreign, out] => trust::train(Path::new(own), Path::new(foreign), None, Path::new(out)),
        ["trust", own, foreign, out, a, b] => {
            trust::train(Path::new(own), Path::new(foreign), Some((Path::new(a), Path::new(b))), Path::new(out));
        }
        ["issues", out, mirrors, work, most, cases] => {
            let most = most.parse().expect("a number of texts for each repository");
            issues::dump(Path::new(out), Path::new(mirrors), Path::new(work), most, Path::new(cases));
        }
        ["issue-order", lists, out] => issues::train(Path::new(lists), Path::new(out)),
        ["curve", lists, ref apart @ ..] => curve::curve(Path::new(lists), apart),
        ["evidence", out, ref sets @ ..] => evidence::dump(sets, Path::new(out)),
        ["judge", read, out, ref apart @ ..] => judge::train(Path::new(read), apart, Path::new(out)),
        _ => {
            eprintln!("unknown command: see the list at the top of training/main.rs");
            std::process::exit(2);
        }
    }
}

/// Returns a random number in the range from 0 to 1, excluding 1.
fn chance(random: &mut SplitMix64) -> f32 {
    (random.draw() >> 40) as f32 / (1u64 << 24) as f32
}
