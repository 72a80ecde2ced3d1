//! Definitions that have their documentation from a declaration elsewhere ([`crate::graph::declared`]): those that have none
//! of their own.
//!
//! The declaration's file has the text and its words; here is only who takes them. So an edit of a header writes the
//! header anew, and no other file.
//!
//! Price: a binary search among such definitions where one without documentation is looked at

use crate::parse::Field;

/// The fields that are taken.
pub(super) const TAKEN: [Field; 2] = [Field::Summary, Field::Doc];

/// Whether a definition with so many words by field has documentation.
pub(super) fn is_documented(lengths: &[u16; Field::COUNT]) -> bool {
    TAKEN.iter().any(|&field| lengths[field as usize] > 0)
}
