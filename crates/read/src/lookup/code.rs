//! Selects the code lines to display for a result: numbered, without their common indentation, and
//! with the tokens to highlight.
//!
//! **Cost:** the syntax of the lines is read from the index; nothing is parsed. A run of letters
//! counts as a keyword if it is outside every leaf that the grammar names.

use super::deciding::deciding_lines;
use super::function::FunctionReader;
use std::ops::Range;
use whichfn_search::answer::{CodeLine, QueryStems, SearchResult, TokenSort};
use whichfn_search::search::Question;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{FlowKind, WordSort};

/// Selection of a result's lines to display.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Snippet {
    /// No lines.
    #[default]
    None,
    /// Up to this many lines, starting at the first line.
    First(usize),
    /// Up to this many lines, chosen to show whether the result is the right one.
    Deciding(usize),
    /// All lines.
    Full,
}

/// What a line of a definition contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineRole {
    /// A part of a comment or string, and no other word.
    Text,
    /// A keyword, such as that of a condition, a loop or a return.
    Keyword,
    /// A call of a definition of the repository.
    Call,
    /// Anything else.
    Plain,
}

/// Returns the role of each line of a definition, without calls; no roles if the file has changed since
/// it was indexed.
pub fn line_roles(reader: &FunctionReader<'_>, id: DefinitionId) -> Vec<LineRole> {
    let row = reader.sources().graph().definition(id);
    let text = reader.sources().text(row.file);
    let mut start = 0;
    let all = text.split_inclusive('\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    let count = (row.end_line - row.start_line + 1) as usize;
    let lines: Vec<Range<usize>> = all.skip(row.start_line as usize - 1).take(count).collect();
    let tokens = reader.tokens(row.file, lines.iter().cloned());
    lines.into_iter().zip(tokens).map(|(line, tokens)| role(&text, line, &tokens)).collect()
}

fn role(text: &str, line: Range<usize>, tokens: &[(Range<usize>, TokenSort)]) -> LineRole {
    let is_text = |sort: &TokenSort| matches!(sort, TokenSort::Comment | TokenSort::String);
    let is_in_text = |at: usize| tokens.iter().any(|(range, sort)| range.contains(&at) && is_text(sort));
    let has_text = tokens.iter().any(|(_, sort)| is_text(sort));
    let mut words = text[line.clone()].char_indices().filter(|(_, c)| c.is_alphanumeric());
    if has_text && words.all(|(at, _)| is_in_text(line.start + at)) {
        return LineRole::Text;
    }
    let has_keyword = tokens.iter().any(|(_, sort)| *sort == TokenSort::Keyword);
    if has_keyword { LineRole::Keyword } else { LineRole::Plain }
}

/// Returns the lines of a result to display, most decisive line first.
pub fn code_lines(
    reader: &FunctionReader<'_>,
    question: &Question,
    wanted: &QueryStems,
    found: &SearchResult,
    snippet: Snippet,
) -> Vec<CodeLine> {
    let most = match snippet {
        Snippet::None => return Vec::new(),
        Snippet::First(most) | Snippet::Deciding(most) => most,
        Snippet::Full => usize::MAX,
    };
    let lines = found.start_line..found.end_line + 1;
    // A window has no signature to skip, so it always shows its first lines.
    let is_definition = found.kind != "window";
    let mut numbers: Vec<u32> = match snippet {
        Snippet::Deciding(_) if is_definition => {
            deciding_lines(reader, question, wanted, found, most).into_iter().map(|(number, _)| number).collect()
        }
        _ => lines.take(most).collect(),
    };
    let decides = numbers.clone();
    numbers.sort_unstable();
    let mut lines = shown(reader, found, &numbers);
    lines.sort_by_key(|line| decides.iter().position(|number| *number == line.number));
    lines
}

/// Returns the lines of the result's file with the given numbers, without their common indentation.
fn shown(reader: &FunctionReader<'_>, found: &SearchResult, numbers: &[u32]) -> Vec<CodeLine> {
    let file = reader.sources().graph().definition(found.definition).file;
    let text = reader.sources().text(file);
    let (mut wanted, mut start) = (numbers.iter().peekable(), 0);
    let mut lines: Vec<(u32, Range<usize>)> = Vec::with_capacity(numbers.len());
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let Some(next) = wanted.peek() else { break };
        if **next == number {
            lines.push((number, start..start + line.trim_end().len()));
            wanted.next();
        }
        start += line.len();
    }
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = lines.iter().map(|(_, bytes)| &text[bytes.clone()]).filter(|line| !line.is_empty());
    let shared = filled.map(indent).min().unwrap_or(0);
    let mut tokens = reader.tokens(file, lines.iter().map(|(_, bytes)| bytes.clone())).into_iter();
    let line = |(number, bytes): (u32, Range<usize>)| {
        let from = (bytes.start + shared).min(bytes.end);
        let moved =
            |(range, sort): (Range<usize>, TokenSort)| (range.start.max(from) - from..range.end.max(from) - from, sort);
        let tokens = tokens.next().unwrap_or_default().into_iter().map(moved).collect();
        CodeLine { number, text: text[from..bytes.end].to_owned(), tokens }
    };
    lines.into_iter().map(line).collect()
}

