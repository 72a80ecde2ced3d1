//! Every line of the repository that contains a name, in code, comments, strings, documentation and
//! settings, so that a list of uses can state what it lacks.
//!
//! **Cost:** reads every indexed file once, on all threads.

use super::Engine;
use rayon::prelude::*;
use whichfn_index::source::Sources;
use whichfn_scan::hidden_texts;
use whichfn_search::answer::{DefinitionLocation, Place, location};
use whichfn_search::search::ListingFilter;
use whichfn_syntax::ids::FileId;
use whichfn_text::{occurrences, one_line};

/// The lines that contain a name.
#[derive(Debug, Clone, Default)]
pub struct NamedLines {
    /// Each line with the innermost function or type around it, sorted by path and line.
    pub lines: Vec<(Place, Option<DefinitionLocation>)>,
    /// Number of files that were searched.
    pub searched: usize,
    /// Number of files of the index that could not be searched, because they changed or were removed
    /// after they were indexed, or were read only in part.
    pub unread: usize,
    /// Number of files that the index skips, for example because of their size.
    pub skipped: usize,
    /// Number of lines in the searched files that the filter does not accept, such as those of tests.
    pub left_out: usize,
}

impl Engine {
    /// Returns the lines that contain a name as a whole word, in the files that a filter accepts. Hidden
    /// settings files are searched if the filter accepts everything.
    pub fn lines_with_name(&self, name: &str, filter: &ListingFilter) -> NamedLines {
        let (root, generation) = (&self.root, &self.generation);
        let files: Vec<FileId> =
            generation.graph.file_ids().filter(|&file| filter.accepts_place(file, false)).collect();
        let in_file = |sources: &mut Sources<'_>, &file: &FileId| -> Option<Vec<_>> {
            let decoded = sources.decoded(file).filter(|decoded| !decoded.is_cut)?;
            let path = sources.graph().path(file);
            let around = |place: Place| {
                let around = around(sources, file, place.line, filter)?;
                Some((place, around))
            };
            Some(lines_with(&decoded.text, name, path).into_iter().map(around).collect())
        };
        let found: Vec<Option<Vec<_>>> =
            files.par_iter().map_init(|| Sources::new(root, generation), in_file).collect();
        let unread = found.iter().filter(|lines| lines.is_none()).count();
        let found: Vec<Option<_>> = found.into_iter().flatten().flatten().collect();
        let left_out = found.iter().filter(|line| line.is_none()).count();
        let mut lines: Vec<_> = found.into_iter().flatten().collect();
        let hidden = if filter.is_all() { hidden_texts(root, self.options.max_size).found } else { Vec::new() };
        let sources = self.sources();
        for path in &hidden {
            let text = sources.on_disk(path).unwrap_or_default();
            lines.extend(lines_with(&text, name, path).into_iter().map(|place| (place, None)));
        }
        lines.sort_by(|(a, _), (b, _)| a.cmp(b));
        let skipped = generation.manifest.skipped.len();
        NamedLines { lines, searched: files.len() - unread + hidden.len(), unread, skipped, left_out }
    }
}

/// Returns the lines of a text that contain a name, each once.
fn lines_with(text: &str, name: &str, path: &str) -> Vec<Place> {
    let (mut places, mut number, mut counted) = (Vec::<Place>::new(), 1, 0);
    for at in occurrences(text, name) {
        number += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..at]).count() as u32;
        counted = at;
        if places.last().is_none_or(|last| last.line != number) {
            let begin = text[..at].rfind('\n').map_or(0, |before| before + 1);
            let line = text[begin..].lines().next().map(one_line).unwrap_or_default();
            places.push(Place { text: line, ..Place::of_line(path, number) });
        }
    }
    places
}

/// Returns the innermost function or type around a line; `None` if the filter does not accept it.
fn around(
    sources: &Sources<'_>,
    file: FileId,
    line: u32,
    filter: &ListingFilter,
) -> Option<Option<DefinitionLocation>> {
    let graph = sources.graph();
    let contains = |id: &_| {
        let row = graph.definition(*id);
        row.parent != *id && (row.start_line..=row.end_line).contains(&line)
    };
    let is_named = |id: &_| !graph.name(*id).is_empty();
    let innermost = graph.definitions_of(file).filter(contains).filter(is_named).last();
    match innermost {
        Some(id) => filter.accepts(graph, id).then(|| Some(location(graph, id))),
        None => Some(None),
    }
}
