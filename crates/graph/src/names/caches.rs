//! Look-ups that a large program repeats: each line of a Ruby test names a module that hundreds of
//! files open, or calls a method of a type with a hundred bases.
//!
//! - **Invariant:** the caches are empty after a change of the tables of names.
//! - **Cost:** a repeated look-up takes no step of the budget.

use super::{Entity, Names};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::hash::Hash;
use whichfn_syntax::ids::{DefinitionId, FileId, PointerId};
use whichfn_syntax::parse::Symbol;

/// Number of bases up to which a look-up of a member is faster than the cache.
const FEW_BASES: usize = 8;

/// Results of look-ups.
#[derive(Default)]
pub(super) struct Caches {
    /// Meanings of names through star imports.
    starred: Cache<(FileId, Symbol), Entity>,
    /// Members of types with more than [`FEW_BASES`] bases.
    inherited: Cache<(DefinitionId, Symbol), PointerId>,
}

pub(super) type Cache<K, V> = RefCell<FxHashMap<K, Option<V>>>;

/// Returns the value for a key from a cache, or finds and caches it.
pub(super) fn cached<K: Hash + Eq, V: Copy>(
    cache: Option<&Cache<K, V>>,
    key: K,
    find: impl FnOnce() -> Option<V>,
) -> Option<V> {
    let Some(cache) = cache else { return find() };
    let known = cache.borrow().get(&key).copied();
    known.unwrap_or_else(|| {
        let found = find();
        cache.borrow_mut().insert(key, found);
        found
    })
}

impl Names<'_> {
    /// Empties the caches, and uses them from now on.
    pub fn start_caches(&mut self) {
        self.caches = Some(Caches::default());
    }

    /// Returns the meaning of a name that a file has through a star import.
    pub(super) fn star(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let cache = self.caches.as_ref().map(|caches| &caches.starred);
        self.may_have_star(file, name).then(|| cached(cache, (file, name), || self.find_star(file, name)))?
    }

    /// Returns the first member with the given name in a type or its bases.
    pub fn member_of_type(&self, id: DefinitionId, name: Symbol) -> Option<PointerId> {
        let own = |&of_type: &DefinitionId| self.members.get(&(of_type, name)).copied();
        let Some(order) = self.mro.get(&id) else { return own(&id) };
        let cache = self.caches.as_ref().filter(|_| order.len() > FEW_BASES).map(|caches| &caches.inherited);
        cached(cache, (id, name), || order.iter().take_while(|_| self.budget.take(1)).find_map(own))
    }
}
