//! Definitions by their own name: a piece has the numbers of all its definitions in order of their names' hashes.
//!
//! Price:     writing: a hash and a sort by it, 5 ms for 50,000 definitions. Asking: a binary search in each piece; each step reads a
//!            row and its name, some fifteen of them
//! Checked:   `tests/totals.rs` against a look at every name

use super::graph_file::GraphFile;
use super::graph_rows::DefinitionRow;
use super::graph_section::GraphSection;
use super::piece::GraphPiece;
use crate::ids::DefinitionId;
use xxhash_rust::xxh3::xxh3_64;

/// The order of definitions by the hashes of their names, equal hashes by number; `strings` are those that the rows name.
pub(super) fn order_by_name(definitions: &[DefinitionRow], strings: &[u8]) -> Vec<u32> {
    let name = |row: &DefinitionRow| strings.get(row.name[0] as usize..)?.get(..row.name[1] as usize);
    let hash = |row: &DefinitionRow| xxh3_64(name(row).unwrap_or_default());
    let mut order: Vec<(u64, u32)> = definitions.iter().map(hash).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}

impl GraphPiece {
    /// The definition at a place in the order of names, and its name.
    fn in_order(&self, place: usize) -> (usize, &str) {
        let at = self.sections.item::<u32>(GraphSection::ByName, place) as usize;
        (at, self.sections.text(self.definition(at).name))
    }

    /// The definitions of a name, in order.
    fn named(&self, name: &str) -> impl Iterator<Item = usize> {
        let (count, wanted) = (self.sections.count(GraphSection::ByName), xxh3_64(name.as_bytes()));
        let (mut from, mut to) = (0, count);
        while from < to {
            let middle = from + (to - from) / 2;
            if xxh3_64(self.in_order(middle).1.as_bytes()) < wanted { from = middle + 1 } else { to = middle }
        }
        let alike = (from..count).map(|place| self.in_order(place));
        let alike = alike.take_while(move |(_, found)| xxh3_64(found.as_bytes()) == wanted);
        alike.filter(move |(_, found)| *found == name).map(|(at, _)| at)
    }
}

impl GraphFile {
    /// The definitions of a name, which is all that is between its separators; in order.
    pub fn named(&self, name: &str) -> Vec<DefinitionId> {
        let mut found = Vec::new();
        for piece in self.pieces() {
            for at in piece.named(name) {
                let there = piece.definition(at).file.index();
                let first = piece.definitions_of(there).start;
                let Some(mut all) = self.file_of(piece, there).map(|file| self.definitions_of(file)) else { continue };
                // Not `nth`, which steps over all before: a file may have as many definitions of one name as it has lines.
                let (place, count) = (at.saturating_sub(first), all.len());
                found.extend(all.next().filter(|_| place < count).map(|file| DefinitionId::new(file.index() + place)));
            }
        }
        found.sort_unstable();
        found
    }
}
