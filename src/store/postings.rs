//! Postings: where each term (a stem) occurs, by field, and how often. A piece has a dictionary of terms in order of their
//! bytes, and for each a list.
//!
//! ```text
//! list   by file, in order: its number less the one before, how many bytes follow, those bytes
//! bytes  by slot, in order: twice the slot less the one before, plus 1 if it occurs once; else how often: varints
//! slot   the definition's number in its file, times the number of fields, plus the field's
//! ```
//! That is Lucene's postings format (Doug Cutting, `.frq`), by file: the bytes of a file name it nowhere, so they are copied
//! as they are from one piece into the next, and passed over where the file is superseded.
//!
//! Price:     writing: one pass over the words of a file, on the thread that parsed it; then one hash look-up for each file and
//!            term, and a sort of the dictionary. Asking: a binary search in each piece, and the lists of what is asked for.
//! Why not:   tantivy, which was the text index before: a document with strings for each definition, a thread and a format of
//!            its own beside the graph's, deleted documents kept and counted. CPU of a full index with it and with these:
//!            Django 3.77 and 3.51 s, tokio 1.13 and 1.01, vuejs/core 1.10 and .99, Prometheus 2.52 and 2.38; as many bytes on disk
//!            (within 4 %); a question 0.2 to 1.3 ms less. It is left in the tests
//! Checked:   `tests/postings.rs`: equal to what tantivy gives for the same documents, whatever pieces they lie in

use super::graph_file::GraphFile;
use super::graph_section::GraphSection;
use super::piece::{GraphPiece, TERM_LISTS, TERMS};
use crate::ids::{DefinitionId, LocalId, row_range, row_starts};
use crate::lang::DefinitionKind;
use crate::parse::{Facts, Field, FieldWords, WordCount};
use crate::varint;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;
use std::hash::BuildHasher;

/// The postings of one file: each term, and its bytes in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTerms {
    /// By term: length, UTF-8, length, bytes.
    packed: Vec<u8>,
}

impl FileTerms {
    /// Of the words of a file's definitions.
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

/// The words of a file's definitions one by one, in order of definition, then field. Functions without a name and extensions of types are
/// never found by words.
pub fn each_word(facts: &Facts, words: &FieldWords) -> impl Iterator<Item = (LocalId, Field, WordCount)> {
    let is_found = |kind| !matches!(kind, DefinitionKind::Anonymous | DefinitionKind::Extension);
    let found = facts.definitions.enumerate().filter(move |(_, definition)| is_found(definition.kind));
    found.flat_map(move |(id, _)| {
        Field::ALL.into_iter().flat_map(move |field| words.of(id, field).iter().map(move |&word| (id, field, word)))
    })
}

/// Slots in order, and how often their term occurs in each.
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

/// A list in the making.
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

/// The files of a list with their bytes; none, once, where it is no list.
fn files_of(list: &[u8]) -> impl Iterator<Item = Option<(u32, &[u8])>> {
    let mut last = 0u32;
    until_empty(list, move |rest| {
        last = last.checked_add(varint::read(rest)?)?;
        Some((last, read_run(rest)?))
    })
}

/// The slots of a file, and how often the term occurs in each; none, once, where the bytes are no slots.
fn slots_of(bytes: &[u8]) -> impl Iterator<Item = Option<(u32, u32)>> {
    let mut last = 0u32;
    until_empty(bytes, move |rest| {
        let head = varint::read(rest)?;
        last = last.checked_add(head >> 1)?;
        Some((last, if head & 1 == 1 { 1 } else { varint::read(rest)? }))
    })
}

/// What `read` takes from the front of bytes until none are left, or it fails.
fn until_empty<'b, T>(
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

/// The terms of the files that were parsed, and where each was met. A few large tables, which the system gets back whole: a box
/// for each term and a list for each would leave the heap in pieces.
#[derive(Default)]
struct TermLog {
    /// The number of each term, by the hash of its bytes.
    numbers: HashTable<u32>,
    /// The terms end to end, as they were first met.
    texts: Vec<u8>,
    terms: Vec<LoggedTerm>,
    entries: Vec<LogEntry>,
    /// The bytes of all entries, end to end.
    bytes: Vec<u8>,
}

/// A term: where it begins among the texts, and its last entry.
#[derive(Clone, Copy)]
struct LoggedTerm {
    start: usize,
    last: Option<u32>,
}

/// A file in which a term was met: the term's entry before, the file, and where its bytes begin.
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
        numbers.insert_unique(hash(term), number, |&number| hash(text_of(terms, texts, number)));
        number
    }

    fn term(&self, number: u32) -> &[u8] {
        text_of(&self.terms, &self.texts, number)
    }

    /// The terms in order of their bytes.
    fn in_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_unstable_by_key(|&number| self.term(number));
        order
    }

    /// The files of a term with their bytes, the last first.
    fn files(&self, number: u32) -> impl Iterator<Item = (u32, &[u8])> {
        let entry = |at: u32| self.entries[at as usize];
        std::iter::successors(self.terms[number as usize].last, move |&at| entry(at).before).map(move |at| {
            let end = self.entries.get(at as usize + 1).map_or(self.bytes.len(), |next| next.start);
            (entry(at).file, &self.bytes[entry(at).start..end])
        })
    }
}

