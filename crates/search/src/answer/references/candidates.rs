//! Selects the files that may contain a name, by the words of their ten-line blocks.

use whichfn_index::fragment::{short_hash, unpack};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::FileId;
use whichfn_text::Stemmer;

/// The words of a name, to decide without reading a file whether it may contain the name.
pub struct NameWords(Vec<u32>);

impl NameWords {
    /// Splits a name into words.
    pub fn new(name: &str) -> Self {
        let mut hashes = Vec::new();
        Stemmer::default().stems(name, |word| hashes.push(short_hash(word.text)));
        Self(hashes)
    }

    /// Checks whether a block of a file contains all words of the name. The file may nevertheless
    /// lack the name.
    pub fn may_be_in(&self, graph: &GraphFile, file: FileId) -> bool {
        let has = |block: &[u32], hash| block.binary_search_by_key(hash, |&posting| unpack(posting).0).is_ok();
        graph.postings_of(file).any(|block| self.0.iter().all(|hash| has(block, hash)))
    }
}

/// Returns the wanted files with a block that contains all words of a name, sorted by path. May
/// include files without the name.
pub(in crate::answer) fn files_with(graph: &GraphFile, name: &str, wanted: impl Fn(FileId) -> bool) -> Vec<FileId> {
    let words = NameWords::new(name);
    graph.file_ids().filter(|&file| wanted(file) && words.may_be_in(graph, file)).collect()
}
