//! Answers questions about the graph around a function, with the lists of the verbs.

use super::excerpt::{fitting_lines, with_notes};
use super::further::with_its_type;
use super::named::{definition, subject};
use super::tools::{GraphInput, MOST_TOKENS};
use crate::engine::Engine;
use crate::render::counted;
use crate::typed::TypedPaths;
use crate::verbs::{Listing, Names, Reader, Registered, Request, Role, Row, Section, VERBS, short};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};
use whichfn_memory::count_tokens;
use whichfn_search::answer::Named;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// Maximum number of other definitions that are named after one that the same call may run.
const ALTERNATIVES: usize = 6;
/// Number of definitions that the same call may run whose own calls are listed.
const FOLLOWED: usize = 3;

/// Returns the answer about each of these in about `tokens` tokens. Lines that an earlier part of the
/// answer contains are not repeated.
///
/// # Errors
/// Returns an error if none of the names refers to exactly one definition. Otherwise, the answer
/// contains the errors.
pub(super) fn answer(engine: &Engine, input: &GraphInput, of: &[Result<String>], tokens: usize) -> Result<String> {
    let verb = VERBS.iter().find(|verb| verb.about.name == input.relation);
    let verb = verb.ok_or_else(|| wrong(format!("`{}` is not a relation", input.relation)))?;
    let (mut parts, mut errors, mut notices) = (Vec::new(), Vec::new(), Vec::new());
    let (mut left, mut seen) = (tokens, FxHashSet::default());
    for (number, one) in of.iter().enumerate() {
        match one.clone().and_then(|one| lists(engine, input, verb, &one)) {
            Ok(found) => {
                let text = part(&found, left / (of.len() - number), tokens, &mut seen);
                left = left.saturating_sub(count_tokens(&text));
                parts.push(text);
                notices.extend(found.into_iter().flat_map(|list| list.notices));
            }
            Err(error) => errors.push(error),
        }
    }
    if parts.is_empty() {
        let empty = || Error::new(Kind::Usage, "`of` is empty", "pass names or locations of functions");
        return Err(errors.into_iter().next().unwrap_or_else(empty));
    }
    parts.extend(errors.iter().map(|error| format!("{error}\n")));
    let mut named = FxHashSet::default();
    notices.retain(|notice: &String| named.insert(notice.clone()));
    Ok(with_notes(parts.concat(), &notices))
}

/// Returns the lists about one name in about `tokens` tokens, of `all` for the answer.
fn part(found: &[Listing], tokens: usize, all: usize, seen: &mut FxHashSet<String>) -> String {
    let lines: Vec<Line> = found.iter().flat_map(lines).collect();
    if lines.is_empty() {
        return found.iter().map(|list| format!("{}\n", list.nothing)).collect();
    }
    fitting(&without_repeated(lines, seen), tokens, all)
}

fn wrong(what: String) -> Error {
    Error::new(Kind::Usage, what, "correct the argument, and call it again")
}

