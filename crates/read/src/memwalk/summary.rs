//! Summaries of nodes, extracted from the code. They help to choose between siblings.
//!
//! The summary of a function consists of its scope, its signature, the first sentence of its
//! documentation, and words that few other functions contain. Any other summary consists of the
//! name, the first sentence of the documentation, the names of its entries, and distinctive words.
//! Words are stems from the table of word vectors, so they may be truncated.
//!
//! - **Cost:** for each level of the tree, one pass over the words of all functions below it: 8 ms
//!   for 1,400 functions.

use super::tree::{Shape, SummaryNodeId, SummaryNodeKind, SummaryTree};
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::{WordId, WordLists, WordTable};
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::{first_sentence, is_stop_word};

/// Maximum share of a leaf summary's bytes for its scope and signature. Words fill the rest.
const HEAD_SHARE: f32 = 0.55;
/// Maximum share of a summary's bytes for the first sentence of the documentation.
const DOC_SHARE: f32 = 0.35;
/// Maximum share of a group summary's bytes for names.
const NAMES_SHARE: f32 = 0.5;
/// Exponent in the score of a word, applied to the number of the group's functions that contain the
/// word: 0 prefers the rarest words, and higher values prefer common ones.
const SPREAD: f32 = 0.75;

/// Writer of the summaries of one tree.
pub(super) struct Summariser<'a> {
    graph: &'a GraphFile,
    table: WordTable<'static>,
    shape: &'a Shape,
    /// Words of each leaf, indexed by its first function.
    words: FxHashMap<DefinitionId, Vec<WordId>>,
    /// Number of leaves that contain each word.
    holding: Vec<u32>,
    leaves: usize,
    /// Scratch space for the number of leaves in a group that contain each word.
    counts: Vec<u32>,
}

impl<'a> Summariser<'a> {
    /// Collects the words of all leaves.
    pub fn new(graph: &'a GraphFile, tree: &SummaryTree, shape: &'a Shape) -> Self {
        let table = WordTable::builtin();
        let mut words = FxHashMap::default();
        let mut holding = vec![0u32; table.len()];
        let leaves: Vec<&[DefinitionId]> = tree.leaves(0).map(|leaf| leaf.functions.as_slice()).collect();
        // Leaves are sorted by file, so each file is unpacked once.
        for file in leaves.chunk_by(|a, b| graph.definition(a[0]).file == graph.definition(b[0]).file) {
            let file_id = graph.definition(file[0][0]).file;
            let places: Vec<usize> = (0..graph.definitions_of(file_id).len()).collect();
            let lists = WordLists::read(graph.words(file_id), &places);
            for leaf in file {
                let mut own: Vec<WordId> = Vec::new();
                for id in *leaf {
                    let list = &lists[graph.local(*id).index()];
                    own.extend(list.parameters.iter().chain(&list.body).chain(&list.strings));
                }
                own.sort_unstable();
                own.dedup();
                own.iter().for_each(|word| holding[usize::from(word.0)] += 1);
                words.insert(leaf[0], own);
            }
        }
        let counts = vec![0; table.len()];
        Self { graph, table, shape, words, leaves: leaves.len(), holding, counts }
    }

    /// Returns the summary of a node.
    pub fn summary(&mut self, tree: &SummaryTree, node: SummaryNodeId) -> String {
        match tree.nodes()[node].kind {
            SummaryNodeKind::Function => self.leaf(tree, node),
            _ => self.group(tree, node),
        }
    }

    fn leaf(&mut self, tree: &SummaryTree, node: SummaryNodeId) -> String {
        let current = &tree.nodes()[node];
        let Some(&id) = current.functions.first() else { return String::new() };
        let most = self.shape.leaf_bytes;
        let mut summary = Line::new(most);
        let (name, qualified) = (self.graph.name(id), self.graph.qualified_name(id));
        let scope = qualified.strip_suffix(name).unwrap_or_default();
        summary.add(&format!("{scope} {}", self.graph.signature(id)), share(most, HEAD_SHARE));
        summary.add(first_sentence(self.graph.doc(id)), share(most, DOC_SHARE));
        for &inner in &current.functions[1..] {
            summary.add(self.graph.name(inner), share(most, DOC_SHARE));
        }
        let words = self.words[&id].clone();
        let mut rare: Vec<(u32, WordId)> = words.iter().map(|&w| (self.holding[usize::from(w.0)], w)).collect();
        rare.sort_unstable();
        self.add_words(&mut summary, rare.into_iter().map(|(_, word)| word));
        summary.text
    }

