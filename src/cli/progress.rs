//! Shows the progress of indexing or reading: one line on a terminal for work that takes longer
//! than a moment, and nothing in a pipe.

use super::estimate::Estimate;
use super::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use whichfn_index::index::Progress;

/// Duration below which work shows nothing on a terminal.
const MOMENT: Duration = Duration::from_millis(400);

/// A phase of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Phase {
    doing: &'static str,
    /// The items to count; empty if nothing is counted.
    what: &'static str,
}

const LOOKING: Phase = Phase { doing: "looking for changed files", what: "" };
const PARSING: Phase = Phase { doing: "indexing", what: "files" };
const LINKING: Phase = Phase { doing: "linking calls", what: "" };
const WRITING: Phase = Phase { doing: "writing the index", what: "" };
const EMBEDDING: Phase = Phase { doing: "embedding", what: "functions" };
const READING: Phase = Phase { doing: "reading", what: "chunks" };
const INDEXING_TEXT: Phase = Phase { doing: "indexing text", what: "files" };
const SHOWING: Phase = Phase { doing: "reading", what: "functions" };

struct DisplayedStep {
    phase: Phase,
    line: Option<ProgressBar>,
    /// True if standard error is a terminal and progress is not switched off.
    is_visible: bool,
    /// Start of each wait for something outside the program, oldest first.
    waits: Vec<Instant>,
    /// Estimate of the remaining time of the phase, and the start of the phase.
    estimate: (Estimate, Instant),
}

impl DisplayedStep {
    fn new(is_visible: bool) -> Self {
        let estimate = (Estimate::default(), Instant::now());
        Self { phase: LOOKING, line: None, is_visible, waits: Vec::new(), estimate }
    }

    /// Shows a wait: next to a count, or in place of a line without a count.
    fn wait(&mut self, text: &str, start: Instant) {
        self.waits.push(start);
        match &self.line {
            Some(line) if !self.phase.what.is_empty() => line.set_message(text.to_owned()),
            _ => {
                self.clear();
                self.line = self.is_visible.then(|| waiting_line(text));
            }
        }
    }

    /// Replaces the text of the wait that is shown.
    fn update_wait(&self, text: &str) {
        self.line.iter().for_each(|line| line.set_message(text.to_owned()));
    }

    fn end_wait(&mut self, start: Instant) {
        self.waits.retain(|&one| one != start);
        match &self.line {
            Some(_) if !self.waits.is_empty() => {}
            Some(line) if !self.phase.what.is_empty() => line.set_message(""),
            _ => self.clear(),
        }
    }

    fn clear(&mut self) {
        self.line.take().as_ref().into_iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// The step of the newest bar. A process has one standard error, so any code that waits can show it
/// there.
static CURRENT: Mutex<Weak<Mutex<DisplayedStep>>> = Mutex::new(Weak::new());

/// A wait for something outside the program, such as a language model. It ends when this is
/// dropped.
pub(super) struct ExternalWait {
    step: Weak<Mutex<DisplayedStep>>,
    start: Instant,
}

impl ExternalWait {
    /// Begins a wait; `text` names what the program waits for.
    pub fn begin(text: &str) -> Self {
        let step = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let start = Instant::now();
        if let Some(step) = step.upgrade() {
            step.lock().unwrap_or_else(PoisonError::into_inner).wait(text, start);
        }
        Self { step, start }
    }

    /// Replaces the text.
    pub fn update(&self, text: &str) {
        if let Some(step) = self.step.upgrade() {
            step.lock().unwrap_or_else(PoisonError::into_inner).update_wait(text);
        }
    }
}

impl Drop for ExternalWait {
    fn drop(&mut self) {
        if let Some(step) = self.step.upgrade() {
            step.lock().unwrap_or_else(PoisonError::into_inner).end_wait(self.start);
        }
    }
}

pub(super) struct Bar {
    started: Instant,
    is_quiet: bool,
    step: Arc<Mutex<DisplayedStep>>,
}

impl Bar {
    /// Returns a bar that shows nothing if `is_quiet`.
    pub fn new(is_quiet: bool) -> Self {
        let is_visible = !is_quiet && std::io::stderr().is_terminal();
        let step = Arc::new(Mutex::new(DisplayedStep::new(is_visible)));
        *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&step);
        Self { started: Instant::now(), is_quiet, step }
    }

    /// Reports that `done` of `total` chunks of text were read.
    pub fn read(&self, done: usize, total: usize) {
        self.show(READING, done, total);
    }

    /// Reports that `done` functions, of at most `total`, were shown to a model.
    pub fn shown(&self, done: usize, total: usize) {
        self.show(SHOWING, done, total);
    }

    /// Reports that `done` of `total` text files were indexed.
    pub fn text_indexed(&self, done: usize, total: usize) {
        self.show(INDEXING_TEXT, done, total);
    }

    fn step(&self) -> MutexGuard<'_, DisplayedStep> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, phase: Phase, done: usize, total: usize) {
        let mut step = self.step();
        if step.phase != phase {
            step.clear();
            step.estimate = (Estimate::default(), Instant::now());
        }
        step.phase = phase;
        if step.is_visible && self.started.elapsed() >= MOMENT {
            step.line.get_or_insert_with(|| line(phase, total)).set_position(done as u64);
        }
    }
}

