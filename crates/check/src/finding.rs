//! The rules of a check, and their findings as plain data.

/// A rule of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Finds calls that no longer match, because the parameters of a function changed.
    Callers,
    /// Finds references to types, values, modules and imports that the change removed.
    References,
    /// Finds calls that use a returned value as before, although it changed.
    Returns,
    /// Finds functions that lost their last caller.
    Dead,
    /// Finds documentation of parameters and exceptions that the change removed from a function.
    StaleDoc,
    /// Finds new functions that duplicate an existing function.
    Reuse,
    /// Finds saved questions that no longer have the expected answer.
    Questions,
}

impl Rule {
    /// All rules, in the order in which their findings are reported.
    pub const ALL: [Self; 7] =
        [Self::Callers, Self::References, Self::Returns, Self::Dead, Self::StaleDoc, Self::Reuse, Self::Questions];

    /// Returns the rule's id, which settings, comments and reports use.
    pub fn id(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::References => "references",
            Self::Returns => "returns",
            Self::Dead => "dead",
            Self::StaleDoc => "stale-doc",
            Self::Reuse => "reuse",
            Self::Questions => "questions",
        }
    }

    /// Checks whether the findings list the calls and references that the change left behind.
    pub fn lists_uses(self) -> bool {
        matches!(self, Self::Callers | Self::References | Self::Returns)
    }

    /// Returns a one-line description of what the rule reports.
    pub fn about(self) -> &'static str {
        match self {
            Self::Callers => "A function was removed or its parameters changed, and unmodified calls no longer match",
            Self::References => "A type, value or module was removed, and unmodified code still refers to it",
            Self::Returns => "The value of a function changed, and unmodified calls use it as before",
            Self::Dead => "The change removed the last caller of a function",
            Self::StaleDoc => "The documentation describes a parameter that the change removed",
            Self::Reuse => "A new function duplicates an existing one",
            Self::Questions => "A saved question no longer has the expected answer",
        }
    }
}

/// A location in the working tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingLocation {
    /// Path from the root.
    pub path: String,
    /// Line number, starting at 1.
    pub line: u32,
    /// Qualified name of the function at this location; empty outside functions.
    pub name: String,
    /// Remark on this location; empty if the finding's message is sufficient.
    pub note: String,
}

/// A problem that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Rule that reported the finding.
    pub rule: Rule,
    /// Location of the problem.
    pub location: FindingLocation,
    /// One-sentence description of the problem, without a full stop.
    pub message: String,
    /// Other locations that the finding concerns, sorted.
    pub related: Vec<FindingLocation>,
    /// True if the code is linked by name only, so the finding may concern another item of that
    /// name.
    pub is_guess: bool,
}

impl Finding {
    /// Returns a hash that does not change when lines move. Lists of known findings contain these
    /// hashes.
    pub fn fingerprint(&self) -> String {
        let parts = [self.rule.id(), &self.location.path, &self.location.name, &self.message];
        let related = self.related.iter().flat_map(|location| [&location.path[..], &location.name, &location.note]);
        let text: Vec<&str> = parts.into_iter().chain(related).collect();
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.join("\0").as_bytes()))
    }
}
