//! Ranks windows of the repository against the lines before the cursor, as context for a
//! completion.
//!
//! **Implements:** FragRel, section 3.3 (BM25 + 0.5 x environment) over RepoCoder's windows;
//! RepoCoder, section 3.2 (a first guess is added to the query).
//!
//! **Differs from the paper:** the default ranking is not the published one, which found no more
//! than BM25 (benches/quality).
//!
//! **Cost:** one pass over all words for the windows, and the environment for the published
//! ranking.

use serde::Deserialize;
use whichfn_graph::EdgeKind;
use whichfn_index::store::GraphFile;
use whichfn_search::relation::{FragmentUnit, Fragments};
use whichfn_search::search::{Bag, Environment, Windows};
use whichfn_syntax::ids::{FileId, FragmentId};
use whichfn_system::error::Result;
use whichfn_text::directories_between;

/// Weight of a line relative to the next one in [`ContextRanking::Best`], because the last lines
/// predict the next one best. Values from 0.90 to 0.95 give the same results.
const LINE_DECAY: f64 = 0.92;
/// Bonus for windows in the cursor's own file, as a share of the best score. Values from 0.2 to 0.4
/// give the same results.
const SAME_FILE_BONUS: f64 = 0.2;
/// Share of [`SAME_FILE_BONUS`] for files in the same directory.
const SAME_DIRECTORY_SHARE: f64 = 0.5;

/// The lines before a cursor, and the lines of its file that may be shown.
#[derive(Debug, Clone)]
pub struct CursorQuery<'a> {
    /// Last lines before the cursor.
    pub before: &'a str,
    /// Guess at the lines after the cursor.
    pub draft: Option<&'a str>,
    /// Path of the cursor's file, relative to the root.
    pub path: &'a str,
    /// Id of the cursor's file; `None` if the file is not indexed.
    pub file: Option<FileId>,
    /// Last line of that file that may be shown, 1-based. Windows that end after it are left out,
    /// because the editor's text differs there or belongs to the query.
    pub visible: u32,
}

/// Method that ranks windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextRanking {
    /// BM25 only, without the environment.
    Bm25,
    /// As published in FragRel: BM25 + 0.5 x environment, with the structure relation.
    Published,
    /// The best method on completion tasks (`benches/quality`): later lines and nearby files weigh
    /// more, and overlapping windows are dropped.
    #[default]
    Best,
}

/// A ranked window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedWindow {
    /// File of the window.
    pub file: FileId,
    /// First and last line, 1-based and inclusive.
    pub lines: (u32, u32),
    /// Score that determines the rank; comparable only within one ranking.
    pub score: f64,
    /// BM25 score of the window's own words, on the same scale.
    pub independent: f64,
}

/// Returns the best windows for the lines before a cursor, best first. Equal scores are sorted by
/// path, then by line.
///
/// # Errors
/// Returns the errors of [`Environment::added`].
pub fn rank(
    graph: &GraphFile,
    lines: &CursorQuery<'_>,
    ranking: ContextRanking,
    k: usize,
) -> Result<Vec<RankedWindow>> {
    let mut fragments = Fragments::new(graph, FragmentUnit::Window);
    if let Some(file) = lines.file {
        for window in fragments.of_file(file) {
            fragments.members[window] = fragments.lines(window).1 <= lines.visible;
        }
    }
    let bag = bag(lines, if ranking == ContextRanking::Best { LINE_DECAY } else { 1.0 });
    let independent = Windows::score(&fragments, &bag).scores;
    let mut scores = independent.clone();
    match ranking {
        ContextRanking::Bm25 => {}
        ContextRanking::Published => add_environment(&fragments, &independent, &mut scores, bag.distinct())?,
        ContextRanking::Best => add_nearness(&fragments, lines.path, &mut scores),
    }
    let ranked = |window: FragmentId| RankedWindow {
        file: fragments.file(window),
        lines: fragments.lines(window),
        score: scores[window.index()],
        independent: independent[window.index()],
    };
    // Each window overlaps at most two others, so at least `k` of three times as many windows do
    // not overlap.
    let order = best_first(&scores, if ranking == ContextRanking::Best { k.saturating_mul(3) } else { k });
    let order = order.into_iter().map(ranked);
    Ok(if ranking == ContextRanking::Best { apart(order, k) } else { order.collect() })
}

