//! Items numbered in order of their first use.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Lists of up to this length are searched linearly. Each file has up to three such lists, and most
/// are short.
const FEW: usize = 8;

/// Items and their numbers.
pub(super) struct IndexedList<T> {
    items: Vec<T>,
    /// Numbers of all items; empty until there are more than [`FEW`].
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for IndexedList<T> {
    fn default() -> Self {
        Self { items: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + Hash> IndexedList<T> {
    /// Returns all items, sorted by number.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the number of an item, and true if the item is new.
    pub fn number(&mut self, item: T) -> (u32, bool) {
        let next = self.items.len() as u32;
        let number = match self.items.len() {
            ..=FEW => self.items.iter().position(|&known| known == item).map_or(next, |at| at as u32),
            _ => *self.numbers.entry(item).or_insert(next),
        };
        if number == next {
            self.items.push(item);
            if self.items.len() == FEW + 1 {
                self.numbers = self.items.iter().copied().zip(0..).collect();
            }
        }
        (number, number == next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_numbered_by_first_use() {
        let mut listed = IndexedList::default();
        for round in [true, false] {
            let numbers: Vec<_> = (100..100 + 3 * FEW).map(|item| listed.number(item)).collect();
            assert_eq!(numbers, (0..3 * FEW as u32).map(|number| (number, round)).collect::<Vec<_>>());
        }
        assert_eq!(listed.items().len(), 3 * FEW);
    }
}
