//! The words in definitions, counted by field. They are the documents that BM25F ranks.
//!
//! Until they are stored, words are represented by numbers: the stemmer's numbers during the walk
//! over a file, and later the numbers in the file's own dictionary, which is stored with the words.
//! A file is split only once ([`Splitter`]), and leaves take their words from the result.

use super::facts::Definition;
use super::field::Field;
use crate::ids::{IdVec, LocalId, row_range, row_starts};
use crate::lang::DefinitionKind;
use rustc_hash::FxHashMap;
use std::ops::Range;
use whichfn_text::{Splitter, StemNumber, first_sentence};

/// The words in a file's definitions: the number of occurrences of each stem in each field of each
/// definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldWords {
    stems: Vec<FileStem>,
    /// The stems, concatenated.
    texts: String,
    /// Index of the first count for each field of each definition, sorted by definition, then by
    /// field. The last entry is the total number of counts.
    starts: Vec<u32>,
    counts: Vec<WordCount>,
    /// Number of words in each field of each definition.
    lengths: Vec<[u32; Field::COUNT]>,
}

/// A stem that occurs in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStem {
    hash: u64,
    /// Offset after the end of the stem's text.
    end: u32,
}

/// The number of occurrences of a stem in one field of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordCount {
    /// Number of the stem within the file. Stems are numbered in the order of their first
    /// occurrence.
    pub stem: u32,
    /// Number of occurrences, which is at least 1.
    pub count: u32,
}

impl FieldWords {
    /// Creates a value without words, but with the stems of all words that follow.
    fn with_stems(splitter: &Splitter) -> Self {
        let mut words = Self::default();
        for &stem in splitter.numbered() {
            let stem = splitter.stemmer().word(stem);
            words.texts.push_str(stem.text);
            words.stems.push(FileStem { hash: stem.hash, end: words.texts.len() as u32 });
        }
        words
    }

    /// Returns the stems in the file with their hashes ([`whichfn_text::stem_hash`]), in the order
    /// of their numbers.
    pub fn stems(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        let mut start = 0;
        self.stems.iter().map(move |stem| {
            let text = &self.texts[start..stem.end as usize];
            start = stem.end as usize;
            (text, stem.hash)
        })
    }

    /// Returns the number of definitions.
    pub fn definitions(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the words in a field of a definition, sorted by stem number.
    pub fn field_words(&self, definition: LocalId, field: Field) -> &[WordCount] {
        &self.counts[row_range(&self.starts, row(definition, field))]
    }

    /// Returns the number of words in each field of a definition, counting repetitions.
    pub fn lengths(&self, definition: LocalId) -> [u32; Field::COUNT] {
        self.lengths[definition.index()]
    }
}

/// Returns the index of a definition's field among the fields of all definitions.
fn row(definition: LocalId, field: Field) -> usize {
    definition.index() * Field::COUNT + field as usize
}

/// Collects the words of definitions in the order in which the walk visits them.
pub(super) struct WordLog<'a> {
    splitter: &'a mut Splitter,
    source: &'a str,
    /// Stems, each with the key of the list that it belongs to.
    log: Vec<(u32, StemNumber)>,
    /// Stems in the text that was loaded last.
    stems: Vec<StemNumber>,
}

/// Number of lists per field. The first list contains words shared with enclosing definitions, and
/// the second list contains words of the definition only.
const LISTS: usize = 2;

impl<'a> WordLog<'a> {
    /// Creates a log for a file, and splits the file.
    pub fn new(source: &'a str, splitter: &'a mut Splitter) -> Self {
        splitter.read(source);
        Self { splitter, source, log: Vec::new(), stems: Vec::new() }
    }

    /// Loads the words in a byte range of the file.
    pub fn read(&mut self, bytes: Range<usize>) -> &mut Self {
        self.stems.clear();
        self.splitter.part(self.source, bytes, &mut self.stems);
        self.stems.retain(|stem| !stem.is_noise());
        self
    }

    /// Loads the words in a separate text.
    pub fn read_text(&mut self, text: &str) -> &mut Self {
        self.stems.clear();
        self.splitter.other(text, &mut self.stems);
        self.stems.retain(|stem| !stem.is_noise());
        self
    }

    /// Adds the loaded words to a field of one definition only.
    pub fn add(&mut self, definition: LocalId, field: Field) {
        self.push(row(definition, field) * LISTS + 1);
    }

