//! Names that a change removed.

use whichfn_syntax::ids::{LocalId, VariableId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Definition;

/// The item that a lost name referred to, by its number in the file before the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LostItem {
    Definition(LocalId),
    Variable(VariableId),
    /// A variable that an import filled.
    Import(VariableId),
    /// A field, enum variant or constant that is no variable, by the definition it belongs to.
    Value(LocalId),
    /// All names of a module that the file passed on (`export * from`).
    Star,
    /// A name that the file still has, but no longer exports.
    Export,
}

/// A name that a changed file no longer has.
pub(super) struct LostName<'s> {
    /// Index of the changed file in [`Sides::files`](super::sides::Sides::files).
    pub changed: usize,
    pub item: LostItem,
    pub name: &'s str,
    pub qualified_name: String,
    /// Name of the type that the name is a member of; `None` for a name outside types.
    pub owner: Option<&'s str>,
    pub is_function: bool,
    /// Reasons for which references to the name may still work.
    pub doubts: Doubts,
}

impl<'s> LostName<'s> {
    /// Creates a name that is no function and no member of a type.
    pub fn new(changed: usize, item: LostItem, name: &'s str, qualified_name: String) -> Self {
        Self { changed, item, name, qualified_name, owner: None, is_function: false, doubts: Doubts::default() }
    }

    /// Checks whether the name is that of a function, and not only of a module or an import.
    pub fn is_called(&self) -> bool {
        self.is_function && !matches!(self.item, LostItem::Star | LostItem::Import(_))
    }
}

/// Reasons for which references to a removed name may still work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Doubts {
    /// True if the change adds the name elsewhere, so that code which does not write where the name
    /// is from may still refer to something. A member counts only if it is added to a type.
    pub is_added: bool,
    /// True if the change adds a definition with the same qualified name to another file.
    pub is_moved: bool,
    /// True if the build, a macro or a library may supply the name.
    pub may_be_supplied: bool,
}

/// Checks whether code can refer to a definition by its name.
pub(super) fn is_nameable(definition: &Definition) -> bool {
    let is_unnamed = matches!(
        definition.kind,
        DefinitionKind::Extension
            | DefinitionKind::Anonymous
            | DefinitionKind::Text
            | DefinitionKind::Declaration
            | DefinitionKind::Entry
            | DefinitionKind::Mount
    );
    !is_unnamed && !definition.name.is_empty()
}
