//! Figures and comparisons for programs, in the formats of SPEC section 3.

use super::{ComparedRuns, RunSettings};
use crate::eval::{Comparison, FigureChange, Figures, GroupChange, Move, SavedRun, SavedSet, groups};
use crate::render::{line, rounded};
use serde_json::{Map, Value, json};

/// Formats the output of `eval --json`.
pub(super) fn run(run: &SavedRun, compared: Option<&ComparedRuns>, ranks: bool) -> String {
    let sets: Map<_, _> = run.sets.iter().map(|set| (set.name.clone(), figures(set, ranks))).collect();
    let mut value = json!({"version": 1, "settings": run.settings, "sets": sets});
    if let Some(ComparedRuns { before, after, sets }) = compared {
        let side = |RunSettings { name, settings }: &RunSettings| json!({"name": name, "settings": settings});
        let sets: Map<_, _> = sets.iter().map(|set| (set.name.clone(), comparison(set))).collect();
        value["comparison"] = json!({"before": side(before), "after": side(after), "sets": sets});
    }
    line(&value)
}

fn figures(set: &SavedSet, ranks: bool) -> Value {
    let groups: Map<_, _> = groups(&set.questions, |o| o).into_iter().map(|group| {
        let intervals: Map<_, _> =
            Figures::intervals(&group.members).into_iter().map(|(figure, (low, high))| (figure.to_owned(), json!([low, high]))).collect();
        let f = Figures::over(group.members.into_iter());
        let figures = json!({
            "questions": f.questions, "acc@1": f.acc1, "acc@5": f.acc5, "acc@10": f.acc10, "mrr": f.mrr, "ndcg@10": f.ndcg10, "ms": rounded(f.ms),
            "intervals": intervals,
        });
        (group.name, figures)
    }).collect();
    let mut value = json!({"groups": groups});
    if ranks {
        value["ranks"] = set.questions.iter().map(|o| json!({"id": o.id, "rank": o.rank, "ndcg@10": o.ndcg})).collect();
    }
    value
}

fn comparison(set: &Comparison) -> Value {
    let groups: Map<_, _> = set.groups.iter().map(|group| (group.name.clone(), changes(group))).collect();
    let moves = |all: &[Move]| -> Vec<Value> {
        let one =
            |m: &Move| json!({"id": m.id, "repo": m.repo, "query": m.query, "before": m.before, "after": m.after});
        all.iter().map(one).collect()
    };
    json!({
        "groups": groups, "rose": moves(&set.rose), "fell": moves(&set.fell),
        "only_before": set.only_before, "only_after": set.only_after,
    })
}

fn changes(group: &GroupChange) -> Value {
    let change = |c: &FigureChange| json!({"before": c.before, "after": c.after, "change": c.after - c.before, "interval": [c.interval.0, c.interval.1], "p": c.p, "verdict": c.verdict().name()});
    let mut value = json!({"questions": group.questions});
    for one in &group.changes {
        value[one.figure] = change(one);
    }
    value
}
