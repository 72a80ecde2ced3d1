//! State that all requests share, and the time limit of each answer.

use super::guard::Guard;
use super::reply::Refusal;
use crate::engine::Engine;
use crate::host::{IndexFreshness, Repositories, Repository};
use axum::http::StatusCode;
use std::sync::Arc;
use std::time::Duration;
use whichfn_system::error::{Error, Result};

/// Maximum time for an answer; work on an index continues after it.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// State that all requests share.
pub(super) struct App {
    pub repositories: Repositories,
    pub guard: Arc<Guard>,
}

impl App {
    /// Creates the state for these repositories, behind this guard.
    pub fn new(repositories: Repositories, guard: Guard) -> Self {
        Self { repositories, guard: Arc::new(guard) }
    }

    /// Returns the repository that a request names, or that contains the locations in it.
    pub fn repository<S: AsRef<str>>(
        &self,
        root: Option<&str>,
        typed: impl IntoIterator<Item = S>,
    ) -> std::result::Result<&Arc<Repository>, Refusal> {
        self.repositories.find(root, typed).map_err(|error| self.refusal(&error))
    }

    /// Converts a name or location for the engine.
    pub fn name(&self, repository: &Repository, typed: &str) -> std::result::Result<String, Refusal> {
        repository.typed_paths().name(typed).map_err(|error| self.refusal(&error))
    }

    /// Converts globs for the engine.
    pub fn globs(&self, repository: &Repository, typed: &[String]) -> std::result::Result<Vec<String>, Refusal> {
        let paths = repository.typed_paths();
        typed.iter().map(|typed| paths.glob(typed)).collect::<Result<_>>().map_err(|error| self.refusal(&error))
    }

    fn refusal(&self, error: &Error) -> Refusal {
        Refusal::from_error(error, &self.repositories.front_end)
    }

    /// Runs `work` with a repository's index brought up to date.
    pub async fn ask<T: Send + 'static>(
        &self,
        repository: &Arc<Repository>,
        work: impl Fn(&Engine) -> Result<T> + Send + 'static,
    ) -> std::result::Result<(T, IndexFreshness), Refusal> {
        match tokio::time::timeout(ANSWER_TIME, repository.ask(work)).await {
            Ok(done) => done.map_err(|error| self.refusal(&error)),
            Err(_) => Err(late(repository)),
        }
    }
}

/// Returns the refusal for a late answer, with the current progress.
fn late(repository: &Repository) -> Refusal {
    let (step, root) = (repository.step(), repository.root.display());
    let far = match step.total {
        _ if step.doing.is_empty() => "too many questions are waiting".to_owned(),
        Some(total) => format!("{}, {} of {total}", step.doing, step.done),
        None => step.doing.to_owned(),
    };
    let what = format!("no answer from {root} within {} seconds ({far})", ANSWER_TIME.as_secs());
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, what, "retry later: the work continues")
}
