//! Alternates between retrieval and completion: a model's guess at the next lines finds code that
//! the lines before the cursor do not name yet.
//!
//! **Implements:** RepoCoder (Zhang et al. 2023), iterative retrieval and generation; the first
//! lines of a guess, as many as one step of windows, are added to the next query.
//!
//! **Cost:** one model call for each retrieval after the first.
//!
//! **Differs from the paper:** the query keeps its lines before the cursor, and the guess is added
//! to them. The loop ends early if a guess is empty or a prompt equals the previous one, because
//! the result would be the same.

use super::query::{Context, Cursor};
use crate::reading::{PromptBudget, head, tail};
use serde_json::json;
use whichfn_llm::{Model, Request, Templates};
use whichfn_system::error::Result;

/// Number of lines of a guess that are added to the query.
const GUESSED_LINES: usize = 10;
/// Maximum number of tokens in a reply. This is many times the guessed lines, because some models
/// add explanations.
const REPLY_TOKENS: u32 = 512;
/// File name of the prompt template.
const TEMPLATE: &str = "complete.md";

/// One retrieval of an iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// Guess that was added to the query; `None` if there was no guess.
    pub draft: Option<String>,
    /// Number of fragments found.
    pub fragments: usize,
}

/// A model that completes code, and its inputs.
pub struct Completer<'a> {
    /// Model that completes the code.
    pub model: &'a dyn Model,
    /// Prompt templates of the model.
    pub templates: &'a Templates,
    /// Code around the cursor.
    pub cursor: &'a Cursor,
    /// Start of a comment in the language of the code.
    pub comment: &'a str,
}

impl Completer<'_> {
    /// Retrieves up to `times` times, but at least once. Each retrieval after the first uses the
    /// completion that the previous fragments led to.
    ///
    /// # Errors
    /// Returns an error if retrieval or the model fails.
    pub fn iterate(
        &self,
        times: usize,
        mut draft: Option<String>,
        retrieve: impl Fn(Option<String>) -> Result<Context>,
    ) -> Result<(Context, Vec<Iteration>)> {
        let mut context = retrieve(draft.clone())?;
        let mut done = vec![Iteration { draft, fragments: context.fragments.len() }];
        let mut previous_prompt = String::new();
        while done.len() < times {
            let budget = PromptBudget::new(self.model.context(), REPLY_TOKENS);
            let prompt = budget.fit(|bytes| self.prompt(&context, bytes))?;
            if prompt == previous_prompt {
                break;
            }
            draft = guess(&self.model.complete(&Request::limited(&prompt, budget.reply))?.text);
            if draft.is_none() {
                break;
            }
            previous_prompt = prompt;
            context = retrieve(draft.clone())?;
            done.push(Iteration { draft, fragments: context.fragments.len() });
        }
        Ok((context, done))
    }

    /// Returns the prompt with at most `bytes` bytes of code: half of them before the cursor, three
    /// eighths of fragments, and the rest after the cursor.
    fn prompt(&self, context: &Context, bytes: usize) -> Result<String> {
        let Cursor { before, after } = self.cursor;
        let (before, after) = (tail(before, bytes / 2), head(after, bytes / 8));
        let after = if after.trim().is_empty() { "" } else { after };
        let mut shown = context.clone();
        while !shown.fragments.is_empty() && shown.commented(self.comment).len() > bytes / 8 * 3 {
            shown.fragments.pop();
        }
        let fragments = shown.commented(self.comment);
        let values = json!({"path": context.file, "fragments": fragments, "before": before, "after": after});
        self.templates.render(TEMPLATE, values)
    }
}

/// Returns the first lines of the code in a reply, or `None` if the reply contains no code.
fn guess(reply: &str) -> Option<String> {
    let code = code(reply);
    let lines = code.lines().skip_while(|line| line.trim().is_empty()).take(GUESSED_LINES);
    let text = lines.collect::<Vec<_>>().join("\n");
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

/// Returns the content of the first fenced block in a reply, or the whole reply if it has none. The
/// model's reasoning before the answer is left out.
fn code(reply: &str) -> &str {
    let thought = reply.trim_start().strip_prefix("<think>");
    let answer = thought.map_or(reply, |thought| thought.split_once("</think>").map_or("", |(_, answer)| answer));
    let Some(open) = line_starting(answer, "```") else { return answer };
    let inside = answer[open..].split_once('\n').map_or("", |(_, inside)| inside);
    // A truncated reply has no closing fence.
    line_starting(inside, "```").map_or(inside, |close| &inside[..close])
}

/// Returns the offset of the first line that begins with `start`.
fn line_starting(text: &str, start: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(start) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extracts_the_code_of_a_reply() {
        for (reply, code) in [
            ("    return beta()\n", Some("    return beta()")),
            ("```python\nreturn beta()\n```\nThat is all.", Some("return beta()")),
            ("Here it is:\n\n```\n\n  a()\n  b()\n```\n```\nc()\n```", Some("  a()\n  b()")),
            ("```\ncut short", Some("cut short")),
            ("<think>\n```\nno\n```\n</think>\n\nyes()", Some("yes()")),
            ("<think>never done", None),
            ("say(\"a ``` b\")", Some("say(\"a ``` b\")")),
            ("```\n```", None),
            ("```", None),
            (" \n\n", None),
            ("", None),
        ] {
            assert_eq!(guess(reply).as_deref(), code, "{reply}");
        }
        assert_eq!(guess(&"line\n".repeat(50)).map(|code| code.lines().count()), Some(GUESSED_LINES));
    }
}
