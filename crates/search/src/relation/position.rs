//! The position relation: the distance between two fragments of one file.
//!
//! - **Implements:** FragRel, equation 10: w(i,j) = w_rel ^ |loc_i - loc_j|; fragments of different
//!   files are unrelated

use super::Relation;
use super::fragments::Fragments;
use whichfn_syntax::ids::FragmentId;

/// w_rel: the weight of the next fragment in the file. FragRel, appendix B.2.
pub const NEXT_WEIGHT: f64 = 0.3;

/// The position relation of a repository's fragments.
pub struct Position<'a> {
    fragments: &'a Fragments<'a>,
}

impl<'a> Position<'a> {
    /// Creates the relation. Positions are counted among the members.
    pub fn new(fragments: &'a Fragments<'a>) -> Self {
        Self { fragments }
    }
}

impl Relation for Position<'_> {
    fn row(&self, fragment: FragmentId) -> Vec<(FragmentId, f64)> {
        let file = self.fragments.of_file(self.fragments.file(fragment));
        let of_file: Vec<FragmentId> = file.filter(|&other| self.fragments.members[other]).collect();
        let Ok(own) = of_file.binary_search(&fragment) else { return Vec::new() };
        (0..)
            .zip(&of_file)
            .map(|(at, &other)| (other, NEXT_WEIGHT.powi(own as i32 - at).min(NEXT_WEIGHT.powi(at - own as i32))))
            .collect()
    }
}
