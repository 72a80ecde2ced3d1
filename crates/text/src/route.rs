//! Paths of HTTP routes in one form, and the comparison of a path with a route.
//!
//! Frameworks write a parameter as `{id}`, `:id`, `<int:id>`, `[id]` or a regular expression with a
//! named group. All of them become `{id}`.

use crate::prefix;

/// HTTP methods that a question or the name of a function may contain.
pub const HTTP_METHODS: [&str; 8] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"];

/// Method of a route that accepts any method.
pub const ANY_METHOD: &str = "ANY";

/// Segment in place of any number of segments of a path that are not known.
pub const UNKNOWN_SEGMENTS: &str = "...";

/// Anchors at the end of a regular expression.
const ENDS: [&str; 3] = ["$", "\\Z", "\\z"];

/// Returns the path of a route with its parameters in braces and a slash in front.
///
/// **Cost:** one pass; a group is skipped once.
pub fn route_path(written: &str) -> String {
    let written = written.trim();
    let written = written.strip_prefix('^').or_else(|| written.strip_prefix("\\A")).unwrap_or(written);
    let written = ENDS.iter().find_map(|end| written.strip_suffix(end)).unwrap_or(written);
    let mut out = String::with_capacity(written.len() + 1);
    out.push('/');
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '/' => {
                if !out.ends_with('/') {
                    out.push('/');
                }
                1
            }
            '{' => parameter(&mut out, rest, group_end(rest, '{', '}')),
            '<' => parameter(&mut out, rest, group_end(rest, '<', '>')),
            '(' => group(&mut out, rest),
            ':' | '*' if !out.ends_with(char::is_alphanumeric) && rest[1..].starts_with(is_name) => {
                let name = &rest[1..];
                let name = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
                out.extend(["{", name, "}"]);
                let after = &rest[1 + name.len()..];
                let pattern = if after.starts_with('(') { group_end(after, '(', ')') } else { 0 };
                let sign = usize::from(after[pattern..].starts_with(['?', '+', '*']));
                1 + name.len() + pattern + sign
            }
            // A class of a regular expression: `[\w-]+`.
            '[' if let Some(length) = class_length(rest) => {
                out.push_str("{}");
                length
            }
            // An escaped character of a regular expression, or one of a class such as `\d+`.
            '\\' => escaped(&mut out, rest),
            // The parameters of a query.
            '?' if rest[1..].starts_with('<') => break,
            // An optional slash.
            '?' if out.ends_with('/') => {
                if out.len() > 1 {
                    out.pop();
                }
                1
            }
            _ => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(taken.max(1)..).unwrap_or_default();
    }
    out
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of the group at the start of `text`, with its brackets.
fn group_end(text: &str, open: char, close: char) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// Writes the parameter in the first `length` bytes, which are in brackets. Returns `length`.
fn parameter(out: &mut String, text: &str, length: usize) -> usize {
    let inside = text.get(1..length.saturating_sub(1)).unwrap_or_default();
    // `<int:id>` has its name at the end, `{id:int}` and `{id:[0-9]+}` at the start.
    let named = if text.starts_with('<') { inside.rsplit(':').next() } else { inside.split(':').next() };
    let named = named.unwrap_or_default().trim_start_matches(['*', '.', '$', '#', ' ']);
    let name = &named[..named.find(|c| !is_name(c)).unwrap_or(named.len())];
    out.extend(["{", name, "}"]);
    length
}

/// Writes the group of a regular expression at the start of `text` as a parameter. Returns its
/// length.
fn group(out: &mut String, text: &str) -> usize {
    let length = group_end(text, '(', ')');
    let inside = text.get(1..length.saturating_sub(1)).unwrap_or_default();
    let name = inside.strip_prefix("?P<").or_else(|| inside.strip_prefix("?<")).and_then(|rest| rest.split('>').next());
    match name {
        Some(name) => out.extend(["{", name, "}"]),
        // An optional part: `(.:format)`, `(?:\.json)?`.
        None if inside.starts_with(['.', '?', '/']) && !inside.starts_with(".*") && !inside.starts_with(".+") => {}
        None => out.push_str("{}"),
    }
    let sign = usize::from(text[length..].starts_with(['?', '+', '*']));
    length + sign
}

/// Returns the length of the repeated class of a regular expression that a text starts with.
fn class_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let is_end = c == ']' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    let end = end?.0 + 1;
    match text[end..].chars().next()? {
        '+' | '*' => Some(end + 1),
        '{' if text[end + 1..].starts_with(|c: char| c.is_ascii_digit()) => {
            Some(end + group_end(&text[end..], '{', '}'))
        }
        _ => None,
    }
}

