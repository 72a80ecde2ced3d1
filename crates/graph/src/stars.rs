//! Star imports, includes and re-exports: finds names that a file takes from another file without
//! naming them.
//!
//! - **Invariant:** the modules that a file reaches through stars are searched depth first, in
//!   source order, each once. A module's own names are searched when it is entered; the items below
//!   it (modules inside it, names of its namespaces) when it is left. The first module that has the
//!   name wins.
//! - **Cost:** one walk over the modules and stars that a file reaches, on first use. After that, a
//!   look-up costs one search in that order for each module that has the name at all (few or none:
//!   most names belong to libraries).
//! - **Differs from the compilers:** if two stars provide one name, Rust and TypeScript report an
//!   error; here the first one wins.
//! - **Alternatives:** one table for each cycle of stars (strongly connected component), but the
//!   first module depends on where the search begins, even inside a cycle. petgraph's walks with
//!   enter and leave events are recursive, and a chain of 100,000 files would overflow the stack.

use super::budget::StepBudget;
use super::modules::ImportTarget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use whichfn_syntax::ids::{DirectoryId, FileId, IdVec};
use whichfn_syntax::parse::Symbol;

/// Maximum number of visits in all cached orders together; a visit takes 16 bytes.
const MAX_CACHED_VISITS: usize = 1 << 22;

/// Times at which a walk enters and leaves a module, in steps of one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    pub entered: u32,
    pub left: u32,
}

/// The modules that a file reaches through stars, sorted by number, each with its visit in the
/// walk.
#[derive(Default)]
pub(super) struct SearchOrder(pub Vec<(ImportTarget, Visit)>);

impl SearchOrder {
    pub fn visit(&self, module: ImportTarget) -> Option<Visit> {
        let at = self.0.binary_search_by_key(&module, |&(known, _)| known).ok()?;
        Some(self.0[at].1)
    }
}

/// The star imports of all files.
#[derive(Default)]
pub(super) struct Stars {
    /// The modules that each file imports all names of, in source order; never the file itself.
    imports: IdVec<FileId, Vec<ImportTarget>>,
    /// Those of the imports that other files share, for files whose other imports they do not see.
    shared: FxHashMap<FileId, Vec<ImportTarget>>,
    /// Every module that some file imports all names of.
    targets: FxHashSet<ImportTarget>,
    /// The modules of `targets` whose inner modules are located in a directory.
    homes: FxHashMap<DirectoryId, Vec<ImportTarget>>,
    /// The directories of `homes` that contain a file or directory of a given name.
    directories: FxHashMap<Symbol, Vec<DirectoryId>>,
    /// The modules of `targets` that have a name at their top level, as a linked list for each
    /// name: the index of the first and of the last entry.
    binders: FxHashMap<Symbol, [u32; 2]>,
    /// The entries of all lists, each with the index of the next one; its own index at the end.
    binder_entries: Vec<(ImportTarget, u32)>,
    cache: RefCell<CachedOrders>,
}

/// Cached orders, and the number of visits in all of them.
#[derive(Default)]
struct CachedOrders {
    orders: FxHashMap<FileId, Rc<SearchOrder>>,
    visits: usize,
}

impl Stars {
    /// Creates the table from the star imports of each file, in source order.
    pub fn new(mut imports: IdVec<FileId, Vec<ImportTarget>>, shared: FxHashMap<FileId, Vec<ImportTarget>>) -> Self {
        for file in imports.ids() {
            imports[file].retain(|&module| module != ImportTarget::File(file));
        }
        let targets = imports.as_slice().iter().flatten().copied().collect();
        Self { imports, shared, targets, ..Self::default() }
    }

    /// Returns the modules that some file imports all names of, sorted by number.
    pub fn targets(&self) -> Vec<ImportTarget> {
        let mut targets: Vec<ImportTarget> = self.targets.iter().copied().collect();
        targets.sort_unstable();
        targets
    }

    /// Records that the inner modules of a module are located in the directory `home`.
    pub fn note_home(&mut self, module: ImportTarget, home: DirectoryId) {
        self.homes.entry(home).or_default().push(module);
    }

    /// Records that a directory contains a file or directory of the given name. All homes must be
    /// recorded first.
    pub fn note_child(&mut self, directory: DirectoryId, name: Symbol) {
        if self.homes.contains_key(&directory) {
            self.directories.entry(name).or_default().push(directory);
        }
    }

    /// Records that a module has a name at its top level.
    pub fn note_binder(&mut self, module: ImportTarget, name: Symbol) {
        if !self.targets.contains(&module) {
            return;
        }
        let entries = &mut self.binder_entries;
        let new = entries.len() as u32;
        let [_, last] = self.binders.entry(name).or_insert([new; 2]);
        if *last == new {
            entries.push((module, new));
        } else if entries[*last as usize].0 != module {
            entries[*last as usize].1 = new;
            entries.push((module, new));
            *last = new;
        }
    }

