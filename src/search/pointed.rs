//! What a question points at by itself: a name or signature pasted into it, a line of a stack trace.
//!
//! Such a question is not ordered by what was learned from sentences: what it names comes first, then what its words find.
//!
//! Price: one look at the name of every definition, for such questions only

use super::question::{Question, QuestionForm};
use super::rank::{Adjustment, Hit};
use crate::ids::DefinitionId;
use crate::store::GraphFile;
use rustc_hash::FxHashMap;

/// A definition of the name, in best scores; one of the whole qualified name gets as much again.
const NAMED: f32 = 1.0;
/// The innermost definition around a place.
const PLACED: f32 = 2.0;

/// A place that a trace names: the end of a path, and a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// As written.
    pub path: String,
    /// From 1.
    pub line: u32,
}

/// The places of a stack trace: `File "a/b.py", line 3`, `src/a.rs:3:7`, `(File.java:3)`.
pub(super) fn places(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for line in text.lines() {
        if let Some((path, rest)) = line.split_once("File \"").and_then(|(_, rest)| rest.split_once("\", line "))
            && let Some(line) = leading_number(rest)
        {
            places.push(Place { path: path.to_owned(), line });
            continue;
        }
        for word in line.split(|c: char| c.is_whitespace() || "()[]\"'`,".contains(c)) {
            let mut parts = word.split(':');
            if let (Some(path), Some(Ok(line))) = (parts.next(), parts.next().map(str::parse::<u32>))
                && is_file_name(path)
            {
                places.push(Place { path: path.to_owned(), line });
            }
        }
    }
    places
}

fn leading_number(text: &str) -> Option<u32> {
    text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())].parse().ok()
}

/// A name with an ending of letters, such as `a/b.rs`.
fn is_file_name(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

/// The names of a pasted identifier or signature: `parse_date`, `Session.renew`, `fn decode(bytes: &[u8])`.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = text.trim();
    let head = text.split('(').next().unwrap_or(text).trim();
    let name = head.split_whitespace().next_back().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || "_.:#$".contains(c);
    let shaped = name.contains(['_', '.', '#']) || name.contains("::") || has_hump(name);
    let signature = text.contains('(') && text.find('(') == Some(head.len()) && head.split_whitespace().count() <= 4;
    let alone = !text.contains(char::is_whitespace);
    match !name.is_empty() && name.chars().all(is_name) && !name.ends_with(['.', ':']) && (signature || alone && shaped)
    {
        true => vec![name.replace("::", ".").replace('#', ".")],
        false => Vec::new(),
    }
}

/// `camelCase` or `TwoWords`.
fn has_hump(name: &str) -> bool {
    name.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
}

/// Lifts what the question points at, and adds it where no word found it.
pub(super) fn add(hits: &mut Vec<Hit>, graph: &GraphFile, question: &Question, members: &[bool]) {
    let lifts = match question.form {
        QuestionForm::Name => named(graph, &question.names, members),
        QuestionForm::Trace => placed(graph, &question.places, members),
        _ => return,
    };
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    let best = if best > 0.0 { best } else { 1.0 };
    let places: FxHashMap<u32, usize> = hits.iter().map(|hit| hit.definition.0).zip(0..).collect();
    for (id, name, lift) in lifts {
        let at = places.get(&id.0).copied().unwrap_or_else(|| {
            hits.push(Hit::new(id, graph.definition(id).file, 0.0, 0.0));
            hits.len() - 1
        });
        hits[at].score += lift * best;
        hits[at].adjustments.push(Adjustment { name, change: lift * best, environment: false });
    }
}

type Lift = (DefinitionId, &'static str, f32);

fn members_of<'a>(graph: &'a GraphFile, members: &'a [bool]) -> impl Iterator<Item = DefinitionId> + 'a {
    (0..graph.definitions().len()).filter(|&id| members[id]).map(DefinitionId::new)
}

fn named(graph: &GraphFile, names: &[String], members: &[bool]) -> Vec<Lift> {
    let mut lifts = Vec::new();
    for name in names {
        let last = name.rsplit('.').next().unwrap_or(name);
        for id in members_of(graph, members).filter(|&id| graph.name(id) == last) {
            let qualified = graph.qualified_name(id).replace("::", ".");
            let whole =
                qualified == *name || qualified.strip_suffix(name.as_str()).is_some_and(|front| front.ends_with('.'));
            lifts.push((id, "exact name", if whole && name.contains('.') { 2.0 * NAMED } else { NAMED }));
        }
    }
    lifts
}

fn placed(graph: &GraphFile, places: &[Place], members: &[bool]) -> Vec<Lift> {
    let mut lifts = Vec::new();
    for (number, place) in places.iter().enumerate() {
        let around = |id: &DefinitionId| {
            let row = graph.definition(*id);
            let path = graph.path(row.file);
            let same = path == place.path
                || place.path.strip_suffix(path).is_some_and(|front| front.ends_with('/'))
                || path.strip_suffix(place.path.as_str()).is_some_and(|front| front.ends_with('/'));
            same && (row.start_line..=row.end_line).contains(&place.line)
        };
        let lines = |id: &DefinitionId| graph.definition(*id).end_line - graph.definition(*id).start_line;
        if let Some(id) = members_of(graph, members).filter(around).min_by_key(|id| (lines(id), *id)) {
            // The first place of a trace comes first.
            lifts.push((id, "place in trace", PLACED / (1.0 + number as f32 / 10.0)));
        }
    }
    lifts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_of_many_languages_name_places() {
        let of = |text: &str| places(text).into_iter().map(|p| (p.path, p.line)).collect::<Vec<_>>();
        assert_eq!(of("  File \"app/views.py\", line 88, in login"), [("app/views.py".to_owned(), 88)]);
        assert_eq!(of("thread 'main' panicked at src/walk/read.rs:42:9:"), [("src/walk/read.rs".to_owned(), 42)]);
        assert_eq!(of("at com.a.Parser.next(Parser.java:120)"), [("Parser.java".to_owned(), 120)]);
        assert_eq!(of("where is the ratio 3:4 kept"), []);
    }

    #[test]
    fn pasted_names_and_signatures_are_names_and_sentences_are_not() {
        assert_eq!(names("Session.renew"), ["Session.renew"]);
        assert_eq!(names("parse_date"), ["parse_date"]);
        assert_eq!(names("pub fn decode(bytes: &[u8]) -> Option<Cow<str>>"), ["decode"]);
        assert_eq!(names("Type::method"), ["Type.method"]);
        for text in ["login", "parse a date", "which function closes the session (politely)", "e.g."] {
            assert!(names(text).is_empty(), "{text}");
        }
    }
}
