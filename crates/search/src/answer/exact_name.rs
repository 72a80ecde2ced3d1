//! Finds what a question names exactly: `HTTPAdapter`, `Session.renew()`, `LIMIT`, `app/config.py`,
//! or `httpAdapter` if nothing is written like this.
//!
//! The search ranks functions only, so it lists the methods of a type that the question names, but
//! not the type. A question that is a name is about that name, whatever its kind.
//!
//! **Cost:** one lookup for a question with spaces. For any other question, one pass over the names
//! of all definitions and values if nothing has exactly this name.

use super::corrected::{NamedPlace, parts, respelled};
use super::named::{Named, ResolvedName, resolve_named};
use super::typed_names::{all_definitions, file_definition, files_ending_in, has_name};
use crate::search::{AdjustmentKind, Aspect, Hit};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use whichfn_index::source::Sources;
use whichfn_index::store::{GraphFile, NamedValueId};
use whichfn_syntax::ids::{DefinitionId, FileId, MemberId};
use whichfn_syntax::lang::DefinitionKind;

/// Maximum number of definitions or values with one name that precede the results of the search.
const MAX_NAMED: usize = 3;

/// A definition or value that a question names, in one of the indexes that are searched together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NameMatch {
    rank: NameRank,
    /// Number of the index.
    pub member: MemberId,
    /// What has the name.
    pub named: Named,
    /// Its file.
    pub file: FileId,
}

/// Order of what has one name: the lowest is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct NameRank {
    /// True if the case or the separators between words differ from the question.
    is_respelled: bool,
    is_value: bool,
    is_test: bool,
    /// True for a declaration without a body, and for a file.
    is_aside: bool,
    is_function: bool,
    callers: Reverse<usize>,
}

impl NameMatch {
    /// Returns the best of the matches of several indexes: those that are written like the question
    /// if there are any, definitions if there are any.
    pub fn best_of(mut matches: Vec<Self>) -> Vec<Self> {
        matches.sort_unstable();
        matches.dedup();
        let group = |one: &Self| (one.rank.is_respelled, one.rank.is_value);
        if let Some(first) = matches.first().map(group) {
            matches.retain(|one| group(one) == first);
        }
        matches.truncate(MAX_NAMED);
        matches
    }

    /// Returns the value with the name; `None` for a definition.
    pub fn value(&self) -> Option<(MemberId, NamedValueId)> {
        match self.named {
            Named::Definition(_) => None,
            Named::Value(id) => Some((self.member, id)),
        }
    }
}

/// Returns the definitions and values of an index, with the number `member`, whose name is the whole
/// question, in the accepted files.
pub fn exactly_named(
    sources: &Sources<'_>,
    member: MemberId,
    text: &str,
    is_allowed: &dyn Fn(DefinitionId) -> bool,
) -> Vec<NameMatch> {
    let (graph, typed) = (sources.graph(), plain(text));
    if typed.is_empty() {
        return Vec::new();
    }
    let (mut is_respelled, mut found) = (false, written_so(sources, text.trim()));
    if found.is_empty() && typed != text.trim() {
        found = written_so(sources, typed);
    }
    if found.is_empty() && !typed.contains(char::is_whitespace) {
        (is_respelled, found) = same_letters(graph, typed);
    }
    // A plain word (`cache`) names many files by chance.
    let is_word = typed.chars().all(char::is_lowercase);
    let is_file = |id: DefinitionId| graph.definition(id).parent == id;
    let is_meant = |named: &Named| match *named {
        Named::Definition(id) => is_allowed(id) && !(is_word && is_file(id)),
        Named::Value(id) => graph.named_value(id).is_some_and(|value| is_allowed(value.parent)),
    };
    let file = |named: Named| match named {
        Named::Definition(id) => graph.file_around(id),
        Named::Value(id) => id.file,
    };
    let matched = |named: Named| NameMatch { rank: rank(graph, named, is_respelled), member, named, file: file(named) };
    NameMatch::best_of(found.into_iter().filter(is_meant).map(matched).collect())
}

/// Puts the definitions that the question names before all other hits. If the first hit is one of
/// them, it stays the first.
pub fn put_named_first(hits: &mut Vec<Hit>, named: &[NameMatch]) {
    let id = |hit: &Hit| (hit.member, hit.definition);
    if named.is_empty() {
        return;
    }
    let best = hits.first().map_or(1.0, |hit| hit.score);
    let ranker = hits.first().map(|hit| hit.ranker).unwrap_or_default();
    let hit = |one: &NameMatch| {
        let Named::Definition(definition) = one.named else { return None };
        let known = hits.iter().find(|hit| id(hit) == (one.member, definition)).cloned();
        let Some(mut hit) = known else {
            return Some(Hit { member: one.member, ranker, ..Hit::new(definition, one.file, best, 0.0) });
        };
        hit.adjust(AdjustmentKind::Name, Aspect::Name, best - hit.score);
        Some(hit)
    };
    let mut first: Vec<Hit> = named.iter().filter_map(hit).collect();
    match hits.first().and_then(|best| first.iter().position(|hit| id(hit) == id(best))) {
        Some(at) => first[..=at].rotate_right(1),
        // No set of questions has measured how often the first one is meant.
        None => first.iter_mut().chain(hits.iter_mut()).for_each(|hit| hit.confidence = None),
    }
    hits.retain(|hit| first.iter().all(|named| id(named) != id(hit)));
    hits.splice(..0, first);
}

