//! Divides the context window of a model among the parts of a prompt and the reply.
//!
//! **Cost:** the smaller the window, the smaller are the chunks, and the more prompts are needed.

use super::chunk::CHUNK_TOKENS;
use super::reader::LONGEST_NOTES;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Number of tokens that a model may need for ten tokens of `count_tokens`. The tokenizers of small
/// models split code into more tokens; 12 were measured (`benches/records/README.md`).
const TOKENS_FOR_TEN: usize = 14;
/// Smallest share of the window that is reserved for the memory, as a divisor.
const MEMORY_SHARE: usize = 8;
/// Largest share of the window that is reserved for a reply, as a divisor.
const REPLY_SHARE: usize = 4;

/// Sizes of the parts of a prompt and of the reply, in tokens of `count_tokens`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowShares {
    /// Maximum number of tokens in a chunk.
    pub chunk: usize,
    /// Maximum number of tokens in the memory, above which it is compressed; `None` for no limit.
    pub memory: Option<usize>,
    /// Maximum number of tokens in a reply.
    pub reply: usize,
}

impl WindowShares {
    /// Divides a window of `context` tokens. `wanted` has the sizes that the user requested or that
    /// are usual, and `fixed` is the number of tokens in the rest of the prompt. A model without a
    /// known window gets what is wanted.
    ///
    /// # Errors
    /// Returns an error if not even the smallest chunk fits.
    pub fn fit(context: Option<u32>, wanted: Self, fixed: usize) -> Result<Self> {
        let Some(context) = context else { return Ok(wanted) };
        let tokens = usable(context);
        let reply = wanted.reply.min(longest_reply(context));
        let memory = wanted.memory.unwrap_or(usize::MAX).min(tokens / MEMORY_SHARE);
        let left = tokens.saturating_sub(fixed + reply);
        let chunk = wanted.chunk.min(left.saturating_sub(memory));
        if chunk < *CHUNK_TOKENS.start() {
            return Err(too_small(context, fixed));
        }
        Ok(Self { chunk, memory: Some(wanted.memory.unwrap_or(usize::MAX).min(left - chunk)), reply })
    }

    /// Returns the sizes that a reading has without a limit of the window.
    pub fn wanted(chunk: usize, memory: Option<usize>) -> Self {
        Self { chunk, memory, reply: LONGEST_NOTES }
    }
}

/// Returns the number of tokens of `count_tokens` that a window of `context` tokens holds in any
/// case.
pub(super) fn usable(context: u32) -> usize {
    context as usize * 10 / TOKENS_FOR_TEN
}

/// Returns the maximum number of tokens in a reply of a model with this window.
pub(super) fn longest_reply(context: u32) -> usize {
    usable(context) / REPLY_SHARE
}

/// Returns the error for a window that is too small for a prompt with `fixed` tokens besides its
/// text.
pub(super) fn too_small(context: u32, fixed: usize) -> Error {
    let what = format!(
        "the model's context window of {context} tokens is too small: the prompt without any text has {fixed}, and the \
         reply and the notes need room as well"
    );
    Error::new(Kind::Model, what, Remedy::WidenContext)
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: WindowShares = WindowShares { chunk: 2_000, memory: None, reply: LONGEST_NOTES };

    #[test]
    fn an_unknown_or_large_window_changes_nothing() {
        assert_eq!(WindowShares::fit(None, USUAL, 700).expect("fits"), USUAL);
        let large = WindowShares::fit(Some(128_000), USUAL, 700).expect("fits");
        assert_eq!((large.chunk, large.reply), (2_000, LONGEST_NOTES));
        assert!(large.memory > Some(80_000));
    }

    #[test]
    fn all_parts_fit_into_any_window() {
        for context in [2_048, 3_000, 4_096, 8_192, 16_384, 32_768] {
            for memory in [None, Some(500)] {
                let shares = WindowShares::fit(Some(context), WindowShares { memory, ..USUAL }, 700).expect("fits");
                let all = 700 + shares.chunk + shares.reply + shares.memory.expect("a limit");
                assert!(all * TOKENS_FOR_TEN / 10 <= context as usize, "{context}: {shares:?}");
                assert!(memory.is_none_or(|most| shares.memory <= Some(most)), "{shares:?}");
            }
        }
    }

    #[test]
    fn a_window_without_room_for_a_chunk_is_an_error() {
        let error = WindowShares::fit(Some(1_024), USUAL, 700).expect_err("an error");
        assert_eq!(error.remedy(), &Remedy::WidenContext);
        assert!(error.what().contains("1024 tokens is too small"), "{error}");
    }
}
