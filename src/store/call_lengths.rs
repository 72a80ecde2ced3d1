//! Lengths of the fields that one definition has through calls.

use super::graph_file::GraphFile;
use super::totals::{CALL_FIELDS, led_to};
use crate::ids::DefinitionId;
use crate::parse::Field;

impl GraphFile {
    /// Words of a definition in the fields had through calls: O(the calls of its callers).
    pub fn call_field_lengths(&self, id: DefinitionId) -> [u32; CALL_FIELDS] {
        let mut words = [0; CALL_FIELDS];
        for &caller in self.callers(id).iter().filter(|&&caller| caller != id) {
            let times = led_to(caller, self.calls(caller)).filter(|&callee| callee == id).count() as u32;
            let own = self.lengths(caller);
            words[0] += times * u32::from(own[Field::Name as usize]);
            words[1] += times * u32::from(own[Field::Summary as usize]);
        }
        for callee in led_to(id, self.calls(id)) {
            words[2] += u32::from(self.lengths(callee)[Field::Summary as usize]);
        }
        words
    }
}
