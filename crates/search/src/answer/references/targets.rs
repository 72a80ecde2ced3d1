//! The uses of several targets with one name, found together: each occurrence of the name is
//! resolved once.
//!
//! **Invariant:** the uses of each target are the same as if it were the only one.
//!
//! **Cost:** linear in the number of occurrences and of targets. An occurrence is compared only
//! with the targets that it refers to. What it means for all other targets depends only on their
//! properties ([`Target::class`]), so it is decided once for all targets of a class.

use super::file_uses::{FileUses, Occurrence};
use super::target::{Namesake, Target, definition};
use super::{Certainty, Use, UseKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use whichfn_graph::Referent;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};

/// Targets with one name in languages that are linked together.
pub(super) struct Targets<'t> {
    pub all: Vec<&'t Target>,
    /// Classes of targets, each with a target that nothing refers to.
    classes: Vec<Target>,
    /// The class of each target.
    class_of: Vec<usize>,
    /// The targets that are, or override, a definition.
    by_definition: FxHashMap<DefinitionId, Vec<usize>>,
    /// The targets in a definition.
    by_place: FxHashMap<(FileId, LocalId), Vec<usize>>,
    /// True if the only target is the only thing with its name.
    pub is_only: bool,
}

/// A use of a target, by its number in [`FoundUses::uses`].
type Numbered = (usize, Certainty);

/// The uses of [`Targets`], in the order of the files.
pub(super) struct FoundUses {
    uses: Vec<(FileId, Use)>,
    /// The places compared with each target, by number; `None` for a place that is no use of it.
    own: Vec<Vec<(usize, Option<Certainty>)>>,
    /// The uses of all targets of a class.
    shared: Vec<Vec<Numbered>>,
}

