//! The Python form of a schema: dataclasses, as papers show them to models.
//!
//! ```python
//! @dataclass
//! class FunctionDescription:
//!     """What a function does."""
//!     purpose: str  # What it is for.
//!
//! @dataclass
//! class Memory:
//!     candidate_functions: Dict[str, FunctionDescription]
//! ```
//!
//! The root is a class `Memory` or `Root` that no other class uses, else the last class. Classes
//! that the root does not reach are ignored. The text is read line by line. Imports, decorators and
//! default values are skipped. The description of a field is the comment after it, above it, or the
//! string below it.

use super::names::{TypeName, is_identifier};
use super::{MAX_DEPTH, Schema, SchemaField, SchemaObject, Type, one_line, too_large, wrong};
use crate::quoted::{read_quoted, unescape};
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use whichfn_system::error::Result;

/// Reads the dataclass form.
pub(super) fn read(text: &str) -> Result<Schema> {
    let mut classes = IndexMap::new();
    let mut lines = SourceLines { text, start: 0, next: 0, number: 0 };
    while let Some(line) = lines.next() {
        read_line(line, &mut lines, &mut classes).map_err(|why| wrong(&format!("line {}", lines.number), &why))?;
    }
    let Some(root) = root(&classes) else {
        return Err(wrong("the text", "it begins with no `{`, and no class is in it"));
    };
    let root =
        Arc::unwrap_or_clone(ClassResolver { classes: &classes, done: IndexMap::new(), open: Vec::new() }.class(root)?);
    Schema::new(root)
}

/// A class whose fields refer to other classes by name.
#[derive(Default)]
struct Class {
    line: usize,
    doc: Option<String>,
    fields: IndexMap<String, Raw>,
    /// The comment above the next item.
    above: Option<String>,
}

struct Raw {
    line: usize,
    of: TypeName,
    optional: bool,
    doc: Option<String>,
}

struct SourceLines<'a> {
    text: &'a str,
    /// Start of the line read last, after its indentation.
    start: usize,
    /// Start of the next line.
    next: usize,
    number: usize,
}

impl<'a> SourceLines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.next..];
        if rest.is_empty() {
            return None;
        }
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        self.start = self.next + line.len() - line.trim_start().len();
        self.next += line.len();
        self.number += 1;
        Some(line.trim())
    }

    /// Reads the quoted text that starts with `line`, the line read last. It may continue on
    /// further lines.
    fn quoted(&mut self, line: &str) -> std::result::Result<String, String> {
        let triple = ["\"\"\"", "'''"].into_iter().find(|quotes| line.starts_with(quotes));
        let Some(quotes) = triple else {
            let (text, end) = read_quoted(line, 0).ok_or("a quote that never closes")?;
            return if line[end..].trim().is_empty() { Ok(text) } else { Err("unexpected text after a string".into()) };
        };
        let (text, length) = read_triple(&self.text[self.start..], quotes).ok_or("a quote that never closes")?;
        let end = self.start + length;
        while self.next < end && self.next().is_some() {}
        Ok(text)
    }
}

