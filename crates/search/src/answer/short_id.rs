//! Short ids of definitions that a user can type: `#` and six characters, computed from the path,
//! the qualified name, and the position among the definitions with that name in the file. An id
//! stays the same when lines move and in every process, and disappears with its definition.
//!
//! **Cost:** resolving an id reads the names of all definitions once.
//!
//! **Alternatives:** the definition's number in the index, which belongs to another definition
//! after the next refresh.

use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use xxhash_rust::xxh3::xxh3_64;

/// First character of an id, so that no id is mistaken for a name.
const MARK: char = '#';
/// Digits that are hard to confuse (the digits of Crockford's base 32).
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Number of digits. In a repository with 40,000 definitions, about one pair shares an id.
const LENGTH: u32 = 6;

/// Returns the short id of a definition.
pub fn short_id(graph: &GraphFile, id: DefinitionId) -> String {
    let file = graph.definition(id).file;
    let name = graph.qualified_name(id);
    let before = graph.definitions_of(file).take_while(|other| *other != id);
    let occurrence = before.filter(|other| graph.qualified_name(*other) == name).count();
    format_id(graph, file, name, occurrence)
}

/// Returns the definitions with a short id, which may be typed without its mark.
///
/// There is usually one, and rarely more. The result is empty if no definition has that id.
pub fn with_short_id(graph: &GraphFile, typed: &str) -> Vec<DefinitionId> {
    let wanted = format!("{MARK}{}", typed.trim().trim_start_matches(MARK).to_lowercase());
    let mut found = Vec::new();
    for file in graph.file_ids() {
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for id in graph.definitions_of(file) {
            let name = graph.qualified_name(id);
            let occurrence = seen.entry(name).or_default();
            if format_id(graph, file, name, *occurrence) == wanted {
                found.push(id);
            }
            *occurrence += 1;
        }
    }
    found
}

fn format_id(graph: &GraphFile, file: FileId, name: &str, occurrence: usize) -> String {
    let hash = xxh3_64(format!("{}\0{name}\0{occurrence}", graph.path(file)).as_bytes());
    let digit = |at: u32| char::from(DIGITS[(hash >> (5 * at)) as usize % DIGITS.len()]);
    std::iter::once(MARK).chain((0..LENGTH).map(digit)).collect()
}
