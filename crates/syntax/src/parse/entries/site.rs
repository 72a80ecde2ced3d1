//! Calls, decorators, annotations and object literals as the rules of frameworks see them: a name,
//! what is before it, and arguments.

use super::super::extract::Extractor;
use super::super::matches::Mark;
use crate::ids::LocalId;
use crate::lang::{Argument, ExpressionForm, Interpolation, WordSort};
use crate::tree::Node;
use whichfn_text::UNKNOWN_SEGMENTS;

/// A variable with one of its values.
pub(super) type Bound<'a> = (&'a str, &'a str);

/// Maximum number of arguments that are read.
const MAX_ARGUMENTS: usize = 256;

/// Maximum number of calls in a chain.
pub(super) const MAX_CHAIN: usize = 256;

/// Maximum number of places at which the value of a constant is searched for.
const MAX_PLACES: usize = 64;

/// What follows a literal that is formatted.
const FORMATS: [&str; 2] = [".format(", "%"];

/// An argument: its name if it is passed by name, its text, and its node.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteArgument<'a, 't> {
    pub key: Option<&'a str>,
    pub text: &'a str,
    pub node: Option<Node<'t>>,
}

/// A place that may register an entry.
#[derive(Debug, Clone)]
pub(super) struct Site<'a, 't> {
    pub node: Node<'t>,
    pub callee: Node<'t>,
    /// Number and depth of the syntax node.
    pub place: (u32, u32),
    /// Definition around the node.
    pub scope: LocalId,
    /// Last part of the callee's name.
    pub name: &'a str,
    /// Text before the name; empty if there is none.
    pub receiver: &'a str,
    pub arguments: Vec<SiteArgument<'a, 't>>,
    /// Offset of the first argument.
    pub inside: usize,
}

impl<'a, 't> Site<'a, 't> {
    /// Returns the variable at the start of the receiver: `router` in `router.route("/").get`.
    pub fn object(&self) -> &'a str {
        let front = self.receiver.split(['(', '<']).next().unwrap_or_default();
        plain_key(if front.len() < self.receiver.len() { split_name(front).0 } else { front })
    }
}

/// Returns the argument without a name at a position; negative positions count from the end.
fn positional<'a, 't>(all: &[SiteArgument<'a, 't>], at: i32) -> Option<SiteArgument<'a, 't>> {
    let all: Vec<_> = all.iter().filter(|one| one.key.is_none()).collect();
    let at = if at < 0 { all.len().checked_sub(at.unsigned_abs() as usize)? } else { at as usize };
    all.get(at).map(|one| **one)
}

pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Returns the part of a name before the last separator, and the last part.
pub(super) fn split_name(text: &str) -> (&str, &str) {
    let text = text.trim();
    let last = text.rfind(|c| !is_name(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    (text[..last].trim_end_matches(['.', ':', '-', '>', '?', '!', '\\', ' ', '\n']), &text[last..])
}

/// Returns the name of a variable without what languages write before it.
pub(super) fn plain_key(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['&', '*', '$', '@', '(']);
    let text = ["this->", "this.", "self.", "cls."].iter().find_map(|own| text.strip_prefix(own)).unwrap_or(text);
    text.trim_end_matches(['!', '?', ')'])
}

/// Returns the contents of the string literal or symbol that a text starts with, and the rest of
/// the text.
pub(super) fn literal(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if let Some(symbol) = text.strip_prefix(':').filter(|rest| rest.starts_with(is_name)) {
        let end = symbol.find(|c| !is_name(c)).unwrap_or(symbol.len());
        return Some((&symbol[..end], &symbol[end..]));
    }
    let quoted = text.trim_start_matches(|c: char| "rRbBuUfF@$".contains(c));
    let quoted = if text.len() - quoted.len() > 2 { text } else { quoted };
    let hashes = quoted.len() - quoted.trim_start_matches('#').len();
    let quoted = &quoted[hashes..];
    let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let wide = quote != '`' && quoted.chars().take(3).filter(|c| *c == quote).count() == 3;
    let start = if wide { 3 } else { 1 };
    let mut is_escaped = false;
    let end = quoted[start..].char_indices().find(|&(_, c)| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    let end = start + end?.0;
    Some((&quoted[start..end], quoted[end..].trim_start_matches([quote, '#'])))
}

/// Returns all string literals in a text, with a limit.
pub(super) fn literals(text: &str) -> Vec<&str> {
    let (mut rest, mut found) = (text, Vec::new());
    while found.len() < MAX_ARGUMENTS {
        let Some(at) = rest.find(['"', '\'', '`']) else { break };
        let Some((inside, after)) = literal(&rest[at..]) else { break };
        found.push(inside);
        rest = after;
    }
    found
}

impl<'a, 't> Extractor<'a, 't> {
    /// Reads a call, decorator, annotation or object literal.
    pub(super) fn site(
        &self,
        node: Node<'t>,
        callee: Node<'t>,
        arguments: Option<Node<'t>>,
        place: (u32, u32),
    ) -> Site<'a, 't> {
        let (receiver, name) = self.callee_parts(callee);
        let inside = arguments.map_or_else(|| self.name_end(callee), Node::start);
        let arguments = arguments.map(|arguments| self.site_arguments(arguments)).unwrap_or_default();
        Site { node, callee, place, scope: self.innermost(), name, receiver, arguments, inside }
    }

    /// Returns an argument of a site, or of an earlier call in its chain of calls.
    pub(super) fn site_value(&self, site: &Site<'a, 't>, wanted: &Argument) -> Option<SiteArgument<'a, 't>> {
        match wanted {
            Argument::Position(at) => positional(&site.arguments, *at),
            Argument::Named(name) => match name.strip_prefix('.') {
                Some(call) => {
                    let (call, at) = call.split_once(':').unwrap_or((call, "0"));
                    let (_, arguments) = self.chained_call(site.callee, call)?;
                    positional(&self.site_arguments(arguments?), at.parse().unwrap_or(0))
                }
                None if name == "=>" => site.arguments.first().filter(|one| one.key.is_some()).copied(),
                None if name == "block" => {
                    let is_function = |child: &Node<'t>| self.matches.definitions.contains_key(&child.number());
                    let block = site.node.named_children().filter(is_function).last()?;
                    Some(SiteArgument { key: None, text: "", node: Some(block) })
                }
                None => site.arguments.iter().find(|one| one.key == Some(name)).copied(),
            },
        }
    }

    /// Returns the call with a name that is an object of a chain of calls, and its arguments.
    pub(super) fn chained_call(&self, callee: Node<'t>, name: &str) -> Option<(Node<'t>, Option<Node<'t>>)> {
        let mut at = self.object_of(callee)?;
        for _ in 0..MAX_CHAIN {
            let (callee, arguments) = self.call_at(at)?;
            if self.callee_parts(callee).1 == name {
                return Some((at, arguments));
            }
            at = self.object_of(callee)?;
        }
        None
    }

    /// Returns the object of a callee.
    pub(super) fn object_of(&self, callee: Node<'t>) -> Option<Node<'t>> {
        match self.language.meaning(callee.kind()).form {
            ExpressionForm::Access(object, _) => object.child_of(callee),
            _ => None,
        }
    }

    /// Returns the offset after the name of a callee.
    fn name_end(&self, callee: Node<'t>) -> usize {
        match self.language.meaning(callee.kind()).form {
            ExpressionForm::Access(_, member) => member.child_of(callee).map_or(callee.end(), Node::end),
            _ => callee.end(),
        }
    }

    /// Returns the text before the name of a callee, and the name.
    pub(super) fn callee_parts(&self, callee: Node<'t>) -> (&'a str, &'a str) {
        if let ExpressionForm::Access(object, member) = self.language.meaning(callee.kind()).form {
            let object = object.child_of(callee);
            let name = member.child_of(callee).map_or("", |member| self.text(member));
            let object = object.map_or("", |object| self.text(object));
            // `Router::<State>::new`
            let plain = object.split_once("::<").filter(|(front, _)| object.ends_with('>') && !front.contains('('));
            return (plain.map_or(object, |(front, _)| front), split_name(name.split('<').next().unwrap_or(name)).1);
        }
        let text = self.text(callee);
        split_name(text.split(['<', '(']).next().unwrap_or(text))
    }

    /// Returns the arguments of a macro, which have no syntax nodes.
    pub(super) fn macro_arguments(&self, site: &Site<'a, 't>) -> Vec<SiteArgument<'a, 't>> {
        let text = self.text(site.node);
        split_arguments(text.find(['(', '[']).map_or("", |at| &text[at..]))
    }

    fn site_arguments(&self, arguments: Node<'t>) -> Vec<SiteArgument<'a, 't>> {
        if self.language.meaning(arguments.kind()).form == ExpressionForm::Tokens {
            return split_arguments(self.text(arguments));
        }
        let is_comment = |node: &Node<'t>| self.language.meaning(node.kind()).words == Some(WordSort::Comment);
        let mut found = Vec::new();
        for node in arguments.named_children().filter(|node| !is_comment(node)).take(MAX_ARGUMENTS) {
            let one = self.site_argument(node);
            let entries = one.node.filter(|_| one.key.is_none()).into_iter().flat_map(Node::named_children);
            let entries =
                entries.filter(|entry| !is_comment(entry)).take(MAX_ARGUMENTS).map(|entry| self.site_argument(entry));
            let entries: Vec<_> = entries.filter(|entry| entry.key.is_some()).collect();
            found.push(one);
            found.extend(entries);
        }
        found
    }

    /// Reads one argument, which may have a name.
    fn site_argument(&self, node: Node<'t>) -> SiteArgument<'a, 't> {
        let meaning = self.language.meaning(node.kind());
        if let Some((name, value)) = meaning.keyword.or(meaning.entry) {
            let key = name.child_of(node).map(|key| self.text(key).trim_matches(['"', '\'', ':']));
            let value = value.child_of(node).unwrap_or(node);
            return SiteArgument { key, text: self.text(value), node: Some(value) };
        }
        let one = keyed(self.text(node));
        let at = node.end() - one.text.len();
        let value = if one.key.is_some() { node.and_inside().find(|inner| inner.start() == at) } else { Some(node) };
        SiteArgument { node: value.filter(|value| value.is_named()), ..one }
    }

    /// Returns the text of a path: a literal, a constant of the file, or several of them joined by
    /// an operator. An unknown part between slashes, such as a member of an object, becomes
    /// [`UNKNOWN_SEGMENTS`]. Returns `None` for a literal that is formatted, or has an unknown expression
    /// after its start.
    pub(super) fn path_text(&self, text: &str) -> Option<String> {
        self.path_with(text, None)
    }

    /// Returns the text of a path like [`Self::path_text`], with the value of a variable.
    pub(super) fn path_with(&self, text: &str, bound: Option<Bound<'_>>) -> Option<String> {
        let (mut rest, mut path, mut is_known) = (text.trim(), String::new(), false);
        let mut is_cut = false;
        let mut sign = None;
        let joins = |sign: char| sign == '+' || self.entries.frameworks.iter().any(|one| one.concat == Some(sign));
        while !rest.is_empty() {
            let known = literal(rest);
            let is_format = |after: &str| FORMATS.iter().any(|call| after.trim_start().starts_with(call));
            if let Some((inside, after)) = known.filter(|(_, after)| is_format(after)) {
                return formatted(inside, after, bound.filter(|_| path.is_empty())?);
            }
            let part = known.or_else(|| {
                let end = rest.find(|c: char| !is_name(c) && !matches!(c, '.' | ':')).unwrap_or(rest.len());
                let name = Some(&rest[..end]).filter(|name| name.chars().all(is_name));
                Some((self.value_of(name?, bound)?, &rest[end..]))
            });
            let after = match part {
                Some((inside, after)) => {
                    if is_cut && inside.starts_with('/') {
                        path.push_str(UNKNOWN_SEGMENTS);
                    } else if is_cut && !path.is_empty() {
                        return None;
                    }
                    is_cut = false;
                    match known {
                        Some(_) => self.interpolated(rest, inside, bound, &mut path)?,
                        None => path.push_str(inside),
                    }
                    is_known = true;
                    after
                }
                // `'/hook/'.config('hook')`: an unknown part has to be whole segments.
                None if is_known && sign.is_some_and(joins) && !path.ends_with('/') => return None,
                None => {
                    is_cut |= !is_known || sign.is_some_and(joins);
                    rest.find(['+', '.']).map_or("", |at| &rest[at..])
                }
            };
            let after = after.trim_start();
            sign = after.chars().next();
            match after.strip_prefix(['+', '.']) {
                Some(next) => rest = next.trim_start(),
                None => break,
            }
        }
        if is_known && is_cut {
            path.push_str(UNKNOWN_SEGMENTS);
        }
        is_known.then_some(path)
    }

    /// Adds the contents of the literal at the start of a text to a path, with the values of the
    /// constants in it. An unknown expression is left out at the start of the path; elsewhere, the
    /// result is `None`.
    fn interpolated(&self, text: &str, inside: &str, bound: Option<Bound<'_>>, path: &mut String) -> Option<()> {
        let text = text.trim_start();
        let mark = text.trim_start_matches(|c: char| c.is_alphabetic() || matches!(c, '@' | '$'));
        let (mark, quote) = (&text[..text.len() - mark.len()], mark.chars().next());
        let is_of_string = |form: &&Interpolation| {
            form.mark.is_none_or(|own| mark.contains(own)) && form.quote.is_none_or(|own| quote == Some(own))
        };
        let forms: Vec<_> = self.language.spec.words.interpolations.iter().filter(is_of_string).collect();
        let mut rest = inside;
        let first = |rest: &str| {
            let places = forms.iter().filter_map(|form| Some((rest.find(form.open.as_str())?, *form)));
            places.min_by_key(|(at, _)| *at)
        };
        while let Some((at, form)) = first(rest) {
            path.push_str(&rest[..at]);
            rest = &rest[at + form.open.len()..];
            // f"/{{id}}" is /{id}.
            if let Some(after) = rest.strip_prefix(form.open.as_str()) {
                let (name, after) = after.split_once(form.close.as_str())?;
                path.extend([&form.open, name, &form.close]);
                rest = after.strip_prefix(form.close.as_str())?;
                continue;
            }
            let (expression, after) = match form.close.is_empty() {
                true => rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len())),
                false => rest.split_once(form.close.as_str())?,
            };
            rest = after;
            let name = Some(expression.trim()).filter(|name| name.chars().all(is_name));
            match name.and_then(|name| self.value_of(name, bound)) {
                Some(value) => path.push_str(value),
                None if path.is_empty() && rest.starts_with('/') => path.push_str(UNKNOWN_SEGMENTS),
                None if path.is_empty() && !rest.is_empty() => {}
                None => return None,
            }
        }
        path.push_str(rest);
        Some(())
    }

    /// Returns the string value of a name: the bound value, or a constant of the file.
    fn value_of<'v>(&self, name: &str, bound: Option<Bound<'v>>) -> Option<&'v str>
    where
        'a: 'v,
    {
        bound.filter(|(known, _)| *known == name).map(|(_, value)| value).or_else(|| self.constant(name))
    }

    /// Returns the string that the file assigns to a name.
    fn constant(&self, name: &str) -> Option<&'a str> {
        if name.len() < 2 || self.source.len() > MAX_CONSTANT_FILE {
            return None;
        }
        let places = memchr::memmem::find_iter(self.source.as_bytes(), name.as_bytes()).take(MAX_PLACES);
        places.filter_map(|at| self.source.get(at + name.len()..)).find_map(|after| {
            let line = after.lines().next().unwrap_or_default();
            let (between, value) = line.split_once('=')?;
            let is_declared = between.chars().all(|c| c.is_alphanumeric() || " :&'<>".contains(c));
            let is_whole = !between.starts_with(is_name);
            let found = literal(value).filter(|_| is_declared && is_whole && !value.starts_with('='));
            found.filter(|(_, after)| !is_continued(after)).map(|(inside, _)| inside)
        })
    }

    /// Returns the callee and the arguments if a node is a call.
    pub(super) fn call_at(&self, node: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
        let matches = self.matches;
        matches.marks(node).find_map(|mark| match *mark {
            Mark::Call { callee, arguments, .. } => Some((callee, arguments)),
            _ => None,
        })
    }
}

