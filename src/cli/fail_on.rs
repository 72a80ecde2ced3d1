//! Which findings make the exit status 1.

use super::choices::name;
use super::settings::Severity;
use whichfn_system::error::{Error, Kind, Result};

/// Criteria for findings that make the exit status 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FailOn {
    severity: Option<Severity>,
    /// Names of rules or parts whose findings count at any severity.
    names: Vec<String>,
}

impl FailOn {
    /// Parses severities, `never` and names. Without words, findings of the default severity and
    /// above count.
    ///
    /// # Errors
    /// Returns an error for a word that is none of these.
    pub fn read(words: &[String], names: &[&str], default: Option<Severity>) -> Result<Self> {
        let mut read = Self { severity: default.filter(|_| words.is_empty()), names: Vec::new() };
        for word in words {
            let severity =
                [Severity::Note, Severity::Warning, Severity::Error].into_iter().find(|one| name(one) == *word);
            match severity {
                Some(one) => read.severity = Some(read.severity.map_or(one, |least| least.min(one))),
                None if word == "never" => {}
                None if names.contains(&word.as_str()) => read.names.push(word.clone()),
                None => return Err(unknown(word, names)),
            }
        }
        Ok(read)
    }

    /// Checks whether a finding of a rule or part fails the run.
    pub fn fails(&self, name: &str, severity: Severity) -> bool {
        self.names.iter().any(|one| one == name) || self.severity.is_some_and(|least| severity >= least)
    }
}

fn unknown(word: &str, names: &[&str]) -> Error {
    let next = format!("use note, warning, error, never, or one of: {}", names.join(", "));
    Error::new(Kind::Usage, format!("invalid value for --fail-on: {word}"), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_severity_includes_the_higher_ones_and_a_name_only_itself() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            FailOn::read(&words, &["dead", "callers"], Some(Severity::Warning))
        };
        let fails = |words: &[&str], name, severity| read(words).expect("known words").fails(name, severity);
        assert!(fails(&[], "dead", Severity::Warning) && !fails(&[], "dead", Severity::Note));
        assert!(fails(&["note"], "dead", Severity::Error));
        assert!(fails(&["dead"], "dead", Severity::Note) && !fails(&["dead"], "callers", Severity::Error));
        assert!(fails(&["error", "dead"], "callers", Severity::Error));
        assert!(!fails(&["never"], "callers", Severity::Error));
        assert!(read(&["nothing"]).is_err());
    }
}
