//! Restores the order of items that are produced in parallel.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Passes on items in the order of their numbers, starting at 0. Each item is passed on as soon as
/// all items before it have been.
pub(super) struct OrderedSender<T, F>(Mutex<Waiting<T, F>>);

struct Waiting<T, F> {
    next: usize,
    early: BTreeMap<usize, T>,
    receive: F,
}

impl<T, E, F: FnMut(T) -> Result<(), E>> OrderedSender<T, F> {
    /// Creates a sender that passes items to `receive`.
    pub fn new(receive: F) -> Self {
        Self(Mutex::new(Waiting { next: 0, early: BTreeMap::new(), receive }))
    }

    /// Passes on an item and the later items that waited for it, or stores the item until the items
    /// before it arrive.
    ///
    /// # Errors
    /// Returns the error of `receive`.
    pub fn send(&self, number: usize, item: T) -> Result<(), E> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { next, early, receive } = &mut *waiting;
        early.insert(number, item);
        while let Some(item) = early.remove(next) {
            *next += 1;
            receive(item)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_passed_in_order() {
        let mut taken = Vec::new();
        let sender = OrderedSender::new(|item| {
            taken.push(item);
            Ok::<(), ()>(())
        });
        for number in [2, 0, 1, 4, 3] {
            sender.send(number, 10 * number).expect("taken");
        }
        drop(sender);
        assert_eq!(taken, [0, 10, 20, 30, 40]);
    }
}
