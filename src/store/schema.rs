//! The full-text index: one document for each definition, one field for each [`Field`].
//!
//! tantivy keeps the postings; it neither splits words (we hand it stems joined by spaces) nor scores (its k1 and b are
//! fixed, and its counts include deleted documents, so that a refreshed index would rank differently from a new one).
//! Lengths live in the graph. A document's address names its file by a number that survives changes to other files.

use super::joined::Joined;
use crate::parse::Field;
use tantivy::schema::{FAST, INDEXED, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TextAnalyzer;

/// The name under which the tokenizer is registered.
const WORDS: &str = "words";

/// The fields of the full-text index.
#[derive(Debug, Clone)]
pub struct TextFields {
    /// One field of words for each [`Field`], by its number.
    pub text: [tantivy::schema::Field; Field::COUNT],
    /// File number and definition number, see [`document_address`].
    pub address: tantivy::schema::Field,
    /// File number alone, to delete a file's documents by.
    pub file: tantivy::schema::Field,
}

/// The schema and its fields.
pub fn schema() -> (Schema, TextFields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(WORDS)
        .set_index_option(IndexRecordOption::WithFreqs)
        .set_fieldnorms(false);
    let options = TextOptions::default().set_indexing_options(indexing);
    let text = Field::ALL.map(|field| builder.add_text_field(field.name(), options.clone()));
    let address = builder.add_u64_field("address", NumericOptions::default() | FAST);
    let file = builder.add_u64_field("file", NumericOptions::default() | INDEXED);
    (builder.build(), TextFields { text, address, file })
}

/// Registers our tokenizer: words are already split.
pub(super) fn register(index: &tantivy::Index) {
    index.tokenizers().register(WORDS, TextAnalyzer::builder(Joined::default()).build());
}

/// A document's address: the file's number in the text index, and the definition's number in the file.
pub fn document_address(text_id: u32, definition: u32) -> u64 {
    u64::from(text_id) << 32 | u64::from(definition)
}

/// The two numbers of [`document_address`].
pub fn split_address(address: u64) -> (u32, u32) {
    ((address >> 32) as u32, address as u32)
}
