//! What a check finds, as plain data.

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The parameters of a function changed, and calls that did not change no longer fit.
    Callers,
    /// A function lost its last caller.
    Dead,
    /// The documentation names a parameter that the function lost.
    StaleDoc,
    /// A new function does what another one does.
    Reuse,
    /// A question that somebody relies on has another answer.
    Questions,
}

impl Rule {
    /// Every rule, in the order in which findings are reported.
    pub const ALL: [Self; 5] = [Self::Callers, Self::Dead, Self::StaleDoc, Self::Reuse, Self::Questions];

    /// Its id: what settings, comments and reports call it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::Dead => "dead",
            Self::StaleDoc => "stale-doc",
            Self::Reuse => "reuse",
            Self::Questions => "questions",
        }
    }

    /// What it looks for, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Callers => "The parameters of a function changed, and calls that were not changed no longer fit",
            Self::Dead => "A function lost its last caller through this change",
            Self::StaleDoc => "The documentation names a parameter that the function lost through this change",
            Self::Reuse => "A new function does what another one does already",
            Self::Questions => "A question that is relied on has another answer",
        }
    }
}

/// A place in the working tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundPlace {
    /// Path from the root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The function there, with the names around its own; empty outside of functions.
    pub name: String,
    /// What is to be said of it; empty where the message says all.
    pub note: String,
}

/// One thing found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Rule,
    /// Where.
    pub place: FoundPlace,
    /// What, in one sentence without a full stop.
    pub message: String,
    /// Other places that it is about, in order.
    pub related: Vec<FoundPlace>,
}

impl Finding {
    /// What stays the same while lines move: for lists of findings that are known.
    pub fn fingerprint(&self) -> String {
        let parts = [self.rule.id(), &self.place.path, &self.place.name, &self.message];
        let related = self.related.iter().flat_map(|place| [&place.path[..], &place.name, &place.note]);
        let text: Vec<&str> = parts.into_iter().chain(related).collect();
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.join("\0").as_bytes()))
    }
}