fn text_of<'t>(terms: &[LoggedTerm], texts: &'t [u8], number: u32) -> &'t [u8] {
    let end = terms.get(number as usize + 1).map_or(texts.len(), |next| next.start);
    &texts[terms[number as usize].start..end]
}

/// The postings of a piece in the making. Files come in order.
#[derive(Default)]
pub(super) struct PostingsWriter<'a> {
    /// Of the files that were parsed now.
    parsed: TermLog,
    /// Pieces from which files are taken over, and the new number of each of their files that is.
    former: Vec<(&'a GraphPiece, Vec<Option<u32>>)>,
}

/// The postings of a piece, as its sections have them.
#[derive(Default)]
pub(super) struct PostingsSections {
    pub term_ends: Vec<u64>,
    pub terms: Vec<u8>,
    pub list_ends: Vec<u64>,
    pub lists: Vec<u8>,
}

impl<'a> PostingsWriter<'a> {
    /// Adds a file that was parsed.
    pub fn file(&mut self, number: u32, terms: &FileTerms) {
        terms.iter().for_each(|(term, bytes)| self.parsed.push(term, number, bytes));
    }

    /// Adds a file as it stands in another piece.
    pub fn copy(&mut self, number: u32, from: &'a GraphPiece, there: usize) {
        let at = self.former.iter().position(|(piece, _)| std::ptr::eq(*piece, from)).unwrap_or_else(|| {
            self.former.push((from, vec![None; from.file_count()]));
            self.former.len() - 1
        });
        self.former[at].1[there] = Some(number);
    }

    /// The sections.
    pub fn finish(self) -> PostingsSections {
        let log = &self.parsed;
        let mut parsed = log.in_order().into_iter().map(|number| (log.term(number), number)).peekable();
        let lists_of = |piece: &'a GraphPiece| (0..piece.term_count()).map(|at| (piece.term(at), piece.list(at)));
        let mut former: Vec<_> =
            self.former.iter().map(|(piece, numbers)| (lists_of(piece).peekable(), *piece, numbers)).collect();
        let (mut out, mut files) = (PostingsSections::default(), Vec::new());
        loop {
            let heads = former.iter_mut().filter_map(|(lists, ..)| lists.peek()).map(|head| head.0);
            let Some(term) = heads.chain(parsed.peek().map(|head| head.0)).min() else { break out };
            files.clear();
            for (lists, piece, numbers) in &mut former {
                let list = lists.next_if(|head| head.0 == term).map_or(&[][..], |(_, list)| list);
                for file in files_of(list) {
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

/// A term in a field of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermPosting {
    /// The definition.
    pub definition: DefinitionId,
    /// The field.
    pub field: Field,
    /// How often the term occurs there, at least once.
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

    /// The list of a term; an empty one if it occurs nowhere.
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
    /// Calls back with each place where a term occurs: in order of definition, then field, those in the base before those in the
    /// overlay.
    pub fn each_posting(&self, term: &str, mut each: impl FnMut(TermPosting)) {
        for piece in self.pieces() {
            for file in files_of(piece.list_of(term)) {
                let (there, bytes) = file.unwrap_or_else(|| piece.sections.reject());
                // What is superseded is nowhere in the whole.
                let Some(file) = self.file_of(piece, there as usize) else { continue };
                let mut definitions = self.definitions_of(file);
                let (first, count) = (definitions.next().map_or(0, |id| id.0), 1 + definitions.len() as u32);
                for slot in slots_of(bytes) {
                    let (slot, occurrences) = slot.unwrap_or_else(|| piece.sections.reject());
                    let (local, field) = (slot / Field::COUNT as u32, Field::ALL[slot as usize % Field::COUNT]);
                    if local >= count {
                        piece.sections.reject();
                    }
                    each(TermPosting { definition: DefinitionId(first + local), field, count: occurrences });
                }
            }
        }
    }

    /// Whether a term occurs anywhere, what is superseded included.
    pub fn holds_term(&self, term: &str) -> bool {
        self.pieces().any(|piece| !piece.list_of(term).is_empty())
    }

    /// Where a term occurs: in order of definition, then field.
    pub fn postings(&self, term: &str) -> Vec<TermPosting> {
        let mut found = Vec::new();
        self.each_posting(term, |posting| found.push(posting));
        found.sort_by_key(|posting| (posting.definition, posting.field));
        found
    }
    /// All stems in which words are found, in order, each once.
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
