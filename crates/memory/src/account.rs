//! Counts the cost of prompts if the part shared with the previous prompt need not be read again.
//!
//! **Implements:** PRISM, key-value caching: only the tokens of a prompt after the longest prefix
//! in common with the previous one are encoded; cost index = (net tokens encoded + 3 * tokens
//! decoded) / 1,000,000.
//!
//! **Cost:** counts the tokens after the common prefix, once for each step.

use super::tokens::{GrowingText, count_tokens};
use serde::Serialize;

/// Cost of a reply token, as a number of prompt tokens.
const OUTPUT: usize = 3;

/// The total cost of the prompts in a run, and the last prompt.
#[derive(Debug, Default)]
pub struct Account {
    last: GrowingText,
    total: PromptCost,
}

/// Cost of one prompt, or the total cost of several prompts, in tokens of [`count_tokens`].
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; checked by
/// `tests/traces.rs`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PromptCost {
    /// Number of tokens in the prompt.
    pub prompt: usize,
    /// Number of prompt tokens in the longest prefix in common with the previous prompt, which a
    /// server with a cache need not read again.
    pub shared: usize,
    /// Number of other prompt tokens: `prompt - shared`.
    pub net: usize,
    /// Number of tokens in the reply.
    pub output: usize,
}

impl PromptCost {
    /// Returns the cost index: millions of tokens encoded, where reply tokens count three times.
    pub fn cost_index(&self) -> f64 {
        (self.net + OUTPUT * self.output) as f64 / 1e6
    }

    /// Returns the share of the prompt that was cached, in [0, 1]; 0 if the prompt is empty.
    pub fn share(&self) -> f64 {
        self.shared as f64 / self.prompt.max(1) as f64
    }
}

impl Account {
    /// Adds a prompt, which follows the previous one in the same cache, and its reply.
    pub fn step(&mut self, prompt: &str, reply: &str) -> PromptCost {
        let ((prompt, shared), output) = (self.last.encode(prompt), count_tokens(reply));
        let step = PromptCost { prompt, shared, net: prompt - shared, output };
        self.total.prompt += step.prompt;
        self.total.shared += step.shared;
        self.total.net += step.net;
        self.total.output += step.output;
        step
    }

    /// Returns the total cost of all prompts.
    pub fn total(&self) -> PromptCost {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_tokens_after_the_common_prefix() {
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
    fn a_repeated_prompt_costs_nothing() {
        let mut account = Account::default();
        account.step("one two", "");
        assert_eq!(account.step("one two", "").net, 0);
        assert_eq!(Account::default().total().share(), 0.0);
    }
}
