//! Restores the order of items that are made in parallel.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Passes items on sorted by number, from 0, as soon as all items before them were passed on.
pub(super) struct OrderedSender<T, F>(Mutex<Waiting<T, F>>);

struct Waiting<T, F> {
    next: usize,
    early: BTreeMap<usize, T>,
    take: F,
}

impl<T, E, F: FnMut(T) -> Result<(), E>> OrderedSender<T, F> {
    /// Creates a queue that passes items to `take`.
    pub fn new(take: F) -> Self {
        Self(Mutex::new(Waiting { next: 0, early: BTreeMap::new(), take }))
    }

    /// Passes on the item and the items that waited for it, or stores it until its turn.
    ///
    /// # Errors
    /// Returns the error of `take`.
    pub fn put(&self, number: usize, one: T) -> Result<(), E> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { next, early, take } = &mut *waiting;
        early.insert(number, one);
        while let Some(one) = early.remove(next) {
            *next += 1;
            take(one)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_come_in_order_whoever_is_first() {
        let mut taken = Vec::new();
        let in_order = OrderedSender::new(|one| {
            taken.push(one);
            Ok::<(), ()>(())
        });
        for number in [2, 0, 1, 4, 3] {
            in_order.put(number, 10 * number).expect("taken");
        }
        drop(in_order);
        assert_eq!(taken, [0, 10, 20, 30, 40]);
    }
}
