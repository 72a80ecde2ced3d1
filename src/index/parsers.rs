//! Parsers on loan. A parser remembers the names that it read, which is worth most to whoever reads on; rayon asks for
//! a new state whenever it splits work, so what comes later takes over the parser of what is done.

use crate::parse::Parser;
use crate::wordvec::Numbers;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// A parser, and the numbers of the words that it met.
#[derive(Default)]
pub(super) struct Tools {
    pub parser: Parser,
    pub numbers: Numbers,
}

/// Parsers that nobody uses now: as many as there are threads, at most.
#[derive(Default)]
pub(super) struct Parsers(Mutex<Vec<Tools>>);

impl Parsers {
    /// One of them, or a new one.
    pub fn lend(&self) -> Lent<'_> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Lent { tools: known.unwrap_or_default(), of: self }
    }
}

/// A parser that goes back when it is dropped.
pub(super) struct Lent<'a> {
    tools: Tools,
    of: &'a Parsers,
}

impl Deref for Lent<'_> {
    type Target = Tools;

    fn deref(&self) -> &Tools {
        &self.tools
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Tools {
        &mut self.tools
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let tools = std::mem::take(&mut self.tools);
        self.of.0.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
    }
}
