//! Reads, compares and parses the files that may have changed. Words are converted to postings
//! immediately, so they need not be kept.

use super::files::{ParsedFile, PreviousGeneration};
use super::notes::{ParseNote, ParseNotes};
use super::ordered_sender::OrderedSender;
use super::progress::Progress;
use crate::fragment::FileFragments;
use crate::store::FileTerms;
use crate::wordvec::Numbers;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use whichfn_graph::PackedFacts;
use whichfn_scan::{DecodedFile, LONGEST_TEXT, ScannedFile, Skip, read_start};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_syntax::packed::pack;
use whichfn_syntax::parse::{Facts, MAX_ENTRIES, Parser, ValueFlow, parse, read_plain_text};
use whichfn_system::error::Result;
use whichfn_system::threads;

/// The state of one thread: a parser, and the numbers of the words that the thread has encountered.
#[derive(Default)]
struct Tools {
    parser: Parser,
    numbers: Numbers,
}

/// A file whose content must be read.
#[derive(Clone, Copy)]
pub(super) struct LoadTask<'a> {
    pub entry: &'a ScannedFile,
    /// Number of the file in the previous generation, if it was there.
    pub previous: Option<usize>,
}

/// A file that was read, with its content.
pub(super) struct LoadedFile<'a> {
    pub task: LoadTask<'a>,
    pub content: Content,
}

/// The result of reading a file.
pub(super) enum Content {
    /// The bytes are unchanged. This is the file's number in the previous generation.
    Same(usize),
    /// The file is skipped for this reason.
    Skipped(Skip),
    /// The content is new or changed, and was parsed.
    New(Box<ParsedFile>),
}

/// The inputs for reading files.
pub(super) struct FileLoader<'a> {
    pub root: &'a Path,
    pub registry: &'a Registry,
    pub previous: Option<&'a PreviousGeneration<'a>>,
    pub notes: &'a ParseNotes,
    pub progress: &'a dyn Progress,
}

impl FileLoader<'_> {
    /// Reads files in parallel, and passes them to `receive` one at a time, in the order of
    /// `tasks`.
    pub fn each<'t>(
        &self,
        tasks: &[LoadTask<'t>],
        receive: impl FnMut(LoadedFile<'t>) -> Result<()> + Send,
    ) -> Result<()> {
        let (next, done, sender) = (AtomicUsize::new(0), AtomicUsize::new(0), OrderedSender::new(receive));
        let (bytes, all_bytes) = (AtomicU64::new(0), tasks.iter().map(|task| task.entry.stamp.size).sum());
        // Each thread takes the next file, so that few results wait for earlier ones.
        let work = || {
            let mut tools: Option<(Tools, ParseNote)> = None;
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(at) else { return Ok(()) };
                let (tools, note) = tools.get_or_insert_with(|| (Tools::default(), self.notes.note()));
                // After a failure, the other threads need not continue.
                let content =
                    self.load(tools, note, task).inspect_err(|_| next.store(tasks.len(), Ordering::Relaxed))?;
                let size = task.entry.stamp.size;
                self.progress.bytes(bytes.fetch_add(size, Ordering::Relaxed) + size, all_bytes);
                self.progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
                sender.send(at, LoadedFile { task: *task, content })?;
            }
        };
        if self.notes.is_single_threaded {
            return threads::in_pool(work)?;
        }
        rayon::broadcast(|_| work()).into_iter().collect()
    }

    fn load(&self, tools: &mut Tools, note: &mut ParseNote, task: &LoadTask<'_>) -> Result<Content> {
        let path = &task.entry.path;
        let limit = if self.registry.detect(path).is_some() { usize::MAX } else { LONGEST_TEXT };
        let text = match read_start(self.root, path, limit)? {
            Ok(text) => text,
            Err(skip) => return Ok(Content::Skipped(skip)),
        };
        if let (Some(number), Some(previous)) = (task.previous, self.previous)
            && previous.record(number).hash == text.hash
        {
            return Ok(Content::Same(number));
        }
        let language = self
            .registry
            .detect_text(path, &text.text)
            .or_else(|| self.registry.detect_shebang(text.text.lines().next().unwrap_or_default()))
            .filter(|_| !text.is_cut);
        if self.registry.is_data_text(path, &text.text) {
            return Ok(Content::Skipped(Skip::Data));
        }
        if self.notes.is_fatal(text.hash) {
            return Ok(Content::Skipped(Skip::Unparsable));
        }
        note.begin(text.hash, path);
        let parsed = unless_it_panics(tools, |tools| self.parse(tools, path, &text, language));
        note.end();
        let parsed = parsed.unwrap_or_else(|| {
            self.progress.notice(&format!("the parser crashed on {path}; the file is skipped until it changes"));
            Ok(None)
        });
        if tools.parser.is_too_slow() {
            self.notes.skip_from_now_on(text.hash, path);
        }
        Ok(parsed?.map_or(Content::Skipped(Skip::Unparsable), |parsed| Content::New(Box::new(parsed))))
    }

    /// Parses the text of a file, or returns `None` if the parser gives up.
    fn parse(
        &self,
        tools: &mut Tools,
        path: &str,
        text: &DecodedFile,
        language: Option<LangId>,
    ) -> Result<Option<ParsedFile>> {
        let Tools { parser, numbers } = tools;
        let facts = match language {
            Some(id) => parse(parser, self.registry.language(id)?, path, &text.text)?,
            None => Some(read_plain_text(self.registry, path, &text.text, parser.splitter())),
        };
        let Some((facts, words)) = facts else { return Ok(None) };
        if facts.lacks_entries {
            self.progress.notice(&format!("only the first {MAX_ENTRIES} routes or other names in {path} are found"));
        }
        let fragments = FileFragments::new(&text.text, &facts, &words, parser.splitter(), numbers);
        let terms = FileTerms::new(&facts, &words);
        let linking = PackedFacts::new(&facts);
        let (flow, link) = (linking.stored(), linking.digest());
        let syntax = pack(&facts.syntax);
        let facts = Facts { flow: ValueFlow::default(), syntax: Vec::new(), ..facts };
        Ok(Some(ParsedFile { hash: text.hash, language, facts, syntax, fragments, terms, flow, link }))
    }
}

/// Runs `work`, and returns `None` if it panics. A defect that one file triggers must not prevent
/// answers about all others. The state is then created again, because a panic may have left it in
/// the middle of a change.
fn unless_it_panics<S: Default, T>(state: &mut S, work: impl FnOnce(&mut S) -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(|| work(state))).ok();
    if done.is_none() {
        *state = S::default();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::unless_it_panics;

    #[test]
    fn a_panic_loses_only_the_state() {
        let mut words = vec!["a"];
        assert_eq!(unless_it_panics(&mut words, |words| words.len()), Some(1));
        let cut = |words: &mut Vec<&'static str>| {
            words.push("\u{1f310}");
            words[1][..2].len()
        };
        assert_eq!(unless_it_panics(&mut words, cut), None);
        assert_eq!(words, Vec::<&str>::new());
    }
}
