//! Limits the number of calls to a model, and the tokens and money that the calls cost.
//!
//! The budget is checked before each call, and a call that would exceed it is refused. The exact
//! cost of a call is known only when the call ends, so the last call may exceed the budget by the
//! cost of its reply. The prompts of concurrent calls count as well.
//!
//! Token counts come from the server. If the server reports none, four bytes count as a token.

use super::{Model, Reply, Request, Usage};
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use whichfn_system::error::{Error, Kind, Limit, Remedy, Result};
use whichfn_text::BYTES_PER_TOKEN;

/// Limits on the spending of one run. `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// Maximum number of calls, not counting the retries of a call.
    pub calls: Option<u64>,
    /// Maximum number of tokens in prompts and replies together.
    pub tokens: Option<u64>,
    /// Maximum cost in US dollars, computed from `price`.
    pub cost: Option<f64>,
    /// Prices of tokens. If all prices are zero, no cost is counted.
    pub price: Price,
}

/// Prices in US dollars per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Price {
    /// Price in US dollars per million prompt tokens.
    pub input: f64,
    /// Price in US dollars per million prompt tokens that were in the server's cache.
    pub cached: f64,
    /// Price in US dollars per million reply tokens.
    pub output: f64,
}

impl FromStr for Price {
    type Err = String;

    /// Parses `IN/OUT` or `IN/CACHED/OUT`.
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let wrong = || "use IN/OUT or IN/CACHED/OUT in US dollars per million tokens, such as 2.5/10".to_owned();
        let number = |part: &str| part.trim().parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
        let numbers: Vec<f64> = text.split('/').map(number).collect::<Option<_>>().ok_or_else(wrong)?;
        match numbers[..] {
            [input, output] => Ok(Self { input, cached: input, output }),
            [input, cached, output] => Ok(Self { input, cached, output }),
            _ => Err(wrong()),
        }
    }
}

/// The calls, tokens and money spent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spending {
    /// Number of calls begun, including failed ones.
    pub calls: u64,
    /// Number of tokens. If the server reports no count, four bytes count as a token.
    pub usage: Usage,
    /// Cost in US dollars, computed from [`Budget::price`].
    pub cost: f64,
}

impl Spending {
    fn tokens(&self) -> u64 {
        self.usage.prompt.saturating_add(self.usage.output)
    }

    /// Replaces the estimated usage of a call with its actual usage.
    fn correct(&mut self, guessed: Usage, used: Usage, price: Price) {
        let new = |sum: u64, less: u64, more: u64| sum.saturating_sub(less).saturating_add(more);
        self.usage = Usage {
            prompt: new(self.usage.prompt, guessed.prompt, used.prompt),
            cached: new(self.usage.cached, guessed.cached, used.cached),
            output: new(self.usage.output, guessed.output, used.output),
            prompt_ms: self.usage.prompt_ms.saturating_add(used.prompt_ms),
            output_ms: self.usage.output_ms.saturating_add(used.output_ms),
        };
        let fresh = self.usage.prompt.saturating_sub(self.usage.cached) as f64;
        let (cached, output) = (self.usage.cached as f64, self.usage.output as f64);
        self.cost = (fresh * price.input + cached * price.cached + output * price.output) / 1e6;
    }
}

impl fmt::Display for Spending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls, {} tokens", self.calls, self.tokens())?;
        if self.cost > 0.0 { write!(f, ", {:.4} USD", self.cost) } else { Ok(()) }
    }
}

/// A model that refuses calls beyond its budget with an error of kind [`Kind::Ceiling`].
#[derive(Debug)]
pub struct BudgetedModel<M> {
    model: M,
    budget: Budget,
    spent: Mutex<Spending>,
}

impl<M: Model> BudgetedModel<M> {
    /// Wraps a model so that calls beyond a budget are refused.
    pub fn new(model: M, budget: Budget) -> Self {
        Self { model, budget, spent: Mutex::default() }
    }