    /// Iterates over the modules that may have a member of the given name and that some file
    /// imports all names of. A module may occur more than once.
    pub fn modules_binding(&self, name: Symbol) -> impl Iterator<Item = ImportTarget> + '_ {
        let next = |&at: &u32| Some(self.binder_entries[at as usize].1).filter(|&next| next != at);
        let binders = std::iter::successors(self.binders.get(&name).map(|&[first, _]| first), next);
        let binders = binders.map(|at| &self.binder_entries[at as usize].0);
        let directories = self.directories.get(&name).into_iter().flatten();
        let homes = directories.flat_map(|directory| self.homes.get(directory).into_iter().flatten());
        binders.chain(homes).copied()
    }

    /// Checks whether a file has star imports.
    pub fn any(&self, file: FileId) -> bool {
        !self.imports[file].is_empty()
    }

    /// Returns the order in which the modules behind a file's stars are searched; `None` if the
    /// budget is spent.
    pub fn order(&self, file: FileId, budget: &StepBudget) -> Option<Rc<SearchOrder>> {
        if let Some(known) = self.cache.borrow().orders.get(&file) {
            return Some(known.clone());
        }
        let order = Rc::new(self.walk(file, budget)?);
        let mut cache = self.cache.borrow_mut();
        if cache.visits + order.0.len() > MAX_CACHED_VISITS {
            *cache = CachedOrders::default();
        }
        cache.visits += order.0.len();
        cache.orders.insert(file, order.clone());
        Some(order)
    }

    /// Walks the stars from a file. The file itself is part of the walk only if a star leads back
    /// to it.
    fn walk(&self, from: FileId, budget: &StepBudget) -> Option<SearchOrder> {
        let mut visits: FxHashMap<ImportTarget, Visit> = FxHashMap::default();
        let mut clock = 0;
        // The modules that the walk is currently inside, each with its remaining stars.
        let mut inside: Vec<(Option<ImportTarget>, std::slice::Iter<'_, ImportTarget>)> =
            vec![(None, self.imports[from].iter())];
        while let Some((module, stars)) = inside.last_mut() {
            clock += 1;
            let Some(&next) = stars.next() else {
                if let Some(visit) = module.and_then(|module| visits.get_mut(&module)) {
                    visit.left = clock;
                }
                inside.pop();
                continue;
            };
            if let std::collections::hash_map::Entry::Vacant(place) = visits.entry(next) {
                place.insert(Visit { entered: clock, left: u32::MAX });
                let stars = match next {
                    ImportTarget::File(file) => self.shared.get(&file).unwrap_or(&self.imports[file]).iter(),
                    ImportTarget::Directory(_) | ImportTarget::Package(_) => [].iter(),
                };
                inside.push((Some(next), stars));
            }
            if !budget.take(1) {
                return None;
            }
        }
        let mut order: Vec<(ImportTarget, Visit)> = visits.into_iter().collect();
        order.sort_unstable_by_key(|&(module, _)| module);
        Some(SearchOrder(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Records the modules in the order in which a walk enters and leaves them: plain recursion
    /// over a list of the modules seen.
    fn slow_walk(stars: &[Vec<usize>], module: usize, seen: &mut Vec<usize>, events: &mut Vec<(usize, bool)>) {
        for &next in stars[module].iter().filter(|&&next| next != module) {
            if !seen.contains(&next) {
                seen.push(next);
                events.push((next, true));
                slow_walk(stars, next, seen, events);
                events.push((next, false));
            }
        }
    }

    fn events(order: &SearchOrder) -> Vec<(usize, bool)> {
        let mut events: Vec<(u32, usize, bool)> = Vec::new();
        for &(module, visit) in &order.0 {
            let ImportTarget::File(file) = module else { continue };
            events.push((visit.entered, file.index(), true));
            events.push((visit.left, file.index(), false));
        }
        events.sort_unstable();
        events.into_iter().map(|(_, file, enters)| (file, enters)).collect()
    }

    fn stars(imports: &[Vec<usize>]) -> Stars {
        let targets = |list: &Vec<usize>| list.iter().map(|&file| ImportTarget::File(FileId::new(file))).collect();
        Stars::new(imports.iter().map(targets).collect(), FxHashMap::default())
    }

    proptest! {
        #[test]
        fn walk_matches_recursive_reference(
            imports in proptest::collection::vec(proptest::collection::vec(0usize..8, 0..5), 8),
        ) {
            let (stars, budget) = (stars(&imports), StepBudget::new(0));
            for file in 0..imports.len() {
                let mut slow = Vec::new();
                slow_walk(&imports, file, &mut Vec::new(), &mut slow);
                let order = stars.order(FileId::new(file), &budget);
                prop_assert_eq!(order.map(|order| events(&order)), Some(slow));
            }
        }
    }

    #[test]
    fn long_import_chain_does_not_overflow_the_stack() {
        let chain: Vec<Vec<usize>> = (0..100_000).map(|at| vec![(at + 1) % 100_000]).collect();
        let order = stars(&chain).order(FileId::new(0), &StepBudget::new(0));
        assert_eq!(order.map(|order| order.0.len()), Some(100_000));
    }
}
