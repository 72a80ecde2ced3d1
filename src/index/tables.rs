//! The pieces of a new generation's graph: what changed goes into the overlay, the base is shared with the former one.
//!
//! Law:    the graph reads as if all had been written into one piece: the same numbers, the same rows
//! Price:  a file's part is made as the file comes, so nothing else of it is kept. An overlay is written anew at each refresh, so
//!         it may grow to a sixteenth of the base ([`SHARE`]); then all is written as a new base. So a refresh writes what changed,
//!         that sixteenth at most, and O(files + calls) of links; and every byte that changed costs, in the long run, the
//!         writing of sixteen

use super::files::{Former, neither_old_nor_new};
use crate::error::{Error, Kind, Result};
use crate::graph::FileFacts;
use crate::ids::FileId;
use crate::store::{FilePart, FinishedPiece, Generation, LinksWriter, PieceTerms, PieceWriter};
use std::path::Path;

/// An overlay has less than one part in so many of the base's bytes, and the base no more than one file in so many that is
/// superseded or gone.
const SHARE: usize = 16;

/// The files of a new generation, told one by one in order of path.
pub(super) struct NewFiles<'a> {
    former: Option<&'a Former<'a>>,
    /// What does not stay in the base of the former generation: all files, where there is none.
    piece: PieceWriter<'a>,
    files: Vec<NewFile>,
}

/// Where a file comes from and where it lies.
#[derive(Clone, Copy)]
enum NewFile {
    /// It was parsed now: its number in the piece.
    Parsed(usize),
    /// It is as it was: its number in the former generation, and in the piece unless it stays in the base.
    Former(usize, Option<usize>),
}

/// What [`NewFiles::write`] gives.
pub(super) struct GraphTables {
    pub links: LinksWriter,
    /// The seal of the base.
    pub base: u64,
    /// The seal of the overlay, if there is one.
    pub overlay: Option<u64>,
}

impl<'a> NewFiles<'a> {
    pub fn new(former: Option<&'a Former<'a>>) -> Self {
        Self { former, piece: PieceWriter::default(), files: Vec::new() }
    }

    /// The next file was parsed.
    pub fn add(&mut self, part: &FilePart<'_>) {
        self.files.push(NewFile::Parsed(self.piece.file_count()));
        self.piece.file(part);
    }

    /// The next file is as it was, with this number in the former generation.
    pub fn take_over(&mut self, number: usize) -> Result<()> {
        let (graph, file) = (&self.former.ok_or_else(neither_old_nor_new)?.generation.graph, FileId::new(number));
        let in_piece = (!graph.is_in_base(file)).then(|| self.piece.file_count());
        self.files.push(NewFile::Former(number, in_piece));
        if in_piece.is_some() {
            self.piece.copy(graph, file);
        }
        Ok(())
    }

    /// How many files were parsed.
    pub fn parsed(&self) -> usize {
        self.files.iter().filter(|file| matches!(file, NewFile::Parsed(_))).count()
    }

    /// Whether a file was parsed.
    pub fn is_parsed(&self, number: usize) -> bool {
        matches!(self.files[number], NewFile::Parsed(_))
    }

    /// What linking takes from a file.
    pub fn facts(&self, number: usize) -> FileFacts<'_> {
        match (self.files[number], self.former) {
            (NewFile::Parsed(at) | NewFile::Former(_, Some(at)), _) => self.piece.facts(at),
            (NewFile::Former(file, None), Some(former)) => former.facts(file),
            (NewFile::Former(_, None), None) => FileFacts::NOTHING,
        }
    }

    /// How many definitions each file has.
    pub fn definitions(&self) -> impl Iterator<Item = usize> {
        self.files.iter().map(|&file| match (file, self.former) {
            (NewFile::Parsed(at) | NewFile::Former(_, Some(at)), _) => self.piece.definitions_of(at),
            (NewFile::Former(file, None), Some(former)) => {
                former.generation.graph.definitions_of(FileId::new(file)).len()
            }
            (NewFile::Former(_, None), None) => 0,
        })
    }

    /// Where the words occur; to be given to [`Self::write`], which then runs beside those who read the files.
    pub fn take_terms(&mut self) -> PieceTerms<'a> {
        self.piece.take_terms()
    }

    /// Writes the pieces into a generation's folder.
    pub fn write(&self, terms: PieceTerms<'_>, folder: &Path) -> Result<GraphTables> {
        let piece = self.piece.finish(terms);
        match self.former {
            Some(former) if self.fits_beside_base(former, &piece) => self.beside_base(folder, former, &piece),
            Some(former) => self.as_one(folder, former, &piece),
            None => {
                let mut links = LinksWriter::default();
                (0..self.files.len()).for_each(|number| links.in_base(&self.piece, number));
                Ok(GraphTables { links, base: Generation::write_base(folder, &piece.sections())?, overlay: None })
            }
        }
    }

    /// Whether enough of the former base is still right.
    fn fits_beside_base(&self, former: &Former<'_>, overlay: &FinishedPiece<'_>) -> bool {
        let (base_files, base_bytes) = former.generation.graph.size_of_base();
        let dead = base_files.saturating_sub(self.files.len() - self.piece.file_count());
        overlay.sections().file_length() * SHARE <= base_bytes && dead * SHARE <= base_files
    }

    /// What the former base has is left there.
    fn beside_base(&self, folder: &Path, former: &Former<'_>, overlay: &FinishedPiece<'_>) -> Result<GraphTables> {
        let mut links = LinksWriter::default();
        for file in &self.files {
            match *file {
                NewFile::Parsed(at) | NewFile::Former(_, Some(at)) => links.in_overlay(&self.piece, at),
                NewFile::Former(file, None) => links.in_shared_base(&former.generation.graph, FileId::new(file)),
            }
        }
        let base = former.generation.share_base(folder)?;
        let has_overlay = self.piece.file_count() > 0;
        let overlay = has_overlay.then(|| Generation::write_overlay(folder, &overlay.sections())).transpose()?;
        Ok(GraphTables { links, base, overlay })
    }

    /// The former base and what lies beside it, as a new base.
    fn as_one(&self, folder: &Path, former: &Former<'_>, beside: &FinishedPiece<'_>) -> Result<GraphTables> {
        let beside = beside.in_memory().map_err(|cause| {
            Error::new(Kind::Index, format!("cannot copy a part of the index: {cause}"), "free some memory")
        })?;
        let (mut base, mut links) = (PieceWriter::default(), LinksWriter::default());
        for (number, file) in self.files.iter().enumerate() {
            match *file {
                NewFile::Parsed(at) | NewFile::Former(_, Some(at)) => base.copy_written(&beside, at),
                NewFile::Former(file, None) => base.copy(&former.generation.graph, FileId::new(file)),
            }
            links.in_base(&base, number);
        }
        let terms = base.take_terms();
        let base = Generation::write_base(folder, &base.finish(terms).sections())?;
        Ok(GraphTables { links, base, overlay: None })
    }
}