impl FunctionReader<'_> {
    /// Returns the tokens in each of the given lines of a file. The lines are byte ranges in
    /// ascending order.
    fn tokens(&self, file: FileId, lines: impl Iterator<Item = Range<usize>>) -> Vec<Vec<(Range<usize>, TokenSort)>> {
        let (text, tree) = (self.sources().text(file), self.tree(file));
        let Some(language) = self.language(file) else { return Vec::new() };
        let sort_of = |kind: u16| {
            let meaning = language.meaning(kind);
            match meaning.words {
                Some(WordSort::Comment) => Some(TokenSort::Comment),
                Some(WordSort::String) => Some(TokenSort::String),
                _ if meaning.flow & FlowKind::Strings.bit() != 0 => Some(TokenSort::String),
                _ => None,
            }
        };
        let lines: Vec<Range<usize>> = lines.collect();
        let mut marked: Vec<LineTokens> = vec![LineTokens::default(); lines.len()];
        for (at, node) in tree.nodes().iter().enumerate() {
            let (start, end) = (node.start as usize, node.end as usize);
            let is_leaf = tree.after(at as u32) as usize == at + 1;
            let sort = sort_of(node.kind);
            // An inner node that is neither a string nor a comment yields no token.
            let first = match is_leaf || sort.is_some() {
                true => lines.partition_point(|line| line.end <= start),
                false => lines.len(),
            };
            let touched = lines.iter().zip(&mut marked).skip(first).take_while(|(line, _)| line.start < end);
            touched.for_each(|(line, marked)| marked.add(start.max(line.start)..end.min(line.end), sort, is_leaf));
        }
        marked.into_iter().zip(lines).map(|(marked, line)| marked.with_keywords(&text, line)).collect()
    }
}

/// Tokens and leaves of one line, as byte ranges in the file's text. Each list is sorted and has no
/// overlaps.
#[derive(Clone, Default)]
struct LineTokens {
    tokens: Vec<(Range<usize>, TokenSort)>,
    leaves: Vec<Range<usize>>,
}

impl LineTokens {
    fn add(&mut self, bytes: Range<usize>, sort: Option<TokenSort>, is_leaf: bool) {
        // A string inside a string belongs to the outer one.
        if let Some(sort) = sort.filter(|_| self.tokens.last().is_none_or(|(last, _)| last.end <= bytes.start)) {
            self.tokens.push((bytes.clone(), sort));
        }
        if is_leaf {
            self.leaves.push(bytes);
        }
    }

    /// Adds a keyword token for every run of letters outside all tokens and leaves.
    fn with_keywords(mut self, text: &str, line: Range<usize>) -> Vec<(Range<usize>, TokenSort)> {
        let is_token = |at: usize| {
            let next = self.tokens.partition_point(|(range, _)| range.end <= at);
            self.tokens.get(next).is_some_and(|(range, _)| range.start <= at)
        };
        let is_leaf = |at: usize| {
            let next = self.leaves.partition_point(|range| range.end <= at);
            self.leaves.get(next).is_some_and(|range| range.start <= at)
        };
        let keywords = words(text, line).filter(|word| !is_token(word.start) && !is_leaf(word.start));
        let keywords: Vec<_> = keywords.map(|word| (word, TokenSort::Keyword)).collect();
        self.tokens.extend(keywords);
        self.tokens.sort_by_key(|(range, _)| range.start);
        self.tokens
    }
}

/// Returns the words in a line that start with a letter, as byte ranges in the text.
fn words(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = line.start;
    std::iter::from_fn(move || {
        let rest = &text[at..line.end];
        let start = at + rest.find(is_word)?;
        let length = text[start..line.end].find(|c| !is_word(c)).unwrap_or(line.end - start);
        at = start + length;
        Some(start..at)
    })
    .filter(|word| text[word.clone()].starts_with(char::is_alphabetic))
}
