//! Reads the strings of a block, and maps the place of a string to definitions.

use super::align::Token;
use crate::answer::comments::Comments;
use crate::answer::references::files_with;
use crate::search::is_vendored_path;
use std::ops::Range;
use whichfn_index::fragment::{BLOCK_LINES, LineEnds, SyntaxTree};
use whichfn_index::source::Sources;
use whichfn_index::store::NamedValueRow;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{LangId, Language, Registry, WordSort};
use whichfn_syntax::parse::SyntaxNode;
use whichfn_text::{occurrences, plain_words, word_ranges};

/// Maximum number of lines between two strings of one message.
const MAX_LINES_BETWEEN: usize = 2;
/// Maximum number of bytes between two strings of one message.
const MAX_BYTES_BETWEEN: usize = 160;
/// Maximum number of lines between a string in an attribute and the declaration that it belongs to.
const MAX_ATTRIBUTE_LINES: usize = 3;

/// Reads the places where literals may be.
pub(super) struct Places<'a> {
    pub sources: &'a Sources<'a>,
    pub registry: &'a Registry,
    /// Selects the ranked definitions.
    pub accepts: &'a dyn Fn(DefinitionId) -> bool,
    /// True for each file that is searched, indexed by file.
    pub allowed: &'a [bool],
}

