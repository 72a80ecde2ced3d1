//! An answer from which a model chooses: more candidates than a person would look at, each with its
//! most relevant lines.

use super::Engine;
use super::plan::{Plan, ReadAnswer, TextUse};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use whichfn_graph::CallReason;
use whichfn_index::store::GraphFile;
use whichfn_read::lookup::{FunctionReader, LineRole, Snippet, deciding_lines, line_roles};
use whichfn_search::answer::{
    Answer, Branch, CallDirection, CallLimits, Calls, DefinitionLocation, PassageResult, QueryStems, Resolved,
    SearchResult, location, short_id, with_short_id,
};
use whichfn_search::search::Query;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;
use whichfn_text::{ellipsis, first_sentence, one_line, plain};

/// Maximum number of decisive lines per candidate.
const LINES: usize = 12;
/// Maximum number of lines of a passage.
const PASSAGE_LINES: usize = 3;
/// Number of results after the described ones that can be listed by name.
const NAMED: usize = 40;
/// Number of results after the first `k` that have a description and may become candidates, because
/// helpers and overloads are folded under other results.
const DESCRIBED: usize = 30;
/// Maximum number of callers or callees that are looked up for a candidate.
const CALLS: usize = 40;
/// Maximum number of characters of a summary.
const SUMMARY: usize = 90;

/// An answer, and its candidates.
#[derive(Debug, Clone)]
pub struct Brief {
    /// The answer; its results have moved into the candidates.
    pub answer: Answer,
    /// Candidates, from best to worst.
    pub candidates: Vec<BriefCandidate>,
    /// Functions ranked after the candidates, from best to worst.
    pub behind: Vec<FurtherFunction>,
    /// Passages of text files, from best to worst.
    pub passages: Vec<PassageResult>,
    /// What the answer and the calls of the candidates lack, one line each.
    pub notices: Vec<String>,
}

/// A function ranked after the candidates.
#[derive(Debug, Clone)]
pub struct FurtherFunction {
    /// Location of the function.
    pub location: DefinitionLocation,
    /// Its documentation, or else its most relevant line; empty except for the first functions
    /// after the candidates.
    pub does: String,
}

/// A candidate.
#[derive(Debug, Clone)]
pub struct BriefCandidate {
    /// The search result.
    pub found: SearchResult,
    /// What the function does: its documentation, or else its most decisive line.
    pub does: String,
    /// 1-based numbers of its most decisive lines, most decisive first.
    pub deciding: Vec<u32>,
    /// Functions of the repository that it calls, in the order of the calls.
    pub callees: Vec<DefinitionLocation>,
    /// Nested functions that were also found.
    pub inner: Vec<DefinitionLocation>,
    /// Functions with the same name in the same type or file that were also found.
    pub overloads: Vec<DefinitionLocation>,
}

