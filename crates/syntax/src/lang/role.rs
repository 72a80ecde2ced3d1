//! Maps the captures in the `.scm` files to roles. Every capture has a [`Role`].
//!
//! The names are tree-sitter's own for code navigation (`@definition.function`, `@name`, `@doc`),
//! with some additions. `queries/README.md` lists all captures.

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum DefinitionKind {
    /// A free function, or a closure bound to a name.
    Function,
    /// A function that belongs to a type.
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
    /// A type alias or any other named type.
    Type,
    /// A macro.
    Macro,
    /// A file or a named part of one, with its top-level code.
    Module,
    /// A location that adds members to a type (`impl`, partial class). It is never a result.
    Extension,
    /// A function without a name. It is never a result.
    Anonymous,
    /// A range of lines in a file without a known language.
    Text,
    /// A function that is only declared here, with documentation that applies to its definition
    /// elsewhere. It is never a result.
    Declaration,
    /// A route or command that the file registers with a framework. A search by words never finds
    /// it.
    Entry,
    /// A prefix for entries, which may be in other files: the object that they are registered on, or
    /// the place at which such an object gets its prefix. It is never a result.
    Mount,
}

impl DefinitionKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 16] = [
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
        Self::Entry,
        Self::Mount,
    ];

    /// Returns the kind with the given number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Returns the kind's name in text and JSON output.
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
            Self::Entry => "entry",
            Self::Mount => "mount",
        }
    }

    /// Checks whether `--kind function` includes this kind: functions, methods and macros.
    pub fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Macro)
    }

    /// Checks whether `--kind type` includes this kind.
    pub fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Struct | Self::Enum | Self::Trait | Self::Interface | Self::Type)
    }

    /// Checks whether a definition of this kind is registered with a framework. It has no words and
    /// no name in the code.
    pub fn is_registered(self) -> bool {
        matches!(self, Self::Entry | Self::Mount)
    }

    /// Checks whether names that are defined inside a definition of this kind are its members.
    pub fn has_members(self) -> bool {
        self.is_type() || matches!(self, Self::Extension)
    }
}

/// The role of a captured node in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The node that is a definition.
    Definition(DefinitionKind),
    /// A named value: a constant, a variable, a field, an enum variant. Directly inside a type, it
    /// is a member; inside a function, it does not count.
    NamedValue,
    /// A member of the type around a function (`self.name = ...`).
    NamedMember,
    /// The name of a definition, a named value or a parameter.
    Name,
    /// A part of a definition's name before [`Role::Name`], if the name has several parts.
    Address,
    /// The parameter list of a definition.
    Parameters,
    /// The declared result of a definition.
    Returns,
    /// The body of a definition.
    Body,
    /// A base type of a definition.
    Base,
    /// A base type whose members take precedence over those of the other base types (traits in PHP,
    /// included modules in Ruby).
    Mixin,
    /// The type that an out-of-line method belongs to; in a call, the object of which the callee is
    /// a member.
    Receiver,
    /// The name that the body uses for the object on which it was called.
    SelfName,
    /// A node that encloses a definition and belongs to its span.
    Wrapper,
    /// A function that is applied to the definition inside the wrapper.
    Decorator,
    /// A node that marks the definition around it or after it as a test.
    Test,
    /// A node that belongs to the definition directly below it, and contains no calls.
    Attribute,
    /// The documentation in such a node.
    AttributeDoc,
    /// A single parameter.
    Parameter,
    /// The name by which calls pass the argument of a parameter, if that is another name.
    Label,
    /// The declared type of a parameter or target.
    Type,
    /// The default value of a parameter.
    Default,
    /// A parameter that takes any number of arguments.
    Variadic,
    /// Marks the first parameter, whose object a call may write before the name (`this` in C#).
    Extended,
    /// A call, with its callee and arguments.
    Call,
    /// A name or member that is a call if it names a function without parameters.
    Access,
    /// The callee of a call.
    Callee,
    /// The node that contains the arguments of a call.
    Arguments,
    /// An argument outside [`Self::Arguments`]: a closure after the brackets, or an object before
    /// the function.
    Argument,
    /// The target of an assignment that declares a name.
    Target,
    /// The target of an assignment to a name that was declared elsewhere.
    Assigned,
    /// The node that sees the names in a target, if the block around the target does not.
    Visible,
    /// A test of the type of a name.
    Tested,
    /// An expression that reads the member of an object by the value of its name.
    Read,
    /// The value of an assignment.
    Value,
    /// The container whose elements are assigned in turn; in a call, the container of the objects of
    /// which the callee is a member.
    Each,
    /// A parameter that also declares a field of the enclosing type (`constructor(private clock:
    /// Clock)`).
    Field,
    /// The name of a type parameter. The value is a type that limits it.
    TypeParameter,
    /// The declared type of a part without a name, of the type around it or of a variant that is
    /// captured as the name.
    Position,
    /// A field whose position in its type determines its value in a literal without names.
    Ordered,
    /// A value that a function returns.
    Return,
    /// A definition whose result is the value of the member with its name (`get name()`).
    Property,
    /// A definition that an assignment to the member with its name calls (`set name(value)`).
    Setter,
    /// Another name of a function.
    Alias,
    /// A method whose receiver is the type (`def self.run`).
    OfType,
    /// A type with further parts, which have the same name.
    Partial,
    /// An object literal whose members are followed.
    Object,
    /// An object literal that is the definition around it.
    Table,
    /// The type of the objects in the container type that is defined.
    Elements,
    /// An import.
    Import,
    /// The module path of an import.
    ImportPath,
    /// The name that an import imports.
    ImportName,
    /// The local name that an import binds.
    ImportAlias,
    /// A node that marks an import of all names.
    ImportAll,
    /// A node that marks an import that other files share.
    ImportShared,
    /// A name that other files can import from the file.
    Export,
    /// A node that exports names which the file does not list.
    ExportAll,
    /// The name that a file declares for the package of its directory.
    Package,
    /// The documentation of a definition, either inside its body or in the comment directly before
    /// it.
    Doc,
    /// Documentation that also belongs to the next definition if there is one empty line between
    /// them.
    DocSpaced,
    /// Text that documents a part of a definition, such as a parameter.
    DocPart,
    /// A plain comment that documents the private function directly below it.
    DocNote,
    /// A decorator, annotation or object literal, with its callee and arguments, that may register
    /// an entry.
    Site,
    /// A node that is used only by a predicate.
    Unused,
}

