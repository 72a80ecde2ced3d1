//! Counts the replies of a model and what its server reports about them.

use serde::Serialize;
use std::ops::Sub;
use whichfn_llm::{Reply, Usage};

/// Counts of replies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplyCounts {
    /// Number of replies that were truncated, for any reason.
    pub cut: usize,
    /// Number of replies that were cut off because they repeated themselves.
    pub repeated: usize,
    /// Sum of what the server reported.
    pub server: ServerCounts,
}

/// Sum of the token counts and times that a server reported. Servers count with the tokenizer of
/// the model, so the counts differ from those of the program.
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; checked by
/// `tests/traces.rs`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ServerCounts {
    /// Number of replies with counts.
    pub replies: u64,
    /// Number of tokens in the prompts.
    pub prompt: u64,
    /// Number of these tokens that were in the server's cache.
    pub cached: u64,
    /// Number of tokens in the replies.
    pub output: u64,
    /// Milliseconds that the server read prompts; 0 if it does not report them.
    pub prompt_ms: u64,
    /// Milliseconds that the server wrote replies; 0 if it does not report them.
    pub output_ms: u64,
}

impl ServerCounts {
    /// Checks whether the server reported nothing.
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
    pub fn is_empty(&self) -> bool {
        self.replies == 0
    }
}

impl ReplyCounts {
    /// Adds a reply.
    pub fn add(&mut self, reply: &Reply) {
        self.cut += usize::from(reply.cut);
        self.repeated += usize::from(reply.repeats);
        if let Some(Usage { prompt, cached, output, prompt_ms, output_ms }) = reply.usage {
            let sum = &mut self.server;
            sum.replies += 1;
            sum.prompt += prompt;
            sum.cached += cached;
            sum.output += output;
            sum.prompt_ms += prompt_ms;
            sum.output_ms += output_ms;
        }
    }
}

impl Sub for ReplyCounts {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        let (server, before) = (self.server, earlier.server);
        Self {
            cut: self.cut - earlier.cut,
            repeated: self.repeated - earlier.repeated,
            server: ServerCounts {
                replies: server.replies - before.replies,
                prompt: server.prompt - before.prompt,
                cached: server.cached - before.cached,
                output: server.output - before.output,
                prompt_ms: server.prompt_ms - before.prompt_ms,
                output_ms: server.output_ms - before.output_ms,
            },
        }
    }
}

/// Number of replies with revisions, by how much of them could be used.
///
/// Its field names are keys of `trace` in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReplyQuality {
    /// Replies that consist of JSON and were used as a whole, including empty ones.
    pub valid: usize,
    /// Replies of which a part was used, or which are not exactly JSON.
    pub repaired: usize,
    /// Replies of which nothing could be used.
    pub rejected: usize,
}

impl ReplyQuality {
    /// Rates a reply. `used` and `refused` are the numbers of revisions and remarks that were
    /// accepted and rejected.
    pub fn of(reply: &str, used: usize, refused: usize) -> Self {
        let mut parts = serde_json::Deserializer::from_str(reply).into_iter::<serde::de::IgnoredAny>();
        let is_json = parts.all(|part| part.is_ok());
        let mut quality = Self::default();
        match (is_json && refused == 0, used > 0) {
            (true, _) => quality.valid = 1,
            (false, true) => quality.repaired = 1,
            (false, false) => quality.rejected = 1,
        }
        quality
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_replies_by_what_could_be_used() {
        let quality = |valid, repaired, rejected| ReplyQuality { valid, repaired, rejected };
        for (reply, used, refused, expected) in [
            ("", 0, 0, quality(1, 0, 0)),
            ("{\"path\": \"$.a\"}\n{\"more\": []}", 2, 0, quality(1, 0, 0)),
            ("{\"revisions\": []}", 0, 0, quality(1, 0, 0)),
            ("Here it is: {\"path\": \"$.a\"}", 1, 0, quality(0, 1, 0)),
            ("{\"path\": \"$.a\"}\n{\"path\": \"$.b\"}", 1, 1, quality(0, 1, 0)),
            ("I cannot.", 0, 1, quality(0, 0, 1)),
            ("{\"path\": \"$.b\"}", 0, 1, quality(0, 0, 1)),
        ] {
            assert_eq!(ReplyQuality::of(reply, used, refused), expected, "{reply}");
        }
    }

    #[test]
    fn sums_and_subtracts_what_the_server_reports() {
        let usage = Usage { prompt: 9, cached: 4, output: 2, prompt_ms: 20, output_ms: 30 };
        let reply = Reply { cut: true, repeats: true, usage: Some(usage), ..Reply::default() };
        let mut counts = ReplyCounts::default();
        counts.add(&reply);
        let before = counts;
        counts.add(&reply);
        assert_eq!((counts.cut, counts.repeated, counts.server.prompt), (2, 2, 18));
        assert_eq!(counts - before, before);
    }
}
