//! The rule `returns`: the value that a function returns changed, and unmodified callers use it as
//! before. The rule reports functions that became async or are no longer async, return types that
//! became optional or are wrapped in another type, and other numbers of returned values.
//!
//! The value is read from the header, and, if the header has no return type, from the return
//! statements.
//!
//! **Cost:** the callers' files are parsed again, but only for functions whose value changed.

use super::bases::has_base;
use super::callers::CallReader;
use super::finding::{Finding, FindingLocation, Rule};
use super::head::end_of_name;
use super::ignored::without_ignored_places;
use super::names::outside_brackets;
use super::returned_type::{TypeChange, change_of_type, is_awaitable};
use super::sides::{ChangedFile, ParsedSide, Sides};
use super::usage::{CallUse, Usage};
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::CallReason;
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, ExpressionForm, FlowKind, Idioms, parameter_entries, parameters};
use whichfn_syntax::parse::{Definition, SyntaxNode};
use whichfn_system::error::Result;
use whichfn_text::occurrences;

/// Maximum number of bytes of the words between a function's name and its parameters.
const LONGEST_WORDS: usize = 200;

/// The value that a function returns, as its header and its return statements show it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Returned {
    is_async: bool,
    /// Return type as written; `None` if the header has none and the language does not require one.
    written: Option<String>,
    /// Numbers of values that the return statements list; 1 for a single value.
    counts: BTreeSet<usize>,
    /// True if some return statement has no value or returns the value for nothing.
    may_be_nothing: bool,
    /// True if the value of the last statement is returned.
    has_last_value: bool,
    /// True if the function yields values to a loop of its caller.
    yields: bool,
    /// Texts of the values in return statements.
    values: BTreeSet<String>,
    /// True if each returned value is a list, such as `[a, b]`.
    is_list: bool,
}

/// A change of the returned value.
enum ReturnChange {
    BecameAsync,
    BecameSync,
    /// The function no longer returns a value.
    Nothing,
    /// The value may now be nothing.
    Optional(String, String),
    /// The number of values changed.
    Count(usize, usize),
    /// The number of items in the returned list changed.
    Items(usize, usize),
    /// The type changed from a list to one whose items can only be read in order.
    Iterator(String, String),
    /// The type changed to one that cannot be used in the same way.
    Type(String, String),
}

/// Returns a finding for each function whose value changed and that has callers that use the value
/// as before.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn returns(sides: &Sides<'_>) -> Result<Vec<Finding>> {
    let changes: BTreeMap<DefinitionId, ReturnChange> =
        sides.files.iter().flat_map(|file| changed_returns(sides, file)).collect();
    let mut reader = CallReader::new(sides);
    let mut found = Vec::new();
    for (&id, change) in &changes {
        let (mut sure, mut guessed) = (Vec::new(), Vec::new());
        for &caller in sides.graph.callers(id) {
            for row in sides.graph.calls(caller).iter().filter(|row| row.callee == id) {
                let Some((side, call)) = reader.unmodified_call(caller, row)? else { continue };
                let Some(note) = change.misfit(&CallUse::new(side, call)) else { continue };
                let location = FindingLocation { line: row.line, ..sides.location(caller, &note) };
                if row.reason() == CallReason::Name { &mut guessed } else { &mut sure }.push(location);
            }
        }
        let is_guess = sure.is_empty();
        let mut related = if is_guess { guessed } else { sure };
        related.sort();
        related.dedup();
        let (related, known) = (without_ignored_places(sides, Rule::Returns, related), sides.known());
        let calls = match related.len() {
            0 => continue,
            1 => format!("1 {known}unmodified call does not follow"),
            count => format!("{count} {known}unmodified calls do not follow"),
        };
        let message = format!("{} {}; {calls}", sides.graph.qualified_name(id), change.described());
        found.push(Finding { rule: Rule::Returns, location: sides.location(id, ""), message, related, is_guess });
    }
    Ok(found)
}