/// Returns a typed name without the marks of code around it: backticks, the parentheses of a call,
/// and type arguments.
fn plain(text: &str) -> &str {
    let text = text.trim().trim_matches('`');
    let open = if text.ends_with(')') { text.find('(') } else { None };
    open.filter(|&at| at > 0).map_or(text, |at| &text[..at])
}

/// Returns what has the typed name as it is written. A name with spaces is the title of a test or the
/// name of a file.
fn written_so(sources: &Sources<'_>, typed: &str) -> Vec<Named> {
    let graph = sources.graph();
    let is_place = || typed.rsplit_once(':').is_some_and(|(path, _)| !files_ending_in(graph, path).is_empty());
    if typed.contains(char::is_whitespace) && !is_place() {
        let titled = graph.named(typed).into_iter().filter(|id| has_name(graph, *id));
        let files = files_ending_in(graph, typed).into_iter().map(|file| file_definition(graph, file));
        return titled.chain(files).map(Named::Definition).collect();
    }
    let mut found = match resolve_named(sources, typed) {
        ResolvedName::One(one) => vec![one],
        ResolvedName::Many(all) => all,
        ResolvedName::Corrected(_) | ResolvedName::None { .. } => Vec::new(),
    };
    found.extend(graph.named(typed).into_iter().filter(|id| is_declared(graph, *id)).map(Named::Definition));
    found
}

/// Returns what has the same letters as the typed name, after any separators, and whether the case or
/// the separators between words differ for all of them; failing that, the files whose paths, with or
/// without the extension, end with the typed name in any case.
fn same_letters(graph: &GraphFile, typed: &str) -> (bool, Vec<Named>) {
    let parts = parts(&typed.replace("->", ".").replace('/', "."));
    let is_named = |id: &DefinitionId| has_name(graph, *id) || is_declared(graph, *id);
    let definitions = all_definitions(graph).filter(is_named);
    let definitions = definitions.map(|id| (Named::Definition(id), NamedPlace::of(graph, id)));
    let values = graph.named_values().map(|value| (Named::Value(value.id), NamedPlace::of_value(graph, value)));
    let spelled = |(named, place): (Named, NamedPlace<'_>)| Some((respelled(&parts, &place)?, named));
    let found: Vec<(bool, Named)> = definitions.chain(values).filter_map(spelled).collect();
    let is_respelled = found.iter().all(|(is_respelled, _)| *is_respelled);
    let alike: Vec<Named> = found.into_iter().filter(|one| one.0 == is_respelled).map(|(_, named)| named).collect();
    if !alike.is_empty() {
        return (is_respelled, alike);
    }
    let ends = |path: &str| {
        let at = path.len().checked_sub(typed.len()).filter(|&at| path.is_char_boundary(at));
        at.is_some_and(|at| path[at..].eq_ignore_ascii_case(typed) && (at == 0 || path[..at].ends_with('/')))
    };
    let without_extension = |path: &str| path.rsplit_once('.').is_some_and(|(path, _)| ends(path));
    let is_named = |path: &str| ends(path) || without_extension(path);
    let files = graph.file_ids().filter(|file| is_named(graph.path(*file)));
    (true, files.map(|file| Named::Definition(file_definition(graph, file))).collect())
}

/// Checks whether a function is only declared here.
fn is_declared(graph: &GraphFile, id: DefinitionId) -> bool {
    graph.definition(id).kind() == DefinitionKind::Declaration
}

fn rank(graph: &GraphFile, named: Named, is_respelled: bool) -> NameRank {
    let (id, is_value) = match named {
        Named::Definition(id) => (id, false),
        Named::Value(id) => (graph.named_value(id).map_or_else(|| graph.reject(), |value| value.parent), true),
    };
    let traits = graph.traits(id);
    NameRank {
        is_respelled,
        is_value,
        is_test: traits.is_test(),
        is_aside: !is_value && (is_declared(graph, id) || graph.definition(id).parent == id),
        is_function: !is_value && traits.kind().is_function(),
        callers: Reverse(if is_value { 0 } else { graph.callers(id).len() }),
    }
}
