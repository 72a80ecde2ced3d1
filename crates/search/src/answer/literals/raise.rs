//! Moves definitions with a literal text of the question to the front of the hits.

use super::LiteralMatch;
use crate::search::{Adjustment, AdjustmentKind, Aspect, Confidence, Hit, LITERAL_LEAD, LITERAL_RIGHT};

/// Difference in precision below which two matches are equally good.
const SAME_PRECISION: f32 = 0.1;

/// Minimum share of the text that the code contains for a single match to be clear. A few words in
/// a row, such as "must be at least", also occur in messages of other programs.
const CLEAR_SHARE: f32 = 0.6;

/// Moves the matches to the front of the hits, and adds those that are not yet among them. Equally
/// good matches keep the order of the hits.
///
/// With `is_trusted`, the first hit gets the confidence of a literal match.
pub fn raise_literals(hits: &mut Vec<Hit>, matches: &[LiteralMatch], is_trusted: bool) {
    let ranker = hits.first().map(|hit| hit.ranker).unwrap_or_default();
    let best = hits.first().map_or(1.0, |hit| hit.score.max(f32::MIN_POSITIVE));
    let is_of = |hit: &Hit, one: &LiteralMatch| (hit.member, hit.definition) == (one.member, one.definition);
    let place = |one: &LiteralMatch| {
        let rank = hits.iter().position(|hit| is_of(hit, one)).unwrap_or(hits.len());
        ((-one.precision / SAME_PRECISION).round() as i32, rank)
    };
    let mut sorted: Vec<&LiteralMatch> = matches.iter().collect();
    sorted.sort_by_cached_key(|one| place(one));
    let mut raised = Vec::new();
    for (number, one) in sorted.iter().enumerate() {
        let known = hits.iter().position(|hit| is_of(hit, one)).map(|at| hits.remove(at));
        let new = || Hit { ranker, member: one.member, ..Hit::new(one.definition, one.file, 0.0, 0.0) };
        let mut hit = known.unwrap_or_else(new);
        lift(&mut hit, best * (1.0 + LITERAL_LEAD * (sorted.len() - number) as f32));
        raised.push(hit);
    }
    hits.iter_mut().for_each(|hit| hit.confidence = None);
    raised.append(hits);
    *hits = raised;
    if let Some(first) = hits.first_mut() {
        let is_clear = matches!(matches, [one] if one.share >= CLEAR_SHARE);
        let right = if is_clear { LITERAL_RIGHT.0 } else { LITERAL_RIGHT.1 };
        first.confidence = is_trusted.then_some(Confidence { right, fits: 1.0 });
    }
}

/// Raises the score of a hit, as an adjustment of its own.
fn lift(hit: &mut Hit, score: f32) {
    let change = score - hit.score;
    hit.score = score;
    hit.adjustments.push(Adjustment { kind: AdjustmentKind::Literal, change });
    // A hit that was not reranked has no parts.
    hit.parts.iter_mut().filter(|part| part.part == Aspect::Body).for_each(|part| part.change += change);
}