fn changed_returns(sides: &Sides<'_>, changed: &ChangedFile<'_>) -> Vec<(DefinitionId, ReturnChange)> {
    let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { return Vec::new() };
    let before = old.functions();
    let change = |(name, (local, now)): (&str, (LocalId, &Definition))| {
        let (was_local, was) = *before.get(name)?;
        if old.text_of(was) == new.text_of(now) {
            return None;
        }
        let (was, is) = (Returned::new(old, was_local, was), Returned::new(new, local, now));
        Some((
            sides.definition(file, local),
            was.change_to(&is, &new.language.spec.idioms, &|name| is_own_type(sides, new, name))?,
        ))
    };
    new.functions().into_iter().filter_map(change).collect()
}

impl Returned {
    fn new(side: &ParsedSide<'_>, local: LocalId, definition: &Definition) -> Self {
        let idioms = &side.language.spec.idioms;
        let header = Header::new(side, definition);
        let written = written_type(side, definition, &header);
        let is_async = header.has_word(&idioms.async_words)
            || written.as_deref().is_some_and(|written| is_awaitable(written, idioms));
        let mut returned = Self {
            is_async,
            written,
            counts: BTreeSet::new(),
            may_be_nothing: false,
            has_last_value: side.language.spec.expressions.last_value,
            yields: false,
            values: BTreeSet::new(),
            is_list: true,
        };
        returned.read_statements(side, local, definition);
        // The body may be the value itself.
        if let Some(body) = header.value {
            returned.counts.insert(1);
            returned.is_list = false;
            returned.values.insert(body.to_owned());
        }
        returned
    }

    /// Reads the return statements of a function, without those of functions inside it.
    fn read_statements(&mut self, side: &ParsedSide<'_>, local: LocalId, definition: &Definition) {
        let nodes = side.nodes();
        let inside = |node: &SyntaxNode| node.depth > definition.depth && node.start < definition.span.end_byte;
        let first = definition.node as usize + 1;
        for (at, node) in nodes.iter().enumerate().skip(first).take_while(|(_, node)| inside(node)) {
            let flow = side.language.meaning(node.kind).flow;
            let (is_return, is_yield) = (flow & FlowKind::Returns.bit() != 0, flow & FlowKind::Yields.bit() != 0);
            self.yields |= is_yield && side.scope_at(node.start) == local;
            if !is_return || side.scope_at(node.start) != local {
                continue;
            }
            let Some(value) = nodes.get(at + 1).filter(|value| value.depth > node.depth) else {
                self.may_be_nothing = true;
                continue;
            };
            let meaning = side.language.meaning(value.kind);
            if meaning.flow & FlowKind::Nothing.bit() != 0 || side.node(at as u32 + 1) == "undefined" {
                self.may_be_nothing = true;
                continue;
            }
            self.read_value(side, at as u32 + 1);
        }
        if self.has_last_value && self.values.is_empty() && !self.may_be_nothing {
            let last = last_statement(side, definition.node);
            last.filter(|&at| is_plain_value(side, at)).into_iter().for_each(|at| self.read_value(side, at));
        }
    }

    fn read_value(&mut self, side: &ParsedSide<'_>, at: u32) {
        let is_list = side.nodes().get(at as usize).is_some_and(|node| side.language.meaning(node.kind).list);
        // A list without brackets and commas is its only value, which may be a call that returns
        // several values (Go).
        let is_list = is_list && !side.children(at).any(|child| side.node(child) == side.node(at));
        self.counts.insert(if is_list { side.code_children(at).count() } else { 1 });
        self.is_list &= is_list;
        self.values.insert(side.node(at).to_owned());
    }

    fn change_to(&self, new: &Self, idioms: &Idioms, is_own: &dyn Fn(&str) -> bool) -> Option<ReturnChange> {
        if self.is_async != new.is_async {
            return Some(if new.is_async { ReturnChange::BecameAsync } else { ReturnChange::BecameSync });
        }
        match (&self.written, &new.written) {
            (Some(was), Some(is)) if was == is => self.change_of_items(new),
            (Some(old), Some(new)) => {
                let change = change_of_type(old, new, idioms, is_own)?;
                Some(ReturnChange::of_type(change, old.clone(), new.clone()))
            }
            _ => self.change_of_statements(new),
        }
    }

