//! One repository that is served: its questions one after another, each with the index brought up to date before it.

use super::time::utc;
use super::tools::IndexFreshness;
use crate::engine::{Engine, healing};
use crate::error::{Error, Kind, Remedy, Result};
use crate::index::{Options, Progress};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// How the face that starts the server speaks to a person.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// Says one line where people read it: standard error, never standard output.
    pub notice: fn(&str),
    /// What would help, in words.
    pub advice: fn(&Remedy) -> String,
}

/// A repository that is served.
pub struct Repository {
    /// Its root, absolute.
    pub root: PathBuf,
    /// Where indexes lie.
    pub index_dir: PathBuf,
    /// How it is indexed.
    pub options: Options,
    turn: Arc<tokio::sync::Mutex<()>>,
    step: Arc<Mutex<Step>>,
}

/// How far an index is.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    /// Files parsed.
    pub done: usize,
    /// Of so many; none while nobody knows.
    pub total: Option<usize>,
    /// What is done.
    pub doing: &'static str,
}

impl Repository {
    /// A repository that nobody has asked about yet.
    pub fn new(root: PathBuf, index_dir: PathBuf, options: Options) -> Self {
        Self { root, index_dir, options, turn: Arc::default(), step: Arc::default() }
    }

    /// How far the index is that a question waits for.
    pub(super) fn step(&self) -> Step {
        self.step.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Does something with the index brought up to date. Others wait for their turn without a thread of their own; once begun,
    /// work goes on even if nobody waits for it any more, because the index that it makes is everybody's.
    ///
    /// # Errors
    /// When the index cannot be had, and those of `work`.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        notice: fn(&str),
        work: impl Fn(&Engine) -> Result<T> + Send + 'static,
    ) -> Result<(T, IndexFreshness)> {
        let turn = self.turn.clone().lock_owned().await;
        let repository = self.clone();
        let begun = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            repository.answered(notice, work)
        });
        begun.await.unwrap_or_else(|cause| {
            let next = "ask something else; if it happens again, report it with the question";
            Err(Error::new(Kind::Index, format!("answering ended early: {cause}"), next))
        })
    }

    fn answered<T>(&self, notice: fn(&str), work: impl Fn(&Engine) -> Result<T>) -> Result<(T, IndexFreshness)> {
        healing(
            || false,
            || {
                let telling = KeptProgress { step: &self.step, notice, notices: Mutex::default() };
                telling.set(Step { doing: "looking for changed files", ..Step::default() });
                let engine = Engine::open(&self.root, &self.index_dir, &self.options, &telling)?;
                let (at, summary) = (SystemTime::now(), engine.summary());
                telling.set(Step { doing: "answering", ..Step::default() });
                let done = work(&engine)?;
                let freshness = IndexFreshness {
                    root: self.root.to_string_lossy().into_owned(),
                    up_to_date_at: utc(at),
                    changed_files: summary.refreshed_files,
                    files: summary.files,
                    functions: summary.functions,
                    notices: telling.notices.into_inner().unwrap_or_else(PoisonError::into_inner),
                };
                Ok((done, freshness))
            },
        )
    }
}

/// Keeps how far an index is for those who wait.
struct KeptProgress<'a> {
    step: &'a Mutex<Step>,
    notice: fn(&str),
    notices: Mutex<Vec<String>>,
}

impl KeptProgress<'_> {
    fn set(&self, step: Step) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
    }
}

impl Progress for KeptProgress<'_> {
    fn step(&self, done: usize, total: usize) {
        self.set(Step { done, total: Some(total), doing: "reading files" });
    }

    fn linking(&self, files: usize) {
        self.set(Step { done: files, total: Some(files), doing: "linking calls" });
    }

    fn embedded(&self, done: usize, total: usize) {
        self.set(Step { done, total: Some(total), doing: "embedding functions" });
    }

    fn notice(&self, line: &str) {
        (self.notice)(line);
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }
}
