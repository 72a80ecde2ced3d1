//! Many small sets in little memory.

use crate::ids::{Id, IdVec};

/// A place in [`Sets::items`]; [`END`] after the last item of a set.
type Link = u32;
const END: Link = Link::MAX;

/// A small set of items for each key, all in one piece of memory: linked lists, the newest item first. Nothing is ever
/// taken out, so a place reached by [`Sets::newest`] and [`Sets::item`] stays right while items are added.
pub(super) struct Sets<K, T> {
    heads: IdVec<K, Link>,
    items: Vec<(T, Link)>,
}

impl<K: Id, T: Copy> Sets<K, T> {
    /// Empty sets for `count` keys, with room for so many items in all.
    pub fn new(count: usize, items: usize) -> Self {
        Self { heads: IdVec::repeat(END, count), items: Vec::with_capacity(items) }
    }

    /// Adds an empty set and returns its key.
    pub fn add_set(&mut self) -> K {
        self.heads.push(END)
    }

    pub fn push(&mut self, set: K, item: T) {
        self.items.push((item, self.heads[set]));
        self.heads[set] = self.items.len() as Link - 1;
    }

    /// The place of the newest item of a set.
    pub fn newest(&self, set: K) -> Link {
        self.heads[set]
    }

    /// The item at a place, and the place of the one before it; none at the end of a set.
    pub fn item(&self, at: Link) -> Option<(T, Link)> {
        self.items.get(at as usize).copied()
    }

    /// The items of a set, the newest first.
    pub fn iter(&self, set: K) -> impl Iterator<Item = T> + '_ {
        let mut at = self.newest(set);
        std::iter::from_fn(move || {
            let (item, next) = self.item(at)?;
            at = next;
            Some(item)
        })
    }

    pub fn is_empty(&self, set: K) -> bool {
        self.newest(set) == END
    }
}
