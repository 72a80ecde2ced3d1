//! The words of definitions, by field: the documents that BM25F ranks.
//!
//! Words are numbers until they are stored: of the stemmer while a file is walked, then of the file, whose dictionary goes with
//! them. A file is split once ([`Splitter`]); leaves take their words from there.

use crate::ids::{LocalId, row_range, row_starts};
use crate::text::{Splitter, StemNumber, first_sentence};
use std::ops::Range;

/// The part of a definition that a word is from. Each field has its own weight and length (see `search`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// The definition's own name.
    Name,
    /// Names of the definitions around it.
    Scope,
    /// The file's path.
    Path,
    /// Parameters and results, with their types.
    Parameters,
    /// Identifiers in its body.
    Body,
    /// Strings and comments in its body.
    Strings,
    /// The first sentence of its documentation.
    Summary,
    /// The rest of its documentation.
    Doc,
}

impl Field {
    /// How many fields there are.
    pub const COUNT: usize = 8;
    /// All fields, in the order of their number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Name, Self::Scope, Self::Path, Self::Parameters, Self::Body, Self::Strings, Self::Summary, Self::Doc];

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Scope => "scope",
            Self::Path => "path",
            Self::Parameters => "parameter",
            Self::Body => "body",
            Self::Strings => "string",
            Self::Summary => "summary",
            Self::Doc => "doc",
        }
    }
}

/// The words of a file's definitions: how often each stem occurs, by definition and field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldWords {
    stems: Vec<FileStem>,
    /// The stems end to end.
    texts: String,
    /// Where the counts of each definition's fields begin: by definition, then field; and the end of all.
    starts: Vec<u32>,
    counts: Vec<WordCount>,
    /// The number of words by definition and field.
    lengths: Vec<[u32; Field::COUNT]>,
}

/// A stem that occurs in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStem {
    hash: u64,
    /// Where its text ends.
    end: u32,
}

/// How often a stem occurs in a field of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordCount {
    /// The stem's number in the file: stems are numbered as they first occur.
    pub stem: u32,
    /// At least 1.
    pub count: u32,
}

impl FieldWords {
    /// Of definitions whose fields hold these texts.
    pub fn of_texts(definitions: &[&[(Field, &str)]]) -> Self {
        let mut splitter = Splitter::default();
        let mut log = WordLog::new("", &mut splitter);
        for (id, &fields) in definitions.iter().enumerate() {
            fields.iter().for_each(|&(field, text)| log.read_text(text).add(LocalId::new(id), field));
        }
        log.finish(definitions.len())
    }

    /// Without words, but with the stems of all that will come.
    fn with_stems(splitter: &Splitter) -> Self {
        let mut words = Self::default();
        for &stem in splitter.numbered() {
            let stem = splitter.stemmer().word(stem);
            words.texts.push_str(stem.text);
            words.stems.push(FileStem { hash: stem.hash, end: words.texts.len() as u32 });
        }
        words
    }

    /// The stems of the file with their hashes ([`crate::text::stem_hash`]), by number.
    pub fn stems(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        let mut start = 0;
        self.stems.iter().map(move |stem| {
            let text = &self.texts[start..stem.end as usize];
            start = stem.end as usize;
            (text, stem.hash)
        })
    }

    /// How many definitions there are.
    pub fn definitions(&self) -> usize {
        self.lengths.len()
    }

    /// The words in a field of a definition, in order of their stems' numbers.
    pub fn of(&self, definition: LocalId, field: Field) -> &[WordCount] {
        &self.counts[row_range(&self.starts, row(definition, field))]
    }

    /// The number of words of a definition by field, as often as they occur.
    pub fn lengths(&self, definition: LocalId) -> [u32; Field::COUNT] {
        self.lengths[definition.index()]
    }
}

/// The place of a definition's field among all.
fn row(definition: LocalId, field: Field) -> usize {
    definition.index() * Field::COUNT + field as usize
}

