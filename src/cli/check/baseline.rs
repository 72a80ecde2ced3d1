//! Known findings: a file that a team commits, so that only new findings fail. It has one finding
//! per line, identified by properties that do not change when lines move.

use std::collections::BTreeSet;
use std::path::Path;
use whichfn_check::Finding;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_regular, read_at_most};

const HEAD: &str = "# Findings that `whichfn check --baseline` leaves out. Written by --write-baseline.";
/// Maximum size in bytes of a baseline, enough for a million findings.
const LONGEST: u64 = 128 << 20;

/// A set of known findings.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeSet<String>,
}

impl Baseline {
    /// Reads a baseline, using the first word of each line.
    pub fn read(file: &Path) -> Result<Self> {
        let bytes = open_regular(file).and_then(|open| read_at_most(open, LONGEST));
        let bytes = bytes.map_err(|cause| Error::io(Kind::Usage, "read", file, &cause))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut known = BTreeSet::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
            let word = line.split_whitespace().next().unwrap_or_default();
            if word.len() != 16 || !word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                let what = format!("{}:{}: invalid line in the baseline", file.display(), number + 1);
                return Err(Error::new(Kind::Usage, what, "write the file again with --write-baseline FILE"));
            }
            known.insert(word.to_owned());
        }
        Ok(Self { known })
    }

    /// Checks whether a finding is known.
    pub fn has(&self, finding: &Finding) -> bool {
        self.known.contains(&finding.fingerprint())
    }

    /// Writes a baseline of these findings.
    pub fn write(file: &Path, findings: &[Finding]) -> Result<()> {
        let line = |finding: &Finding| {
            let text = format!("{} {} {}", finding.rule.id(), finding.location.path, finding.message);
            format!("{} {}\n", finding.fingerprint(), text.replace(['\n', '\r'], " "))
        };
        let text = format!("{HEAD}\n{}", findings.iter().map(line).collect::<String>());
        std::fs::write(file, text).map_err(|cause| Error::io(Kind::Path, "write", file, &cause))
    }
}
