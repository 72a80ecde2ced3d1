//! Outlines files: their named definitions, nested.

use super::Engine;
use super::symbols::is_listed;
use rustc_hash::FxHashMap;
use whichfn_scan::Skip;
use whichfn_search::answer::{DefinitionLocation, location};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_from_text;

/// A definition in the outline of a file.
#[derive(Debug, Clone)]
pub struct OutlineNode {
    /// The definition with its position.
    pub location: DefinitionLocation,
    /// Unqualified name.
    pub name: String,
    /// Signature, on one line.
    pub signature: String,
    /// Definitions inside it, sorted by position.
    pub below: Vec<OutlineNode>,
}

impl Engine {
    /// Returns the indexed files of a path from the root, sorted by path: the file, or all files below
    /// the directory.
    ///
    /// # Errors
    /// Returns an error if there is no such file or directory.
    pub fn files_at(&self, path: &str) -> Result<Vec<(FileId, String)>> {
        let graph = &self.generation.graph;
        let full_path = self.root.join(path_from_text(path));
        if !full_path.exists() {
            let what = format!("{} does not exist", full_path.display());
            return Err(Error::new(Kind::Path, what, "pass a file or directory of the repository"));
        }
        let (is_directory, below) = (full_path.is_dir(), format!("{}/", path.trim_end_matches('/')));
        let is_in = |one: &str| if is_directory { path == "." || one.starts_with(&below) } else { one == path };
        let all = graph.file_ids().map(|file| (file, graph.path(file).to_owned()));
        let mut files: Vec<_> = all.filter(|(_, path)| is_in(path)).collect();
        files.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(files)
    }

    /// Returns the reason why a file has no outline; `None` for a file of code, and for a directory.
    pub fn skip_reason(&self, path: &str) -> Option<String> {
        if self.root.join(path_from_text(path)).is_dir() {
            return None;
        }
        if let Some(file) = self.sources().indexed(path) {
            let is_code = self.generation.graph.language(file).is_some();
            return (!is_code).then(|| "whichfn does not know its language".to_owned());
        }
        let skipped = self.generation.manifest.skipped.iter().find(|file| file.path == path);
        Some(match skipped.map(|file| file.reason) {
            None => "it is ignored, hidden, or in an ignored directory".to_owned(),
            Some(Skip::Link) => "it is a link".to_owned(),
            Some(reason) => format!("it is {}", reason.name()),
        })
    }

    /// Returns the definitions in the file with this path, nested. Anonymous functions and
    /// declarations are left out.
    pub fn outline(&self, path: &str) -> Vec<OutlineNode> {
        self.sources().indexed(path).map(|file| self.outline_of(file)).unwrap_or_default()
    }

    /// Does the same as [`Self::outline`] for the id of a file.
    pub fn outline_of(&self, file: FileId) -> Vec<OutlineNode> {
        let graph = &self.generation.graph;
        let is_shown = |id: DefinitionId| {
            let kind = graph.definition(id).kind();
            is_listed(graph, id) && !matches!(kind, DefinitionKind::Declaration | DefinitionKind::Text)
        };
        let around = |id: DefinitionId| {
            let mut at = graph.definition(id).parent;
            while !is_shown(at) && graph.definition(at).parent != at {
                at = graph.definition(at).parent;
            }
            Some(at).filter(|&at| is_shown(at))
        };
        let mut inside: FxHashMap<Option<DefinitionId>, Vec<DefinitionId>> = FxHashMap::default();
        for id in graph.definitions_of(file).filter(|&id| is_shown(id)) {
            inside.entry(around(id)).or_default().push(id);
        }
        self.nodes(&inside, None)
    }

    fn nodes(
        &self,
        inside: &FxHashMap<Option<DefinitionId>, Vec<DefinitionId>>,
        around: Option<DefinitionId>,
    ) -> Vec<OutlineNode> {
        let graph = &self.generation.graph;
        let node = |&id: &DefinitionId| OutlineNode {
            location: location(graph, id),
            name: graph.name(id).to_owned(),
            signature: graph.signature(id).to_owned(),
            below: self.nodes(inside, Some(id)),
        };
        inside.get(&around).into_iter().flatten().map(node).collect()
    }
}