    /// Adds the loaded words to a field of a definition, and to the same field of the enclosing
    /// definitions of whose work it is a part ([`enclosing_function`]).
    pub fn add_shared(&mut self, definition: LocalId, field: Field) {
        self.push(row(definition, field) * LISTS);
    }

    fn push(&mut self, list: usize) {
        self.log.extend(self.stems.iter().map(|&stem| (list as u32, stem)));
    }

    /// Adds the first sentence and the rest of a definition's documentation to their fields.
    pub fn add_doc(&mut self, definition: LocalId, text: &str) {
        let text = text.trim_start();
        let summary = first_sentence(text);
        self.read_text(summary).add(definition, Field::Summary);
        self.read_text(&text[summary.len()..]).add(definition, Field::Doc);
    }

    /// Counts the words of all definitions in the file. Anonymous functions and
    /// entries have no words of their own.
    pub fn finish(self, definitions: &IdVec<LocalId, Definition>) -> FieldWords {
        let rows = definitions.len() * Field::COUNT;
        let starts = row_starts(rows * LISTS, self.log.iter().map(|&(list, _)| list as usize));
        let (mut stems, mut next) = (vec![0; self.log.len()], starts.clone());
        for (list, stem) in self.log {
            stems[next[list as usize] as usize] = self.splitter.number(stem);
            next[list as usize] += 1;
        }
        let shared = shared(definitions, |row| &stems[row_range(&starts, row * LISTS)]);
        let mut words = FieldWords::with_stems(self.splitter);
        words.starts.reserve(rows + 1);
        words.starts.push(0);
        for (id, definition) in definitions.enumerate() {
            let mut lengths = [0; Field::COUNT];
            for field in Field::ALL
                .into_iter()
                .filter(|_| definition.kind != DefinitionKind::Anonymous && !definition.kind.is_registered())
            {
                let row = row(id, field);
                let own = &mut stems[starts[row * LISTS] as usize..starts[(row + 1) * LISTS] as usize];
                let before = words.counts.len();
                count(own, shared.get(&row).map_or(&[][..], Vec::as_slice), &mut words.counts);
                lengths[field as usize] = words.counts[before..].iter().map(|word| word.count).sum();
                words.starts.push(words.counts.len() as u32);
            }
            words.starts.resize((id.index() + 1) * Field::COUNT + 1, words.counts.len() as u32);
            words.lengths.push(lengths);
        }
        words
    }
}

/// Returns the enclosing definition of whose work a definition is a part: the function that
/// encloses a function, or any definition that encloses an anonymous function.
fn enclosing_function(definitions: &IdVec<LocalId, Definition>, id: LocalId) -> Option<LocalId> {
    let Definition { kind, parent, .. } = definitions[id];
    let around = definitions[parent].kind;
    let is_inside =
        kind.is_function() && (around.is_function() || around == DefinitionKind::Anonymous || around.is_registered());
    let is_nameless = kind == DefinitionKind::Anonymous || kind.is_registered();
    (id != LocalId::FILE && (is_nameless || is_inside)).then_some(parent)
}

/// Returns the words that definitions receive from nested definitions, indexed by row. `own`
/// returns the words that a definition itself shares. Each definition passes its words on only
/// once, as counts. Otherwise, in deeply nested functions, each leaf would be passed to all
/// enclosing functions.
fn shared<'s>(
    definitions: &IdVec<LocalId, Definition>,
    own: impl Fn(usize) -> &'s [u32],
) -> FxHashMap<usize, Vec<WordCount>> {
    let mut shared: FxHashMap<usize, Vec<WordCount>> = FxHashMap::default();
    let ids: Vec<LocalId> = definitions.ids().collect();
    // Nested definitions have higher numbers than the enclosing one.
    for &id in ids.iter().rev() {
        let Some(around) = enclosing_function(definitions, id) else { continue };
        for field in Field::ALL {
            let mut all = Vec::new();
            let more = shared.get(&row(id, field)).map_or(&[][..], Vec::as_slice);
            count(&mut own(row(id, field)).to_vec(), more, &mut all);
            if !all.is_empty() {
                shared.entry(row(around, field)).or_default().extend(all);
            }
        }
    }
    shared
}

