//! Resolves the functions that a reader requests next: a function by name, the callers of a
//! function, or its callees.
//!
//! **Invariant:** returns only functions of files that the question is about, and the same request
//! returns the same functions. A function requested by name is returned again if it was shown
//! before; callers and callees are returned only if they were not.

use super::candidates::Candidates;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;

/// Maximum number of requests per reply, and of functions returned for them in total.
const MOST: usize = 6;

/// Context in which requests are resolved.
pub(super) struct WishReader<'w, 'a> {
    pub graph: &'a GraphFile,
    pub candidates: &'w Candidates<'a>,
    /// For each file, true if the question is about it.
    pub allowed: &'w [bool],
    /// Search rank of each function that the search found.
    pub ranks: &'w FxHashMap<DefinitionId, usize>,
}

/// Result of some requests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GrantedRequests {
    /// Functions, in the order of the requests.
    pub functions: Vec<DefinitionId>,
    /// Requests that match no function.
    pub unmet: Vec<String>,
}

impl WishReader<'_, '_> {
    /// Resolves some requests to up to [`MOST`] functions.
    pub fn grant(&self, wishes: &[String]) -> GrantedRequests {
        let mut granted = GrantedRequests::default();
        for wish in wishes.iter().take(MOST) {
            let found = self.functions(wish);
            if found.is_empty() {
                granted.unmet.push(wish.clone());
            }
            for id in found {
                if granted.functions.len() < MOST && !granted.functions.contains(&id) {
                    granted.functions.push(id);
                }
            }
        }
        granted
    }

    fn functions(&self, wish: &str) -> Vec<DefinitionId> {
        let wish = wish.trim();
        let of = |relation: &str| {
            let start = wish.get(..relation.len()).filter(|start| start.eq_ignore_ascii_case(relation))?;
            Some(wish[start.len()..].trim())
        };
        let graph = self.graph;
        let related: Vec<DefinitionId> = if let Some(name) = of("callers of ") {
            self.named(name).iter().flat_map(|&id| graph.callers(id).iter().copied()).collect()
        } else if let Some(name) = of("callees of ") {
            self.named(name).iter().flat_map(|&id| graph.calls(id).iter().map(|call| call.callee)).collect()
        } else {
            return self.in_order(self.named(wish));
        };
        let is_new = |id: &DefinitionId| self.candidates.key(*id).is_none();
        self.in_order(related).into_iter().filter(is_new).collect()
    }

    /// Resolves a key or a name as written in code. The part after the last separator is the
    /// function's own name; the parts before it must occur in its qualified name.
    fn named(&self, name: &str) -> Vec<DefinitionId> {
        let name = name.trim_matches(['`', '"', '\'', ' ']).trim_end_matches("()");
        if let Some(id) = self.candidates.find(name) {
            return vec![id];
        }
        let mut parts = name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '?' | '!' | '='));
        let own = parts.next_back().unwrap_or_default();
        let around: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let bears = |id: &DefinitionId| around.iter().all(|part| self.graph.qualified_name(*id).contains(part));
        let all = self.in_order(self.graph.named(own));
        let exact: Vec<DefinitionId> = all.iter().copied().filter(bears).collect();
        if exact.is_empty() { all } else { exact }
    }

    /// Sorts functions that the question is about: sources before tests, then by search rank, each
    /// once.
    fn in_order(&self, mut ids: Vec<DefinitionId>) -> Vec<DefinitionId> {
        ids.retain(|&id| {
            self.graph.traits(id).kind().is_function() && self.allowed[self.graph.definition(id).file.index()]
        });
        let rank = |id: DefinitionId| self.ranks.get(&id).copied().unwrap_or(usize::MAX);
        ids.sort_by_key(|&id| (self.graph.traits(id).is_test(), rank(id), id));
        ids.dedup();
        ids
    }
}
