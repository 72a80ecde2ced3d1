//! The rule `dead`: a function lost its last caller through the change, and nothing else refers to
//! it.
//!
//! A function is reported if all of the following are true:
//! - it existed before the change, and a changed file called a function with its name before, but
//!   no longer does;
//! - it has no caller in the graph, and its name occurs nowhere else in any indexed file: not as a
//!   value, nor in a string, a template or plain text;
//! - it is private according to `[api]` of its language, or is nested in another function;
//! - it is not a test, a constructor, or a function that the language itself calls;
//! - it has no decorator or attribute, and neither its name, its header nor the comment before it
//!   shows that it is unused on purpose.
//!
//! **Cost:** nothing if no call was removed; otherwise one pass over the text of all files, for all
//! such names together.
//!
//! **Alternatives:** public functions are not reported, because their other callers may be outside
//! the repository.

use super::finding::{Finding, FindingLocation, Rule};
use super::references::separator_stripped;
use super::sides::{ChangedFile, ParsedSide, Sides};
use globset::Glob;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use whichfn_index::store::{DefinitionRow, GraphFile};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{DefinitionKind, Language, callee_name};
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::file_name;

/// A call that the change removed, with its old location.
struct RemovedCall {
    location: FindingLocation,
}

/// Returns a finding for each function that lost its last caller.
pub(super) fn dead(sides: &Sides<'_>) -> Vec<Finding> {
    let mut removed: BTreeMap<String, RemovedCall> = BTreeMap::new();
    for file in &sides.files {
        for (name, call) in removed_calls(file) {
            removed.entry(name).or_insert(call);
        }
    }
    let mut candidates: Vec<(DefinitionId, &RemovedCall)> = Vec::new();
    for (name, call) in &removed {
        let named = sides.graph.named(name).into_iter();
        let may_be_dead = |&id: &DefinitionId| {
            let file = sides.graph.definition(id).file;
            existed_before(sides, id) && may_be_dead(sides, id, &LazyText::new(sides, file))
        };
        candidates.extend(named.filter(may_be_dead).map(|id| (id, call)));
    }
    candidates.sort_by_key(|(id, _)| *id);
    let mentioned = mentioned(sides, &candidates.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    let unmentioned = candidates.into_iter().filter(|(id, _)| !mentioned.contains(id));
    unmentioned.map(|(id, call)| finding(sides, id, vec![call.location.clone()], "anymore")).collect()
}

/// Returns a finding for each function of the repository that nothing refers to.
pub(super) fn all_dead(sides: &Sides<'_>) -> Vec<Finding> {
    let files: Vec<FileId> = sides.graph.file_ids().collect();
    let in_file = |file: FileId| {
        let text = LazyText::new(sides, file);
        sides.graph.definitions_of(file).filter(|&id| may_be_dead(sides, id, &text)).collect::<Vec<_>>()
    };
    let candidates: Vec<DefinitionId> = files.into_par_iter().flat_map_iter(in_file).collect();
    let mentioned = mentioned(sides, &candidates);
    let unmentioned = candidates.into_iter().filter(|id| !mentioned.contains(id));
    unmentioned.map(|id| finding(sides, id, Vec::new(), "")).collect()
}

fn finding(sides: &Sides<'_>, id: DefinitionId, related: Vec<FindingLocation>, since: &str) -> Finding {
    let message =
        format!("nothing calls or refers to {} {since}", sides.graph.qualified_name(id)).trim_end().to_owned();
    Finding { rule: Rule::Dead, location: sides.location(id, ""), message, related, is_guess: false }
}

/// Returns the names that a file no longer calls, each with a call that was removed.
fn removed_calls(changed: &ChangedFile<'_>) -> Vec<(String, RemovedCall)> {
    let Some(old) = &changed.old else { return Vec::new() };
    let calls_of = |side: &ParsedSide<'_>| -> Vec<Symbol> {
        side.facts.flow.calls.iter().filter_map(|c| side.called(c)).collect()
    };
    let current: FxHashSet<Symbol> = changed.new.iter().flat_map(calls_of).collect();
    let mut found = Vec::new();
    for call in old.facts.flow.calls.iter() {
        let Some(name) = old.called(call).filter(|name| !current.contains(name)) else { continue };
        let Some(spelled) = callee_name(old.node(call.node)).filter(|spelled| symbol(spelled) == name) else {
            continue;
        };
        let around = old.facts.definitions.get(call.scope).map(|around| around.qualified_name.clone());
        let path = changed.old_path.clone();
        let note = "called it here before the change".to_owned();
        let location = FindingLocation { path, line: call.line, name: around.unwrap_or_default(), note };
        found.push((spelled.to_owned(), RemovedCall { location }));
    }
    found
}

/// The text of a file, which is read when it is first needed.
struct LazyText<'s, 'a> {
    sides: &'s Sides<'a>,
    file: FileId,
    text: OnceCell<String>,
}

impl<'s, 'a> LazyText<'s, 'a> {
    fn new(sides: &'s Sides<'a>, file: FileId) -> Self {
        Self { sides, file, text: OnceCell::new() }
    }

