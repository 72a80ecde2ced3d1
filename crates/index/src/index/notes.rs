//! Prevents a file that crashes a parser from ending the program more than once.
//!
//! Parsers contain C code that may call `abort`. Each thread therefore notes in the index folder
//! which content it is parsing, and a SIGABRT handler records that the program was aborted. If the
//! program was killed in another way, no file is blamed. The next run reads these notes. If there
//! is only one note, its content is the culprit, and is skipped from then on
//! ([`whichfn_scan::Skip::Unparsable`]). If there are several notes, that run parses the files one
//! by one, so that the next abort leaves only one note.
//!
//! **Cost:** two writes of a few bytes per file, which take 2 µs. Failed writes are ignored.
//!
//! On systems without SIGABRT (Windows), nothing is skipped.

use super::progress::Progress;
use crate::store::{create_folder, write_private};
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Name of the folder that contains the notes, in the index folder.
const PARSING: &str = "parsing";
/// Name of the file that is not empty if the program was aborted.
const ABORTED: &str = "aborted";
/// Name of the file that lists the contents that crashed this version of the program, or took its
/// parser too much time. Each line contains the hash of a file's content, and the path of the file
/// at that time.
const FATAL: &str = concat!("fatal-", env!("CARGO_PKG_VERSION"));
/// Number of hexadecimal digits in a hash.
const HASH: usize = 32;

/// The notes of one run. They are removed when the run ends normally.
pub(super) struct ParseNotes {
    folder: PathBuf,
    /// Hashes of the contents that are skipped.
    fatal: Vec<u128>,
    /// Text of the file that lists them, with its path.
    list: Mutex<(PathBuf, String)>,
    /// True if the files must be parsed one by one.
    pub is_single_threaded: bool,
    threads: AtomicUsize,
    #[cfg(unix)]
    handler: Option<signal_hook::SigId>,
}

impl ParseNotes {
    /// Reads the notes of an aborted run, if there are any. `index` is the index folder, to which
    /// no other process may write at the same time.
    pub fn open(index: &Path, progress: &dyn Progress) -> Self {
        let folder = index.join(PARSING);
        let was_aborted = fs::metadata(folder.join(ABORTED)).is_ok_and(|file| file.len() > 0);
        let left = if was_aborted { notes_in(&folder) } else { Vec::new() };
        let mut fatal = fs::read_to_string(index.join(FATAL)).unwrap_or_default();
        match &left[..] {
            [] => {}
            [one] => {
                let path = &one[HASH..];
                progress.notice(&format!("the parser crashed on{path}; the file is skipped until it changes"));
                fatal += one;
                fatal.push('\n');
                let _ = write_private(&index.join(FATAL), fatal.as_bytes());
            }
            _ => progress.notice("a parser crashed; parsing file by file to find out on which file"),
        }
        let _ = fs::remove_dir_all(&folder);
        let _ = create_folder(&folder);
        Self {
            fatal: fatal.lines().filter_map(hash_of_line).collect(),
            list: Mutex::new((index.join(FATAL), fatal)),
            is_single_threaded: left.len() > 1,
            threads: AtomicUsize::new(0),
            #[cfg(unix)]
            handler: File::create(folder.join(ABORTED))
                .ok()
                .and_then(|file| signal_hook::low_level::pipe::register(signal_hook::consts::SIGABRT, file).ok()),
            folder,
        }
    }

    /// Skips the given content in later runs.
    pub fn skip_from_now_on(&self, hash: u128, path: &str) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.1 += &format!("{hash:0width$x} {path}\n", width = HASH);
        let _ = write_private(&list.0, list.1.as_bytes());
    }

    /// Checks whether parsing the given content crashed the program, or took too much time, before.
    pub fn is_fatal(&self, hash: u128) -> bool {
        self.fatal.contains(&hash)
    }

    /// Creates the note of one thread.
    pub fn note(&self) -> ParseNote {
        let number = self.threads.fetch_add(1, Ordering::Relaxed);
        ParseNote(File::create(self.folder.join(number.to_string())).ok())
    }
}

impl Drop for ParseNotes {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(handler) = self.handler.take() {
            let _ = signal_hook::low_level::unregister(handler);
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file that records which content one thread is parsing.
pub(super) struct ParseNote(Option<File>);

impl ParseNote {
    /// Records that the thread begins to parse the given content.
    pub fn begin(&mut self, hash: u128, path: &str) {
        self.write(&format!("{hash:0width$x} {path}\n", width = HASH));
    }

    /// Records that the thread has finished parsing the content.
    pub fn end(&mut self) {
        self.write("\n");
    }

    fn write(&mut self, line: &str) {
        let Some(file) = &mut self.0 else { return };
        let _ = file.rewind().and_then(|()| file.write_all(line.as_bytes()));
    }
}

/// Returns the notes of threads that were parsing. A note is the first line of a file that begins
/// with a hash.
fn notes_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    let lines = texts.filter_map(|text| text.lines().next().map(str::to_owned));
    lines.filter(|line| hash_of_line(line).is_some()).collect()
}

fn hash_of_line(line: &str) -> Option<u128> {
    u128::from_str_radix(line.get(..HASH)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Silent;

    /// Creates the notes that a run leaves behind when it is interrupted while parsing contents 1
    /// to `threads`.
    fn ends_in_the_middle(index: &Path, threads: u128, aborted: bool) {
        let notes = ParseNotes::open(index, &Silent);
        for hash in 1..=threads {
            notes.note().begin(hash, "deep.rb");
        }
        let mut done = notes.note();
        done.begin(9, "a_longer_name.rb");
        done.end();
        if aborted {
            fs::write(notes.folder.join(ABORTED), "X").expect("written");
        }
        std::mem::forget(notes);
    }

    #[test]
    fn aborting_file_is_recognized_by_its_content() {
        let index = tempfile::tempdir().expect("folder");
        ends_in_the_middle(index.path(), 1, true);
        for _ in 0..2 {
            let notes = ParseNotes::open(index.path(), &Silent);
            assert!(notes.is_fatal(1) && !notes.is_fatal(9) && !notes.is_single_threaded);
        }
        assert!(!index.path().join(PARSING).exists());
    }

    #[test]
    fn several_candidates_are_parsed_one_at_a_time() {
        let index = tempfile::tempdir().expect("folder");
        ends_in_the_middle(index.path(), 2, true);
        let notes = ParseNotes::open(index.path(), &Silent);
        assert!(notes.is_single_threaded && !notes.is_fatal(1) && !notes.is_fatal(2));
    }

    #[test]
    fn content_that_took_too_long_is_skipped_in_later_runs() {
        let index = tempfile::tempdir().expect("folder");
        let notes = ParseNotes::open(index.path(), &Silent);
        [1, 2].iter().for_each(|&hash| notes.skip_from_now_on(hash, "a.rs"));
        drop(notes);
        let notes = ParseNotes::open(index.path(), &Silent);
        assert!(notes.is_fatal(1) && notes.is_fatal(2) && !notes.is_fatal(3));
    }

    #[test]
    fn killed_run_blames_no_file() {
        let index = tempfile::tempdir().expect("folder");
        ends_in_the_middle(index.path(), 1, false);
        let notes = ParseNotes::open(index.path(), &Silent);
        assert!(!notes.is_single_threaded && !notes.is_fatal(1));
    }
}
