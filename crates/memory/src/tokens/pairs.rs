//! Splits a piece that is not itself a token by byte pair encoding (Sennrich et al. 2016). Joins
//! neighbours that form a token together until no two neighbours do: the token with the lowest
//! number first, and the leftmost of equal ones.
//!
//! - **Cost:** O(n log n) for n bytes, with a heap. A scan after each join would take O(n²), which
//!   means minutes for a long line.

use super::vocabulary::number_of;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No part begins at this offset, or there is no previous part.
const NONE: u32 = u32::MAX;

/// The parts of a piece.
struct Parts<'p> {
    piece: &'p [u8],
    /// End of the part that begins at each byte; [`NONE`] if no part begins there.
    ends: Vec<u32>,
    /// Start of the part before the part that begins at each byte.
    before: Vec<u32>,
    /// Neighbours that form a token: its number, and the offset of the left neighbour. Some entries
    /// are outdated.
    joins: BinaryHeap<Reverse<(u32, u32)>>,
}

/// Calls `token` with each token of a piece, in order.
pub(super) fn tokens_of(piece: &[u8], mut token: impl FnMut(u32)) {
    let mut parts = Parts::new(piece);
    while let Some(Reverse((number, at))) = parts.joins.pop() {
        parts.join(number, at);
    }
    let mut at = 0;
    while at < piece.len() {
        let end = parts.ends[at] as usize;
        // Every part is a token, because each single byte is one.
        number_of(&piece[at..end]).into_iter().for_each(&mut token);
        at = end;
    }
}

impl<'p> Parts<'p> {
    /// Creates one part for each byte.
    fn new(piece: &'p [u8]) -> Self {
        let bytes = piece.len() as u32;
        let before = (0..bytes).map(|at| at.wrapping_sub(1)).collect();
        let mut parts = Self { piece, ends: (1..=bytes).collect(), before, joins: BinaryHeap::new() };
        (0..bytes).for_each(|at| parts.note(at));
        parts
    }

    /// Returns the token that the part at `at` and the next part form, and the token's end.
    fn joined(&self, at: u32) -> Option<(u32, u32)> {
        let middle = *self.ends.get(at as usize).filter(|&&end| end != NONE)?;
        let end = *self.ends.get(middle as usize)?;
        number_of(&self.piece[at as usize..end as usize]).map(|number| (number, end))
    }

    fn note(&mut self, at: u32) {
        self.joins.extend(self.joined(at).map(|(number, _)| Reverse((number, at))));
    }

    /// Joins the part at `at` with the next part if they still form this token.
    fn join(&mut self, number: u32, at: u32) {
        let Some((_, end)) = self.joined(at).filter(|&(now, _)| now == number) else { return };
        let middle = std::mem::replace(&mut self.ends[at as usize], end);
        self.ends[middle as usize] = NONE;
        if let Some(before) = self.before.get_mut(end as usize) {
            *before = at;
        }
        self.note(at);
        let left = self.before[at as usize];
        if left != NONE {
            self.note(left);
        }
    }
}
