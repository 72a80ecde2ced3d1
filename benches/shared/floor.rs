//! The floor that times are compared with: the same files, read and parsed by tree-sitter with the same threads, and no more.

use rayon::prelude::*;
use std::path::Path;
use whichfn::lang::Registry;
use whichfn::walk::{read, scan};

pub fn parse_all(root: &Path, registry: &Registry, max_size: u64) {
    let files = scan(root, registry, max_size).expect("scan").files;
    files
        .par_iter()
        .map_init(tree_sitter::Parser::new, |parser, entry| {
            let Ok(text) = read(&root.join(&entry.path)) else { return 0 };
            let name = entry.path.rsplit('/').next().unwrap_or_default();
            let Some(id) = registry.detect(name) else { return 0 };
            parser.set_language(&registry.language(id).expect("language").parser).expect("parser");
            parser.parse(&text.text, None).map_or(0, |tree| tree.root_node().end_byte())
        })
        .sum::<usize>();
}
