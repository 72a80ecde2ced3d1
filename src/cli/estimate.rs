//! Estimates how long work still takes. An estimate that keeps changing is not shown, because it
//! says nothing.

use std::time::Duration;

/// Time between two samples.
const INTERVAL: Duration = Duration::from_millis(500);
/// Number of samples that must agree: those of five seconds.
const SAMPLES: usize = 10;
/// Maximum factor between the smallest and the largest of them.
const AGREEMENT: f64 = 1.25;

/// The durations of the whole work that were expected at the last samples, in seconds.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    expected: Vec<f64>,
    next: Duration,
}

impl Estimate {
    /// Adds a sample, and returns the remaining time in words; `None` while the samples disagree.
    pub fn left(&mut self, elapsed: Duration, done: u64, total: u64) -> Option<String> {
        if elapsed >= self.next && done > 0 {
            self.next = elapsed + INTERVAL;
            if self.expected.len() == SAMPLES {
                self.expected.remove(0);
            }
            self.expected.push(elapsed.as_secs_f64() * total as f64 / done as f64);
        }
        let least = self.expected.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.expected.iter().copied().fold(0.0, f64::max);
        let is_stable = self.expected.len() == SAMPLES && most <= least * AGREEMENT;
        is_stable.then(|| in_words(most - elapsed.as_secs_f64()))
    }
}

/// Rounds up to steps that do not change all the time.
fn in_words(seconds: f64) -> String {
    match seconds {
        ..10.0 => "a few seconds left".to_owned(),
        ..50.0 => format!("about {:.0} s left", (seconds / 10.0).ceil() * 10.0),
        _ => format!("about {:.0} min left", (seconds / 60.0).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the estimates of work of which `done` returns the part that is finished, second by
    /// second.
    fn estimates(seconds: u64, done: impl Fn(f64) -> f64) -> Vec<Option<String>> {
        let mut estimate = Estimate::default();
        let at = |step: u64| step as f64 / 4.0;
        (0..seconds * 4)
            .map(|step| estimate.left(Duration::from_secs_f64(at(step)), (done(at(step)) * 1e9) as u64, 1_000_000_000))
            .collect()
    }

    #[test]
    fn steady_work_counts_down() {
        let shown = estimates(100, |at| at / 100.0);
        assert_eq!(shown[..18].iter().flatten().count(), 0, "not from the first seconds");
        let mut words: Vec<&str> = shown.iter().flatten().map(String::as_str).collect();
        words.dedup();
        let first = ["about 2 min left", "about 1 min left", "about 50 s left", "about 40 s left", "about 30 s left"];
        assert_eq!(words[..5], first);
        assert_eq!(words.last(), Some(&"a few seconds left"));
    }

    #[test]
    fn work_that_slows_down_has_no_estimate() {
        assert_eq!(estimates(30, |at| 0.1 * at.sqrt()).iter().take(40).flatten().count(), 0);
    }
}
