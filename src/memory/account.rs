//! What prompts cost when what they share with the former prompt need not be read again.
//!
//! Paper:    PRISM, key-value caching: of a prompt only the tokens after the longest prefix in common with the former
//!           one are encoded; cost index = (net tokens encoded + 3 * tokens decoded) / 1,000,000
//! Price:    tokens of what follows the common prefix, once a step

use super::tokens::{GrowingText, count_tokens};
use serde::Serialize;

/// What a token of a reply costs, in tokens of a prompt.
const OUTPUT: usize = 3;

/// The sum over a run of prompts, and the last one.
#[derive(Debug, Default)]
pub struct Account {
    last: GrowingText,
    total: PromptCost,
}

/// What one prompt cost, or several together, in tokens of [`count_tokens`].
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; held by `tests/traces.rs`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PromptCost {
    /// Tokens of the prompt.
    pub prompt: usize,
    /// Of these, how many are in the longest prefix in common with the prompt before: a server with a cache need not
    /// read them again.
    pub shared: usize,
    /// The rest: `prompt - shared`.
    pub net: usize,
    /// Tokens of the reply.
    pub output: usize,
}

impl PromptCost {
    /// The cost index: millions of tokens read, those of replies threefold.
    pub fn cost_index(&self) -> f64 {
        (self.net + OUTPUT * self.output) as f64 / 1e6
    }

    /// The share of the prompt that was in the cache: 0 to 1, 0 for no prompt.
    pub fn share(&self) -> f64 {
        self.shared as f64 / self.prompt.max(1) as f64
    }
}

impl Account {
    /// Counts a prompt that follows the one before in the same cache, and its reply.
    pub fn step(&mut self, prompt: &str, reply: &str) -> PromptCost {
        let ((prompt, shared), output) = (self.last.encode(prompt), count_tokens(reply));
        let step = PromptCost { prompt, shared, net: prompt - shared, output };
        self.total.prompt += step.prompt;
        self.total.shared += step.shared;
        self.total.net += step.net;
        self.total.output += step.output;
        step
    }

    /// All prompts together.
    pub fn total(&self) -> PromptCost {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_after_the_common_prefix_is_paid() {
        let mut account = Account::default();
        let first = account.step("one two three four", "yes");
        assert_eq!(first, PromptCost { prompt: 4, shared: 0, net: 4, output: 1 });
        assert_eq!(
            account.step("one two three five six", "yes"),
            PromptCost { prompt: 5, shared: 3, net: 2, output: 1 }
        );
        assert_eq!(account.step("five two three", ""), PromptCost { prompt: 3, shared: 0, net: 3, output: 0 });
        let total = PromptCost { prompt: 12, shared: 3, net: 9, output: 2 };
        assert_eq!(account.total(), total);
        assert_eq!((total.share(), total.cost_index()), (0.25, 15e-6));
    }

    #[test]
    fn the_same_prompt_again_is_free() {
        let mut account = Account::default();
        account.step("one two", "");
        assert_eq!(account.step("one two", "").net, 0);
        assert_eq!(Account::default().total().share(), 0.0);
    }
}
