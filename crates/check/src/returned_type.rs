//! Compares return types as written.

use whichfn_syntax::lang::Idioms;

/// A change of a type that callers must follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypeChange {
    /// The function no longer returns a value.
    Nothing,
    /// The value may now be nothing.
    Optional,
    /// The number of values changed.
    Count(usize, usize),
    /// The type changed from a list to one whose items can only be read in order.
    Iterator,
    /// The type changed to one that cannot be used in the same way.
    Other,
}

/// Compares two return types. `is_own` checks whether a name is that of a type of the repository
/// without bases, if the compiler checks types.
pub(super) fn change_of_type(
    old: &str,
    new: &str,
    idioms: &Idioms,
    is_own: &dyn Fn(&str) -> bool,
) -> Option<TypeChange> {
    let (old, new) = (unquoted(old), unquoted(new));
    let is_nothing = |written: &str| idioms.nothing_types.iter().any(|one| one == written);
    if old == new || is_nothing(old) {
        return None;
    }
    if is_nothing(new) {
        return Some(TypeChange::Nothing);
    }
    if let (Some(old), Some(new)) = (carried(old, idioms), carried(new, idioms))
        && outer(old.0).0 == outer(new.0).0
    {
        return change_of_type(old.1, new.1, idioms, is_own);
    }
    let (was, is) = (value_count(old, idioms), value_count(new, idioms));
    if was != is {
        return Some(TypeChange::Count(was, is));
    }
    match (is_optional(old, idioms), is_optional(new, idioms)) {
        (false, true) => return Some(TypeChange::Optional),
        (true, true) => return None,
        (true, false) if !idioms.checks_types => return None,
        _ => {}
    }
    let (was, is) = (sort_of(old, idioms), sort_of(new, idioms));
    let differs = match (was, is) {
        (Some(Sort::List), Some(Sort::Iterator)) => return Some(TypeChange::Iterator),
        // What takes any iterable takes a list.
        (Some(Sort::Iterator), Some(Sort::List)) => false,
        (Some(was), Some(is)) => was != is,
        (Some(_), None) => is_own(outer(new).0),
        (None, Some(_)) => is_own(outer(old).0),
        (None, None) => false,
    };
    (differs || is_part(old, new, idioms) || is_part(new, old, idioms)).then_some(TypeChange::Other)
}

/// Checks whether a type is that of a value that must be awaited.
pub(super) fn is_awaitable(written: &str, idioms: &Idioms) -> bool {
    let (name, arguments) = outer(written);
    idioms.awaitable_types.iter().any(|one| one == name)
        || (idioms.pointer_types.iter().any(|one| one == name) && is_awaitable(arguments.unwrap_or_default(), idioms))
}

/// Checks whether a value of a type may be nothing.
fn is_optional(written: &str, idioms: &Idioms) -> bool {
    let written = written.trim();
    let has = |names: &[String], name: &str| names.iter().any(|one| one == name);
    let alternatives = split(written, '|');
    if alternatives.len() > 1 {
        return alternatives.iter().any(|one| has(&idioms.nothing_values, one) || is_optional(one, idioms));
    }
    let has_mark = |mark: &String| written.starts_with(&mark[..]) || written.ends_with(&mark[..]);
    let (name, arguments) = outer(written);
    let mut parts = split(arguments.unwrap_or_default(), ',').into_iter();
    idioms.optional_marks.iter().any(has_mark)
        || has(&idioms.optional_types, name)
        || (has(&idioms.same_value_types, name)
            && parts.any(|part| has(&idioms.nothing_values, part) || is_optional(part, idioms)))
}

/// Returns the type of the value that an awaitable type or a result carries, and the type itself.
fn carried<'t>(written: &'t str, idioms: &Idioms) -> Option<(&'t str, &'t str)> {
    let (name, arguments) = outer(written);
    let parts = split(arguments?, ',');
    let is_awaitable = idioms.awaitable_types.iter().any(|one| one == name);
    let part = if is_awaitable { parts.last() } else { parts.first() };
    (is_awaitable || idioms.result_types.iter().any(|one| one == name)).then_some((written, *part?))
}

/// Returns the number of values that a type lists: 2 for `(A, B)` and `tuple[A, B]`.
fn value_count(written: &str, idioms: &Idioms) -> usize {
    let (name, arguments) = outer(written);
    let is_tuple = idioms.tuple_types.iter().any(|one| *one == name.to_lowercase());
    let list = match arguments {
        Some(arguments) if is_tuple => arguments,
        _ => match inside(written) {
            Some(list) => list,
            None => return 1,
        },
    };
    let count = split(list, ',').into_iter().filter(|part| !part.is_empty()).count();
    // Any number of values of one type.
    if list.contains("...") { 1 } else { count.max(1) }
}

/// Returns the text in the round or square brackets that a type consists of.
fn inside(written: &str) -> Option<&str> {
    let close = if written.starts_with('(') { ')' } else { ']' };
    let list = written.strip_prefix(['(', '['])?.strip_suffix(close)?;
    let mut depth = 0_i32;
    let is_closed = list.chars().all(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth >= 0
    });
    is_closed.then_some(list)
}

/// The sort of a type that consists of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Numbers and booleans are compatible in several languages.
    Number,
    Text,
    List,
    Map,
    Iterator,
}

