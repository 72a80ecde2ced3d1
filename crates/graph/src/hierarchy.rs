//! The bases of types, and the types that definitions elsewhere belong to.
//!
//! From both, a reader derives subtypes, implementations and overrides. Storing these would take
//! quadratic space: a method with a thousand overrides is called in a thousand places.
//!
//! - **Invariant:** a pair is stored with the file of its first definition. A file that an edit
//!   does not affect keeps its pairs: edits of bases or owners link everything again
//!   ([`crate::relink()`]).
//! - **Cost:** no look-up in addition to those of the method resolution order; eight bytes for each
//!   pair.

use super::names::Names;
use whichfn_syntax::ids::{DefinitionId, FileId};

/// Two definitions, the first of which names the second.
type Pair = (DefinitionId, DefinitionId);

/// The relations between types that source files declare.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// A type or an extension (`impl Base for Type`), and a base that it names, sorted.
    pub bases: Vec<Pair>,
    /// A definition outside the body of its type (an extension, a method with a receiver), and that
    /// type, sorted.
    pub owners: Vec<Pair>,
}

impl Hierarchy {
    /// Returns the pairs of the given files, sorted by path. `repository_id` converts the number of
    /// a definition.
    pub(super) fn of_files(
        names: &Names<'_>,
        files: &[FileId],
        repository_id: impl Fn(DefinitionId) -> DefinitionId,
    ) -> Self {
        let convert = |(from, to): Pair| (repository_id(from), repository_id(to));
        let is_wanted = |&&(id, _): &&Pair| files.binary_search(&names.file_of(id)).is_ok();
        let bases = names.declared_bases.iter().filter(is_wanted).map(|&pair| convert(pair)).collect();
        let definitions = files.iter().flat_map(|&file| {
            names.facts(file).definition_ids().map(move |local| names.offsets(file).definition(local))
        });
        let owned = definitions.filter(|&id| names.owner[id] != id);
        let owners = owned.map(|id| convert((id, names.owner[id]))).collect();
        Self { bases, owners }
    }

    /// Adds the pairs of other files. The result is sorted only after [`Self::sort`].
    pub fn add(&mut self, other: Self) {
        self.bases.extend(other.bases);
        self.owners.extend(other.owners);
    }

    /// Sorts the pairs.
    pub fn sort(&mut self) {
        self.bases.sort_unstable();
        self.owners.sort_unstable();
    }
}
