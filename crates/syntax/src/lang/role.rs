//! Maps the captures of the `.scm` files to roles: every capture is a [`Role`].
//!
//! The vocabulary is tree-sitter's own for code navigation (`@definition.function`, `@name`,
//! `@doc`) plus some additions; all captures are listed in `queries/README.md`.

/// The kind of a definition.
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
    /// A documented function that is only declared here and whose documentation applies to its
    /// definition; never a result.
    Declaration,
}

impl DefinitionKind {
    /// All kinds, sorted by number.
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

    /// Returns the kind of a stored number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Returns the name of the kind in text and JSON.
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

    /// Checks whether `--kind function` ranks this kind: functions, methods and macros.
    pub fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Macro)
    }

    /// Checks whether `--kind type` ranks this kind.
    pub fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Struct | Self::Enum | Self::Trait | Self::Interface | Self::Type)
    }

    /// Checks whether names defined inside are its members.
    pub fn has_members(self) -> bool {
        self.is_type() || matches!(self, Self::Extension)
    }
}

/// The role of a captured node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The node of a definition.
    Definition(DefinitionKind),
    /// Name of the definition; in a parameter, the parameter's name.
    Name,
    /// Parameter list of the definition.
    Parameters,
    /// Declared result of the definition.
    Returns,
    /// Body of the definition.
    Body,
    /// A base type of the definition.
    Base,
    /// The type that an out-of-line method belongs to.
    Receiver,
    /// The name that the body uses for the object on which it is called.
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
    /// A call, with its callee and arguments.
    Call,
    /// The callee of a call.
    Callee,
    /// The node that contains the arguments.
    Arguments,
    /// The target of an assignment that declares a name.
    Target,
    /// The target of an assignment to a name that was declared elsewhere.
    Assigned,
    /// The assigned value.
    Value,
    /// A parameter that is also a field of the enclosing type (`constructor(private clock:
    /// Clock)`).
    Field,
    /// A value that a function returns.
    Return,
    /// An import.
    Import,
    /// The module path of an import.
    ImportPath,
    /// The imported name.
    ImportName,
    /// The local name of an import.
    ImportAlias,
    /// Marks an import of everything.
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
    /// Returns the role of a capture, given its name without the `@`. As in tree-sitter's own
    /// queries, a leading underscore marks a capture that is only for predicates.
    pub(super) fn from_capture(capture: &str) -> Option<Self> {
        if capture.starts_with('_') {
            return Some(Self::Unused);
        }
        ROLES.iter().find(|(name, _)| *name == capture).map(|&(_, role)| role)
    }

    /// Returns every capture that has a role, as it is written in queries.
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
