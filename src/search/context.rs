//! What to read before completing a line: windows of the repository, ranked against the lines before the cursor.
//!
//! Paper:     FragRel, section 3.3 (BM25 + 0.5 x environment) over RepoCoder's windows; RepoCoder, section 3.2 (a first
//!            guess joins the query)
//! Price:     `windows` (one pass over all words), `relation` (two passes over the skeleton, and a bounded search for each
//!            of the [`REFINED`] best windows)

use super::environment::Environment;
use super::windows::{Bag, Windows};
use crate::error::Result;
use crate::ids::FileId;
use crate::relation::{FragmentUnit, Fragments};
use crate::store::GraphFile;

/// The lines before a cursor, and what may not be shown for them.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    /// The last lines before the cursor.
    pub before: &'a str,
    /// A guess at the lines after it.
    pub draft: Option<&'a str>,
    /// The file that they are of, if it is indexed.
    pub file: Option<FileId>,
    /// Windows of that file that end behind this line are left out.
    pub visible: u32,
}

/// How candidates are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextRanking {
    /// BM25 alone.
    Bm25,
    /// As FragRel prints it: BM25 + 0.5 x environment, relation by structure.
    Published,
    /// The best that we found.
    #[default]
    Best,
}

/// A ranked stretch of lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its file.
    pub file: FileId,
    /// First and last line.
    pub lines: (u32, u32),
    /// The score that ranks.
    pub score: f64,
    /// BM25 of the lines themselves.
    pub independent: f64,
}

/// The best windows for some lines, the best first; equal ones by path, then line.
///
/// # Errors
/// As [`Environment::added`].
pub fn rank(graph: &GraphFile, lines: &Lines<'_>, ranking: ContextRanking, k: usize) -> Result<Vec<Ranked>> {
    let mut fragments = Fragments::new(graph, FragmentUnit::Window);
    if let Some(file) = lines.file {
        for window in fragments.of_file(file) {
            fragments.members[window as usize] = fragments.lines(window).1 <= lines.visible;
        }
    }
    let mut bag = Bag::default();
    bag.add(lines.before, 1.0);
    bag.add(lines.draft.unwrap_or_default(), 1.0);
    let independent = Windows::score(&fragments, &bag).scores;
    let mut scores = independent.clone();
    if ranking != ContextRanking::Bm25 {
        let all: Vec<u32> =
            (0..fragments.count() as u32).filter(|&window| fragments.members[window as usize]).collect();
        let added = Environment::PUBLISHED.added(&fragments, &independent, &all, bag.len(), None)?;
        all.iter().zip(added).for_each(|(&window, added)| scores[window as usize] += added);
    }
    let mut order = best_first(&scores, k);
    order.retain(|&window| fragments.members[window as usize]);
    let ranked = |window: u32| Ranked {
        file: fragments.file(window),
        lines: fragments.lines(window),
        score: scores[window as usize],
        independent: independent[window as usize],
    };
    Ok(order.into_iter().map(ranked).collect())
}

/// The numbers of the `k` best scores above 0, the best first; equal ones in order.
fn best_first(scores: &[f64], k: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..scores.len() as u32).filter(|&at| scores[at as usize] > 0.0).collect();
    let compare = |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
    if order.len() > k && k > 0 {
        order.select_nth_unstable_by(k - 1, compare);
        order.truncate(k);
    }
    order.sort_unstable_by(compare);
    order
}
