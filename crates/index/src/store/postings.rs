//! Postings: for each term (a stem), the definitions and fields where it occurs, and how often. A
//! piece has a dictionary of terms sorted by their bytes, and one list for each term.
//!
//! ```text
//! list   sorted by file: difference to the previous file number, number of bytes, the bytes
//! bytes  sorted by slot: twice the difference to the previous slot, plus 1 if the term occurs
//!        once; otherwise the number of occurrences follows: varints
//! slot   number of the definition in its file, times the number of fields, plus that of the field
//! ```
//! This is the postings format of Lucene (Doug Cutting, `.frq`), grouped by file. The bytes of a
//! file do not contain its number, so they are copied unchanged from one piece into the next, and
//! skipped where the file is replaced.
//!
//! **Cost:** Writing takes one pass over the words of a file, on the thread that parsed it, then
//! one hash look-up for each file and term, and a sort of the dictionary. A query takes a binary
//! search in each piece, and reads the lists of the queried terms.
//!
//! **Alternatives:** tantivy, which was the text index before and still searches passages. It
//! needs a document with strings for each definition, a thread and a format of its own in addition
//! to the graph's, and keeps and counts deleted documents; its k1 and b are fixed. CPU time of a
//! full index with tantivy and with these postings: Django 3.77 and 3.51 s, tokio 1.13 and 1.01,
//! vuejs/core 1.10 and .99, Prometheus 2.52 and 2.38. Both take the same space on disk (within
//! 4%), and a question takes 0.2 to 1.3 ms less. Encoding and decoding a list takes about 60 lines
//! of code.
//!
//! **Tested by:** `tests/postings.rs`. The result equals plain counting of the same documents,
//! however they are distributed over pieces.

use super::graph_file::GraphFile;
use super::graph_section::GraphSection;
use super::piece::{GraphPiece, TERM_LISTS, TERMS};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;
use std::hash::BuildHasher;
use whichfn_syntax::ids::{DefinitionId, LocalId, row_range, row_starts};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Facts, Field, FieldWords, WordCount};
use whichfn_syntax::varint;

/// The postings of one file: each term with its bytes in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTerms {
    /// For each term: length, UTF-8, length, bytes.
    packed: Vec<u8>,
}

impl FileTerms {
    /// Builds the postings from the words of a file's definitions.
    pub fn new(facts: &Facts, words: &FieldWords) -> Self {
        let starts = row_starts(words.stems().len(), each_word(facts, words).map(|(_, _, word)| word.stem as usize));
        let (mut slots, mut next) = (vec![(0, 0); starts[starts.len() - 1] as usize], starts.clone());
        for (definition, field, word) in each_word(facts, words) {
            let place = &mut next[word.stem as usize];
            slots[*place as usize] = (definition.0 * Field::COUNT as u32 + field as u32, word.count);
            *place += 1;
        }
        let (mut packed, mut bytes) = (Vec::new(), Vec::new());
        for (number, (term, _)) in words.stems().enumerate() {
            bytes.clear();
            write_slots(&mut bytes, &slots[row_range(&starts, number)]);
            if !bytes.is_empty() {
                write_run(&mut packed, term.as_bytes());
                write_run(&mut packed, &bytes);
            }
        }
        packed.shrink_to_fit();
        Self { packed }
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut rest = &self.packed[..];
        std::iter::from_fn(move || Some((read_run(&mut rest)?, read_run(&mut rest)?)))
    }
}

/// Returns the words of a file's definitions, sorted by definition, then field. It leaves out
/// functions without a name and extensions of types, because a search by words never finds them.
pub fn each_word(facts: &Facts, words: &FieldWords) -> impl Iterator<Item = (LocalId, Field, WordCount)> {
    let is_found =
        |kind| !matches!(kind, DefinitionKind::Anonymous | DefinitionKind::Extension) && !kind.is_registered();
    let found = facts.definitions.enumerate().filter(move |(_, definition)| is_found(definition.kind));
    found.flat_map(move |(id, _)| {
        Field::ALL
            .into_iter()
            .flat_map(move |field| words.field_words(id, field).iter().map(move |&word| (id, field, word)))
    })
}

