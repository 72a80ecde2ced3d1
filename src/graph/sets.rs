//! Many small sets in little memory.

use super::names::NONE;

/// Many small sets in one piece of memory: linked lists, the newest first.
pub(super) struct Sets<T> {
    pub heads: Vec<u32>,
    pub items: Vec<(T, u32)>,
}

impl<T: Copy> Sets<T> {
    pub fn new(count: usize) -> Self {
        Self { heads: vec![NONE; count], items: Vec::new() }
    }

    pub fn with_room(count: usize, items: usize) -> Self {
        Self { heads: vec![NONE; count], items: Vec::with_capacity(items) }
    }

    pub fn push(&mut self, set: usize, item: T) {
        self.items.push((item, self.heads[set]));
        self.heads[set] = self.items.len() as u32 - 1;
    }

    pub fn iter(&self, set: usize) -> impl Iterator<Item = T> + '_ {
        let mut at = self.heads[set];
        std::iter::from_fn(move || {
            let &(item, next) = self.items.get(at as usize)?;
            at = next;
            Some(item)
        })
    }

    pub fn is_empty(&self, set: usize) -> bool {
        self.heads[set] == NONE
    }
}
