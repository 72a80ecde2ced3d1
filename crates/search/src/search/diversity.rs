//! Spreads the first results of a question about a subject over several files.
//!
//! "request context handling" and "how are routes registered" ask for a place, not for one function.
//! Learned scores are logarithms of odds: each function that ranks before another one of its file
//! lowers the odds that the other one adds something. "which function ..." asks for one function,
//! and keeps its order.
//!
//! **Invariant:** the first hit and the order within each file stay the same.

use super::hit::{AdjustmentKind, Hit};
use super::part::Aspect;
use super::question::{Question, QuestionForm};
use super::weights::FURTHER_IN_FILE;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{FileId, MemberId};

/// First words of a sentence that asks for one definition.
const ASKS_FOR_ONE: [&str; 6] = ["which", "what", "where", "who", "find", "show"];

/// Checks whether a question is a sentence about a subject.
pub(super) fn is_about_subject(question: &Question) -> bool {
    let first = question.text.split_whitespace().next().unwrap_or_default().to_lowercase();
    question.form == QuestionForm::Sentence && !ASKS_FOR_ONE.contains(&first.as_str())
}

/// Lowers each hit for each hit of its file before it. The hits have learned scores and are sorted
/// with the best first, before and after.
pub(super) fn spread_over_files(hits: &mut [Hit]) {
    let Some(lowest) = hits.last().map(|hit| hit.score) else { return };
    let mut shown: FxHashMap<(MemberId, FileId), u32> = FxHashMap::default();
    for hit in hits.iter_mut() {
        let before = shown.entry((hit.member, hit.file)).or_default();
        hit.adjust(AdjustmentKind::FurtherInFile, Aspect::Connected, -FURTHER_IN_FILE * *before as f32);
        *before += 1;
    }
    // The hits after these have scores of at most the lowest.
    let rise = lowest - hits.iter().map(|hit| hit.score).fold(lowest, f32::min);
    hits.iter_mut().for_each(|hit| hit.adjust(AdjustmentKind::Floor, Aspect::Average, rise));
    // The sort is stable: a wrapper has the same score as the function in front of it.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::ids::DefinitionId;

    #[test]
    fn files_take_turns_unless_one_has_much_better_functions() {
        let hit = |(at, &(file, score)): (usize, &(usize, f32))| {
            Hit::new(DefinitionId(at as u32), FileId::new(file), score, score)
        };
        let scores = [(0, 9.0), (0, 8.8), (0, 8.5), (1, 8.0), (2, 4.0), (0, 1.0)];
        let mut hits: Vec<Hit> = scores.iter().enumerate().map(hit).collect();
        let confidence = super::super::confidence::Confidence { right: 0.5, fits: 1.0 };
        hits[0].confidence = Some(confidence);
        spread_over_files(&mut hits);
        let files: Vec<usize> = hits.iter().map(|hit| hit.file.index()).collect();
        assert_eq!(files, [0, 1, 0, 0, 2, 0]);
        assert_eq!(hits[0].confidence, Some(confidence));
        assert!(hits.iter().all(|hit| hit.score >= 1.0), "the hits after them have scores of at most 1");
    }

    #[test]
    fn a_sentence_that_asks_for_a_function_is_about_one() {
        for (text, is_about) in [
            ("how are routes registered in the router", true),
            ("the lifecycle of a request and its context", true),
            ("which function registers a route in the router", false),
            ("where is the token of a session renewed", false),
            ("renew_token", false),
        ] {
            assert_eq!(is_about_subject(&Question::read(text)), is_about, "{text}");
        }
    }
}
