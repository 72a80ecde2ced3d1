//! Finds exact matches for pasted text: definitions with a pasted name, and definitions around the
//! lines of a stack trace.
//!
//! The reranker was learned from sentences and does not apply to pasted text. Exact matches rank
//! first, followed by the results of the word search.
//!
//! The first match has a probability: one over the number of definitions with the name, or how far
//! path, line and name of a frame agree. No question set with such texts exists, so the upper end
//! ([`EXACT_RIGHT`]) is not measured.
//!
//! - **Cost:** one lookup for each name; for a trace, one pass over the paths of all files. Other
//!   questions cost nothing.

use super::confidence::Confidence;
use super::hit::{Adjustment, AdjustmentKind, Hit};
use super::issue::{Paths, TraceFrame};
use super::question::{Question, QuestionForm};
use super::weights::{EXACT_NAME, EXACT_RIGHT, FRAME_DECAY, STACK_FRAME};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, MemberId};

/// A definition that matches exactly.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExactMatch {
    /// Hit from the word search, or a hit with a score of 0 if the search did not find the
    /// definition.
    pub hit: Hit,
    /// Kind of the match.
    pub kind: AdjustmentKind,
    /// Bonus added to the score, as a multiple of the best score.
    pub bonus: f32,
    /// Probability that the match is meant, among the definitions of its index.
    pub right: f32,
}

/// Finds the definitions that a pasted name or stack trace refers to. Returns nothing for other
/// questions.
///
/// `hit` returns a definition's hit from the word search.
pub(super) fn find(
    graph: &GraphFile,
    question: &Question,
    is_member: impl Fn(DefinitionId) -> bool,
    hit: impl Fn(DefinitionId) -> Option<Hit>,
) -> Vec<ExactMatch> {
    let matches = match question.form {
        QuestionForm::Name => match_identifiers(graph, &question.identifiers, is_member),
        QuestionForm::Trace => match_frames(graph, &question.frames, is_member),
        _ => return Vec::new(),
    };
    let found = |Match { id, kind, bonus, right }: Match| {
        let hit = hit(id).unwrap_or_else(|| Hit::new(id, graph.definition(id).file, 0.0, 0.0));
        ExactMatch { hit, kind, bonus, right }
    };
    matches.into_iter().map(found).collect()
}

/// Raises the scores of exact matches, and adds the matches that are not yet among the hits.
pub(super) fn raise(hits: &mut Vec<Hit>, matches: &[ExactMatch]) {
    if matches.is_empty() {
        return;
    }
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    let best = if best > 0.0 { best } else { 1.0 };
    let mut hit_of: FxHashMap<(MemberId, DefinitionId), usize> =
        hits.iter().map(|hit| (hit.member, hit.definition)).zip(0..).collect();
    for ExactMatch { hit, kind, bonus, .. } in matches {
        let at = *hit_of.entry((hit.member, hit.definition)).or_insert_with(|| {
            hits.push(hit.clone());
            hits.len() - 1
        });
        hits[at].score += bonus * best;
        hits[at].adjustments.push(Adjustment { kind: *kind, change: bonus * best });
    }
}

/// Returns the confidence in the first hit if it is an exact match: its probability within its index,
/// divided by the number of indexes with such a match.
pub(super) fn confidence(matches: &[ExactMatch], first: &Hit) -> Option<Confidence> {
    let is_first = |one: &&ExactMatch| (one.hit.member, one.hit.definition) == (first.member, first.definition);
    let own = matches.iter().filter(is_first).max_by(|a, b| a.bonus.total_cmp(&b.bonus))?;
    let alike = matches.iter().filter(|one| one.bonus >= own.bonus).map(|one| one.hit.member);
    let members = alike.collect::<FxHashSet<_>>().len();
    (own.right > 0.0).then(|| Confidence { right: own.right / members as f32, fits: 1.0 })
}

