//! Shortens the texts in a prompt, so that the prompt and its reply fit into the context window of
//! a model.
//!
//! **Cost:** nothing for a prompt that fits; otherwise about 20 renderings.

use super::window::{longest_reply, too_small, usable};
use whichfn_memory::count_tokens;
use whichfn_system::error::Result;
use whichfn_text::prefix;

/// Number of bytes below which a longer text is no longer worth another rendering.
const STEP: usize = 64;
/// A text gets at least this share of the bytes in a prompt, as a divisor.
const SMALLEST_SHARE: usize = 8;

/// Numbers of tokens for a prompt and its reply.
#[derive(Debug, Clone, Copy)]
pub struct PromptBudget {
    /// Number of tokens in the context window; `None` if it is unknown.
    context: Option<u32>,
    /// Maximum number of tokens in the reply.
    pub reply: u32,
}

impl PromptBudget {
    /// Divides a window of `context` tokens between a prompt and a reply of at most `reply` tokens.
    pub fn new(context: Option<u32>, reply: u32) -> Self {
        Self { context, reply: context.map_or(reply, |context| reply.min(longest_reply(context) as u32)) }
    }

    /// Returns the prompt with as much text as fits. `render` returns the prompt with texts of at
    /// most the given number of bytes in total; each text gets at least an eighth of it.
    ///
    /// # Errors
    /// Returns an error if not even the prompt without any text fits, or if `render` fails.
    pub fn fit(&self, render: impl Fn(usize) -> Result<String>) -> Result<String> {
        let whole = render(usize::MAX)?;
        let Some(context) = self.context else { return Ok(whole) };
        let most = usable(context).saturating_sub(self.reply as usize);
        if count_tokens(&whole) <= most {
            return Ok(whole);
        }
        let (mut fitting, mut fits, mut exceeds) = (render(0)?, 0, whole.len() * SMALLEST_SHARE);
        let fixed = count_tokens(&fitting);
        if fixed > most {
            return Err(too_small(context, fixed));
        }
        while exceeds - fits > STEP {
            let middle = fits + (exceeds - fits) / 2;
            let prompt = render(middle)?;
            if count_tokens(&prompt) <= most {
                (fitting, fits) = (prompt, middle);
            } else {
                exceeds = middle;
            }
        }
        Ok(fitting)
    }
}

/// Returns the leading lines of a string, with at most `most` bytes in total.
pub fn head(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let start = prefix(text, most);
    start.rfind('\n').map_or(start, |line| &text[..line])
}

/// Returns the last lines of a string, with at most `most` bytes in total.
pub fn tail(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    if start == 0 {
        return text;
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].find('\n').map_or(&text[start..], |line| &text[start + line + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_system::error::Remedy;

    /// Returns a prompt of three lines of text and a question.
    fn prompt(text: &str, bytes: usize) -> Result<String> {
        Ok(format!("Which line is it?\n{}", head(text, bytes)))
    }

    #[test]
    fn a_prompt_gets_as_much_text_as_fits() {
        let text = "one two three four\n".repeat(400);
        let tokens = |context| {
            let budget = PromptBudget::new(context, 100);
            count_tokens(&budget.fit(|bytes| prompt(&text, bytes)).expect("fits"))
        };
        let whole = tokens(None);
        assert_eq!(tokens(Some(128_000)), whole);
        let most = usable(1_400) - 100;
        assert!(tokens(Some(1_400)) <= most && tokens(Some(1_400)) > most - 2 * STEP, "{}", tokens(Some(1_400)));
    }

    #[test]
    fn a_reply_gets_at_most_a_share_of_the_window() {
        assert_eq!(PromptBudget::new(None, 512).reply, 512);
        assert_eq!(PromptBudget::new(Some(8_192), 512).reply, 512);
        assert!(PromptBudget::new(Some(1_024), 512).reply < 200);
    }

    #[test]
    fn a_window_that_is_smaller_than_the_prompt_is_an_error() {
        let fixed = "word ".repeat(500);
        let error = PromptBudget::new(Some(256), 100).fit(|_| Ok(fixed.clone())).expect_err("too small");
        assert_eq!(error.remedy(), &Remedy::WidenContext);
    }

    #[test]
    fn shortens_at_lines() {
        let text = "one\ntwo\nthr\u{e9}e";
        for (most, first, last) in [(99, text, text), (8, "one\ntwo", "thr\u{e9}e"), (2, "on", "e"), (0, "", "")] {
            assert_eq!((head(text, most), tail(text, most)), (first, last), "{most}");
        }
    }
}
