//! Decides whether the value of a node is used: whether the node is a statement of its own.
//!
//! A node is a statement if it begins and ends where statements do. Otherwise, the construct around
//! it decides (`else put(4)`, `ready && put(4)`), if that construct passes the value on.

use super::head::end_of_name;
use super::private::has_word;
use super::sides::ParsedSide;
use whichfn_syntax::ids::LocalId;
use whichfn_syntax::lang::{DefinitionKind, FlowKind, WordSort};
use whichfn_syntax::parse::SyntaxNode;

/// The position of a value in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValuePosition {
    /// The value is that of a statement, so nothing uses it.
    Statement,
    /// The value is the result of a closure or of the function around it, whose caller may ignore it.
    Result,
    /// Something uses the value.
    Used,
}

/// Maximum number of constructs that are followed outwards from a node.
const MAX_AROUND: usize = 12;
/// Maximum number of nodes inside a comment.
const MAX_IN_COMMENT: usize = 64;
/// Signs at the end of a line after which the next line continues an expression.
const CONTINUES: [char; 7] = ['(', ',', '[', '=', '+', '?', '\\'];
/// Operators whose last operand is only evaluated if the others require it.
const SHORT_CIRCUITS: [&str; 7] = ["&&", "||", "??", "?:", " and", " or", "?"];

/// Returns the position of the node with the given number.
pub(super) fn position(side: &ParsedSide<'_>, mut at: u32) -> ValuePosition {
    for _ in 0..MAX_AROUND {
        let begins = start(side, at);
        if begins == Start::Statement && ends_statement(side, side.nodes()[at as usize].end as usize) {
            return if is_tail(side, at) { tail_position(side) } else { ValuePosition::Statement };
        }
        match (begins, parent(side, outermost(side, at))) {
            (Start::Closure, _) => return ValuePosition::Result,
            (Start::Construct, Some(around)) => at = around,
            (Start::Arm, Some(around)) => match parent(side, arms(side, around)) {
                Some(choice) => at = choice,
                None => return ValuePosition::Used,
            },
            // The statement ends in a construct that continues after it: `put(1) else put(2)`.
            _ => return ValuePosition::Used,
        }
    }
    ValuePosition::Used
}

/// What precedes a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// A statement begins with the node.
    Statement,
    /// The node is the last part of the construct around it, whose position is that of the node.
    Construct,
    /// The node is the value of one arm of a choice: `is Page -> put(1)`.
    Arm,
    /// The node is the body of a closure.
    Closure,
    /// The node is inside an expression.
    Expression,
}

fn start(side: &ParsedSide<'_>, at: u32) -> Start {
    let node = side.nodes()[at as usize];
    let before = &side.text[..code_before(side, node.start as usize)];
    let (around, is_line_start) = (outermost(side, at), side.text[before.len()..node.start as usize].contains('\n'));
    if before.is_empty() || (is_line_start && (!before.ends_with(CONTINUES) || before.ends_with("=>"))) {
        return Start::Statement;
    }
    let Some(parent) = parent(side, around) else { return Start::Statement };
    let meaning = side.language.meaning(side.nodes()[parent as usize].kind);
    let has_flow = |kinds: &[FlowKind]| kinds.iter().any(|kind| meaning.flow & kind.bit() != 0);
    let is_first = side.children(parent).next() == Some(around);
    if before.ends_with('{') {
        return block_start(side, around, parent, node.end as usize);
    }
    if before.ends_with([';', '}']) {
        return if has_flow(&[FlowKind::Loops]) { Start::Expression } else { Start::Statement };
    }
    // Only the first operand begins with the body: `x => put(x) + 1`.
    let is_operand = side.nodes()[parent as usize].start == node.start;
    if before.ends_with("=>") || before.ends_with("->") {
        return match () {
            () if has_flow(&[FlowKind::Branches]) => Start::Arm,
            () if is_operand => Start::Expression,
            () => body_start(side, parent),
        };
    }
    if before.ends_with('|') && !before.ends_with("||") || before.ends_with("lambda:") || is_closure(side, parent) {
        return Start::Closure;
    }
    let words = &side.language.spec.idioms.statement_words;
    let last = before.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '!' | '?' | '@'))).next();
    let is_after_word = words.iter().any(|word| Some(&word[..]) == last);
    let is_entry = meaning.entry.is_some() || meaning.keyword.is_some() || has_flow(&[FlowKind::Maps, FlowKind::Lists]);
    let is_after_head = before.ends_with([')', ':']) && has_flow(&[FlowKind::Branches, FlowKind::Loops]) && !is_first;
    let is_after_colon = before.ends_with(':') && !before.ends_with("::") && !is_entry;
    let is_last_operand = SHORT_CIRCUITS.iter().any(|sign| before.ends_with(sign)) && !is_first;
    let is_cast_to_nothing = before.ends_with("(void)");
    match is_after_word || is_after_head || is_after_colon || is_last_operand || is_cast_to_nothing {
        true => Start::Construct,
        false => Start::Expression,
    }
}

/// Returns what the value after the arrow of a function begins. The function has a name and a declared
/// result (`int Size() => Read();`), or is a closure.
fn body_start(side: &ParsedSide<'_>, body: u32) -> Start {
    let parent = parent_of(side, body);
    let mut functions = side.facts.definitions.iter().filter(|one| one.kind.is_function() && one.returns.is_some());
    let around = functions.find(|one| one.node == body || Some(one.node) == parent);
    let Some(definition) = around.filter(|_| !is_closure(side, body)) else { return Start::Closure };
    let text = side.text_of(definition);
    let before = &text[..end_of_name(text, definition).unwrap_or_default()];
    match has_word(&side.language.spec.idioms.nothing_types, before) {
        true => Start::Statement,
        false => Start::Expression,
    }
}

