//! Lists of definitions: all walks over the graph return this shape.

use super::location::DefinitionLocation;

/// Definitions that are linked with a definition, as a tree; a list is a tree with one level. `L`
/// describes the link between a definition and the one above it.
#[derive(Debug, Clone, Default)]
pub struct Tree<L> {
    /// Number of definitions on the first level, including those that are not shown.
    pub direct: usize,
    /// Definitions on the first level that are shown.
    pub branches: Vec<Branch<L>>,
    /// Number of definitions on any level that are not shown.
    pub left_out: usize,
    /// Number of definitions that the filter does not accept.
    pub filtered: usize,
    /// Number of uses of a definition without callers; 0 if they were not counted.
    pub uses: usize,
    /// True if calls are missing, because some are not linked.
    pub lacks_calls: bool,
    /// See [`Sources::notices`](whichfn_index::source::Sources::notices).
    pub notices: Vec<String>,
}

impl<L> Tree<L> {
    /// Returns the number of definitions on all levels, including those that are not shown.
    pub fn total(&self) -> usize {
        fn shown<L>(branches: &[Branch<L>]) -> usize {
            branches.iter().map(|branch| 1 + shown(&branch.branches)).sum()
        }
        shown(&self.branches) + self.left_out
    }
}

/// A definition in a [`Tree`].
#[derive(Debug, Clone)]
pub struct Branch<L> {
    /// Definition with its position.
    pub location: DefinitionLocation,
    /// Link between it and the definition above it.
    pub link: L,
    /// Definitions below it.
    pub branches: Vec<Branch<L>>,
    /// Number of definitions directly below it that are not shown.
    pub left_out: usize,
}

impl<L> Branch<L> {
    /// Creates a definition with nothing below it.
    pub(super) fn new(location: DefinitionLocation, link: L) -> Self {
        Self { location, link, branches: Vec::new(), left_out: 0 }
    }
}

/// Puts each definition below the one above it: 0 for the first level, `n` for the definition at
/// position `n - 1`, which precedes it.
pub(super) fn nested<L>(flat: Vec<(usize, Branch<L>)>) -> Vec<Branch<L>> {
    let mut below: Vec<Vec<Branch<L>>> = flat.iter().map(|_| Vec::new()).chain([Vec::new()]).collect();
    // From the last level up, so that each definition is complete before it is moved.
    for (at, (above, mut branch)) in flat.into_iter().enumerate().rev() {
        branch.branches = std::mem::take(&mut below[at + 1]);
        branch.branches.reverse();
        below[above].push(branch);
    }
    below.swap_remove(0).into_iter().rev().collect()
}
