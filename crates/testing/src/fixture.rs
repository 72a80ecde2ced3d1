//! Fixtures in Markdown: prose, a small repository as code blocks (```` ```python app/session.py
//! ````), and expected results (```` ```calls ````). `UPDATE=1 cargo test` rewrites the expected
//! results, and the diff is reviewed.

use crate::workspace;
use std::path::{Path, PathBuf};

/// A fixture file, which contains a repository and expected results.
pub struct Case {
    path: PathBuf,
    text: String,
}

/// A code block of a fixture.
pub struct Block {
    /// Language of the block: the first word after the backticks.
    pub language: String,
    /// Path after the language; empty for a block of expected results.
    pub path: String,
    /// Content of the block, with a line break at the end.
    pub text: String,
}

impl Case {
    /// Reads a fixture file.
    pub fn read(path: &Path) -> Self {
        Self { path: path.to_owned(), text: std::fs::read_to_string(path).expect("fixture") }
    }

    /// Reads all fixtures in a directory below `fixtures/`, sorted by file name.
    pub fn all(folder: &str) -> Vec<Self> {
        let folder = workspace().join("fixtures").join(folder);
        let mut paths: Vec<_> = std::fs::read_dir(folder).expect("folder").map(|e| e.expect("entry").path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "md"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    /// Returns the name of the fixture file without its extension.
    pub fn name(&self) -> String {
        self.path.file_stem().expect("name").to_string_lossy().into_owned()
    }

    /// Returns all code blocks of the fixture, in order.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut lines = self.text.lines();
        while let Some(line) = lines.next() {
            let Some(head) = line.strip_prefix("```") else { continue };
            let (language, path) = head.split_once(' ').unwrap_or((head, ""));
            let body: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block { language: language.into(), path: path.into(), text: body.join("\n") + "\n" });
        }
        blocks
    }

    /// Returns the files of the fixture's repository.
    pub fn files(&self) -> Vec<Block> {
        self.blocks().into_iter().filter(|block| !block.path.is_empty()).collect()
    }

    /// Writes the files of the fixture's repository below `root`.
    pub fn write_to(&self, root: &Path) {
        for file in self.files() {
            let path = root.join(&file.path);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
            std::fs::write(path, file.text).expect("file");
        }
    }

    /// Checks that a block of expected results equals `actual`, or replaces the block if `UPDATE=1`
    /// is set.
    pub fn check(&mut self, block: &str, actual: &str) {
        let actual = actual.trim_end();
        let found = self.blocks().into_iter().find(|b| b.language == block && b.path.is_empty());
        let expected = found.unwrap_or_else(|| panic!("{}: no ```{block} block", self.path.display())).text;
        if expected.trim_end() == actual {
            return;
        }
        if std::env::var_os("UPDATE").is_some() {
            let head = format!("```{block}\n");
            let at = self.text.find(&head).expect("block") + head.len();
            let end = at + self.text[at..].find("```").expect("end of block");
            self.text.replace_range(at..end, &format!("{actual}{}", if actual.is_empty() { "" } else { "\n" }));
            std::fs::write(&self.path, &self.text).expect("fixture written");
            return;
        }
        panic!(
            "{}: block `{block}`\n--- expected\n{expected}--- actual\n{actual}\n(UPDATE=1 writes it)",
            self.path.display()
        );
    }
}
