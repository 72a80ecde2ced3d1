//! Resolves a name to a single definition, or explains why that is not possible.

use super::output;
use crate::engine::Engine;
use whichfn_search::answer::Resolved;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// Maximum number of choices listed.
const CHOICES: usize = 10;

/// Returns the single definition that `name` refers to; if there is none, prints a notice and
/// returns `None`.
///
/// # Errors
/// Returns an error if the name refers to several definitions.
pub(super) fn definition(engine: &Engine, name: &str) -> Result<Option<DefinitionId>> {
    match engine.resolve(name) {
        Resolved::One(id) => Ok(Some(id)),
        Resolved::None { near } => {
            similar_names_notice(engine, name, &near);
            Ok(None)
        }
        Resolved::Many(all) => Err(ambiguous(engine, name, &all)),
    }
}

fn similar_names_notice(engine: &Engine, name: &str, near: &[DefinitionId]) {
    let lead = format!("no function, type or file is called {name}");
    if near.is_empty() {
        return output::notice(&format!("{lead}; to find a function by what it does: whichfn \"...\""));
    }
    output::notice(&format!("{lead}; similar names:"));
    near.iter().for_each(|&id| output::notice(&format!("  {}", choice(engine, id))));
}

fn ambiguous(engine: &Engine, name: &str, all: &[DefinitionId]) -> Error {
    all.iter().take(CHOICES).for_each(|&id| output::notice(&format!("  {}", choice(engine, id))));
    if all.len() > CHOICES {
        output::notice(&format!("  and {} more", all.len() - CHOICES));
    }
    let first = engine.location(all[0]);
    let next = format!("pass its location, such as {}:{}", first.path, first.line);
    Error::new(Kind::Usage, format!("{name} matches {} definitions", all.len()), next)
}

fn choice(engine: &Engine, id: DefinitionId) -> String {
    let location = engine.location(id);
    format!("{}:{}  {}", location.path, location.line, location.name)
}