    fn group(&mut self, tree: &SummaryTree, node: SummaryNodeId) -> String {
        let current = &tree.nodes()[node];
        let most = self.shape.group_bytes;
        let mut summary = Line::new(most);
        summary.add(from_above(tree, node), most);
        if let Some(id) = self.definition(tree, node) {
            summary.add(first_sentence(self.graph.doc(id)), share(most, DOC_SHARE));
        }
        let names: Vec<&str> = match current.kind {
            SummaryNodeKind::File => tree.leaves(node).map(|leaf| last_part(&leaf.name)).collect(),
            _ => current.children.iter().map(|&child| last_part(&tree.nodes()[child].name)).collect(),
        };
        for name in names {
            if summary.text.len() + name.len() > share(most, NAMES_SHARE) {
                break;
            }
            summary.add(name, most);
        }
        let words = self.distinctive(tree, node);
        self.add_words(&mut summary, words.into_iter());
        summary.text
    }

    /// Returns the definition whose documentation describes a file or class node.
    fn definition(&self, tree: &SummaryTree, node: SummaryNodeId) -> Option<DefinitionId> {
        let &leaf = tree.leaves(node).next()?.functions.first()?;
        match tree.nodes()[node].kind {
            SummaryNodeKind::File => {
                let file = self.graph.definition(leaf).file;
                Some(self.graph.file(file).first_definition)
            }
            SummaryNodeKind::Class => {
                let around = |&id: &DefinitionId| Some(self.graph.definition(id).parent).filter(|&up| up != id);
                std::iter::successors(Some(leaf), around)
                    .find(|&id| self.graph.qualified_name(id) == tree.nodes()[node].name)
            }
            _ => None,
        }
    }

    /// Returns the distinctive words of a group, best first. The score of a word is a power of the
    /// number of the group's leaves that contain it, times its rarity in the repository.
    fn distinctive(&mut self, tree: &SummaryTree, node: SummaryNodeId) -> Vec<WordId> {
        let mut met: Vec<WordId> = Vec::new();
        for leaf in tree.leaves(node) {
            for &word in &self.words[&leaf.functions[0]] {
                let count = &mut self.counts[usize::from(word.0)];
                if *count == 0 {
                    met.push(word);
                }
                *count += 1;
            }
        }
        let rarity = |word: WordId| (self.leaves as f32 / self.holding[usize::from(word.0)] as f32).ln();
        let mut scored: Vec<(f32, WordId)> =
            met.iter().map(|&w| ((self.counts[usize::from(w.0)] as f32).powf(SPREAD) * rarity(w), w)).collect();
        scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.truncate(self.shape.group_bytes / 2);
        met.iter().for_each(|word| self.counts[usize::from(word.0)] = 0);
        scored.into_iter().map(|(_, word)| word).collect()
    }

    /// Adds words that the summary does not contain yet, as long as they fit.
    fn add_words(&self, summary: &mut Line, words: impl Iterator<Item = WordId>) {
        let lower_summary = summary.text.to_lowercase();
        for word in words {
            let text = std::str::from_utf8(self.table.text(word)).unwrap_or_default();
            if summary.text.len() + text.len() >= summary.most {
                break;
            }
            if text.len() > 1 && !is_stop_word(text) && !lower_summary.contains(text) {
                summary.add(text, summary.most);
            }
        }
    }
}

/// Returns a node's name without the path of the directory above it, which the reader has already
/// seen.
fn from_above(tree: &SummaryTree, node: SummaryNodeId) -> &str {
    let name = tree.nodes()[node].name.as_str();
    let above = tree.path(node).skip(1).find(|&up| tree.nodes()[up].kind == SummaryNodeKind::Directory);
    above.and_then(|up| name.strip_prefix(tree.nodes()[up].name.as_str())).unwrap_or(name)
}

fn share(bytes: usize, share: f32) -> usize {
    (bytes as f32 * share) as usize
}

/// Returns the last part of a path or a qualified name. The name of a page keeps both ends.
fn last_part(name: &str) -> &str {
    if name.contains(" .. ") {
        return name;
    }
    let name = name.trim_end_matches('/');
    let marks: &[char] = if name.contains('/') { &['/'] } else { &['.', ':'] };
    name.rsplit(marks).next().unwrap_or(name)
}

/// A line of text with a limited length.
struct Line {
    text: String,
    most: usize,
}

impl Line {
    fn new(most: usize) -> Self {
        Self { text: String::new(), most }
    }

    /// Adds the words of a string, up to `most` bytes and the limit of the line.
    fn add(&mut self, piece: &str, most: usize) {
        let start = self.text.len();
        for word in piece.split_whitespace() {
            let gap = usize::from(!self.text.is_empty());
            let end = self.text.len() + gap + word.len();
            if end > self.most || end - start > most {
                break;
            }
            if gap == 1 {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
    }
}
