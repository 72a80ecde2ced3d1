//! Maps tokens to their numbers by a hash table that is generated at build time and used in place.

use super::slot::{SLOTS, first_slot};

/// All tokens concatenated, sorted by number.
static TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens"));
/// End of each token in [`TOKENS`].
static ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/token-ends"));
/// Number of the token in each slot, plus one; 0 for an empty slot.
static SLOT_TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/token-slots"));

/// Returns the number of a token; `None` if the vocabulary does not contain it.
pub(super) fn number_of(token: &[u8]) -> Option<u32> {
    let mut slot = first_slot(token);
    loop {
        let number = number_at(SLOT_TOKENS, slot).checked_sub(1)?;
        if token_at(number as usize) == token {
            return Some(number);
        }
        slot = (slot + 1) % SLOTS;
    }
}

fn token_at(number: usize) -> &'static [u8] {
    let start = if number == 0 { 0 } else { number_at(ENDS, number - 1) as usize };
    &TOKENS[start..number_at(ENDS, number) as usize]
}

/// Returns the number at index `at` of a table; 0 beyond its end.
pub(super) fn number_at(table: &[u8], at: usize) -> u32 {
    table.as_chunks().0.get(at).map_or(0, |&bytes| u32::from_le_bytes(bytes))
}
