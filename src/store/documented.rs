//! Definitions that have their documentation from a declaration elsewhere ([`crate::graph::declared`]): those that have none
//! of their own.
//!
//! The declaration's file has the text and its words; here is only who takes them. So an edit of a header writes the
//! header anew, and no other file.
//!
//! Price: a binary search among such definitions where one without documentation is looked at

use super::graph_file::GraphFile;
use super::graph_section::GraphSection;
use crate::ids::DefinitionId;
use crate::parse::Field;

/// The fields that are taken.
pub(super) const TAKEN: [Field; 2] = [Field::Summary, Field::Doc];

/// Whether a definition with so many words by field has documentation.
pub(super) fn is_documented(lengths: &[u16; Field::COUNT]) -> bool {
    TAKEN.iter().any(|&field| lengths[field as usize] > 0)
}

impl GraphFile {
    /// The declaration from which a definition has its documentation; none if it has its own, or nothing has any.
    pub fn documented_by(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.pairs_of(GraphSection::Documented, id).next()
    }

    /// The definitions that have their documentation from a declaration, in order.
    pub fn documents(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.pairs_of(GraphSection::Documenting, id)
    }

    fn pairs_of(&self, section: GraphSection, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        let pair = move |at| self.links.item::<[DefinitionId; 2]>(section, at);
        let count = self.links.count(section);
        let (mut from, mut to) = (0, count);
        while from < to {
            let middle = from + (to - from) / 2;
            if pair(middle)[0] < id { from = middle + 1 } else { to = middle }
        }
        (from..count).map(pair).take_while(move |pair| pair[0] == id).map(|pair| pair[1])
    }
}
