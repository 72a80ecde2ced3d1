//! Words of definitions to the full-text index of a new generation.

use super::files::Former;
use crate::error::{Error, Kind, Result};
use crate::lang::DefinitionKind;
use crate::parse::{Facts, Field, FieldWords};
use crate::store::{Generation, TextFields, create_folder, document_address, text_failed};
use std::path::Path;
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

/// Memory of the text index writer, in bytes: a repository of a million lines fits without a flush in between.
const WRITER_MEMORY: usize = 96 << 20;
/// For a refresh of a few files, the least that the writer takes, in bytes.
const REFRESH_MEMORY: usize = 16 << 20;
/// A text index of more pieces than this is merged into one.
const MOST_SEGMENTS: usize = 8;
/// What a document takes besides the text of a field, in bytes; a guess that saves moving the text.
const BYTES_BESIDE_TEXT: usize = 8;

/// The full-text index of a generation in the making.
pub(super) struct TextWriter {
    index: Index,
    fields: TextFields,
    writer: IndexWriter,
}

impl TextWriter {
    /// In a generation's folder: an empty text index, or the former generation's.
    pub fn open(folder: &Path, former: Option<&Former<'_>>) -> Result<Self> {
        let folder = Generation::text_folder(folder);
        let ((index, fields), memory) = match former {
            None => (Generation::create_text(&folder)?, WRITER_MEMORY),
            Some(former) => {
                take_over(&Generation::text_folder(former.generation.folder()), &folder)?;
                (Generation::open_text_at(&folder)?, REFRESH_MEMORY)
            }
        };
        let writer: IndexWriter =
            index.writer_with_num_threads(1, memory).map_err(|cause| text_failed("write", &cause))?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self { index, fields, writer })
    }

    /// Adds the definitions of a file.
    pub fn add(&self, text_id: u32, facts: &Facts, words: Vec<FieldWords>) -> Result<()> {
        for (number, (definition, words)) in (0..).zip(facts.definitions.iter().zip(words)) {
            if matches!(definition.kind, DefinitionKind::Anonymous | DefinitionKind::Extension) {
                continue;
            }
            let document = self.document(text_id, number, words);
            self.writer.add_document(document).map_err(|cause| text_failed("write", &cause))?;
        }
        Ok(())
    }

    fn document(&self, text_id: u32, number: u32, words: FieldWords) -> TantivyDocument {
        let room: usize = words.fields.iter().map(|text| text.len() + BYTES_BESIDE_TEXT).sum();
        let mut document = TantivyDocument::with_capacity(room);
        document.add_u64(self.fields.address, document_address(text_id, number));
        document.add_u64(self.fields.file, u64::from(text_id));
        for (field, text) in Field::ALL.into_iter().zip(words.fields) {
            if !text.is_empty() {
                document.add_text(self.fields.text[field as usize], text);
            }
        }
        document
    }

    /// Deletes the documents of a file.
    pub fn delete(&self, text_id: u32) {
        self.writer.delete_term(Term::from_field_u64(self.fields.file, u64::from(text_id)));
    }

    /// Why adding failed: after a worker thread of tantivy died, `add_document` only says so; `commit` returns the cause.
    pub fn cause_of(&mut self, error: Error) -> Error {
        match self.writer.commit() {
            Err(cause) => text_failed("write", &cause),
            Ok(_) => error,
        }
    }

    /// Writes all of it, in one piece if there are many.
    pub fn commit(mut self) -> Result<()> {
        let failed = |cause| text_failed("write", &cause);
        self.writer.commit().map_err(failed)?;
        tracing::debug!("text index committed");
        let segments = self.index.searchable_segment_ids().map_err(failed)?;
        if segments.len() > MOST_SEGMENTS {
            self.writer.merge(&segments).wait().map_err(failed)?;
            self.writer.garbage_collect_files().wait().map_err(failed)?;
        }
        self.writer.wait_merging_threads().map_err(failed)
    }
}

/// The files of a text index are written once, so that a new generation may share them: by hard link, or as copies
/// where the file system has no links.
fn take_over(from: &Path, to: &Path) -> Result<()> {
    let failed = |cause: std::io::Error| Error::io(Kind::Index, "write", to, &cause);
    create_folder(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(|cause| Error::io(Kind::Index, "read", from, &cause))? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        // Locks are not content.
        if name.to_string_lossy().ends_with(".lock") {
            continue;
        }
        let target = to.join(&name);
        if std::fs::hard_link(entry.path(), &target).is_err() {
            std::fs::copy(entry.path(), &target).map_err(failed)?;
        }
    }
    Ok(())
}
