//! Tokens to their numbers: a hash table made when the program is built, used where it lies.

use super::slot::{SLOTS, first_slot};

/// All tokens, end to end, in order of number.
static TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens"));
/// Where each token ends in [`TOKENS`].
static ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/token-ends"));
/// By slot: the number of a token plus one; 0 where none is.
static SLOT_TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/token-slots"));

/// The number of a token; none if the vocabulary does not hold it.
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

/// The `at`-th number of a table.
pub(super) fn number_at(table: &[u8], at: usize) -> u32 {
    table.as_chunks().0.get(at).map_or(0, |&bytes| u32::from_le_bytes(bytes))
}
