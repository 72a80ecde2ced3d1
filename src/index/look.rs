//! What may have changed is read, compared and parsed; words become postings at once, so that they need not be kept.

use super::files::{Former, ParsedFile};
use super::notes::{ParseNote, ParseNotes};
use super::parsers::{Lent, Parsers, Tools};
use super::progress::Progress;
use crate::error::Result;
use crate::fragment::FileFragments;
use crate::graph::PackedFacts;
use crate::lang::Registry;
use crate::parse::{Facts, ValueFlow, parse, plain_text};
use crate::scan::{ScannedFile, Skip, read};
use crate::store::FileTerms;
use crate::text::file_name;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file whose content is to be looked at.
#[derive(Clone, Copy)]
pub(super) struct LookTask<'a> {
    pub entry: &'a ScannedFile,
    /// Its number in the former generation, if it was there.
    pub former: Option<usize>,
}

/// A file that was looked at, and what it turned out to be.
pub(super) struct LookedFile<'a> {
    pub task: LookTask<'a>,
    pub content: Content,
}

/// What a file turned out to hold.
pub(super) enum Content {
    /// Its bytes are as they were, under this number in the former generation.
    Same(usize),
    /// It is to be left out.
    Skipped(Skip),
    /// New content, parsed.
    New(Box<ParsedFile>),
}

/// Everything that looking at files needs.
pub(super) struct Look<'a> {
    pub root: &'a Path,
    pub registry: &'a Registry,
    pub former: Option<&'a Former<'a>>,
    pub notes: &'a ParseNotes,
    pub progress: &'a dyn Progress,
}

impl Look<'_> {
    /// Looks at files in parallel; gives them in the same order.
    pub fn all<'t>(&self, tasks: &[LookTask<'t>]) -> Result<Vec<LookedFile<'t>>> {
        let (done, parsers) = (AtomicUsize::new(0), Parsers::default());
        let look = |(tools, note): &mut (Lent<'_>, ParseNote), task: &LookTask<'t>| {
            let content = self.look_at(tools, note, task);
            self.progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
            Ok(LookedFile { task: *task, content: content? })
        };
        let begin = || (parsers.lend(), self.notes.note());
        if self.notes.one_by_one {
            let mut one = begin();
            return tasks.iter().map(|task| look(&mut one, task)).collect();
        }
        tasks.par_iter().map_init(begin, look).collect()
    }

    fn look_at(&self, tools: &mut Tools, note: &mut ParseNote, task: &LookTask<'_>) -> Result<Content> {
        let Tools { parser, numbers } = tools;
        let path = &task.entry.path;
        let text = match read(self.root, path) {
            Ok(text) => text,
            Err((skip, _)) => return Ok(Content::Skipped(skip)),
        };
        if let (Some(number), Some(former)) = (task.former, self.former)
            && former.record(number).hash == text.hash
        {
            return Ok(Content::Same(number));
        }
        let name = file_name(path);
        let language = self
            .registry
            .detect_text(name, &text.text)
            .or_else(|| self.registry.detect_shebang(text.text.lines().next().unwrap_or_default()));
        let (facts, words) = match language {
            Some(_) if self.notes.is_fatal(text.hash) => return Ok(Content::Skipped(Skip::Unparsable)),
            Some(id) => {
                note.begin(text.hash, path);
                let parsed = parse(parser, self.registry.language(id)?, path, &text.text);
                note.end();
                match parsed? {
                    Some(parsed) => parsed,
                    None => return Ok(Content::Skipped(Skip::Unparsable)),
                }
            }
            None => plain_text(path, &text.text, parser.splitter()),
        };
        let fragments = FileFragments::new(&text.text, &facts, &words, parser.splitter(), numbers);
        let terms = FileTerms::new(&facts, &words);
        let linking = PackedFacts::new(&facts);
        let facts = Facts { flow: ValueFlow::default(), ..facts };
        Ok(Content::New(Box::new(ParsedFile { hash: text.hash, language, facts, fragments, terms, linking })))
    }
}
