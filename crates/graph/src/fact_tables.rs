//! The stored form of the tables of [`super::file_facts`]: the lengths, and then each table by
//! columns of bytes, packed with LZ4.
//!
//! The same bytes of consecutive rows are alike: most numbers are small, and the numbers of values
//! grow slowly. By rows, LZ4 leaves half of the bytes, and by columns a quarter.
//!
//! - **Cost:** about 2 ns per byte of the tables, in either direction.

use super::fact_rows::TableLengths;
use super::file_facts::FileFacts;
use bytemuck::Zeroable;
use whichfn_syntax::packed::{pack, unpack};

/// The tables of a file.
#[derive(Debug, Clone, Default)]
pub struct FactTables {
    /// Stored as words, so that the bytes begin at a multiple of eight.
    pub(super) words: Vec<u64>,
}

impl FactTables {
    pub(super) fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    /// Returns a view of the tables, which this process must have written or checked. Returns
    /// `None` if they are truncated.
    pub fn facts(&self) -> Option<FileFacts<'_>> {
        FileFacts::read(self.bytes())
    }

    /// Returns a view of tables that another program may have written; `None` if they are invalid.
    pub fn checked_facts(&self) -> Option<FileFacts<'_>> {
        FileFacts::read_checked(self.bytes())
    }

    /// Returns the bytes to store; empty if there are no tables.
    pub(super) fn stored(&self) -> Vec<u8> {
        let Some((head, mut rest)) = self.bytes().split_at_checked(size_of::<TableLengths>()) else {
            return Vec::new();
        };
        let mut bytes = head.to_vec();
        for (rows, width) in lengths(head).tables() {
            let (table, after) = rest.split_at(rows * width);
            (0..width).for_each(|column| bytes.extend(table[column.min(table.len())..].iter().step_by(width)));
            rest = after;
        }
        bytes.extend(rest);
        pack(&bytes)
    }

    /// Reads the stored bytes of tables. Returns `None` if the bytes are damaged.
    pub fn read(stored: &[u8]) -> Option<Self> {
        let bytes = unpack(stored)?;
        let (head, mut rest) = bytes.split_at_checked(size_of::<TableLengths>())?;
        let mut words = vec![0u64; bytes.len().div_ceil(size_of::<u64>())];
        let into: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let (into_head, mut into) = into.split_at_mut(head.len());
        into_head.copy_from_slice(head);
        for (rows, width) in lengths(head).tables() {
            let (columns, after) = rest.split_at_checked(rows.checked_mul(width)?)?;
            let (table, into_rest) = into.split_at_mut(columns.len());
            for (number, column) in columns.chunks_exact(rows.max(1)).enumerate() {
                table[number..].iter_mut().step_by(width).zip(column).for_each(|(to, &from)| *to = from);
            }
            (rest, into) = (after, into_rest);
        }
        into.get_mut(..rest.len())?.copy_from_slice(rest);
        Some(Self { words })
    }
}

fn lengths(head: &[u8]) -> TableLengths {
    let mut lengths = TableLengths::zeroed();
    bytemuck::bytes_of_mut(&mut lengths).copy_from_slice(head);
    lengths
}
