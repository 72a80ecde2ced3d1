//! Method resolution order: the order in which a type and its bases are searched for a member.

use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::DefinitionId;

/// Maximum depth of a chain of bases, and maximum number of visits for one order. Cyclic bases are
/// an error in every language; the limits only keep the search finite.
const MAX_DEPTH: usize = 12;
const LONGEST: usize = 256;

/// Returns the method resolution order of a type: the type itself, then its bases depth first, each
/// after all types that derive from it. `bases` contains the direct bases of each type that has
/// any.
pub(super) fn linearize(id: DefinitionId, bases: &FxHashMap<DefinitionId, Vec<DefinitionId>>) -> Box<[DefinitionId]> {
    let mut visits = Vec::new();
    visit(id, bases, &mut visits, 0);
    // The last occurrence of a type is the one after all types that derive from it.
    let mut seen = FxHashSet::default();
    let mut order: Vec<DefinitionId> = visits.into_iter().rev().filter(|&id| seen.insert(id)).collect();
    order.reverse();
    order.into()
}

fn visit(
    id: DefinitionId,
    bases: &FxHashMap<DefinitionId, Vec<DefinitionId>>,
    visits: &mut Vec<DefinitionId>,
    depth: usize,
) {
    if depth > MAX_DEPTH || visits.len() > LONGEST {
        return;
    }
    visits.push(id);
    for &base in bases.get(&id).into_iter().flatten() {
        visit(base, bases, visits, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(bases: &[(u32, &[u32])]) -> Vec<u32> {
        let ids = |list: &[u32]| list.iter().map(|&id| DefinitionId(id)).collect();
        let bases = bases.iter().map(|&(id, bases)| (DefinitionId(id), ids(bases))).collect();
        linearize(DefinitionId(1), &bases).iter().map(|id| id.0).collect()
    }

    #[test]
    fn bases_come_after_derived_types() {
        assert_eq!(order(&[]), [1]);
        assert_eq!(order(&[(1, &[2, 3]), (2, &[4]), (3, &[4])]), [1, 2, 3, 4], "a diamond");
    }

    #[test]
    fn cyclic_bases_terminate() {
        assert_eq!(order(&[(1, &[2]), (2, &[1])]).len(), 2);
    }
}
