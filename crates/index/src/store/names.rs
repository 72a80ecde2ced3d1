//! Finds definitions by their own name: a piece contains the numbers of all its definitions sorted
//! by the hashes of their names.
//!
//! **Cost:** writing takes a hash and a sort by it, 5 ms for 50,000 definitions. A query is a
//! binary search in each piece; each of about fifteen steps reads a row and its name.
//!
//! **Tested by:** `tests/totals.rs` against a check of every name.

use super::graph_file::GraphFile;
use super::graph_rows::DefinitionRow;
use super::graph_section::GraphSection;
use super::piece::GraphPiece;
use whichfn_syntax::ids::DefinitionId;
use xxhash_rust::xxh3::xxh3_64;

/// Returns the definitions sorted by the hashes of their names, equal hashes by number; `strings`
/// contains the names of the rows.
pub(super) fn order_by_name(definitions: &[DefinitionRow], strings: &[u8]) -> Vec<u32> {
    let name = |row: &DefinitionRow| strings.get(row.name[0] as usize..)?.get(..row.name[1] as usize);
    let hash = |row: &DefinitionRow| xxh3_64(name(row).unwrap_or_default());
    let mut order: Vec<(u64, u32)> = definitions.iter().map(hash).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}

impl GraphPiece {
    /// Returns the definition at a position in the order of names, and its name.
    fn by_name(&self, place: usize) -> (usize, &str) {
        let at = self.sections.item::<u32>(GraphSection::ByName, place) as usize;
        (at, self.sections.text(self.definition(at).name))
    }

    /// Returns the definitions of a name, in order.
    fn named(&self, name: &str) -> impl Iterator<Item = usize> {
        let (count, wanted) = (self.sections.count(GraphSection::ByName), xxh3_64(name.as_bytes()));
        let (mut from, mut to) = (0, count);
        while from < to {
            let middle = from + (to - from) / 2;
            if xxh3_64(self.by_name(middle).1.as_bytes()) < wanted { from = middle + 1 } else { to = middle }
        }
        let alike = (from..count).map(|place| self.by_name(place));
        let alike = alike.take_while(move |(_, found)| xxh3_64(found.as_bytes()) == wanted);
        alike.filter(move |(_, found)| *found == name).map(|(at, _)| at)
    }
}

impl GraphFile {
    /// Returns the definitions of a name without separators, in order. Entries are left out, because
    /// their names are not names in the code.
    pub fn named(&self, name: &str) -> Vec<DefinitionId> {
        let mut found = Vec::new();
        for piece in self.pieces() {
            for at in piece.named(name) {
                let there = piece.definition(at).file.index();
                let first = piece.definitions_of(there).start;
                let Some(mut all) = self.file_of(piece, there).map(|file| self.definitions_of(file)) else { continue };
                // Not `nth`, which steps over all items before: a file may have as many definitions
                // of one name as it has lines.
                let (place, count) = (at.saturating_sub(first), all.len());
                if piece.definition(at).kind().is_registered() {
                    continue;
                }
                found.extend(all.next().filter(|_| place < count).map(|file| DefinitionId::new(file.index() + place)));
            }
        }
        found.sort_unstable();
        found
    }
}
