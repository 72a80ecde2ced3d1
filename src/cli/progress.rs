//! Shows how far indexing or reading is: a line on a terminal when it takes longer than a moment, and nothing in a pipe.

use super::common::CommonArgs;
use super::output;
use crate::index::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shorter work shows nothing on a terminal.
const MOMENT: Duration = Duration::from_millis(400);

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Phase {
    doing: &'static str,
    /// What is counted; empty where nothing is.
    what: &'static str,
}

const LOOKING: Phase = Phase { doing: "looking for changed files", what: "" };
const PARSING: Phase = Phase { doing: "indexing", what: "files" };
const LINKING: Phase = Phase { doing: "linking calls", what: "" };
const WRITING: Phase = Phase { doing: "writing the index", what: "" };
const EMBEDDING: Phase = Phase { doing: "embedding", what: "functions" };
const READING: Phase = Phase { doing: "reading", what: "chunks" };
const SHOWING: Phase = Phase { doing: "reading", what: "functions" };

struct ShownStep {
    phase: Phase,
    line: Option<ProgressBar>,
}

pub(super) struct Bar {
    started: Instant,
    is_visible: bool,
    is_quiet: bool,
    step: Mutex<ShownStep>,
}

impl Bar {
    pub fn new(shared: &CommonArgs) -> Self {
        Self::unless(shared.quiet)
    }

    /// One that shows nothing if `quiet`.
    pub fn unless(quiet: bool) -> Self {
        let step = Mutex::new(ShownStep { phase: LOOKING, line: None });
        Self { started: Instant::now(), is_visible: !quiet && std::io::stderr().is_terminal(), is_quiet: quiet, step }
    }

    /// `done` of `total` chunks of text are read.
    pub fn read(&self, done: usize, total: usize) {
        self.show(READING, done, total);
    }

    /// A model was shown `done` functions, of `total` at most.
    pub fn shown(&self, done: usize, total: usize) {
        self.show(SHOWING, done, total);
    }

    fn step(&self) -> MutexGuard<'_, ShownStep> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, phase: Phase, done: usize, total: usize) {
        let mut step = self.step();
        if step.phase != phase {
            step.line.take().as_ref().into_iter().for_each(ProgressBar::finish_and_clear);
        }
        step.phase = phase;
        if self.is_visible && self.started.elapsed() >= MOMENT {
            step.line.get_or_insert_with(|| line(phase, total)).set_position(done as u64);
        }
    }
}

/// A line on the terminal: a bar where something is counted.
fn line(phase: Phase, total: usize) -> ProgressBar {
    let length = (!phase.what.is_empty()).then_some(total as u64);
    let template = match phase.what {
        "" => format!("{} {{elapsed}}", phase.doing),
        what => format!("{} {{bar:32.cyan/dim}} {{pos}}/{{len}} {what} {{eta_precise}}", phase.doing),
    };
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let line = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style);
    if length.is_none() {
        line.enable_steady_tick(MOMENT);
    }
    line
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.step().line.take().as_ref().into_iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl Progress for Bar {
    fn looking(&self) {
        self.show(LOOKING, 0, 0);
    }

    fn step(&self, done: usize, total: usize) {
        self.show(PARSING, done, total);
    }

    fn linking(&self, _: usize) {
        self.show(LINKING, 0, 0);
    }

    fn writing(&self) {
        self.show(WRITING, 0, 0);
    }

    fn embedded(&self, done: usize, total: usize) {
        self.show(EMBEDDING, done, total);
    }

    fn notice(&self, line: &str) {
        if !self.is_quiet {
            match &self.step().line {
                Some(bar) => bar.suspend(|| output::notice(line)),
                None => output::notice(line),
            }
        }
    }
}
