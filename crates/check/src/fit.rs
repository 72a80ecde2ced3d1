//! Checks whether a call matches the parameters of a function, and describes the first mismatch.
//!
//! Calls that did not match the old parameters either are ignored: such a call is linked to more
//! than one function, or receives arguments in a way that the parser does not see (decorators,
//! bound methods).

use super::head::{HeadParameter, ParameterList, is_rest};
use whichfn_syntax::lang::Language;
use whichfn_syntax::parse::{Call, Symbol};

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arguments {
    /// Number of positional arguments.
    pub positional: usize,
    /// Names of the named arguments.
    pub named: Vec<Symbol>,
}

impl Arguments {
    /// Returns the arguments of a call, given its text. Returns `None` if one argument expands to
    /// any number of arguments.
    pub fn from_call(call: &Call, text: &str, language: &Language) -> Option<Self> {
        let idioms = &language.spec.idioms;
        let list = text.find('(').map_or("", |open| &text[open + 1..]);
        let spreads = |piece: &str| is_rest(piece.trim_start(), &idioms.rest_signs);
        if list.split([',', '(', '\n']).any(spreads) {
            return None;
        }
        let named: Vec<Symbol> = call.arguments.iter().filter_map(|(name, _)| *name).collect();
        Some(Self { positional: call.arguments.len() - named.len(), named })
    }
}

/// Describes why a call no longer matches. Returns `None` if it still matches, or did not match
/// before.
pub(super) fn new_mismatch(call: &Arguments, old: &ParameterList, new: &ParameterList) -> Option<String> {
    if describe_mismatch(call, old, old).is_some() {
        return None;
    }
    describe_mismatch(call, new, old).or_else(|| moved(call, old, new))
}

/// Describes why a call does not match a parameter list. A name that the list lacks is spelled as
/// in `old`.
fn describe_mismatch(call: &Arguments, head: &ParameterList, old: &ParameterList) -> Option<String> {
    if !head.open {
        let known = |name: &&Symbol| head.parameters.iter().all(|parameter| parameter.symbol() != **name);
        if let Some(unknown) = call.named.iter().find(known) {
            let spelled = old.parameters.iter().find(|parameter| parameter.symbol() == *unknown);
            return Some(format!("passes {}, which is no longer a parameter", spelled.map_or("a name", |p| &p.name)));
        }
        let places = positional(head).count();
        if call.positional > places {
            return Some(format!("passes {} by position, but the function takes {places}", arguments(call.positional)));
        }
    }
    let missing = positional(head).skip(call.positional).chain(head.parameters.iter().filter(|p| p.by_name));
    let missing = missing.filter(|parameter| !parameter.optional).find(|p| !call.named.contains(&p.symbol()))?;
    Some(format!("does not pass {}, which is now required", missing.name))
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
            head.parameters.push(HeadParameter { name, optional, by_name });
        }
        head
    }

    fn describe_misfit(positional: usize, named: &[&str], old: &str, new: &str) -> Option<String> {
        let call = Arguments { positional, named: named.iter().map(|name| symbol(name)).collect() };
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
