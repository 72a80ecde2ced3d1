//! Retrieve, complete, retrieve again: what a model guesses comes next finds what the code before the cursor does not
//! name yet.
//!
//! Paper:    RepoCoder (Zhang et al. 2023), iterative retrieval and generation; the first lines of a guess, one step of
//!           windows, join the next query
//! Price:    one call of the model for each retrieval after the first
//! Departs:  the query keeps its lines before the cursor, the guess is added to them; and the loop ends early when a
//!           guess is empty or the prompt is the one before: what came next would be the same

use super::query::{Context, Cursor};
use crate::error::Result;
use crate::llm::{Model, Request, Templates};
use serde_json::json;

/// Lines of a guess that are looked for.
const GUESSED_LINES: usize = 10;
/// Tokens of a reply: the guessed lines many times over, as some models explain them.
const REPLY_TOKENS: u32 = 1_024;
/// The prompt.
const TEMPLATE: &str = "complete.md";

/// One retrieval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// The guess that joined the query.
    pub draft: Option<String>,
    /// Fragments found.
    pub fragments: usize,
}

/// Who completes, and how it is asked.
pub struct Completer<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// Its prompts.
    pub templates: &'a Templates,
    /// The code around the cursor.
    pub cursor: &'a Cursor,
    /// What begins a comment in that code.
    pub comment: &'a str,
}

impl Completer<'_> {
    /// Retrieves up to `times` times, from 1, each time with the completion that what was found before leads to.
    ///
    /// # Errors
    /// When retrieval or the model fails.
    pub fn iterate(
        &self,
        times: usize,
        mut draft: Option<String>,
        retrieve: impl Fn(Option<String>) -> Result<Context>,
    ) -> Result<(Context, Vec<Iteration>)> {
        let mut context = retrieve(draft.clone())?;
        let mut done = vec![Iteration { draft, fragments: context.fragments.len() }];
        let mut asked = String::new();
        while done.len() < times {
            let prompt = self.prompt(&context)?;
            if prompt == asked {
                break;
            }
            draft = guess(&self.model.complete(&Request::limited(&prompt, REPLY_TOKENS))?.text);
            if draft.is_none() {
                break;
            }
            asked = prompt;
            context = retrieve(draft.clone())?;
            done.push(Iteration { draft, fragments: context.fragments.len() });
        }
        Ok((context, done))
    }

    fn prompt(&self, context: &Context) -> Result<String> {
        let Cursor { before, after } = self.cursor;
        let after = if after.trim().is_empty() { "" } else { after };
        let fragments = context.commented(self.comment);
        let values = json!({"path": context.file, "fragments": fragments, "before": before, "after": after});
        self.templates.render(TEMPLATE, values)
    }
}

/// The first lines of the code in a reply; none if it holds none.
fn guess(reply: &str) -> Option<String> {
    let code = code(reply);
    let lines = code.lines().skip_while(|line| line.trim().is_empty()).take(GUESSED_LINES);
    let text = lines.collect::<Vec<_>>().join("\n");
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

/// What stands in the first fence of a reply, or all of it; without what the model thought aloud before.
fn code(reply: &str) -> &str {
    let thought = reply.trim_start().strip_prefix("<think>");
    let said = thought.map_or(reply, |thought| thought.split_once("</think>").map_or("", |(_, said)| said));
    let Some(open) = line_starting(said, "```") else { return said };
    let inside = said[open..].split_once('\n').map_or("", |(_, inside)| inside);
    // A reply that was cut has no end of its fence.
    line_starting(inside, "```").map_or(inside, |close| &inside[..close])
}

/// Where the first line begins that starts so.
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
    fn a_guess_is_the_code_of_a_reply() {
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