impl Places<'_> {
    /// Returns, for each block of a file, the words and gaps of the strings in it and in the blocks
    /// around it.
    pub fn strings(&self, file: FileId, blocks: &[u32]) -> Vec<Vec<Token>> {
        let graph = self.sources.graph();
        let Some(language) = graph.language(file).and_then(|id| self.registry.language(LangId(id)).ok()) else {
            return Vec::new();
        };
        let (text, lines) = (self.sources.text(file), LineEnds::unpack(graph.line_ends(file)));
        let tree = SyntaxTree::new(&graph.syntax(file));
        let of_block = |&block: &u32| {
            let first = block * BLOCK_LINES + 1;
            let (start, end) = lines.bytes(first.saturating_sub(BLOCK_LINES).max(1), first + 2 * BLOCK_LINES - 1);
            strings_between(language, tree.nodes(), &text, (start, end))
        };
        blocks.iter().map(of_block).collect()
    }

    /// Returns the definitions that a string at an offset belongs to: the function around it, or
    /// the functions that use its constant.
    pub fn definitions(&self, file: FileId, offset: usize) -> Vec<DefinitionId> {
        let graph = self.sources.graph();
        let accepted = self.accepted_at(file, offset);
        if let Some(id) = accepted.filter(|&id| graph.definition(id).kind().is_function()) {
            return vec![id];
        }
        let users = self.value_at(file, offset).map_or(Vec::new(), |value| self.users(&value));
        if users.is_empty() { accepted.into_iter().collect() } else { users }
    }

    /// Checks whether a definition is a test, or in a folder outside the program.
    pub fn is_aside(&self, id: DefinitionId) -> bool {
        let graph = self.sources.graph();
        graph.traits(id).is_test() || self.is_aside_path(graph.file_around(id))
    }

    /// Checks whether a file is in a folder outside the program: tests, benchmarks, examples,
    /// documents, vendored code.
    pub fn is_aside_path(&self, file: FileId) -> bool {
        let path = self.sources.graph().path(file);
        is_vendored_path(path) || self.registry.is_sample(path)
    }

    /// Checks whether a string at an offset is documentation of a definition, as in Python.
    pub fn is_documentation(&self, file: FileId, offset: usize, definition: DefinitionId) -> bool {
        let text = self.sources.text(file);
        let line = text.get(offset..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let line = line.trim_end_matches(['"', '\'']).trim();
        !line.is_empty() && self.sources.graph().doc(definition).contains(line)
    }

    /// Returns the functions, among the searched ones, that contain a flag, a code or the name of a
    /// constant outside comments. If a flag is a string of its own somewhere, with or without dashes,
    /// as where a program registers it, returns only the functions with such a string.
    pub fn functions_with(&self, token: &str) -> Vec<DefinitionId> {
        let name = token.trim_start_matches('-');
        let dashes = &token[..token.len() - name.len()];
        let is_flag = !dashes.is_empty();
        let all = self.functions_at(name, |text, at| {
            let is_written = text[..at].ends_with(dashes);
            let is_string = is_flag && is_whole_string(text, at, name);
            (is_written || is_string).then_some(is_string)
        });
        let is_any_string = all.iter().any(|&(_, is_string)| is_string);
        let mut found: Vec<DefinitionId> =
            all.into_iter().filter(|&(_, is_string)| is_string == is_any_string).map(|(id, _)| id).collect();
        found.dedup();
        found
    }

    /// Returns the functions with an occurrence of a name outside comments that `wanted` returns a
    /// value for, with this value.
    fn functions_at(&self, name: &str, wanted: impl Fn(&str, usize) -> Option<bool>) -> Vec<(DefinitionId, bool)> {
        let (graph, mut found) = (self.sources.graph(), Vec::new());
        let is_allowed = |file: FileId| self.allowed.get(file.index()) == Some(&true);
        for file in files_with(graph, name, is_allowed) {
            let text = self.sources.text(file);
            let offsets = token_offsets(&text, name);
            let mut offsets = offsets.filter_map(|at| Some((at, wanted(&text, at)?))).peekable();
            if offsets.peek().is_none() {
                continue;
            }
            let Some(comments) = Comments::new(graph, self.registry, file) else { continue };
            let code = offsets.filter(|&(at, _)| !comments.contain(at));
            found.extend(code.filter_map(|(at, value)| Some((self.function_at(file, at)?, value))));
        }
        found
    }

    fn function_at(&self, file: FileId, offset: usize) -> Option<DefinitionId> {
        self.accepted_at(file, offset).filter(|&id| self.sources.graph().definition(id).kind().is_function())
    }

    /// Returns the innermost ranked definition around an offset.
    fn accepted_at(&self, file: FileId, offset: usize) -> Option<DefinitionId> {
        let graph = self.sources.graph();
        let rows = graph.definitions_of(file).zip(graph.rows_of(file));
        let around = rows.filter(|(_, row)| (row.start_byte as usize..row.end_byte as usize).contains(&offset));
        around.map(|(id, _)| id).filter(|&id| (self.accepts)(id)).last()
    }

    /// Returns the constant, field or variant that is declared around an offset, or else the one
    /// declared right after an attribute at the offset.
    pub fn value_at(&self, file: FileId, offset: usize) -> Option<NamedValueRow<'_>> {
        let (graph, text) = (self.sources.graph(), self.sources.text(file));
        let is_around =
            |value: &NamedValueRow<'_>| (value.start_byte as usize..value.end_byte as usize).contains(&offset);
        let follows = |value: &NamedValueRow<'_>| {
            let between = text.get(offset..value.start_byte as usize);
            between.is_some_and(|between| between.matches('\n').count() <= MAX_ATTRIBUTE_LINES)
        };
        let all = || graph.named_values_of(file);
        all().filter(is_around).last().or_else(|| all().find(follows))
    }

    /// Returns the functions that contain the name of a value. A function outside the type of a
    /// member counts if the same line contains the name of the type.
    fn users(&self, value: &NamedValueRow<'_>) -> Vec<DefinitionId> {
        let graph = self.sources.graph();
        let owner = Some(value.parent).filter(|&parent| graph.definition(parent).kind().has_members());
        let mut users = Vec::new();
        let is_allowed = |file: &FileId| self.allowed.get(file.index()) == Some(&true);
        for file in files_with(graph, value.name, |_| true).into_iter().filter(is_allowed) {
            let text = self.sources.text(file);
            for offset in occurrences(&text, value.name) {
                let is_declaration = file == value.id.file && offset == value.name_start as usize;
                let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
                let function = self.function_at(file, offset).filter(|_| !is_declaration);
                let names_owner = |owner| occurrences(&text[line_start..offset], owner).next().is_some();
                users.extend(function.filter(|&id| match owner {
                    Some(owner) => self.is_inside(id, owner) || names_owner(graph.name(owner)),
                    None => true,
                }));
            }
        }
        users.dedup();
        users
    }

    /// Checks whether a definition is in the body of a type.
    fn is_inside(&self, id: DefinitionId, owner: DefinitionId) -> bool {
        let graph = self.sources.graph();
        let (row, owner) = (graph.definition(id), graph.definition(owner));
        row.file == owner.file && (owner.start_byte..owner.end_byte).contains(&row.start_byte)
    }
}

