//! The fields of the index, and their weights in a search.

use crate::class::class;
use crate::split::Passage;
use tantivy::TantivyDocument;
use tantivy::schema::{FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions};

/// Separates headings in the stored text.
pub(crate) const HEADING_SEPARATOR: char = '\u{1f}';

/// Name of the tokenizer of all fields with words.
pub(crate) const TOKENIZER: &str = "passage";
/// Name of the column with the class of each passage's file.
pub(crate) const CLASS: &str = "class";

/// The fields of a passage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// Path of the file, as one term.
    pub path: Field,
    /// Words of the path.
    pub path_words: Field,
    /// Words of the passage's own heading.
    pub heading: Field,
    /// Words of the headings around it.
    pub outer: Field,
    /// Words of the passage.
    pub body: Field,
    /// First line, last line, and headings, which are only stored.
    pub start: Field,
    pub end: Field,
    /// Class of the file.
    pub class: Field,
    pub headings: Field,
}

/// Returns the schema of the index and its fields.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        path: builder.add_text_field("path", STRING | STORED),
        path_words: builder.add_text_field("path_words", words.clone()),
        heading: builder.add_text_field("heading", words.clone()),
        outer: builder.add_text_field("outer", words.clone()),
        body: builder.add_text_field("body", words),
        start: builder.add_u64_field("start", STORED),
        end: builder.add_u64_field("end", STORED),
        class: builder.add_u64_field(CLASS, FAST),
        headings: builder.add_text_field("headings", TextOptions::default() | STORED),
    };
    (builder.build(), fields)
}

impl Fields {
    /// Returns the searched fields with their weights. The body includes the heading, so a word in
    /// the heading counts twice.
    pub fn weighted(&self) -> [(Field, f32); 4] {
        [(self.body, 1.0), (self.heading, 1.0), (self.outer, 0.5), (self.path_words, 0.5)]
    }

    /// Returns the document for a passage.
    pub fn document(&self, path: &str, passage: &Passage, lines: &[&str]) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(self.path, path);
        document.add_text(self.path_words, path);
        let (own, outer) = passage.headings.split_last().map_or(("", &[][..]), |(own, outer)| (own.as_str(), outer));
        document.add_text(self.heading, own);
        document.add_text(self.outer, outer.join("\n"));
        let body = lines[passage.start_line as usize - 1..passage.end_line as usize].join("\n");
        document.add_text(self.body, body);
        document.add_u64(self.start, passage.start_line.into());
        document.add_u64(self.class, class(path));
        document.add_u64(self.end, passage.end_line.into());
        document.add_text(self.headings, passage.headings.join(&HEADING_SEPARATOR.to_string()));
        document
    }
}
