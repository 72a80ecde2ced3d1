//! The fields of a definition: where in it a word stands.

/// The part of a definition that a word is from. Each field has its own weight and length (see `search`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// The definition's own name.
    Name,
    /// Names of the definitions around it.
    Scope,
    /// The file's path.
    Path,
    /// Parameters and results, with their types.
    Parameters,
    /// Identifiers in its body.
    Body,
    /// Strings and comments in its body.
    Strings,
    /// The first sentence of its documentation.
    Summary,
    /// The rest of its documentation.
    Doc,
}

impl Field {
    /// How many fields there are.
    pub const COUNT: usize = 8;
    /// All fields, in the order of their number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Name, Self::Scope, Self::Path, Self::Parameters, Self::Body, Self::Strings, Self::Summary, Self::Doc];

    /// The word that people and JSON read.
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
