//! Compares two runs over the same questions. Reports how each figure changed, whether the change
//! is significant, and which questions rose or fell in rank.

use super::figures::{FIGURES, Figure};
use super::groups::{GroupBy, groups};
use super::metrics::QuestionOutcome;
use super::paired::{interval, mean, p_value};
use super::run::{SavedRun, SavedSet};
use std::collections::BTreeMap;
use whichfn_system::error::{Error, Kind, Result};

/// The outcomes of one question in both runs.
#[derive(Debug, Clone, Copy)]
struct Pair<'a> {
    before: &'a QuestionOutcome,
    after: &'a QuestionOutcome,
}

/// The change of one figure, averaged over several questions.
#[derive(Debug, Clone)]
pub struct FigureChange {
    /// Name of the figure.
    pub figure: &'static str,
    /// Mean in the earlier run.
    pub before: f64,
    /// Mean in the later run.
    pub after: f64,
    /// 95% confidence interval of the difference.
    pub interval: (f64, f64),
    /// Probability that a difference at least this large occurs by chance.
    pub p: f64,
}

impl FigureChange {
    /// Returns whether the later run is significantly better or worse. A change is significant if
    /// its interval excludes 0 and `p` is below 0.05: with few questions, the interval alone is too
    /// narrow.
    pub fn verdict(&self) -> Verdict {
        match self.interval {
            (0.0, 0.0) => Verdict::Same,
            _ if self.p >= 0.05 => Verdict::Unclear,
            (low, _) if low > 0.0 => Verdict::Better,
            (_, high) if high < 0.0 => Verdict::Worse,
            _ => Verdict::Unclear,
        }
    }
}

/// Whether a figure differs significantly between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The later run is better.
    Better,
    /// The later run is worse.
    Worse,
    /// The figure is the same for every question.
    Same,
    /// The difference may be due to chance.
    Unclear,
}

impl Verdict {
    /// Returns the name of the verdict in the output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::Unclear => "unclear",
        }
    }
}

/// The change of all figures for a group of questions.
#[derive(Debug, Clone)]
pub struct GroupChange {
    /// Property that the questions in the group have in common.
    pub by: GroupBy,
    /// Name of the group.
    pub name: String,
    /// Number of questions in the group.
    pub questions: usize,
    /// Changes of acc@1, acc@5, acc@10, MRR and nDCG@10.
    pub changes: Vec<FigureChange>,
}

/// A question whose rank changed.
#[derive(Debug, Clone)]
pub struct Move {
    /// Id of the question within its set.
    pub id: String,
    /// Repository that the question is about.
    pub repo: String,
    /// Text of the question.
    pub query: String,
    /// Rank of the first correct result in the earlier run, or `None` if there was none.
    pub before: Option<usize>,
    /// Rank of the first correct result in the later run, or `None` if there was none.
    pub after: Option<usize>,
    gain: f64,
}

/// The changes between two runs over one question set.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Name of the question set.
    pub name: String,
    /// Groups of questions: all questions, one group per category, and one per repository.
    pub groups: Vec<GroupChange>,
    /// Questions whose rank improved, largest gain in MRR first.
    pub rose: Vec<Move>,
    /// Questions whose rank became worse, largest loss in MRR first.
    pub fell: Vec<Move>,
    /// Number of questions that are only in the earlier run.
    pub only_before: usize,
    /// Number of questions that are only in the later run.
    pub only_after: usize,
}

/// Compares two runs, one set at a time. The sets of the later run come first, followed by the sets
/// that only the earlier run has.
///
/// # Errors
/// Returns an error if two questions in a run have the same repository and id, or if the runs have
/// no question in common.
pub fn compare(before: &SavedRun, after: &SavedRun) -> Result<Vec<Comparison>> {
    let missing = |name: &str| SavedSet { name: name.to_owned(), questions: Vec::new() };
    let only_before = before.sets.iter().filter(|set| after.set(&set.name).is_none());
    let mut sets = Vec::new();
    for set in &after.sets {
        sets.push(Comparison::new(before.set(&set.name).unwrap_or(&missing(&set.name)), set)?);
    }
    for set in only_before {
        sets.push(Comparison::new(set, &missing(&set.name))?);
    }
    if sets.iter().all(|set| set.questions() == 0) {
        let next = "compare runs over the same sets: a set is identified by its file name, a question by repo and id";
        return Err(Error::new(Kind::Questions, "the two runs have no questions in common", next));
    }
    Ok(sets)
}