/// Appends the number of occurrences of each stem in `stems` and `more` together, sorted by stem.
fn count(stems: &mut [u32], more: &[WordCount], out: &mut Vec<WordCount>) {
    stems.sort_unstable();
    let counted = stems.chunk_by(|a, b| a == b).map(|same| WordCount { stem: same[0], count: same.len() as u32 });
    if more.is_empty() {
        return out.extend(counted);
    }
    let mut all: Vec<WordCount> = counted.chain(more.iter().copied()).collect();
    all.sort_unstable_by_key(|word| word.stem);
    let sums = all.chunk_by(|a, b| a.stem == b.stem);
    out.extend(sums.map(|same| WordCount { count: same.iter().map(|word| word.count).sum(), ..same[0] }));
}

#[cfg(test)]
mod tests {
    use super::super::facts::Span;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn counts_words_by_definition_and_field() {
        let mut splitter = Splitter::default();
        let mut log = WordLog::new("", &mut splitter);
        let mut add = |id, field, text| log.read_text(text).add(LocalId::new(id), field);
        add(0, Field::Body, "open self reads");
        add(0, Field::Doc, "it opens");
        add(0, Field::Body, "opened this");
        add(2, Field::Name, "openFile");
        let definition = Definition::new(DefinitionKind::Function, Span::default());
        let words = log.finish(&IdVec::from(vec![definition; 3]));
        let stems: Vec<&str> = words.stems().map(|(stem, _)| stem).collect();
        let counts = |at: usize, field| {
            let counts = words.field_words(LocalId::new(at), field).iter();
            counts.map(|word| (stems[word.stem as usize], word.count)).collect::<Vec<_>>()
        };
        assert_eq!(counts(0, Field::Body), [("open", 2), ("read", 1)]);
        assert_eq!(counts(0, Field::Doc), [("open", 1), ("it", 1)]);
        assert_eq!(counts(2, Field::Name), [("open", 1), ("file", 1), ("openfil", 1)]);
        assert!(Field::ALL.iter().all(|&field| counts(1, field).is_empty()));
        assert_eq!((words.definitions(), words.lengths(LocalId::FILE)[Field::Body as usize]), (3, 3));
        assert!(words.stems().all(|(stem, hash)| hash == whichfn_text::stem_hash(stem)));
    }

    /// Reference implementation: counts each stem in the bodies of definitions by adding each word
    /// separately to all enclosing definitions.
    fn slow(definitions: &IdVec<LocalId, Definition>, words: &[(usize, &str)]) -> Vec<BTreeMap<String, u32>> {
        let mut slow = vec![BTreeMap::new(); definitions.len()];
        for &(at, word) in words {
            let mut at = Some(LocalId::new(at));
            while let Some(id) = at {
                if definitions[id].kind != DefinitionKind::Anonymous {
                    *slow[id.index()].entry(word.to_owned()).or_default() += 1;
                }
                at = enclosing_function(definitions, id);
            }
        }
        slow
    }

    proptest! {
        #[test]
        fn nested_functions_share_words_with_enclosing_functions(
            tree in prop::collection::vec((0usize..4, any::<prop::sample::Index>()), 0..12),
            words in prop::collection::vec((any::<prop::sample::Index>(), "[a-c]"), 0..60),
        ) {
            let kinds =
                [DefinitionKind::Function, DefinitionKind::Method, DefinitionKind::Anonymous, DefinitionKind::Class];
            let mut definitions = IdVec::from(vec![Definition::new(DefinitionKind::Module, Span::default())]);
            for (kind, parent) in tree {
                let parent = LocalId::new(parent.index(definitions.len()));
                definitions.push(Definition { parent, ..Definition::new(kinds[kind], Span::default()) });
            }
            let words: Vec<(usize, &str)> =
                words.iter().map(|(at, word)| (at.index(definitions.len()), word.as_str())).collect();
            let mut splitter = Splitter::default();
            let mut log = WordLog::new("", &mut splitter);
            words.iter().for_each(|&(at, word)| log.read_text(word).add_shared(LocalId::new(at), Field::Body));
            let found = log.finish(&definitions);
            let stems: Vec<&str> = found.stems().map(|(stem, _)| stem).collect();
            for (id, slow) in definitions.ids().zip(slow(&definitions, &words)) {
                let counts = found.field_words(id, Field::Body).iter();
                let fast: BTreeMap<String, u32> =
                    counts.map(|word| (stems[word.stem as usize].to_owned(), word.count)).collect();
                prop_assert_eq!(found.lengths(id)[Field::Body as usize], slow.values().sum::<u32>());
                prop_assert_eq!(fast, slow);
            }
        }
    }
}
