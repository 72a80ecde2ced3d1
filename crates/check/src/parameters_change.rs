//! The parameters of a function before and after a change.

use super::finding::FindingLocation;
use super::fit::{Arguments, fits, new_mismatch};
use super::head::ParameterList;

/// The parameters of a function before and after the change. Overloads have several lists.
pub(super) struct ParametersChange {
    pub old: Vec<ParameterList>,
    pub new: Vec<ParameterList>,
}

impl ParametersChange {
    pub fn single(old: ParameterList, new: ParameterList) -> Self {
        Self { old: vec![old], new: vec![new] }
    }

    /// Checks whether several functions share the name.
    pub fn is_of_overloads(&self) -> bool {
        self.old.len().max(self.new.len()) > 1
    }

    /// Describes why a call no longer matches any of the lists.
    pub fn mismatch(&self, call: &Arguments) -> Option<String> {
        match (&self.old[..], &self.new[..]) {
            ([old], [new]) => new_mismatch(call, old, new),
            (old, new) => {
                let was = old.iter().find(|list| fits(call, list))?;
                let mismatches = new.iter().map(|list| new_mismatch(call, was, list)).collect::<Option<Vec<_>>>()?;
                // The message is about the one that the change added in place of the old one.
                let at = new.iter().position(|list| !old.contains(list)).unwrap_or_default();
                mismatches.into_iter().nth(at)
            }
        }
    }
}

/// A call that no longer matches.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Misfit {
    pub location: FindingLocation,
    /// True if the call is linked by name only.
    pub is_guess: bool,
}
