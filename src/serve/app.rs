//! What all requests share, and how long each waits.

use super::guard::Guard;
use super::reply::Refusal;
use crate::engine::Engine;
use crate::error::Result;
use crate::host::{IndexState, Repositories, Repository};
use axum::http::StatusCode;
use std::sync::Arc;
use std::time::Duration;

/// How long an answer may take; an index that is made in this time goes on being made.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// What all requests share.
pub(super) struct App {
    pub repositories: Repositories,
    pub guard: Arc<Guard>,
}

impl App {
    /// Of these repositories, behind this guard.
    pub fn new(repositories: Repositories, guard: Guard) -> Self {
        Self { repositories, guard: Arc::new(guard) }
    }

    /// The repository that a request means.
    pub fn repository(&self, root: Option<&str>) -> std::result::Result<&Arc<Repository>, Refusal> {
        self.repositories.meant(root).map_err(|error| Refusal::of(&error, &self.repositories.face))
    }

    /// Does something with a repository's index brought up to date.
    pub async fn ask<T: Send + 'static>(
        &self,
        repository: &Arc<Repository>,
        work: impl Fn(&Engine) -> Result<T> + Send + 'static,
    ) -> std::result::Result<(T, IndexState), Refusal> {
        match tokio::time::timeout(ANSWER_TIME, repository.ask(work)).await {
            Ok(done) => done.map_err(|error| Refusal::of(&error, &self.repositories.face)),
            Err(_) => Err(late(repository)),
        }
    }
}

/// No answer in time: how far it is.
fn late(repository: &Repository) -> Refusal {
    let (step, root) = (repository.step(), repository.root.display());
    let far = match step.total {
        _ if step.doing.is_empty() => "many questions wait".to_owned(),
        Some(total) => format!("{}, {} of {total}", step.doing, step.done),
        None => step.doing.to_owned(),
    };
    let what = format!("no answer from {root} within {} seconds ({far})", ANSWER_TIME.as_secs());
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, what, "ask again: the work goes on")
}