/// Returns a bar for the terminal that counts bytes.
pub(super) fn byte_bar(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:32.cyan/dim} {bytes}/{total_bytes} {bytes_per_sec:.dim} {eta:.dim}");
    let bar = ProgressBar::with_draw_target(Some(0), target);
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}

/// Returns a line for the terminal: a bar if the phase counts items.
fn line(phase: Phase, total: usize) -> ProgressBar {
    let length = (!phase.what.is_empty()).then_some(total as u64);
    let template = match phase.what {
        "" => format!("{} {{elapsed}}", phase.doing),
        what => format!("{} {{bar:32.cyan/dim}} {{pos}}/{{len}} {what} {{prefix:.dim}} {{wide_msg:.dim}}", phase.doing),
    };
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let line = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style);
    if length.is_none() {
        line.enable_steady_tick(MOMENT);
    }
    line
}

/// Returns a line for the terminal that shows a wait and its duration.
fn waiting_line(text: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {elapsed}").unwrap_or_else(|_| ProgressStyle::default_bar());
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style);
    line.set_message(text.to_owned());
    line.enable_steady_tick(MOMENT);
    line
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.step().clear();
    }
}

impl Progress for Bar {
    fn confirm(&self, question: &str) -> bool {
        self.step().clear();
        output::agrees(question)
    }

    fn looking(&self) {
        self.show(LOOKING, 0, 0);
    }

    fn step(&self, done: usize, total: usize) {
        self.show(PARSING, done, total);
    }

    fn bytes(&self, done: u64, total: u64) {
        let mut step = self.step();
        let (estimate, start) = &mut step.estimate;
        let left = estimate.left(start.elapsed(), done, total).unwrap_or_default();
        if let Some(line) = step.line.as_ref().filter(|line| step.phase == PARSING && line.prefix() != left) {
            line.set_prefix(left);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_replaces_a_line_without_a_count_and_extends_one_with_a_count() {
        let hidden = |phase: Phase| line(phase, 7).with_finish(indicatif::ProgressFinish::AndClear);
        let mut step = DisplayedStep { line: Some(hidden(LOOKING)), ..DisplayedStep::new(true) };
        let (first, second) = (Instant::now(), Instant::now() + MOMENT);
        let shown = |step: &DisplayedStep| step.line.as_ref().map(|line| line.message().clone());
        step.wait("waiting for the language model small", first);
        assert_eq!(shown(&step).as_deref(), Some("waiting for the language model small"));
        step.update_wait("waiting for the language model small: request 1, 9 tokens so far");
        assert_eq!(shown(&step).as_deref(), Some("waiting for the language model small: request 1, 9 tokens so far"));
        step.end_wait(first);
        assert_eq!(shown(&step), None);
        (step.phase, step.line) = (READING, Some(hidden(READING)));
        step.wait("waiting for the language model small", first);
        step.wait("waiting for the language model small", second);
        step.end_wait(first);
        assert_eq!(shown(&step).as_deref(), Some("waiting for the language model small"));
        step.end_wait(second);
        assert_eq!(shown(&step).as_deref(), Some(""));
    }

    #[test]
    fn shows_no_wait_in_a_pipe() {
        let mut step = DisplayedStep::new(false);
        step.wait("waiting for the language model small", Instant::now());
        assert!(step.line.is_none());
    }
}
