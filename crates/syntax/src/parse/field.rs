//! The fields of a definition, that is, the parts in which its words appear.

/// Part of a definition in which words appear. Each field has its own weight and length in the
/// ranking (see `search`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// The name of the definition.
    Name,
    /// The names of the enclosing definitions.
    Scope,
    /// The path of the file.
    Path,
    /// The parameters and results, with their types.
    Parameters,
    /// The identifiers in the body.
    Body,
    /// The strings and comments in the body.
    Strings,
    /// The first sentence of the documentation.
    Summary,
    /// The rest of the documentation.
    Doc,
}

impl Field {
    /// Number of fields.
    pub const COUNT: usize = 8;
    /// All fields, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Name, Self::Scope, Self::Path, Self::Parameters, Self::Body, Self::Strings, Self::Summary, Self::Doc];

    /// Returns the field's name for users and JSON output.
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
