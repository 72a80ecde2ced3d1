//! Removes markup from documentation, for display as plain text: reStructuredText, Markdown
//! (including rustdoc's), Javadoc and Doxygen tags, HTML, and C# XML comments.
//!
//! Unclosed markup and text that only looks like markup (`Vec<T>`, `*args`, `a[0]`) are kept.
//!
//! **Cost:** one pass. For each opening mark, at most the next [`MAX_DISTANCE`] bytes are searched
//! for its end.

use std::borrow::Cow;

/// Maximum distance in bytes from an opening mark to its end.
const MAX_DISTANCE: usize = 400;

/// Elements of HTML and of C# XML comments that are removed. A self-closing element with the name
/// of an item in an attribute is replaced by that name.
const ELEMENTS: &str = "a b blockquote br c cite code dd div dl dt em example exception h1 h2 h3 h4 hr i inheritdoc kbd li ol p para \
                        param paramref pre remarks returns see seealso small span strong sub summary sup table td th tr tt \
                        typeparam typeparamref u ul value var";

/// Attributes whose value is the name of an item.
const NAMING: &[&str] = &["cref=\"", "langword=\"", "name=\""];

/// Doxygen commands that apply to the word or paragraph after them.
const COMMANDS: &str = "brief short details c p em ref";

/// HTML entities and the characters that they represent.
const ENTITIES: &[(&str, &str)] =
    &[("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&nbsp;", " ")];

/// Removes the markup from a string.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(['`', '\\', '[', '<', '{', '*', '&', '@', '|']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        match replace_mark(rest, out.chars().next_back()) {
            Some((shown, length)) => {
                out.push_str(&shown);
                at += length;
            }
            None => {
                out.push(first);
                at += first.len_utf8();
            }
        }
    }
    Cow::Owned(out.trim().to_owned())
}

fn is_among(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Returns the replacement for the mark at the start of `rest` and the mark's length in bytes.
/// `before` is the character that precedes the mark.
fn replace_mark(rest: &str, before: Option<char>) -> Option<(Cow<'_, str>, usize)> {
    let is_free = before.is_none_or(|c| !c.is_alphanumeric());
    match rest.as_bytes()[0] {
        b':' if is_free => role(rest),
        b'`' => code(rest),
        b'[' => link(rest),
        b'<' => element(rest),
        b'{' => inline_tag(rest),
        b'&' => ENTITIES.iter().find(|(name, _)| rest.starts_with(name)).map(|&(name, sign)| (sign.into(), name.len())),
        b'\\' => command(rest).filter(|_| is_free).or_else(|| escaped(rest)),
        b'@' if is_free => command(rest),
        b'*' if is_free => emphasis(rest),
        _ => None,
    }
}

/// Returns the part of a string before the first occurrence of `end`, or `None` if there is none
/// within [`MAX_DISTANCE`] bytes.
fn until<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let mut near = text.len().min(MAX_DISTANCE);
    while !text.is_char_boundary(near) {
        near -= 1;
    }
    text[..near].find(end).map(|at| &text[..at])
}

/// Replaces reStructuredText roles: ``:class:`~shop.Order` `` and ``:ref:`orders <order-list>` ``.
fn role(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let name = until(rest, "`")?;
    let is_role = name.len() > 2
        && name.ends_with(':')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || [':', '-', '_', '+', '.'].contains(&c));
    let inside = until(rest.get(name.len() + 1..)?, "`").filter(|inside| is_role && !inside.is_empty())?;
    let shown = inside.split_once(" <").map_or(inside, |(title, _)| title);
    let shown = match shown.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => shown.trim_start_matches('!'),
    };
    Some((shown.into(), name.len() + inside.len() + 2))
}

/// Replaces code spans and reStructuredText links: `` `code` ``, ``` ``code`` ```, and `` `title
/// <target>`_ ``.
fn code(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let inside = until(&rest[ticks..], &rest[..ticks]).filter(|inside| !inside.is_empty())?;
    let mut length = inside.len() + 2 * ticks;
    let mut shown = inside;
    if rest[length..].starts_with('_') {
        length += rest[length..].len() - rest[length..].trim_start_matches('_').len();
        shown = inside.split_once(" <").map_or(inside, |(title, _)| title);
    }
    Some((shown.trim().into(), length))
}

/// Replaces links: `[Order]`, ``[`Order`]``, `[orders](https://..)`, `[orders][list]`, but not `[0,
/// 1]`.
fn link(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let inside = until(&rest[1..], "]").filter(|inside| !inside.is_empty() && !inside.contains('['))?;
    let after = &rest[inside.len() + 2..];
    let target = [("(", ")"), ("[", "]")].into_iter().find(|(open, _)| after.starts_with(open));
    let target = target.and_then(|(_, close)| until(&after[1..], close));
    let names = |inside: &str| {
        inside.starts_with(|c: char| c.is_alphabetic() || c == '`' || c == '_')
            && inside.chars().all(|c| c.is_alphanumeric() || ['_', ':', '.', '`', '(', ')', '!'].contains(&c))
            && inside.len() > 1
    };
    let length = inside.len() + 2 + target.map_or(0, |target| target.len() + 2);
    (target.is_some() || names(inside)).then(|| (plain(inside), length))
}