/// Collects the words of definitions in the order in which they are met.
pub(super) struct WordLog<'a> {
    splitter: &'a mut Splitter,
    source: &'a str,
    /// Definition and field, as one number, and the stem.
    met: Vec<(u32, StemNumber)>,
    /// What was split last.
    stems: Vec<StemNumber>,
}

impl<'a> WordLog<'a> {
    /// For a file, which is split here.
    pub fn new(source: &'a str, splitter: &'a mut Splitter) -> Self {
        splitter.read(source);
        Self { splitter, source, met: Vec::new(), stems: Vec::new() }
    }

    /// Takes up the words of a part of the file.
    pub fn read(&mut self, bytes: Range<usize>) -> &mut Self {
        self.stems.clear();
        self.splitter.part(self.source, bytes, &mut self.stems);
        self.stems.retain(|stem| !stem.is_noise());
        self
    }

    /// Takes up the words of another text.
    pub fn read_text(&mut self, text: &str) -> &mut Self {
        self.stems.clear();
        self.splitter.other(text, &mut self.stems);
        self.stems.retain(|stem| !stem.is_noise());
        self
    }

    /// Adds the words taken up last to a field of a definition.
    pub fn add(&mut self, definition: LocalId, field: Field) {
        let row = row(definition, field) as u32;
        self.met.extend(self.stems.iter().map(|&stem| (row, stem)));
    }

    /// Adds documentation: its first sentence and the rest.
    pub fn add_doc(&mut self, definition: LocalId, text: &str) {
        let text = text.trim_start();
        let summary = first_sentence(text);
        self.read_text(summary).add(definition, Field::Summary);
        self.read_text(&text[summary.len()..]).add(definition, Field::Doc);
    }

    /// All words, counted, of so many definitions.
    pub fn finish(self, definitions: usize) -> FieldWords {
        let Self { splitter, met, .. } = self;
        let met_starts = row_starts(definitions * Field::COUNT, met.iter().map(|&(row, _)| row as usize));
        let (mut stems, mut next) = (vec![0; met.len()], met_starts.clone());
        for (row, stem) in met {
            stems[next[row as usize] as usize] = splitter.number(stem);
            next[row as usize] += 1;
        }
        let mut words = FieldWords::with_stems(splitter);
        words.lengths = vec![[0; Field::COUNT]; definitions];
        words.starts.reserve(met_starts.len());
        words.starts.push(0);
        for row in 0..definitions * Field::COUNT {
            let stems = &mut stems[row_range(&met_starts, row)];
            stems.sort_unstable();
            let counts = stems.chunk_by(|a, b| a == b);
            words.counts.extend(counts.map(|same| WordCount { stem: same[0], count: same.len() as u32 }));
            words.lengths[row / Field::COUNT][row % Field::COUNT] = stems.len() as u32;
            words.starts.push(words.counts.len() as u32);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_definition_and_field() {
        let words = FieldWords::of_texts(&[
            &[(Field::Body, "open self reads"), (Field::Doc, "it opens"), (Field::Body, "opened this")],
            &[],
            &[(Field::Name, "openFile")],
        ]);
        let stems: Vec<&str> = words.stems().map(|(stem, _)| stem).collect();
        let counts = |at: usize, field| {
            let counts = words.of(LocalId::new(at), field).iter();
            counts.map(|word| (stems[word.stem as usize], word.count)).collect::<Vec<_>>()
        };
        assert_eq!(counts(0, Field::Body), [("open", 2), ("read", 1)]);
        assert_eq!(counts(0, Field::Doc), [("open", 1), ("it", 1)]);
        assert_eq!(counts(2, Field::Name), [("open", 1), ("file", 1), ("openfil", 1)]);
        assert!(Field::ALL.iter().all(|&field| counts(1, field).is_empty()));
        assert_eq!((words.definitions(), words.lengths(LocalId::FILE)[Field::Body as usize]), (3, 3));
        assert!(words.stems().all(|(stem, hash)| hash == crate::text::stem_hash(stem)));
    }
}
