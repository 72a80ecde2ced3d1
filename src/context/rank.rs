//! What to read before completing a line: windows of the repository, ranked against the lines before the cursor.
//!
//! Paper:     FragRel, section 3.3 (BM25 + 0.5 x environment) over RepoCoder's windows; RepoCoder, section 3.2 (a first
//!            guess joins the query)
//! Departs:   the default ranking is not the published one, which found no more than BM25 does (benches/quality)
//! Price:     `windows` (one pass over all words); for the published ranking `environment` too

use crate::error::Result;
use crate::graph::EdgeKind;
use crate::ids::{FileId, FragmentId};
use crate::relation::{FragmentUnit, Fragments};
use crate::search::{Bag, Environment, Windows};
use crate::store::GraphFile;

/// In [`ContextRanking::Best`], how much a line counts against the one after it: what was written last says most of
/// what comes next. 0.90 to 0.95 are alike.
const LINE_DECAY: f64 = 0.92;
/// What the cursor's own file adds to its windows, in shares of the best score. 0.2 to 0.4 are alike.
const SAME_FILE_BONUS: f64 = 0.2;
/// What a file in the same directory adds of that.
const SAME_DIRECTORY_SHARE: f64 = 0.5;

/// The lines before a cursor, and what may not be shown for them.
#[derive(Debug, Clone)]
pub struct CursorLines<'a> {
    /// The last lines before the cursor.
    pub before: &'a str,
    /// A guess at the lines after it.
    pub draft: Option<&'a str>,
    /// The path of their file.
    pub path: &'a str,
    /// The file that they are of, if it is indexed.
    pub file: Option<FileId>,
    /// Windows of that file that end behind this line, from 1, are left out: the editor's text differs there.
    pub visible: u32,
}

/// How candidates are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextRanking {
    /// BM25 alone.
    Bm25,
    /// As FragRel prints it: BM25 + 0.5 x environment, relation by structure.
    Published,
    /// What found most on completion tasks (`benches/quality`): later lines count more, near files count more, and
    /// overlapping windows do not say the same twice.
    #[default]
    Best,
}

/// A ranked window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedWindow {
    /// The file that it is in.
    pub file: FileId,
    /// First and last line, from 1, both included.
    pub lines: (u32, u32),
    /// The score that ranks; comparable within one ranking only.
    pub score: f64,
    /// BM25 of its own words, in the same unit.
    pub independent: f64,
}

/// The best windows for some lines, the best first; equal ones by path, then line.
///
/// # Errors
/// As [`Environment::added`].
pub fn rank(
    graph: &GraphFile,
    lines: &CursorLines<'_>,
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
    // Each window overlaps two others at most, so of three times as many, `k` are apart.
    let order = best_first(&scores, if ranking == ContextRanking::Best { k.saturating_mul(3) } else { k });
    let order = order.into_iter().map(ranked);
    Ok(if ranking == ContextRanking::Best { apart(order, k) } else { order.collect() })
}

/// What a line of the draft counts against the last line before the cursor. With 1, 2, 4 the called function is found for .600,
/// .665, .695 of the development tasks (`benches/quality`) where the draft is right, for .550, .585, .610 where half of its
/// words are missing, and for .515, .480, .375 where it is another task's line; without a draft for .505.
const DRAFT: f64 = 2.0;

/// The words of the lines; each line counts `decay` times as much as the one after it. A draft stands behind the last.
fn bag(lines: &CursorLines<'_>, decay: f64) -> Bag {
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

/// What lies near the cursor's file in the directory tree is more likely wanted: the tree part of the structure
/// relation between the two files, in shares of the best score.
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

/// 1 for a file with itself; [`SAME_DIRECTORY_SHARE`] for its neighbours, and less by a directory edge for each one
/// further.
fn nearness(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split('/').collect(), b.split('/').collect());
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let between = a.len() + b.len() - 2 * common - 2;
    SAME_DIRECTORY_SHARE * EdgeKind::Directory.weight().powi(between as i32)
}

/// The first `k` that do not overlap one before them.
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

/// The numbers of the `k` best scores above 0, the best first; equal ones in order.
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
