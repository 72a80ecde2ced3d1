//! The index of passages: opens it, and brings it up to date with the files of the repository.
//!
//! **Invariant:** the index names the content of each file that it contains. It is used only if these
//! are the files that the caller passed, so an answer never mixes two states of the repository.
//!
//! **Several processes:** a writer takes `LOCK`, and tantivy replaces its list of segments by a
//! rename, so a reader sees a complete index without a lock. A reader that finds a file missing
//! because of a writer waits for the lock. If the folder cannot be written, or is damaged and cannot
//! be replaced, the index is built in memory.

use crate::caught::{caught, unusable};
use crate::folder::{LOCK, Unlocked, clear, create_folder, has_right_sums, restrict_files, segment_list, write_sums};
use crate::schema::{Fields, TOKENIZER, schema};
use crate::split::{Format, MOST_LINES, split};
use crate::words::PassageTokenizer;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use tantivy::directory::MmapDirectory;
use tantivy::{Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};
use whichfn_system::error::{Error, Kind, Result};

/// Version of the stored passages. Increment it if the same file gives different passages or terms.
const FORMAT: u32 = 2;
/// Memory for passages that are not written yet, in bytes.
const WRITER_BYTES: usize = 24 << 20;
/// Maximum size in bytes of the texts that wait for the writer.
const QUEUED_BYTES: usize = 16 << 20;
/// Separates the parts of the list of files in the index.
const SEPARATOR: char = '\0';

/// A file that may contain passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Path from the root.
    pub path: String,
    /// Hash of the content.
    pub hash: u128,
}

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    /// The text, or its first lines.
    pub text: String,
    /// True if the text ends before the file.
    pub is_cut: bool,
}

/// An index of the passages of a repository, opened for reading.
pub struct PassageIndex {
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    /// Number of files that were read and split to bring the index up to date.
    pub refreshed_files: usize,
    /// Paths of files of which only the beginning is searched, in order.
    pub truncated: Vec<String>,
}

/// The content of each file in an index, and whether its passages were truncated.
type Contents = BTreeMap<String, (u128, bool)>;

impl PassageIndex {
    /// Opens the index in `folder`, and brings it up to date with `files`. `read` returns the text
    /// of a file, or `None` if it no longer has the content with that hash; the file is then left
    /// out. `progress` receives the number of files that were read, and the number to read.
    ///
    /// # Errors
    /// Returns an error if the index cannot be built even in memory.
    pub fn open(
        folder: &Path,
        files: &[TextFile],
        read: &dyn Fn(&str) -> Option<FileText>,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self> {
        let update = Update { files, read, progress };
        update.current(folder).map_or_else(|| update.built(folder, false), Ok)
    }

    /// Discards the index in `folder`, which turned out to be damaged, and builds it again.
    ///
    /// # Errors
    /// Returns an error if the index cannot be built even in memory.
    pub fn rebuild(
        folder: &Path,
        files: &[TextFile],
        read: &dyn Fn(&str) -> Option<FileText>,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self> {
        Update { files, read, progress }.built(folder, true)
    }
}

/// The files that an index must contain.
struct Update<'a> {
    files: &'a [TextFile],
    read: &'a dyn Fn(&str) -> Option<FileText>,
    progress: &'a dyn Fn(usize, usize),
}

impl Update<'_> {
    /// Checks whether an index contains exactly these files.
    fn is_done(&self, contents: &Contents) -> bool {
        let same = |file: &TextFile| contents.get(&file.path).is_some_and(|(hash, _)| *hash == file.hash);
        contents.len() == self.files.len() && self.files.iter().all(same)
    }

    /// Opens the index in a folder if it is up to date. Nothing is written, and no lock is needed.
    fn current(&self, folder: &Path) -> Option<PassageIndex> {
        let segments = segment_list(folder)?;
        let index = open_folder(folder).filter(|index| self.is_done(&contents(index)))?;
        let opened = caught(|| self.opened(&index, 0)).ok()?;
        // Another process may have written the index meanwhile.
        (segment_list(folder)? == segments).then_some(opened)
    }

    /// Brings the index in a folder up to date. Any failure of the disk leads to an index in memory,
    /// which has the same passages.
    fn built(&self, folder: &Path, is_damaged: bool) -> Result<PassageIndex> {
        caught(|| self.on_disk(folder, is_damaged)).or_else(|cause| {
            tracing::debug!(cause = cause.what(), "the passages are indexed in memory");
            caught(|| self.updated(&Index::create_in_ram(schema().0), None))
        })
    }