/// Writes an escaped character. Returns the number of bytes read.
fn escaped(out: &mut String, text: &str) -> usize {
    let Some(next) = text[1..].chars().next() else { return 1 };
    if !next.is_alphanumeric() {
        out.push(next);
        return 1 + next.len_utf8();
    }
    out.push_str("{}");
    let after = &text[1 + next.len_utf8()..];
    let count = if after.starts_with('{') { group_end(after, '{', '}') } else { 0 };
    1 + next.len_utf8() + count + usize::from(after.starts_with(['+', '*']))
}

/// Name of a type without its usual end in the stored prefix of a type.
pub const TYPE_NAME: &str = "[type]";
/// Name of a function in the stored prefix of a type.
pub const FUNCTION_NAME: &str = "[function]";

/// Returns the stored form of a prefix that a type and the types derived from it have. `suffix` is the
/// usual end of their names.
pub fn type_prefix(suffix: &str, prefix: &str) -> String {
    format!("~{suffix} {prefix}")
}

/// Returns the prefix of a function of a type from its stored form.
pub fn prefix_in_type(stored: &str, type_name: &str, function: &str) -> Option<String> {
    let (suffix, prefix) = stored.strip_prefix('~')?.split_once(' ')?;
    let type_name = type_name.strip_suffix(suffix).unwrap_or(type_name);
    Some(prefix.replace(TYPE_NAME, type_name).replace(FUNCTION_NAME, function))
}

// A written path contains no control characters, so it cannot be mistaken for these marks.

/// First character of the stored form of a prefix that is not known unless a mount gives it.
pub const OPEN_PREFIX: char = '\u{1}';
/// Stored form of such a prefix of a route whose handler is mounted.
pub const OPEN_PREFIX_OF_HANDLER: &str = "\u{1}handler";
/// Stored form of such a prefix of an object that another file may create.
pub const OPEN_PREFIX_OF_OBJECT: &str = "\u{1}object";
/// Stored form of the prefix of an application that another file may create.
pub const APPLICATION: &str = "\u{2}application";
/// Last character of the stored form of a route whose path is complete, so that no type adds a prefix.
pub const COMPLETE_PATH: char = '\u{3}';
/// Stored form of an annotation on a type, which may have a prefix in the place that defines it.
pub const ANNOTATION: &str = "#";

/// Stored form of a mount without a prefix, because of which the function around it passes a router on.
pub const PASSED_ON: &str = "&";

/// Returns the stored form of the method and path in the annotation of a function.
pub fn route_template(method: &str, path: &str) -> String {
    format!("@{method} {path}")
}

/// Returns the method and the path from their stored form.
pub fn template_of(stored: &str) -> Option<(&str, &str)> {
    stored.strip_prefix('@')?.split_once(' ')
}

/// Maximum length of a path in bytes. A prefix is copied to each route below it.
const MAX_PATH: usize = 256;

/// Joins two paths with one slash. An empty path keeps the slash at the end of the first one. A
/// regular expression loses the anchor at its start (`^users/`) after another path, and `^$` is empty.
/// Shortens each of them to 256 bytes.
pub fn joined_route(front: &str, path: &str) -> String {
    let (whole, path) = (prefix(front, MAX_PATH), prefix(path, MAX_PATH));
    let front = whole.trim_end_matches('/');
    let path = if front.is_empty() { path } else { unanchored(path) };
    match (front.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (false, true) => whole.to_owned(),
        (false, false) if front.ends_with(UNKNOWN_SEGMENTS) && starts_unknown(path) => {
            [front, &path.trim_start_matches('/')[UNKNOWN_SEGMENTS.len()..]].concat()
        }
        (false, false) if path.starts_with('/') => [front, path].concat(),
        (false, false) => [front, "/", path].concat(),
    }
}

/// Checks whether the first segments of a path are not known.
fn starts_unknown(path: &str) -> bool {
    path.trim_start_matches('/').split('/').next() == Some(UNKNOWN_SEGMENTS)
}

/// Returns a regular expression without the anchor at its start; empty if only the anchor at its end
/// is left.
fn unanchored(path: &str) -> &str {
    let rest = path.strip_prefix('^').or_else(|| path.strip_prefix("\\A"));
    rest.map_or(path, |rest| if ENDS.contains(&rest) { "" } else { rest })
}

