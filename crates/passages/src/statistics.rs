//! The counts that BM25 needs, over the passages that exist.
//!
//! tantivy keeps deleted passages in its counts until it rewrites their segment. These counts leave
//! them out, so that an index that was updated ranks like one that was built from scratch.

use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

/// Counts over the passages that exist.
///
/// **Cost:** one pass over the field lengths per field; over the postings of a term in segments with
/// deleted passages.
pub(crate) struct Statistics<'a>(pub &'a Searcher);

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        let mut total = 0;
        for segment in self.0.segment_readers() {
            let lengths = segment.get_fieldnorms_reader(field)?;
            total += segment.doc_ids_alive().map(|doc| u64::from(lengths.fieldnorm(doc))).sum::<u64>();
        }
        Ok(total)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.0.num_docs())
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let mut total = 0;
        for segment in self.0.segment_readers() {
            let index = segment.inverted_index(term.field())?;
            let count = match segment.alive_bitset() {
                None => index.doc_freq(term)?,
                Some(alive) => index
                    .read_postings(term, IndexRecordOption::Basic)?
                    .map_or(0, |postings| postings.doc_freq_given_deletes(alive)),
            };
            total += u64::from(count);
        }
        Ok(total)
    }
}
