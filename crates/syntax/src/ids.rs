//! Typed ids, and tables indexed by them.
//!
//! A file, a definition and a syntax node are all a `u32`. If one were used in place of another,
//! the error would go unnoticed and ruin a ranking, so each has its own type. In memory and on
//! disk, an id is just its number.
//!
//! Some ids are unique within the whole repository ([`FileId`], [`DefinitionId`]). Others are
//! unique only within one file ([`LocalId`], [`VariableId`], [`ValueId`], [`CallId`]), and mean
//! nothing without that file. Bytes, lines and the numbers of syntax nodes within their file are
//! plain numbers.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// A number that identifies one item in a table and indexes an [`IdVec`].
pub trait Id: Copy {
    /// Creates the id of the item at `index`, which starts at 0.
    fn new(index: usize) -> Self;
    /// Returns the index of the item in its table, which starts at 0.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(bytemuck::Pod, bytemuck::Zeroable, Serialize, Deserialize)]
        #[repr(transparent)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Creates the id of the item at `index`, which starts at 0.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            /// Returns the index of the item in its table, which starts at 0.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self::new(index)
            }

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }
    };
}

id!(
    /// One of several indexes that are ranked together. Members are numbered in the order of their
    /// names.
    MemberId
);
id!(
    /// A file in the repository. Files are numbered in the order of their paths.
    FileId
);
id!(
    /// A directory in the repository. Number 0 is the root.
    DirectoryId
);
id!(
    /// A package that the files of a repository declare, wherever they are.
    PackageId
);
id!(
    /// A definition (function, type, module, text window) in the repository. Definitions are
    /// numbered by file, then by position within the file.
    DefinitionId
);
id!(
    /// A node in the structure graph. Directories are numbered first, then files, then syntax
    /// nodes.
    NodeId
);
id!(
    /// A fragment (window or definition) in the repository. Fragments are numbered by file, then by
    /// position within the file.
    FragmentId
);
id!(
    /// A definition in one file. Definitions are numbered by position, and number 0 is the file
    /// itself.
    LocalId
);
id!(
    /// A name that is bound in a scope of one file.
    VariableId
);
id!(
    /// A value in one file: the value of an expression, or of a declared type.
    ValueId
);
id!(
    /// A call site in one file. Call sites are numbered by position.
    CallId
);

id!(
    /// A pointer in the points-to analysis of the whole repository: a variable, a value, the result
    /// of a call, the return value of a definition, or a member that only assignments create.
    PointerId
);
id!(
    /// A pointer from the perspective of one file. The file's own pointers come first, followed by
    /// the pointers in other files that it uses.
    SlotId
);

impl LocalId {
    /// The file itself, which is the first of its own definitions.
    pub const FILE: Self = Self(0);
    /// The component in a file with markup, which follows the file.
    pub const COMPONENT: Self = Self(1);
}

impl DirectoryId {
    /// The root directory of the repository.
    pub const ROOT: Self = Self(0);
}

/// A table with one item for each id of a type. It is a `Vec<V>` that can be indexed only by `K`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent, bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    /// Creates an empty table.
    pub const fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }

    /// Creates a table with `count` copies of an item.
    pub fn repeat(item: V, count: usize) -> Self
    where
        V: Clone,
    {
        Self::from(vec![item; count])
    }

    /// Adds an item and returns its id.
    pub fn push(&mut self, item: V) -> K {
        self.items.push(item);
        K::new(self.items.len() - 1)
    }

    /// Adds an item and returns its id. Grows a full table by a sixteenth instead of doubling it.
    pub fn push_tight(&mut self, item: V) -> K {
        if self.items.len() == self.items.capacity() {
            self.items.reserve_exact(self.items.len() / 16 + 4);
        }
        self.push(item)
    }

    /// Returns the item with the given id, or `None` if the table has no such item.
    pub fn get(&self, id: K) -> Option<&V> {
        self.items.get(id.index())
    }

    /// Returns the number of items, which is also the index of the next id.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Checks whether the table has no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns all ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + use<K, V> {
        (0..self.items.len()).map(K::new)
    }

    /// Returns all items, sorted by id.
    pub fn iter(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// Returns mutable references to all items, sorted by id.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// Returns all items with their ids, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.items.iter().enumerate().map(|(at, item)| (K::new(at), item))
    }

    /// Changes the number of items to `count`, and fills new slots with `item`.
    pub fn resize(&mut self, count: usize, item: V)
    where
        V: Clone,
    {
        self.items.resize(count, item);
    }

    /// Returns the items as a slice, in the order of their ids. This is needed to write them to
    /// disk, and for binary search.
    pub fn as_slice(&self) -> &[V] {
        &self.items
    }
}

impl<K: Id, V> Default for IdVec<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V> From<Vec<V>> for IdVec<K, V> {
    fn from(items: Vec<V>) -> Self {
        Self { items, key: PhantomData }
    }
}

impl<K: Id, V> FromIterator<V> for IdVec<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl<K: Id, V> IntoIterator for IdVec<K, V> {
    type Item = V;
    type IntoIter = std::vec::IntoIter<V>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, K: Id, V> IntoIterator for &'a IdVec<K, V> {
    type Item = &'a V;
    type IntoIter = std::slice::Iter<'a, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<K: Id, V> Index<K> for IdVec<K, V> {
    type Output = V;

    #[inline]
    fn index(&self, id: K) -> &V {
        &self.items[id.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdVec<K, V> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut V {
        &mut self.items[id.index()]
    }
}

/// Returns the row offsets of a table in compressed-sparse-row form: the index of each key's first
/// item, followed by the total number of items. Keys start at 0, and `of_items` yields the key of
/// each item.
pub fn row_starts(keys: usize, of_items: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0u32; keys + 1];
    of_items.for_each(|key| starts[key + 1] += 1);
    for key in 0..keys {
        starts[key + 1] += starts[key];
    }
    starts
}

/// Returns the index range of a key's items, given the offsets from [`row_starts`].
#[inline]
pub fn row_range(starts: &[u32], key: usize) -> Range<usize> {
    starts[key] as usize..starts[key + 1] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_tables_serialize_as_plain_numbers_and_items() {
        let mut names: IdVec<VariableId, &str> = IdVec::new();
        let (first, second) = (names.push("first"), names.push("second"));
        assert_eq!((names[first], names[second], names.get(VariableId(2))), ("first", "second", None));
        assert_eq!(postcard::to_allocvec(&names), postcard::to_allocvec(&["first", "second"].to_vec()));
        assert_eq!(postcard::to_allocvec(&Some(FileId(300))), postcard::to_allocvec(&Some(300u32)));
        assert_eq!(names.enumerate().collect::<Vec<_>>(), [(first, &"first"), (second, &"second")]);
    }

    #[test]
    fn row_ranges_match_the_items_of_each_key() {
        let starts = row_starts(4, [0, 2, 2, 2].into_iter());
        assert_eq!(starts, [0, 1, 1, 4, 4]);
        assert_eq!([0, 1, 2, 3].map(|key| row_range(&starts, key)), [0..1, 1..1, 1..4, 4..4]);
    }
}

/// Number of a language in the registry. Indexes contain this number, so the fingerprint covers the
/// order of the languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LangId(pub u16);
