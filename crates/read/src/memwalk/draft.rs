//! Drafts the tree before its nodes are numbered: groups files by directory, functions by class,
//! and excess entries by page.

use super::tree::SummaryNodeKind;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_text::path_escaped;

/// A draft node with its whole subtree.
pub(super) struct Draft {
    pub kind: SummaryNodeKind,
    pub name: String,
    pub functions: Vec<DefinitionId>,
    pub children: Vec<Draft>,
}

impl Draft {
    /// Drafts the whole tree of an index. No node has more than `most` children, which is at least
    /// 2.
    pub fn new(graph: &GraphFile, most: usize) -> Self {
        let files = graph.file_ids();
        let mut root = directory("", files.filter_map(|file| file_draft(graph, file, most)).collect());
        root.cut(most);
        root
    }

    fn group(kind: SummaryNodeKind, name: &str, children: Vec<Self>) -> Self {
        Self { kind, name: name.to_owned(), functions: Vec::new(), children }
    }

    /// Groups excess children into pages, and excess pages into pages of pages.
    fn cut(&mut self, most: usize) {
        self.children.iter_mut().for_each(|child| child.cut(most));
        while self.children.len() > most {
            let count = self.children.len().div_ceil(most);
            let mut rest = std::mem::take(&mut self.children).into_iter();
            let total = rest.len();
            let ends = (1..=count).map(|page| page * total / count);
            let mut start = 0;
            for end in ends {
                let entries: Vec<Self> = rest.by_ref().take(end - start).collect();
                start = end;
                self.children.push(page(entries));
            }
        }
    }
}

fn page(mut entries: Vec<Draft>) -> Draft {
    if entries.len() == 1 {
        return entries.remove(0);
    }
    let ends = |draft: Option<&Draft>, first: bool| {
        let name = draft.map_or("", |draft| draft.name.as_str());
        // A page of pages extends from the first name of its first page to the last name of its
        // last page.
        let mut ends = name.split(" .. ");
        (if first { ends.next() } else { ends.last() }).unwrap_or(name).to_owned()
    };
    let name = format!("{} .. {}", ends(entries.first(), true), ends(entries.last(), false));
    Draft::group(SummaryNodeKind::Page, &name, entries)
}

/// Drafts the directory at `path`, which is empty or ends with a slash. `files` is sorted by path.
fn directory(path: &str, files: Vec<Draft>) -> Draft {
    let mut children: Vec<Draft> = Vec::new();
    let mut files = files.into_iter().peekable();
    while let Some(file) = files.next() {
        let Some(end) = file.name[path.len()..].find('/') else {
            children.push(file);
            continue;
        };
        let below = file.name[..path.len() + end + 1].to_owned();
        let mut inside = vec![file];
        while let Some(next) = files.next_if(|next| next.name.starts_with(&below)) {
            inside.push(next);
        }
        children.push(directory(&below, inside));
    }
    if children.len() == 1 { children.remove(0) } else { Draft::group(SummaryNodeKind::Directory, path, children) }
}

/// Drafts a file. Returns `None` if the file contains no function.
fn file_draft(graph: &GraphFile, file: FileId, most: usize) -> Option<Draft> {
    let all = graph.definitions_of(file);
    let mut children: Vec<Vec<DefinitionId>> = vec![Vec::new(); all.len()];
    for id in all.skip(1) {
        children[graph.local(graph.definition(id).parent).index()].push(id);
    }
    let inside = NestedDefinitions { graph, children, most };
    let entries = inside.entries(graph.file(file).first_definition);
    (!entries.is_empty()).then(|| Draft::group(SummaryNodeKind::File, &path_escaped(graph.path(file)), entries))
}

/// The definitions of one file, indexed by parent definition.
struct NestedDefinitions<'a> {
    graph: &'a GraphFile,
    children: Vec<Vec<DefinitionId>>,
    /// Maximum number of entries in a node.
    most: usize,
}

impl NestedDefinitions<'_> {
    fn below(&self, id: DefinitionId) -> &[DefinitionId] {
        &self.children[self.graph.local(id).index()]
    }

    /// Returns the entries that are shown when a definition is opened.
    fn entries(&self, id: DefinitionId) -> Vec<Draft> {
        let mut entries: Vec<Draft> = self.below(id).iter().flat_map(|&child| self.drafts(child)).collect();
        let opened = |entry: &Draft| if entry.kind == SummaryNodeKind::Class { entry.children.len() } else { 1 };
        // If all members of the inner classes fit here, the classes would only add a step.
        if entries.iter().map(opened).sum::<usize>() <= self.most {
            let open = |entry: Draft| if entry.kind == SummaryNodeKind::Class { entry.children } else { vec![entry] };
            entries = entries.into_iter().flat_map(open).collect();
        }
        entries
    }

    fn drafts(&self, id: DefinitionId) -> Vec<Draft> {
        let kind = self.graph.definition(id).kind();
        if kind.is_function() {
            let (name, functions) = (self.graph.qualified_name(id).to_owned(), self.functions(id));
            return vec![Draft { kind: SummaryNodeKind::Function, name, functions, children: Vec::new() }];
        }
        let entries = self.entries(id);
        match entries.len() {
            0 | 1 => entries,
            _ if kind == DefinitionKind::Anonymous => entries,
            _ => vec![Draft::group(SummaryNodeKind::Class, self.graph.qualified_name(id), entries)],
        }
    }

    /// Returns a function and the functions nested in it, in source order.
    fn functions(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let mut all: Vec<DefinitionId> = vec![id];
        let mut at = 0;
        while at < all.len() {
            all.extend_from_slice(self.below(all[at]));
            at += 1;
        }
        all.retain(|&id| self.graph.definition(id).kind().is_function());
        all[1..].sort_unstable();
        all
    }
}
