//! Moves definitions with a literal text of the question to the front of the hits.

use super::{LiteralMatch, LiteralPart};
use crate::search::{
    Adjustment, AdjustmentKind, Aspect, Confidence, Hit, LIKELY_FROM, LITERAL_LEAD, LITERAL_PART, LITERAL_RIGHT,
};

/// Difference in precision below which two matches are equally good.
const SAME_PRECISION: f32 = 0.1;
/// Minimum share of the text that the code contains for a single match to be clear. A few words in
/// a row, such as "must be at least", also occur in messages of other programs.
const CLEAR_SHARE: f32 = 0.6;
/// Minimum number of words of a clear match.
const CLEAR_WORDS: u32 = 3;

/// Moves the matches to the front of the hits, and adds those that are not yet among them. Equally
/// good matches keep the order of the hits. A text that may be only an example in the question raises
/// the hits that have it; so does a sentence that the search answers with some confidence.
///
/// With `is_trusted`, the first hit gets the confidence of a literal match, if the text is the whole
/// question.
pub fn raise_literals(hits: &mut Vec<Hit>, matches: &[LiteralMatch], is_trusted: bool) {
    let is_likely =
        hits.first().and_then(|hit| hit.confidence).is_some_and(|one| one.fits() && one.right >= LIKELY_FROM);
    let is_example = |one: &LiteralMatch| match one.part {
        LiteralPart::Example => true,
        LiteralPart::Sentence => is_likely,
        LiteralPart::Whole | LiteralPart::Line => false,
    };
    if matches.iter().any(is_example) {
        return raise_examples(hits, matches);
    }
    let ranker = hits.first().map(|hit| hit.ranker).unwrap_or_default();
    let best = hits.first().map_or(1.0, |hit| hit.score.max(f32::MIN_POSITIVE));
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
        first.confidence = confidence(matches).filter(|_| is_trusted);
    }
}

/// Returns the confidence in the first of several matches. Only a text that is the whole question was
/// measured, and only in the code of the program.
fn confidence(matches: &[LiteralMatch]) -> Option<Confidence> {
    let is_measured = |one: &LiteralMatch| one.part == LiteralPart::Whole && !one.is_aside;
    let is_clear = matches!(matches, [one] if one.share >= CLEAR_SHARE && one.words >= CLEAR_WORDS);
    let right = if is_clear { LITERAL_RIGHT.0 } else { LITERAL_RIGHT.1 };
    matches.iter().all(is_measured).then_some(Confidence { right, fits: 1.0 })
}

/// Raises the hits among the matches. The first hit has no confidence if it was not first before.
fn raise_examples(hits: &mut [Hit], matches: &[LiteralMatch]) {
    let key = |hit: &Hit| (hit.member, hit.definition);
    let Some(first) = hits.first().map(key) else { return };
    for hit in hits.iter_mut().filter(|hit| matches.iter().any(|one| is_of(hit, one))) {
        lift(hit, hit.score + LITERAL_PART);
    }
    let confidence = hits[0].confidence;
    hits.iter_mut().for_each(|hit| hit.confidence = None);
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits[0].confidence = confidence.filter(|_| key(&hits[0]) == first);
}

fn is_of(hit: &Hit, one: &LiteralMatch) -> bool {
    (hit.member, hit.definition) == (one.member, one.definition)
}

/// Raises the score of a hit, as an adjustment of its own.
fn lift(hit: &mut Hit, score: f32) {
    let change = score - hit.score;
    hit.score = score;
    hit.adjustments.push(Adjustment { kind: AdjustmentKind::Literal, change });
    // A hit that was not reranked has no parts.
    hit.parts.iter_mut().filter(|part| part.part == Aspect::Body).for_each(|part| part.change += change);
}
