//! Things that are made in parallel, in their order.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Hands things on in order of their numbers, from 0, as soon as all before them were handed on.
pub(super) struct InOrder<T, F>(Mutex<Waiting<T, F>>);

struct Waiting<T, F> {
    next: usize,
    early: BTreeMap<usize, T>,
    take: F,
}

impl<T, E, F: FnMut(T) -> Result<(), E>> InOrder<T, F> {
    /// To `take`.
    pub fn new(take: F) -> Self {
        Self(Mutex::new(Waiting { next: 0, early: BTreeMap::new(), take }))
    }

    /// Hands this on, and what waited for it; or it waits.
    ///
    /// # Errors
    /// What `take` fails with.
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
        let in_order = InOrder::new(|one| {
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
