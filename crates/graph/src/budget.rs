//! The limits of linking. The step limit counts steps instead of time, so that it takes effect at the same
//! place on every machine.
//!
//! - **Invariant:** while the budget is spent, every query returns "nothing known". It is renewed
//!   at most once. The work is therefore bounded by the size of the repository, and the edges are a
//!   function of the repository only.
//! - **Alternatives:** a time limit, which would give other edges on a slower machine.

use std::cell::Cell;

/// Maximum number of definitions that a member of an unknown object is linked to by name. If there
/// are more, the name identifies none of them.
pub(super) const MAX_BY_NAME: usize = 3;

/// Steps for each definition, variable, value and call of the repository. Of 15 measured
/// repositories in ten languages, the most expensive one (abseil) takes 5.
const STEPS_EACH: u64 = 50;
/// Steps that every repository may take, however small it is: one or two seconds.
const FLOOR: u64 = 10_000_000;

/// The remaining steps. One step is one visit of a module in a search, of a candidate for a name,
/// or of a constraint.
pub(super) struct StepBudget {
    limit: u64,
    spent: Cell<u64>,
}

impl StepBudget {
    /// Creates the budget for a repository; `size` is the total number of its definitions,
    /// variables, values and calls.
    pub fn new(size: u64) -> Self {
        Self { limit: FLOOR + STEPS_EACH * size, spent: Cell::new(0) }
    }

    /// Takes `steps` steps. Returns false if the budget is spent.
    pub fn take(&self, steps: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(steps as u64));
        !self.is_spent()
    }

    /// Checks whether more steps were requested than the limit allows.
    pub fn is_spent(&self) -> bool {
        self.spent.get() > self.limit
    }

    /// Forgets the steps taken so far.
    pub fn renew(&self) {
        self.spent.set(0);
    }

    /// Returns the limit in steps.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the number of steps requested so far. It may exceed the limit.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }
}