/// How well a path fits a route; a higher value fits better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteFit {
    /// True if the path has as many segments as the route, and shares one with it. Otherwise one of them
    /// is the end of the other, because a prefix is unknown, the route has segments that are not known,
    /// or it fits any path.
    pub is_complete: bool,
    /// Number of segments that are equal, with parameters equal to parameters.
    pub equal: usize,
    /// True if the known segments of the route fit the whole path.
    pub is_whole: bool,
}

/// Compares the path of a question with the path of a route, both in the form of [`route_path`].
/// Returns `None` if they differ: a segment is a different word, or the route has more segments
/// than the path and no segment of the path is a word of it.
pub fn route_fit(path: &str, route: &str) -> Option<RouteFit> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let (path, route) = (segments(path), segments(route));
    if path != route && route.contains(&UNKNOWN_SEGMENTS) {
        return unknown_fit(&path, &route);
    }
    let shorter = path.len().min(route.len());
    let catches_all = route.last().is_some_and(|last| *last == "*");
    if catches_all && path.len() >= route.len() {
        let equal = equal_segments(&path[..route.len() - 1], &route[..route.len() - 1])?;
        // `/*` fits every path, so a route that shares a segment with the path fits better.
        return Some(RouteFit { is_complete: equal > 0, equal, is_whole: equal > 0 });
    }
    let equal = equal_segments(&path[path.len() - shorter..], &route[route.len() - shorter..])?;
    let is_same_length = path.len() == route.len();
    // A route of parameters only fits every path of its length.
    let is_complete = is_same_length && (equal > 0 || path.is_empty());
    (is_same_length || equal > 0 && shorter > 0).then_some(RouteFit { is_complete, equal, is_whole: is_complete })
}

