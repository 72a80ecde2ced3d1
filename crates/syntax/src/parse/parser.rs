//! Parses a file with tree-sitter, within limits on work and memory, and extracts the facts from
//! its tree.

use super::bare_macros::separated;
use super::data_rows::without_rows;
use super::embedded::Embedded;
use super::extract::Extractor;
use super::facts::Facts;
use super::guard::is_safe;
use super::item_macros::{MAX_OPENED, OpenedMacros};
use super::macros::{without_listed, without_macros};
use super::markup;
use super::matches::QueryMatches;
use super::named_blocks::as_functions;
use super::notebook::{self, is_notebook};
use super::parser_memory::{allocations, count_allocations};
use super::text_reader::TextReader;
use super::words::FieldWords;
use crate::lang::Language;
use crate::tree::Tree;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Duration;
use tree_sitter::ParseOptions;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::threads::thread_time;
use whichfn_text::Splitter;

/// Maximum number of progress reports from the parser per byte of a file. A file that exceeds it
/// counts as unparsable. The parser reports every hundred steps, so this limits work and not time,
/// and the same file gives the same facts on a slow machine. Real code needs at most a quarter of
/// this (measured on the development repositories: 0.016).
const WORK_LIMIT: f64 = 1.0 / 16.0;
/// Number of progress reports that are allowed in addition, for small files.
const WORK_FLOOR: usize = 1_000;
/// Maximum number of bytes that the parser may allocate per byte of a file. Real code needs at most
/// 157 bytes in a file of 9 kB and 50 bytes in a file of 300 kB, with a mean of 25.
const MEMORY_LIMIT: usize = 128;
/// Number of bytes that the parser may allocate in addition. A file of the maximum size can thus
/// use 192 MiB.
const MEMORY_FLOOR: usize = 64 << 20;
/// Maximum number of bytes that the parser may read per byte of a file, including those that it
/// reads again. A scanner may read up to the end of the file at each position after an error, and
/// reports no progress meanwhile. Real code is read five times at most.
const READ_LIMIT: usize = 32;
/// Number of bytes that the parser may read in addition.
const READ_FLOOR: usize = 8 << 20;
/// Maximum number of nodes on the parser's stack. The parser may free them in a recursion, which
/// takes about 100 bytes of the thread's stack for each node ([`STACK_SIZE`]). Real code needs at
/// most 2,315 nodes.
///
/// [`STACK_SIZE`]: whichfn_system::threads::STACK_SIZE
const STACK_LIMIT: usize = 200_000;
/// Maximum work for errors: the sum of the numbers of nodes that are on the parser's stack at each
/// error, with 400 more for each. The parser visits each node up to 64 times, and reports no
/// progress meanwhile. This much work took 1.6 s at most. Real code needs at most 2.4 million (a
/// header of 853 kB with 5,288 errors).
const ERROR_LIMIT: usize = 10_000_000;
/// Maximum processor time for a file. This is the last resort against text for which no other limit
/// is known; such a file is skipped from then on, so that later runs agree. Real code of the maximum
/// size needs at most a tenth.
const TIME_LIMIT: Duration = Duration::from_secs(4);
/// Number of progress reports after which the parser's processor time is read.
const REPORTS_PER_CLOCK: usize = 8;
/// Maximum depth of a syntax tree. No one nests code this deeply, or chains this many calls, and
/// the steps after parsing need time or memory that grows with the square of the depth.
const MAX_DEPTH: u32 = 4_000;

/// A parser that one thread uses for many files.
pub struct Parser {
    inner: tree_sitter::Parser,
    /// Most recent tree, whose memory is reused for the next tree.
    tree: Tree,
    splitter: Splitter,
    /// Number of bytes of the current file that limit work and memory.
    size: usize,
    /// Processor time of the thread at which the parser gives up on the current file.
    end: Option<Duration>,
    /// True if the parser gave up on the current file because of [`TIME_LIMIT`].
    is_too_slow: bool,
}