impl Role {
    /// Returns the role of a capture, given its name without the `@`. As in tree-sitter's own
    /// queries, a leading underscore means that the capture is only for predicates.
    pub(super) fn from_capture(capture: &str) -> Option<Self> {
        if capture.starts_with('_') {
            return Some(Self::Unused);
        }
        ROLES.iter().find(|(name, _)| *name == capture).map(|&(_, role)| role)
    }

    /// Returns all captures that have a role, as they are written in queries.
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
    ("definition.value", Role::NamedValue),
    ("definition.member", Role::NamedMember),
    ("name", Role::Name),
    ("address", Role::Address),
    ("parameters", Role::Parameters),
    ("returns", Role::Returns),
    ("body", Role::Body),
    ("base", Role::Base),
    ("base.mixin", Role::Mixin),
    ("receiver", Role::Receiver),
    ("self", Role::SelfName),
    ("wrapper", Role::Wrapper),
    ("decorator", Role::Decorator),
    ("test", Role::Test),
    ("attribute", Role::Attribute),
    ("attribute.doc", Role::AttributeDoc),
    ("parameter", Role::Parameter),
    ("label", Role::Label),
    ("type", Role::Type),
    ("default", Role::Default),
    ("variadic", Role::Variadic),
    ("extended", Role::Extended),
    ("call", Role::Call),
    ("access", Role::Access),
    ("callee", Role::Callee),
    ("arguments", Role::Arguments),
    ("argument", Role::Argument),
    ("site", Role::Site),
    ("target", Role::Target),
    ("assigned", Role::Assigned),
    ("visible", Role::Visible),
    ("tested", Role::Tested),
    ("read", Role::Read),
    ("value", Role::Value),
    ("each", Role::Each),
    ("field", Role::Field),
    ("position", Role::Position),
    ("ordered", Role::Ordered),
    ("type.parameter", Role::TypeParameter),
    ("return", Role::Return),
    ("elements", Role::Elements),
    ("object", Role::Object),
    ("table", Role::Table),
    ("property", Role::Property),
    ("setter", Role::Setter),
    ("self.type", Role::OfType),
    ("alias", Role::Alias),
    ("partial", Role::Partial),
    ("import", Role::Import),
    ("import.path", Role::ImportPath),
    ("import.name", Role::ImportName),
    ("import.alias", Role::ImportAlias),
    ("import.all", Role::ImportAll),
    ("import.shared", Role::ImportShared),
    ("export", Role::Export),
    ("export.all", Role::ExportAll),
    ("package", Role::Package),
    ("doc", Role::Doc),
    ("doc.spaced", Role::DocSpaced),
    ("doc.note", Role::DocNote),
    ("doc.part", Role::DocPart),
];
