//! Parsers on loan. A parser remembers the names that it read, which is worth most to whoever reads on; rayon asks for
//! a new state whenever it splits work, so what comes later takes over the parser of what is done.

use crate::parse::Parser;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Parsers that nobody uses now: as many as there are threads, at most.
#[derive(Default)]
pub(super) struct Parsers(Mutex<Vec<Parser>>);

impl Parsers {
    /// One of them, or a new one.
    pub fn lend(&self) -> Lent<'_> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Lent { parser: known.unwrap_or_default(), of: self }
    }
}

/// A parser that goes back when it is dropped.
pub(super) struct Lent<'a> {
    parser: Parser,
    of: &'a Parsers,
}

impl Deref for Lent<'_> {
    type Target = Parser;

    fn deref(&self) -> &Parser {
        &self.parser
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Parser {
        &mut self.parser
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let parser = std::mem::take(&mut self.parser);
        self.of.0.lock().unwrap_or_else(PoisonError::into_inner).push(parser);
    }
}