/// Reads the text in triple quotes at the start. Also returns the byte after the closing quotes.
fn read_triple(text: &str, quotes: &str) -> Option<(String, usize)> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(quotes.len()) {
        if !escaped && text[at..].starts_with(quotes) {
            return Some((unescape(&text[quotes.len()..at]), at + quotes.len()));
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

fn read_line<'a>(
    line: &'a str,
    lines: &mut SourceLines<'a>,
    classes: &mut IndexMap<String, Class>,
) -> std::result::Result<(), String> {
    let ignored = ["import ", "from ", "@", "```"].iter().any(|start| line.starts_with(start));
    if line.is_empty() || ignored || ["pass", "..."].contains(&line) {
        return Ok(());
    }
    if let Some(head) = line.strip_prefix("class ") {
        let (name, class) = read_head(head, lines.number, classes)?;
        return match classes.insert(name.clone(), class) {
            Some(former) => Err(format!("class {name} is already defined in line {}", former.line)),
            None => Ok(()),
        };
    }
    let is_text = line.starts_with(['"', '\'']);
    let text = if is_text { Some(lines.quoted(line)?) } else { None };
    let Some((_, class)) = classes.last_mut() else {
        // Text before the first class is ignored.
        return if is_text || line.starts_with('#') { Ok(()) } else { Err("a field outside of any class".into()) };
    };
    if let Some(text) = text {
        let place = class.fields.last_mut().map_or(&mut class.doc, |(_, field)| &mut field.doc);
        *place = place.take().or_else(|| one_line(&text));
    } else if let Some(comment) = line.strip_prefix('#') {
        class.above = one_line(comment);
    } else {
        let (name, mut field) = read_field(line, lines.number)?;
        let above = class.above.take();
        field.doc = field.doc.or(above);
        if let Some(former) = class.fields.insert(name.clone(), field) {
            return Err(format!("field {name} is already defined in line {}", former.line));
        }
    }
    Ok(())
}

fn read_head(
    head: &str,
    line: usize,
    classes: &IndexMap<String, Class>,
) -> std::result::Result<(String, Class), String> {
    let head = head.split('#').next().unwrap_or_default().trim();
    let head = head.strip_suffix(':').ok_or("a class begins with `class Name:`")?.trim_end();
    let (name, bases) = head.split_once('(').unwrap_or((head, ")"));
    let bases = bases.strip_suffix(')').ok_or("`)` is missing")?;
    if let Some(base) = bases.split(',').map(str::trim).find(|base| classes.contains_key(*base)) {
        return Err(format!("fields that come from another class ({base}) are not read; write them here"));
    }
    if !is_identifier(name.trim()) {
        return Err(format!("{name:?} is not a valid class name"));
    }
    Ok((name.trim().to_string(), Class { line, ..Class::default() }))
}

/// Reads a field: `name: Type = default  # description`.
fn read_field(line: &str, number: usize) -> std::result::Result<(String, Raw), String> {
    let (name, rest) = line.split_once(':').ok_or("neither a class nor a field: `name: type`")?;
    let name = name.trim();
    if !is_identifier(name) {
        return Err(format!("{name:?} is not a valid field name"));
    }
    let (code, comment) = match outside_quotes(rest, '#') {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, ""),
    };
    let code = outside_quotes(code, '=').map_or(code, |at| &code[..at]);
    let (of, optional) = TypeName::read(code)?;
    Ok((name.to_string(), Raw { line: number, of, optional, doc: one_line(comment) }))
}

/// Returns the offset of the first `sign` outside of quotes.
fn outside_quotes(text: &str, sign: char) -> Option<usize> {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '"' | '\'' => at = read_quoted(text, at).map_or(text.len(), |(_, end)| end),
            c if c == sign => return Some(at),
            c => at += c.len_utf8(),
        }
    }
    None
}

fn root(classes: &IndexMap<String, Class>) -> Option<&str> {
    let fields = classes.values().flat_map(|class| class.fields.values());
    let used: BTreeSet<&str> = fields.filter_map(|field| field.of.class()).collect();
    let named = ["Memory", "Root"].into_iter().find(|name| classes.contains_key(*name) && !used.contains(name));
    named.or_else(|| classes.keys().last().map(String::as_str))
}

struct ClassResolver<'a> {
    classes: &'a IndexMap<String, Class>,
    done: IndexMap<&'a str, Arc<SchemaObject>>,
    /// The classes being resolved, to detect a class that contains itself.
    open: Vec<&'a str>,
}

impl<'a> ClassResolver<'a> {
    /// Resolves a class, which must exist.
    fn class(&mut self, name: &'a str) -> Result<Arc<SchemaObject>> {
        if let Some(done) = self.done.get(name) {
            return Ok(Arc::clone(done));
        }
        let Some(class) = self.classes.get(name) else {
            return Err(wrong("the text", &format!("unknown type {name}")));
        };
        let place = format!("line {}", class.line);
        if self.open.contains(&name) {
            return Err(wrong(&place, &format!("class {name} contains itself without end")));
        }
        if self.open.len() > MAX_DEPTH {
            return Err(wrong(&place, &too_large()));
        }
        self.open.push(name);
        let mut object = SchemaObject { name: Some(name.into()), doc: class.doc.clone(), fields: IndexMap::new() };
        for (field, raw) in &class.fields {
            let of = self.named(raw)?;
            object.fields.insert(field.clone(), SchemaField { of, doc: raw.doc.clone(), optional: raw.optional });
        }
        self.open.pop();
        let object = Arc::new(object);
        self.done.insert(name, Arc::clone(&object));
        Ok(object)
    }