impl Default for Parser {
    fn default() -> Self {
        count_allocations();
        Self {
            inner: tree_sitter::Parser::new(),
            tree: Tree::default(),
            splitter: Splitter::default(),
            size: 0,
            end: None,
            is_too_slow: false,
        }
    }
}

impl Parser {
    /// Returns the splitter, which contains the words of the file that was parsed last. It can also
    /// split text that is not parsed.
    pub fn splitter(&mut self) -> &mut Splitter {
        &mut self.splitter
    }

    /// Checks whether the parser gave up on the last file because it took too much processor time. The
    /// result depends on the machine, so the caller should skip the same content from then on.
    pub fn is_too_slow(&self) -> bool {
        self.is_too_slow
    }

    /// Reads the syntax tree of source text. Returns `false` if the parser gives up.
    fn read_tree(&mut self, language: &Language, source: &str) -> bool {
        if !is_safe(&language.spec.limits, source) {
            return false;
        }
        let (mut work, most_work) = (0, WORK_FLOOR + (self.size as f64 * WORK_LIMIT) as usize);
        let (before, most_memory) = (allocations(), MEMORY_FLOOR + self.size * MEMORY_LIMIT);
        let bytes = parsed_text(language, source);
        let text = TextReader::new(&bytes, READ_FLOOR + self.size * READ_LIMIT);
        let mut within_limits = |_: &tree_sitter::ParseState| {
            work += 1;
            let now = allocations();
            let is_within = work <= most_work
                && now.bytes.wrapping_sub(before.bytes) <= most_memory
                && now.stack_nodes <= before.stack_nodes + STACK_LIMIT
                && now.error_work() - before.error_work() <= ERROR_LIMIT
                && text.is_within_limit();
            self.is_too_slow |= work % REPORTS_PER_CLOCK == 0 && self.end.is_some_and(|end| thread_time() > Some(end));
            if is_within && !self.is_too_slow { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut within_limits);
        let mut read = |at: usize, _| text.piece(at);
        let tree = self.inner.parse_with_options(&mut read, None, Some(options));
        let Some(tree) = tree else {
            self.inner.reset();
            return false;
        };
        self.tree.read(&tree, source, MAX_DEPTH)
    }

    /// Replaces a tree with errors by the tree of the text without macros, and without forms that
    /// the grammar lacks, if that has fewer errors.
    fn repair(&mut self, language: &Language, source: &str) {
        if self.tree.errors == 0 {
            return;
        }
        let rewritten = language.rewrites.apply(source);
        let text = rewritten.as_deref().unwrap_or(source);
        let text = language.spec.macros.as_ref().and_then(|macros| without_macros(macros, text)).or(rewritten);
        let Some(text) = text else { return };
        let original = std::mem::take(&mut self.tree);
        if !self.read_tree(language, &text) || self.tree.errors >= original.errors {
            self.tree = original;
        }
    }

    /// Replaces the tree by the tree of the text without the heads of macro calls that contain
    /// items, as long as the number of errors outside these calls does not increase.
    fn open_macros(&mut self, language: &Language, source: &str) {
        let mut opened = OpenedMacros::none(source);
        for _ in 0..MAX_OPENED {
            let Some(next) = opened.opened(language, &self.tree) else { break };
            let errors = next.errors_outside(&self.tree);
            let original = std::mem::take(&mut self.tree);
            if !self.read_tree(language, &next.text) || next.errors_outside(&self.tree) > errors {
                self.tree = original;
                break;
            }
            opened = next;
        }
    }
}

/// Returns the text that the parser receives, which is the source except for forms that the grammar
/// cannot parse. Offsets and line breaks are those of the source.
pub fn parsed_text<'t>(language: &Language, source: &'t str) -> Cow<'t, [u8]> {
    let expressions = &language.spec.expressions;
    if let Some(macros) = language.spec.macros.as_ref().filter(|macros| !macros.erased.is_empty()) {
        return Cow::Owned(without_listed(macros, source));
    }
    match (expressions.bare_macros, &expressions.named_blocks[..]) {
        (true, _) => separated(source),
        (false, []) => without_rows(&expressions.data_rows, source),
        (false, words) => as_functions(words, source),
    }
}

