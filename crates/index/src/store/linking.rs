//! The parts of an index that only linking reads: the facts of each file, and the messages that
//! files sent each other. No answer reads them, only a refresh that links again, and they are a
//! third of the index. So a shard stores them separately and compressed, and maps the rest.
//!
//! **Cost:** 30 bytes per line uncompressed, 15 compressed.

use super::generation::Generation;
use super::graph_file::GraphFile;
use super::graph_section::{GraphSection, SectionBytes};
use super::manifest::Seals;
use super::packed_texts::{PackedTexts, TextsWriter};
use super::piece::FACTS;
use super::section_file::SectionFile;
use std::path::Path;
use whichfn_syntax::ids::FileId;
use whichfn_system::error::{Error, Kind, Result};

const MAIL: [GraphSection; 2] = [GraphSection::MailEnds, GraphSection::Mail];

/// Writes the base and the links of a graph without overlay into a folder, without the parts that
/// only linking reads. Those parts go to `path`: for each file its facts and the messages it
/// received. Returns the new seals.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn extract_linking(graph: &GraphFile, folder: &Path, path: &Path) -> Result<Seals> {
    let written = || {
        let mut extracted = TextsWriter::new(path)?;
        for file in graph.file_ids() {
            extracted.add(graph.base().sections.part(FACTS, file.index()))?;
            extracted.add(graph.mail(file))?;
        }
        extracted.finish()
    };
    written().map_err(|cause| Error::io(Kind::Index, "write", path, &cause))?;
    let base = Generation::write_base(folder, &sections_except(&graph.base().sections, FACTS))?;
    let links = Generation::write_links(folder, &sections_except(graph.links(), MAIL))?;
    Ok(Seals { base, overlay: None, links })
}

/// Writes the base and the links into a folder as they were before [`extract_linking`]. Returns
/// their seals. Raises if a part is damaged.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn restore_linking(graph: &GraphFile, extracted: &PackedTexts, folder: &Path) -> Result<Seals> {
    let (files, bytes) = (graph.file_ids(), |number: usize| extracted.bytes(number));
    let facts = ConcatenatedStrings::from_parts(files.clone().map(|file: FileId| bytes(2 * file.index())));
    let base = Generation::write_base(folder, &sections_with(&graph.base().sections, FACTS, &facts))?;
    drop(facts);
    let mail = ConcatenatedStrings::from_parts(files.map(|file| bytes(2 * file.index() + 1)));
    let links = Generation::write_links(folder, &sections_with(graph.links(), MAIL, &mail))?;
    Ok(Seals { base, overlay: None, links })
}

/// Byte strings of files, concatenated, with the end of each.
struct ConcatenatedStrings {
    ends: Vec<u64>,
    bytes: Vec<u8>,
}

impl ConcatenatedStrings {
    fn from_parts(parts: impl Iterator<Item = Vec<u8>>) -> Self {
        let mut all = Self { ends: Vec::new(), bytes: Vec::new() };
        for part in parts {
            all.bytes.extend(part);
            all.ends.push(all.bytes.len() as u64);
        }
        all
    }
}

fn sections_except(file: &SectionFile, sections: [GraphSection; 2]) -> SectionBytes<'_> {
    SectionBytes::new(|section| if sections.contains(&section) { &[] } else { file.section(section) })
}

fn sections_with<'a>(
    file: &'a SectionFile,
    [ends, bytes]: [GraphSection; 2],
    all: &'a ConcatenatedStrings,
) -> SectionBytes<'a> {
    SectionBytes::new(|section| match section {
        section if section == ends => bytemuck::cast_slice(&all.ends),
        section if section == bytes => &all.bytes,
        section => file.section(section),
    })
}
