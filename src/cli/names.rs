//! What a name in a command refers to, with notices about the choice.

use super::ui::Ui;
use super::{output, resolve};
use crate::engine::Engine;
use crate::typed::TypedPaths;
use crate::verbs::{Names, Role};
use whichfn_search::answer::{Named, Resolved};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Resolves the names in a command.
pub(super) struct TerminalNames<'a> {
    pub engine: &'a Engine,
    pub paths: TypedPaths<'a>,
    pub ui: Ui,
}

impl Names for TerminalNames<'_> {
    fn definitions(&self, typed: &str, role: Role, all: bool) -> Result<Vec<DefinitionId>> {
        let (engine, name) = (self.engine, &self.paths.name(typed)?);
        match role {
            Role::Called | Role::End | Role::Avoided => resolve::definitions(engine, name, all),
            Role::Single => Ok(resolve::definition(engine, name)?.into_iter().collect()),
            Role::Type => Ok(type_or_method(engine, name)?.into_iter().collect()),
            Role::Code | Role::MergedCode => {
                let values = engine.values_named(name);
                if !values.is_empty() {
                    return resolve::users(engine, name, &values, all);
                }
                let merges = role == Role::MergedCode && !all;
                let merged = if merges { resolve::merged(engine, name, self.ui) } else { None };
                Ok(engine.parts(&merged.map_or_else(|| resolve::definitions(engine, name, all), Ok)?))
            }
        }
    }

    fn named(&self, typed: &str, all: bool) -> Result<Vec<Named>> {
        resolve::named(self.engine, &self.paths.name(typed)?, all)
    }
}

/// Returns the definition that a name refers to: the type, if functions share its name. Uses the
/// first of several variants.
fn type_or_method(engine: &Engine, name: &str) -> Result<Option<DefinitionId>> {
    let Resolved::Many(all) = engine.resolve(name) else { return resolve::definition(engine, name) };
    let types: Vec<_> = all.iter().copied().filter(|&id| engine.is_type(id)).collect();
    let meant = if types.is_empty() { all } else { types };
    match meant[..] {
        [one] => Ok(Some(one)),
        [first, ..] if engine.are_variants(&meant) => {
            let place = engine.location(first);
            output::notice(&format!("{name} has {} variants; using {}:{}", meant.len(), place.path, place.line));
            Ok(Some(first))
        }
        _ => resolve::definition(engine, name),
    }
}
