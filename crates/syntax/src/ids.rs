//! Typed ids, and tables indexed by them.
//!
//! A file, a definition and a syntax node are all a `u32`. Confusing two of them would go unnoticed
//! and would ruin a ranking, so each has its own type. In memory and on disk an id is only its
//! number.
//!
//! Ids have one of two scopes: ids of the whole repository ([`FileId`], [`DefinitionId`]) and ids
//! of one file ([`LocalId`], [`VariableId`], [`ValueId`], [`CallId`]), which mean nothing without
//! the file. Bytes, lines and the numbers of syntax nodes within their file are plain numbers.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// A number that identifies one item of a table; it indexes an [`IdVec`].
pub trait Id: Copy {
    /// Creates the id of the `index`-th item, from 0.
    fn new(index: usize) -> Self;
    /// Returns the position of the item in its table, from 0.
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
            /// Creates the id of the `index`-th item, from 0.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            /// Returns the position of the item in its table, from 0.
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
    /// One of several indexes that are ranked together, numbered by name.
    MemberId
);
id!(
    /// A file of the repository, numbered by path.
    FileId
);
id!(
    /// A directory of the repository; 0 is the root.
    DirectoryId
);
id!(
    /// A definition (function, type, module, text window) of the repository, numbered by file, then
    /// by position in the file.
    DefinitionId
);
id!(
    /// A node of the structure graph: directories, then files, then syntax nodes.
    NodeId
);
id!(
    /// A fragment of the repository (a window or a definition), numbered by file, then by position
    /// in the file.
    FragmentId
);
id!(
    /// A definition of one file, numbered by position; 0 is the file itself.
    LocalId
);
id!(
    /// A name bound in a scope of one file.
    VariableId
);
id!(
    /// A value of one file: the value of an expression, or of a declared type.
    ValueId
);
id!(
    /// A call site of one file, numbered by position.
    CallId
);

id!(
    /// A pointer in the points-to analysis of the whole repository: a variable, a value, the result
    /// of a call, the return value of a definition, or a member that only assignments create.
    PointerId
);
id!(
    /// A pointer as one file sees it: the file's own pointers come first, then the pointers of
    /// other files that it uses.
    SlotId
);

impl LocalId {
    /// The file itself, which is the first definition in its own list.
    pub const FILE: Self = Self(0);
}

impl DirectoryId {
    /// The root directory of the repository.
    pub const ROOT: Self = Self(0);
}

/// A table with one item for each id of a type: a `Vec<V>` that only a `K` can index.
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

    /// Creates a table of `count` equal items.
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

    /// Returns the item of an id, or `None` if the table has no such item.
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

    /// Changes the length of the table to `count` items. It fills new places with `item`.
    pub fn resize(&mut self, count: usize, item: V)
    where
        V: Clone,
    {
        self.items.resize(count, item);
    }

    /// Returns the items as a slice, sorted by id, for writing to disk and for binary search.
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

/// Returns the row offsets of a table in compressed-sparse-row form: the index at which each key's
/// items begin, and the total. Keys count from 0; `of_items` yields the key of each item.
pub fn row_starts(keys: usize, of_items: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0u32; keys + 1];
    of_items.for_each(|key| starts[key + 1] += 1);
    for key in 0..keys {
        starts[key + 1] += starts[key];
    }
    starts
}

/// Returns the range of a key's items, given the offsets from [`row_starts`].
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
