//! Maps the numbers of files, directories and items before an edit to their numbers after it.

use super::alignment::Alignment;
use super::stored_message::{DefinitionName, PointerName, Renaming};
use crate::modules::Paths;
use crate::names::Source;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DirectoryId, FileId, IdVec, LocalId};

/// Mapping from the numbers before an edit to the numbers after it. It preserves order.
#[derive(Default)]
pub struct Renumbering {
    /// The number after the edit of each file before it; `None` if it was removed.
    files: IdVec<FileId, Option<FileId>>,
    /// The number before the edit of each file after it; `None` if it was added.
    previous: IdVec<FileId, Option<FileId>>,
    /// True if the same files existed before the edit.
    keeps_files: bool,
    /// The number after the edit of each directory before it; empty if `keeps_files`.
    directories: IdVec<DirectoryId, Option<DirectoryId>>,
    /// Alignments of the items of edited files, by the number of the file before the edit.
    alignments: FxHashMap<FileId, Alignment>,
}

impl Renumbering {
    /// Matches files by path and language. Both lists are sorted by path.
    pub(crate) fn new(old: &[Source<'_>], new: &[Source<'_>]) -> Self {
        let mut candidates = (0..).map(FileId).zip(new).peekable();
        let mut previous = IdVec::repeat(None, new.len());
        let files: IdVec<FileId, Option<FileId>> = (0..)
            .map(FileId)
            .zip(old)
            .map(|(number, file)| {
                while candidates.next_if(|(_, other)| other.path < file.path).is_some() {}
                let (found, _) = candidates.next_if(|(_, other)| is_same_file(other, file))?;
                previous[found] = Some(number);
                Some(found)
            })
            .collect();
        let keeps_files = files.len() == previous.len() && files.iter().all(Option::is_some);
        Self { files, previous, keeps_files, ..Self::default() }
    }

    /// Adds the mapping of directories, which are matched by path.
    pub(crate) fn add_directories(&mut self, old: &Paths, new: &Paths) {
        self.directories = old.directories().iter().map(|path| new.directory_at(path)).collect();
    }

    /// Adds the mapping of the items of an edited file.
    pub(crate) fn add_alignment(&mut self, old: FileId, alignment: Alignment) {
        self.alignments.insert(old, alignment);
    }

    /// Returns the number of a file after the edit; `None` if it was removed.
    pub fn file(&self, old: FileId) -> Option<FileId> {
        self.files.get(old).copied().flatten()
    }

    /// Returns the number of a file before the edit; `None` if it was added.
    pub fn previous(&self, new: FileId) -> Option<FileId> {
        self.previous.get(new).copied().flatten()
    }

    /// Returns the number within its file of a definition after the edit; `None` if it was removed.
    /// The file itself is given by its number before the edit.
    pub fn definition(&self, file: FileId, old: LocalId) -> Option<LocalId> {
        self.alignments.get(&file).map_or(Some(old), |alignment| alignment.definition(old))
    }

    /// Checks whether a definition was added. The file is given by its number after the edit.
    pub(crate) fn is_new(&self, file: FileId, new: LocalId) -> bool {
        let alignment = |previous| self.alignments.get(&previous);
        self.previous(file).is_none_or(|previous| alignment(previous).is_some_and(|one| one.is_new_definition(new)))
    }

    /// Checks whether the same files existed before the edit.
    pub fn keeps_files(&self) -> bool {
        self.keeps_files
    }

    /// Checks whether every directory that existed before the edit keeps its number.
    pub(crate) fn keeps_directories(&self) -> bool {
        self.directories.enumerate().all(|(old, &new)| new == Some(old))
    }

    /// Checks whether a file still exists and all its items keep their numbers.
    pub(crate) fn keeps_items(&self, file: FileId) -> bool {
        self.file(file).is_some() && self.alignments.get(&file).is_none_or(Alignment::keeps_all)
    }
}

fn is_same_file(one: &Source<'_>, other: &Source<'_>) -> bool {
    one.path == other.path && one.language == other.language
}

impl Renaming<PointerName, DefinitionName, PointerName, DefinitionName> for &Renumbering {
    fn pointer(&mut self, pointer: PointerName) -> Option<PointerName> {
        Some(match pointer {
            PointerName::Own { file, kind, number } => {
                let number = match self.alignments.get(&file) {
                    Some(alignment) => alignment.pointer(kind, number)?,
                    None => number,
                };
                PointerName::Own { file: self.file(file)?, kind, number }
            }
            PointerName::Undeclared { owner, name } => {
                PointerName::Undeclared { owner: Renaming::definition(self, owner)?, name }
            }
        })
    }

    fn definition(&mut self, id: DefinitionName) -> Option<DefinitionName> {
        Some(DefinitionName { file: self.file(id.file)?, local: Renumbering::definition(self, id.file, id.local)? })
    }

    fn file(&mut self, file: FileId) -> Option<FileId> {
        Renumbering::file(self, file)
    }

    fn directory(&mut self, directory: DirectoryId) -> Option<DirectoryId> {
        match self.directories.is_empty() {
            true => Some(directory),
            false => self.directories.get(directory).copied().flatten(),
        }
    }
}