impl Engine {
    /// Answers a question with up to `query.k` candidates, and the names of the functions ranked
    /// after them. Of `query.k` candidates, half are passages if `texts` mixes both.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::ask`].
    pub fn brief(&self, query: &Query, texts: TextUse) -> Result<Brief> {
        let reading = Plan { snippet: Snippet::Deciding(PASSAGE_LINES), ..Plan::default() };
        if texts == TextUse::Only {
            let ReadAnswer { answer, notices, .. } = self.passages_only(query, &Plan { texts, ..reading })?;
            let passages = answer.passages.clone();
            return Ok(Brief { answer, candidates: Vec::new(), behind: Vec::new(), passages, notices });
        }
        let wide = Query { k: query.k.saturating_add(DESCRIBED), ..query.clone() };
        // Without a kind, the texts are those that fit better.
        let names = texts == TextUse::IfBetter;
        let plan = Plan { collapses: true, behind: NAMED, names, ..Plan::default() };
        let ReadAnswer { mut answer, behind, notices: found_notices, .. } = self.answer(&wide, &plan)?;
        let (passages, unsearched) = match texts {
            TextUse::Mixed => self.passages(query, &reading, query.k.div_ceil(2))?,
            TextUse::IfBetter => {
                let unsearched = self.add_docs(&mut answer, query, &reading)?;
                (std::mem::take(&mut answer.docs), unsearched)
            }
            _ => Default::default(),
        };
        let translated = self.translated(query, answer.foreign.as_ref(), texts);
        let query = translated.as_ref().unwrap_or(query);
        let graph = &self.generation.graph;
        let sources = self.sources();
        let reader = FunctionReader::new(&sources, &self.registry);
        let wanted = QueryStems::new(&query.question);
        let code = |found: &SearchResult, lines| deciding_lines(&reader, &query.question, &wanted, found, lines);
        let locations = |ids: Vec<DefinitionId>| ids.into_iter().map(|id| self.location(id)).collect();
        let does = |found: &SearchResult| match found.doc.trim() {
            "" => code(found, 1).pop().map(|(_, text)| text).unwrap_or_default(),
            doc => plain(doc).into_owned(),
        };
        let mut found: FxHashMap<DefinitionId, SearchResult> = FxHashMap::default();
        let shown: Vec<DefinitionId> = answer.results.iter().map(|result| result.definition).collect();
        found.extend(std::mem::take(&mut answer.results).into_iter().map(|result| (result.definition, result)));
        let mut groups = folded(graph, &shown, &behind);
        let candidates = groups.iter().take(query.k).take_while(|group| found.contains_key(&group.head)).count();
        let behind = groups.split_off(candidates);
        let candidate = |FoldedGroup { head, inner, overloads }: FoldedGroup| {
            let found = found.remove(&head)?;
            sources.needs_calls_of(graph.file_around(head));
            Some(BriefCandidate {
                does: does(&found),
                deciding: code(&found, LINES).into_iter().map(|(line, _)| line).collect(),
                callees: self.certain_calls(head, CallDirection::Callees),
                inner: locations(inner),
                overloads: locations(overloads),
                found,
            })
        };
        let candidates = groups.into_iter().filter_map(candidate).collect();
        let mut notices = sources.notices();
        notices.extend(found_notices.into_iter().filter(|notice| !notices.contains(notice)).collect::<Vec<_>>());
        notices.extend(unsearched.notices());
        let named = |FoldedGroup { head, .. }: FoldedGroup| FurtherFunction {
            location: self.location(head),
            does: found.get(&head).map(does).unwrap_or_default(),
        };
        let behind = behind.into_iter().map(named).collect();
        Ok(Brief { answer, candidates, behind, passages, notices })
    }

    /// Returns what a list of callers or callees of definitions lacks, one line each.
    pub fn notices_of_calls(&self, of: &[DefinitionId]) -> Vec<String> {
        let sources = self.sources();
        for &id in of {
            sources.needs_calls_of(self.generation.graph.file_around(id));
        }
        sources.notices()
    }

    /// Returns the direct callers or callees of a function, without those that only a similar name
    /// or an override connects with it. Callees are in the order of the calls; callers are sorted by
    /// path and line, with tests last.
    pub fn certain_calls(&self, id: DefinitionId, direction: CallDirection) -> Vec<DefinitionLocation> {
        let tree = self.calls(id, direction, CallLimits { depth: 1, max: CALLS });
        let is_certain = |branch: &Branch<Calls>| {
            branch.link.calls.iter().any(|call| !matches!(call.reason, CallReason::Name | CallReason::Dispatch))
        };
        tree.branches.into_iter().filter(is_certain).map(|branch| branch.location).collect()
    }

    /// Returns the first sentence of a definition's documentation, without its end if it is long;
    /// empty if there is none.
    pub fn summary_of(&self, id: DefinitionId) -> String {
        ellipsis(&one_line(first_sentence(&plain(self.generation.graph.doc(id).trim()))), SUMMARY, "…")
    }

    /// Returns the role of each line of a definition; no roles if the file has changed since it was
    /// indexed.
    pub fn line_roles(&self, of: &DefinitionLocation) -> Vec<LineRole> {
        let sources = self.sources();
        let mut roles = line_roles(&FunctionReader::new(&sources, &self.registry), of.definition);
        let calls = self.calls(of.definition, CallDirection::Callees, CallLimits { depth: 1, max: CALLS });
        for call in calls.branches.iter().flat_map(|branch| &branch.link.calls) {
            if let Some(role) = roles.get_mut(call.place.line.wrapping_sub(of.start_line) as usize) {
                *role = LineRole::Call;
            }
        }
        roles
    }

    /// Returns the lines of a definition as written, starting at `location.start_line`; no lines if
    /// the file has changed since it was indexed.
    pub fn source_of(&self, location: &DefinitionLocation) -> Vec<String> {
        self.lines_of(&location.path, location.start_line, location.end_line)
    }