    fn get(&self) -> &str {
        self.text.get_or_init(|| self.sides.sources().text(self.file).to_string())
    }
}

/// Checks whether a function can be dead: it has no callers, and code outside the repository cannot
/// call it.
fn may_be_dead(sides: &Sides<'_>, id: DefinitionId, text: &LazyText<'_, '_>) -> bool {
    let (graph, row) = (sides.graph, sides.graph.definition(id));
    let is_function = row.kind().is_function() && row.kind() != DefinitionKind::Macro;
    if !is_function || row.is_test() || graph.callers(id).iter().any(|&caller| caller != id) {
        return false;
    }
    let Some(language) = sides.language(row.file) else { return false };
    let (api, file) = (&language.spec.api, file_name(graph.path(row.file)));
    if language.is_test_path(graph.path(row.file))
        || is_hook(language, graph.name(id))
        || matches(&api.shared_files, file)
    {
        return false;
    }
    let text = text.get();
    !is_decorated(language, row, text)
        && !around(sides, id).any(|id| is_kept(language, graph.name(id), graph.definition(id), text))
        && !is_value(text, row)
        && (is_nested(sides, row)
            || is_private(language, row.kind(), sides.graph.name(id), &header(sides.graph, id, text)))
        && !may_override(sides, row)
}

/// Returns a definition and those around it, from the inside out, without the file.
fn around<'s>(sides: &'s Sides<'_>, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + 's {
    let all = std::iter::successors(Some(id), |&id| Some(sides.graph.definition(id).parent));
    all.take_while(|&id| sides.graph.definition(id).parent != id)
}

/// Checks whether the name of a definition, its header, or the comment before it shows that the
/// author keeps it although no code uses it.
fn is_kept(language: &Language, name: &str, row: DefinitionRow, text: &str) -> bool {
    let marks = &language.spec.api.kept_marks;
    if matches(&language.spec.api.unused_names, name) {
        return true;
    }
    let comment = &language.spec.head.line_comment;
    let before = text.get(..row.start_byte as usize).unwrap_or_default();
    let comments = before.lines().rev().skip(usize::from(!before.ends_with('\n')));
    let comments = comments.take_while(|line| !comment.is_empty() && line.trim_start().starts_with(&comment[..]));
    let own = lines_to_name(text, row);
    let has_mark = |line: &str| marks.iter().any(|mark| line.contains(&mark[..]));
    !marks.is_empty() && comments.chain(own).any(has_mark)
}

/// Checks whether a function has a decorator, annotation or attribute: a line up to its name begins
/// with a sign and a letter or bracket. In a comment, a space follows the sign.
fn is_decorated(language: &Language, row: DefinitionRow, text: &str) -> bool {
    let lines = (row.line + 1).saturating_sub(row.start_line) as usize;
    let own = text.get(row.start_byte as usize..).unwrap_or_default();
    let signs = &language.spec.idioms.decorator_starts;
    let is_name = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || c == '[');
    own.lines()
        .take(lines)
        .any(|line| signs.iter().filter_map(|sign| line.trim_start().strip_prefix(&sign[..])).any(is_name))
}

/// Returns the text before a definition in its line.
fn line_before(text: &str, row: DefinitionRow) -> &str {
    text.get(..row.start_byte as usize).unwrap_or_default().rsplit('\n').next().unwrap_or_default()
}

/// Checks whether a definition is an expression, by the text before it: `return function name()
/// {}`, or the last line before it: `use(`.
fn is_value(text: &str, row: DefinitionRow) -> bool {
    let before = line_before(text, row).trim_end();
    if before.is_empty() {
        return text.get(..row.start_byte as usize).unwrap_or_default().trim_end().ends_with([',', '(', '=']);
    }
    before.ends_with(|c: char| c.is_ascii_punctuation() && !matches!(c, '{' | '}' | ';' | ']' | '*'))
        || before.split_whitespace().next_back() == Some("return")
}

/// Checks whether a function is inside another function, so only that function can call it.
fn is_nested(sides: &Sides<'_>, row: DefinitionRow) -> bool {
    row.kind() == DefinitionKind::Function && sides.graph.definition(row.parent).kind().is_function()
}

/// Checks whether a method may implement or override one that its type has from elsewhere: the type
/// names a base that the repository does not define, or is written for a trait.
fn may_override(sides: &Sides<'_>, row: DefinitionRow) -> bool {
    let (graph, parent) = (sides.graph, row.parent);
    let around = graph.definition(parent).kind();
    if !around.has_members() {
        return false;
    }
    let is_interface = matches!(around, DefinitionKind::Trait | DefinitionKind::Interface);
    let head = graph.signature(parent);
    let bases = head.split_once(graph.name(parent)).map_or(head, |(_, bases)| bases);
    let names = bases.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
    let mut bases = names.filter(|name| name.starts_with(char::is_uppercase));
    // A base with the name of the type itself is that of another module.
    let is_outside = |base: &str| base == graph.name(parent) || graph.named(base).is_empty();
    let is_of_trait = around == DefinitionKind::Extension && head.split_whitespace().any(|word| word == "for");
    is_interface || is_of_trait || bases.any(is_outside)
}