    fn named(&mut self, raw: &'a Raw) -> Result<Type> {
        let place = format!("line {}", raw.line);
        let found = match raw.of.class() {
            Some(class) if !self.classes.contains_key(class) => {
                return Err(wrong(&place, &format!("unknown type {class}")));
            }
            Some(class) => Some(self.class(class)?),
            None => None,
        };
        let resolved = raw.of.resolve::<String>(&mut |name| match &found {
            Some(object) => Ok(Type::Object(Arc::clone(object))),
            None => Err(format!("unknown type {name}")),
        });
        resolved.map_err(|why| wrong(&place, &why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTIONS: &str = r#"@dataclass
class FunctionDescription:
    """What a \"function\" does."""
    purpose: str  # What it is for.
    calls: List[str]
    weight: Optional[float]  # Left open if it's unknown.

@dataclass
class Memory:
    candidate_functions: Dict[str, FunctionDescription]  # By name.
    best: FunctionDescription
    done: bool
"#;

    fn why(text: &str) -> String {
        Schema::read(text).unwrap_err().what().to_string()
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        let schema = Schema::read(FUNCTIONS).unwrap();
        assert_eq!(schema.dataclass(), FUNCTIONS);
        assert_eq!(Schema::read(&schema.json().to_string()).unwrap(), schema);
    }

    #[test]
    fn python_as_it_is_written_is_read() {
        let text = r##"
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Person(object):  # someone
    '''
    Someone
    who is met.
    '''
    # How old.
    age: int | None = None
    name: "str" = "#1"   # In full.
    traits: list[str] = field(default_factory=list)
    """What they are like."""

class Memory:
    people: dict[str, "Person"]
"##;
        let expected = r#"@dataclass
class Person:
    """Someone who is met."""
    age: Optional[int]  # How old.
    name: str  # In full.
    traits: List[str]  # What they are like.

@dataclass
class Memory:
    people: Dict[str, Person]
"#;
        assert_eq!(Schema::read(text).unwrap().dataclass(), expected);
    }

    #[test]
    fn the_root_is_named_so_or_comes_last() {
        let root = |text: &str| Schema::read(text).unwrap().root().name.clone().unwrap();
        assert_eq!(root("class A:\n a: int\nclass B:\n b: int"), "B");
        assert_eq!(root("class Root:\n a: int\nclass B:\n b: int"), "Root");
        assert_eq!(root("class Memory:\n a: int\nclass B:\n b: Memory"), "B");
    }

    #[test]
    fn objects_without_names_are_named_after_their_fields() {
        let schema = Schema::read(r#"{"a_b":{"x":"int"},"list":{"type":"list","of":{"a_b":{"x":"str"}}}}"#).unwrap();
        let text = schema.dataclass();
        assert!(
            text.contains("a_b: AB\n") && text.contains("a_b: AB2\n") && text.contains("list: List[OfList]"),
            "{text}"
        );
        assert_eq!(Schema::read(&text).unwrap().dataclass(), text);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("class A:\n x: B", "line 2: unknown type B"),
            ("class A:\n x: int\n x: str", "line 3: field x is already defined in line 2"),
            ("class A:\n x: int\nclass A:\n y: int", "line 3: class A is already defined in line 1"),
            ("class A:\n x: List[A]", "line 1: class A contains itself"),
            ("class A:\n x: B\nclass B:\n y: A", "contains itself"),
            ("class A:\n x: int\nclass B(A):\n y: int", "line 3: fields that come from another class (A)"),
            ("class A:\n def f(self): pass", "line 2: \"def f(self)\" is not a valid"),
            ("class A:\n \"\"\"never", "line 2: a quote that never closes"),
            ("x: int", "line 1: a field outside"),
            ("class A:\n pass", "without fields"),
            ("class A", "line 1: a class begins with"),
            ("hello", "line 1: a field outside"),
            ("", "no class is in it"),
        ] {
            assert!(why(text).contains(expected), "{text}: {}", why(text));
        }
    }

    #[test]
    fn hostile_nesting_ends_early() {
        let chain = |n: usize| (0..n).map(|at| format!("class C{at}:\n x: C{}\n", at + 1)).collect::<String>();
        assert!(why(&(chain(10_000) + "class C10000:\n x: int\nclass Root:\n x: C0")).contains("16 levels"));
        let double = (0..14).map(|at| format!("class C{at}:\n x: C{0}\n y: C{0}\n", at + 1)).collect::<String>();
        assert!(why(&(double + "class C14:\n x: int\nclass Root:\n x: C0")).contains("1024 types"));
    }
}