    /// Compares the lists in the return statements of a function whose header does not show the
    /// number of values (`array`).
    fn change_of_items(&self, new: &Self) -> Option<ReturnChange> {
        let only = |counts: &BTreeSet<usize>| counts.first().copied().filter(|_| counts.len() == 1);
        let (was, is) = (only(&self.counts)?, only(&new.counts)?);
        (self.is_list && new.is_list && was != is).then_some(ReturnChange::Items(was, is))
    }

    /// Compares the return statements of a function whose header has no return type.
    fn change_of_statements(&self, new: &Self) -> Option<ReturnChange> {
        let only = |counts: &BTreeSet<usize>| counts.first().copied().filter(|_| counts.len() == 1);
        let (was, is) = (only(&self.counts)?, only(&new.counts));
        match is {
            // A name or a call may stand for several values, unless it is one of them.
            Some(1) if was > 1 && !new.values.iter().all(|value| self.lists(value)) => None,
            Some(is) if was == 1 && is > 1 && !self.values.iter().all(|v| new.lists(v) || is_single(v)) => None,
            Some(is) if was != is => Some(ReturnChange::Count(was, is)),
            Some(_) if new.may_be_nothing && !self.may_be_nothing => {
                Some(ReturnChange::Optional("a value".to_owned(), "a value or nothing".to_owned()))
            }
            Some(_) => None,
            None if new.counts.is_empty() && !new.has_last_value && !new.yields => Some(ReturnChange::Nothing),
            None => None,
        }
    }

    /// Checks whether a value is one of several values that the function returned together.
    fn lists(&self, value: &str) -> bool {
        let is_part = |all: &String| all.trim_matches(['(', ')', '[', ']']).split(',').any(|one| one.trim() == value);
        self.values.iter().any(is_part)
    }
}

/// The header of a function, and its body if that is the value itself.
struct Header<'t> {
    /// Text before the parameters in the line of the name, with the name.
    before: &'t str,
    /// Text between the parameters and the body: words and the return type.
    after: &'t str,
    /// Text from the line of the name to the body.
    whole: &'t str,
    /// Body that is the value itself: `w * h` in `fun area(w: Int, h: Int) = w * h`.
    value: Option<&'t str>,
}

impl<'t> Header<'t> {
    fn new(side: &'t ParsedSide<'_>, definition: &'t Definition) -> Self {
        let (text, idioms) = (side.text_of(definition), &side.language.spec.idioms);
        let name = end_of_name(text, definition).unwrap_or(0);
        let line = text[..name].rfind('\n').map_or(0, |at| at + 1);
        let (start, rest) = (&text[line..name], &text[name..]);
        let open = rest.find('(').unwrap_or(rest.len());
        // Without brackets around the parameters, the first brackets are in the body.
        let list = &rest[idioms.value_bodies.iter().find_map(|sign| rest[..open].find(&sign[..])).unwrap_or(open)..];
        let after =
            parameter_entries(list, "", idioms).filter(|_| list.starts_with('(')).map_or(list, |(_, after)| after);
        let before = &text[line..text.len() - list.len()];
        let before = if before.len() > start.len() + LONGEST_WORDS { start } else { before };
        let body = idioms.value_bodies.iter().filter_map(|sign| body_after(after, sign)).min_by_key(|(at, _)| *at);
        let end = body.map_or_else(|| outside_brackets(after, "{").unwrap_or(after.len()), |(at, _)| at);
        let value = body.map(|(_, value)| value).filter(|value| !value.starts_with('{') && !value.is_empty());
        let whole = &text[line..text.len() - after.len() + end];
        Self { before, after: &after[..end], whole, value }
    }