impl Comparison {
    /// Returns the number of questions in both runs.
    pub fn questions(&self) -> usize {
        self.groups.first().map_or(0, |all| all.questions)
    }

    /// Compares two runs over one set. Questions are identified by their repository and id.
    fn new(before: &SavedSet, after: &SavedSet) -> Result<Self> {
        let (earlier, later) = (by_name(before)?, by_name(after)?);
        let pairs: Vec<Pair> =
            later.iter().filter_map(|(name, &after)| Some(Pair { before: earlier.get(name)?, after })).collect();
        let changed = groups(&pairs, |pair| pair.after).into_iter().map(|group| GroupChange {
            by: group.by,
            name: group.name,
            questions: group.members.len(),
            changes: FIGURES.map(|figure| change(figure, &group.members)).into(),
        });
        let (rose, fell) = moves(&pairs);
        Ok(Self {
            name: after.name.clone(),
            groups: changed.collect(),
            rose,
            fell,
            only_before: earlier.len() - pairs.len(),
            only_after: later.len() - pairs.len(),
        })
    }
}

fn by_name(set: &SavedSet) -> Result<BTreeMap<(&str, &str), &QuestionOutcome>> {
    let mut by_name = BTreeMap::new();
    for outcome in &set.questions {
        if by_name.insert((outcome.repo.as_str(), outcome.id.as_str()), outcome).is_some() {
            let what = format!("{}: two questions about {} have the id {}", set.name, outcome.repo, outcome.id);
            return Err(Error::new(Kind::Questions, what, "give each question a unique id"));
        }
    }
    Ok(by_name)
}

fn change((figure, value): Figure, pairs: &[&Pair]) -> FigureChange {
    let both: Vec<(f64, f64)> = pairs.iter().map(|pair| (value(pair.before), value(pair.after))).collect();
    // A number that went through JSON may differ in its last digit.
    let difference = |(before, after): &(f64, f64)| if (after - before).abs() < 1e-9 { 0.0 } else { after - before };
    let differences: Vec<f64> = both.iter().map(difference).collect();
    FigureChange {
        figure,
        before: mean(&both.iter().map(|(before, _)| *before).collect::<Vec<_>>()),
        after: mean(&both.iter().map(|(_, after)| *after).collect::<Vec<_>>()),
        interval: interval(&differences),
        p: p_value(&differences),
    }
}

/// Returns the questions that rose and the questions that fell. Ties are sorted by id.
fn moves(pairs: &[Pair]) -> (Vec<Move>, Vec<Move>) {
    let moved = pairs.iter().filter(|pair| pair.before.rank != pair.after.rank).map(|pair| Move {
        id: pair.after.id.clone(),
        repo: pair.after.repo.clone(),
        query: pair.after.query.clone(),
        before: pair.before.rank,
        after: pair.after.rank,
        gain: pair.after.reciprocal() - pair.before.reciprocal(),
    });
    let mut moved: Vec<Move> = moved.collect();
    moved.sort_by(|a, b| b.gain.abs().total_cmp(&a.gain.abs()).then_with(|| a.id.cmp(&b.id)));
    moved.into_iter().partition(|one| one.gain > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(differences: &[f64]) -> Verdict {
        let change = FigureChange {
            figure: "mrr",
            before: 0.0,
            after: mean(differences),
            interval: interval(differences),
            p: p_value(differences),
        };
        change.verdict()
    }

    #[test]
    fn a_verdict_needs_more_than_chance() {
        let some = |risen: usize, fallen: usize| {
            let mut differences = vec![0.0; 100];
            differences[..risen].fill(0.5);
            differences[risen..risen + fallen].fill(-0.5);
            differences
        };
        assert_eq!(verdict(&some(15, 2)), Verdict::Better);
        assert_eq!(verdict(&some(2, 15)), Verdict::Worse);
        assert_eq!(verdict(&some(9, 6)), Verdict::Unclear);
        assert_eq!(verdict(&some(0, 0)), Verdict::Same);
        assert_eq!(verdict(&[1.0]), Verdict::Unclear, "one question shows nothing");
    }
}
