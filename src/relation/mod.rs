//! How strongly fragments are related, and what that makes of their scores (SPEC section 1).
//!
//! ```text
//! fragments ──┬─> exact      every pair, by Dijkstra over the whole structure graph: the reference
//!             ├─> structure  forest (tree paths: two passes) + walk (paths through calls: bounded search)
//!             ├─> position   how far apart in one file
//!             └─> semantic   cosine of embeddings
//! ```
//!
//! Paper:     FragRel, equations 4 to 11
//! **Never:** knows a question; scores come in as plain numbers.

mod directories;
mod exact;
mod forest;
mod fragments;
mod position;
mod semantic;
mod structure;
mod walk;

pub use exact::Exact;
pub use forest::Forest;
pub use fragments::{FragmentUnit, Fragments};
pub use position::Position;
pub use semantic::Semantic;
pub use structure::{FLOOR, Structure};
pub use walk::{Arrival, Place, Walk};

/// A weighted relation between the fragments of a repository: symmetric, in [0, 1].
pub trait Relation: Sync {
    /// What a fragment is related to, itself included, in order of fragment; a fragment left out has the weight 0.
    fn row(&self, fragment: u32) -> Vec<(u32, f64)>;

    /// The environment score of each wanted fragment: s_env(i) = sum over members j of w(i,j) s(j) / sum of w(i,j); 0
    /// where nothing is related. `scores` and `members` are by fragment; only members take part.
    fn environment(&self, scores: &[f64], members: &[bool], wanted: &[u32]) -> Vec<f64> {
        let mean = |&fragment: &u32| {
            let (mut above, mut below) = (0.0, 0.0);
            for (other, weight) in self.row(fragment) {
                if members[other as usize] {
                    above += weight * scores[other as usize];
                    below += weight;
                }
            }
            ratio(above, below)
        };
        wanted.iter().map(mean).collect()
    }
}

/// Fragments that have nothing to do with one another.
pub struct Unrelated;

impl Relation for Unrelated {
    fn row(&self, _: u32) -> Vec<(u32, f64)> {
        Vec::new()
    }
}

/// A mean of nothing is 0.
fn ratio(above: f64, below: f64) -> f64 {
    if below > 0.0 { above / below } else { 0.0 }
}
