//! Compact storage for many small sets.

use whichfn_syntax::ids::{Id, IdVec};

/// Index into [`Sets::items`]; [`END`] after the last item of a set.
type Link = u32;
const END: Link = Link::MAX;

/// A small set of items for each key, stored as linked lists in one vector, newest item first.
/// Items are never removed, so a position from [`Sets::newest`] or [`Sets::item`] stays valid while
/// items are added.
pub(crate) struct Sets<K, T> {
    heads: IdVec<K, Link>,
    items: Vec<(T, Link)>,
}

impl<K: Id, T: Copy> Sets<K, T> {
    /// Creates empty sets for `count` keys, with capacity for `items` items in total.
    pub fn new(count: usize, items: usize) -> Self {
        Self { heads: IdVec::repeat(END, count), items: Vec::with_capacity(items) }
    }

    /// Adds an empty set and returns its key.
    pub fn add_set(&mut self) -> K {
        self.heads.push_tight(END)
    }

    #[inline]
    pub fn push(&mut self, set: K, item: T) {
        grow(&mut self.items);
        self.items.push((item, self.heads[set]));
        self.heads[set] = self.items.len() as Link - 1;
    }

    /// Returns the position of the newest item of a set.
    pub fn newest(&self, set: K) -> Link {
        self.heads[set]
    }

    /// Returns the item at a position, and the position of the next older item. Returns `None` at
    /// the end of a set.
    pub fn item(&self, at: Link) -> Option<(T, Link)> {
        self.items.get(at as usize).copied()
    }

    /// Iterates over the items of a set, newest first.
    pub fn iter(&self, set: K) -> impl Iterator<Item = T> + '_ {
        newest_first(self.newest(set), |at| self.item(at))
    }

    pub fn is_empty(&self, set: K) -> bool {
        self.newest(set) == END
    }
}

/// Grows a full vector by a sixteenth instead of doubling it: there are as many of these vectors as
/// files, and doubling would leave much of the memory unused.
#[inline]
fn grow<T>(items: &mut Vec<T>) {
    if items.len() == items.capacity() {
        items.reserve_exact(items.len() / 16 + 4);
    }
}

/// Iterates from a position on. `item` returns the item at a position, and the position of the next
/// older one.
fn newest_first<P: Copy, T>(mut at: P, item: impl Fn(P) -> Option<(T, P)>) -> impl Iterator<Item = T> {
    std::iter::from_fn(move || {
        let (found, before) = item(at)?;
        at = before;
        Some(found)
    })
}

/// Like [`Sets`], but with the first item of each set stored next to the key. Most sets contain at
/// most one item, so most look-ups end there.
pub(crate) struct SmallSets<K, T> {
    heads: IdVec<K, SetHead<T>>,
    /// All items but the first of each set.
    items: Vec<(T, Link)>,
}

#[derive(Clone, Copy)]
struct SetHead<T> {
    first: Option<T>,
    newest: Link,
}

/// A position of a reader in a set of [`SmallSets`]. The reader does not see items that are added
/// later.
#[derive(Clone, Copy)]
pub(crate) struct SetPlace<T>(SetHead<T>);

impl<K: Id, T: Copy> SmallSets<K, T> {
    /// Creates empty sets for `count` keys.
    pub fn new(count: usize) -> Self {
        Self { heads: IdVec::repeat(SetHead { first: None, newest: END }, count), items: Vec::new() }
    }

    /// Adds an empty set and returns its key.
    pub fn add_set(&mut self) -> K {
        self.heads.push_tight(SetHead { first: None, newest: END })
    }

    pub fn push(&mut self, set: K, item: T) {
        let head = &mut self.heads[set];
        if head.first.is_none() {
            head.first = Some(item);
        } else {
            grow(&mut self.items);
            self.items.push((item, head.newest));
            head.newest = self.items.len() as Link - 1;
        }
    }

    /// Returns the position of the newest item of a set.
    pub fn newest(&self, set: K) -> SetPlace<T> {
        SetPlace(self.heads[set])
    }

    /// Returns the item at a position, and the position of the next older item. Returns `None` at
    /// the end of a set.
    pub fn item(&self, SetPlace(head): SetPlace<T>) -> Option<(T, SetPlace<T>)> {
        match self.items.get(head.newest as usize) {
            Some(&(item, newest)) => Some((item, SetPlace(SetHead { newest, ..head }))),
            None => head.first.map(|first| (first, SetPlace(SetHead { first: None, newest: END }))),
        }
    }

    /// Iterates over the items of a set, newest first.
    pub fn iter(&self, set: K) -> impl Iterator<Item = T> + '_ {
        newest_first(self.newest(set), |at| self.item(at))
    }

    pub fn is_empty(&self, set: K) -> bool {
        self.heads[set].first.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::ids::PointerId;

    #[test]
    fn iteration_is_newest_first_and_excludes_later_items() {
        let (mut sets, mut small) = (Sets::new(2, 0), SmallSets::new(2));
        let [one, two] = [PointerId(0), PointerId(1)];
        for (set, item) in [(one, 'a'), (two, 'x'), (one, 'b'), (one, 'c')] {
            sets.push(set, item);
            small.push(set, item);
        }
        let place = small.newest(two);
        small.push(two, 'y');
        assert_eq!(small.item(place).map(|(item, next)| (item, small.item(next).is_none())), Some(('x', true)));
        assert_eq!(sets.iter(one).collect::<String>(), "cba");
        assert_eq!(small.iter(one).collect::<String>(), "cba");
        let (new, empty) = (sets.add_set(), small.add_set());
        assert!(sets.is_empty(new) && small.is_empty(empty) && !small.is_empty(two));
    }
}
