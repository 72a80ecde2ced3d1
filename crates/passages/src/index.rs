//! The index of passages: opens it, and brings it up to date with the files of the repository.
//!
//! **Invariant:** the index names the content of each file that it contains. It is used only if these
//! are the files that the caller passed, so an answer never mixes two states of the repository.
//!
//! **Several processes:** a writer takes `LOCK`, and tantivy replaces its list of segments by a
//! rename, so a reader sees a complete index. If the folder cannot be written, or is damaged and
//! cannot be replaced, the index is built in memory.

use crate::schema::{Fields, TOKENIZER, schema};
use crate::split::{Format, MOST_LINES, split};
use crate::words::PassageTokenizer;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use tantivy::directory::MmapDirectory;
use tantivy::{Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::platform::{owner_only_folders, restrict_file};

/// Version of the stored passages. Increment it if the same file gives different passages or terms.
const FORMAT: u32 = 2;
const LOCK: &str = "LOCK";
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
    /// out.
    ///
    /// # Errors
    /// Returns an error if the index cannot be built even in memory.
    pub fn open(folder: &Path, files: &[TextFile], read: &dyn Fn(&str) -> Option<FileText>) -> Result<Self> {
        let update = Update { files, read };
        if let Some(current) = open_folder(folder).filter(|index| update.is_done(&contents(index))) {
            return update.opened(&current, 0);
        }
        // Any failure of the disk leads to an index in memory, which has the same passages.
        match update.on_disk(folder) {
            Ok(opened) => Ok(opened),
            Err(cause) => {
                tracing::debug!(cause = cause.what(), "the passages are indexed in memory");
                update.in_memory()
            }
        }
    }
}

/// The files that an index must contain.
struct Update<'a> {
    files: &'a [TextFile],
    read: &'a dyn Fn(&str) -> Option<FileText>,
}

impl Update<'_> {
    /// Checks whether an index contains exactly these files.
    fn is_done(&self, contents: &Contents) -> bool {
        let same = |file: &TextFile| contents.get(&file.path).is_some_and(|(hash, _)| *hash == file.hash);
        contents.len() == self.files.len() && self.files.iter().all(same)
    }

    fn on_disk(&self, folder: &Path) -> Result<PassageIndex> {
        let failed = |cause: &std::io::Error| Error::io(Kind::Index, "write", folder, cause);
        create_folder(folder).map_err(|cause| failed(&cause))?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK));
        let lock = lock.map_err(|cause| failed(&cause))?;
        lock.lock().map_err(|cause| failed(&cause))?;
        let (index, read) = match open_folder(folder) {
            Some(index) => self.refresh(index)?,
            None => {
                clear(folder).map_err(|cause| failed(&cause))?;
                let directory = MmapDirectory::open(folder).map_err(|cause| unusable(&cause))?;
                let index = Index::create(directory, schema().0, tantivy::IndexSettings::default());
                self.refresh(index.map_err(|cause| unusable(&cause))?)?
            }
        };
        restrict_files(folder);
        self.opened(&index, read)
    }

    fn in_memory(&self) -> Result<PassageIndex> {
        let (index, read) = self.refresh(Index::create_in_ram(schema().0))?;
        self.opened(&index, read)
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
    fn refresh(&self, index: Index) -> Result<(Index, usize)> {
        let before = contents(&index);
        if self.is_done(&before) {
            return Ok((index, 0));
        }
        let written = self.write(&index, before).map_err(|cause| unusable(&cause))?;
        Ok((index, written))
    }

    fn write(&self, index: &Index, before: Contents) -> tantivy::Result<usize> {
        let (fields, mut read, mut queued) = (schema().1, 0, 0);
        index.tokenizers().register(TOKENIZER, PassageTokenizer::default());
        let mut writer: IndexWriter<TantivyDocument> = index.writer_with_num_threads(1, WRITER_BYTES)?;
        let mut after = Contents::new();
        for file in self.files {
            let known = before.get(&file.path).filter(|(hash, _)| *hash == file.hash);
            if let Some(known) = known {
                after.insert(file.path.clone(), *known);
                continue;
            }
            if before.contains_key(&file.path) {
                writer.delete_term(Term::from_field_text(fields.path, &file.path));
            }
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
    folder.symlink_metadata().ok().filter(fs::Metadata::is_dir)?;
    folder.join("meta.json").symlink_metadata().ok().filter(fs::Metadata::is_file)?;
    let index = Index::open(MmapDirectory::open(folder).ok()?).ok()?;
    let is_current = payload(&index)?.split(SEPARATOR).next() == Some(&FORMAT.to_string());
    let is_sound = || index.validate_checksum().is_ok_and(|damaged| damaged.is_empty());
    (is_current && index.schema() == schema().0 && is_sound()).then_some(index)
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

fn unusable(cause: &dyn std::fmt::Display) -> Error {
    Error::new(Kind::Index, format!("cannot search the text files: {cause}"), Remedy::CheckDisk)
}

/// Creates a folder that only the owner can access (0700). A link in its place is not followed.
fn create_folder(folder: &Path) -> std::io::Result<()> {
    if folder.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
        fs::remove_file(folder)?;
    }
    let mut builder = fs::DirBuilder::new();
    owner_only_folders(builder.recursive(true)).create(folder)
}

/// Removes everything from the folder except the lock.
fn clear(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            _ if entry.file_name() == LOCK => {}
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// Removes other users' access to the files of a folder. A failure is ignored, because other users
/// cannot access the folder.
fn restrict_files(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            restrict_file(&entry.path());
        }
    }
}
