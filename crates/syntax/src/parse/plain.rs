//! Splits files without a known language into words, in pieces of a few lines.

use super::facts::{Definition, Facts, Span, ValueFlow};
use super::field::Field;
use super::words::{FieldWords, WordLog};
use crate::ids::IdVec;
use crate::lang::{DefinitionKind, Registry};
use whichfn_text::{Splitter, file_name, line_count};

/// Number of lines in a piece. A window in the SPEC has the same length, but pieces do not overlap,
/// so that no word counts twice.
const LINES: usize = 20;
/// Maximum number of bytes in a piece, so that a file with one very long line is also split.
const BYTES: usize = 8 * 1024;

/// Returns the facts and words of a text file: the file itself, followed by its pieces. For a
/// manifest (`go.mod`), the facts include the import paths that it declares.
pub fn read_plain_text(registry: &Registry, path: &str, text: &str, splitter: &mut Splitter) -> (Facts, FieldWords) {
    let lines = line_count(text) as u32;
    let file_span = Span { start_byte: 0, end_byte: text.len() as u32, start_line: 1, end_line: lines.max(1) };
    let mut definitions = IdVec::from(vec![Definition::new(DefinitionKind::Module, file_span)]);
    let mut words = WordLog::new(text, splitter);
    for span in pieces(text) {
        let id = definitions.push(Definition::new(DefinitionKind::Text, span));
        words.read(span.start_byte as usize..span.end_byte as usize).add(id, Field::Strings);
    }
    words.read_text(path);
    definitions.ids().for_each(|id| words.add(id, Field::Path));
    let words = words.finish(&definitions);
    for id in definitions.ids() {
        definitions[id].lengths = words.lengths(id);
    }
    let package = registry.declared_paths(file_name(path), text);
    let flow = ValueFlow { package, ..ValueFlow::default() };
    (Facts { lines, definitions, flow, ..Facts::default() }, words)
}

fn pieces(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut span = Span { start_line: 1, ..Span::default() };
    for (line, part) in (1..).zip(text.split_inclusive('\n')) {
        let full = line - span.start_line >= LINES as u32 || (span.end_byte - span.start_byte) as usize > BYTES;
        if full && span.end_byte > span.start_byte {
            spans.push(span);
            span = Span { start_byte: span.end_byte, end_byte: span.end_byte, start_line: line, end_line: line };
        }
        span.end_byte += part.len() as u32;
        span.end_line = line;
    }
    if span.end_byte > span.start_byte {
        spans.push(span);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_text_and_do_not_overlap() {
        let text = "line\n".repeat(47);
        let registry = Registry::builtin().expect("language files");
        let (facts, words) = read_plain_text(&registry, "notes.txt", &text, &mut Splitter::default());
        let spans: Vec<_> = facts.definitions.iter().skip(1).map(|d| (d.span.start_line, d.span.end_line)).collect();
        assert_eq!(spans, [(1, 20), (21, 40), (41, 47)]);
        let lengths = facts.definitions.ids().map(|id| words.lengths(id)[Field::Strings as usize]);
        assert_eq!(lengths.sum::<u32>(), 47);
    }
}
