//! Defines how long to wait for a model and how often to retry: all time-outs and retries of this
//! module.
//!
//! **Cost:** with the defaults, 2 minutes for the first word of a reply, 20 for all tries together,
//! and 4 seconds of pauses between 4 tries (up to 2 minutes if the server requests more).

use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Default of [`RetryPolicy::idle_timeout`]; the help of `--llm-timeout` names it.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum time for connecting to a server, and for resolving its address; never longer than the
/// idle time-out.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time to wait for the output of a command that has ended: a process that it left running
/// may keep the pipe open.
pub(super) const PIPE_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum duration of a whole reply, in idle time-outs.
const TOTAL_FACTOR: u32 = 10;
/// Longest pause between tries if the server requests none.
const MAX_BACKOFF: Duration = Duration::from_secs(20);
/// Longest pause that a server (`retry-after`) can request.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Time-outs and retries of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Longest silence: until the first piece of a reply, between pieces, and in all pauses between
    /// tries. A whole request with all its tries may take ten times as long. A command, which is
    /// not read piece by piece, must end within this time.
    pub idle_timeout: Duration,
    /// Maximum number of tries, including the first one; at least 1. A try that timed out is not
    /// repeated, and neither is a command.
    pub max_tries: u32,
    /// Pause before the second try; each further pause is twice as long, up to 20 seconds.
    pub backoff: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { idle_timeout: IDLE_TIMEOUT, max_tries: 4, backoff: Duration::from_millis(500) }
    }
}

impl RetryPolicy {
    /// Policy for a request that only completes an error message, such as which models a server
    /// has: 3 seconds, one try.
    pub const IMPATIENT: Self = Self { idle_timeout: Duration::from_secs(3), max_tries: 1, backoff: Duration::ZERO };

    /// Returns the maximum time for connecting.
    pub(super) fn connect_timeout(&self) -> Duration {
        CONNECT_TIMEOUT.min(self.idle_timeout)
    }

    /// Returns the maximum time for a whole request, with all its tries and pauses.
    pub(super) fn total_timeout(&self) -> Duration {
        self.idle_timeout.saturating_mul(TOTAL_FACTOR)
    }

    /// Returns the pause after `failed` failed tries (from 1): the pause that the server requests,
    /// up to a minute, or exponential backoff.
    ///
    /// The pause varies by a quarter, so that many clients that were refused at once do not return
    /// at once. The variation is a hash of the prompt, so that a run can be repeated.
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
