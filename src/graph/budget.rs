//! How much work linking may be: counted steps, so that the bound falls at the same place on every machine.
//!
//! Law:     once the budget is spent it stays spent, and what asks for more is answered "nothing known"; so the work is
//!          bounded by the size of the repository, and the edges are a function of the repository alone.
//! Departs: from a limit of time, which would give other edges on a slower machine.

use std::cell::Cell;

/// Steps for each definition, variable, value and call of the repository. Of 15 measured repositories in ten languages the
/// most expensive, abseil, takes 5.
const STEPS_EACH: u64 = 50;
/// Steps that any repository may take, however small it is: a second or two.
const FLOOR: u64 = 10_000_000;

/// The steps that are left. A step is one visit: of a module in a search, of a candidate for a name, of a constraint.
pub(super) struct StepBudget {
    limit: u64,
    spent: Cell<u64>,
}

impl StepBudget {
    /// For a repository with so many definitions, variables, values and calls together.
    pub fn new(size: u64) -> Self {
        Self { limit: FLOOR + STEPS_EACH * size, spent: Cell::new(0) }
    }

    /// Takes so many steps; false if the budget is spent.
    pub fn take(&self, steps: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(steps as u64));
        !self.is_spent()
    }

    /// Whether more was asked for than there is.
    pub fn is_spent(&self) -> bool {
        self.spent.get() > self.limit
    }

    /// How many steps there are.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// How many steps were asked for.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }
}