/// Runs the verb, in each of its directions.
fn lists(engine: &Engine, input: &GraphInput, verb: &Registered, of: &str) -> Result<Vec<Listing>> {
    let (schema, paths) = (verb.schema(), TypedPaths::at(engine.root()));
    let no_tests = input.no_tests == Some(true);
    let filters = json!({"paths": input.paths, "languages": input.languages, "no_tests": no_tests});
    let mut fields: Map<String, Value> = filters.as_object().cloned().unwrap_or_default();
    // The first required argument is what the question is about, the second where a path leads.
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for (name, given) in required.zip([Some(of), input.to.as_deref()]) {
        let missing =
            || Error::new(Kind::Usage, "`path` needs `to`", "pass the function that the path leads to as `to`");
        let given = given.ok_or_else(missing)?;
        let is_list = schema["properties"][name]["type"] == "array";
        fields.insert(name.to_owned(), if is_list { json!([given]) } else { json!(given) });
    }
    // An agent asks for uses before a change, and would search for the name as well.
    if schema["properties"]["everywhere"].is_object() {
        fields.insert("everywhere".to_owned(), true.into());
    }
    if let Some(depth) = input.depth.filter(|_| schema["properties"]["depth"].is_object()) {
        fields.insert("depth".to_owned(), depth.into());
    }
    let max = input.limit.unwrap_or(verb.about.usual[3]);
    let names = AgentNames { engine };
    // An agent sees what is above a type before what is below it.
    let directions = schema["properties"]["direction"]["enum"].as_array().cloned();
    let mut found = Vec::new();
    for direction in directions.unwrap_or_else(|| vec![Value::Null]).into_iter().rev() {
        if !direction.is_null() {
            fields.insert("direction".to_owned(), direction);
        }
        let (verb, options) = verb.read(&fields).map_err(|cause| wrong(cause.to_string()))?;
        let (filter, unmatched) = options.filter(engine, paths, String::new())?;
        let request = Request { engine, names: &names, paths, filter: &filter, max, change: None, kind: None };
        let lists = verb.run(&request)?.into_iter();
        found.extend(lists.map(|list| Listing { notices: [list.notices, unmatched.clone()].concat(), ..list }));
    }
    Ok(found)
}

/// Resolves the names of an agent, which would not notice that the answer is about another function.
struct AgentNames<'a> {
    engine: &'a Engine,
}

impl Names for AgentNames<'_> {
    fn definitions(&self, typed: &str, role: Role, _: bool) -> Result<Vec<DefinitionId>> {
        let of = definition(self.engine, typed)?;
        Ok(match role {
            Role::Code | Role::MergedCode => self.engine.parts(&self.engine.variants_of(of)),
            _ => vec![of],
        })
    }

    fn named(&self, typed: &str, _: bool) -> Result<Vec<Named>> {
        subject(self.engine, typed).map(|named| vec![named])
    }
}

/// A line of an answer.
struct Line {
    text: String,
    /// The line with its full path and without indentation; `None` for a title or note.
    key: Option<String>,
}

impl Line {
    fn note(text: String) -> Self {
        Self { text, key: None }
    }
}

/// Replaces several lines in a row that were already printed with their number, and returns the text
/// of all lines.
fn without_repeated(lines: Vec<Line>, seen: &mut FxHashSet<String>) -> Vec<String> {
    let is_new: Vec<bool> =
        lines.iter().map(|line| line.key.as_ref().is_none_or(|key| seen.insert(key.clone()))).collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let run = is_new[at..].iter().take_while(|is_new| !**is_new).count();
        if run < 2 {
            kept.push(lines[at].text.clone());
            at += 1;
        } else {
            kept.push(format!("[{run} lines as above, to {}]", lines[at + run - 1].text.trim_start()));
            at += run;
        }
    }
    kept
}

/// Joins the lines that fit into `tokens` tokens, of `all` for the answer, and states how many are
/// left out and what prints them.
fn fitting(lines: &[String], tokens: usize, all: usize) -> String {
    let count = fitting_lines(lines, tokens);
    let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (shown, rest) = (text(&lines[..count]), text(&lines[count..]));
    if rest.is_empty() {
        return shown;
    }
    let needed = (all + count_tokens(&rest) + all / 10).div_ceil(100) * 100;
    let next = match needed {
        0..=MOST_TOKENS => format!("pass max_tokens {needed} for all"),
        _ => "restrict `paths`, or pass max_tokens 20000 for more".to_owned(),
    };
    format!("{shown}[{} more; {next}]\n", counted(lines.len() - count, "line"))
}

