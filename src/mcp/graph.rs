//! Answers questions about the graph around a function, with the lists of the verbs.

use super::excerpt::{fitting_lines, with_notes};
use super::named::{definition, subject};
use super::tools::GraphInput;
use crate::engine::Engine;
use crate::render::counted;
use crate::typed::TypedPaths;
use crate::verbs::{Listing, Names, Reader, Registered, Request, Role, Row, Section, VERBS, short};
use serde_json::{Map, Value, json};
use whichfn_search::answer::Named;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// Returns the answer in about `tokens` tokens.
///
/// # Errors
/// Returns an error if a name does not refer to exactly one definition.
pub(super) fn answer(engine: &Engine, input: &GraphInput, tokens: usize) -> Result<String> {
    let verb = VERBS.iter().find(|verb| verb.about.name == input.relation);
    let verb = verb.ok_or_else(|| wrong(format!("`{}` is not a relation", input.relation)))?;
    let found = lists(engine, input, verb)?;
    let notices: Vec<String> = found.iter().flat_map(|list| list.notices.clone()).collect();
    let mut lines: Vec<String> = found.iter().flat_map(lines).collect();
    if lines.is_empty() {
        lines = found.into_iter().map(|list| list.nothing).collect();
    }
    Ok(with_notes(fitting(&lines, tokens), &notices))
}

fn wrong(what: String) -> Error {
    Error::new(Kind::Usage, what, "correct the argument, and call it again")
}

/// Runs the verb, in each of its directions.
fn lists(engine: &Engine, input: &GraphInput, verb: &Registered) -> Result<Vec<Listing>> {
    let (schema, paths) = (verb.schema(), TypedPaths::at(engine.root()));
    let no_tests = input.no_tests == Some(true);
    let filters = json!({"paths": input.paths, "languages": input.languages, "no_tests": no_tests});
    let mut fields: Map<String, Value> = filters.as_object().cloned().unwrap_or_default();
    // The first required argument is what the question is about, the second where a path leads.
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for (name, given) in required.zip([Some(&input.of), input.to.as_ref()]) {
        let missing =
            || Error::new(Kind::Usage, "`path` needs `to`", "pass the function that the path leads to as `to`");
        let given = given.ok_or_else(missing)?;
        let is_list = schema["properties"][name]["type"] == "array";
        fields.insert(name.to_owned(), if is_list { json!([given]) } else { json!(given) });
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

/// Joins the lines that fit, and states how many are left out.
fn fitting(lines: &[String], tokens: usize) -> String {
    let count = fitting_lines(lines, tokens);
    let text: String = lines[..count].iter().map(|line| format!("{line}\n")).collect();
    match lines.len() - count {
        0 => text,
        more => format!("{text}[{more} more lines; pass max_tokens for more]\n"),
    }
}

/// Returns the lines of a list.
fn lines(list: &Listing) -> Vec<String> {
    let mut lines = Vec::new();
    for section in list.sections.iter().filter(|section| section.reader != Reader::User) {
        let Section { title, brief, rows, .. } = section;
        let title = if brief.is_empty() && !rows.is_empty() { title } else { brief };
        lines.extend(Some(title.clone()).filter(|title| !title.is_empty()));
        add_rows(&mut lines, rows, "", 0);
        let all = rows.len() + section.left_out;
        lines.extend((rows.len() < all).then(|| format!("[the first {} of {all}]", rows.len())));
        lines.extend(section.brief_end.iter().cloned());
    }
    if list.uses > 0 {
        lines.push(format!("{}: list them with relation references", counted(list.uses, "other use")));
    }
    if list.filtered > 0 {
        lines.push(format!("[{} left out by the filters]", list.filtered));
    }
    lines
}

/// Adds a line for each row, indented under the row above it; a path is not repeated.
fn add_rows(lines: &mut Vec<String>, rows: &[Row], path: &str, depth: usize) {
    for row in rows {
        let at = row.brief_at.as_ref().or(row.at.as_ref());
        let place = at.map_or_else(String::new, |at| match (at.line, at.path == path) {
            (0, _) => at.path.clone(),
            (line, true) => line.to_string(),
            (line, false) => format!("{}:{line}", at.path),
        });
        let name = if row.name.is_empty() { String::new() } else { format!(" {}", row.name) };
        let usual = || format!(" {} {}", row.notes, short(&row.text));
        let brief = if row.brief.is_empty() { usual() } else { row.brief.clone() };
        lines.push(format!("{}{place}{name}{}", "  ".repeat(depth), brief.trim_end()));
        add_rows(lines, &row.below, at.map_or("", |at| &at.path), depth + 1);
    }
}