/// Writes slots, sorted, with the number of occurrences of their term in each.
fn write_slots(out: &mut Vec<u8>, slots: &[(u32, u32)]) {
    let mut last = 0;
    for &(slot, count) in slots {
        varint::write(out, (slot - last) << 1 | u32::from(count == 1));
        if count > 1 {
            varint::write(out, count);
        }
        last = slot;
    }
}

fn write_run(out: &mut Vec<u8>, bytes: &[u8]) {
    varint::write(out, bytes.len() as u32);
    out.extend_from_slice(bytes);
}

fn read_run<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = varint::read(rest)? as usize;
    let (run, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(run)
}

/// Builds a list.
#[derive(Default)]
struct List {
    bytes: Vec<u8>,
    last_file: u32,
}

impl List {
    fn push(&mut self, file: u32, bytes: &[u8]) {
        varint::write(&mut self.bytes, file - self.last_file);
        write_run(&mut self.bytes, bytes);
        self.last_file = file;
    }
}

/// Returns the files of a list with their bytes. Yields `None` once, at the end, if the list is
/// malformed.
fn list_files(list: &[u8]) -> impl Iterator<Item = Option<(u32, &[u8])>> {
    let mut last = 0u32;
    read_all(list, move |rest| {
        last = last.checked_add(varint::read(rest)?)?;
        Some((last, read_run(rest)?))
    })
}

/// Returns the slots of a file with the number of occurrences of the term in each. Yields `None`
/// once, at the end, if the bytes are malformed.
fn list_slots(bytes: &[u8]) -> impl Iterator<Item = Option<(u32, u32)>> {
    let mut last = 0u32;
    read_all(bytes, move |rest| {
        let head = varint::read(rest)?;
        last = last.checked_add(head >> 1)?;
        Some((last, if head & 1 == 1 { 1 } else { varint::read(rest)? }))
    })
}

/// Calls `read` on the front of the bytes until none are left or it fails.
fn read_all<'b, T>(
    mut rest: &'b [u8],
    mut read: impl FnMut(&mut &'b [u8]) -> Option<T>,
) -> impl Iterator<Item = Option<T>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let found = read(&mut rest);
        if found.is_none() {
            rest = &[];
        }
        Some(found)
    })
}

/// The terms of the parsed files, and the files in which each occurs. It uses a few large tables,
/// which the allocator returns to the system as a whole. A box for each term and a list for each
/// would fragment the heap.
#[derive(Default)]
struct TermLog {
    /// Number of each term, by the hash of its bytes.
    numbers: HashTable<u32>,
    /// The terms, concatenated, in the order in which they were first seen.
    texts: Vec<u8>,
    terms: Vec<LoggedTerm>,
    entries: Vec<LogEntry>,
    /// The bytes of all entries, concatenated.
    bytes: Vec<u8>,
}

/// A term: its offset in the texts, and its last entry.
#[derive(Clone, Copy)]
struct LoggedTerm {
    start: usize,
    last: Option<u32>,
}

/// An occurrence of a term in a file: the previous entry of the term, the file, and the offset of
/// its bytes.
#[derive(Clone, Copy)]
struct LogEntry {
    before: Option<u32>,
    file: u32,
    start: usize,
}

impl TermLog {
    fn push(&mut self, term: &[u8], file: u32, bytes: &[u8]) {
        let number = self.number(term) as usize;
        let before = self.terms[number].last.replace(self.entries.len() as u32);
        self.entries.push(LogEntry { before, file, start: self.bytes.len() });
        self.bytes.extend_from_slice(bytes);
    }

