//! Checks whether a call matches the parameters of a function, and describes the first mismatch.
//!
//! Calls that did not match the old parameters either are ignored: such a call is linked to more
//! than one function, or receives arguments in a way that the parser does not see (decorators,
//! bound methods).

use super::head::{HeadParameter, ParameterList, is_rest};
use super::keys::keys;
use super::sides::ParsedSide;
use std::cmp::Ordering;
use whichfn_syntax::parse::{Call, Symbol};

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arguments {
    /// Number of positional arguments.
    pub positional: usize,
    /// Names of the named arguments.
    pub named: Vec<Symbol>,
    /// True if a closure follows the brackets. It is passed to the last parameter, and is not in
    /// `positional`.
    pub has_closure: bool,
    /// For each argument in the brackets, the keys of the object that it is.
    pub keys: Vec<Option<Vec<String>>>,
}

impl Arguments {
    /// Returns the arguments of a call. Returns `None` if one argument expands to any number of
    /// arguments.
    pub fn from_call(side: &ParsedSide<'_>, call: &Call) -> Option<Self> {
        let (text, idioms) = (side.node(call.node), &side.language.spec.idioms);
        let list = text.find('(').map_or("", |open| &text[open + 1..]);
        let spreads = |piece: &str| is_rest(piece.trim_start(), &idioms.rest_signs);
        if list.split([',', '(', '\n']).any(spreads) {
            return None;
        }
        let named: Vec<Symbol> = call.arguments.iter().filter_map(|(name, _)| *name).collect();
        let in_brackets = brackets(side, call.node).map_or_else(Vec::new, |at| side.code_children(at).collect());
        // A closure behind the brackets is one argument more.
        let has_closure = idioms.trailing_closures && call.arguments.len() == in_brackets.len() + 1;
        let positional = (call.arguments.len() - named.len()).saturating_sub(usize::from(has_closure));
        Some(Self { positional, named, has_closure, keys: in_brackets.iter().map(|&at| keys(side.node(at))).collect() })
    }
}

/// Returns the node with the arguments of a call in brackets.
fn brackets(side: &ParsedSide<'_>, call: u32) -> Option<u32> {
    let end = side.nodes().get(call as usize)?.end;
    let mut at = side.children(call).filter(|&child| side.nodes()[child as usize].end == end).last()?;
    while !side.node(at).starts_with('(') {
        at = side.children(at).filter(|&child| side.nodes()[child as usize].end == end).last()?;
    }
    // The brackets may be the first part of a node that also has the closure.
    while let Some(first) = side.children(at).next().filter(|&first| {
        side.nodes()[first as usize].start == side.nodes()[at as usize].start && side.node(first).starts_with('(')
    }) {
        at = first;
    }
    Some(at)
}

/// Describes why a call no longer matches. Returns `None` if it still matches, or did not match
/// before.
pub(super) fn new_mismatch(call: &Arguments, old: &ParameterList, new: &ParameterList) -> Option<String> {
    if describe_mismatch(call, old, old).is_some() {
        return None;
    }
    // A new parameter in front takes the place of the argument, and a later one is missing.
    let unknown = describe_unknown(call, new, old);
    unknown
        .or_else(|| moved(call, old, new))
        .or_else(|| moved_rest(call, old, new))
        .or_else(|| lost_key(call, old, new))
        .or_else(|| describe_missing(call, new))
        .or_else(|| lost_object(old, new))
}

/// Checks whether a call matches a parameter list.
pub(super) fn fits(call: &Arguments, head: &ParameterList) -> bool {
    describe_mismatch(call, head, head).is_none()
}

fn describe_mismatch(call: &Arguments, head: &ParameterList, old: &ParameterList) -> Option<String> {
    describe_unknown(call, head, old).or_else(|| describe_missing(call, head))
}

/// Describes an argument that a parameter list has no parameter for. A name that the list lacks is
/// spelled as in `old`.
fn describe_unknown(call: &Arguments, head: &ParameterList, old: &ParameterList) -> Option<String> {
    if head.open {
        return None;
    }
    // A parameter without a known name may have any.
    let has_pattern = head.parameters.iter().any(|parameter| parameter.name.is_empty());
    let known = |name: &&Symbol| head.parameters.iter().all(|parameter| parameter.symbol() != **name);
    if let Some(unknown) = call.named.iter().find(known).filter(|_| !has_pattern && !head.open_names) {
        let spelled = old.parameters.iter().find(|parameter| parameter.symbol() == *unknown);
        return Some(format!("passes {}, which is no longer a parameter", spelled.map_or("a name", |p| &p.name)));
    }
    let places = positional(head).count();
    let takes_closure = call.has_closure && head.parameters.last().is_some_and(|last| !last.by_name);
    if call.positional + usize::from(takes_closure) <= places && (!call.has_closure || !head.parameters.is_empty()) {
        return None;
    }
    let passed = call.positional + usize::from(call.has_closure);
    Some(format!("passes {} by position, but the function takes {places}", arguments(passed)))
}

/// Describes a required parameter that a call does not pass. A parameter without a known name, such
/// as one that the parser misread, proves nothing.
fn describe_missing(call: &Arguments, head: &ParameterList) -> Option<String> {
    let last = head.parameters.last().filter(|_| call.has_closure);
    let is_closure = |one: &HeadParameter| {
        call.has_closure && (one.takes_function || last.is_some_and(|last| std::ptr::eq(last, one)))
    };
    let missing = positional(head).skip(call.positional).chain(head.parameters.iter().filter(|p| p.by_name));
    let mut missing = missing.filter(|one| !one.optional && !is_closure(one) && !one.name.is_empty());
    let missing = missing.find(|one| !call.named.contains(&one.symbol()))?;
    Some(format!("does not pass {}, which is now required", missing.name))
}

