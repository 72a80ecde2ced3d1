//! One file through tree-sitter, with a bound on the work, and on to the walk.

use super::extract::Extractor;
use super::facts::Facts;
use super::guard::is_safe;
use super::matches::QueryMatches;
use super::words::FieldWords;
use crate::error::{Error, Kind, Result};
use crate::lang::Language;
use crate::text::Splitter;
use crate::tree::Tree;
use std::ops::ControlFlow;
use tree_sitter::ParseOptions;

/// How often the parser may report progress, for each byte of a file, before the file counts as unreadable. It reports
/// every hundred steps, so this is a fixed amount of work, not of time: the same file gives the same facts on a slow
/// machine. Real code takes up to a quarter of this (measured on the development repositories: 0.016).
const WORK_LIMIT: f64 = 1.0 / 16.0;
/// What a small file may take besides.
const WORK_FLOOR: usize = 1_000;
/// No person nests code this deep, nor chains this many calls; what comes after parsing takes time or memory that grows
/// with the square of the depth.
const DEEPEST: u32 = 4_000;

/// A parser of one thread.
pub struct Parser {
    inner: tree_sitter::Parser,
    /// The last tree, whose memory the next one takes over.
    tree: Tree,
    splitter: Splitter,
}

impl Default for Parser {
    fn default() -> Self {
        Self { inner: tree_sitter::Parser::new(), tree: Tree::default(), splitter: Splitter::default() }
    }
}

impl Parser {
    /// The words of the file that was parsed last; and where a text that is not parsed is split.
    pub fn splitter(&mut self) -> &mut Splitter {
        &mut self.splitter
    }
}

/// The facts of one file and the words of each of its definitions; none when the parser gives up on it.
///
/// # Errors
/// When the language's own data is wrong.
pub fn parse(
    parser: &mut Parser,
    language: &Language,
    path: &str,
    source: &str,
) -> Result<Option<(Facts, FieldWords)>> {
    if !is_safe(&language.spec.limits, source) {
        return Ok(None);
    }
    parser.inner.set_language(&language.parser).map_err(|cause| {
        Error::new(
            Kind::Language,
            format!("the parser for {} does not load: {cause}", language.spec.name),
            "report this",
        )
    })?;
    let (mut work, limit) = (0, WORK_FLOOR + (source.len() as f64 * WORK_LIMIT) as usize);
    let mut within_limit = |_: &tree_sitter::ParseState| {
        work += 1;
        if work > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = source.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut within_limit);
    let tree = parser.inner.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    let Some(tree) = tree else {
        parser.inner.reset();
        return Ok(None);
    };
    let is_read = parser.tree.read(&tree, source, DEEPEST);
    drop(tree);
    let Some(root) = parser.tree.root().filter(|_| is_read) else { return Ok(None) };
    let matches = QueryMatches::collect(&language.patterns, &parser.tree, source);
    let walk = Extractor::new(language, path, source, &matches, &mut parser.splitter);
    Ok(Some(walk.run(root, parser.tree.has_errors)))
}
