//! How far indexing or reading is: a line on a terminal when it takes longer than a moment; in a pipe a line of text when it takes
//! longer than people wait without asking.

use super::common::CommonArgs;
use super::output;
use crate::index::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shorter work shows nothing on a terminal.
const MOMENT: Duration = Duration::from_millis(400);
/// In a pipe it is said what is done after so long, and again each time that it has taken three times as long.
const PATIENCE: Duration = Duration::from_secs(10);
const AGAIN: u32 = 3;

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
    done: usize,
    total: usize,
    line: Option<ProgressBar>,
}

impl ShownStep {
    fn text(&self) -> String {
        match self.phase.what {
            "" => self.phase.doing.to_owned(),
            what => format!("{}: {} of {} {what}", self.phase.doing, self.done, self.total),
        }
    }
}

pub(super) struct Bar {
    started: Instant,
    is_visible: bool,
    is_quiet: bool,
    step: Arc<Mutex<ShownStep>>,
    /// Who speaks in a pipe; it ends when the first is dropped.
    speaker: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    pub fn new(shared: &CommonArgs) -> Self {
        Self::unless(shared.quiet)
    }

    /// One that shows nothing if `quiet`.
    pub fn unless(quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let step = Arc::new(Mutex::new(ShownStep { phase: LOOKING, done: 0, total: 0, line: None }));
        let speaker = (!quiet && !is_terminal).then(|| speaker(step.clone(), PATIENCE, output::notice));
        Self { started: Instant::now(), is_visible: !quiet && is_terminal, is_quiet: quiet, step, speaker }
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
        (step.phase, step.done, step.total) = (phase, done, total);
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

/// Says what is done, and for how long, each time that patience ends.
fn speaker(step: Arc<Mutex<ShownStep>>, patience: Duration, say: fn(&str)) -> (Sender<()>, JoinHandle<()>) {
    let (held, ended) = channel::<()>();
    let (started, mut wait) = (Instant::now(), patience);
    let speak = move || {
        while ended.recv_timeout(wait.saturating_sub(started.elapsed())) == Err(RecvTimeoutError::Timeout) {
            let text = step.lock().unwrap_or_else(PoisonError::into_inner).text();
            say(&format!("{text} ({} s so far)", started.elapsed().as_secs()));
            wait = wait.saturating_mul(AGAIN);
        }
    };
    (held, std::thread::spawn(speak))
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.step().line.take().as_ref().into_iter().for_each(ProgressBar::finish_and_clear);
        if let Some((held, speaker)) = self.speaker.take() {
            drop(held);
            let _ = speaker.join();
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

    /// Waits for a word of the speaker, at most for a minute.
    fn said(count: usize) -> Vec<String> {
        let started = Instant::now();
        while SAID.lock().expect("said").len() < count && started.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        SAID.lock().expect("said").clone()
    }

    #[test]
    fn in_a_pipe_it_is_said_what_is_done_once_patience_ends() {
        let step = Arc::new(Mutex::new(ShownStep { phase: PARSING, done: 3, total: 7, line: None }));
        let (held, speaker) =
            speaker(step.clone(), Duration::from_millis(1), |line| SAID.lock().expect("said").push(line.to_owned()));
        assert_eq!(said(1)[0], "indexing: 3 of 7 files (0 s so far)");
        step.lock().expect("step").phase = LINKING;
        let so_far = said(1).len();
        assert!(said(so_far + 1).last().is_some_and(|line| line.starts_with("linking calls (")));
        drop(held);
        speaker.join().expect("it ends");
    }
}
