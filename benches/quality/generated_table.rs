//! Formats generated lines as a table: the means of each row, and paired differences.

use crate::generate::{GeneratedLine, Generations, ROWS};
use std::collections::{BTreeMap, BTreeSet};
use whichfn::eval::{interval, mean};

/// Pairs of rows that are compared: the first minus the second.
const PAIRS: [(&str, &str); 14] = [
    ("random", "none"),
    ("bm25", "none"),
    ("published", "none"),
    ("best", "none"),
    ("oracle", "none"),
    ("bm25", "random"),
    ("best", "random"),
    ("published", "bm25"),
    ("best", "bm25"),
    ("best", "published"),
    ("bm25 x2", "bm25"),
    ("published x2", "published"),
    ("best x2", "best"),
    ("oracle", "best"),
];

type Column = (&'static str, fn(&GeneratedLine) -> f64);
const COLUMNS: [Column; 3] =
    [("EM", |line| line.exact), ("ES", |line| line.similarity), ("identifiers", |line| line.identifiers)];
type TaskName<'l> = (&'l str, &'l str, u32);
type LinesOfTask<'l> = BTreeMap<&'l str, &'l GeneratedLine>;

/// Formats one table for each prompt size and number of fragments. Only tasks with a line in every
/// row that has any are counted.
pub fn text(all: &Generations) -> String {
    let mut settings: BTreeMap<(usize, usize), BTreeMap<TaskName<'_>, LinesOfTask<'_>>> = BTreeMap::new();
    for line in all.lines.values() {
        let tasks = settings.entry((line.key.prompt_tokens, line.key.most_fragments)).or_default();
        let task = tasks.entry((&line.key.package, &line.key.file, line.key.line)).or_default();
        task.insert(&line.key.row, line);
    }
    let mut out = String::new();
    for ((tokens, fragments), mut tasks) in settings {
        let rows: BTreeSet<&str> = tasks.values().flat_map(BTreeMap::keys).copied().collect();
        let begun = tasks.len();
        tasks.retain(|_, lines| lines.len() == rows.len());
        out += &format!(
            "\nprompts of up to {tokens} tokens, up to {fragments} fragments: {} tasks ({} incomplete)\n",
            tasks.len(),
            begun - tasks.len()
        );
        out += &table(&rows, &tasks.into_values().collect::<Vec<_>>());
    }
    out
}

fn table(rows: &BTreeSet<&str>, tasks: &[LinesOfTask<'_>]) -> String {
    let mut out = format!(
        "{:<14} {:>7} {:>7} {:>11} {:>9} {:>7} {:>6} {:>7}\n",
        "", "EM", "ES", "identifiers", "fragments", "prompt", "output", "ms"
    );
    let of = |row: &str, value: &dyn Fn(&GeneratedLine) -> f64| -> Vec<f64> {
        tasks.iter().map(|lines| value(lines[row])).collect()
    };
    for name in ROWS.iter().map(|row| row.name).filter(|name| rows.contains(name)) {
        let figures = COLUMNS.map(|(_, value)| mean(&of(name, &value)));
        out += &format!(
            "{name:<14} {:>7.3} {:>7.3} {:>11.3} {:>9.1} {:>7.0} {:>6.1} {:>7.0}\n",
            figures[0],
            figures[1],
            figures[2],
            mean(&of(name, &|line| line.fragments as f64)),
            mean(&of(name, &|line| line.cost.prompt as f64)),
            mean(&of(name, &|line| line.cost.output as f64)),
            mean(&of(name, &|line| line.cost.ms)),
        );
    }
    for (one, other) in PAIRS.iter().filter(|(one, other)| rows.contains(one) && rows.contains(other)) {
        let cells = COLUMNS.map(|(title, value)| {
            let by_task: Vec<f64> = of(one, &value).iter().zip(of(other, &value)).map(|(a, b)| a - b).collect();
            let (low, high) = interval(&by_task);
            format!("  {title} {:+.3} [{low:+.3} {high:+.3}]", mean(&by_task))
        });
        out += &format!("{:<28}{}\n", format!("{one} - {other}"), cells.concat());
    }
    out
}
