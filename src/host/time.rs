//! Formats times for programs and users.

use chrono::{DateTime, SecondsFormat, Utc};
use std::time::SystemTime;

/// Formats a time in UTC, to the second: `2026-01-31T09:05:00Z` (RFC 3339).
pub fn utc(moment: SystemTime) -> String {
    DateTime::<Utc>::from(moment).to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn formats_times_as_rfc_3339() {
        assert_eq!(utc(UNIX_EPOCH), "1970-01-01T00:00:00Z");
        assert_eq!(utc(UNIX_EPOCH + Duration::from_millis(1_769_850_300_999)), "2026-01-31T09:05:00Z");
    }
}
