//! Defines all timeouts and retries of this crate: how long to wait for a model, and how often to
//! try again.
//!
//! **Cost:** with the defaults, up to 2 minutes for the first word of a reply, up to 20 minutes for
//! all attempts together, and 4 seconds of pauses between 4 attempts (up to 2 minutes if the server
//! requests longer pauses).

use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Default of [`RetryPolicy::idle_timeout`]. The help text of `--llm-timeout` mentions this value.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum time for resolving a server's address, and for connecting to the server. The idle
/// timeout applies if it is shorter.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time to wait for the output of a command that has exited. A process that the command
/// left running may keep the pipe open.
pub(super) const PIPE_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum duration of a whole request, as a multiple of the idle timeout.
const TOTAL_FACTOR: u32 = 10;
/// Longest pause between two attempts if the server requests none.
const MAX_BACKOFF: Duration = Duration::from_secs(20);
/// Longest pause that a server can request with `retry-after`.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Timeouts and retries of a request to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Longest silence: before the first piece of a reply, between two pieces, and in all pauses
    /// between attempts together. A whole request, with all attempts and pauses, may take ten times
    /// as long. A command, whose output is not read piece by piece, must exit within this time.
    pub idle_timeout: Duration,
    /// Maximum number of attempts, at least 1. An attempt that timed out is not repeated, and
    /// neither is a command.
    pub max_tries: u32,
    /// Pause before the second attempt. Each later pause is twice as long as the one before, up to
    /// 20 seconds.
    pub backoff: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { idle_timeout: IDLE_TIMEOUT, max_tries: 4, backoff: Duration::from_millis(500) }
    }
}

impl RetryPolicy {
    /// Policy for a request that only adds detail to an error message, such as the server's list of
    /// models: 3 seconds, one attempt.
    pub const IMPATIENT: Self = Self { idle_timeout: Duration::from_secs(3), max_tries: 1, backoff: Duration::ZERO };

    /// Returns the maximum time for connecting to a server.
    pub(super) fn connect_timeout(&self) -> Duration {
        CONNECT_TIMEOUT.min(self.idle_timeout)
    }

    /// Returns the maximum time for a whole request, including all attempts and pauses.
    pub(super) fn total_timeout(&self) -> Duration {
        self.idle_timeout.saturating_mul(TOTAL_FACTOR)
    }

    /// Returns the pause after a number of failed attempts (at least 1): the pause that the server
    /// requests, limited to a minute, or else an exponential backoff.
    ///
    /// The backoff varies by a quarter, so that many clients that were refused at the same time do
    /// not all return at the same time. The variation is a hash of the prompt, so that a run can be
    /// repeated exactly.
    pub(super) fn pause_after(&self, failed: u32, retry_after: Option<Duration>, prompt: &str) -> Duration {
        if let Some(requested) = retry_after {
            return requested.min(MAX_RETRY_AFTER);
        }
        let doubled = self.backoff.saturating_mul(1 << failed.saturating_sub(1).min(16)).min(MAX_BACKOFF);
        let chance = xxh3_64_with_seed(prompt.as_bytes(), u64::from(failed)) as f64 / u64::MAX as f64;
        doubled.mul_f64(0.75 + 0.5 * chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_depend_only_on_the_prompt() {
        let retry = RetryPolicy::default();
        let pauses: Vec<f64> = (1..=8).map(|tried| retry.pause_after(tried, None, "a").as_secs_f64()).collect();
        for (doublings, pause) in pauses.iter().enumerate() {
            let plain = (0.5 * f64::powi(2.0, doublings as i32)).min(20.0);
            assert!((0.75 * plain..=1.25 * plain).contains(pause), "{pauses:?}");
        }
        assert_eq!(retry.pause_after(3, None, "a"), retry.pause_after(3, None, "a"));
        assert_ne!(retry.pause_after(3, None, "a"), retry.pause_after(3, None, "b"));
    }

    #[test]
    fn respects_retry_after_up_to_a_minute() {
        let pause = |seconds| RetryPolicy::default().pause_after(1, Some(Duration::from_secs(seconds)), "a").as_secs();
        assert_eq!((pause(0), pause(7), pause(86_400)), (0, 7, 60));
    }
}
