//! What each kind of node means, by the numbers of the parser.

use super::spec::GuardedPlace;
use crate::tree::Node;
use std::num::NonZeroU16;

/// What a node kind means to the extractor. A kind can have several meanings.
#[derive(Debug, Clone, Copy, Default)]
pub struct NodeMeaning {
    /// Sort of words in the node's text, or `None` if the text is not read as words.
    pub words: Option<WordSort>,
    /// Syntactic form of the value that the node represents.
    pub form: ExpressionForm,
    /// True for an attribute or annotation, which precedes a definition and belongs to its span.
    pub attribute: bool,
    /// True if the node is an ordered list of values or targets, such as a tuple.
    pub list: bool,
    /// Fields of a target that takes a value apart by its type.
    pub pattern: Option<PatternFields>,
    /// True if the node lists what a new object contains, after the call that creates it.
    pub initializer: bool,
    /// True if a call with this node as its only argument only stands for the function.
    pub partial: bool,
    /// True if the node may be or build the name of a member that code reads.
    pub builds_name: bool,
    /// For a node that runs code only if a condition holds, the places of both.
    pub guard: Option<GuardFields>,
    /// True if the node is an access whose object is never a local value.
    pub path: bool,
    /// True if the node is a target that takes all values that no other target takes (`*rest`).
    pub rest: bool,
    /// True if the node is the type of an array, or a new array.
    pub array: bool,
    /// True if the node is a type whose objects may also be null.
    pub nullable: bool,
    /// True if the node creates an object of the type that it calls.
    pub creation: bool,
    /// True if several such nodes in succession with the same name are one definition.
    pub equation: bool,
    /// True if the node declares the type of the definition directly below it.
    pub signature: bool,
    /// For a node with the name of a method that is written in parts, the field of the parts; an
    /// inner `None` if they are in no field.
    pub selector: Option<Option<NonZeroU16>>,
    /// True for a sign between arguments.
    pub separator: bool,
    /// True for a node with which a name with several parts begins.
    pub address: bool,
    /// True for a function that has no receiver of its own.
    pub lexical_function: bool,
    /// True if the node is an element of the array in the field that its form names.
    pub element: bool,
    /// True if the node is a macro call that may contain items.
    pub item_macro: bool,
    /// True if the node contains items.
    pub holds_items: bool,
    /// True if the node is the type of a function.
    pub function_type: bool,
    /// True if the node is a leaf with the path of a module.
    pub path_name: bool,
    /// True if the node declares a module in a file of its own.
    pub module_file: bool,
    /// True if an index of this kind selects a part of an array, not an element.
    pub slice: bool,
    /// For a node whose text contains a declared type, its index in `written_types` in
    /// `[expressions]`.
    pub written_type: Option<u8>,
    /// True if names that are declared in the node are visible only there.
    pub block: bool,
    /// True if the node ends the part of a block that sees the names declared in the block.
    pub block_end: bool,
    /// True if a whole function sees the names that are declared in the node.
    pub hoisted: bool,
    /// True if the names that are declared in the node are visible only after it.
    pub sequential: bool,
    /// For a literal, the index of its type in `literal_types` in `[expressions]`.
    pub literal: Option<u8>,
    /// The `operators` in `[expressions]` that the node may be, with one bit for each.
    pub operators: u32,
    /// For an argument passed by name (`key=value`), the children that are the name and the value.
    pub keyword: Option<(ChildSlot, ChildSlot)>,
    /// For an entry of an object literal or pattern, the children that are the name, and the value
    /// or target.
    pub entry: Option<(ChildSlot, ChildSlot)>,
    /// True if the node is a name that is an entry by itself.
    pub shorthand: bool,
    /// True if the node lists the fields of a new object or the elements of a new container.
    pub record: bool,
    /// True if the node is the type or declarator of a container.
    pub collection: bool,
    /// For a target with a default value, the field of the target.
    pub optional_target: Option<NonZeroU16>,
    /// Location of the path prefix of the imports inside the node, or `None` if the node contains
    /// no such prefix.
    pub import_prefix: Option<ImportPrefix>,
    /// True if the node may surround the body of a test like a call.
    pub case: bool,
    /// Effects of the node, with one bit for each [`super::FlowKind`]; see
    /// [`super::FlowKind::bit`].
    pub flow: u32,
    /// Effects of the node on the use of a name inside it.
    pub uses: UseMeaning,
}