impl<'t> Targets<'t> {
    pub fn new(all: Vec<&'t Target>) -> Self {
        let (mut classes, mut class_of): (Vec<Target>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut by_definition: FxHashMap<DefinitionId, Vec<usize>> = FxHashMap::default();
        let mut by_place: FxHashMap<(FileId, LocalId), Vec<usize>> = FxHashMap::default();
        for (number, target) in all.iter().enumerate() {
            let known = classes.iter().position(|class| class.class() == target.class());
            class_of.push(known.unwrap_or_else(|| {
                classes.push(target.of_nothing());
                classes.len() - 1
            }));
            target.related().for_each(|id| by_definition.entry(id).or_default().push(number));
            by_place.entry(target.place()).or_default().push(number);
        }
        Self { all, classes, class_of, by_definition, by_place, is_only: false }
    }

    /// Records all things with the name.
    pub fn set_namesakes(&mut self, namesakes: &[Namesake]) {
        self.is_only = self.all.len() == 1 && namesakes.iter().all(|one| self.all[0].is_namesake(one));
    }

    /// Returns no uses yet.
    pub fn nothing_found(&self) -> FoundUses {
        let own = self.all.iter().map(|_| Vec::new()).collect();
        FoundUses { uses: Vec::new(), own, shared: self.classes.iter().map(|_| Vec::new()).collect() }
    }

    /// Adds the uses in a file. `at` describes a use at an offset.
    pub fn add(
        &self,
        graph: &GraphFile,
        (file, uses): (FileId, &FileUses<'_>),
        at: impl Fn(usize, UseKind, &str) -> Use,
        found: &mut FoundUses,
    ) {
        let Some(first) = self.all.first() else { return };
        for one in uses.occurrences(first) {
            let candidates = self.candidates(graph, uses, &one);
            // With a single target, or variants of it, every target is compared.
            let shared: Vec<Option<Certainty>> = match candidates.len() == self.all.len() {
                true => self.classes.iter().map(|_| None).collect(),
                false => self.classes.iter().map(|class| uses.certainty(class, &one, false)).collect(),
            };
            let own: Vec<(usize, Option<Certainty>)> = candidates
                .iter()
                .map(|&number| (number, uses.certainty(self.all[number], &one, self.is_only)))
                .collect();
            if own.iter().any(|(_, certainty)| certainty.is_some()) || shared.iter().any(Option::is_some) {
                let number = found.push(file, at(one.offset, one.kind, &first.name));
                own.into_iter().for_each(|(target, certainty)| found.own[target].push((number, certainty)));
                found.share(number, shared);
            }
        }
        let with_element = self.all.iter().find(|target| target.element.is_some());
        for (offset, callee) in with_element.into_iter().flat_map(|target| uses.elements(target)) {
            let element = with_element.and_then(|target| target.element.as_deref()).unwrap_or_default();
            let numbers = self.by_definition.get(&callee).map_or(&[][..], Vec::as_slice);
            let meant: Vec<usize> =
                numbers.iter().copied().filter(|&number| self.all[number].definitions.contains(&callee)).collect();
            if !meant.is_empty() {
                let number = found.push(file, at(offset, UseKind::Call, element));
                meant.into_iter().for_each(|target| found.own[target].push((number, Some(Certainty::Certain))));
            }
        }
    }

    /// Returns the targets that a place may refer to.
    fn candidates(&self, graph: &GraphFile, uses: &FileUses<'_>, one: &Occurrence) -> BTreeSet<usize> {
        if self.all.len() == 1 || uses.has_variants() {
            return (0..self.all.len()).collect();
        }
        let of_definition = |id| self.by_definition.get(&id).into_iter().flatten();
        let of_referent = |referent: &Referent| match *referent {
            Referent::Definition(file, local) => self.by_definition.get(&definition(graph, file, local)),
            Referent::Value(file, parent, _) => self.by_place.get(&(file, parent)),
            Referent::Other => None,
        };
        let called = uses.callees(one).flat_map(of_definition);
        called.chain(one.referents().iter().filter_map(of_referent).flatten()).copied().collect()
    }
}

impl FoundUses {
    fn push(&mut self, file: FileId, one: Use) -> usize {
        self.uses.push((file, one));
        self.uses.len() - 1
    }

    fn share(&mut self, number: usize, certainties: Vec<Option<Certainty>>) {
        for (shared, certainty) in self.shared.iter_mut().zip(certainties) {
            shared.extend(certainty.map(|certainty| (number, certainty)));
        }
    }

    /// Returns the file, line and column of all uses.
    pub fn places(&self) -> FxHashSet<(FileId, u32, u32)> {
        self.uses.iter().map(|(file, one)| (*file, one.place.line, one.place.byte)).collect()
    }

    /// Adds a use of all targets.
    pub fn push_for_all(&mut self, file: FileId, one: Use, certainty: Certainty) {
        let number = self.push(file, one);
        self.share(number, vec![Some(certainty); self.shared.len()]);
    }

    /// Sorts and counts the uses that targets share.
    pub fn counted(self, accepts: impl Fn(FileId, &Use) -> bool) -> CountedUses {
        let Self { uses, own, shared } = self;
        let accepted: Vec<bool> = uses.iter().map(|(file, one)| accepts(*file, one)).collect();
        let shared = shared.into_iter().map(|all| {
            let by_number = all.iter().copied().collect();
            let (mut sorted, mut counts) = (all, UseCounts::default());
            sorted.iter().for_each(|&(number, certainty)| *counts.of(certainty, accepted[number]) += 1);
            sorted.retain(|&(number, _)| accepted[number]);
            sorted.sort_by_cached_key(|&one| key(&uses, one));
            SharedUses { sorted, by_number, counts }
        });
        CountedUses { shared: shared.collect(), uses, own, accepted }
    }
}

/// Numbers of uses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct UseCounts {
    /// Numbers of certain uses, of possible uses, and of uses by name only.
    pub by_group: [usize; 3],
    /// Number of uses that the filter does not accept.
    pub filtered: usize,
}

impl UseCounts {
    fn of(&mut self, certainty: Certainty, is_accepted: bool) -> &mut usize {
        if is_accepted { &mut self.by_group[group(certainty)] } else { &mut self.filtered }
    }
}

/// The uses that all targets of a class share.
struct SharedUses {
    /// The accepted uses.
    sorted: Vec<Numbered>,
    by_number: FxHashMap<usize, Certainty>,
    counts: UseCounts,
}

/// The uses of [`Targets`], ready to be listed.
pub(super) struct CountedUses {
    uses: Vec<(FileId, Use)>,
    own: Vec<Vec<(usize, Option<Certainty>)>>,
    /// Whether the filter accepts each use.
    accepted: Vec<bool>,
    shared: Vec<SharedUses>,
}

impl CountedUses {
    /// Returns the first `max` uses of a target, and the numbers of all its uses.
    pub fn of(&self, targets: &Targets<'_>, number: usize, max: usize) -> (Vec<(&Use, Certainty)>, UseCounts) {
        let (shared, own) = (&self.shared[targets.class_of[number]], &self.own[number]);
        let (mut counts, mut first) = (shared.counts, Vec::new());
        for &(one, certainty) in own {
            if let Some(&shared) = shared.by_number.get(&one) {
                *counts.of(shared, self.accepted[one]) -= 1;
            }
            if let Some(certainty) = certainty {
                *counts.of(certainty, self.accepted[one]) += 1;
                first.extend(self.accepted[one].then_some((one, certainty)));
            }
        }
        let decided: FxHashSet<usize> = own.iter().map(|(one, _)| *one).collect();
        first.extend(shared.sorted.iter().filter(|(one, _)| !decided.contains(one)).take(max));
        first.sort_by_cached_key(|&one| key(&self.uses, one));
        (first.into_iter().take(max).map(|(one, certainty)| (&self.uses[one].1, certainty)).collect(), counts)
    }
}

/// Returns the sort key of a use: certain uses first, then the possible ones; tests last.
fn key(uses: &[(FileId, Use)], (number, certainty): Numbered) -> impl Ord + use<> {
    let (file, one) = &uses[number];
    (group(certainty), one.is_test, *file, one.place.line, Reverse(one.kind), one.place.byte)
}

fn group(certainty: Certainty) -> usize {
    match certainty {
        Certainty::Certain => 0,
        Certainty::Possible(_) => 1,
        Certainty::ByName => 2,
    }
}