    /// Returns the path of the indexed file that a path refers to; the path may omit its first
    /// directories if this is unambiguous.
    pub fn file_path(&self, typed: &str) -> Option<&str> {
        let graph = &self.generation.graph;
        let typed = typed.trim_start_matches("./");
        let ends = |path: &str| path.strip_suffix(typed).is_some_and(|before| before.ends_with('/'));
        let paths = || graph.file_ids().map(|file| graph.path(file));
        let mut found = paths().filter(|path| ends(path));
        let only = || found.next().filter(|_| !typed.is_empty() && found.next().is_none());
        paths().find(|path| *path == typed).or_else(only)
    }

    /// Returns the paths of the indexed files below a folder, a path from the root that contains a
    /// slash or is `.`: any other text is a name.
    pub fn files_below(&self, folder: &str) -> Vec<String> {
        let graph = &self.generation.graph;
        let is_root = matches!(folder, "." | "./");
        let below = format!("{}/", folder.trim_start_matches("./").trim_end_matches('/'));
        let is_in = |path: &&str| is_root || (folder.contains('/') && path.starts_with(&below));
        graph.file_ids().map(|file| graph.path(file)).filter(is_in).map(str::to_owned).collect()
    }

    /// Returns a range of lines of an indexed file as written; no lines if the file is not indexed,
    /// has no such lines, or has changed since it was indexed. Line numbers start at 1.
    pub fn lines_of(&self, path: &str, first: u32, last: u32) -> Vec<String> {
        let sources = self.sources();
        let lines = sources.indexed(path).filter(|_| 1 <= first && first <= last);
        let lines = lines.and_then(|file| sources.lines(file, (first, last))).unwrap_or_default();
        lines.lines().map(str::to_owned).collect()
    }

    /// Resolves a name like [`Self::resolve`], or a short id: six characters, with or without `#`
    /// before them.
    pub fn resolve_name_or_id(&self, typed: &str) -> Resolved {
        let by_id = || match with_short_id(&self.generation.graph, typed)[..] {
            [] => None,
            [id] => Some(Resolved::One(id)),
            ref ids => Some(Resolved::Many(ids.to_vec())),
        };
        let is_id = typed.trim().starts_with('#');
        if let Some(found) = is_id.then(by_id).flatten() {
            return found;
        }
        match self.resolve(typed) {
            found @ (Resolved::None { .. } | Resolved::Corrected(_)) => by_id().unwrap_or(found),
            found => found,
        }
    }

    /// Returns the short id of a definition.
    pub fn short_id(&self, id: DefinitionId) -> String {
        short_id(&self.generation.graph, id)
    }

    /// Returns the location of a definition.
    pub fn location(&self, id: DefinitionId) -> DefinitionLocation {
        location(&self.generation.graph, id)
    }
}

/// A function that was found, with the functions folded under it.
struct FoldedGroup {
    head: DefinitionId,
    inner: Vec<DefinitionId>,
    overloads: Vec<DefinitionId>,
}

/// Folds the shown results and the results after them, in order. Functions nested in a shown result
/// are listed under it, at the best rank of the group. Functions with the same name in the same
/// type or file are listed under the best function.
fn folded(graph: &GraphFile, shown: &[DefinitionId], behind: &[DefinitionId]) -> Vec<FoldedGroup> {
    let heads: BTreeSet<DefinitionId> = shown.iter().copied().collect();
    let mut places: FxHashMap<(DefinitionId, &str), usize> = FxHashMap::default();
    let mut groups: Vec<FoldedGroup> = Vec::new();
    for &id in shown.iter().chain(behind) {
        let outer = outermost(graph, id, &heads);
        let at = *places.entry((graph.definition(outer).parent, graph.name(outer))).or_insert(groups.len());
        if at == groups.len() {
            groups.push(FoldedGroup { head: outer, inner: Vec::new(), overloads: Vec::new() });
        }
        let group = &mut groups[at];
        if outer != id {
            group.inner.push(id);
        } else if group.head != id {
            group.overloads.push(id);
        }
    }
    groups
}

/// Returns the outermost enclosing function that is among `found`, or the definition itself.
fn outermost(graph: &GraphFile, id: DefinitionId, found: &BTreeSet<DefinitionId>) -> DefinitionId {
    let (mut at, mut best) = (id, id);
    loop {
        let parent = graph.definition(at).parent;
        if parent == at {
            return best;
        }
        at = parent;
        if found.contains(&at) && graph.traits(at).kind().is_function() {
            best = at;
        }
    }
}
