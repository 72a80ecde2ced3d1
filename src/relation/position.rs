//! The position relation: how far apart two fragments of one file stand.
//!
//! Paper:     FragRel, equation 10: w(i,j) = w_rel ^ |loc_i - loc_j|; fragments of different files are unrelated

use super::Relation;
use super::fragments::Fragments;

/// FragRel, appendix B.2.
pub const STEP: f64 = 0.3;

/// The position relation of those fragments that take part.
pub struct Position<'a> {
    fragments: &'a Fragments<'a>,
    members: &'a [bool],
}

impl<'a> Position<'a> {
    /// Over the members among all fragments: places are counted among them.
    pub fn new(fragments: &'a Fragments<'a>, members: &'a [bool]) -> Self {
        Self { fragments, members }
    }
}

impl Relation for Position<'_> {
    fn row(&self, fragment: u32) -> Vec<(u32, f64)> {
        let file = self.fragments.of_file(self.fragments.file(fragment));
        let of_file: Vec<u32> = file.filter(|&other| self.members[other as usize]).collect();
        let Ok(own) = of_file.binary_search(&fragment) else { return Vec::new() };
        (0..)
            .zip(&of_file)
            .map(|(at, &other)| (other, STEP.powi(own as i32 - at).min(STEP.powi(at - own as i32))))
            .collect()
    }
}
