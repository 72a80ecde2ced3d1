//! The rooms of `src/`, along the way of the data. A room may use only rooms of earlier rows; rooms of one row are
//! siblings and may not see each other. `ARCHITECTURE.md` tells of them in the same order.

use std::path::{Path, PathBuf};

pub const ROOMS: &[&[&str]] = &[
    &["error", "ids", "varint", "untrusted", "process_group", "tree"],
    &["text", "threads"],
    &["embed"],
    &["lang"],
    &["scan"],
    &["parse"],
    &["wordvec"],
    &["graph", "fragment"],
    &["store"],
    &["relation", "source"],
    &["index", "search"],
    &["answer", "picture", "llm"],
    &["memory"],
    &["reading"],
    &["lookup", "inquiry", "memwalk", "context", "check"],
    &["engine", "eval"],
    &["render", "host"],
    &["mcp", "serve", "lsp", "fleet"],
    &["cli"],
];

/// The row of a room.
pub fn level(room: &str) -> Option<usize> {
    ROOMS.iter().position(|row| row.contains(&room))
}

/// The room of a path from the root: `src/scan/files.rs` and `src/ids.rs` are in `scan` and `ids`.
pub fn room(path: &str) -> &str {
    let below = path.strip_prefix("src/").unwrap_or(path);
    below.split('/').next().unwrap_or(below).trim_end_matches(".rs")
}

/// Every Rust file of `src/`: its path from the root with slashes, and its text; in order of path.
pub fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut found) = (vec![root.join("src")], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries: Vec<PathBuf> =
            std::fs::read_dir(folder).expect("folder").map(|e| e.expect("entry").path()).collect();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                found.push((name, std::fs::read_to_string(&path).expect("text")));
            }
        }
    }
    found.sort();
    found
}

/// Lines of code with their numbers from 1: comment lines are left out, because they may point anywhere.
pub fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// A file without its unit tests, which are the last thing in it.
pub fn before_tests(text: &str) -> &str {
    let tests = text.find("\n#[cfg(test)]").or_else(|| text.find("\n#[cfg(all(test"));
    let Some(at) = tests else { return text };
    let below = text[at + 1..].lines().nth(1);
    assert_eq!(below, Some("mod tests {"), "what is compiled for tests alone is `mod tests`, at the end of a file");
    &text[..at + 1]
}