/// How the name inside a node is used: see [`super::spec::Uses`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UseMeaning {
    /// The node is an import.
    pub import: bool,
    /// The node is or surrounds the name of a type.
    pub type_name: bool,
    /// The node surrounds base types.
    pub base: bool,
    /// The node is a decorator, annotation or attribute.
    pub decorator: bool,
    /// The first child of the node is a key.
    pub key: bool,
    /// The first child of the node is a member of the first parameter of the component around it.
    pub attribute: bool,
    /// The kind of node around it that makes the first child of the node a key.
    pub key_inside: Option<u16>,
    /// The first child of the node is the object or type that has the keys inside the node.
    pub key_owner: bool,
    /// The first child of the node is a name that it declares.
    pub declares: bool,
}

impl NodeMeaning {
    /// Checks whether the node is a symbol or text, which may contain the name of a function.
    pub fn is_quoted(&self) -> bool {
        match self.form {
            ExpressionForm::Literal => true,
            ExpressionForm::Other => self.words == Some(WordSort::String),
            _ => false,
        }
    }

    /// Returns the target inside a node that is an entry of a pattern, or that has a default value.
    pub fn target_in<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match (self.entry, self.optional_target) {
            (Some((_, target)), _) => target.child_of(node),
            (None, Some(field)) => node.child_in(field),
            (None, None) => None,
        }
    }
}

/// The sort of words in a leaf, which determines the field that they are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordSort {
    /// A name.
    Identifier,
    /// The contents of a string.
    String,
    /// A comment.
    Comment,
    /// An escape inside the contents of a string, which is not a word.
    Escape,
}

/// The location within a node of the path prefix of the imports inside the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportPrefix {
    /// The prefix is in a field.
    Field(NonZeroU16),
    /// The prefix is the first child of a kind.
    Child(u16),
}

impl ImportPrefix {
    /// Returns the child of `node` that contains the prefix.
    pub fn child_of<'t>(self, node: Node<'t>) -> Option<Node<'t>> {
        match self {
            Self::Field(field) => node.child_in(field),
            Self::Child(kind) => node.named_children().find(|child| child.kind() == kind),
        }
    }
}

/// A child of a node, for grammars with and without a field for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildSlot {
    /// The child in a field.
    Field(NonZeroU16),
    /// The first child, if it is named and followed by another child.
    First,
    /// The last child.
    Last,
}

impl ChildSlot {
    /// Returns the child of `node`, or `None` if it has no such child.
    pub fn child_of<'t>(self, node: Node<'t>) -> Option<Node<'t>> {
        match self {
            Self::Field(field) => node.child_in(field),
            Self::First => node.children().next().filter(|child| child.is_named() && child.after() < node.after()),
            Self::Last => node.children().last(),
        }
    }
}

/// The fields of a target that takes a value apart by its type
/// ([`TypePattern`](super::TypePattern)).
#[derive(Debug, Clone, Copy)]
pub struct PatternFields {
    /// Field of the type or variant.
    pub of_type: NonZeroU16,
    /// Kind of the children that name the part that they take.
    pub part: Option<u16>,
    /// Field of the part's name in such a child.
    pub name: Option<NonZeroU16>,
    /// Field of the target in such a child.
    pub value: Option<NonZeroU16>,
}

/// The fields of a node that runs code only if a condition holds ([`Guard`](super::Guard)).
#[derive(Debug, Clone, Copy)]
pub struct GuardFields {
    /// Field of the condition.
    pub condition: Option<NonZeroU16>,
    /// Field of the code that runs if the condition is true.
    pub then: Option<NonZeroU16>,
    /// Field of the code that runs if the condition is false.
    pub otherwise: Option<NonZeroU16>,
    /// Additional code that runs only if the condition is true.
    pub also: GuardedPlace,
}

/// The syntactic form of a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExpressionForm {
    /// A form that the grammar file does not describe. The value is unknown.
    #[default]
    Other,
    /// A name: `session`.
    Name,
    /// A member access, such as `session.renew`. Contains the children that are the object and the
    /// name of the member.
    Access(ChildSlot, ChildSlot),
    /// A member of the current object that is accessed only by its name, such as `@name` in Ruby.
    Member,
    /// A new object of the type in a field, such as `Session { .. }`.
    Instance(NonZeroU16),
    /// The value of the first named child, such as `(session)`.
    First,
    /// The value of a field.
    Field(NonZeroU16),
    /// A value that is used as another type: the first named child, and the last one.
    Cast,
    /// The value of any child, such as `a if x else b`.
    Choice,
    /// A value of a built-in type, such as `"text"` or `[1, 2]`.
    Literal,
    /// Tokens without a syntax tree, in brackets: the arguments of a macro.
    Tokens,
    /// A value of a built-in type that is computed from one or two other values, such as `a + b`.
    Operation,
    /// A type whose path begins with the first named child and goes on with the names after it,
    /// such as `Outer.Inner`.
    Path,
}
