//! Checks the tables of [`super::file_facts`] that were read from a stored index.
//!
//! The checksums of an index detect accidents, but another program can write any content and seal
//! it. The accessors of [`FileFacts`] index tables without handling errors, and some callers follow
//! references recursively, so each stored file passes this check before linking reads it.
//!
//! - **Cost:** one pass over the tables of a file. Files that were parsed in the same run skip it.

use super::fact_rows::*;
use super::file_facts::{FileFacts, kind};
use whichfn_syntax::ids::{LocalId, ValueId};
use whichfn_syntax::lang::DefinitionKind;

/// Limit of the work to follow all values with alternatives to the end, per value of the file. The
/// parser limits how deep alternatives nest, so parsed files stay far below.
const MAX_STEPS_EACH: u64 = 256;

/// Checks whether a number that may be missing is missing or below `count`.
fn is_none_or_below(number: u32, count: usize) -> bool {
    number == NONE || (number as usize) < count
}

/// Checks whether the starts of lists ascend and end within a table of `count` rows.
fn is_ascending(mut starts: impl Iterator<Item = u32>, count: usize) -> bool {
    let mut last = 0;
    starts.all(|start| std::mem::replace(&mut last, start) <= start) && last as usize <= count
}

impl FileFacts<'_> {
    /// Checks that every number refers to a row of its table, that lists ascend, that a definition
    /// comes after its parent, and that a value comes after the values that it consists of.
    pub(super) fn is_sound(&self) -> bool {
        self.has_sound_definitions()
            && self.has_sound_calls()
            && self.has_sound_imports()
            && self.variables.iter().all(|row| self.has_definition(row.scope) && self.has_symbol(row.name))
            && self.values.iter().zip(0..).all(|(row, number)| self.is_sound_value(row, number))
            && self.bindings.iter().all(|row| match row.name {
                NONE => self.has_variable(row.object) && self.has_value(row.value),
                name => self.has_value(ValueId(row.object)) && self.has_symbol(name) && self.has_value(row.value),
            })
            && self.returns.iter().all(|row| self.has_definition(row.definition) && self.has_value(row.value))
            && (self.alternatives.is_empty() || self.has_few_steps())
    }

    fn has_symbol(&self, number: u32) -> bool {
        (number as usize) < self.symbols.len()
    }

    fn has_definition(&self, id: LocalId) -> bool {
        id.index() < self.definition_count()
    }

    fn has_variable(&self, number: u32) -> bool {
        (number as usize) < self.variables.len()
    }

    fn has_value(&self, id: ValueId) -> bool {
        id.index() < self.values.len()
    }

    fn has_sound_definitions(&self) -> bool {
        let mut rows = self.definitions[..self.definition_count()].iter().zip(0..);
        // A search for the named definition around a call ends at the file.
        kind(&self.definitions[0]) != DefinitionKind::Anonymous
            && is_ascending(self.definitions.iter().map(|row| row.first_parameter), self.parameters.len())
            && is_ascending(self.definitions.iter().map(|row| row.first_base), self.bases.len())
            && rows.all(|(row, number)| {
                (row.parent.0 < number || number == 0 && row.parent == LocalId::FILE)
                    && self.has_symbol(row.name)
                    && self.has_symbol(row.qualified_name)
                    && is_none_or_below(row.receiver, self.variables.len())
                    && is_none_or_below(row.owner, self.values.len())
                    && is_none_or_below(row.returns, self.values.len())
            })
            && self.parameters.iter().all(|row| {
                self.has_variable(row.variable.0)
                    && self.has_symbol(row.name)
                    && is_none_or_below(row.declared, self.values.len())
            })
            && self.bases.iter().all(|&value| self.has_value(value))
    }

    fn has_sound_calls(&self) -> bool {
        self.calls.len() + self.operators.len() == self.places.len() + 1
            && is_ascending(self.calls.iter().map(|row| row.first_argument), self.arguments.len())
            && self.calls[..self.call_count()]
                .iter()
                .all(|row| self.has_definition(row.scope) && self.has_value(row.callee))
            && self
                .arguments
                .iter()
                .all(|row| is_none_or_below(row.name, self.symbols.len()) && self.has_value(row.value))
            && self
                .operators
                .iter()
                .all(|row| self.has_definition(row.scope) && self.has_value(row.object) && self.has_symbol(row.name))
    }

    fn has_sound_imports(&self) -> bool {
        self.imports.iter().all(|row| {
            let end = [row.first_byte, row.path_bytes, row.name_bytes].map(u64::from).iter().sum::<u64>();
            end <= self.text.len() as u64
                // A part takes a byte, except a single empty one.
                && row.parts <= row.path_bytes + 1
                && self.has_symbol(row.path)
                && self.has_symbol(row.full_path)
                && is_none_or_below(row.name, self.symbols.len())
                && is_none_or_below(row.variable, self.variables.len())
        })
    }

    fn is_sound_value(&self, row: &ValueFacts, number: u32) -> bool {
        let first = row.what >> TAG_BITS;
        match row.what & ((1 << TAG_BITS) - 1) {
            VARIABLE => self.has_variable(first),
            FREE => self.has_definition(LocalId(first)) && self.has_symbol(row.other),
            ACCESS => first < number && self.has_symbol(row.other),
            CALL => (first as usize) < self.call_count(),
            DEFINITION | SUPER | SELF_TYPE => self.has_definition(LocalId(first)),
            ANY => u64::from(first) + u64::from(row.other) <= self.alternatives.len() as u64,
            INSTANCE | ELEMENT => first < number,
            LITERAL => self.has_symbol(row.other),
            OPERATION => first < number && row.other < number,
            _ => true,
        }
    }

    /// Checks that alternatives come before the value that they belong to, and that following all
    /// values to the end takes a bounded number of steps. Values that share alternatives over many
    /// levels could otherwise take a number of steps that is exponential in the number of levels.
    fn has_few_steps(&self) -> bool {
        let max_steps = MAX_STEPS_EACH * (self.values.len() as u64 + self.bases.len() as u64);
        let (mut steps, mut total) = (Vec::<u64>::with_capacity(self.values.len()), 0u64);
        for row in self.values {
            let first = (row.what >> TAG_BITS) as usize;
            let tag = row.what & ((1 << TAG_BITS) - 1);
            let below = match tag {
                ANY => {
                    let mut sum = 0u64;
                    for value in &self.alternatives[first..first + row.other as usize] {
                        let Some(steps) = steps.get(value.index()) else { return false };
                        sum += steps;
                        if total + sum > max_steps {
                            return false;
                        }
                    }
                    sum
                }
                ACCESS | INSTANCE | ELEMENT => steps[first],
                OPERATION => steps[first].saturating_add(steps[row.other as usize]),
                _ => 0,
            };
            total += if matches!(tag, ANY | INSTANCE) { below } else { 0 };
            steps.push(below + 1);
        }
        let owners = self.definitions.iter().filter_map(|row| steps.get(row.owner as usize));
        total += self.bases.iter().map(|value| steps[value.index()]).chain(owners.copied()).sum::<u64>();
        total <= max_steps
    }
}