/// A matching definition.
struct Match {
    id: DefinitionId,
    kind: AdjustmentKind,
    bonus: f32,
    right: f32,
}

/// Returns the definitions with a name in code form in the question, each with the rarity of the
/// name: 1 for the only one with it, less for one of several.
///
/// Of definitions with the same last part, those with the other parts count if there are any.
pub(super) fn named_as_code(graph: &GraphFile, question: &Question) -> FxHashMap<DefinitionId, f32> {
    let mut named = FxHashMap::default();
    for name in &question.code_names {
        let mut matches = match_identifiers(graph, std::slice::from_ref(name), |_| true);
        if matches.iter().any(|one| one.bonus > EXACT_NAME) {
            matches.retain(|one| one.bonus > EXACT_NAME);
        }
        let rarity = 1.0 / (1.0 + (matches.len().max(1) as f32).ln());
        named.extend(matches.into_iter().map(|one| (one.id, rarity)));
    }
    named
}

/// Returns all definitions with one of the given names. Definitions that are not ranked, such as a
/// type with the name of a function, make a match less certain.
fn match_identifiers(
    graph: &GraphFile,
    identifiers: &[String],
    is_member: impl Fn(DefinitionId) -> bool,
) -> Vec<Match> {
    let mut matches = Vec::new();
    for name in identifiers {
        let last = name.rsplit('.').next().unwrap_or(name);
        let is_full_name = |id: DefinitionId| {
            let qualified = graph.qualified_name(id).replace("::", ".");
            qualified == *name || qualified.strip_suffix(name.as_str()).is_some_and(|front| front.ends_with('.'))
        };
        let bonus = |id: &DefinitionId| if name.contains('.') && is_full_name(*id) { 2.0 } else { 1.0 };
        let named: Vec<(DefinitionId, f32)> =
            graph.named(last).into_iter().map(|id| (id, EXACT_NAME * bonus(&id))).collect();
        // Another part in front is another name.
        let is_name = |bonus: f32| bonus > EXACT_NAME || !name.contains('.');
        let alike = named.iter().filter(|(_, bonus)| is_name(*bonus)).count();
        for &(id, bonus) in named.iter().filter(|(id, _)| is_member(*id)) {
            let right = if is_name(bonus) { EXACT_RIGHT / alike as f32 } else { 0.0 };
            matches.push(Match { id, kind: AdjustmentKind::ExactName, bonus, right });
        }
    }
    matches
}

/// Returns the functions of the frames of a trace. Those of the innermost frame that is in the
/// repository have the largest bonus.
fn match_frames(graph: &GraphFile, frames: &[TraceFrame], is_member: impl Fn(DefinitionId) -> bool) -> Vec<Match> {
    let paths = Paths::new(graph);
    let mut matches = Vec::new();
    let found = frames.iter().map(|frame| (frame, paths.frame(graph, frame))).filter(|(_, ids)| !ids.is_empty());
    for (number, (frame, ids)) in found.enumerate() {
        let bonus = STACK_FRAME / (1.0 + number as f32 / FRAME_DECAY);
        for &id in ids.iter().filter(|id| is_member(**id)) {
            let right = agreement(graph, frame, id) * EXACT_RIGHT / ids.len() as f32;
            matches.push(Match { id, kind: AdjustmentKind::StackFrame, bonus, right });
        }
    }
    matches
}

/// Returns how far the line and the name of a frame agree with a function: 1 if both do.
fn agreement(graph: &GraphFile, frame: &TraceFrame, id: DefinitionId) -> f32 {
    let row = graph.definition(id);
    let has_line = frame.line.is_some_and(|line| (row.start_line..=row.end_line).contains(&line));
    let has_name = frame.function.rsplit('.').next() == Some(graph.name(id));
    // A line without a name is certain only if the code is as old as the trace.
    match (has_line, has_name) {
        (true, true) => 1.0,
        (true, false) if frame.function.is_empty() => 0.9,
        (false, true) => 0.8,
        _ => 0.5,
    }
}
