//! Prints code as written, for an edit: functions, types and values by name or location, ranges of
//! lines, and the outline of a file.

use super::candidates::names;
use super::excerpt::{Code, fitting_lines, left_out, with_notes};
use super::named::subject;
use super::seen::SeenCode;
use super::tools::{MOST_TOKENS, REQUESTED_TOKENS, tokens};
use crate::engine::{Engine, OutlineNode};
use crate::render::counted;
use whichfn_memory::count_tokens;
use whichfn_search::answer::{CallDirection, DefinitionLocation, Named};
use whichfn_system::error::{Error, Kind, Result};

/// What an agent wants to see.
enum Wanted {
    /// The functions and types of a file.
    Outline(String),
    /// The files of a folder.
    Files { folder: String, paths: Vec<String> },
    /// A range of lines of a file.
    Lines { path: String, first: u32, last: u32 },
    /// A definition or value.
    Named(Named),
}

/// Prints each of these in an equal share of the tokens that are left. Without a request, long functions
/// are shortened. Definitions that are printed in full count
/// as seen.
///
/// # Errors
/// Returns an error if none of them is in the repository. Otherwise, the answer contains the errors.
pub(super) fn shown(
    engine: &Engine,
    typed: &[Result<String>],
    requested: Option<usize>,
    seen: &mut SeenCode,
) -> Result<String> {
    if typed.is_empty() {
        return Err(Error::new(Kind::Usage, "`of` is empty", "pass names or locations of functions"));
    }
    let mut left = tokens(requested, REQUESTED_TOKENS)?;
    let (mut parts, mut errors, mut definitions) = (Vec::new(), Vec::new(), Vec::new());
    for (one, others) in typed.iter().zip((0..typed.len()).rev()) {
        let wanted = one.clone().and_then(|one| wanted(engine, &one));
        if let Ok(Wanted::Named(Named::Definition(id))) = wanted {
            definitions.push(id);
        }
        match wanted.and_then(|wanted| print(engine, wanted, (left / (others + 1), requested.is_none()), seen)) {
            Ok(text) => {
                left = left.saturating_sub(count_tokens(&text));
                parts.push(text);
            }
            Err(error) => errors.push(error),
        }
    }
    if parts.is_empty()
        && let Some(first) = errors.drain(..).next()
    {
        return Err(first);
    }
    parts.extend(errors.iter().map(|error| format!("{error}\n")));
    Ok(with_notes(parts.concat(), &engine.notices_of_calls(&definitions)))
}

fn wanted(engine: &Engine, typed: &str) -> Result<Wanted> {
    let typed = typed.trim();
    if let Some((path, range)) = typed.rsplit_once(':')
        && let Some((first, last)) = range.split_once('-')
        && let (Ok(first), Ok(last)) = (first.trim().parse(), last.trim().parse())
    {
        return Ok(Wanted::Lines { path: engine.file_path(path).unwrap_or(path).to_owned(), first, last });
    }
    if let Some(path) = engine.file_path(typed).filter(|_| typed.contains(['.', '/'])) {
        return Ok(Wanted::Outline(path.to_owned()));
    }
    match engine.files_below(typed) {
        paths if paths.is_empty() => subject(engine, typed).map(Wanted::Named),
        paths => Ok(Wanted::Files { folder: typed.to_owned(), paths }),
    }
}

