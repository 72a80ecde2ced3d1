//! Writes the pieces of a new generation's graph. Changed files go into the overlay, and the base
//! is shared with the previous generation.
//!
//! **Invariant:** the graph gives the same numbers and rows as if all files had been written into
//! one piece.
//!
//! **Cost:** the tables of a file are built when the file arrives, and nothing else of the file is
//! kept. Each refresh rewrites the overlay, which may grow to a sixteenth of the base ([`SHARE`]).
//! When it is larger, everything is written as a new base. A refresh therefore writes the changes,
//! at most a sixteenth of the base, and O(files + calls) of links. In the long run, each changed
//! byte causes sixteen bytes to be written.

use super::files::{PreviousGeneration, missing_from_plan};
use crate::store::{FilePart, FinishedPiece, Generation, LinksWriter, PieceWriter, Seals, WrittenPiece};
use std::cell::Cell;
use std::path::Path;
use whichfn_graph::FileFacts;
use whichfn_syntax::ids::FileId;
use whichfn_system::error::{Error, Kind, Result};

/// Limit on the overlay: its size is at most 1/`SHARE` of the base's bytes, and at most 1/`SHARE`
/// of the base's files are replaced or deleted.
const SHARE: usize = 16;

/// The files of a new generation, which are added one by one, sorted by path.
pub(super) struct NewFiles<'a> {
    previous: Option<&'a PreviousGeneration<'a>>,
    /// Files that are not in the previous generation's base. If there is no previous generation,
    /// these are all files.
    piece: PieceWriter<'a>,
    files: Vec<NewFile>,
}

/// The origin and position of a file.
#[derive(Clone, Copy)]
enum NewFile {
    /// The file was newly parsed. This is its number in the new piece.
    Parsed(usize),
    /// The file is unchanged. The numbers are its number in the previous generation and, unless it
    /// stays in the base, its number in the new piece.
    Previous(usize, Option<usize>),
}

/// The result of [`NewFiles::write`]: the written pieces, opened for reading, and the links under
/// construction.
pub(super) struct GraphTables {
    pub links: LinksWriter,
    /// Seals of the pieces. The seal of the links is not set yet.
    pub seals: Seals,
    base: WrittenPiece,
    overlay: Option<WrittenPiece>,
    /// For each file, true if it was newly parsed.
    parsed: Vec<bool>,
    /// For each file, true if its facts need no check, because they were just parsed or were
    /// checked before.
    is_checked: Vec<Cell<bool>>,
}

impl GraphTables {
    /// Returns the number of newly parsed files.
    pub fn parsed(&self) -> usize {
        self.parsed.iter().filter(|is_parsed| **is_parsed).count()
    }

    /// Checks whether a file was newly parsed.
    pub fn is_parsed(&self, file: usize) -> bool {
        self.parsed[file]
    }

    /// Checks whether a file declares functions that it does not define.
    pub fn has_declarations(&self, file: usize) -> bool {
        let (piece, number) = self.place(file);
        piece.has_declarations(number)
    }

    fn place(&self, file: usize) -> (&WrittenPiece, usize) {
        let (in_overlay, number) = self.links.place(file);
        (self.overlay.as_ref().filter(|_| in_overlay).unwrap_or(&self.base), number)
    }

    /// Returns the facts that linking needs about a file. Facts that were copied from the previous
    /// generation are checked on the first call. Panics if they are malformed.
    pub fn facts(&self, file: usize) -> FileFacts<'_> {
        let (piece, number) = self.place(file);
        match self.is_checked[file].replace(true) {
            true => piece.facts(number),
            false => piece.copied_facts(number, self.links.definition_count(file)),
        }
    }
}

impl<'a> NewFiles<'a> {
    pub fn new(previous: Option<&'a PreviousGeneration<'a>>) -> Self {
        Self { previous, piece: PieceWriter::default(), files: Vec::new() }
    }

    /// Adds the next file, which was newly parsed.
    pub fn add(&mut self, part: &FilePart<'_>) {
        self.files.push(NewFile::Parsed(self.piece.file_count()));
        self.piece.file(part);
    }

