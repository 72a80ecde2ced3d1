//! Variables of one function that share their name, because several blocks declare it. They usually
//! contain objects of the same type, so a call of a member of one whose objects are unknown is
//! linked by name to the methods of the others.
//!
//! - **Cost:** one pass over a file's variables; for each unresolved call, the objects of at most
//!   [`MAX_NAMESAKES`] variables.

use crate::budget::MAX_BY_NAME;
use crate::file_facts::FileFacts;
use crate::points_to::{AbstractObject, PointsTo};
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId, VariableId};
use whichfn_syntax::parse::Symbol;

/// Maximum number of variables with one name that are considered.
const MAX_NAMESAKES: usize = 8;

/// The variables of a file, by scope and name.
pub(crate) struct Namesakes(FxHashMap<(LocalId, Symbol), Vec<VariableId>>);

impl Namesakes {
    pub fn new(facts: &FileFacts<'_>) -> Self {
        let mut all: FxHashMap<_, Vec<VariableId>> = FxHashMap::default();
        for (variable, scope, name) in facts.variables() {
            all.entry((scope, name)).or_default().push(variable);
        }
        all.retain(|_, variables| variables.len() > 1);
        Self(all)
    }

    /// Returns the methods with the given name of the objects that the namesakes of a variable
    /// contain. Returns none if there are more than [`MAX_BY_NAME`].
    pub fn methods(
        &self,
        points_to: &PointsTo<'_, '_>,
        file: FileId,
        variable: VariableId,
        name: Symbol,
    ) -> Vec<DefinitionId> {
        let names = points_to.names();
        let facts = names.facts(file);
        let key = (facts.variable_scope(variable), facts.variable_name(variable));
        let variables = self.0.get(&key).into_iter().flatten().take(MAX_NAMESAKES);
        let objects = variables.flat_map(|&other| points_to.objects(file, names.offsets(file).variable(other)));
        let method = |object| match object {
            AbstractObject::Instance(of_type) => names.bound(names.member_of_type(of_type, name)?),
            _ => None,
        };
        let mut found: Vec<DefinitionId> = objects.filter_map(method).collect();
        found.sort_unstable();
        found.dedup();
        if found.len() > MAX_BY_NAME { Vec::new() } else { found }
    }
}
