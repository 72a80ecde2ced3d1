//! Decides whether code outside the repository, or the language itself, can call a function.

use super::bases::may_override;
use super::sides::Sides;
use globset::Glob;
use whichfn_index::store::{DefinitionRow, GraphFile};
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, Language};

/// Checks whether the name of a definition, its header, the comment before it, or the line of the
/// block around it shows that the author keeps it although no code uses it.
pub(super) fn is_kept(language: &Language, name: &str, row: DefinitionRow, text: &str) -> bool {
    let marks = &language.spec.api.kept_marks;
    if matches(&language.spec.api.unused_names, name) {
        return true;
    }
    let comment = &language.spec.head.line_comment;
    let before = text.get(..row.start_byte as usize).unwrap_or_default();
    let comments = before.lines().rev().skip(usize::from(!before.ends_with('\n')));
    let comments = comments.take_while(|line| !comment.is_empty() && line.trim_start().starts_with(&comment[..]));
    let block = lines_around(text, row).next();
    let has_mark = |line: &str| marks.iter().any(|mark| line.contains(&mark[..]));
    !marks.is_empty() && comments.chain(block).chain(lines_to_name(text, row)).any(has_mark)
}

/// Returns the number of bytes of whitespace at the start of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Checks whether a function has a decorator, annotation or attribute: a line up to its name begins
/// with a sign and a name or bracket. In a comment, a space follows the sign. A macro in the line
/// before is an attribute, too.
pub(super) fn is_decorated(language: &Language, row: DefinitionRow, text: &str) -> bool {
    let lines = (row.line + 1).saturating_sub(row.start_line) as usize;
    let (before, own) = text.split_at_checked(row.start_byte as usize).unwrap_or_default();
    let signs = &language.spec.idioms.decorator_starts;
    let is_name = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '['));
    let is_macro = |line: &str| {
        let name = line.split('(').next().unwrap_or_default();
        name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    (language.spec.expressions.bare_macros && before.lines().next_back().is_some_and(|line| is_macro(line.trim_end())))
        || own
            .lines()
            .take(lines)
            .any(|line| signs.iter().filter_map(|sign| line.trim_start().strip_prefix(&sign[..])).any(is_name))
}

/// Returns the text before a definition in its line.
fn line_before(text: &str, row: DefinitionRow) -> &str {
    text.get(..row.start_byte as usize).unwrap_or_default().rsplit('\n').next().unwrap_or_default()
}

/// Checks whether a definition is an expression, by the text before it (`return function name()
/// {}`, or the last line before it: `use(`), or is the result of a call: `const value = use(() =>
/// 1)`.
pub(super) fn is_value(graph: &GraphFile, id: DefinitionId, text: &str) -> bool {
    let (row, before) = (graph.definition(id), line_before(text, graph.definition(id)).trim_end());
    let signature = graph.signature(id);
    let line = lines_to_name(text, row).last().unwrap_or_default();
    // `exports.read = function readFile() {}`
    let assigned = line.split_once('=').filter(|(left, right)| !left.contains('(') && !right.starts_with('>'));
    let ends_with_name = |(_, right): (&str, &str)| {
        let before_parameters = right.split('(').next().unwrap_or_default();
        before_parameters.split_whitespace().next_back() == Some(graph.name(id))
    };
    if assigned.is_some_and(|parts| ends_with_name(parts) || !signature.contains('(')) {
        return true;
    }
    if before.is_empty() {
        let before = text.get(..row.start_byte as usize).unwrap_or_default().trim_end();
        // The statement may begin in an earlier line: `handler =`.
        let is_continued = lines_to_name(text, row).any(|line| line.trim_end().ends_with(" ="));
        return is_continued || before.ends_with([',', '(', '[', '=']);
    }
    before.ends_with(|c: char| c.is_ascii_punctuation() && !matches!(c, '{' | '}' | ';' | ']' | '*'))
        || before.split_whitespace().next_back() == Some("return")
}