/// Returns what a node after `{` begins. The braces may also be those of an object, or insert the
/// value into a text.
fn block_start(side: &ParsedSide<'_>, around: u32, parent: u32, end: usize) -> Start {
    let kind = |at: u32| side.language.meaning(side.nodes()[at as usize].kind);
    let is_closure_body = is_closure(side, parent) || parent_of(side, parent).is_some_and(|at| is_closure(side, at));
    let is_block = kind(parent).block || kind(around).block || is_body(side, parent);
    match () {
        () if side.text[code_after(side, end)..].starts_with(';') => Start::Statement,
        () if is_closure_body => Start::Closure,
        () if is_block => Start::Statement,
        () => Start::Expression,
    }
}

/// Checks whether a node is a function without a name, or a block that is passed to a call.
fn is_closure(side: &ParsedSide<'_>, at: u32) -> bool {
    let meaning = side.language.meaning(side.nodes()[at as usize].kind);
    let is_anonymous = |one: &whichfn_syntax::parse::Definition| {
        one.node == at && (one.kind == DefinitionKind::Anonymous || one.name.is_empty())
    };
    meaning.lexical_function || (at > 0 && side.facts.definitions.iter().any(is_anonymous))
}

/// Checks whether a node is the body of a definition.
fn is_body(side: &ParsedSide<'_>, at: u32) -> bool {
    let parent = parent_of(side, at);
    let is_of = |one: &whichfn_syntax::parse::Definition| Some(one.node) == parent || one.node == at;
    side.facts.definitions.enumerate().any(|(id, one)| id != LocalId::FILE && is_of(one))
}

/// Checks whether a statement may end at an offset.
fn ends_statement(side: &ParsedSide<'_>, end: usize) -> bool {
    let idioms = &side.language.spec.idioms;
    let after = &side.text[code_after(side, end)..];
    let word = after.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    after.is_empty()
        || after.starts_with([';', '\n', '\r', '}'])
        || (!word.is_empty() && idioms.statement_closers.iter().any(|closer| closer == word))
}

/// Checks whether a node without a sign at its end is the last one of a body, in a language in which
/// the value of a body is that of its last statement.
fn is_tail(side: &ParsedSide<'_>, at: u32) -> bool {
    let end = side.nodes()[at as usize].end as usize;
    if !side.language.spec.expressions.last_value || side.text[code_after(side, end)..].starts_with(';') {
        return false;
    }
    let around = outermost(side, at);
    parent(side, around).is_some_and(|parent| side.code_children(parent).last() == Some(around))
}

/// Returns the position of the last statement of a body. In a language in which a header without a
/// type means that there is no value, the value is used.
fn tail_position(side: &ParsedSide<'_>) -> ValuePosition {
    match side.language.spec.idioms.nothing_types.iter().any(String::is_empty) {
        true => ValuePosition::Used,
        false => ValuePosition::Result,
    }
}

/// Returns the outermost node with the same text as a node, except for the sign at the end of a
/// statement.
fn outermost(side: &ParsedSide<'_>, mut at: u32) -> u32 {
    let is_same = |inner: u32, outer: u32| {
        let (inner, outer) = (side.nodes()[inner as usize], side.nodes()[outer as usize]);
        let rest = side.text.get(inner.end as usize..outer.end as usize).unwrap_or_default().trim();
        inner.start == outer.start && (rest.is_empty() || rest == ";")
    };
    while let Some(around) = parent(side, at).filter(|&around| is_same(at, around)) {
        at = around;
    }
    at
}

/// Returns the outermost node around an arm that is not the choice itself: the block with all arms.
fn arms(side: &ParsedSide<'_>, mut at: u32) -> u32 {
    while let Some(around) = parent(side, at).filter(|&around| side.node(around).starts_with('{')) {
        at = around;
    }
    at
}

fn parent(side: &ParsedSide<'_>, at: u32) -> Option<u32> {
    parent_of(side, at).filter(|&parent| parent != 0)
}

fn parent_of(side: &ParsedSide<'_>, at: u32) -> Option<u32> {
    let node = side.nodes().get(at as usize)?;
    (node.parent != at).then_some(node.parent)
}

fn is_comment(side: &ParsedSide<'_>, node: &SyntaxNode) -> bool {
    side.language.meaning(node.kind).words == Some(WordSort::Comment)
}

/// Returns the offset of the next code after an offset, or of the end of the line if there is none
/// before it. Comments are no code.
pub(super) fn code_after(side: &ParsedSide<'_>, mut offset: usize) -> usize {
    loop {
        let rest = &side.text[offset..];
        offset += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let first = side.nodes().partition_point(|node| (node.start as usize) < offset);
        let mut here = side.nodes()[first..].iter().take_while(|node| node.start as usize == offset);
        let Some(comment) = here.find(|node| is_comment(side, node)) else { return offset };
        let length = side.text[offset..comment.end as usize].trim_end().len().max(1);
        offset += length;
    }
}

/// Returns the offset of the end of the code before an offset. Comments and whitespace are no code.
fn code_before(side: &ParsedSide<'_>, mut offset: usize) -> usize {
    loop {
        offset = side.text[..offset].trim_end().len();
        let until = side.nodes().partition_point(|node| (node.start as usize) < offset);
        let is_here = |node: &&SyntaxNode| {
            let text = || side.text.get(node.start as usize..node.end as usize).unwrap_or_default();
            is_comment(side, node) && node.start as usize + text().trim_end().len() == offset
        };
        let Some(comment) = side.nodes()[..until].iter().rev().take(MAX_IN_COMMENT).find(is_here) else {
            return offset;
        };
        offset = comment.start as usize;
    }
}
