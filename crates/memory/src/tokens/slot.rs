//! Position of a token in the hash table of the vocabulary. `build.rs` fills the table by the same
//! rule.

/// Number of slots in the table: somewhat more than two per token, so that a failed look-up takes
/// 1.3 slots on average.
pub const SLOTS: usize = 1 << 19;

/// Returns the first slot of a token (FNV-1a). If it is occupied, the token is in the next free
/// one.
pub fn first_slot(token: &[u8]) -> usize {
    let hash = token
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash ^ (hash >> 32)) as usize % SLOTS
}
