//! Findings of a check, as plain data.

/// A rule of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Finds calls that no longer fit, because the parameters of a function changed.
    Callers,
    /// Finds functions that lost their last caller.
    Dead,
    /// Finds documentation that names a parameter that the function lost.
    StaleDoc,
    /// Finds new functions that do what another one does.
    Reuse,
    /// Finds expected questions whose answer changed.
    Questions,
}

impl Rule {
    /// Every rule, in the order in which findings are reported.
    pub const ALL: [Self; 5] = [Self::Callers, Self::Dead, Self::StaleDoc, Self::Reuse, Self::Questions];

    /// Returns the id of the rule, used in settings, comments and reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::Dead => "dead",
            Self::StaleDoc => "stale-doc",
            Self::Reuse => "reuse",
            Self::Questions => "questions",
        }
    }

    /// Returns a one-line description of what the rule finds.
    pub fn about(self) -> &'static str {
        match self {
            Self::Callers => "The parameters of a function changed, and unchanged calls no longer match",
            Self::Dead => "The change removed the last caller of a function",
            Self::StaleDoc => "The documentation describes a parameter that the change removed",
            Self::Reuse => "A new function duplicates an existing one",
            Self::Questions => "A saved question no longer has the expected answer",
        }
    }
}

/// A place in the working tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingLocation {
    /// Path from the root.
    pub path: String,
    /// Line number, from 1.
    pub line: u32,
    /// Qualified name of the function at this place; empty outside of functions.
    pub name: String,
    /// Remark on this place; empty if the message is sufficient.
    pub note: String,
}

/// A finding of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Rule that reported it.
    pub rule: Rule,
    /// Place of the finding.
    pub location: FindingLocation,
    /// Description in one sentence, without a full stop.
    pub message: String,
    /// Other places that the finding concerns, sorted.
    pub related: Vec<FindingLocation>,
}

impl Finding {
    /// Returns a hash that does not change when lines move, used in lists of known findings.
    pub fn fingerprint(&self) -> String {
        let parts = [self.rule.id(), &self.location.path, &self.location.name, &self.message];
        let related = self.related.iter().flat_map(|location| [&location.path[..], &location.name, &location.note]);
        let text: Vec<&str> = parts.into_iter().chain(related).collect();
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.join("\0").as_bytes()))
    }
}
