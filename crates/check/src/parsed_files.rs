//! Files of the working tree, parsed on first use.

use super::sides::{ParsedSide, Sides};
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::FileId;
use whichfn_syntax::parse::Parser;
use whichfn_system::error::Result;

/// Cache of parsed files; files of the change are already parsed.
pub(super) struct ParsedFiles<'s, 'a> {
    sides: &'s Sides<'a>,
    parser: Parser,
    /// Parsed files; `None` where parsing failed.
    read: FxHashMap<FileId, Option<ParsedSide<'a>>>,
}

impl<'s, 'a> ParsedFiles<'s, 'a> {
    /// Creates an empty cache for the files outside a change.
    pub fn new(sides: &'s Sides<'a>) -> Self {
        Self { sides, parser: Parser::default(), read: FxHashMap::default() }
    }

    /// Returns a file as it is in the working tree; `None` if it does not parse.
    ///
    /// # Errors
    /// When a language's own data is invalid.
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
