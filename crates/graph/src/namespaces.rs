//! Namespaces that several files open: in a language that includes files as text, a namespace is
//! the union of its parts.
//!
//! - **Invariant:** if a part lacks a member, the member comes from the first part that has it:
//!   parts in the same file first, then in include order of that file, then sorted by path.
//! - **Cost:** one entry for each member of a namespace; a look-up costs one search for each part
//!   that has the name.
//! - **Differs from the C++ standard:** the includes are taken from the file that contains the part
//!   instead of the file that uses the name, and an overload set contains the overloads of one part
//!   only.

use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, PointerId};
use whichfn_syntax::parse::Symbol;

/// The namespaces of files that are included as text. The key (language family and qualified name)
/// is the same for all parts of a namespace.
#[derive(Default)]
pub(super) struct Namespaces {
    first: FxHashMap<(u32, Symbol), DefinitionId>,
    /// Maps each part to the first part of its namespace, which represents the namespace.
    first_part: FxHashMap<DefinitionId, DefinitionId>,
    /// Maps a namespace and a member name to the parts that have such a member, sorted by path,
    /// each with the member.
    members: FxHashMap<(DefinitionId, Symbol), Vec<(DefinitionId, PointerId)>>,
}

impl Namespaces {
    /// Adds a part. Parts must be added sorted by path.
    pub fn note_part(&mut self, key: (u32, Symbol), part: DefinitionId) {
        let first_part = *self.first.entry(key).or_insert(part);
        self.first_part.insert(part, first_part);
    }

    /// Adds a member of a definition; does nothing if the definition is not a part of a namespace.
    pub fn note_member(&mut self, part: DefinitionId, name: Symbol, member: PointerId) {
        if let Some(&first_part) = self.first_part.get(&part) {
            self.members.entry((first_part, name)).or_default().push((part, member));
        }
    }

    /// Returns the parts of the namespace of `part` that have a member `name`, sorted by path, each
    /// with the member.
    pub fn parts_with(&self, part: DefinitionId, name: Symbol) -> &[(DefinitionId, PointerId)] {
        let parts = self.first_part.get(&part).and_then(|&first_part| self.members.get(&(first_part, name)));
        parts.map_or(&[], Vec::as_slice)
    }
}
