//! Reads the files of an index, from the repository that it was built from, or from its shard.
//!
//! **Cost:** a file is read once while its text is cached. The cache helps because a chunk often
//! contains several functions of one file, and results are often neighbors.

use crate::fragment::LineEnds;
use crate::store::{FileRecord, Generation, GraphFile, ShardMember};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use whichfn_scan::{content_hash, decode};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::untrusted::open_below;
use whichfn_text::path_from_text;

/// Maximum number of bytes of cached text. Above it, the whole cache is cleared: a caller that
/// reads file by file never needs earlier files, and a question reads far less.
pub const CACHE_BYTES: usize = 64 << 20;

/// The source of the texts.
#[derive(Clone, Copy)]
enum TextPlace<'a> {
    /// Files below this folder, which may have changed since they were indexed.
    Root(&'a Path),
    /// An archive, which contains the indexed texts.
    Member(&'a ShardMember),
}

/// Reads texts of the files of an index, and caches them.
pub struct Sources<'a> {
    text_place: TextPlace<'a>,
    graph: &'a GraphFile,
    records: &'a [FileRecord],
    left_out: RefCell<BTreeSet<FileId>>,
    cache: RefCell<LastFile>,
}

#[derive(Default)]
struct LastFile {
    texts: FxHashMap<FileId, Rc<str>>,
    bytes: usize,
    /// The line ends of the last queried file. Syntax nodes are queried file by file, so one is
    /// enough.
    lines: Option<(FileId, LineEnds)>,
}

impl<'a> Sources<'a> {
    /// Reads the files of an index below `root`.
    pub fn new(root: &'a Path, generation: &'a Generation) -> Self {
        Self::at(TextPlace::Root(root), generation)
    }

    /// Reads the files of a member of a shard, as they were indexed. None is ever left out.
    pub fn from_member(member: &'a ShardMember) -> Self {
        Self::at(TextPlace::Member(member), &member.generation)
    }

    fn at(text_place: TextPlace<'a>, generation: &'a Generation) -> Self {
        let (graph, records) = (&generation.graph, &generation.manifest.files[..]);
        Self { text_place, graph, records, left_out: RefCell::default(), cache: RefCell::default() }
    }

    /// Returns the index of these files.
    pub fn graph(&self) -> &'a GraphFile {
        self.graph
    }

    /// Returns the root of the repository, or an empty path for a member of a shard.
    pub fn root(&self) -> &'a Path {
        match self.text_place {
            TextPlace::Root(root) => root,
            TextPlace::Member(_) => Path::new(""),
        }
    }

    /// Returns the text of a file as it was indexed. The result is empty if the file has changed
    /// since, was deleted, or is reached through a link ([`Self::left_out`]).
    pub fn text(&self, file: FileId) -> Rc<str> {
        if let Some(text) = self.cache.borrow().texts.get(&file) {
            return text.clone();
        }
        let text: Rc<str> = match self.as_indexed(file) {
            Some(text) => text.into(),
            None => {
                self.left_out.borrow_mut().insert(file);
                Rc::default()
            }
        };
        let mut cache = self.cache.borrow_mut();
        if cache.bytes + text.len() > CACHE_BYTES {
            (cache.texts, cache.bytes) = (FxHashMap::default(), 0);
        }
        cache.bytes += text.len();
        cache.texts.insert(file, text.clone());
        text
    }

    /// Returns the paths of requested files whose text was left out, because it is not what was
    /// indexed.
    pub fn left_out(&self) -> Vec<String> {
        self.left_out.borrow().iter().map(|&file| self.graph.path(file).to_owned()).collect()
    }

    /// Returns the text of a definition, or an empty text if the file has changed since.
    pub fn text_of(&self, id: DefinitionId) -> String {
        let row = self.graph.definition(id);
        piece(&self.text(row.file), (row.start_byte, row.end_byte)).to_owned()
    }

    /// Returns some lines of a file, without the last line break. `first` and `last` count from 1
    /// and are both included. Returns `None` if the file has no such lines.
    pub fn lines(&self, file: FileId, (first, last): (u32, u32)) -> Option<String> {
        let text = self.text(file);
        let lines: Vec<&str> = text.lines().skip(first as usize - 1).take((last - first + 1) as usize).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Returns the first and the last line, from 1, of a byte range of a file at the time of
    /// indexing. It reads no file.
    pub fn line_span(&self, file: FileId, start: u32, end: u32) -> (u32, u32) {
        let known = self.cache.borrow().lines.as_ref().is_some_and(|(last, _)| *last == file);
        if !known {
            let ends = LineEnds::unpack(self.graph.line_ends(file));
            self.cache.borrow_mut().lines = Some((file, ends));
        }
        self.cache
            .borrow()
            .lines
            .as_ref()
            .map_or((1, 1), |(_, ends)| (ends.line(start), ends.line(end.saturating_sub(1).max(start))))
    }

    /// Returns the file at a path from the root, or `None` if it is not in the index.
    pub fn indexed(&self, path: &str) -> Option<FileId> {
        self.graph.file_ids().find(|&file| self.graph.path(file) == path)
    }

    /// Returns the file at a path from the root, for sending it to a language model.
    ///
    /// # Errors
    /// Returns an error if the file is not in the index: it may be ignored because of its content.
    pub fn may_be_sent(&self, path: &str) -> Result<FileId> {
        self.indexed(path).ok_or_else(|| {
            let what = format!("{path} is not in the index, so it is not sent to a model");
            Error::new(Kind::Path, what, Remedy::SendNothing)
        })
    }

    /// Returns the text at a path from the root, whether or not it is indexed. Editors request new
    /// or ignored files, and receive only what they already have open. Returns `None` if there is
    /// no such file, or it is not text.
    pub fn on_disk(&self, path: &str) -> Option<String> {
        let bytes = match self.text_place {
            TextPlace::Root(root) => read_below(root, path)?,
            TextPlace::Member(member) => member.bytes(self.indexed(path)?),
        };
        decode(&bytes).map(Cow::into_owned)
    }

    /// Returns the text of a file if its bytes are the indexed ones.
    fn as_indexed(&self, file: FileId) -> Option<String> {
        decode(&self.bytes(file)?).map(Cow::into_owned)
    }

    /// Returns the bytes of a file, undecoded, if they are the indexed ones.
    pub fn bytes(&self, file: FileId) -> Option<Vec<u8>> {
        let bytes = match self.text_place {
            TextPlace::Root(root) => read_below(root, self.graph.path(file))?,
            TextPlace::Member(member) => return Some(member.bytes(file)),
        };
        let is_same = self.records.get(file.index()).is_some_and(|record| record.hash == content_hash(&bytes));
        is_same.then_some(bytes)
    }

    /// Returns the location of a path from the root.
    pub fn full_path(&self, path: &str) -> PathBuf {
        self.root().join(path_from_text(path))
    }
}

/// Reads a regular file below a root. No part of its path may be a link.
fn read_below(root: &Path, path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_below(root, &path_from_text(path)).and_then(|mut file| file.read_to_end(&mut bytes)).ok()?;
    Some(bytes)
}

/// Returns the bytes of a text from `start` up to `end`, exclusive, or up to the end of the text if
/// that is earlier. The result is empty if the text ends before `start`, or a character would be
/// cut.
pub fn piece(text: &str, (start, end): (u32, u32)) -> &str {
    text.get(start as usize..(end as usize).min(text.len())).unwrap_or_default()
}
