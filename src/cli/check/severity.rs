//! Severity of findings, and which findings fail a run: the user decides, and the defaults come
//! from a judged sample (docs/check.md).

use super::rule_of;
use serde::Deserialize;
use whichfn_check::Rule;
use whichfn_system::error::{Error, Kind, Result};

/// Severity of a finding, from lowest to highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum Severity {
    /// The rule is disabled.
    Off,
    /// Worth a look.
    Note,
    /// Most likely needs a change.
    Warning,
    /// Most likely broken.
    Error,
}

impl Severity {
    /// Returns its name in settings, reports and SARIF.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The table `[check]` of `whichfn.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::cli) struct CheckSettings {
    callers: Option<Severity>,
    dead: Option<Severity>,
    stale_doc: Option<Severity>,
    reuse: Option<Severity>,
    questions: Option<Severity>,
    /// Path from the root to a file of questions with their answers.
    pub(super) question_file: Option<String>,
    fail_on: Option<Vec<String>>,
}

impl CheckSettings {
    /// Returns these settings, with missing values taken from `weaker`.
    pub fn or(self, weaker: Self) -> Self {
        Self {
            callers: self.callers.or(weaker.callers),
            dead: self.dead.or(weaker.dead),
            stale_doc: self.stale_doc.or(weaker.stale_doc),
            reuse: self.reuse.or(weaker.reuse),
            questions: self.questions.or(weaker.questions),
            question_file: self.question_file.or(weaker.question_file),
            fail_on: self.fail_on.or(weaker.fail_on),
        }
    }

    /// Returns the severity of a rule's findings.
    pub fn severity(&self, rule: Rule) -> Severity {
        match rule {
            Rule::Callers => self.callers.unwrap_or(Severity::Error),
            Rule::Dead => self.dead.unwrap_or(Severity::Note),
            Rule::StaleDoc => self.stale_doc.unwrap_or(Severity::Note),
            Rule::Reuse => self.reuse.unwrap_or(Severity::Off),
            Rule::Questions => self.questions.unwrap_or(Severity::Warning),
        }
    }
}

/// Criteria for findings that make the exit status 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FailOn {
    severity: Option<Severity>,
    rules: Vec<Rule>,
}

impl FailOn {
    /// Parses the words from the command line, else those from the settings; the default is a
    /// warning.
    pub fn read(typed: &[String], settings: &CheckSettings) -> Result<Self> {
        let set = settings.fail_on.as_deref().unwrap_or_default();
        let words = if typed.is_empty() { set } else { typed };
        let mut read = Self { severity: None, rules: Vec::new() };
        if words.is_empty() {
            return Ok(Self { severity: Some(Severity::Warning), ..read });
        }
        for word in words {
            let severity = [Severity::Note, Severity::Warning, Severity::Error].into_iter().find(|s| s.name() == word);
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
    fn a_severity_stands_for_all_above_it_and_a_rule_for_itself() {
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
