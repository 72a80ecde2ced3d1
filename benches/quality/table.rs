//! Formats outcomes as a table: means for each language and kind, and the confidence in the
//! difference from BM25.

use crate::score::Score;
use crate::tasks::{Kind, Task};
use serde_json::{Value, json};
use whichfn::eval::{interval, mean};

/// Row with which the other rows are compared.
const BASE: &str = "bm25";

/// Outcome of a task.
pub struct Outcome {
    /// Name of the package.
    pub package: String,
    /// Language of the package.
    pub language: String,
    /// Task that was run.
    pub task: Task,
    /// Score of all visible text, which is the upper limit.
    pub ceiling: Score,
    /// Score and milliseconds of each row.
    pub rows: Vec<(Score, f64)>,
}

type Column = (&'static str, fn(&Score) -> f64);
const COLUMNS: [Column; 3] = [("EM@10", |s| s.exact), ("ES@10", |s| s.similarity), ("callee@10", |s| s.callee)];

/// Returns groups with their titles: one for each language and kind, then one for all outcomes.
fn groups(outcomes: &[Outcome]) -> Vec<(String, Vec<&Outcome>)> {
    let mut groups = Vec::new();
    for language in ["python", "rust"] {
        for kind in Kind::ALL {
            let of = outcomes.iter().filter(|o| o.language == language && o.task.kind == kind).collect();
            groups.push((format!("{language} {}", kind.name()), of));
        }
    }
    groups.push(("all".to_owned(), outcomes.iter().collect()));
    groups.retain(|(_, of): &(_, Vec<&Outcome>)| !of.is_empty());
    groups
}

/// Returns the values of a column, one for each task that has a value.
fn values(of: &[&Outcome], column: Column, score: impl Fn(&Outcome) -> Score) -> Vec<f64> {
    let has = |o: &&&Outcome| column.0 != "callee@10" || o.task.kind == Kind::Call;
    of.iter().filter(has).map(|o| column.1(&score(o))).collect()
}

fn cells(of: &[&Outcome], base: Option<usize>, row: usize) -> String {
    let cell = |column: Column| {
        let own = values(of, column, |o| o.rows[row].0);
        let difference = base.filter(|&base| base != row).map(|base| {
            let others = values(of, column, |o| o.rows[base].0);
            let by_task: Vec<f64> = own.iter().zip(&others).map(|(a, b)| a - b).collect();
            let (low, high) = interval(&by_task);
            format!("{:+.3} [{low:+.3} {high:+.3}]", mean(&by_task))
        });
        match own.is_empty() {
            true => format!("  {:>9} {:23}", "-", ""),
            false => format!("  {:>9.3} {:23}", mean(&own), difference.unwrap_or_default()),
        }
    };
    COLUMNS.map(cell).concat()
}

/// Formats the table as text.
pub fn text(outcomes: &[Outcome], rows: &[&str]) -> String {
    let mut out = String::new();
    let base = rows.iter().position(|&name| name == BASE);
    for (title, of) in groups(outcomes) {
        let heads = COLUMNS.map(|(name, _)| format!("  {name:>9} {:23}", "to bm25 (95 %)")).concat();
        out +=
            &format!("\n{:<16}{heads}  {:>6}  {:>6}  {:>6}\n", format!("{title} ({})", of.len()), "lines", "ms", "p95");
        let ceiling = COLUMNS.map(|column| match values(&of, column, |o| o.ceiling) {
            none if none.is_empty() => format!("  {:>9} {:23}", "-", ""),
            all => format!("  {:>9.3} {:23}", mean(&all), ""),
        });
        out += &format!("{:<16}{}\n", "ceiling", ceiling.concat());
        for (row, name) in rows.iter().enumerate() {
            let lines: Vec<f64> = of.iter().map(|o| o.rows[row].0.lines).collect();
            let mut ms: Vec<f64> = of.iter().map(|o| o.rows[row].1).collect();
            ms.sort_by(f64::total_cmp);
            let (half, most) = (ms[ms.len() / 2], ms[ms.len() * 95 / 100]);
            let cells = cells(&of, base, row);
            out += &format!("{name:<16}{cells}  {:>6.0}  {half:>6.1}  {most:>6.1}\n", mean(&lines));
        }
    }
    out
}

/// Returns every task with its scores but without its times, so that two runs can be compared byte
/// by byte.
pub fn json(outcomes: &[Outcome], rows: &[&str]) -> Value {
    let score = |s: &Score| json!({"exact": s.exact, "similarity": s.similarity, "callee": s.callee, "lines": s.lines});
    let tasks = outcomes.iter().map(|o| {
        let by_row: serde_json::Map<_, _> =
            rows.iter().zip(&o.rows).map(|(name, (s, _))| ((*name).to_owned(), score(s))).collect();
        json!({
            "package": o.package, "language": o.language, "kind": o.task.kind.name(), "file": o.task.at.file,
            "line": o.task.at.line, "hidden": o.task.hidden, "ceiling": score(&o.ceiling), "rows": by_row,
        })
    });
    json!({"version": 1, "tasks": tasks.collect::<Vec<_>>()})
}
