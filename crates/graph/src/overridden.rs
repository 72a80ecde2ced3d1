//! The methods that a call on an object of unknown type names: of several methods with one name,
//! those that override no other. A reader of the graph adds the overrides.
//!
//! - **Cost:** one look-up for each base of the types around the methods.

use crate::budget::MAX_BY_NAME;
use crate::names::Names;
use rustc_hash::FxHashSet;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Symbol;

/// Maximum number of methods with one name among which the one that all others override is searched.
pub(crate) const MAX_NAMESAKES: usize = 64;

impl Names<'_> {
    /// Leaves out the definitions of a list that override another one.
    fn without_overrides(&self, mut found: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let name = |id: DefinitionId| self.definition(id).name;
        let by_type: FxHashSet<(DefinitionId, Symbol)> =
            found.iter().filter_map(|&id| Some((self.type_around(id)?, name(id)))).collect();
        let overrides = |id: DefinitionId| {
            let Some(own) = self.type_around(id) else { return false };
            self.mro(&own).iter().any(|&base| base != own && by_type.contains(&(base, name(id))))
        };
        found.retain(|&id| !overrides(id));
        found
    }

    /// Returns the method that all others of a list override. Returns none if there are more than
    /// [`MAX_NAMESAKES`].
    pub fn overridden_by_all(&self, found: Vec<DefinitionId>) -> Option<DefinitionId> {
        match (found.len() <= MAX_NAMESAKES).then(|| self.without_overrides(found))?[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the methods that a call names if its object may be of each of their types: those that
    /// override no other. If these are more than [`MAX_BY_NAME`], returns those of interfaces only,
    /// and none if these are more as well.
    pub fn common_methods(&self, found: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let mut common = self.without_overrides(found);
        if common.len() > MAX_BY_NAME {
            let kind = |id: DefinitionId| self.type_around(id).map(|of| self.kind(of));
            common.retain(|&id| matches!(kind(id), Some(DefinitionKind::Interface | DefinitionKind::Trait)));
        }
        if common.len() > MAX_BY_NAME { Vec::new() } else { common }
    }
}
