//! Selects the files that may contain a name, by the words of their ten-line blocks.

use whichfn_index::fragment::{short_hash, unpack};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::FileId;
use whichfn_text::Stemmer;

/// Returns the wanted files with a block that contains all words of a name, sorted by path. May
/// include files without the name.
pub(super) fn files_with(graph: &GraphFile, name: &str, wanted: impl Fn(FileId) -> bool) -> Vec<FileId> {
    let mut hashes = Vec::new();
    Stemmer::default().stems(name, |word| hashes.push(short_hash(word.text)));
    let has_all = |block: &[u32]| {
        hashes.iter().all(|hash| block.binary_search_by_key(hash, |&posting| unpack(posting).0).is_ok())
    };
    graph.file_ids().filter(|&file| wanted(file) && graph.postings_of(file).any(has_all)).collect()
}