/// Replaces HTML and XML tags: `<p>`, `</code>`, `<see cref="Order"/>`, but not `Vec<T>`.
fn element(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let inside = until(&rest[1..], ">")?;
    let name = inside.trim_start_matches('/');
    let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    if !is_among(ELEMENTS, &name) || inside.contains('<') {
        return None;
    }
    let named = NAMING.iter().find_map(|attribute| inside.split_once(attribute)).filter(|_| inside.ends_with('/'));
    let named = named.and_then(|(_, value)| value.split('"').next()).unwrap_or_default();
    // C# writes `T:` before the name of a type.
    let named = named.split_once(':').map_or(named, |(_, name)| name);
    let breaks = is_among("p br li para dd dt tr div", &name);
    Some((if breaks { " ".into() } else { named.into() }, inside.len() + 2))
}

/// Replaces Javadoc inline tags: `{@code x}`, `{@link Order#total the total}`.
fn inline_tag(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let tag = rest.strip_prefix("{@")?;
    let mut open = 1;
    let end = tag.char_indices().take(MAX_DISTANCE).find_map(|(at, c)| {
        open += i32::from(c == '{') - i32::from(c == '}');
        (open == 0).then_some(at)
    })?;
    let (name, shown) = tag[..end].split_once(char::is_whitespace).unwrap_or((&tag[..end], ""));
    let shown = match name {
        "link" | "linkplain" | "see" => {
            let (target, label) = shown.trim().split_once(' ').unwrap_or((shown.trim(), ""));
            let named = if label.is_empty() { target.trim_start_matches('#').replace('#', ".") } else { label.into() };
            Cow::Owned(named)
        }
        "inheritDoc" => Cow::Borrowed(""),
        _ => Cow::Borrowed(shown.trim()),
    };
    Some((shown, end + 3))
}

/// Replaces escapes such as `\_`, and removes the escaped spaces of reStructuredText.
fn escaped(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let sign = rest[1..].chars().next()?;
    let shown = match sign {
        ' ' => "",
        _ if sign.is_ascii_punctuation() => &rest[1..2],
        _ => return None,
    };
    Some((shown.into(), 2))
}

/// Removes Doxygen commands such as `\brief` and `@brief`, with the space after them.
fn command(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let (name, _) = rest[1..].split_once(' ')?;
    is_among(COMMANDS, name).then(|| ("".into(), name.len() + 2))
}

/// Replaces emphasis: `*so*` and `**so**`.
fn emphasis(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let stars = rest.len() - rest.trim_start_matches('*').len();
    let inside = until(&rest[stars..], &rest[..stars])?;
    let after = rest[inside.len() + 2 * stars..].chars().next();
    let closes = stars <= 2
        && !inside.is_empty()
        && !inside.starts_with(char::is_whitespace)
        && !inside.ends_with(char::is_whitespace)
        && after.is_none_or(|c| !c.is_alphanumeric() && c != '*' && c != '_');
    closes.then(|| (plain(inside), inside.len() + 2 * stars))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn removes_marks_of_each_kind() {
        for (replace_mark, shown) in [
            ("Return a :class:`~shop.Order` for ``key``.", "Return a Order for key."),
            ("See :ref:`the list <orders>` and `docs <https://x>`_.", "See the list and docs."),
            (
                "Turns [`Order`] into [text](https://x/y), see [Self::total()].",
                "Turns Order into text, see Self::total().",
            ),
            (r"The \[start, end\] of a\_name.", "The [start, end] of a_name."),
            ("Gives {@code a < b} or {@link Order#total}.", "Gives a < b or Order.total."),
            ("<p>The {@link Map.Entry entry} &lt;K&gt;.</p>", "The entry <K>."),
            (
                "<summary>Opens <see cref=\"T:Shop.Order\"/> or <paramref name=\"key\"/>.</summary>",
                "Opens Shop.Order or key.",
            ),
            ("@brief Adds \\c one to it.", "Adds one to it."),
            ("It is **never** *so*.", "It is never so."),
        ] {
            assert_eq!(plain(replace_mark), shown);
        }
    }

    #[test]
    fn keeps_text_that_only_looks_like_markup() {
        for text in [
            "Takes *args and **kwargs.",
            "A Vec<T> of [0, 1] and a[0], a {} and a [start, end).",
            "Ends in `tick, a\\nb, 2 * 3 * 4, x < y > z, a & b, me@p.org, key: value",
        ] {
            assert_eq!(plain(text), text);
        }
    }

    proptest! {
        #[test]
        fn never_lengthens_arbitrary_text(text in "[`:*\\[\\]<>{}@&;\\\\a-zé~_() ]{0,60}") {
            prop_assert!(plain(&text).len() <= text.len());
        }
    }
}
