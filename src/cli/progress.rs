//! How far indexing or reading is: a bar on a terminal when it takes longer than a moment, nothing in a pipe.

use super::common::CommonArgs;
use super::output;
use crate::index::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

pub(super) struct Bar {
    started: Instant,
    visible: bool,
    quiet: bool,
    files: OnceLock<ProgressBar>,
    linking: OnceLock<ProgressBar>,
    functions: OnceLock<ProgressBar>,
    chunks: OnceLock<ProgressBar>,
}

impl Bar {
    pub fn new(shared: &CommonArgs) -> Self {
        Self::unless(shared.quiet)
    }

    /// One that shows nothing if `quiet`.
    pub fn unless(quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let empty = OnceLock::new;
        let (files, linking, functions, chunks) = (empty(), empty(), empty(), empty());
        Self { started: Instant::now(), visible, quiet, files, linking, functions, chunks }
    }

    /// `done` of `total` chunks of text are read.
    pub fn read(&self, done: usize, total: usize) {
        self.show(&self.chunks, "reading", "chunks", done, total);
    }

    /// A model was shown `done` functions, of `total` at most.
    pub fn shown(&self, done: usize, total: usize) {
        self.show(&self.chunks, "reading", "functions", done, total);
    }

    fn show(&self, bar: &OnceLock<ProgressBar>, doing: &str, what: &str, done: usize, total: usize) {
        if !self.visible || (bar.get().is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        let bar = bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(&format!(
                "{doing} {{bar:32.cyan/dim}} {{pos}}/{{len}} {what} {{eta_precise}}"
            ));
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        [&self.files, &self.linking, &self.functions, &self.chunks]
            .into_iter()
            .filter_map(OnceLock::get)
            .for_each(ProgressBar::finish_and_clear);
    }
}

impl Progress for Bar {
    fn step(&self, done: usize, total: usize) {
        self.show(&self.files, "indexing", "files", done, total);
    }

    fn linking(&self, files: usize) {
        self.files.get().into_iter().for_each(ProgressBar::finish_and_clear);
        if self.visible && self.started.elapsed() >= PATIENCE {
            let line = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("linking {msg} {elapsed}");
            let line = self.linking.get_or_init(line);
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            line.set_message(format!("calls of {files} files"));
            line.enable_steady_tick(PATIENCE);
        }
    }

    fn embedded(&self, done: usize, total: usize) {
        self.files.get().into_iter().chain(self.linking.get()).for_each(ProgressBar::finish_and_clear);
        self.show(&self.functions, "embedding", "functions", done, total);
    }

    fn notice(&self, line: &str) {
        if !self.quiet {
            match self.functions.get().or(self.linking.get()).or(self.files.get()) {
                Some(bar) => bar.suspend(|| output::notice(line)),
                None => output::notice(line),
            }
        }
    }
}