fn sort_of(written: &str, idioms: &Idioms) -> Option<Sort> {
    let written = written.trim_start_matches('&');
    if written.ends_with("[]") || written.starts_with("[]") {
        return Some(Sort::List);
    }
    let is_one_name = !written.split(['<', '[']).next().unwrap_or_default().contains(['|', ' ', '(', '{']);
    if !is_one_name || split(written, '|').len() > 1 {
        return None;
    }
    let name = outer(written).0.to_lowercase();
    let is = |names: &[String]| names.contains(&name);
    let sorts = [
        (Sort::Text, &idioms.string_types),
        (Sort::List, &idioms.list_types),
        (Sort::Map, &idioms.map_types),
        (Sort::Iterator, &idioms.iterator_types),
        (Sort::Number, &idioms.number_types),
        (Sort::Number, &idioms.boolean_types),
    ];
    sorts.iter().find(|(_, names)| is(names)).map(|(sort, _)| *sort)
}

/// Checks whether a type is a type argument or the type of the items of another one, whose values
/// are used in another way.
fn is_part(inner: &str, outside: &str, idioms: &Idioms) -> bool {
    let (name, arguments) = outer(outside);
    let is_same_value = idioms.same_value_types.iter().any(|one| one == name);
    let is_argument = || split(arguments.unwrap_or_default(), ',').contains(&inner);
    outside.strip_suffix("[]") == Some(inner)
        || outside.strip_prefix("[]") == Some(inner)
        || (!is_same_value && is_argument())
}

/// Returns the last name of a type before its arguments, and the arguments: `Union` and `A, None` of
/// `t.Union[A, None]`.
fn outer(written: &str) -> (&str, Option<&str>) {
    let open = written.find(['<', '[']);
    let name = &written[..open.unwrap_or(written.len())];
    let name = name.rsplit(['.', ':', ' ', '*', '&']).next().unwrap_or_default();
    let arguments = open.and_then(|open| written[open + 1..].trim_end().strip_suffix(['>', ']']));
    (name, arguments)
}

/// Splits a type at the signs outside its brackets. The arrow of a function type closes none.
pub(super) fn split(written: &str, sign: char) -> Vec<&str> {
    let (mut depth, mut start, mut previous) = (0_i32, 0, ' ');
    let mut parts = Vec::new();
    for (at, c) in written.char_indices() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            '>' if matches!(previous, '-' | '=') => {}
            ')' | ']' | '>' | '}' => depth -= 1,
            _ => {}
        }
        if c == sign && depth == 0 {
            parts.push(written[start..at].trim());
            start = at + c.len_utf8();
        }
        previous = c;
    }
    parts.push(written[start..].trim());
    parts
}

/// Returns a type without the quotes of an annotation that is written as a string.
fn unquoted(written: &str) -> &str {
    let without = |quote| written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    without('"').or_else(|| without('\'')).unwrap_or(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::lang::Registry;

    fn change(file: &str, old: &str, new: &str) -> Option<TypeChange> {
        let registry = Registry::builtin().expect("languages");
        let id = registry.detect(file).expect("a language");
        change_of_type(old, new, &registry.spec(id).expect("a language").idioms, &|name| name == "Item")
    }

    #[test]
    fn types_that_mean_the_same_value_do_not_differ() {
        for (file, old, new) in [
            ("a.py", "t.Union[A, None]", "A | None"),
            ("a.py", "A | None", "Optional[A]"),
            ("a.py", "None | A", "typing.Union[None, A]"),
            ("a.py", "\"A | None\"", "Optional['A']"),
            ("a.py", "tuple[int, Union[str, None]]", "tuple[int, str | None]"),
            ("a.py", "tuple[int, str]", "tuple[int, str | None]"),
            ("a.py", "tuple[int, int,]", "tuple[int, int]"),
            ("a.py", "Tuple[int, ...]", "tuple[int, ...]"),
            ("a.py", "Optional[A]", "A"),
            ("a.py", "A", "Annotated[A, 1]"),
            ("a.py", "A", "list[Apple]"),
            ("a.py", "Iterable[A]", "list[A]"),
            ("a.py", "list[A]", "list[A | None]"),
            ("a.ts", "string[]", "Array<string>"),
            ("a.ts", "A | undefined", "undefined | A"),
            ("a.ts", "Promise<A | null>", "Promise<null | A>"),
            ("a.ts", "[A, B,]", "[A, B]"),
            ("a.ts", "() => void", "(a: A, b: B) => void"),
            ("a.php", "?A", "A|null"),
            ("a.rs", "(u8, u8)", "(u8, u8,)"),
            ("a.kt", "(Int) -> Unit", "(Int, Int) -> Unit"),
            ("a.go", "(int, error)", "(n int, err error)"),
        ] {
            assert_eq!(change(file, old, new), None, "{file}: {old} and {new}");
        }
    }

    #[test]
    fn types_that_callers_must_follow_differ() {
        use TypeChange::{Count, Nothing, Optional, Other};
        for (file, old, new, expected) in [
            ("a.py", "A", "t.Union[A, None]", Optional),
            ("a.py", "A", "None | A", Optional),
            ("a.py", "tuple[int, int, int, int,]", "tuple[int, int, int]", Count(4, 3)),
            ("a.py", "str", "list[str]", Other),
            ("a.py", "A", "None", Nothing),
            ("a.ts", "Promise<A>", "Promise<A | undefined>", Optional),
            ("a.ts", "{ n: number }", "{ n: number } | undefined", Optional),
            ("a.ts", "string", "string[]", Other),
            ("a.rs", "io::Result<A>", "io::Result<Option<A>>", Optional),
            ("a.rs", "Option<A>", "A", Other),
            ("a.rs", "u8", "", Nothing),
            ("a.java", "int", "java.util.OptionalInt", Optional),
            ("a.kt", "A", "A?", Optional),
            ("a.go", "string", "*Item", Other),
            ("a.cpp", "A", "std::optional<A>", Optional),
            ("a.zig", "u8", "?u8", Optional),
        ] {
            assert_eq!(change(file, old, new), Some(expected), "{file}: {old} and {new}");
        }
    }
}
