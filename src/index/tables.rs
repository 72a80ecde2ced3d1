//! The tables of a new generation's graph but its calls, and the facts on disk.

use super::files::{FactsSource, Former, neither_old_nor_new};
use crate::error::{Error, Kind, Result};
use crate::ids::FileId;
use crate::parse::Facts;
use crate::store::{FileRecord, Generation, GraphWriter, pack};
use rayon::prelude::*;
use std::path::Path;

/// What [`GraphTables::fill`] gives.
pub(super) struct GraphTables {
    pub graph: GraphWriter,
    /// First byte and length of each file's facts in the file of facts.
    pub places: Vec<(u64, u32)>,
    /// The seal of the file of facts.
    pub facts_seal: u64,
}

impl GraphTables {
    /// Fills the tables, and writes the facts into a generation's folder; `records` and `sources` are by file.
    pub fn fill(
        folder: &Path,
        former: Option<&Former<'_>>,
        records: &[FileRecord],
        sources: &[FactsSource<'_>],
    ) -> Result<Self> {
        let (mut graph, mut stored) = (GraphWriter::default(), Vec::new());
        let mut places = Vec::with_capacity(sources.len());
        let packed: Vec<Option<Packed>> = sources.par_iter().map(Packed::of).collect::<Result<_>>()?;
        for ((source, packed), record) in sources.iter().zip(&packed).zip(records) {
            let bytes = match (source, packed, former) {
                (FactsSource::Parsed(parsed), Some(packed), _) => {
                    let (facts, fragments) = (&parsed.facts, &parsed.fragments);
                    graph.file(&record.path, record.language, record.text_id, facts, &packed.syntax, fragments);
                    &packed.facts
                }
                (FactsSource::Former(number), _, Some(former)) => {
                    graph.copy(&former.generation.graph, FileId::new(*number));
                    former.stored.bytes(former.record(*number).facts)
                }
                _ => return Err(neither_old_nor_new()),
            };
            places.push((stored.len() as u64, bytes.len() as u32));
            stored.extend_from_slice(bytes);
        }
        let facts_seal = Generation::write_facts(folder, &stored)?;
        Ok(Self { graph, places, facts_seal })
    }
}

/// A file's facts as they are stored. Made late: while the text index commits, which takes one thread, others are free.
struct Packed {
    facts: Vec<u8>,
    syntax: Vec<u8>,
}

impl Packed {
    /// None of a file that is taken over: its facts are copied as they are.
    fn of(source: &FactsSource<'_>) -> Result<Option<Self>> {
        match source {
            FactsSource::Parsed(parsed) => Self::new(&parsed.facts).map(Some),
            FactsSource::Former(_) => Ok(None),
        }
    }

    fn new(facts: &Facts) -> Result<Self> {
        let stored = postcard::to_allocvec(facts).map_err(|cause| {
            Error::new(Kind::Index, format!("cannot store what a file holds: {cause}"), "report this")
        })?;
        Ok(Self { facts: pack(&stored), syntax: pack(&facts.syntax) })
    }
}