/// Compares a path with a route that has segments that are not known. What is before the first of them
/// begins the path, what is after the last one ends it, and the parts between them follow one another.
fn unknown_fit(path: &[&str], route: &[&str]) -> Option<RouteFit> {
    let mut parts: Vec<&[&str]> = route.split(|segment| *segment == UNKNOWN_SEGMENTS).collect();
    let known: usize = parts.iter().map(|part| part.len()).sum();
    let (start, end) = (parts.remove(0), parts.pop().unwrap_or_default());
    // A question may leave out a prefix, too.
    let (rest, back) = path.split_at(path.len().saturating_sub(end.len()));
    let (front, mut rest) = rest.split_at(rest.len().min(start.len()));
    let mut equal = equal_segments(front, start)? + equal_segments(back, &end[end.len() - back.len()..])?;
    for part in parts {
        let (at, same) =
            (0..rest.len()).find_map(|at| Some((at, equal_segments(rest.get(at..at + part.len())?, part)?)))?;
        equal += same;
        rest = &rest[at + part.len()..];
    }
    let is_whole = path.len() == known;
    (equal > 0 || path.is_empty() && is_whole).then_some(RouteFit { is_complete: false, equal, is_whole })
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Returns the number of equal segments, or `None` if two segments cannot be the same.
fn equal_segments(path: &[&str], route: &[&str]) -> Option<usize> {
    let mut equal = 0;
    for (own, other) in path.iter().zip(route) {
        match (own.contains('{'), other.contains('{')) {
            (false, false) if own.eq_ignore_ascii_case(other) => equal += 1,
            (false, false) => return None,
            (true, true) => equal += usize::from(around_parameter(own) == around_parameter(other)),
            (false, true) if fits(own, other) => {}
            (true, false) if *other == "*" => {}
            (true, false) | (false, true) => return None,
        }
    }
    Some(equal)
}

/// Returns what is before and after the parameters of a segment.
fn around_parameter(segment: &str) -> (&str, &str) {
    let (front, rest) = segment.split_once('{').unwrap_or((segment, ""));
    (front, rest.rsplit_once('}').map_or("", |(_, end)| end))
}

/// Checks whether a word fits a segment with a parameter: `report.json` fits `{name}.json`.
fn fits(word: &str, segment: &str) -> bool {
    let (front, end) = around_parameter(segment);
    word.len() > front.len() + end.len() && word.starts_with(front) && word.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_one_form() {
        for (written, path) in [
            ("/users/:id", "/users/{id}"),
            ("/users/<int:id>/", "/users/{id}/"),
            ("users/{id:int}", "/users/{id}"),
            ("/users/{id:[0-9]{3}}", "/users/{id}"),
            (r"^users/(?P<id>\d+)/$", "/users/{id}/"),
            ("/files/*path", "/files/{path}"),
            ("/files/{*path}", "/files/{path}"),
            ("/users/:id(\\d+)?", "/users/{id}"),
            ("/posts/:slug.json", "/posts/{slug}.json"),
            ("/a//b", "/a/b"),
            ("", "/"),
            ("/photos/:id(.:format)", "/photos/{id}"),
            (r"^data\.json$", "/data.json"),
            ("/top(/:length(/page/:page))", "/top"),
            ("/~:user", "/~{user}"),
            ("/users:batch", "/users:batch"),
            ("^users/?$", "/users"),
            (r"^[A-Za-z0-9\-\@\.]+/(?P<slug>[\w-]+)/[a-z]{2}/$", "/{}/{slug}/{}/"),
            ("/[type]/users", "/[type]/users"),
            ("/?", "/"),
            ("/users?<page>&<sort>", "/users"),
        ] {
            assert_eq!(route_path(written), path, "{written}");
        }
    }

    #[test]
    fn a_path_fits_a_route() {
        let fits =
            |path, route| route_fit(&route_path(path), &route_path(route)).map(|fit| (fit.is_complete, fit.equal));
        assert_eq!(fits("/users/42", "/users/{id}"), Some((true, 1)));
        assert_eq!(fits("/users/{name}", "/users/:id"), Some((true, 2)));
        assert_eq!(fits("/api/users/42", "/users/{id}"), Some((false, 1)));
        assert_eq!(fits("/static/css/main.css", "/static/*"), Some((true, 1)));
        assert_eq!(fits("/static/css/main.css", "/*"), Some((false, 0)));
        assert_eq!(fits("/files/{name}.txt", "/files/{name}.v2.txt"), Some((true, 1)));
        assert_eq!(fits("/users/42", "/{kind}/{id}"), Some((false, 0)));
        assert_eq!(fits("/", "/"), Some((true, 0)));
        assert_eq!(fits("/users", "/groups"), None);
        assert_eq!(fits("/users/42", "/{name}"), None);
    }

    #[test]
    fn segments_that_are_not_known_stand_for_any_number() {
        let fits = |path, route| route_fit(path, &route_path(route)).map(|fit| (fit.is_complete, fit.equal));
        assert_eq!(fits("/users/42", "/.../users/:id"), Some((false, 1)));
        assert_eq!(fits("/api/v1/users/42", "/.../users/:id"), Some((false, 1)));
        assert_eq!(fits("/api/v1/users/42", "/api/.../users/:id"), Some((false, 2)));
        assert_eq!(fits("/hooks/x/y", "/hooks/..."), Some((false, 1)));
        assert_eq!(fits("/", "/..."), Some((false, 0)));
        assert_eq!(fits("/api/groups/42", "/.../users/:id"), None);
        assert_eq!(fits("/rest/users/42", "/api/.../users/:id"), None);
        assert_eq!(fits("/api/users/7/list", "/.../users/.../list"), Some((false, 2)));
        assert_eq!(fits("/api/users/list", "/.../users/..."), Some((false, 1)));
        assert_eq!(fits("/api/groups/list", "/.../users/..."), None);
        // A name from a list of routes fits itself.
        assert_eq!(fits("/.../users/{id}", "/.../users/:id"), Some((true, 3)));
        assert_eq!(joined_route("/...", ".../users"), "/.../users");
        assert_eq!(joined_route("/api/...", "/.../users"), "/api/.../users");
        assert_eq!(joined_route("/api", "..."), "/api/...");
    }

    #[test]
    fn the_parts_of_a_regular_expression_lose_their_anchors() {
        for (front, path, joined) in [
            ("^api/", "^users/(?P<id>\\d+)$", "/api/users/{id}"),
            ("^api/", "^$", "/api/"),
            ("", "^$", "/"),
            ("/api", "", "/api"),
        ] {
            assert_eq!(route_path(&joined_route(front, path)), joined, "{front} {path}");
        }
    }

    #[test]
    fn the_prefix_of_a_type_contains_the_names_of_its_functions() {
        let stored = type_prefix("Controller", "api/[type]/[function]");
        assert_eq!(prefix_in_type(&stored, "UsersController", "Show").as_deref(), Some("api/Users/Show"));
        assert_eq!(prefix_in_type("api/users", "UsersController", "Show"), None);
    }

    #[test]
    fn any_text_is_read() {
        for text in ["(", "{", "<", "\\", ":é", "*", "(?P<", "{:", "é/:ü", "/\\", ":", "(((", "{{}"] {
            route_path(text);
            route_fit(&route_path(text), "/a");
        }
    }
}
