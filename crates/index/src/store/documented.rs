//! Records which definitions have no documentation of their own and use the documentation of a
//! declaration elsewhere ([`whichfn_graph::declared`]).
//!
//! The file of the declaration contains the documentation and its words, and this module records
//! only which definitions use it. An edit to a header therefore rewrites only the header.
//!
//! **Cost:** a binary search among these definitions for each undocumented definition that is read.

use whichfn_syntax::parse::Field;

/// The fields that a definition inherits from its declaration.
pub(super) const TAKEN: [Field; 2] = [Field::Summary, Field::Doc];

/// Checks whether a definition has its own documentation, given its word counts by field.
pub(super) fn is_documented(lengths: &[u16; Field::COUNT]) -> bool {
    TAKEN.iter().any(|&field| lengths[field as usize] > 0)
}