/// Checks whether a function is among the items that are passed to a macro, which may use the name:
/// `quickcheck! { fn holds() -> bool { .. } }`.
pub(super) fn is_in_macro(language: &Language, row: DefinitionRow, text: &str) -> bool {
    let sign = language.spec.item_macros.as_ref().map(|rules| &rules.sign[..]);
    let opens = |line: &str, sign: &str| {
        let name = line.trim_end().strip_suffix(['{', '(', '['])?.trim_end().strip_suffix(sign)?;
        Some(name.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    sign.is_some_and(|sign| lines_around(text, row).any(|line| opens(line, sign) == Some(true)))
}

/// Returns the lines that open the blocks around a definition, from the inside out: each has less
/// indentation than the lines after it.
fn lines_around(text: &str, row: DefinitionRow) -> impl Iterator<Item = &str> {
    let (own, end) = (line_before(text, row), row.start_byte as usize);
    let mut limit = indent(own);
    let before = text.get(..end.saturating_sub(own.len())).unwrap_or_default();
    before.lines().rev().filter(move |line| {
        let is_around = !line.trim().is_empty() && indent(line) < limit;
        limit = if is_around { indent(line) } else { limit };
        is_around
    })
}

/// Checks whether only code of the repository can call a function.
pub(super) fn is_internal(sides: &Sides<'_>, language: &Language, id: DefinitionId, text: &str) -> bool {
    let (graph, row) = (sides.graph, sides.graph.definition(id));
    if has_computed_names(language, graph, row, text) {
        return false;
    }
    let (header, path) = (header(graph, id, text), graph.path(row.file));
    let is_free = row.kind() == DefinitionKind::Function;
    if is_nested(sides, row) {
        // A local function has no such words: its parser does not know the definition around it.
        return !has_word(&language.spec.api.member_words, &header);
    }
    let line = lines_to_name(text, row).last().unwrap_or_default();
    let mut names = line.match_indices(graph.name(id));
    // A method of another object (`def self.name`) or of an interface (`void IShape.Area()`).
    if names.next().is_some_and(|(at, _)| line[..at].ends_with('.')) {
        return false;
    }
    let is_in_package = is_free && is_in_private_file(language, path, text);
    let is_private = is_private(language, row.kind(), graph.name(id), &header) || is_in_section(language, row, text);
    (is_in_package || (is_private && !(is_free && is_script(language, text))))
        && !may_override(sides, row.parent, graph.name(id))
}

/// Checks whether a function is inside another function, so only that function can call it. Other
/// files can import the functions of a component.
fn is_nested(sides: &Sides<'_>, row: DefinitionRow) -> bool {
    let is_inside = row.kind() == DefinitionKind::Function && sides.graph.definition(row.parent).kind().is_function();
    is_inside && !is_component(sides, row.parent)
}

/// Checks whether a definition is the component of its file, which a framework may load by its
/// path.
pub(super) fn is_component(sides: &Sides<'_>, id: DefinitionId) -> bool {
    let language = sides.language(sides.graph.definition(id).file);
    sides.graph.local(id) == LocalId::COMPONENT && language.is_some_and(|language| language.spec.markup.is_some())
}

/// Checks whether the definition around a function calls functions by computed names: `locals()`.
fn has_computed_names(language: &Language, graph: &GraphFile, row: DefinitionRow, text: &str) -> bool {
    let (around, names) = (graph.definition(row.parent), &language.spec.api.computed_names);
    let own = text.get(around.start_byte as usize..around.end_byte as usize).unwrap_or_default();
    let (marks, own) = match around.kind() {
        kind if kind.is_function() => (&names.functions, own),
        kind if kind.has_members() => (&names.types, own),
        _ => (&names.files, text),
    };
    let is_literal = |rest: &str| rest.starts_with(['"', '\'', '`', ':']) || rest.starts_with(char::is_numeric);
    marks
        .iter()
        .map(|mark| mark.replace("{type}", graph.name(row.parent)))
        .any(|mark| own.match_indices(&mark[..]).any(|(at, mark)| !is_literal(&own[at + mark.len()..])))
}

/// Checks whether no code outside the repository can import a file: it is in a directory for
/// internal packages, or belongs to a program.
fn is_in_private_file(language: &Language, path: &str, text: &str) -> bool {
    let api = &language.spec.api;
    matches(&api.private_paths, path) || text.lines().any(|line| api.program_lines.iter().any(|mark| line == mark))
}

/// Checks whether a file is a script instead of a module, so that other scripts of the same page
/// see its functions.
fn is_script(language: &Language, text: &str) -> bool {
    let marks = &language.spec.api.module_marks;
    let is_code = |before: &str| before.is_empty() || before.ends_with(['=', '(']);
    let is_mark =
        |line: &str| marks.iter().any(|mark| line.find(&mark[..]).is_some_and(|at| is_code(line[..at].trim())));
    !marks.is_empty() && !text.lines().any(is_mark)
}

/// Checks whether a line before a method, with the same indentation, makes the following methods
/// private.
fn is_in_section(language: &Language, row: DefinitionRow, text: &str) -> bool {
    let api = &language.spec.api;
    let own = line_before(text, row);
    if api.private_lines.is_empty() || !own.trim().is_empty() {
        return false;
    }
    let is_one = |lines: &[String], line: &str| {
        let code = line.split(&language.spec.head.line_comment[..]).next().unwrap_or_default();
        indent(line) == indent(own) && lines.iter().any(|one| code.trim() == one)
    };
    let before = text[..row.start_byte as usize].lines().rev();
    // A line with less indentation ends the body of the type.
    let mut body = before.skip(1).take_while(|line| line.trim().is_empty() || indent(line) >= indent(own));
    let section = body.find(|line| is_one(&api.private_lines, line) || is_one(&api.public_lines, line));
    section.is_some_and(|line| is_one(&api.private_lines, line))
}

/// Checks whether functions with a given name are called by the language itself, its runtime or a
/// framework.
pub(super) fn is_hook(language: &Language, name: &str) -> bool {
    let (spec, is_any) = (&language.spec, |globs: &[String]| matches(globs, name));
    spec.scopes.constructors.iter().chain(&spec.scopes.callables).any(|one| one == name) || is_any(&spec.api.hook_names)
}

/// Returns the lines from the beginning of a definition to its name.
fn lines_to_name(text: &str, row: DefinitionRow) -> impl Iterator<Item = &str> {
    let start = (row.start_byte as usize).saturating_sub(line_before(text, row).len());
    text.get(start..).unwrap_or_default().lines().take((row.line + 1).saturating_sub(row.start_line) as usize)
}

/// Returns the header of a function: its signature, and the words before it in the same line, such
/// as `export`.
pub fn header(graph: &GraphFile, id: DefinitionId, text: &str) -> String {
    let row = graph.definition(id);
    let line = lines_to_name(text, row).last().unwrap_or_default();
    let line = line.split(['(', '=']).next().unwrap_or_default();
    format!("{} {line} {}", line_before(text, row), graph.signature(id))
}

/// Checks whether code outside the repository cannot refer to a definition, by its kind, name and
/// header, according to `[api]` of its language.
pub fn is_private(language: &Language, kind: DefinitionKind, name: &str, header: &str) -> bool {
    let api = &language.spec.api;
    let has = |words: &[String]| has_word(words, header);
    let is_unmarked = !api.public_words.is_empty() && !has(&api.public_words);
    let needs_mark = kind == DefinitionKind::Function || api.private_members;
    matches(&api.private_names, name)
        || has(&api.private_words)
        || (kind == DefinitionKind::Function && has(&api.file_words))
        || api.restricted_words.iter().any(|word| header.contains(word.as_str()))
        || (needs_mark && is_unmarked)
        || (kind == DefinitionKind::Method && !api.member_words.is_empty() && !has(&api.member_words))
}

/// Checks whether a header contains any of the given words.
pub(super) fn has_word(words: &[String], header: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    header.split(|c: char| !is_part(c)).any(|word| words.iter().any(|one| one == word))
}

pub(super) fn matches(globs: &[String], name: &str) -> bool {
    globs.iter().filter_map(|glob| Glob::new(glob).ok()).any(|glob| glob.compile_matcher().is_match(name))
}