    fn has_word(&self, words: &[String]) -> bool {
        let after = self.after.lines().next().unwrap_or_default();
        let mut around = self.before.split_whitespace().chain(after.split_whitespace());
        around.any(|word| words.iter().any(|one| one == word))
    }
}

/// Returns the offset of a sign before a body, and the body. The sign is in the line of the header,
/// and no brace opens before it.
fn body_after<'t>(after: &'t str, sign: &str) -> Option<(usize, &'t str)> {
    let at = outside_brackets(after, sign)?;
    let is_in_header = after[..at].trim().is_empty() || !after[..at].contains('\n');
    let is_first = outside_brackets(after, "{").is_none_or(|brace| at < brace);
    let body = after[at + sign.len()..].trim();
    (is_first && is_in_header && !body.starts_with(['=', '>'])).then_some((at, body))
}

/// Checks whether the last statement of a function is a value by itself: a list, a literal, a name
/// or a call.
fn is_plain_value(side: &ParsedSide<'_>, at: u32) -> bool {
    let meaning = side.language.meaning(side.nodes()[at as usize].kind);
    let is_call = meaning.flow & FlowKind::Calls.bit() != 0;
    let is_literal = [FlowKind::Strings, FlowKind::Numbers, FlowKind::Maps];
    let is_literal = is_literal.iter().any(|kind| meaning.flow & kind.bit() != 0);
    meaning.list || is_literal || is_call || meaning.form == ExpressionForm::Name
}

/// Checks whether a value is a literal of one value.
fn is_single(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '{'))
}

/// Checks whether a name is that of one type of the repository without bases, in a language whose
/// compiler checks types.
fn is_own_type(sides: &Sides<'_>, side: &ParsedSide<'_>, name: &str) -> bool {
    let spec = &side.language.spec;
    let is_checked = spec.idioms.checks_types
        || spec.expressions.type_before_name
        || spec.idioms.nothing_types.iter().any(String::is_empty);
    let types = || sides.graph.named(name).into_iter().filter(|&id| sides.graph.definition(id).kind().is_type());
    let kind = |id| sides.graph.definition(id).kind();
    let is_plain = |id| {
        matches!(kind(id), DefinitionKind::Struct | DefinitionKind::Class) && !has_base(side.language, sides.graph, id)
    };
    is_checked && types().count() == 1 && types().all(is_plain)
}

/// Returns the return type in a function's header; empty if the header has none although the
/// language requires one.
fn written_type(side: &ParsedSide<'_>, definition: &Definition, header: &Header<'_>) -> Option<String> {
    let (spec, signature) = (&side.language.spec, &definition.signature);
    let written = if spec.expressions.type_before_name {
        last_type(before_name(signature, &definition.name)?.trim_end(), &spec.idioms.modifiers).to_owned()
    } else {
        let first = definition.receiver_is_parameter;
        // A long signature is cut, with the type at its end.
        let signature = if signature.ends_with('…') { header.whole } else { &signature[..] };
        let (_, behind) = parameters(signature, &definition.name, &spec.idioms, &spec.scopes.receivers, first);
        let behind = behind.split(" where ").next().unwrap_or_default();
        // Words such as `async throws` come before the type.
        let marks = spec.idioms.return_type_marks.iter().filter(|mark| mark.ends_with('>'));
        let after_mark = |mark: &String| outside_brackets(header.after, mark).map(|_| behind.split_once(&mark[..]));
        let has_words = header.after.trim_start().starts_with(char::is_alphabetic);
        let behind = marks.filter(|_| has_words).find_map(after_mark).flatten().map_or(behind, |(_, behind)| behind);
        let is_word_only = has_words && spec.idioms.async_words.iter().any(|word| word == behind.trim());
        let behind = if is_word_only { "" } else { behind };
        let behind = behind.trim().trim_end_matches(['{', ':', ';', ' ']);
        behind.strip_suffix("=>").unwrap_or(behind).trim().to_owned()
    };
    let written: String = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_required = spec.idioms.nothing_types.iter().any(String::is_empty) && header.value.is_none();
    (!written.is_empty() || is_required).then_some(written)
}

