//! Values by symbol, in two flat tables. A map of vectors takes ten times the memory, because most
//! names have only one value.

use whichfn_syntax::parse::Symbol;

/// Values by symbol. The values of one symbol keep their insertion order.
#[derive(Debug)]
pub(super) struct ValuesBySymbol<T> {
    /// Sorted symbols, one for each value.
    symbols: Vec<Symbol>,
    /// The value of each entry of `symbols`.
    values: Vec<T>,
    /// Start of each bucket of symbols with the same leading bits, followed by the total length.
    /// Symbols are hashes, so a bucket contains only a few.
    starts: Vec<u32>,
    bits: u32,
}

impl<T> Default for ValuesBySymbol<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T> ValuesBySymbol<T> {
    pub fn new(mut values: Vec<(Symbol, T)>) -> Self {
        values.sort_by_key(|&(symbol, _)| symbol);
        let bits = values.len().max(2).ilog2();
        let mut starts = vec![0; (1 << bits) + 1];
        for &(symbol, _) in &values {
            starts[leading(symbol, bits) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (symbols, values) = values.into_iter().unzip();
        Self { symbols, values, starts, bits }
    }

    /// Returns the values of a symbol.
    pub fn get(&self, symbol: Symbol) -> &[T] {
        let at = leading(symbol, self.bits);
        let (start, end) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        let alike = &self.symbols[start..end];
        let first = start + alike.iter().take_while(|&&other| other < symbol).count();
        let count = self.symbols[first..end].iter().take_while(|&&other| other == symbol).count();
        &self.values[first..first + count]
    }
}

fn leading(symbol: Symbol, bits: u32) -> usize {
    (symbol >> (Symbol::BITS - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_of_a_symbol_keep_their_order(
            values in prop::collection::vec((prop_oneof![0..4u64, any::<u64>()], any::<u8>()), 0..40),
            queried in prop_oneof![0..4u64, any::<u64>()],
        ) {
            let table = ValuesBySymbol::new(values.clone());
            for symbol in values.iter().map(|&(symbol, _)| symbol).chain([queried]) {
                let expected: Vec<u8> = values.iter().filter(|value| value.0 == symbol).map(|value| value.1).collect();
                prop_assert_eq!(table.get(symbol), expected);
            }
        }
    }
}
