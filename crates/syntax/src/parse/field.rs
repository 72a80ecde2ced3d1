//! Fields of a definition: the parts in which its words appear.

/// The part of a definition that contains a word. Each field has its own weight and length (see
/// `search`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// Own name of the definition.
    Name,
    /// Names of the enclosing definitions.
    Scope,
    /// Path of the file.
    Path,
    /// Parameters and results, with their types.
    Parameters,
    /// Identifiers in its body.
    Body,
    /// Strings and comments in its body.
    Strings,
    /// First sentence of its documentation.
    Summary,
    /// Rest of its documentation.
    Doc,
}

impl Field {
    /// Number of fields.
    pub const COUNT: usize = 8;
    /// All fields, sorted by number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Name, Self::Scope, Self::Path, Self::Parameters, Self::Body, Self::Strings, Self::Summary, Self::Doc];

    /// Returns the name of the field for users and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Scope => "scope",
            Self::Path => "path",
            Self::Parameters => "parameter",
            Self::Body => "body",
            Self::Strings => "string",
            Self::Summary => "summary",
            Self::Doc => "doc",
        }
    }
}
