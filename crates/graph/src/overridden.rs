//! The methods that a call on an object of unknown type names: of several methods with one name,
//! those that override no other. A reader of the graph adds the overrides.
//!
//! - **Cost:** one look-up for each base of the types around the methods.

use crate::link::MAX_BY_NAME;
use crate::names::Names;
use rustc_hash::FxHashSet;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Symbol;

impl Names<'_> {
    /// Returns the definitions of a list that override no other one. If more than [`MAX_BY_NAME`]
    /// remain, returns those of interfaces only, and none if these are more as well, because the
    /// name then identifies nothing.
    pub fn overridden(&self, mut found: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let name = |id: DefinitionId| self.definition(id).name;
        let by_type: FxHashSet<(DefinitionId, Symbol)> =
            found.iter().filter_map(|&id| Some((self.type_around(id)?, name(id)))).collect();
        let overrides = |id: DefinitionId| {
            let Some(own) = self.type_around(id) else { return false };
            self.mro(&own).iter().any(|&base| base != own && by_type.contains(&(base, name(id))))
        };
        found.retain(|&id| !overrides(id));
        if found.len() > MAX_BY_NAME {
            let is_of_interface = |id: &DefinitionId| {
                self.type_around(*id)
                    .is_some_and(|of| matches!(self.kind(of), DefinitionKind::Interface | DefinitionKind::Trait))
            };
            found.retain(is_of_interface);
        }
        if found.len() > MAX_BY_NAME { Vec::new() } else { found }
    }
}
