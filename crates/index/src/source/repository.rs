//! Reads the files of an index, from the repository that the index was built from or from its
//! shard.
//!
//! **Cost:** a file is read only once while its text is cached. The cache helps because a chunk
//! often contains several functions from one file, and neighboring results are often in the same
//! file.

use crate::fragment::LineEnds;
use crate::store::{FileRecord, Generation, GraphFile, ShardMember, UnlinkedCalls};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use whichfn_scan::{DecodedFile, FileStart, LONGEST_TEXT, content_hash, decode};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::parse::{CellLine, Syntax, SyntaxNode, cell_at, cells_text, is_notebook};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::untrusted::open_below;
use whichfn_text::path_from_text;

/// Maximum number of bytes of cached text. When it is exceeded, the whole cache is cleared. A
/// caller that reads file by file never needs earlier files again, and a question reads far less
/// text.
pub const CACHE_BYTES: usize = 64 << 20;

/// The location that text is read from.
#[derive(Clone, Copy)]
enum TextPlace<'a> {
    /// Files below this folder, which may have changed since they were indexed.
    Root(&'a Path),
    /// A member of a shard, which contains the indexed text.
    Member(&'a ShardMember),
}

/// Reads the text of an index's files, and caches it.
pub struct Sources<'a> {
    text_place: TextPlace<'a>,
    graph: &'a GraphFile,
    root_name: &'a str,
    records: &'a [FileRecord],
    unlinked: &'a [UnlinkedCalls],
    left_out: RefCell<BTreeSet<FileId>>,
    /// Groups of languages without all calls that the answer rests on.
    incomplete: RefCell<BTreeSet<u16>>,
    cache: RefCell<LastFile>,
}

#[derive(Default)]
struct LastFile {
    texts: FxHashMap<FileId, Rc<str>>,
    bytes: usize,
    /// Line ends of the file that was queried last. One file is enough, because syntax nodes are
    /// queried file by file.
    lines: Option<(FileId, LineEnds)>,
    /// Syntax of the file that was queried last.
    syntax: Option<(FileId, Rc<[SyntaxNode]>)>,
}

impl<'a> Sources<'a> {
    /// Creates a reader for the files of an index below `root`.
    pub fn new(root: &'a Path, generation: &'a Generation) -> Self {
        Self::at(TextPlace::Root(root), generation)
    }

    /// Creates a reader for the files of a shard member. The text is always the text that was
    /// indexed.
    pub fn from_member(member: &'a ShardMember) -> Self {
        Self::at(TextPlace::Member(member), &member.generation)
    }

    fn at(text_place: TextPlace<'a>, generation: &'a Generation) -> Self {
        let manifest = &generation.manifest;
        Self {
            text_place,
            graph: &generation.graph,
            root_name: manifest.root_name(),
            records: &manifest.files,
            unlinked: &manifest.unlinked,
            left_out: RefCell::default(),
            incomplete: RefCell::default(),
            cache: RefCell::default(),
        }
    }

