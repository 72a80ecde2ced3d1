//! Figures and comparisons for users.

use super::{ComparedRuns, RunSettings};
use super::{EvalArgs, GroupChoice};
use crate::eval::{Comparison, Figures, GroupBy, GroupChange, Move, SavedRun, SavedSet, groups};
use std::fmt::Write;
use whichfn_text::ellipsis;

/// Maximum number of questions that rose, and of questions that fell, to list.
const MOVES: usize = 20;
/// Maximum number of characters of a question to show.
const QUERY: usize = 70;

/// Formats a run and its comparison. Writing to a string cannot fail.
pub(super) fn run(run: &SavedRun, compared: Option<&ComparedRuns>, asked: &EvalArgs) -> String {
    let mut out = String::new();
    for set in &run.sets {
        figures(&mut out, set, asked);
    }
    if let Some(compared) = compared {
        out.push('\n');
        for (when, RunSettings { name, settings }) in [("before", &compared.before), ("after", &compared.after)] {
            let settings = if settings.is_empty() { "built-in settings" } else { settings };
            let _ = writeln!(out, "{when:<7} {name}: {settings}");
        }
        compared.sets.iter().for_each(|set| comparison(&mut out, set, asked.by));
    }
    out
}

/// Checks whether a group has rows. Repositories have them only on request, because there are many.
fn shown(group: GroupBy, by: GroupChoice) -> bool {
    group != GroupBy::Repo || by == GroupChoice::Repo
}

fn figures(out: &mut String, set: &SavedSet, asked: &EvalArgs) {
    let _ = writeln!(
        out,
        "{:<24} {:>5} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7}",
        set.name, "n", "acc@1", "acc@5", "acc@10", "MRR", "nDCG@10", "ms"
    );
    for group in groups(&set.questions, |o| o).into_iter().filter(|group| shown(group.by, asked.by)) {
        let intervals = (group.by == GroupBy::Set).then(|| Figures::intervals(&group.members));
        let f = Figures::over(group.members.into_iter());
        let _ = writeln!(
            out,
            "  {:<22} {:>5} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>8.3} {:>7.2}",
            group.name, f.questions, f.acc1, f.acc5, f.acc10, f.mrr, f.ndcg10, f.ms
        );
        if let Some(intervals) = intervals {
            bounds(out, "lower bound, 95 %", intervals.map(|(_, (low, _))| low));
            bounds(out, "upper bound, 95 %", intervals.map(|(_, (_, high))| high));
        }
    }
    for o in set.questions.iter().filter(|_| asked.ranks) {
        let _ = writeln!(out, "  {:>4}  {}", rank(o.rank), o.id);
    }
}

/// Formats one end of the figures' confidence intervals, in the columns of the figures.
fn bounds(out: &mut String, name: &str, [acc1, acc5, acc10, mrr, ndcg10]: [f64; 5]) {
    let _ = writeln!(out, "    {name:<26} {acc1:>7.3} {acc5:>7.3} {acc10:>7.3} {mrr:>7.3} {ndcg10:>8.3}");
}

fn comparison(out: &mut String, set: &Comparison, by: GroupChoice) {
    let _ = writeln!(
        out,
        "\n{:<24} {:>5}  {:<8} {:>7} {:>7} {:>8}  {:<18} {:>6}  verdict",
        set.name, "n", "", "before", "after", "change", "95 % interval", "p"
    );
    for group in set.groups.iter().filter(|group| group.questions > 0 && shown(group.by, by)) {
        changes(out, group);
    }
    if set.only_before + set.only_after > 0 {
        let (before, after) = (set.only_before, set.only_after);
        let _ = writeln!(out, "  not compared: {before} only in the run before, {after} only in the run after");
    }
    if set.questions() > 0 {
        moves(out, "rose", &set.rose);
        moves(out, "fell", &set.fell);
    }
}

/// Formats a line for each figure, with the group's name on the first.
fn changes(out: &mut String, group: &GroupChange) {
    let mut head = format!("  {:<22} {:>5}", group.name, group.questions);
    for change in &group.changes {
        let (low, high) = change.interval;
        let _ = writeln!(
            out,
            "{head:<30}  {:<8} {:>7.3} {:>7.3} {:>+8.3}  [{low:+.3}, {high:+.3}]   {:>6.4}  {}",
            title(change.figure),
            change.before,
            change.after,
            change.after - change.before,
            change.p,
            change.verdict().name()
        );
        head.clear();
    }
}

fn title(figure: &str) -> &str {
    match figure {
        "mrr" => "MRR",
        "ndcg@10" => "nDCG@10",
        other => other,
    }
}

fn moves(out: &mut String, word: &str, all: &[Move]) {
    let _ = writeln!(out, "  {word} {}", all.len());
    let listed = &all[..all.len().min(MOVES)];
    let width = listed.iter().map(|one| one.id.chars().count()).max().unwrap_or(0);
    for one in listed {
        let query = one.query.split_whitespace().collect::<Vec<_>>().join(" ");
        let (before, after) = (rank(one.before), rank(one.after));
        let _ = writeln!(out, "  {before:>4} -> {after:<4} {:<width$}  {}", one.id, ellipsis(&query, QUERY, "…"));
    }
    if all.len() > MOVES {
        let _ = writeln!(out, "       and {} more, which --json lists", all.len() - MOVES);
    }
}

fn rank(rank: Option<usize>) -> String {
    rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string())
}
