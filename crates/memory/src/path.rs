//! Paths to a location in a memory: `$.candidate_functions['app.renew'].purpose`, `$.functions[0]`.
//!
//! - **Implements:** PRISM identifies locations by JSON path. The grammar here is the part of RFC
//!   9535 that identifies a single location.
//! - **Differs from the paper:** the parser is lenient, because models write paths: `$` may be
//!   missing, quotes may be single, double or missing (`$.matches[renew]`), and a bare name extends
//!   to the next `.` or `[`. Wildcards, slices and `..` are rejected.

use super::quoted::{read_quoted, write_quoted};
use std::fmt;

/// Maximum length of a path in bytes.
const MAX_PATH: usize = 64 * 1024;
/// Maximum number of parts in a path, which exceeds the depth of any schema.
const MAX_PARTS: usize = 64;

/// A location in a memory. A path without parts is the root.
///
/// When printed, keys that are not plain names are in single quotes, which need no escape inside
/// JSON. Parsing a printed path yields the same path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<PathPart>);

/// One step of a path, from a value to one of its children.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathPart {
    /// A step into a map or an object. Any text can be a key.
    Key(String),
    /// A step into a list, with a 0-based index. A negative index counts from the end: -1 is the
    /// last element.
    Index(i64),
}

impl Path {
    /// Returns the parts of the path, from the root down.
    pub fn parts(&self) -> &[PathPart] {
        &self.0
    }

    /// Returns the path that consists of the first `depth` parts.
    pub(super) fn down_to(&self, depth: usize) -> Self {
        Self(self.0.iter().take(depth).cloned().collect())
    }

    /// Returns the path of the child `key`.
    pub fn key(&self, key: impl Into<String>) -> Self {
        self.below(PathPart::Key(key.into()))
    }

    /// Returns the path of the child `index`.
    pub fn index(&self, index: usize) -> Self {
        self.below(PathPart::Index(index as i64))
    }

    fn below(&self, part: PathPart) -> Self {
        let mut parts = Vec::with_capacity(self.0.len() + 1);
        parts.extend_from_slice(&self.0);
        parts.push(part);
        Self(parts)
    }

    /// Parses a path. The error describes the problem in a few words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > MAX_PATH {
            return Err(format!("the path has more than {MAX_PATH} bytes"));
        }
        let mut at = usize::from(text.starts_with('$'));
        let mut parts = Vec::new();
        while at < text.len() {
            let bare_start = parts.is_empty() && at == 0 && !text.starts_with(['.', '[']);
            let (part, next) = match text.as_bytes()[at] {
                b'[' => bracket(text, at + 1)?,
                b'.' => bare(text, at + 1)?,
                _ if bare_start => bare(text, at)?,
                _ => return Err(format!("expected `.` or `[`, found {:?}", &text[at..].chars().next().unwrap_or('?'))),
            };
            if parts.len() == MAX_PARTS {
                return Err(format!("the path has more than {MAX_PARTS} parts"));
            }
            parts.push(part);
            at = next;
        }
        Ok(Self(parts))
    }
}

/// Parses an unquoted name that starts at byte `at`.
fn bare(text: &str, at: usize) -> Result<(PathPart, usize), String> {
    let end = text[at..].find(['.', '[']).map_or(text.len(), |length| at + length);
    match text[at..end].trim() {
        // Accepts the extra dot in `$.['x']`.
        "" if text[end..].starts_with('[') => bracket(text, end + 1),
        "" => Err("a name is missing after `.`".into()),
        "*" => Err("a wildcard matches more than one location".into()),
        name => Ok((PathPart::Key(name.into()), end)),
    }
}

/// Parses the content of brackets; `at` is the offset after the opening bracket.
fn bracket(text: &str, at: usize) -> Result<(PathPart, usize), String> {
    let start = at + text[at..].len() - text[at..].trim_start().len();
    if text[start..].starts_with(['\'', '"']) {
        let (key, after) = read_quoted(text, start).ok_or("a quote is not closed")?;
        let rest = text[after..].trim_start();
        return match rest.strip_prefix(']') {
            Some(rest) => Ok((PathPart::Key(key), text.len() - rest.len())),
            None => Err("`]` is missing after a quoted key".into()),
        };
    }
    let end = start + text[start..].find(']').ok_or("`[` is not closed")?;
    let inside = text[start..end].trim();
    let part = match inside.parse() {
        Ok(index) => PathPart::Index(index),
        Err(_) if inside.is_empty() => return Err("`[]` is empty".into()),
        Err(_) if inside == "*" || inside.contains(':') || inside.starts_with('?') => {
            return Err(format!("`[{inside}]` matches more than one place; quote it if it is a key"));
        }
        Err(_) => PathPart::Key(inside.into()),
    };
    Ok((part, end + 1))
}

impl FromIterator<PathPart> for Path {
    fn from_iter<I: IntoIterator<Item = PathPart>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        for part in &self.0 {
            match part {
                PathPart::Index(index) => write!(f, "[{index}]")?,
                PathPart::Key(key) if is_plain(key) => write!(f, ".{key}")?,
                PathPart::Key(key) => {
                    let mut quoted = String::new();
                    write_quoted(&mut quoted, key, '\'');
                    write!(f, "[{quoted}]")?;
                }
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Path::parse(text).unwrap().to_string()
    }

    #[test]
    fn parses_different_spellings_of_a_path() {
        for text in
            ["$.a['b.c'].d", r#"$.a["b.c"].d"#, "a['b.c'].d", r#"$["a"]['b.c']["d"]"#, "$.a[b.c].d", "$.a.['b.c'].d"]
        {
            assert_eq!(read(text), "$.a['b.c'].d", "{text}");
        }
        assert_eq!(read(r#"$.f["a.b\"d"].purpose"#), r#"$.f['a.b"d'].purpose"#);
        assert_eq!((read("$").as_str(), read("").as_str(), read(" $ ").as_str()), ("$", "$", "$"));
    }

    #[test]
    fn a_number_is_an_index_and_a_quoted_number_a_key() {
        assert_eq!(Path::parse("$.f[0]").unwrap().parts()[1], PathPart::Index(0));
        assert_eq!(Path::parse("$.f[-1]").unwrap().parts()[1], PathPart::Index(-1));
        assert_eq!(Path::parse("$.f['0']").unwrap().parts()[1], PathPart::Key("0".into()));
    }

    #[test]
    fn rejects_paths_that_are_invalid_or_ambiguous() {
        for (text, expected) in [
            ("$.*", "wildcard"),
            ("$.f[*]", "more than one"),
            ("$.f[1:2]", "more than one"),
            ("$..f", "missing"),
            ("$.", "missing"),
            ("$.f[]", "empty"),
            ("$.f[0", "not closed"),
            ("$.f['a", "not closed"),
            ("$.f['a'", "`]` is missing"),
            ("$f", "expected"),
        ] {
            assert!(Path::parse(text).unwrap_err().contains(expected), "{text}: {:?}", Path::parse(text));
        }
        assert!(Path::parse(&"[0]".repeat(1000)).unwrap_err().contains("64 parts"));
    }
}
