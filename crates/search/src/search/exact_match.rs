//! Finds exact matches for pasted text: definitions with a pasted name, and definitions around the
//! lines of a stack trace.
//!
//! The reranker was learned from sentences and does not apply to pasted text. Exact matches rank
//! first, followed by the results of the word search.
//!
//! - **Cost:** one lookup for each name; for a trace, one pass over the paths of all files. Other
//!   questions cost nothing.

use super::hit::{Adjustment, AdjustmentKind, Hit};
use super::pasted::StackFrame;
use super::question::{Question, QuestionForm};
use super::weights::{EXACT_NAME, FRAME_DECAY, STACK_FRAME};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, MemberId};

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
    let found = |(id, kind, bonus): Match| {
        let hit = hit(id).unwrap_or_else(|| Hit::new(id, graph.definition(id).file, 0.0, 0.0));
        ExactMatch { hit, kind, bonus }
    };
    matches.into_iter().map(found).collect()
}

/// Raises the scores of exact matches, and adds the matches that are not yet among the hits.
pub(super) fn raise(hits: &mut Vec<Hit>, matches: Vec<ExactMatch>) {
    if matches.is_empty() {
        return;
    }
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    let best = if best > 0.0 { best } else { 1.0 };
    let mut hit_of: FxHashMap<(MemberId, DefinitionId), usize> =
        hits.iter().map(|hit| (hit.member, hit.definition)).zip(0..).collect();
    for ExactMatch { hit, kind, bonus } in matches {
        let at = *hit_of.entry((hit.member, hit.definition)).or_insert_with(|| {
            hits.push(hit);
            hits.len() - 1
        });
        hits[at].score += bonus * best;
        hits[at].adjustments.push(Adjustment { kind, change: bonus * best });
    }
}

/// A matching definition, the kind of match, and the bonus.
type Match = (DefinitionId, AdjustmentKind, f32);

/// Returns the definitions with a name in code form in the question, each with the rarity of the
/// name: 1 for the only one with it, less for one of several.
///
/// Of definitions with the same last part, those with the other parts count if there are any.
pub(super) fn named_as_code(graph: &GraphFile, question: &Question) -> FxHashMap<DefinitionId, f32> {
    let mut named = FxHashMap::default();
    for name in &question.code_names {
        let mut matches = match_identifiers(graph, std::slice::from_ref(name), |_| true);
        if matches.iter().any(|(.., bonus)| *bonus > EXACT_NAME) {
            matches.retain(|(.., bonus)| *bonus > EXACT_NAME);
        }
        let rarity = 1.0 / (1.0 + (matches.len().max(1) as f32).ln());
        named.extend(matches.into_iter().map(|(id, ..)| (id, rarity)));
    }
    named
}

/// Returns all definitions with one of the given names.
fn match_identifiers(
    graph: &GraphFile,
    identifiers: &[String],
    is_member: impl Fn(DefinitionId) -> bool,
) -> Vec<Match> {
    let mut matches = Vec::new();
    for name in identifiers {
        let last = name.rsplit('.').next().unwrap_or(name);
        for id in graph.named(last).into_iter().filter(|&id| is_member(id)) {
            let qualified = graph.qualified_name(id).replace("::", ".");
            let is_full_name =
                qualified == *name || qualified.strip_suffix(name.as_str()).is_some_and(|front| front.ends_with('.'));
            let bonus = if is_full_name && name.contains('.') { 2.0 * EXACT_NAME } else { EXACT_NAME };
            matches.push((id, AdjustmentKind::ExactName, bonus));
        }
    }
    matches
}

/// Returns the innermost definition around the line of each stack frame. The first frame has the
/// largest bonus.
fn match_frames(graph: &GraphFile, frames: &[StackFrame], is_member: impl Fn(DefinitionId) -> bool) -> Vec<Match> {
    let paths: Vec<(FileId, &str)> = graph.file_ids().map(|file| (file, graph.path(file))).collect();
    let mut matches = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        let is_same = |path: &str| {
            path == frame.path
                || frame.path.strip_suffix(path).is_some_and(|front| front.ends_with('/'))
                || path.strip_suffix(frame.path.as_str()).is_some_and(|front| front.ends_with('/'))
        };
        let files = paths.iter().filter(|(_, path)| is_same(path)).map(|&(file, _)| file);
        let definitions = files.flat_map(|file| graph.definitions_of(file).zip(graph.rows_of(file)));
        let around = definitions
            .filter(|(id, row)| (row.start_line..=row.end_line).contains(&frame.line) && is_member(*id))
            .min_by_key(|(id, row)| (row.end_line - row.start_line, *id));
        if let Some((id, _)) = around {
            let bonus = STACK_FRAME / (1.0 + number as f32 / FRAME_DECAY);
            matches.push((id, AdjustmentKind::StackFrame, bonus));
        }
    }
    matches
}
