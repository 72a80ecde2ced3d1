//! Ranks files by the definitions in them.

use super::hit::{Adjustment, AdjustmentKind, Hit, best_first};
use super::part::Aspect;
use super::query::Ranker;
use super::weights::BEST_DEFINITION_SCALE;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{FileId, MemberId};

/// Groups hits by file. Both the input and the result are sorted with the best first.
///
/// The score of a file is the score of its best definition, plus a decreasing share of each
/// additional one, because several hits in one file are evidence for that file.
pub(super) fn by_file(hits: Vec<Hit>, further: f32) -> Vec<Hit> {
    let mut files: FxHashMap<(MemberId, FileId), usize> = FxHashMap::default();
    let mut out: Vec<Hit> = Vec::new();
    let mut counts: Vec<i32> = Vec::new();
    for hit in hits {
        match files.get(&(hit.member, hit.file)) {
            Some(&at) => {
                counts[at] += 1;
                out[at].score += hit.score * further.powi(counts[at]);
            }
            None => {
                files.insert((hit.member, hit.file), out.len());
                out.push(hit);
                counts.push(0);
            }
        }
    }
    out.sort_by(best_first);
    out
}

/// Adds a bonus to each file for its best definition in the learned order.
///
/// The bonus is at most the best word score of a file. A learned score is a logarithm of odds, so
/// `exp` of its difference to the first score is the ratio of the two odds. `definitions` is sorted
/// with the best first.
pub(super) fn add_best_definitions(files: &mut [Hit], definitions: &[Hit]) {
    let (Some(first), Some(best)) = (definitions.first(), files.first().map(|file| file.score)) else { return };
    let mut of_file: FxHashMap<(MemberId, FileId), &Hit> = FxHashMap::default();
    for hit in definitions {
        of_file.entry((hit.member, hit.file)).or_insert(hit);
    }
    for file in files.iter_mut() {
        let Some(hit) = of_file.get(&(file.member, file.file)) else { continue };
        let change = best * ((hit.score - first.score) / BEST_DEFINITION_SCALE).exp();
        file.score += change;
        file.adjustments.push(Adjustment { kind: AdjustmentKind::BestDefinition, change });
    }
    files.sort_by(best_first);
}

/// Ranks files by the odds that any of their definitions is right.
///
/// Learned scores are logarithms of odds, so the score of a file is the logarithm of the sum of
/// `exp` of the scores of its definitions. `files`, sorted by words, has all files; those without a
/// learned definition follow, with scores of at most 1.
pub(super) fn by_odds(definitions: Vec<Hit>, files: Vec<Hit>) -> Vec<Hit> {
    let mut places: FxHashMap<FileId, usize> = FxHashMap::default();
    let mut out: Vec<Hit> = Vec::new();
    let mut others: Vec<f32> = Vec::new();
    for hit in definitions.into_iter().filter(|hit| hit.ranker == Ranker::Learned) {
        match places.get(&hit.file) {
            Some(&at) => others[at] += (hit.score - out[at].score).exp(),
            None => {
                places.insert(hit.file, out.len());
                out.push(Hit { confidence: None, ..hit });
                others.push(0.0);
            }
        }
    }
    for (file, others) in out.iter_mut().zip(others).filter(|(_, others)| *others > 0.0) {
        let change = others.ln_1p();
        file.score += change;
        file.adjustments.push(Adjustment { kind: AdjustmentKind::OtherDefinitions, change });
        let connected = file.parts.iter_mut().find(|part| part.part == Aspect::Connected);
        connected.into_iter().for_each(|part| part.change += change);
    }
    out.sort_by(best_first);
    let scale = 1.0 / files.first().map_or(1.0, |file| file.score.max(f32::MIN_POSITIVE));
    let rest = files.into_iter().filter(|file| !places.contains_key(&file.file));
    out.extend(rest);
    out[places.len()..].iter_mut().for_each(|file| file.move_after_learned(scale));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::ids::DefinitionId;

    fn hits(scores: &[(u32, f32)]) -> Vec<Hit> {
        let hit = |(at, &(file, score)): (usize, &(u32, f32))| {
            Hit::new(DefinitionId(at as u32), FileId::new(file as usize), score, score)
        };
        scores.iter().enumerate().map(hit).collect()
    }

    fn order(files: &[Hit]) -> Vec<usize> {
        files.iter().map(|file| file.file.index()).collect()
    }

    #[test]
    fn several_definitions_raise_a_file() {
        let files = by_file(hits(&[(0, 5.0), (1, 4.0), (1, 3.0)]), 0.8);
        assert_eq!(order(&files), [1, 0]);
        assert!((files[0].score - 6.4).abs() < 1e-6);
    }

    #[test]
    fn file_of_the_best_definition_gains_most() {
        let mut files = by_file(hits(&[(0, 5.0), (1, 4.0), (2, 3.9)]), 0.8);
        add_best_definitions(&mut files, &hits(&[(2, 20.0), (1, 18.0), (2, 17.0), (3, 16.0)]));
        assert_eq!(order(&files), [2, 1, 0]);
        assert_eq!(files[0].score, 8.9, "the first adds what the best file had by words");
        assert!(files[0].adjustments.len() == 1 && files[2].adjustments.is_empty());
        add_best_definitions(&mut [], &hits(&[(2, 20.0)]));
    }

    #[test]
    fn an_issue_ranks_files_by_the_odds_of_all_their_functions() {
        let learned = |hit: Hit| Hit { ranker: Ranker::Learned, ..hit };
        let definitions = hits(&[(0, 3.0), (1, 2.8), (1, 2.7), (2, 1.0)]).into_iter().map(learned).collect();
        let files = by_odds(definitions, hits(&[(3, 40.0), (0, 20.0), (4, 10.0)]));
        assert_eq!(order(&files), [1, 0, 2, 3, 4]);
        let sum = files[0].adjustments.iter().map(|a| a.change).sum::<f32>();
        assert!(
            (files[0].score - (2.8 + sum)).abs() < 1e-6
                && (files[0].score.exp() - 2.8f32.exp() - 2.7f32.exp()).abs() < 1e-3
        );
        assert_eq!((files[3].score, files[4].score), (1.0, 0.25));
    }
}
