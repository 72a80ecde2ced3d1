//! Splits text into chunks of passages, at paragraph boundaries. Each passage has a heading line
//! that names its origin.
//!
//! ```text
//! ### notes/plan.md:12 (in Storage)          ### prices.csv:201 (columns: metal, price)
//! ```
//!
//! A passage is a range of one file without gaps. A chunk may contain passages from several files,
//! so that many small files do not cost a call each. A paragraph that fits into a chunk is never
//! split. A longer one, such as a log or a table, is split between lines, and a longer line between
//! words. The heading line repeats what a split would separate from the text: the columns of a
//! table and the last heading.
//!
//! **Implements:** PRISM, algorithm 1: the text is split into chunks that fit the context.

use super::table::TableHead;
use crate::reading::{CHUNK_TOKENS, Chunk, parts};
use whichfn_index::source::NamedText;
use whichfn_memory::count_tokens;

/// Consecutive lines from one file or from standard input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// Path of the file, or `-` for standard input.
    pub file: String,
    /// 1-based number of the first line.
    pub line: u32,
    /// Last heading above the passage, without its `#` marks; `None` before the first heading.
    pub heading: Option<String>,
    /// Header of the table; `None` if the text is not a table.
    pub head: Option<TableHead>,
    /// Lines as written, including line breaks.
    pub text: String,
}

impl Passage {
    /// Formats the passage for a chunk.
    fn shown(&self) -> String {
        let about = match (&self.head, &self.heading) {
            (Some(head), _) if self.line > 1 => format!(" (columns: {})", head.columns.join(", ")),
            (None, Some(heading)) => format!(" (in {heading})"),
            _ => String::new(),
        };
        format!("### {}:{}{about}\n{}\n\n", self.file, self.line, self.text.trim_end())
    }
}

/// Splits text into chunks of about `most` tokens, in order.
pub fn chunks(texts: &[NamedText], most: usize) -> Vec<Chunk<Passage>> {
    let most = most.clamp(*CHUNK_TOKENS.start(), *CHUNK_TOKENS.end());
    let mut filling = ChunkBuilder { most, chunks: Vec::new(), open: Vec::new(), held: 0 };
    for text in texts {
        filling.add(text);
    }
    filling.close();
    filling.chunks
}

/// Chunks under construction.
struct ChunkBuilder {
    most: usize,
    chunks: Vec<Chunk<Passage>>,
    /// Passages of the unfinished chunk, and their approximate number of tokens.
    open: Vec<Passage>,
    held: usize,
}

impl ChunkBuilder {
    fn add(&mut self, text: &NamedText) {
        let head = TableHead::detect(&text.name, &text.text);
        let (mut line, mut heading, mut goes_on) = (1, None, false);
        for paragraph in paragraphs(&text.text) {
            for piece in parts(paragraph, self.most) {
                let count = count_tokens(piece);
                if self.held > 0 && self.held + count > self.most {
                    self.close();
                    goes_on = false;
                }
                match self.open.last_mut().filter(|_| goes_on) {
                    Some(passage) => passage.text.push_str(piece),
                    None if piece.trim().is_empty() => {}
                    None => {
                        self.open.push(Passage {
                            file: text.name.clone(),
                            line,
                            heading: heading.clone(),
                            head: head.clone(),
                            text: piece.to_owned(),
                        });
                        goes_on = true;
                    }
                }
                self.held += if goes_on { count } else { 0 };
                line += piece.matches('\n').count() as u32;
            }
            heading = heading_of(paragraph).map(str::to_owned).or(heading);
        }
    }

    fn close(&mut self) {
        let passages = std::mem::take(&mut self.open);
        self.held = 0;
        if !passages.is_empty() {
            let mut chunk = Chunk::default();
            for passage in passages {
                let shown = passage.shown();
                chunk.push(passage, &shown, count_tokens(&shown));
            }
            self.chunks.push(chunk);
        }
    }
}

/// Splits text into paragraphs. A paragraph ends after its trailing blank lines.
pub fn paragraphs(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut at, mut was_blank) = (Vec::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if was_blank && !is_blank {
            found.push(&text[start..at]);
            start = at;
        }
        (at, was_blank) = (at + line.len(), is_blank);
    }
    if start < text.len() {
        found.push(&text[start..]);
    }
    found
}

/// Returns the words of a heading, which is a one-line paragraph that begins with `#`.
pub fn heading_of(paragraph: &str) -> Option<&str> {
    let line = paragraph.trim();
    let words = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.trim();
    (!words.is_empty() && !line.contains('\n')).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(name: &str, text: &str) -> NamedText {
        NamedText { name: name.into(), text: text.into() }
    }

    fn places(chunks: &[Chunk<Passage>]) -> Vec<Vec<String>> {
        let place = |passage: &Passage| format!("{}:{}", passage.file, passage.line);
        chunks.iter().map(|chunk| chunk.pieces().map(place).collect()).collect()
    }

    #[test]
    fn small_files_share_a_chunk_under_their_paths() {
        let chunks = chunks(&[text("a.txt", "One.\n"), text("b.txt", "\n\nTwo.\n\nThree.")], 100);
        assert_eq!(chunks.len(), 1);
        assert_eq!(chunks[0].text(), "### a.txt:1\nOne.\n\n### b.txt:3\nTwo.\n\nThree.\n\n");
    }

    #[test]
    fn keeps_paragraphs_together_under_their_heading() {
        let paragraph = format!("{}\n\n", "Ships carry tea and salt over the sea. ".repeat(8));
        let book = format!("# Trade\n\n{}", paragraph.repeat(3));
        let chunks = chunks(&[text("book.md", &book)], 100);
        assert_eq!(places(&chunks), [["book.md:1"], ["book.md:5"], ["book.md:7"]]);
        assert!(chunks[1].text().starts_with("### book.md:5 (in Trade)\nShips"), "{}", chunks[1].text());
    }

    #[test]
    fn cuts_a_table_between_rows_and_repeats_its_header() {
        let rows: String = (0..60).map(|n| format!("metal{n},{n}.5\n")).collect();
        let chunks = chunks(&[text("prices.csv", &format!("metal,price\n{rows}"))], 100);
        assert!(chunks.len() > 2 && chunks[0].text().starts_with("### prices.csv:1\nmetal,price\nmetal0,0.5\n"));
        for chunk in &chunks[1..] {
            let mut lines = chunk.text().lines();
            assert!(lines.next().is_some_and(|line| line.ends_with(" (columns: metal, price)")), "{}", chunk.text());
            assert!(lines.next().is_some_and(|line| line.starts_with("metal")), "{}", chunk.text());
        }
    }

    proptest! {
        #[test]
        fn keeps_all_lines_with_their_numbers(
            lines in prop::collection::vec("[a-z. ,#é]{0,12}|[a-z]{300,500}", 0..60),
            most in 100usize..200,
        ) {
            let joined_lines = lines.join("\n");
            let chunks = chunks(&[text("t", &joined_lines)], most);
            for passage in chunks.iter().flat_map(Chunk::pieces) {
                let first = passage.text.lines().next().unwrap_or_default();
                prop_assert!(lines[passage.line as usize - 1].contains(first), "{}: {first}", passage.line);
            }
            let joined: String = chunks.iter().flat_map(Chunk::pieces).map(|s| s.text.as_str()).collect();
            let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(without_blanks(&joined), without_blanks(&joined_lines));
            prop_assert!(chunks.iter().all(|chunk| chunk.tokens() <= 2 * most + 20));
        }
    }
}