/// Returns the facts about a file and the words in each of its definitions, or `None` if the parser
/// gives up.
///
/// # Errors
/// Returns an error if the language's data files are invalid.
pub fn parse(
    parser: &mut Parser,
    language: &Language,
    path: &str,
    source: &str,
) -> Result<Option<(Facts, FieldWords)>> {
    parser.inner.set_language(&language.parser).map_err(|cause| {
        Error::new(
            Kind::Language,
            format!("cannot load the parser for {}: {cause}", language.spec.head.name),
            "report this bug",
        )
    })?;
    (parser.end, parser.is_too_slow) = (thread_time().map(|now| now + TIME_LIMIT), false);
    let Some(file) = Embedded::read(language, path, source) else { return Ok(None) };
    parser.size = file.size;
    if !parser.read_tree(language, &file.code) {
        return Ok(None);
    }
    parser.repair(language, &file.code);
    let has_errors = parser.tree.errors > 0;
    parser.open_macros(language, &file.code);
    let Some(root) = parser.tree.root().filter(|_| !parser.is_too_slow) else { return Ok(None) };
    let matches = QueryMatches::collect(&language.patterns, &parser.tree, &file.code);
    let walk = Extractor::new(language, path, &file, &matches, &mut parser.splitter);
    Ok(Some(walk.run(root, has_errors)))
}

impl<'s> Embedded<'s> {
    /// Finds the code in a file. Without other parts, this is the whole file. Returns `None` if the
    /// file has an invalid structure.
    pub fn read(language: &Language, path: &str, source: &'s str) -> Option<Self> {
        if is_notebook(path) {
            return notebook::read(&language.spec, source);
        }
        Some(match &language.spec.markup {
            Some(rules) => markup::read(rules, source),
            None => Self { code: source.into(), words: None, size: source.len(), texts: Vec::new(), markup: None },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Registry;

    /// Parses source text in every language. Returns for each whether parsing succeeds, and the
    /// number of bytes allocated.
    fn parsed(source: &str) -> Vec<(bool, usize)> {
        let registry = Registry::builtin().expect("languages");
        let parsed = |id| {
            let language = registry.language(id).expect("a parser");
            let (mut parser, before) = (Parser::default(), allocations().bytes);
            let facts = parse(&mut parser, language, "a", source).expect("facts or none");
            (facts.is_some(), allocations().bytes - before)
        };
        registry.ids().map(parsed).collect()
    }

    #[test]
    fn memory_is_bounded_by_file_size() {
        let source = "a<b,".repeat(50_000);
        let limit = MEMORY_FLOOR + MEMORY_LIMIT * source.len();
        let all = parsed(&source);
        assert!(all.iter().all(|&(_, bytes)| bytes < limit + limit / 4), "{limit}: {all:?}");
        assert!(all.iter().any(|&(is_parsed, bytes)| !is_parsed && bytes > limit), "{limit}: {all:?}");
    }

    #[test]
    fn a_scanner_that_reads_to_the_end_at_each_token_is_stopped() {
        let source = "fn f() void {".repeat(20_000);
        assert!(parsed(&source).iter().any(|&(is_parsed, _)| !is_parsed));
    }

    #[test]
    fn rejects_shapes_that_exhaust_the_parser() {
        for shape in ["V<\n", "operator<"] {
            let source = shape.repeat(25_000);
            let limit = MEMORY_FLOOR + MEMORY_LIMIT * source.len();
            assert!(parsed(&source).iter().all(|&(_, bytes)| bytes < 2 * limit), "{shape}: {:?}", parsed(&source));
        }
    }
}