/// Returns the lines of a list.
fn lines(list: &Listing) -> Vec<Line> {
    let mut page = Page::default();
    for section in list.sections.iter().filter(|section| section.reader != Reader::User) {
        let Section { title, brief, rows, .. } = section;
        let title = if brief.is_empty() && !rows.is_empty() { title } else { brief };
        page.lines.extend(Some(title.clone()).filter(|title| !title.is_empty()).map(Line::note));
        page.add_rows(rows, "", 0);
        let all = rows.len() + section.left_out;
        let left_out = || format!("[the first {} of {all}; pass limit {all} for all]", rows.len());
        page.lines.extend((rows.len() < all).then(left_out).map(Line::note));
        page.lines.extend(section.brief_end.iter().cloned().map(Line::note));
    }
    if list.uses > 0 {
        page.lines.push(Line::note(format!("{}: list them with relation references", counted(list.uses, "other use"))));
    }
    if list.filtered > 0 {
        page.lines.push(Line::note(format!("[{} left out by the filters]", list.filtered)));
    }
    page.lines
}

/// The lines of a list in progress.
#[derive(Default)]
struct Page {
    lines: Vec<Line>,
    /// Places and names of the definitions that have a line.
    listed: FxHashSet<String>,
}

impl Page {
    /// Adds a line for each row, indented under the row above it; a path is not repeated. Rows that the
    /// same call may run share a line, and so do calls below others of what is listed above.
    fn add_rows(&mut self, rows: &[Row], path: &str, depth: usize) {
        let indent = "  ".repeat(depth);
        let (mut rest, mut again) = (rows, Vec::new());
        while let Some(row) = rest.first() {
            let count = 1 + rest[1..].iter().take_while(|row| row.is_alternative).count();
            let (same, after) = rest.split_at(count);
            rest = after;
            let is_listed = !self.listed.insert(format!("{} {}", place(row, ""), row.name));
            if let Some(call) = row.places.first().filter(|_| is_listed && depth > 0 && row.below.is_empty()) {
                again.push(format!("{}:{}", with_its_type(&row.name), call.line));
                continue;
            }
            let own_path = own_path(row);
            let name = if depth == 0 || row.name.contains(' ') { &row.name } else { with_its_type(&row.name) };
            let name = if name.is_empty() { String::new() } else { format!(" {name}") };
            let usual = || format!(" {} {}", row.notes, short(&row.text));
            let brief = if row.brief.is_empty() { usual() } else { row.brief.clone() };
            let end = format!("{name}{}{}", brief.trim_end(), alternatives(&same[1..], own_path));
            let text = format!("{indent}{}{end}", place(row, path));
            self.lines.push(Line { text, key: Some(format!("{}{end}", place(row, ""))) });
            let followed = if count > FOLLOWED { &same[..1] } else { same };
            followed.iter().for_each(|row| self.add_rows(&row.below, own_path, depth + 1));
            if row.left_out > 0 {
                self.lines.push(Line::note(format!("{indent}  [{} more]", row.left_out)));
            }
        }
        if !again.is_empty() {
            self.lines.push(Line::note(format!("{indent}(also {})", again.join(", "))));
        }
    }
}

fn own_path(row: &Row) -> &str {
    row.brief_at.as_ref().or(row.at.as_ref()).map_or("", |at| &at.path)
}

/// Returns the place of a row, without its path if it is `path`.
fn place(row: &Row, path: &str) -> String {
    let Some(at) = row.brief_at.as_ref().or(row.at.as_ref()) else { return String::new() };
    let lines = if row.brief_last > at.line { format!("{}-{}", at.line, row.brief_last) } else { at.line.to_string() };
    match (at.line, at.path == path) {
        (0, _) => at.path.clone(),
        (_, true) => lines,
        (_, false) => format!("{}:{lines}", at.path),
    }
}

/// Returns the places of further definitions that the same call may run.
fn alternatives(rows: &[Row], path: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let more =
        if rows.len() > ALTERNATIVES { format!(" and {} more", rows.len() - ALTERNATIVES) } else { String::new() };
    let places: Vec<String> = rows.iter().take(ALTERNATIVES).map(|row| place(row, path)).collect();
    format!(" [or {}{more}]", places.join(", "))
}