/// Describes the first key of an object argument that the parameter no longer takes apart.
fn lost_key(call: &Arguments, old: &ParameterList, new: &ParameterList) -> Option<String> {
    let is_same_place = old.parameters.len() == new.parameters.len();
    let mut all = old.parameters.iter().zip(&new.parameters).zip(&call.keys).filter(|_| is_same_place);
    all.find_map(|((old, new), passed)| {
        let (old, new, passed) = (old.keys.as_ref()?, new.keys.as_ref()?, passed.as_ref()?);
        let key = passed.iter().find(|key| old.contains(key) && !new.contains(key))?;
        Some(format!("passes {key}, which is no longer a parameter"))
    })
}

/// Describes the parameter for the object before a dot, unless a new one may have taken its place.
fn lost_object(old: &ParameterList, new: &ParameterList) -> Option<String> {
    let name = old.extended.as_ref().filter(|_| new.extended.is_none())?;
    let is_old = |one: &HeadParameter| old.named(&one.name).is_some();
    new.parameters.iter().all(is_old).then(|| format!("is called on an object, but {name} is no longer a parameter"))
}

/// Describes the first argument of a matching call that is now passed to a different parameter.
fn moved(call: &Arguments, old: &ParameterList, new: &ParameterList) -> Option<String> {
    let pairs = positional(old).zip(positional(new)).take(call.positional).enumerate();
    let mut moved = pairs.filter(|(_, (was, is))| was.name != is.name && !was.name.is_empty() && !is.name.is_empty());
    // A parameter that has another name at the same position is the same one, unless its name
    // occurs at another position. A required parameter that becomes optional further back makes
    // room for another one, which may well be what the call passes.
    let gives_way = |was: &HeadParameter| !was.optional && new.named(&was.name).is_some_and(|now| now.optional);
    let (at, (was, is)) =
        moved.find(|(_, (was, is))| new.named(&was.name).is_some() || old.named(&is.name).is_some())?;
    if gives_way(was) && old.named(&is.name).is_none() {
        return None;
    }
    Some(format!("argument {} was {} and is now {}", at + 1, was.name, is.name))
}

/// Describes the first argument of a call that another parameter in front of the one for all additional
/// arguments takes from it, or leaves to it.
fn moved_rest(call: &Arguments, old: &ParameterList, new: &ParameterList) -> Option<String> {
    let ((before, was), (after, is)) = (old.rest.as_ref()?, new.rest.as_ref()?);
    let at = *before.min(after);
    let name = |list: &ParameterList, other: &ParameterList| {
        let name = &positional(list).nth(at)?.name;
        (!name.is_empty() && other.named(name).is_none()).then(|| name.clone())
    };
    let (was, is) = match before.cmp(after) {
        _ if was != is || call.positional <= at => return None,
        Ordering::Less => (was.clone(), name(new, old)?),
        Ordering::Greater => (name(old, new)?, is.clone()),
        Ordering::Equal => return None,
    };
    Some(format!("argument {} was {was} and is now {is}", at + 1))
}

fn positional(head: &ParameterList) -> impl Iterator<Item = &HeadParameter> {
    head.parameters.iter().filter(|parameter| !parameter.by_name)
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::parse::symbol;

    /// Parses a parameter list such as `a b= *c`: `b` is optional, `c` is passed by name only, and
    /// `...` accepts any arguments.
    fn head(text: &str) -> ParameterList {
        let mut head = ParameterList::default();
        for word in text.split_whitespace() {
            if word == "..." {
                head.open = true;
                continue;
            }
            let (by_name, optional) = (word.starts_with('*'), word.ends_with('='));
            let name = word.trim_matches(['*', '=']).to_owned();
            head.parameters.push(HeadParameter { name, optional, by_name, takes_function: false, keys: None });
        }
        head
    }

    fn describe_misfit(positional: usize, named: &[&str], old: &str, new: &str) -> Option<String> {
        let call = Arguments {
            positional,
            named: named.iter().map(|name| symbol(name)).collect(),
            has_closure: false,
            keys: Vec::new(),
        };
        new_mismatch(&call, &head(old), &head(new))
    }

    #[test]
    fn reports_only_calls_that_matched_before_the_change() {
        let describe =
            |positional, named: &[&str], old, new| describe_misfit(positional, named, old, new).unwrap_or_default();
        assert_eq!(describe(2, &[], "a b", "a"), "passes 2 arguments by position, but the function takes 1");
        assert_eq!(describe(1, &["b"], "a b=", "a"), "passes b, which is no longer a parameter");
        assert_eq!(describe(1, &[], "a", "a b"), "does not pass b, which is now required");
        assert_eq!(describe(1, &[], "a", "a *b"), "does not pass b, which is now required");
        assert_eq!(describe(2, &[], "a b", "b a"), "argument 1 was a and is now b");
        assert_eq!(describe(2, &[], "a b=", "a c= b="), "argument 2 was b and is now c");
        assert_eq!(describe(1, &["b"], "a b", "a c"), "passes b, which is no longer a parameter");
        assert_eq!(describe(1, &[], "cmd", "ctx cmd"), "argument 1 was cmd and is now ctx");
        for (positional, named, old, new) in [
            (1, &[][..], "a", "a b="),
            (2, &[], "a b", "a c"),
            (1, &["b"], "a b", "b= a"),
            (1, &[], "a b=", "a"),
            (5, &[], "a ...", "a b ..."),
            (3, &[], "a", "a b"),
            (0, &[], "a", "b c"),
            (1, &[], "config description=", "url config="),
        ] {
            let message = describe_misfit(positional, named, old, new);
            assert!(
                message.is_none() || positional == 1 && new == "b= a",
                "{positional} {named:?} {old} {new}: {message:?}"
            );
        }
    }
}
