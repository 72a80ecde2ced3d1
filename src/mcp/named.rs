//! Resolves what an agent typed to a definition or value of the repository.

use super::tools::WHICH_FUNCTION;
use crate::engine::Engine;
use whichfn_search::answer::{DefinitionLocation, Named, Resolved, ResolvedName};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_from_text;

/// Maximum number of definitions listed for an ambiguous name.
const LISTED: usize = 10;

/// Returns the definition that an agent's text refers to or, if there is none, the value.
pub(super) fn subject(engine: &Engine, typed: &str) -> Result<Named> {
    match engine.resolve_named(typed) {
        ResolvedName::One(value @ Named::Value(_)) => Ok(value),
        ResolvedName::Many(all) if matches!(all[..], [Named::Value(_), ..]) => {
            let places = all.iter().map(|&one| engine.named_location(one)).collect::<Vec<_>>();
            let what = format!("`{typed}` matches {} values:{}", all.len(), listed(&places));
            Err(Error::new(Kind::Usage, what, "call it again with one of these locations"))
        }
        _ => definition(engine, typed).map(Named::Definition),
    }
}

/// Returns the single definition that an agent's text refers to.
pub(super) fn definition(engine: &Engine, typed: &str) -> Result<DefinitionId> {
    let (found, near) = match engine.resolve_name_or_id(typed) {
        Resolved::One(id) => (vec![id], Vec::new()),
        // An agent would not notice that the answer is about another function.
        Resolved::Corrected(id) => (Vec::new(), vec![id]),
        Resolved::Many(ids) if engine.are_variants(&ids) => (engine.longest(&ids).into_iter().collect(), Vec::new()),
        Resolved::Many(ids) => (ids, Vec::new()),
        Resolved::None { near } => (Vec::new(), near),
    };
    let places = |ids: &[DefinitionId]| ids.iter().map(|&id| engine.location(id)).collect::<Vec<_>>();
    match found[..] {
        [id] => Ok(id),
        [] if near.is_empty() => {
            let next = format!("use a name or location from {WHICH_FUNCTION}, which finds functions by what they do");
            Err(Error::new(Kind::Usage, missing(engine, typed), next))
        }
        [] => {
            let what = format!("{}; similar names:{}", missing(engine, typed), listed(&places(&near)));
            Err(Error::new(Kind::Usage, what, format!("use one of these locations, or call {WHICH_FUNCTION}")))
        }
        _ => {
            let what = format!("`{typed}` matches {} functions:{}", found.len(), listed(&places(&found)));
            Err(Error::new(Kind::Usage, what, "call it again with one of these locations"))
        }
    }
}

/// Describes what does not exist: a file, if the text is a path, or a function in the given file or
/// folder.
fn missing(engine: &Engine, typed: &str) -> String {
    let path = typed.split(':').next().unwrap_or(typed);
    let full_path = engine.root().join(path_from_text(path));
    match path.contains('/') || path == "." {
        true if full_path.is_dir() => format!("`{path}` is a folder"),
        true if !full_path.is_file() => format!("the repository has no file `{path}`"),
        _ => format!("the repository has no function `{typed}`"),
    }
}

fn listed(places: &[DefinitionLocation]) -> String {
    let one = |one: &DefinitionLocation| format!("\n  {}:{} {}", one.path, one.line, one.name);
    let more = places.len().saturating_sub(LISTED);
    let named: String = places.iter().take(LISTED).map(one).collect();
    if more > 0 { format!("{named}\n  and {more} more") } else { named }
}