/// Checks whether a function existed before the change.
fn existed_before(sides: &Sides<'_>, id: DefinitionId) -> bool {
    let Some(changed) = sides.changed(sides.graph.definition(id).file) else { return true };
    changed.old.as_ref().is_some_and(|old| old.functions().contains_key(sides.graph.qualified_name(id)))
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
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let has = |words: &[String]| header.split(|c: char| !is_part(c)).any(|word| words.iter().any(|one| one == word));
    let is_unmarked = !api.public_words.is_empty() && !has(&api.public_words);
    let needs_mark = kind == DefinitionKind::Function || api.private_members;
    matches(&api.private_names, name)
        || has(&api.private_words)
        || (kind == DefinitionKind::Function && has(&api.file_words))
        || api.restricted_words.iter().any(|word| header.contains(word.as_str()))
        || (needs_mark && is_unmarked)
}

fn matches(globs: &[String], name: &str) -> bool {
    globs.iter().filter_map(|glob| Glob::new(glob).ok()).any(|glob| glob.compile_matcher().is_match(name))
}

/// Checks whether a name is that of a member of another module or object, by the text before it:
/// `unix::` in `unix::spawn`, but not `self.` in `self.spawn`.
fn is_qualified(language: &Language, before: &str) -> bool {
    let receivers = &language.spec.scopes.receivers;
    separator_stripped(before).is_some_and(|object| !receivers.iter().any(|receiver| object.ends_with(&receiver[..])))
}

/// Returns the candidates whose name occurs anywhere outside the function itself. A file that has a
/// function of that name of its own means that one, unless the candidate is a method or the name is
/// qualified. A name also occurs where the preprocessor puts it together from parts, and where a
/// string may begin it: `_run_` in `f"_run_{name}"`.
fn mentioned(sides: &Sides<'_>, candidates: &[DefinitionId]) -> FxHashSet<DefinitionId> {
    let graph = sides.graph;
    let signs = |file| sides.language(file).map_or("", |language| &language.spec.api.paste_sign[..]);
    let mut by_name: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
    for &id in candidates {
        let name = words_in(graph.name(id)).next().map_or("", |word| &graph.name(id)[word]);
        by_name.entry(name).or_default().push(id);
        // The preprocessor puts names together with its sign only.
        let is_start = |at: usize| signs(graph.definition(id).file).is_empty() && at > 1 && at + 1 < name.len();
        for (at, _) in name.match_indices('_').filter(|&(at, _)| is_start(at)) {
            by_name.entry(&name[..=at]).or_default().push(id);
        }
    }
    let in_file = |file: FileId| -> Vec<DefinitionId> {
        let text = sides.sources().text(file);
        let own: FxHashSet<&str> = graph.functions_of(file).map(|id| graph.name(id)).collect();
        let mut found = Vec::new();
        for word in words_in(&text) {
            for &id in by_name.get(&text[word.clone()]).into_iter().flatten() {
                let row = graph.definition(id);
                let is_inside =
                    row.file == file && (row.start_byte as usize..row.end_byte as usize).contains(&word.start);
                let is_free = row.kind() == DefinitionKind::Function;
                let is_other = row.file != file
                    && is_free
                    && own.contains(graph.name(id))
                    && !sides.language(file).is_some_and(|language| is_qualified(language, &text[..word.start]));
                if !is_inside && !is_other {
                    found.push(id);
                }
            }
        }
        for part in pasted_parts(&text, signs(file)) {
            let is_pasted = |id: &&DefinitionId| graph.name(**id).starts_with(part) || graph.name(**id).ends_with(part);
            found.extend(candidates.iter().filter(is_pasted));
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let files: Vec<FileId> = graph.file_ids().collect();
    if by_name.is_empty() { FxHashSet::default() } else { files.into_par_iter().flat_map_iter(in_file).collect() }
}

/// Returns the parts of names before and after each sign that puts names together: `fs__` in
/// `fs__##name`. Parts of fewer than three characters are left out, because they fit most names.
fn pasted_parts<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    if sign.is_empty() {
        return Vec::new();
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices(sign) {
        let (before, after) = (text[..at].trim_end(), text[at + sign.len()..].trim_start());
        parts.push(&before[before.trim_end_matches(is_part).len()..]);
        parts.push(&after[..after.len() - after.trim_start_matches(is_part).len()]);
    }
    parts.retain(|part| part.len() > 2);
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Returns the byte ranges of the maximal runs of letters, digits and underscores.
pub(super) fn words_in(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (start, _) = characters.find(|(_, c)| is_part(*c))?;
        let mut end = text.len();
        while let Some(&(at, c)) = characters.peek() {
            if !is_part(c) {
                end = at;
                break;
            }
            characters.next();
        }
        Some(start..end)
    })
}