    fn number(&mut self, term: &[u8]) -> u32 {
        let hash = |term: &[u8]| FxBuildHasher.hash_one(term);
        if let Some(&known) = self.numbers.find(hash(term), |&number| self.term(number) == term) {
            return known;
        }
        let number = self.terms.len() as u32;
        self.terms.push(LoggedTerm { start: self.texts.len(), last: None });
        self.texts.extend_from_slice(term);
        let Self { numbers, terms, texts, .. } = self;
        numbers.insert_unique(hash(term), number, |&number| hash(term_text(terms, texts, number)));
        number
    }

    fn term(&self, number: u32) -> &[u8] {
        term_text(&self.terms, &self.texts, number)
    }

    /// Returns the terms sorted by their bytes.
    fn sorted_terms(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_unstable_by_key(|&number| self.term(number));
        order
    }

    /// Returns the files that contain a term, each with its bytes, in reverse order.
    fn files(&self, number: u32) -> impl Iterator<Item = (u32, &[u8])> {
        let entry = |at: u32| self.entries[at as usize];
        std::iter::successors(self.terms[number as usize].last, move |&at| entry(at).before).map(move |at| {
            let end = self.entries.get(at as usize + 1).map_or(self.bytes.len(), |next| next.start);
            (entry(at).file, &self.bytes[entry(at).start..end])
        })
    }
}

fn term_text<'t>(terms: &[LoggedTerm], texts: &'t [u8], number: u32) -> &'t [u8] {
    let end = terms.get(number as usize + 1).map_or(texts.len(), |next| next.start);
    &texts[terms[number as usize].start..end]
}

/// Builds the postings of a piece. Files must be added in order.
#[derive(Default)]
pub(super) struct PostingsWriter<'a> {
    /// Postings of the files that were parsed for this piece.
    parsed: TermLog,
    /// Pieces from which files are copied. For each of their files: its new number, or `None` if it
    /// is not copied.
    copied: Vec<(&'a GraphPiece, Vec<Option<u32>>)>,
}

/// The postings of a piece as the contents of its sections.
#[derive(Default)]
pub(super) struct PostingsSections {
    pub term_ends: Vec<u64>,
    pub terms: Vec<u8>,
    pub list_ends: Vec<u64>,
    pub lists: Vec<u8>,
}

impl<'a> PostingsWriter<'a> {
    /// Adds a parsed file.
    pub fn file(&mut self, number: u32, terms: &FileTerms) {
        terms.iter().for_each(|(term, bytes)| self.parsed.push(term, number, bytes));
    }

    /// Adds a file from another piece, unchanged.
    pub fn copy(&mut self, number: u32, from: &'a GraphPiece, there: usize) {
        let at = self.copied.iter().position(|(piece, _)| std::ptr::eq(*piece, from)).unwrap_or_else(|| {
            self.copied.push((from, vec![None; from.file_count()]));
            self.copied.len() - 1
        });
        self.copied[at].1[there] = Some(number);
    }

    /// Merges all postings into the sections of the piece.
    pub fn finish(self) -> PostingsSections {
        let log = &self.parsed;
        let mut parsed = log.sorted_terms().into_iter().map(|number| (log.term(number), number)).peekable();
        let lists_of = |piece: &'a GraphPiece| (0..piece.term_count()).map(|at| (piece.term(at), piece.list(at)));
        let mut copied: Vec<_> =
            self.copied.iter().map(|(piece, numbers)| (lists_of(piece).peekable(), *piece, numbers)).collect();
        let (mut out, mut files) = (PostingsSections::default(), Vec::new());
        loop {
            let heads = copied.iter_mut().filter_map(|(lists, ..)| lists.peek()).map(|head| head.0);
            let Some(term) = heads.chain(parsed.peek().map(|head| head.0)).min() else { break out };
            files.clear();
            for (lists, piece, numbers) in &mut copied {
                let list = lists.next_if(|head| head.0 == term).map_or(&[][..], |(_, list)| list);
                for file in list_files(list) {
                    let (file, bytes) = file.unwrap_or_else(|| piece.sections.reject());
                    let number = numbers.get(file as usize).unwrap_or_else(|| piece.sections.reject());
                    files.extend(number.map(|number| (number, bytes)));
                }
            }
            files.extend(parsed.next_if(|head| head.0 == term).into_iter().flat_map(|(_, number)| log.files(number)));
            files.sort_unstable_by_key(|&(file, _)| file);
            out.push(term, &files);
        }
    }
}

