//! A piece that is no token itself, cut by byte pair encoding (Sennrich et al. 2016): of all neighbours that make a token
//! together, those of the lowest number are joined first, the leftmost of several; until no two make one.
//!
//! Price:    O(n log n) for n bytes, by a heap; a scan after each join would take O(n²), minutes for a long line

use super::vocabulary::number_of;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No part begins here, or no part follows.
const NONE: u32 = u32::MAX;

/// The parts that a piece is cut into.
struct Parts<'p> {
    piece: &'p [u8],
    /// By first byte: where the part ends; [`NONE`] where none begins any more.
    ends: Vec<u32>,
    /// By first byte: where the part before begins.
    before: Vec<u32>,
    /// Neighbours that make a token: its number, and the first byte of the left one. Some are out of date.
    joins: BinaryHeap<Reverse<(u32, u32)>>,
}

/// Calls back with the tokens of a piece, in order.
pub(super) fn tokens_of(piece: &[u8], mut token: impl FnMut(u32)) {
    let mut parts = Parts::new(piece);
    while let Some(Reverse((number, at))) = parts.joins.pop() {
        parts.join(number, at);
    }
    let mut at = 0;
    while at < piece.len() {
        let end = parts.ends[at] as usize;
        // Each byte is a token, so each part is.
        number_of(&piece[at..end]).into_iter().for_each(&mut token);
        at = end;
    }
}

impl<'p> Parts<'p> {
    /// Each byte is a part.
    fn new(piece: &'p [u8]) -> Self {
        let bytes = piece.len() as u32;
        let before = (0..bytes).map(|at| at.wrapping_sub(1)).collect();
        let mut parts = Self { piece, ends: (1..=bytes).collect(), before, joins: BinaryHeap::new() };
        (0..bytes).for_each(|at| parts.note(at));
        parts
    }

    /// The token that the part at `at` and the one after it make together, and where it ends.
    fn joined(&self, at: u32) -> Option<(u32, u32)> {
        let middle = *self.ends.get(at as usize).filter(|&&end| end != NONE)?;
        let end = *self.ends.get(middle as usize)?;
        number_of(&self.piece[at as usize..end as usize]).map(|number| (number, end))
    }

    fn note(&mut self, at: u32) {
        self.joins.extend(self.joined(at).map(|(number, _)| Reverse((number, at))));
    }

    /// Joins the part at `at` with the one after it, if they still make this token.
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
