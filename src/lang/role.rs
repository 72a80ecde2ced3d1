//! What a captured node is for: every capture of the `.scm` files is a [`Role`].
//!
//! The vocabulary is tree-sitter's own for code navigation (`@definition.function`, `@name`, `@doc`) plus ours; all
//! captures are listed in `queries/README.md`.

/// What a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum DefinitionKind {
    /// A free function, or a closure bound to a name.
    Function,
    /// A function of a type.
    Method,
    /// A class.
    Class,
    /// A struct, record or union.
    Struct,
    /// An enumeration.
    Enum,
    /// A trait.
    Trait,
    /// An interface or protocol.
    Interface,
    /// A type alias or another named type.
    Type,
    /// A macro.
    Macro,
    /// A file, or a named part of one: its top-level code.
    Module,
    /// A place that adds members to a type (`impl`, partial class); never a result.
    Extension,
    /// A function without a name; never a result.
    Anonymous,
    /// Lines of a file in no known language.
    Text,
    /// A documented function that is only declared here: its definition has its documentation from here. Never a result.
    Declaration,
}

impl DefinitionKind {
    /// Every kind, in the order of its number.
    pub const ALL: [Self; 14] = [
        Self::Function,
        Self::Method,
        Self::Class,
        Self::Struct,
        Self::Enum,
        Self::Trait,
        Self::Interface,
        Self::Type,
        Self::Macro,
        Self::Module,
        Self::Extension,
        Self::Anonymous,
        Self::Text,
        Self::Declaration,
    ];

    /// The kind of a stored number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Trait => "trait",
            Self::Interface => "interface",
            Self::Type => "type",
            Self::Macro => "macro",
            Self::Module => "module",
            Self::Extension => "extension",
            Self::Anonymous => "anonymous",
            Self::Text => "text",
            Self::Declaration => "declaration",
        }
    }

    /// Functions, methods and macros: what `--kind function` ranks.
    pub fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Macro)
    }

    /// What `--kind type` ranks.
    pub fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Struct | Self::Enum | Self::Trait | Self::Interface | Self::Type)
    }

    /// Whether names defined inside are its members.
    pub fn has_members(self) -> bool {
        self.is_type() || matches!(self, Self::Extension)
    }
}

/// What a captured node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The node of a definition.
    Definition(DefinitionKind),
    /// Its name; in a parameter, the parameter's name.
    Name,
    /// Its parameter list.
    Parameters,
    /// Its declared result.
    Returns,
    /// Its body.
    Body,
    /// A base type of it.
    Base,
    /// The type that an out-of-line method belongs to.
    Receiver,
    /// The name by which the body knows the object it is called on.
    SelfName,
    /// A node around a definition that belongs to its span.
    Wrapper,
    /// A function applied to the definition inside the wrapper.
    Decorator,
    /// A node that makes the definition around or after it a test.
    Test,
    /// One parameter.
    Parameter,
    /// The declared type of a parameter or target.
    Type,
    /// The default value of a parameter.
    Default,
    /// A call, its callee and arguments.
    Call,
    /// What is called.
    Callee,
    /// The node that holds the arguments.
    Arguments,
    /// What is assigned to; a name is declared here.
    Target,
    /// What is assigned to; a name was declared elsewhere.
    Assigned,
    /// What is assigned.
    Value,
    /// A parameter that is also a field of the type around (`constructor(private clock: Clock)`).
    Field,
    /// A value that a function returns.
    Return,
    /// An import.
    Import,
    /// The module path of an import.
    ImportPath,
    /// The imported name.
    ImportName,
    /// The name it has here.
    ImportAlias,
    /// Everything is imported.
    ImportAll,
    /// The name that a file gives to the package of its directory.
    Package,
    /// The documentation of a definition: inside its body, or the comment right before it.
    Doc,
    /// Documentation that also belongs to the definition after one blank line.
    DocSpaced,
    /// A plain comment that documents the private function right below it.
    DocNote,
    /// Used by a predicate only.
    Unused,
}

impl Role {
    /// The role of a capture by its name without the `@`; as in tree-sitter's own queries, a leading underscore marks one
    /// that is for predicates.
    pub(super) fn of(capture: &str) -> Option<Self> {
        if capture.starts_with('_') {
            return Some(Self::Unused);
        }
        ROLES.iter().find(|(name, _)| *name == capture).map(|&(_, role)| role)
    }

    /// Every capture that has a role, as it is written.
    pub(super) fn known() -> String {
        ROLES.iter().map(|(name, _)| format!("@{name}")).collect::<Vec<_>>().join(" ")
    }
}

const ROLES: &[(&str, Role)] = &[
    ("definition.function", Role::Definition(DefinitionKind::Function)),
    ("definition.method", Role::Definition(DefinitionKind::Method)),
    ("definition.class", Role::Definition(DefinitionKind::Class)),
    ("definition.struct", Role::Definition(DefinitionKind::Struct)),
    ("definition.enum", Role::Definition(DefinitionKind::Enum)),
    ("definition.trait", Role::Definition(DefinitionKind::Trait)),
    ("definition.interface", Role::Definition(DefinitionKind::Interface)),
    ("definition.type", Role::Definition(DefinitionKind::Type)),
    ("definition.macro", Role::Definition(DefinitionKind::Macro)),
    ("definition.module", Role::Definition(DefinitionKind::Module)),
    ("definition.extension", Role::Definition(DefinitionKind::Extension)),
    ("definition.anonymous", Role::Definition(DefinitionKind::Anonymous)),
    ("definition.declaration", Role::Definition(DefinitionKind::Declaration)),
    ("name", Role::Name),
    ("parameters", Role::Parameters),
    ("returns", Role::Returns),
    ("body", Role::Body),
    ("base", Role::Base),
    ("receiver", Role::Receiver),
    ("self", Role::SelfName),
    ("wrapper", Role::Wrapper),
    ("decorator", Role::Decorator),
    ("test", Role::Test),
    ("parameter", Role::Parameter),
    ("type", Role::Type),
    ("default", Role::Default),
    ("call", Role::Call),
    ("callee", Role::Callee),
    ("arguments", Role::Arguments),
    ("target", Role::Target),
    ("assigned", Role::Assigned),
    ("value", Role::Value),
    ("field", Role::Field),
    ("return", Role::Return),
    ("import", Role::Import),
    ("import.path", Role::ImportPath),
    ("import.name", Role::ImportName),
    ("import.alias", Role::ImportAlias),
    ("import.all", Role::ImportAll),
    ("package", Role::Package),
    ("doc", Role::Doc),
    ("doc.spaced", Role::DocSpaced),
    ("doc.note", Role::DocNote),
];