/// Weight of a line of the draft, relative to the last line before the cursor.
///
/// With weights of 1, 2 and 4, the called function is found for .600, .665 and .695 of the
/// development tasks (`benches/quality`) if the draft is right, for .550, .585 and .610 if half of
/// its words are missing, and for .515, .480 and .375 if it is a line from a different task.
/// Without a draft, the called function is found for .505.
const DRAFT: f64 = 2.0;

/// Returns the words of the lines and the draft. Each line weighs `decay` times as much as the next
/// one.
fn bag(lines: &CursorQuery<'_>, decay: f64) -> Bag {
    let mut bag = Bag::default();
    let before: Vec<&str> = lines.before.lines().collect();
    for (distance, line) in before.iter().rev().enumerate() {
        bag.add(line, decay.powi(distance as i32));
    }
    bag.add(lines.draft.unwrap_or_default(), if decay < 1.0 { DRAFT } else { 1.0 });
    bag
}

fn add_environment(fragments: &Fragments<'_>, independent: &[f64], scores: &mut [f64], words: usize) -> Result<()> {
    let members = fragments.ids().filter(|&window| fragments.members[window]);
    let all: Vec<(FragmentId, f64)> = members.map(|window| (window, independent[window.index()])).collect();
    let added = Environment::PUBLISHED.added(fragments, &all, words, None, None, None)?;
    all.iter().zip(added).for_each(|(&(window, _), added)| scores[window.index()] += added);
    Ok(())
}

/// Adds a bonus for files close to the cursor's file in the directory tree, as a share of the best
/// score. The bonus is the tree part of the structure relation between the two files.
fn add_nearness(fragments: &Fragments<'_>, path: &str, scores: &mut [f64]) {
    let best = scores.iter().copied().fold(0.0, f64::max);
    for file in fragments.graph.file_ids() {
        let mut found = fragments.of_file(file).filter(|window| scores[window.index()] > 0.0).peekable();
        if found.peek().is_none() {
            continue;
        }
        let added = SAME_FILE_BONUS * best * nearness(path, fragments.graph.path(file));
        found.collect::<Vec<FragmentId>>().into_iter().for_each(|window| scores[window.index()] += added);
    }
}

/// Returns 1 for the same file, [`SAME_DIRECTORY_SHARE`] for files in the same directory, and that
/// share times the weight of a directory edge for each directory in between.
fn nearness(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    SAME_DIRECTORY_SHARE * EdgeKind::Directory.weight().powi(directories_between(a, b) as i32)
}

/// Returns the first `k` windows that do not overlap a window before them.
fn apart(ranked: impl Iterator<Item = RankedWindow>, k: usize) -> Vec<RankedWindow> {
    let mut chosen: Vec<RankedWindow> = Vec::with_capacity(k.min(64));
    for one in ranked {
        let overlaps = |other: &RankedWindow| {
            other.file == one.file && other.lines.0 <= one.lines.1 && one.lines.0 <= other.lines.1
        };
        if chosen.len() < k && !chosen.iter().any(overlaps) {
            chosen.push(one);
        }
    }
    chosen
}

/// Returns the `k` windows with the best scores above 0, best first. Equal scores are sorted by id.
fn best_first(scores: &[f64], k: usize) -> Vec<FragmentId> {
    let mut order: Vec<FragmentId> =
        (0..scores.len()).map(FragmentId::new).filter(|&at| scores[at.index()] > 0.0).collect();
    let compare = |a: &FragmentId, b: &FragmentId| scores[b.index()].total_cmp(&scores[a.index()]).then(a.cmp(b));
    if order.len() > k && k > 0 {
        order.select_nth_unstable_by(k - 1, compare);
        order.truncate(k);
    }
    order.sort_unstable_by(compare);
    order
}
