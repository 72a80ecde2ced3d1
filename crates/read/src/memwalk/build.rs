//! Builds the summary tree of an index: numbers the nodes, then writes their summaries.

use super::draft::Draft;
use super::summary::Summariser;
use super::tree::{Shape, SummaryNode, SummaryNodeId, SummaryTree, tokens};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::FileId;

impl SummaryTree {
    /// Builds the tree of an index. Without functions, the tree consists of only the root.
    pub fn new(graph: &GraphFile, shape: &Shape) -> Self {
        let files: Vec<FileId> = graph.file_ids().collect();
        let holds = |file: &&FileId| graph.functions_of(**file).next().is_some();
        let length = |&file: &FileId| graph.definition(graph.file(file).first_definition).end_byte as usize;
        let bytes: usize = files.iter().filter(holds).map(length).sum();
        let mut tree = Self { nodes: Vec::new(), text_tokens: tokens(bytes) };
        tree.add(Draft::new(graph, shape.children.max(2)), 0);
        // Children follow their parents, so a reverse pass visits children first.
        for at in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[at];
            let all = node.children.iter().all(|&child| tree.nodes[child].is_test);
            tree.nodes[at].is_test = all && node.functions.first().is_none_or(|&id| graph.definition(id).is_test());
        }
        let mut summariser = Summariser::new(graph, &tree, shape);
        let summaries: Vec<String> = (0..tree.nodes.len()).map(|at| summariser.summary(&tree, at)).collect();
        tree.with_summaries(summaries)
    }

    fn add(&mut self, draft: Draft, parent: SummaryNodeId) -> SummaryNodeId {
        let (number, Draft { kind, name, functions, children }) = (self.nodes.len(), draft);
        self.nodes.push(SummaryNode {
            kind,
            name,
            parent,
            children: Vec::new(),
            functions,
            is_test: false,
            summary: String::new(),
        });
        let children: Vec<SummaryNodeId> = children.into_iter().map(|child| self.add(child, number)).collect();
        self.nodes[number].children = children;
        number
    }
}