    fn on_disk(&self, folder: &Path, is_damaged: bool) -> Result<PassageIndex> {
        let failed = |cause: &std::io::Error| Error::io(Kind::Index, "write", folder, cause);
        create_folder(folder).map_err(|cause| failed(&cause))?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK));
        let lock = lock.map_err(|cause| failed(&cause))?;
        lock.lock().map_err(|cause| failed(&cause))?;
        let known = if is_damaged { None } else { open_folder(folder) };
        // An index that cannot be updated is built again.
        if let Some(updated) = known.and_then(|index| caught(|| self.updated(&index, Some(folder))).ok()) {
            return Ok(updated);
        }
        clear(folder).map_err(|cause| failed(&cause))?;
        let index = Index::create(directory(folder)?, schema().0, tantivy::IndexSettings::default());
        self.updated(&index.map_err(|cause| unusable(&cause))?, Some(folder))
    }

    /// Brings an index up to date, and opens it. `folder` is `None` for an index in memory.
    fn updated(&self, index: &Index, folder: Option<&Path>) -> Result<PassageIndex> {
        let before = contents(index);
        if payload(index).is_some() && self.is_done(&before) {
            return self.opened(index, 0);
        }
        let read = self.write(index, before).map_err(|cause| unusable(&cause))?;
        if let Some(folder) = folder {
            write_sums(folder, index).map_err(|cause| Error::io(Kind::Index, "write", folder, &cause))?;
            restrict_files(folder);
        }
        self.opened(index, read)
    }

    fn opened(&self, index: &Index, refreshed_files: usize) -> Result<PassageIndex> {
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        let reader: tantivy::IndexReader = reader.map_err(|cause| unusable(&cause))?;
        let truncated = contents(index).into_iter().filter(|(_, (_, is_truncated))| *is_truncated);
        let truncated = truncated.map(|(path, _)| path).collect();
        Ok(PassageIndex { searcher: reader.searcher(), fields: schema().1, refreshed_files, truncated })
    }

    /// Removes the passages of files that changed or no longer exist, and adds those of new files.
    /// Returns the number of files that were read.
    fn write(&self, index: &Index, before: Contents) -> tantivy::Result<usize> {
        let (fields, mut read, mut queued) = (schema().1, 0, 0);
        index.tokenizers().register(TOKENIZER, PassageTokenizer::default());
        let mut writer: IndexWriter<TantivyDocument> = index.writer_with_num_threads(1, WRITER_BYTES)?;
        let mut after = Contents::new();
        let known = |file: &TextFile| before.get(&file.path).filter(|(hash, _)| *hash == file.hash);
        let total = self.files.iter().filter(|file| known(file).is_none()).count();
        for file in self.files {
            if let Some(known) = known(file) {
                after.insert(file.path.clone(), *known);
                continue;
            }
            if before.contains_key(&file.path) {
                writer.delete_term(Term::from_field_text(fields.path, &file.path));
            }
            (self.progress)(read, total);
            let Some(FileText { text, is_cut }) = (self.read)(&file.path) else { continue };
            (read, queued) = (read + 1, queued + text.len());
            if queued > QUEUED_BYTES {
                // Waits for the writer. Without a list of files, the index counts as incomplete.
                writer.commit()?;
                queued = 0;
            }
            let found = split(Format::of(&file.path).unwrap_or(Format::Plain), &text);
            let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
            for passage in &found.passages {
                writer.add_document(fields.document(&file.path, passage, &lines))?;
            }
            after.insert(file.path.clone(), (file.hash, found.is_truncated || is_cut));
        }
        let wanted: std::collections::BTreeSet<&str> = self.files.iter().map(|file| &*file.path).collect();
        for path in before.keys().filter(|path| !wanted.contains(path.as_str())) {
            writer.delete_term(Term::from_field_text(fields.path, path));
        }
        let mut commit = writer.prepare_commit()?;
        commit.set_payload(&listed(&after));
        commit.commit()?;
        writer.wait_merging_threads()?;
        Ok(read)
    }
}

/// Opens the index in a folder. Returns `None` if there is none, if another version wrote it, or if
/// it is damaged.
fn open_folder(folder: &Path) -> Option<Index> {
    segment_list(folder)?;
    let opened = caught(|| Index::open(directory(folder)?).map_err(|cause| unusable(&cause)));
    let index = opened.ok()?;
    let is_current = payload(&index)?.split(SEPARATOR).next() == Some(&FORMAT.to_string());
    (is_current && index.schema() == schema().0 && has_right_sums(folder, &index)).then_some(index)
}

fn directory(folder: &Path) -> Result<Unlocked> {
    MmapDirectory::open(folder).map(Unlocked).map_err(|cause| unusable(&cause))
}

fn payload(index: &Index) -> Option<String> {
    index.load_metas().ok()?.payload
}

/// Returns the contents that are named in an index.
fn contents(index: &Index) -> Contents {
    let text = payload(index).unwrap_or_default();
    let mut parts = text.split(SEPARATOR).skip(1);
    let mut contents = Contents::new();
    while let (Some(hash), Some(mark), Some(path)) = (parts.next(), parts.next(), parts.next()) {
        let Ok(hash) = u128::from_str_radix(hash, 16) else { return Contents::new() };
        contents.insert(path.to_owned(), (hash, mark == "+"));
    }
    contents
}

fn listed(contents: &Contents) -> String {
    let mut text = FORMAT.to_string();
    for (path, (hash, is_truncated)) in contents {
        let mark = if *is_truncated { "+" } else { "" };
        text += &format!("{SEPARATOR}{hash:032x}{SEPARATOR}{mark}{SEPARATOR}{path}");
    }
    text
}
