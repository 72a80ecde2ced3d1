//! Resolves a reader's requests for the functions to read next: a function by name, the callers of
//! a function, or its callees.
//!
//! **Invariant:** only functions in files that the question is about are returned, and the same
//! request returns the same functions. A function requested by name is returned again if it has
//! been shown before; callers and callees are returned only if they have not been shown.

use super::candidates::Candidates;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;

/// Maximum number of requests in a reply, and of functions returned for all of them.
const MOST: usize = 6;

/// Context in which requests are resolved.
pub(super) struct RequestResolver<'w, 'a> {
    pub graph: &'a GraphFile,
    pub candidates: &'w Candidates<'a>,
    /// True for each file that the question is about, indexed by file.
    pub allowed: &'w [bool],
    /// Rank of each function in the search results.
    pub ranks: &'w FxHashMap<DefinitionId, usize>,
}

/// Result of resolving a reader's requests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ResolvedRequests {
    /// Functions, in the order of the requests.
    pub functions: Vec<DefinitionId>,
    /// Requests that match no function.
    pub unmet: Vec<String>,
}

impl RequestResolver<'_, '_> {
    /// Resolves requests to at most [`MOST`] functions.
    pub fn resolve(&self, requests: &[String]) -> ResolvedRequests {
        let mut resolved = ResolvedRequests::default();
        for request in requests.iter().take(MOST) {
            let found = self.functions(request);
            if found.is_empty() {
                resolved.unmet.push(request.clone());
            }
            for id in found {
                if resolved.functions.len() < MOST && !resolved.functions.contains(&id) {
                    resolved.functions.push(id);
                }
            }
        }
        resolved
    }

    fn functions(&self, request: &str) -> Vec<DefinitionId> {
        let request = request.trim();
        let name_after = |relation: &str| {
            let start = request.get(..relation.len()).filter(|start| start.eq_ignore_ascii_case(relation))?;
            Some(request[start.len()..].trim())
        };
        let graph = self.graph;
        let related: Vec<DefinitionId> = if let Some(name) = name_after("callers of ") {
            self.named(name).iter().flat_map(|&id| graph.callers(id).iter().copied()).collect()
        } else if let Some(name) = name_after("callees of ") {
            self.named(name).iter().flat_map(|&id| graph.calls(id).iter().map(|call| call.callee)).collect()
        } else {
            return self.in_order(self.named(request));
        };
        let is_new = |id: &DefinitionId| self.candidates.key(*id).is_none();
        self.in_order(related).into_iter().filter(is_new).collect()
    }

    /// Resolves a key, or a name as written in code. The last part of a qualified name is the
    /// function's own name; the other parts must occur in its qualified name.
    fn named(&self, name: &str) -> Vec<DefinitionId> {
        let name = name.trim_matches(['`', '"', '\'', ' ']).trim_end_matches("()");
        if let Some(id) = self.candidates.find(name) {
            return vec![id];
        }
        let mut parts = name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '?' | '!' | '='));
        let own = parts.next_back().unwrap_or_default();
        let around: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let has_parts = |id: &DefinitionId| around.iter().all(|part| self.graph.qualified_name(*id).contains(part));
        let all = self.in_order(self.graph.named(own));
        let exact: Vec<DefinitionId> = all.iter().copied().filter(has_parts).collect();
        if exact.is_empty() { all } else { exact }
    }

    /// Sorts the functions that the question is about and removes duplicates. Tests come last, and
    /// functions are otherwise sorted by search rank.
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