/// Checks whether a value that starts with a literal has further parts: `"/" + path`, `"/%s" % path`.
fn is_continued(after: &str) -> bool {
    let after = after.trim_start();
    let is_method = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    after.starts_with(['+', '%', '.']) && (!is_method || FORMATS.iter().any(|call| after.starts_with(call)))
}

/// Maximum size of a file whose constants are looked up, which bounds the work.
pub(super) const MAX_CONSTANT_FILE: usize = 1 << 18;

/// Splits an argument into its name and its text: `key = value`, `key: value`.
fn keyed(text: &str) -> SiteArgument<'_, 'static> {
    let plain = SiteArgument { key: None, text, node: None };
    if let Some((key, rest)) = literal(text).filter(|_| !text.starts_with(':')) {
        let value = rest.trim_start().strip_prefix("=>");
        return value.map_or(plain, |value| SiteArgument { key: Some(key), text: value.trim_start(), node: None });
    }
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let rest = text[end..].trim_start();
    let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix(':')).filter(|_| end > 0);
    match value {
        Some(value) if !value.starts_with(['=', ':', '>']) => {
            SiteArgument { key: Some(&text[..end]), text: value.trim_start(), node: None }
        }
        _ => plain,
    }
}

/// Splits the text of arguments at the commas outside brackets and strings.
fn split_arguments<'a, 't>(text: &'a str) -> Vec<SiteArgument<'a, 't>> {
    let inside = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    let text = [('(', ')'), ('[', ']')].into_iter().find_map(inside).unwrap_or(text);
    let (mut depth, mut start, mut quote, mut last) = (0, 0, None, ' ');
    let mut found = Vec::new();
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        match (quote, c) {
            (Some(open), c) if c == open && last != '\\' => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 && found.len() < MAX_ARGUMENTS => {
                let one = text[start..at].trim();
                if !one.is_empty() {
                    found.push(keyed(one));
                }
                start = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    found
}

/// Returns a format string with the value of a variable in place of the only placeholder:
/// `'/{}/list'.format(kind)`, `'/%s/list' % kind`.
pub(super) fn formatted(format: &str, after: &str, (name, value): Bound<'_>) -> Option<String> {
    let after = after.trim();
    let is_it = |inside: &str| inside.trim() == name;
    let (placeholder, argument) = match after.strip_prefix(".format(") {
        Some(rest) => ("{}", rest.strip_suffix(')')?),
        None => ("%s", after.strip_prefix('%')?.trim_start_matches('(').trim_end_matches([')', ','])),
    };
    let is_only = format.matches(placeholder).count() == 1 && literals(argument).is_empty();
    (is_only && is_it(argument)).then(|| format.replace(placeholder, value))
}
