//! Two runs over the same questions, question by question: how the figures changed, how sure that is, and which
//! questions rose and fell.

use super::groups::{GroupBy, groups};
use super::metrics::QuestionOutcome;
use super::paired::{interval, mean, p_value};
use super::run::{SavedRun, SavedSet};
use crate::error::{Error, Kind, Result};
use std::collections::BTreeMap;

/// One question in both runs.
#[derive(Debug, Clone, Copy)]
struct Pair<'a> {
    before: &'a QuestionOutcome,
    after: &'a QuestionOutcome,
}

/// How a figure changed over some questions.
#[derive(Debug, Clone)]
pub struct FigureChange {
    /// The figure's name.
    pub figure: &'static str,
    /// Its mean before.
    pub before: f64,
    /// Its mean after.
    pub after: f64,
    /// The 95 % interval of the difference.
    pub interval: (f64, f64),
    /// How often chance alone makes it as large.
    pub p: f64,
}

/// How a group of questions changed.
#[derive(Debug, Clone)]
pub struct GroupChange {
    /// What the questions have in common.
    pub by: GroupBy,
    /// Its name.
    pub name: String,
    /// How many questions.
    pub questions: usize,
    /// acc@1, acc@10, MRR, nDCG@10.
    pub changes: Vec<FigureChange>,
}

/// A question whose rank changed.
#[derive(Debug, Clone)]
pub struct Move {
    /// Its name in the set.
    pub id: String,
    /// Its repository.
    pub repo: String,
    /// The question.
    pub query: String,
    /// Its rank before.
    pub before: Option<usize>,
    /// Its rank after.
    pub after: Option<usize>,
    gain: f64,
}

/// What changed between two runs over a set.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The set.
    pub name: String,
    /// All, by category, by repository.
    pub groups: Vec<GroupChange>,
    /// Questions with a better rank, those first that add most to MRR.
    pub rose: Vec<Move>,
    /// Questions with a worse rank, those first that take most from it.
    pub fell: Vec<Move>,
    /// How many questions only the run before has.
    pub only_before: usize,
    /// How many only the run after has.
    pub only_after: usize,
}

/// A figure of one question: its name, and how an outcome has it.
type Figure = (&'static str, fn(&QuestionOutcome) -> f64);
const FIGURES: [Figure; 4] = [
    ("acc@1", |o| o.within(1)),
    ("acc@10", |o| o.within(10)),
    ("mrr", QuestionOutcome::reciprocal),
    ("ndcg@10", |o| o.ndcg),
];

/// What changed between two runs, set by set: those of the later run first, then what only the earlier one has.
///
/// # Errors
/// When two questions of a run cannot be told apart, or no question is in both.
pub fn compare(before: &SavedRun, after: &SavedRun) -> Result<Vec<Comparison>> {
    let missing = |name: &str| SavedSet { name: name.to_owned(), questions: Vec::new() };
    let gone = before.sets.iter().filter(|set| after.set(&set.name).is_none());
    let mut sets = Vec::new();
    for set in &after.sets {
        sets.push(Comparison::new(before.set(&set.name).unwrap_or(&missing(&set.name)), set)?);
    }
    for set in gone {
        sets.push(Comparison::new(set, &missing(&set.name))?);
    }
    if sets.iter().all(|set| set.questions() == 0) {
        let next = "compare runs over the same sets: a set is known by its file's name, a question by repo and id";
        return Err(Error::new(Kind::Questions, "the two runs have no question in common", next));
    }
    Ok(sets)
}

impl Comparison {
    /// How many questions both runs have.
    pub fn questions(&self) -> usize {
        self.groups.first().map_or(0, |all| all.questions)
    }

    /// Of two runs over a set; questions are the same if repository and name are.
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
            return Err(Error::new(Kind::Questions, what, "give each question an id of its own, to compare runs"));
        }
    }
    Ok(by_name)
}

fn change((figure, of): Figure, pairs: &[&Pair]) -> FigureChange {
    let both: Vec<(f64, f64)> = pairs.iter().map(|pair| (of(pair.before), of(pair.after))).collect();
    // A number that went through JSON may come back with another last digit.
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

/// Questions that rose, and those that fell; ties go by name.
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