    /// Returns the spending so far. For calls that failed or are still running, only the prompt
    /// counts.
    pub fn spent(&self) -> Spending {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a new call with its estimated usage, or returns an error if it would exceed the
    /// budget.
    fn begin(&self, guess: Usage) -> Result<()> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut after = *spent;
        after.calls += 1;
        after.correct(Usage::default(), guess, self.budget.price);
        let Budget { calls, tokens, cost, .. } = self.budget;
        let reached = if calls.is_some_and(|most| after.calls > most) {
            Limit::Calls
        } else if tokens.is_some_and(|most| after.tokens() > most) {
            Limit::Tokens
        } else if cost.is_some_and(|most| after.cost > most) {
            Limit::Cost
        } else {
            *spent = after;
            return Ok(());
        };
        let what = format!(
            "the next call to {} would exceed the limit on {}; used so far: {}",
            self.model.name(),
            reached.name(),
            *spent
        );
        Err(Error::new(Kind::Ceiling, what, Remedy::Raise(reached)))
    }
}

impl<M: Model> Model for BudgetedModel<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn context(&self) -> Option<u32> {
        self.model.context()
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        let guess = Usage { prompt: tokens(request.prompt), ..Usage::default() };
        self.begin(guess)?;
        let reply = self.model.complete(request)?;
        let used = reply.usage.unwrap_or(Usage { output: tokens(&reply.text), ..guess });
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.correct(guess, used, self.budget.price);
        Ok(reply)
    }
}

fn tokens(text: &str) -> u64 {
    text.len().div_ceil(BYTES_PER_TOKEN) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that replies with eight bytes, and reports the usage if there is one.
    struct Eight(Option<Usage>);

    impl Model for Eight {
        fn name(&self) -> &str {
            "eight"
        }

        fn complete(&self, _: &Request<'_>) -> Result<Reply> {
            Ok(Reply { text: "12345678".to_owned(), usage: self.0, ..Reply::default() })
        }
    }

    /// Returns the number of successful calls with a prompt of 40 bytes (10 tokens), and the error
    /// after them.
    fn calls(usage: Option<Usage>, budget: Budget) -> (u64, Error) {
        let model = BudgetedModel::new(Eight(usage), budget);
        let prompt = "x".repeat(40);
        let mut through = 0;
        loop {
            match model.complete(&Request::new(&prompt)) {
                Ok(_) => through += 1,
                Err(error) => return (through, error),
            }
            assert!(through < 100, "no ceiling");
        }
    }

    #[test]
    fn limits_calls() {
        let (through, error) = calls(None, Budget { calls: Some(3), ..Budget::default() });
        assert_eq!((through, error.kind()), (3, Kind::Ceiling));
        assert!(error.what().contains("the limit on calls; used so far: 3 calls, 36 tokens"), "{error}");
        assert_eq!(calls(None, Budget { calls: Some(0), ..Budget::default() }).0, 0);
    }

    #[test]
    fn counts_tokens_by_the_server_or_by_four_bytes() {
        let budget = Budget { tokens: Some(34), ..Budget::default() };
        assert_eq!(calls(None, budget).0, 3, "12 tokens a call; the third begins at 24 + 10");
        let usage = Usage { prompt: 30, cached: 0, output: 1, ..Usage::default() };
        assert_eq!(calls(Some(usage), budget).0, 1);
    }

    #[test]
    fn limits_cost_by_price() {
        let price: Price = "2/1/10".parse().expect("price");
        let budget = Budget { cost: Some(0.0001), price, ..Budget::default() };
        let usage = Usage { prompt: 20, cached: 10, output: 2, ..Usage::default() };
        // A call costs 10 x 2 + 10 x 1 + 2 x 10 = 50 millionths, and begins with at least 20.
        let (through, error) = calls(Some(usage), budget);
        assert_eq!(through, 2);
        assert!(error.what().ends_with("used so far: 2 calls, 44 tokens, 0.0001 USD"), "{error}");
    }

    #[test]
    fn parses_prices_of_two_or_three_numbers() {
        let price = |text: &str| text.parse::<Price>();
        assert_eq!(price("2.5/10"), Ok(Price { input: 2.5, cached: 2.5, output: 10.0 }));
        assert_eq!(price("2.5 / 1.25 / 10"), Ok(Price { input: 2.5, cached: 1.25, output: 10.0 }));
        for wrong in ["", "1", "1/2/3/4", "a/b", "-1/2", "1/inf", "1/NaN"] {
            assert!(price(wrong).is_err(), "{wrong}");
        }
    }
}
