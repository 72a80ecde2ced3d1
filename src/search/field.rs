//! The fields of a definition's document: those stored in the index, and those had through call edges.

use crate::parse::Field;

/// A field of a definition's document: the stored ones first, in the order of [`Field`], then those had through calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum DocumentField {
    /// Its own name.
    Name,
    /// Names of the definitions around it.
    Scope,
    /// Its file's path.
    Path,
    /// Its parameters and results, with their types.
    Parameters,
    /// Identifiers in its body.
    Body,
    /// Strings and comments in its body.
    Strings,
    /// The first sentence of its documentation.
    Summary,
    /// The rest of its documentation.
    Doc,
    /// Names of the functions that call this one.
    CallerNames,
    /// First doc sentences of the functions that call this one.
    CallerDocs,
    /// First doc sentences of the functions that this one calls.
    CalleeDocs,
}

impl DocumentField {
    /// How many there are.
    pub const COUNT: usize = 11;
    /// All, in the order of their number.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Name,
        Self::Scope,
        Self::Path,
        Self::Parameters,
        Self::Body,
        Self::Strings,
        Self::Summary,
        Self::Doc,
        Self::CallerNames,
        Self::CallerDocs,
        Self::CalleeDocs,
    ];

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::CallerNames => "caller",
            Self::CallerDocs => "caller doc",
            Self::CalleeDocs => "callee doc",
            stored => Field::ALL[stored as usize].name(),
        }
    }

    /// Whether the words are the definition's own.
    pub fn is_own(self) -> bool {
        (self as usize) < Field::COUNT
    }
}
