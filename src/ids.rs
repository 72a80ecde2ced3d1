//! Typed numbers, and tables indexed by them. A file, a definition and a syntax node are all a `u32`; mixing two would
//! be silent and would ruin a ranking, so each has a type of its own. In memory and on disk an id is its number alone.
//!
//! Two ids differ in reach: those of the whole repository ([`FileId`], [`DefinitionId`]) and those of one file
//! ([`LocalId`], [`VariableId`], [`ValueId`], [`CallId`]), which mean nothing without it. Bytes, lines and the numbers of
//! syntax nodes within their file are plain numbers.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// A number that names one item of a table; [`IdVec`] is indexed by it.
pub trait Id: Copy {
    /// The id of the `index`-th item, from 0.
    fn new(index: usize) -> Self;
    /// The position of the item in its table, from 0.
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
            /// The id of the `index`-th item, from 0.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            /// The position of the item in its table, from 0.
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
    /// One of several indexes that are ranked together, in order of their names
    MemberId
);
id!(
    /// A file of the repository; files are numbered in order of their path.
    FileId
);
id!(
    /// A directory of the repository; 0 is the root.
    DirectoryId
);
id!(
    /// A definition (function, type, module, text window) of the repository, numbered by file, then by place.
    DefinitionId
);
id!(
    /// A node of the structure graph: directories, then files, then syntax nodes.
    NodeId
);
id!(
    /// A fragment of the repository (a window or a definition), numbered by file, then by place.
    FragmentId
);
id!(
    /// A definition of one file, numbered by place; 0 is the file itself.
    LocalId
);
id!(
    /// A name bound in a scope of one file.
    VariableId
);
id!(
    /// A value of one file: what an expression or a declared type stands for.
    ValueId
);
id!(
    /// A call site of one file, numbered by place.
    CallId
);

id!(
    /// What may point to objects, in the points-to analysis of the whole repository: a variable, a value, the result of
    /// a call, what a definition returns, or a member that only assignments make.
    PointerId
);
id!(
    /// A pointer as one file sees it: its own come first, then those of other files that it has to do with.
    SlotId
);

impl LocalId {
    /// The file itself, the first definition of its own list.
    pub const FILE: Self = Self(0);
}

impl DirectoryId {
    /// The repository's own directory.
    pub const ROOT: Self = Self(0);
}

/// A table with one item for each id of a kind: a `Vec<V>` that only a `K` can index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent, bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    /// An empty table.
    pub const fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }

    /// A table of `count` equal items.
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

    /// The item of an id; none when the table has no such item.
    pub fn get(&self, id: K) -> Option<&V> {
        self.items.get(id.index())
    }

    /// How many items there are; the next id is the one of this index.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + use<K, V> {
        (0..self.items.len()).map(K::new)
    }

    /// All items, in order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// All items to change, in order of their ids.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// All items with their ids, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.items.iter().enumerate().map(|(at, item)| (K::new(at), item))
    }

    /// Lengthens the table to `count` items; shortens it when it has more.
    pub fn resize(&mut self, count: usize, item: V)
    where
        V: Clone,
    {
        self.items.resize(count, item);
    }

    /// The items as a slice, in order of their ids: for bytes on disk and binary search.
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

/// For items in order of key (compressed sparse rows): where each key's items begin, and the end of all. Keys count from 0.
pub fn row_starts(keys: usize, of_items: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0u32; keys + 1];
    of_items.for_each(|key| starts[key + 1] += 1);
    for key in 0..keys {
        starts[key + 1] += starts[key];
    }
    starts
}

/// The items of a key, by what [`row_starts`] gave.
#[inline]
pub fn row_range(starts: &[u32], key: usize) -> Range<usize> {
    starts[key] as usize..starts[key + 1] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_and_a_table_are_stored_as_their_numbers_and_items_alone() {
        let mut names: IdVec<VariableId, &str> = IdVec::new();
        let (first, second) = (names.push("first"), names.push("second"));
        assert_eq!((names[first], names[second], names.get(VariableId(2))), ("first", "second", None));
        assert_eq!(postcard::to_allocvec(&names), postcard::to_allocvec(&["first", "second"].to_vec()));
        assert_eq!(postcard::to_allocvec(&Some(FileId(300))), postcard::to_allocvec(&Some(300u32)));
        assert_eq!(names.enumerate().collect::<Vec<_>>(), [(first, &"first"), (second, &"second")]);
    }

    #[test]
    fn rows_are_the_items_of_a_key() {
        let starts = row_starts(4, [0, 2, 2, 2].into_iter());
        assert_eq!(starts, [0, 1, 1, 4, 4]);
        assert_eq!([0, 1, 2, 3].map(|key| row_range(&starts, key)), [0..1, 1..1, 1..4, 4..4]);
    }
}
