//! The methods that are compared, each of which chooses ten fragments.

use crate::score::{QUERY_LINES, Span, View};
use crate::tasks::Task;
use whichfn::engine::Engine;
use whichfn::eval::SplitMix64;
use whichfn_read::context::{Context, ContextFragment, ContextQuery, ContextRanking};

/// Number of fragments to choose.
pub const K: usize = 10;
/// Number of lines in the paper's window, and distance between the starts of two windows.
const WINDOW: (u32, u32) = (20, 10);

/// A method that chooses fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// Windows drawn at random, as a floor.
    Random,
    /// The fragments of `whichfn context`, with or without the hidden line as a draft. The draft is
    /// RepoCoder's oracle: no real first guess is better.
    Context { ranking: ContextRanking, draft: bool },
}

impl Row {
    /// All rows, in the order of the table.
    pub const ALL: [(&'static str, Self); 7] = [
        ("random", Self::Random),
        ("bm25", Self::Context { ranking: ContextRanking::Bm25, draft: false }),
        ("published", Self::Context { ranking: ContextRanking::Published, draft: false }),
        ("best", Self::Context { ranking: ContextRanking::Best, draft: false }),
        ("bm25+draft", Self::Context { ranking: ContextRanking::Bm25, draft: true }),
        ("published+draft", Self::Context { ranking: ContextRanking::Published, draft: true }),
        ("best+draft", Self::Context { ranking: ContextRanking::Best, draft: true }),
    ];

    /// Returns the fragments that the method chooses for a task, from an index that does not
    /// contain the hidden text.
    pub fn fragments(self, engine: &Engine, task: &Task, view: &View<'_>) -> Vec<Span> {
        let Self::Context { ranking, draft } = self else { return random(task, view) };
        let found = context(engine, task, ranking, draft.then(|| task.hidden.clone())).fragments;
        found.into_iter().map(|f| Span { file: f.path, first: f.start_line, last: f.end_line }).collect()
    }

    /// Returns the fragments with their text, best first. A draft from a model replaces the draft
    /// of the row.
    pub fn context(self, engine: &Engine, task: &Task, view: &View<'_>, guess: Option<String>) -> Vec<ContextFragment> {
        match self {
            Self::Random => random(task, view).iter().map(|span| view.fragment(span)).collect(),
            Self::Context { ranking, draft } => {
                let draft = guess.or_else(|| draft.then(|| task.hidden.clone()));
                context(engine, task, ranking, draft).fragments
            }
        }
    }
}

fn context(engine: &Engine, task: &Task, ranking: ContextRanking, draft: Option<String>) -> Context {
    let query = ContextQuery {
        file: task.at.file.clone(),
        line: task.at.line,
        column: None,
        text: None,
        k: K,
        budget: None,
        draft,
        ranking,
    };
    engine.context(&query).expect("context")
}

fn random(task: &Task, view: &View<'_>) -> Vec<Span> {
    let (length, step) = WINDOW;
    let mut windows = Vec::new();
    for mut span in view.everything() {
        if span.file == task.at.file {
            span.last = task.at.line.saturating_sub(QUERY_LINES + 1);
        }
        let windows_of = (1..=span.last).step_by(step as usize);
        windows.extend(windows_of.map(|first| Span { first, last: span.last.min(first + length - 1), ..span.clone() }));
    }
    SplitMix64::seeded(&format!("{}:{}", task.at.file, task.at.line)).shuffle(&mut windows);
    windows.truncate(K);
    windows
}
