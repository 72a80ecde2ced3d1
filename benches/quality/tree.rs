//! A working copy of a package, in which the end of a file can be hidden.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use whichfn::engine::Engine;
use whichfn_index::index::{Options, Silent};
use whichfn_scan::{decode, scan};
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::Registry;

/// A working copy and its index.
pub struct Tree {
    root: PathBuf,
    index: PathBuf,
    /// Complete text of each indexed file.
    pub texts: BTreeMap<String, String>,
}

impl Tree {
    /// Copies the files that a directory walk finds in `from/sources` to a directory below `work`,
    /// and indexes them.
    pub fn copy(from: &Path, sources: &str, work: &Path) -> (Self, Engine) {
        let root = work.join("tree");
        let registry = Registry::builtin().expect("languages");
        for entry in scan(&from.join(sources), &registry, u64::MAX).expect("sources: run fetch.sh first").files {
            let target = root.join(sources).join(&entry.path);
            std::fs::create_dir_all(target.parent().expect("parent")).expect("directory");
            std::fs::copy(from.join(sources).join(&entry.path), target).expect("copy");
        }
        let root = root.canonicalize().expect("tree");
        let mut tree = Self { root, index: work.join("index"), texts: BTreeMap::new() };
        let engine = tree.open();
        let graph = &engine.generation().graph;
        for path in (0..graph.file_count()).map(|file| graph.path(FileId::new(file))) {
            let bytes = std::fs::read(tree.root.join(path)).expect("file");
            tree.texts.insert(path.to_owned(), decode(&bytes).expect("text").into_owned());
        }
        (tree, engine)
    }

    fn open(&self) -> Engine {
        Engine::open(&self.root, &self.index, &Options::default(), &Silent).expect("index")
    }

    /// Truncates a file before a 1-based line and returns the index of the rest. Neither postings
    /// nor call edges can contain the hidden text.
    pub fn hide(&self, file: &str, line: u32) -> Engine {
        let kept: String = self.texts[file].split_inclusive('\n').take(line as usize - 1).collect();
        std::fs::write(self.root.join(file), kept).expect("file");
        let engine = self.open();
        let graph = &engine.generation().graph;
        let known = (0..graph.file_count()).find(|&id| graph.path(FileId::new(id)) == file);
        assert!(
            known.is_some_and(|id| graph.file(FileId::new(id)).lines < line),
            "the index knows what is hidden: {file}:{line}"
        );
        engine
    }

    /// Restores the complete text of a file after [`Self::hide`].
    pub fn restore(&self, file: &str) {
        std::fs::write(self.root.join(file), &self.texts[file]).expect("file");
    }
}