    /// Adds the next file, which is unchanged. `number` is its number in the previous generation.
    pub fn keep_file(&mut self, number: usize) -> Result<()> {
        let (graph, file) = (&self.previous.ok_or_else(missing_from_plan)?.generation.graph, FileId::new(number));
        let in_piece = (!graph.is_in_base(file)).then(|| self.piece.file_count());
        self.files.push(NewFile::Previous(number, in_piece));
        if in_piece.is_some() {
            self.piece.copy(graph, file);
        }
        Ok(())
    }

    /// Writes the pieces to a generation's folder.
    pub fn write(self, folder: &Path) -> Result<GraphTables> {
        let Self { previous, piece, files } = self;
        let (in_piece, piece) = (piece.file_count(), piece.finish());
        let parsed: Vec<bool> = files.iter().map(|file| matches!(file, NewFile::Parsed(_))).collect();
        let (links, base, overlay) = match previous {
            Some(previous) if can_keep_base(previous, &piece, (in_piece, files.len() - in_piece)) => {
                let overlay = (in_piece > 0).then(|| Generation::write_overlay(folder, &piece.sections()));
                (link_to_base(previous, &piece, &files), previous.generation.share_base(folder)?, overlay.transpose()?)
            }
            Some(previous) => {
                let new_piece = piece.in_memory().map_err(|cause| {
                    Error::new(Kind::Index, format!("cannot copy part of the index: {cause}"), "free up some memory")
                })?;
                let (links, base) = merge_into_base(previous, &new_piece, &files);
                (links, Generation::write_base(folder, &base.finish().sections())?, None)
            }
            None => {
                let mut links = LinksWriter::default();
                (0..files.len()).for_each(|number| links.add_from_base(piece.tables(), number));
                (links, Generation::write_base(folder, &piece.sections())?, None)
            }
        };
        drop(piece);
        Ok(GraphTables {
            links,
            seals: Seals { base, overlay, ..Seals::default() },
            base: Generation::open_base(folder, base)?,
            overlay: overlay.map(|seal| Generation::open_overlay(folder, seal)).transpose()?,
            is_checked: parsed.iter().copied().map(Cell::new).collect(),
            parsed,
        })
    }
}

/// Checks whether enough of the previous base is still valid. `stay` is the number of its files
/// that are unchanged, and `new` the number of files in the overlay.
fn can_keep_base(previous: &PreviousGeneration<'_>, overlay: &FinishedPiece<'_>, (new, stay): (usize, usize)) -> bool {
    let (base_files, base_bytes) = previous.generation.graph.size_of_base();
    let dead = base_files.saturating_sub(stay);
    if previous.is_sibling {
        // A first index has one piece, as if it was built from scratch.
        return dead == 0 && new == 0;
    }
    overlay.sections().file_length() * SHARE <= base_bytes && dead * SHARE <= base_files
}

/// Creates links in which the unchanged files stay in the previous base.
fn link_to_base(previous: &PreviousGeneration<'_>, overlay: &FinishedPiece<'_>, files: &[NewFile]) -> LinksWriter {
    let mut links = LinksWriter::default();
    for file in files {
        match *file {
            NewFile::Parsed(at) | NewFile::Previous(_, Some(at)) => links.add_from_overlay(overlay.tables(), at),
            NewFile::Previous(file, None) => links.add_from_shared_base(&previous.generation.graph, FileId::new(file)),
        }
    }
    links
}

/// Merges the previous base and the new piece into a new base, and creates links to it.
fn merge_into_base<'a>(
    previous: &'a PreviousGeneration<'_>,
    new_piece: &'a WrittenPiece,
    files: &[NewFile],
) -> (LinksWriter, PieceWriter<'a>) {
    let (mut base, mut links) = (PieceWriter::default(), LinksWriter::default());
    for (number, file) in files.iter().enumerate() {
        match *file {
            NewFile::Parsed(at) | NewFile::Previous(_, Some(at)) => base.copy_written(new_piece, at),
            NewFile::Previous(file, None) => base.copy(&previous.generation.graph, FileId::new(file)),
        }
        links.add_from_base(&base, number);
    }
    (links, base)
}
