//! The files of an index, read from the repository it was made from, or from the shard that it travels in.
//!
//! Price: a file is read once while it is kept: a chunk often holds several functions of one file, and results are often
//!        neighbours

use crate::error::{Error, Kind, Remedy, Result};
use crate::fragment::LineEnds;
use crate::ids::{DefinitionId, FileId};
use crate::scan::{content_hash, decode};
use crate::store::{FileRecord, Generation, GraphFile, ShardMember};
use crate::text::path_of;
use crate::untrusted::open_below;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Bytes of text that are kept at most. Above it all are forgotten: whoever reads file by file never needs the earlier
/// ones, and a question reads far less.
pub const KEPT_BYTES: usize = 64 << 20;

/// Where texts come from.
#[derive(Clone, Copy)]
enum TextPlace<'a> {
    /// Files below this folder, which may have changed since.
    Root(&'a Path),
    /// An archive, which holds what was indexed.
    Member(&'a ShardMember),
}

/// Reads texts of the files of an index, and keeps them.
pub struct Sources<'a> {
    place: TextPlace<'a>,
    graph: &'a GraphFile,
    records: &'a [FileRecord],
    left_out: RefCell<BTreeSet<FileId>>,
    kept: RefCell<LastRead>,
}

#[derive(Default)]
struct LastRead {
    texts: FxHashMap<FileId, Rc<str>>,
    bytes: usize,
    /// The line ends of the file asked about last: syntax nodes come by file, so one is enough.
    lines: Option<(FileId, LineEnds)>,
}

impl<'a> Sources<'a> {
    /// The files of an index below `root`.
    pub fn new(root: &'a Path, generation: &'a Generation) -> Self {
        Self::at(TextPlace::Root(root), generation)
    }

    /// The files of a member of a shard, as they were indexed; none is left out.
    pub fn of_member(member: &'a ShardMember) -> Self {
        Self::at(TextPlace::Member(member), &member.generation)
    }

    fn at(place: TextPlace<'a>, generation: &'a Generation) -> Self {
        let (graph, records) = (&generation.graph, &generation.manifest.files[..]);
        Self { place, graph, records, left_out: RefCell::default(), kept: RefCell::default() }
    }

    /// The index whose files these are.
    pub fn graph(&self) -> &'a GraphFile {
        self.graph
    }

    /// The root of the repository; empty where it is in a shard.
    pub fn root(&self) -> &'a Path {
        match self.place {
            TextPlace::Root(root) => root,
            TextPlace::Member(_) => Path::new(""),
        }
    }

    /// The text of a file as it is in the index; empty where the file has another content by now, is gone, or is reached
    /// through a link ([`Self::left_out`]).
    pub fn text(&self, file: FileId) -> Rc<str> {
        if let Some(text) = self.kept.borrow().texts.get(&file) {
            return text.clone();
        }
        let text: Rc<str> = match self.as_indexed(file) {
            Some(text) => text.into(),
            None => {
                self.left_out.borrow_mut().insert(file);
                Rc::default()
            }
        };
        let mut kept = self.kept.borrow_mut();
        if kept.bytes + text.len() > KEPT_BYTES {
            (kept.texts, kept.bytes) = (FxHashMap::default(), 0);
        }
        kept.bytes += text.len();
        kept.texts.insert(file, text.clone());
        text
    }

    /// The paths of files that were asked for and whose text was left out, because it is not what was indexed.
    pub fn left_out(&self) -> Vec<String> {
        self.left_out.borrow().iter().map(|&file| self.graph.path(file).to_owned()).collect()
    }

    /// The text of a definition; empty where the file has another content by now.
    pub fn text_of(&self, id: DefinitionId) -> String {
        let row = self.graph.definition(id);
        piece(&self.text(row.file), (row.start_byte, row.end_byte)).to_owned()
    }

    /// Lines of a file, from 1, both ends included, without the last line break; none if the file has no such lines.
    pub fn lines(&self, file: FileId, (first, last): (u32, u32)) -> Option<String> {
        let text = self.text(file);
        let lines: Vec<&str> = text.lines().skip(first as usize - 1).take((last - first + 1) as usize).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// First and last line, from 1, of a stretch of bytes of a file, as it was when the index was made: no file is read.
    pub fn line_span(&self, file: FileId, start: u32, end: u32) -> (u32, u32) {
        let known = self.kept.borrow().lines.as_ref().is_some_and(|(last, _)| *last == file);
        if !known {
            let ends = LineEnds::unpack(self.graph.line_ends(file));
            self.kept.borrow_mut().lines = Some((file, ends));
        }
        self.kept
            .borrow()
            .lines
            .as_ref()
            .map_or((1, 1), |(_, ends)| (ends.line(start), ends.line(end.saturating_sub(1).max(start))))
    }

    /// The file of a path from the root, if the index holds it.
    pub fn indexed(&self, path: &str) -> Option<FileId> {
        self.graph.file_ids().find(|&file| self.graph.path(file) == path)
    }

    /// The file of a path from the root, that is about to be sent to a language model.
    ///
    /// # Errors
    /// When the index does not hold it: it may be ignored for what it holds.
    pub fn may_be_sent(&self, path: &str) -> Result<FileId> {
        self.indexed(path).ok_or_else(|| {
            let what = format!("{path} is not in the index, so it is not sent to a model");
            Error::new(Kind::Path, what, Remedy::SendNothing)
        })
    }

    /// The text of a path from the root, whether or not it is indexed: an editor asks about files that are new or ignored,
    /// and is shown only what it has open already. None where there is no such file, or it is not text.
    pub fn on_disk(&self, path: &str) -> Option<String> {
        let bytes = match self.place {
            TextPlace::Root(root) => bytes_below(root, path)?,
            TextPlace::Member(member) => member.bytes(self.indexed(path)?),
        };
        decode(&bytes).map(Cow::into_owned)
    }

    /// The text of a file, if its bytes are those that were indexed.
    fn as_indexed(&self, file: FileId) -> Option<String> {
        decode(&self.bytes(file)?).map(Cow::into_owned)
    }

    /// The bytes of a file, undecoded, if they are those that were indexed.
    pub fn bytes(&self, file: FileId) -> Option<Vec<u8>> {
        let bytes = match self.place {
            TextPlace::Root(root) => bytes_below(root, self.graph.path(file))?,
            TextPlace::Member(member) => return Some(member.bytes(file)),
        };
        let is_same = self.records.get(file.index()).is_some_and(|record| record.hash == content_hash(&bytes));
        is_same.then_some(bytes)
    }

    /// Where a path from the root lies.
    pub fn place(&self, path: &str) -> PathBuf {
        self.root().join(path_of(path))
    }
}

/// The bytes of a regular file below a root; no part of its path may be a link.
fn bytes_below(root: &Path, path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_below(root, &path_of(path)).and_then(|mut file| file.read_to_end(&mut bytes)).ok()?;
    Some(bytes)
}

/// The bytes of a text from the first up to but not including the second; up to the end of the text where that comes before,
/// and empty where it ends before the first or a character is cut.
pub fn piece(text: &str, (start, end): (u32, u32)) -> &str {
    text.get(start as usize..(end as usize).min(text.len())).unwrap_or_default()
}
