//! The pieces of a new generation's graph: what changed goes into the overlay, the base is shared with the former one.
//!
//! Law:    the graph reads as if all had been written into one piece: the same numbers, the same rows
//! Price:  an overlay is written anew at each refresh, so it may grow to a sixteenth of the base ([`SHARE`]); then all is
//!         written as a new base. So a refresh writes what changed, that sixteenth at most, and O(files + calls) of links;
//!         and every byte that changed costs, in the long run, the writing of sixteen

use super::files::{FactsSource, Former, ParsedFile, neither_old_nor_new};
use crate::error::Result;
use crate::ids::FileId;
use crate::store::{FilePart, FileRecord, Generation, GraphFile, LinksWriter, PieceWriter, pack};
use rayon::prelude::*;
use std::path::Path;

/// An overlay has less than one part in so many of the base's bytes, and the base no more than one file in so many that is
/// superseded or gone.
const SHARE: usize = 16;

/// What [`GraphTables::fill`] gives.
pub(super) struct GraphTables {
    pub links: LinksWriter,
    /// The seal of the base.
    pub base: u64,
    /// The seal of the overlay, if there is one.
    pub overlay: Option<u64>,
}

impl GraphTables {
    /// Writes the pieces into a generation's folder; `records` and `sources` are by file.
    pub fn fill(
        folder: &Path,
        former: Option<&Former<'_>>,
        records: &[FileRecord],
        sources: &[FactsSource<'_>],
    ) -> Result<Self> {
        // Made late: while the text index commits, which takes one thread, others are free.
        let packed = |source: &FactsSource<'_>| match source {
            FactsSource::Parsed(parsed) => Some(pack(&parsed.facts.syntax)),
            FactsSource::Former(_) => None,
        };
        let syntax = sources.par_iter().map(packed).collect();
        let files = Files { former, records, sources, syntax };
        match former {
            Some(former) => files.beside_base(folder, former)?.map_or_else(|| files.anew(folder), Ok),
            None => files.anew(folder),
        }
    }
}

/// The files of a new generation.
struct Files<'a> {
    former: Option<&'a Former<'a>>,
    records: &'a [FileRecord],
    sources: &'a [FactsSource<'a>],
    /// The packed syntax tree of each file that was parsed.
    syntax: Vec<Option<Vec<u8>>>,
}

impl<'a> Files<'a> {
    /// Everything in one base.
    fn anew(&self, folder: &Path) -> Result<GraphTables> {
        let (mut base, mut links) = (PieceWriter::default(), LinksWriter::default());
        for number in 0..self.sources.len() {
            self.add(number, &mut base)?;
            links.in_base(&base);
        }
        let base = Generation::write_base(folder, &base.finish().sections())?;
        Ok(GraphTables { links, base, overlay: None })
    }

    /// What the former base has is left there. None if too little of it is still right.
    fn beside_base(&self, folder: &Path, former: &Former<'_>) -> Result<Option<GraphTables>> {
        let graph: &GraphFile = &former.generation.graph;
        let (mut overlay, mut links) = (PieceWriter::default(), LinksWriter::default());
        for (number, source) in self.sources.iter().enumerate() {
            let stays = matches!(*source, FactsSource::Former(file) if links.in_shared_base(graph, FileId::new(file)));
            if !stays {
                self.add(number, &mut overlay)?;
                links.in_overlay(&overlay);
            }
        }
        let (base_files, base_bytes) = graph.size_of_base();
        let changed = overlay.file_count();
        let dead = base_files.saturating_sub(self.sources.len() - changed);
        let overlay = overlay.finish();
        if overlay.sections().file_length() * SHARE > base_bytes || dead * SHARE > base_files {
            return Ok(None);
        }
        let base = former.generation.share_base(folder)?;
        let overlay = (changed > 0).then(|| Generation::write_overlay(folder, &overlay.sections())).transpose()?;
        Ok(Some(GraphTables { links, base, overlay }))
    }

    fn add(&self, number: usize, piece: &mut PieceWriter<'a>) -> Result<()> {
        match (self.sources[number], &self.syntax[number], self.former) {
            (FactsSource::Parsed(ParsedFile { facts, fragments, terms, linking, .. }), Some(syntax), _) => {
                let FileRecord { path, language, .. } = &self.records[number];
                let (flow, language) = (linking.bytes(), *language);
                piece.file(&FilePart { path, language, facts, flow, syntax, fragments, terms });
            }
            (FactsSource::Former(file), _, Some(former)) => piece.copy(&former.generation.graph, FileId::new(file)),
            _ => return Err(neither_old_nor_new()),
        }
        Ok(())
    }
}