/// Returns the offsets at which a name or code occurs, not as a part of a longer one. Dashes may
/// precede it.
fn token_offsets<'t>(text: &'t str, token: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole = move |at: &usize| {
        let is_start = !text[..*at].trim_end_matches('-').ends_with(is_part);
        is_start && !text[at + token.len()..].starts_with(|c: char| is_part(c) || c == '-')
    };
    text.match_indices(token).map(|(at, _)| at).filter(is_whole)
}

/// Checks whether a name is all of a string, apart from dashes in front.
fn is_whole_string(text: &str, at: usize, name: &str) -> bool {
    let before = text[..at].trim_end_matches('-').chars().next_back();
    let after = text[at + name.len()..].chars().next();
    before.is_some_and(|quote| "\"'`".contains(quote)) && before == after
}

/// Returns the words and gaps of the strings that start in a byte range.
fn strings_between(language: &Language, nodes: &[SyntaxNode], text: &str, (start, end): (u32, u32)) -> Vec<Token> {
    let from = nodes.partition_point(|node| node.start < start);
    let (mut tokens, mut last_end) = (Vec::new(), 0usize);
    for node in nodes[from..].iter().take_while(|node| node.start < end) {
        let is_string = language.meaning(node.kind).words == Some(WordSort::String);
        if is_string && node.start as usize >= last_end {
            let span = node.start as usize..node.end as usize;
            tokens.push(boundary(text, last_end..span.start));
            read_string(text, span.clone(), &mut tokens);
            last_end = span.end;
        }
    }
    tokens
}

/// Returns the boundary between two strings with this range between them.
fn boundary(text: &str, between: Range<usize>) -> Token {
    let is_near = between.len() <= MAX_BYTES_BETWEEN
        && text.get(between).is_some_and(|text| text.matches('\n').count() <= MAX_LINES_BETWEEN && !text.contains(';'));
    if is_near { Token::Join } else { Token::End }
}

/// Appends the words of a string, with a gap for each placeholder.
fn read_string(text: &str, span: Range<usize>, tokens: &mut Vec<Token>) {
    let Some(string) = text.get(span.clone()) else { return };
    let mut at = 0;
    while at < string.len() {
        let rest = &string[at..];
        let plain = rest.find(['%', '{', '$', '\\', '#']).unwrap_or(rest.len());
        for word in word_ranges(&rest[..plain]) {
            let offset = span.start + at + word.start;
            plain_words(&rest[word], |word| tokens.push(Token::Word(word.to_owned(), offset)));
        }
        at += plain;
        let skipped = placeholder(&string[at..]);
        if skipped > 0 && !string[at..].starts_with('\\') {
            tokens.push(Token::Gap);
        }
        at += skipped.max(string[at..].chars().next().map_or(0, char::len_utf8));
    }
}

/// Returns the length of the placeholder or escape at the start of a text; 0 if there is none.
fn placeholder(text: &str) -> usize {
    let braced = |text: &str| {
        let end = text.strip_prefix('{')?.find(['}', '"', '\n'])?;
        text[1 + end..].starts_with('}').then_some(end + 2)
    };
    let word = |text: &str| text.find(|c: char| !c.is_alphanumeric() && !"_->".contains(c)).unwrap_or(text.len());
    let Some(sign) = text.chars().next() else { return 0 };
    let rest = &text[sign.len_utf8()..];
    match sign {
        '{' => braced(text).unwrap_or(0),
        '\\' => 1 + rest.chars().next().map_or(0, char::len_utf8),
        '$' | '#' if rest.starts_with('{') => braced(rest).map_or(0, |length| 1 + length),
        '$' if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') => 1 + word(rest),
        '%' => conversion(rest).map_or(0, |length| 1 + length),
        _ => 0,
    }
}

/// Returns the length of a conversion after a percent sign, such as `s`, `-5.2lf` or `(name)d`.
fn conversion(text: &str) -> Option<usize> {
    let named = text.strip_prefix('(').and_then(|rest| rest.find(')')).map_or(0, |end| end + 2);
    let flags = text[named..].find(|c: char| !"-+#0*.123456789$".contains(c))?;
    let rest = &text[named + flags..];
    let lengths = rest.find(|c: char| !"hlLjztqu".contains(c)).unwrap_or(rest.len());
    let letter = rest[lengths..].chars().next().filter(char::is_ascii_alphabetic);
    let length = lengths + usize::from(letter.is_some());
    (length > 0).then_some(named + flags + length.min(3))
}