impl PostingsSections {
    fn push(&mut self, term: &[u8], files: &[(u32, &[u8])]) {
        if files.is_empty() {
            return;
        }
        self.terms.extend_from_slice(term);
        self.term_ends.push(self.terms.len() as u64);
        let mut list = List { bytes: std::mem::take(&mut self.lists), last_file: 0 };
        files.iter().for_each(|&(file, bytes)| list.push(file, bytes));
        self.lists = list.bytes;
        self.list_ends.push(self.lists.len() as u64);
    }
}

/// An occurrence of a term in a field of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermPosting {
    /// The definition.
    pub definition: DefinitionId,
    /// The field.
    pub field: Field,
    /// Number of occurrences, at least 1.
    pub count: u32,
}

impl GraphPiece {
    fn term_count(&self) -> usize {
        self.sections.count(GraphSection::TermEnds)
    }

    fn term(&self, at: usize) -> &[u8] {
        self.sections.part(TERMS, at)
    }

    fn list(&self, at: usize) -> &[u8] {
        self.sections.part(TERM_LISTS, at)
    }

    /// Returns the list of a term; empty if the term does not occur.
    fn list_of(&self, term: &str) -> &[u8] {
        let (mut from, mut to) = (0, self.term_count());
        while from < to {
            let middle = from + (to - from) / 2;
            match self.term(middle).cmp(term.as_bytes()) {
                Ordering::Less => from = middle + 1,
                Ordering::Equal => return self.list(middle),
                Ordering::Greater => to = middle,
            }
        }
        &[]
    }
}

impl GraphFile {
    /// Calls `emit` for each occurrence of a term, sorted by definition, then field, first in the
    /// base and then in the overlay.
    pub fn for_each_posting(&self, term: &str, mut emit: impl FnMut(TermPosting)) {
        for piece in self.pieces() {
            for file in list_files(piece.list_of(term)) {
                let (there, bytes) = file.unwrap_or_else(|| piece.sections.reject());
                // The overlay replaces the file.
                let Some(file) = self.file_of(piece, there as usize) else { continue };
                let mut definitions = self.definitions_of(file);
                let (first, count) = (definitions.next().map_or(0, |id| id.0), 1 + definitions.len() as u32);
                for slot in list_slots(bytes) {
                    let (slot, occurrences) = slot.unwrap_or_else(|| piece.sections.reject());
                    let (local, field) = (slot / Field::COUNT as u32, Field::ALL[slot as usize % Field::COUNT]);
                    if local >= count {
                        piece.sections.reject();
                    }
                    emit(TermPosting { definition: DefinitionId(first + local), field, count: occurrences });
                }
            }
        }
    }

    /// Checks whether a term occurs anywhere, including in replaced files.
    pub fn contains_term(&self, term: &str) -> bool {
        self.pieces().any(|piece| !piece.list_of(term).is_empty())
    }

    /// Returns the occurrences of a term, sorted by definition, then field.
    pub fn postings(&self, term: &str) -> Vec<TermPosting> {
        let mut found = Vec::new();
        self.for_each_posting(term, |posting| found.push(posting));
        found.sort_by_key(|posting| (posting.definition, posting.field));
        found
    }
    /// Returns all stems that a search can find, sorted, without duplicates.
    pub fn stems(&self) -> Vec<&str> {
        let stem = |piece, at| -> &str {
            let piece: &GraphPiece = piece;
            std::str::from_utf8(piece.term(at)).unwrap_or_else(|_| piece.sections.reject())
        };
        let mut stems: Vec<&str> =
            self.pieces().flat_map(|piece| (0..piece.term_count()).map(move |at| stem(piece, at))).collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    }
}
