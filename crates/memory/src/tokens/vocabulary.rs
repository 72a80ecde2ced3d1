//! Maps tokens to their numbers by a hash table.
//!
//! `examples/vocabulary.rs` makes `data/o200k_base.bin`, which contains the following, compressed:
//!
//! ```text
//! number of tokens: u32
//! numbers of the sorted tokens: their low bytes | their middle bytes | their high bytes
//! for each sorted token: length of the prefix that it shares with the one before it: u8 |
//!                        length of the rest: u8 | rest
//! ```

use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// The vocabulary of `o200k_base`.
static PACKED: &[u8] = include_bytes!("../../data/o200k_base.bin");

type Numbers = FxHashMap<&'static [u8], u32>;

/// Returns the number of a token; `None` if the vocabulary does not contain it.
pub(super) fn number_of(token: &[u8]) -> Option<u32> {
    // A test reads the vocabulary, so a build with a damaged one is not released.
    static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| read(PACKED).unwrap_or_default());
    NUMBERS.get(token).copied()
}

/// Unpacks a vocabulary; `None` if it is damaged. Its tokens are never freed.
fn read(packed: &[u8]) -> Option<Numbers> {
    let bytes = lz4_flex::block::decompress_size_prepended(packed).ok()?;
    let (count, rest) = bytes.split_first_chunk()?;
    let count = u32::from_le_bytes(*count) as usize;
    let (numbers, mut entries) = rest.split_at_checked(count.checked_mul(3)?)?;
    let (mut tokens, mut ranges) = (Vec::new(), Vec::<Range<usize>>::with_capacity(count));
    while let [shared, length, next @ ..] = entries {
        let (rest, next) = next.split_at_checked(usize::from(*length))?;
        let (previous, start) = (ranges.last().map_or(0, |range| range.start), tokens.len());
        let prefix = previous..previous + usize::from(*shared);
        if prefix.end > start {
            return None;
        }
        tokens.extend_from_within(prefix);
        tokens.extend_from_slice(rest);
        ranges.push(start..tokens.len());
        entries = next;
    }
    let tokens: &'static [u8] = tokens.leak();
    let number = |at: usize| u32::from_le_bytes([numbers[at], numbers[count + at], numbers[2 * count + at], 0]);
    let tokens = ranges.into_iter().map(|range| &tokens[range]).enumerate();
    (tokens.len() == count).then(|| tokens.map(|(at, token)| (token, number(at))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_vocabulary_is_complete() {
        let numbers = read(PACKED).expect("a vocabulary");
        assert_eq!(numbers.len(), 199_998);
        assert!((0..=255).all(|byte| numbers.contains_key(&[byte][..])));
        assert!(numbers.values().all(|&number| number < 199_998));
    }

    #[test]
    fn rejects_other_bytes() {
        assert!(read(b"").is_none());
        assert!(read(&PACKED[..PACKED.len() / 2]).is_none());
    }
}
