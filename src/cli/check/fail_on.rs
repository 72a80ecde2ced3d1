//! Which findings fail a run.

use super::rule_of;
use crate::cli::choices::name;
use crate::cli::settings::{CheckSettings, Severity};
use whichfn_check::Rule;
use whichfn_system::error::{Error, Kind, Result};

/// Criteria for findings that make the exit status 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FailOn {
    severity: Option<Severity>,
    rules: Vec<Rule>,
}

impl FailOn {
    /// Parses the words from the command line or, if there are none, from the settings. The default
    /// is a warning.
    pub fn read(typed: &[String], settings: &CheckSettings) -> Result<Self> {
        let set = settings.fail_on.as_deref().unwrap_or_default();
        let words = if typed.is_empty() { set } else { typed };
        let mut read = Self { severity: None, rules: Vec::new() };
        if words.is_empty() {
            return Ok(Self { severity: Some(Severity::Warning), ..read });
        }
        for word in words {
            let severity =
                [Severity::Note, Severity::Warning, Severity::Error].into_iter().find(|one| name(one) == *word);
            match severity {
                Some(one) => read.severity = Some(read.severity.map_or(one, |least| least.min(one))),
                None if word == "never" => {}
                None => read.rules.push(rule_of(word).map_err(|_| unknown(word))?),
            }
        }
        Ok(read)
    }

    /// Checks whether a finding fails the run.
    pub fn fails(&self, rule: Rule, severity: Severity) -> bool {
        self.rules.contains(&rule) || self.severity.is_some_and(|least| severity >= least)
    }
}

fn unknown(word: &str) -> Error {
    let rules = Rule::ALL.map(Rule::id).join(", ");
    let next = format!("use note, warning, error, never, or a rule: {rules}");
    Error::new(Kind::Usage, format!("invalid value for --fail-on: {word}"), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_severity_includes_the_higher_ones_and_a_rule_only_itself() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            FailOn::read(&words, &CheckSettings::default())
        };
        let fails = |words: &[&str], rule, severity| read(words).expect("known words").fails(rule, severity);
        assert!(fails(&[], Rule::Dead, Severity::Warning) && !fails(&[], Rule::Dead, Severity::Note));
        assert!(fails(&["note"], Rule::Dead, Severity::Error));
        assert!(fails(&["dead"], Rule::Dead, Severity::Note) && !fails(&["dead"], Rule::Callers, Severity::Error));
        assert!(fails(&["error", "dead"], Rule::Callers, Severity::Error));
        assert!(!fails(&["never"], Rule::Callers, Severity::Error));
        assert!(read(&["nothing"]).is_err());
    }
}