fn print(engine: &Engine, wanted: Wanted, (tokens, shortens): (usize, bool), seen: &mut SeenCode) -> Result<String> {
    match wanted {
        Wanted::Outline(path) => Ok(outline(engine, &path, tokens)),
        Wanted::Files { folder, paths } => {
            let text = format!("{folder}: {}\n", counted(paths.len(), "file"));
            let count = fitting_lines(&paths, tokens.saturating_sub(count_tokens(&text)));
            let shown: String = paths[..count].iter().map(|path| format!("{path}\n")).collect();
            Ok(text + &shown + &and_more(paths.len() - count))
        }
        Wanted::Lines { path, first, last } => {
            let lines = engine.lines_of(&path, first, last);
            if lines.is_empty() {
                let what = format!("there are no lines {first}-{last} in {path}");
                let next = "pass the path of an indexed file, relative to the root, and lines that it has";
                return Err(Error::new(Kind::Usage, what, next));
            }
            Ok(cut(&path, first, &lines, tokens).0)
        }
        Wanted::Named(Named::Value(id)) => {
            let location = engine.named_location(Named::Value(id));
            Ok(cut(&location.path, location.start_line, &engine.source_of(&location), tokens).0)
        }
        Wanted::Named(Named::Definition(id)) => {
            let location = engine.location(id);
            let lines = engine.source_of(&location);
            let shortened = if shortens { shortened(engine, &location, &lines, tokens) } else { None };
            let first_lines = || cut(&location.path, location.start_line, &lines, tokens);
            let (mut text, is_whole) = shortened.map_or_else(first_lines, |text| (text, false));
            if is_whole {
                seen.add(engine.root(), &location.path, &lines);
            } else {
                text += &inside(engine, &location);
            }
            text += &names("calls", &engine.certain_calls(id, CallDirection::Callees), &location.path);
            text += &names("called by", &engine.certain_calls(id, CallDirection::Callers), &location.path);
            Ok(text)
        }
    }
}

/// Returns the lines of a long function that matter most; `None` if it is printed from its first line.
fn shortened(engine: &Engine, location: &DefinitionLocation, lines: &[String], tokens: usize) -> Option<String> {
    let code = Code { lines, first: location.start_line, head: location.line, deciding: &[] };
    let (text, count) = code.requested(&engine.line_roles(location), tokens)?;
    let place = format!("{}:{}-{}", location.path, location.start_line, location.end_line);
    if count == lines.len() {
        return None;
    }
    Some(format!("{place}\n[{count} of {} lines; show {place} prints all]\n{text}", lines.len()))
}

/// Returns the first lines that fit after a line with their place, and whether these are all.
fn cut(path: &str, first: u32, lines: &[String], tokens: usize) -> (String, bool) {
    if lines.is_empty() {
        return (format!("{path}: the file changed while it was being read: call again\n"), false);
    }
    let last = first + lines.len() as u32 - 1;
    let mut text = format!("{path}:{first}-{last}\n");
    let count = fitting_lines(lines, tokens.saturating_sub(count_tokens(&text)));
    text.extend(lines[..count].iter().map(|line| format!("{line}\n")));
    let is_whole = count == lines.len();
    if !is_whole {
        text += &left_out(first + count as u32, last);
    }
    (text, is_whole)
}

/// Returns a line for each definition of a file, indented under the definition around it.
fn outline(engine: &Engine, path: &str, tokens: usize) -> String {
    let title = format!("{path}\n");
    let mut lines = Vec::new();
    outline_lines(&engine.outline(path), "", &mut lines);
    let mut left = tokens.saturating_sub(count_tokens(&title));
    let fits = |line: &&String| {
        let cost = count_tokens(line);
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    };
    let fitting: Vec<&str> = lines.iter().take_while(fits).map(String::as_str).collect();
    title + &fitting.concat() + &and_more(lines.len() - fitting.len())
}

fn and_more(count: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!("[{} more; pass max_tokens, at most {MOST_TOKENS}]\n", counted(count, "line")),
    }
}

fn outline_lines(nodes: &[OutlineNode], indent: &str, lines: &mut Vec<String>) {
    for OutlineNode { location, below, .. } in nodes {
        let name = location.name.rsplit(['.', ':']).next().unwrap_or(&location.name);
        lines.push(format!("{indent}{}-{} {name}\n", location.start_line, location.end_line));
        outline_lines(below, &format!("{indent}  "), lines);
    }
}

/// Returns the names of the definitions inside a definition.
fn inside(engine: &Engine, location: &DefinitionLocation) -> String {
    let mut level = engine.outline(&location.path);
    while !level.is_empty() {
        if let Some(at) = level.iter().position(|node| node.location.definition == location.definition) {
            let below = level.swap_remove(at).below.into_iter().map(|node| node.location);
            return names("contains", &below.collect::<Vec<_>>(), &location.path);
        }
        level = level.into_iter().flat_map(|node| node.below).collect();
    }
    String::new()
}
