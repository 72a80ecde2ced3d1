//! Definitions without documentation of their own, which use the documentation of a declaration
//! elsewhere ([`whichfn_graph::declared`]).
//!
//! The file of the declaration contains the text and its words; this module only records which
//! definitions use it. So an edit of a header rewrites the header and no other file.
//!
//! **Cost:** a binary search among such definitions for each definition without documentation that
//! is looked at.

use whichfn_syntax::parse::Field;

/// The fields that a definition takes from its declaration.
pub(super) const TAKEN: [Field; 2] = [Field::Summary, Field::Doc];

/// Checks whether a definition has documentation, given its number of words by field.
pub(super) fn is_documented(lengths: &[u16; Field::COUNT]) -> bool {
    TAKEN.iter().any(|&field| lengths[field as usize] > 0)
}
