//! The constants, variables, fields and enum variants of a file, packed. They are in a table of
//! their own, so that the numbers and the word statistics of definitions do not depend on them.
//!
//! ```text
//! parent within the file | start of the declaration, as the distance from the previous start |
//! length of the declaration | offset of the name in it | length of the name | the name
//! ```
//! Numbers have a variable length. A value takes about twice as many bytes as its name.
//!
//! **Cost:** a look-up by name reads all values, about 10 ms for a million.

use super::graph_file::GraphFile;
use super::piece::VALUES;
use serde::{Deserialize, Serialize};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::parse::NamedValue;
use whichfn_syntax::varint::{read, write};

/// Identifies a named value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedValueId {
    /// File of the declaration.
    pub file: FileId,
    /// Number of the value in its file, starting at 0.
    pub number: u32,
}

/// A constant, variable, field or enum variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedValueRow<'a> {
    /// Id of the value.
    pub id: NamedValueId,
    /// Own name of the value.
    pub name: &'a str,
    /// Definition that the value belongs to: a type for a member, otherwise the file or a
    /// namespace.
    pub parent: DefinitionId,
    /// Offset of the first byte of the declaration.
    pub start_byte: u32,
    /// Offset after the declaration.
    pub end_byte: u32,
    /// Offset of the first byte of the name.
    pub name_start: u32,
}

/// Packs the values of a file.
pub(super) fn pack_values(values: &[NamedValue]) -> Vec<u8> {
    let (mut packed, mut before) = (Vec::new(), 0u32);
    for value in values {
        let start = value.span.start_byte;
        // Declarations are in order, except for several names of one declaration.
        let numbers = [
            value.parent.0,
            start.saturating_sub(before),
            value.span.end_byte - start.min(value.span.end_byte),
            value.name_start.saturating_sub(start),
            value.name.len() as u32,
        ];
        numbers.into_iter().for_each(|number| write(&mut packed, number));
        packed.extend_from_slice(value.name.as_bytes());
        before = start.max(before);
    }
    packed
}

/// A value without its file: see [`NamedValueRow`].
struct Packed<'a> {
    parent: u32,
    start: u32,
    length: u32,
    name_offset: u32,
    name: &'a str,
}

/// Reads the next value. Returns `None` if the bytes end or are malformed.
fn next<'a>(rest: &mut &'a [u8], before: u32) -> Option<Packed<'a>> {
    let [parent, distance, length, name_offset, name_length] = [(); 5].map(|()| read(rest));
    let (name, after) = rest.split_at_checked(name_length? as usize)?;
    *rest = after;
    let (start, name) = (before.saturating_add(distance?), std::str::from_utf8(name).ok()?);
    Some(Packed { parent: parent?, start, length: length?, name_offset: name_offset?, name })
}

impl GraphFile {
    /// Returns the constants, variables, fields and enum variants of a file, in order.
    pub fn named_values_of(&self, file: FileId) -> impl Iterator<Item = NamedValueRow<'_>> {
        let (piece, number) = self.piece_of(file);
        let (first, count) = (self.file(file).first_definition, self.definitions_of(file).len());
        let (mut rest, mut before, mut numbers) = (piece.sections.part(VALUES, number), 0, 0..);
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let packed = next(&mut rest, before).filter(|packed| (packed.parent as usize) < count);
            let Packed { parent, start, length, name_offset, name } = packed.unwrap_or_else(|| self.reject());
            before = start;
            Some(NamedValueRow {
                id: NamedValueId { file, number: numbers.next()? },
                name,
                parent: DefinitionId(first.0 + parent),
                start_byte: start,
                end_byte: start.saturating_add(length),
                name_start: start.saturating_add(name_offset),
            })
        })
    }

    /// Returns the constants, variables, fields and enum variants of all files, sorted by path and
    /// position.
    pub fn named_values(&self) -> impl Iterator<Item = NamedValueRow<'_>> {
        self.file_ids().flat_map(|file| self.named_values_of(file))
    }

    /// Returns the value with the given id, or `None` if there is none.
    pub fn named_value(&self, id: NamedValueId) -> Option<NamedValueRow<'_>> {
        self.named_values_of(id.file).nth(id.number as usize)
    }
}
