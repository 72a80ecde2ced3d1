//! Namespaces that several files open: where files are included as text, a namespace is the union of its parts.
//!
//! Law:     what a part lacks it has from the first part that has it: in its file, then in the order of what its file
//!          includes, then in order of path.
//! Price:   one entry for each member of a namespace; a name costs a search for each part that has it.
//! Departs: from C++ in that the includes are those of the file of the part, not those of the file that asks, and that
//!          an overload set is that of one part.

use crate::ids::{DefinitionId, PointerId};
use crate::parse::Symbol;
use rustc_hash::FxHashMap;

/// The namespaces of files that are included as text, by a key that is the same for all parts of one: family of languages
/// and name.
#[derive(Default)]
pub(super) struct Namespaces {
    first: FxHashMap<(u32, Symbol), DefinitionId>,
    /// The namespace of each of its parts, as its first part.
    whole: FxHashMap<DefinitionId, DefinitionId>,
    /// For a namespace and a name, the parts that have such a member, in order of path, and the member.
    members: FxHashMap<(DefinitionId, Symbol), Vec<(DefinitionId, PointerId)>>,
}

impl Namespaces {
    /// Notes a part, in order of path.
    pub fn note_part(&mut self, key: (u32, Symbol), part: DefinitionId) {
        let whole = *self.first.entry(key).or_insert(part);
        self.whole.insert(part, whole);
    }

    /// Notes a member of a definition, if that is a part of a namespace.
    pub fn note_member(&mut self, of: DefinitionId, name: Symbol, member: PointerId) {
        if let Some(&whole) = self.whole.get(&of) {
            self.members.entry((whole, name)).or_default().push((of, member));
        }
    }

    /// The parts of the namespace of `part` that have such a member, and the member, in order of path.
    pub fn parts_with(&self, part: DefinitionId, name: Symbol) -> &[(DefinitionId, PointerId)] {
        let parts = self.whole.get(&part).and_then(|&whole| self.members.get(&(whole, name)));
        parts.map_or(&[], Vec::as_slice)
    }
}
