//! Where a token stands in the hash table of the vocabulary; `build.rs` fills the table by the same rule.

/// How many slots the table has: two for each token and some, so that a miss is found after 1.3 slots on average.
pub const SLOTS: usize = 1 << 19;

/// The first slot that a token may stand in (FNV-1a); the next free one after it, if others came before.
pub fn first_slot(token: &[u8]) -> usize {
    let hash = token
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash ^ (hash >> 32)) as usize % SLOTS
}