    /// Returns the name of the repository's directory.
    pub fn root_name(&self) -> &'a str {
        self.root_name
    }

    /// Returns the graph of the index that the files belong to.
    pub fn graph(&self) -> &'a GraphFile {
        self.graph
    }

    /// Returns the root of the repository, or an empty path for a shard member.
    pub fn root(&self) -> &'a Path {
        match self.text_place {
            TextPlace::Root(root) => root,
            TextPlace::Member(_) => Path::new(""),
        }
    }

    /// Returns the text of a file as it was indexed. The text is empty if the file has since
    /// changed, was deleted, or is reached through a link ([`Self::left_out`]).
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

    /// Returns the paths of requested files whose text was not returned, because it differs from
    /// the indexed text.
    pub fn left_out(&self) -> Vec<String> {
        self.left_out.borrow().iter().map(|&file| self.graph.path(file).to_owned()).collect()
    }

    /// Records that the answer rests on the calls of a file's language; see
    /// [`Self::needs_calls_in`].
    pub fn needs_calls_of(&self, file: FileId) -> bool {
        self.graph.language(file).is_none_or(|language| self.needs_calls_in(language))
    }

    /// Records that the answer rests on the calls of a language and of those that it is linked
    /// with. Returns false if some of these calls are not linked ([`Self::notices`]).
    pub fn needs_calls_in(&self, language: u16) -> bool {
        let found = self.unlinked.iter().find(|one| one.language == language);
        self.incomplete.borrow_mut().extend(found.map(|one| one.group));
        found.is_none()
    }

    /// Records that the answer rests on the calls of all languages.
    pub fn needs_all_calls(&self) {
        self.incomplete.borrow_mut().extend(self.unlinked.iter().map(|one| one.group));
    }

    /// Returns what the answer lacks, one line each: the text of files that changed after they were
    /// indexed, and calls that are not linked.
    pub fn notices(&self) -> Vec<String> {
        let (skipped, incomplete) = (self.left_out(), self.incomplete.borrow());
        let more = if skipped.len() > 1 { format!(" and of {} more", skipped.len() - 1) } else { String::new() };
        let changed =
            |path: &String| format!("skipped the text of {path}{more}: the file changed after it was indexed");
        let unlinked = self.unlinked.iter().filter(|one| incomplete.contains(&one.group));
        skipped.first().map(changed).into_iter().chain(UnlinkedCalls::notices(unlinked)).collect()
    }

    /// Returns the text of a definition, or an empty text if its file has since changed.
    pub fn text_of(&self, id: DefinitionId) -> String {
        let row = self.graph.definition(id);
        piece(&self.text(row.file), (row.start_byte, row.end_byte)).to_owned()
    }

    /// Returns a range of lines of a file, without the last line break. Line numbers start at 1,
    /// and `last` is included. Returns `None` if the file has no such lines.
    pub fn lines(&self, file: FileId, (first, last): (u32, u32)) -> Option<String> {
        let text = self.text(file);
        let lines: Vec<&str> = text.lines().skip(first as usize - 1).take((last - first + 1) as usize).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Returns the first and last line of a byte range in a file, at the time of indexing. Line
    /// numbers start at 1. No file is read.
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

    /// Returns the syntax of a file. It is unpacked once for consecutive queries.
    pub fn syntax(&self, file: FileId) -> Rc<[SyntaxNode]> {
        let known = self.cache.borrow().syntax.clone().filter(|(last, _)| *last == file);
        let (_, nodes) = known.unwrap_or_else(|| (file, Syntax::new(&self.graph.syntax(file)).collect()));
        self.cache.borrow_mut().syntax = Some((file, nodes.clone()));
        nodes
    }

    /// Returns a syntax node of a file, or an empty one if the file has no such node.
    pub fn syntax_node(&self, file: FileId, node: u32) -> SyntaxNode {
        self.syntax(file).get(node as usize).copied().unwrap_or_default()
    }

    /// Returns the id of the file with the given path from the root, or `None` if it is not in the
    /// index.
    pub fn indexed(&self, path: &str) -> Option<FileId> {
        self.graph.file_ids().find(|&file| self.graph.path(file) == path)
    }

    /// Returns the id of the file with the given path from the root, if the file may be sent to a
    /// language model.
    ///
    /// # Errors
    /// Returns an error if the file is not in the index, because it may be ignored on account of
    /// its content.
    pub fn may_be_sent(&self, path: &str) -> Result<FileId> {
        self.indexed(path).ok_or_else(|| {
            let what = format!("{path} is not in the index, so it is not sent to a model");
            Error::new(Kind::Path, what, Remedy::SendNothing)
        })
    }

    /// Returns the text of the file with the given path from the root, whether or not it is
    /// indexed. Editors request new or ignored files, and receive only files that they have already
    /// opened. Returns `None` if the file does not exist or is not text.
    pub fn on_disk(&self, path: &str) -> Option<String> {
        let bytes = match self.text_place {
            TextPlace::Root(root) => read_below(root, path)?,
            TextPlace::Member(member) => member.bytes(self.indexed(path)?),
        };
        decode(&bytes).map(Cow::into_owned)
    }

    /// Returns the text of a file, or `None` if its bytes differ from the indexed ones. The text of
    /// a notebook is that of its cells.
    fn as_indexed(&self, file: FileId) -> Option<String> {
        let text = self.decoded(file)?.text;
        if is_notebook(self.graph.path(file)) { cells_text(&text) } else { Some(text) }
    }

    /// Returns the text of a file and the hash of its bytes, or `None` if they differ from the
    /// indexed ones. Of a file without a language, only the part that was indexed is returned.
    pub fn decoded(&self, file: FileId) -> Option<DecodedFile> {
        let record = self.records.get(file.index())?;
        let limit = if record.language.is_none() { LONGEST_TEXT } else { usize::MAX };
        let start = match self.text_place {
            TextPlace::Root(root) => FileStart::read(&mut open_below(root, &self.path_of(file)).ok()?, limit).ok()?,
            TextPlace::Member(member) => FileStart::read(&mut &*member.bytes(file), limit).ok()?,
        };
        let (hash, is_cut) = (start.hash, start.is_cut);
        let is_same = hash == record.hash || matches!(self.text_place, TextPlace::Member(_));
        let text = if is_same { start.into_text()? } else { return None };
        Some(DecodedFile { text, hash, is_cut })
    }

    fn path_of(&self, file: FileId) -> PathBuf {
        path_from_text(self.graph.path(file))
    }

    /// Returns the place of a line of a file among the cells of a notebook; `None` if the file is
    /// not a notebook.
    pub fn cell(&self, file: FileId, line: u32) -> Option<CellLine> {
        let path = self.graph.path(file);
        if is_notebook(path) { cell_at(&self.on_disk(path)?, line) } else { None }
    }

    /// Returns the undecoded bytes of a file, or `None` if they differ from the indexed ones.
    pub fn bytes(&self, file: FileId) -> Option<Vec<u8>> {
        let bytes = match self.text_place {
            TextPlace::Root(root) => read_below(root, self.graph.path(file))?,
            TextPlace::Member(member) => return Some(member.bytes(file)),
        };
        let is_same = self.records.get(file.index()).is_some_and(|record| record.hash == content_hash(&bytes));
        is_same.then_some(bytes)
    }

    /// Returns the full path for a path from the root.
    pub fn full_path(&self, path: &str) -> PathBuf {
        self.root().join(path_from_text(path))
    }
}

/// Reads a regular file below a root. No component of its path may be a link.
fn read_below(root: &Path, path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_below(root, &path_from_text(path)).and_then(|mut file| file.read_to_end(&mut bytes)).ok()?;
    Some(bytes)
}

/// Returns the part of a string from byte `start` to byte `end`, exclusive. An `end` past the end
/// of the text is allowed. The result is empty if `start` is past the end of the text, or if a
/// character would be split.
pub fn piece(text: &str, (start, end): (u32, u32)) -> &str {
    text.get(start as usize..(end as usize).min(text.len())).unwrap_or_default()
}
