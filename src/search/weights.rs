//! Every constant of the ranking, with its reason and source. Tuned on the development sets only
//! (`benches/records/` holds the tables before and after each change).

use super::bm25f::DocumentField;

/// How soon more occurrences of a word stop to count. The usual value for short documents.
pub(super) const K1: f32 = 1.2;

/// Weight of a field, and how much its length counts against it (0 not at all, 1 in full).
pub(super) fn field(field: DocumentField) -> (f32, f32) {
    match field {
        // A name is the shortest description that its author could find.
        DocumentField::Name => (3.0, 0.3),
        DocumentField::Scope => (0.8, 0.3),
        DocumentField::Path => (0.7, 0.3),
        DocumentField::Parameters => (1.0, 0.5),
        // Long bodies soak up the words of long questions.
        DocumentField::Body => (1.0, 0.75),
        DocumentField::Strings => (0.7, 0.75),
        DocumentField::Summary => (1.5, 0.5),
        DocumentField::Doc => (0.8, 0.75),
        // Who calls a function, and in which words, is part of what it does.
        DocumentField::CallerNames => (0.5, 0.75),
        DocumentField::CallerDocs => (0.3, 0.75),
        DocumentField::CalleeDocs => (0.3, 0.75),
    }
}

/// A test is lowered by this share of the best score, unless the question speaks of tests.
pub(super) const TEST: f32 = 0.15;
