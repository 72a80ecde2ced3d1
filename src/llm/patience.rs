//! How long to wait: for a reply, and before the next try.

use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The longest pause of our own.
const LONGEST: Duration = Duration::from_secs(20);
/// The longest pause that a server can ask for.
const OBEYED: Duration = Duration::from_secs(60);
/// A reply may take this many times the longest silence.
const WHOLE: u32 = 10;

/// How long to wait, and how often to ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// The longest silence: until the first piece of a reply, and between pieces. A whole reply may take ten times that.
    pub silence: Duration,
    /// How often to ask at most, from 1.
    pub tries: u32,
    /// The first pause between tries; each further one is twice as long, at most 20 seconds.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { silence: Duration::from_secs(120), tries: 4, pause: Duration::from_millis(500) }
    }
}

impl Patience {
    /// The longest that a whole reply may take.
    pub(super) fn whole(&self) -> Duration {
        self.silence.saturating_mul(WHOLE)
    }

    /// The pause after a failed try, from 1: what the server asks for, up to a minute, else a growing pause. It varies
    /// by a quarter, so that many who were refused at once do not come back at once; by the prompt, so that a run can
    /// be repeated.
    pub(super) fn pause_after(&self, tried: u32, asked: Option<Duration>, prompt: &str) -> Duration {
        if let Some(asked) = asked {
            return asked.min(OBEYED);
        }
        let doubled = self.pause.saturating_mul(1 << tried.saturating_sub(1).min(16)).min(LONGEST);
        let chance = xxh3_64_with_seed(prompt.as_bytes(), u64::from(tried)) as f64 / u64::MAX as f64;
        doubled.mul_f64(0.75 + 0.5 * chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_vary_by_prompt_and_repeat() {
        let patience = Patience::default();
        let pauses: Vec<f64> = (1..=8).map(|tried| patience.pause_after(tried, None, "a").as_secs_f64()).collect();
        for (doublings, pause) in pauses.iter().enumerate() {
            let plain = (0.5 * f64::powi(2.0, doublings as i32)).min(20.0);
            assert!((0.75 * plain..=1.25 * plain).contains(pause), "{pauses:?}");
        }
        assert_eq!(patience.pause_after(3, None, "a"), patience.pause_after(3, None, "a"));
        assert_ne!(patience.pause_after(3, None, "a"), patience.pause_after(3, None, "b"));
    }

    #[test]
    fn a_server_is_obeyed_up_to_a_minute() {
        let asked = |seconds| Patience::default().pause_after(1, Some(Duration::from_secs(seconds)), "a").as_secs();
        assert_eq!((asked(0), asked(7), asked(86_400)), (0, 7, 60));
    }
}
