//! Files of the working tree, parsed when they are asked for.

use super::sides::{ParsedSide, Sides};
use crate::error::Result;
use crate::ids::FileId;
use crate::parse::Parser;
use rustc_hash::FxHashMap;

/// Files parsed so far; those of the change are parsed already.
pub(super) struct ParsedFiles<'s, 'a> {
    sides: &'s Sides<'a>,
    parser: Parser,
    /// None where parsing failed.
    read: FxHashMap<FileId, Option<ParsedSide<'a>>>,
}

impl<'s, 'a> ParsedFiles<'s, 'a> {
    /// Beside a change.
    pub fn new(sides: &'s Sides<'a>) -> Self {
        Self { sides, parser: Parser::default(), read: FxHashMap::default() }
    }

    /// A file as it is in the working tree; none where it does not parse.
    ///
    /// # Errors
    /// When a language's own data is wrong.
    pub fn side(&mut self, file: FileId) -> Result<Option<&ParsedSide<'a>>> {
        if let Some(side) = self.sides.changed(file).and_then(|changed| changed.new.as_ref()) {
            return Ok(Some(side));
        }
        if !self.read.contains_key(&file) {
            let text = self.sides.sources().text(file).to_string();
            let path = self.sides.graph.path(file);
            let side = ParsedSide::parse(self.sides.registry, &mut self.parser, path, text)?;
            self.read.insert(file, side);
        }
        Ok(self.read.get(&file).and_then(Option::as_ref))
    }
}