/// Returns the text of a header before the function's name and the names of the types around it:
/// `pair<int, int> ` in `pair<int, int> Square::extent()`.
fn before_name<'t>(signature: &'t str, name: &str) -> Option<&'t str> {
    let is_called = |at: &usize| signature[at + name.len()..].trim_start().starts_with(['(', '<']);
    let mut before = &signature[..occurrences(signature, name).find(is_called)?];
    while let Some(rest) = before.strip_suffix("::") {
        before = rest.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    }
    Some(before)
}

/// Returns the number of the last statement in the body of a function.
fn last_statement(side: &ParsedSide<'_>, function: u32) -> Option<u32> {
    let body = side.children(function).last()?;
    side.children(body).last()
}

/// Returns the type at the end of a header's text before the name: `Map<String, Item>`.
fn last_type<'t>(before: &'t str, modifiers: &[String]) -> &'t str {
    let mut depth = 0_i32;
    let start = before.char_indices().rev().find(|&(_, c)| {
        match c {
            '>' | ']' | ')' => depth += 1,
            '<' | '[' | '(' => depth -= 1,
            _ => {}
        }
        c.is_whitespace() && depth == 0
    });
    let last = before.get(start.map_or(0, |(at, _)| at + 1)..).unwrap_or_default();
    if modifiers.iter().any(|modifier| modifier == last) { "" } else { last }
}

impl ReturnChange {
    fn of_type(change: TypeChange, old: String, new: String) -> Self {
        match change {
            TypeChange::Nothing => Self::Nothing,
            TypeChange::Optional => Self::Optional(old, new),
            TypeChange::Count(old, new) => Self::Count(old, new),
            TypeChange::Iterator => Self::Iterator(old, new),
            TypeChange::Other => Self::Type(old, new),
        }
    }

    fn described(&self) -> String {
        match self {
            Self::BecameAsync => "became async".to_owned(),
            Self::BecameSync => "is no longer async".to_owned(),
            Self::Nothing => "no longer returns a value".to_owned(),
            Self::Optional(old, new) | Self::Iterator(old, new) | Self::Type(old, new) => {
                format!("returned {old} and now returns {new}")
            }
            Self::Count(old, new) | Self::Items(old, new) => {
                format!("returned {} and now returns {}", values(*old), values(*new))
            }
        }
    }

    /// Describes why a call does not fit the new value; `None` if it does.
    fn misfit(&self, call: &CallUse<'_, '_>) -> Option<String> {
        let usage = call.usage();
        match self {
            Self::BecameAsync => call.ignores_async().then(|| "does not await it".to_owned()),
            Self::BecameSync => call.expects_async().then(|| "still awaits it".to_owned()),
            // A closure may return nothing where its caller ignores the value.
            _ if matches!(usage, Usage::Unused | Usage::Result) => None,
            Self::Nothing => Some("uses the value".to_owned()),
            Self::Optional(..) if call.side.language.spec.idioms.checks_types => {
                (!call.checks_for_nothing()).then(|| "uses the value without a check".to_owned())
            }
            Self::Optional(..) => {
                let is_direct = matches!(usage, Usage::Accessed | Usage::Unpacked(_));
                is_direct.then(|| "uses the value without a check".to_owned())
            }
            Self::Count(old, new) => match usage {
                Usage::Unpacked(count) if count == *new => None,
                Usage::Unpacked(count) => Some(format!("unpacks {}", values(count))),
                _ if *old == 1 || *new == 1 => Some("uses the value".to_owned()),
                _ => None,
            },
            Self::Items(_, new) => match usage {
                Usage::Unpacked(count) if count != *new => Some(format!("unpacks {}", values(count))),
                _ => None,
            },
            // A loop, `list(..)` and `sorted(..)` take any iterator.
            Self::Iterator(..) => (usage == Usage::Accessed).then(|| "uses the value as a list".to_owned()),
            Self::Type(..) => Some("uses the value".to_owned()),
        }
    }
}

fn values(count: usize) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}
