//! Repositories of one server, selected by a client's name for them.

use super::FrontEnd;
use super::repository::{IndexStatistics, Repository};
use super::watch::follow;
use crate::typed;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Result};

/// Repositories of one server.
pub struct Repositories {
    all: Vec<Arc<Repository>>,
    /// Callbacks for messages to the user who started the server.
    pub front_end: FrontEnd,
}

impl Repositories {
    /// Creates a server's set of repositories.
    pub fn new(all: Vec<Repository>, front_end: FrontEnd) -> Self {
        Self { all: all.into_iter().map(Arc::new).collect(), front_end }
    }

    /// Returns all repositories.
    pub fn all(&self) -> &[Arc<Repository>] {
        &self.all
    }

    /// Returns the roots of all repositories.
    pub fn roots(&self) -> Vec<&Path> {
        self.all.iter().map(|one| one.root.as_path()).collect()
    }

    /// Returns the state of the server as JSON: its version and the progress of each index. Touches no
    /// index.
    pub fn health(&self) -> Value {
        let repositories = self.all().iter().map(|one| {
            let step = one.step();
            let state = if step.doing.is_empty() { "ready" } else { step.doing };
            let IndexStatistics { looks, files, functions } = one.held();
            json!({
                "root": one.root.to_string_lossy(),
                "state": state,
                "done": step.done,
                "total": step.total,
                "looks": looks,
                "files": files,
                "functions": functions,
            })
        });
        json!({
            "version": 1,
            "status": "ok",
            "program": env!("CARGO_PKG_VERSION"),
            "repositories": repositories.collect::<Vec<_>>(),
        })
    }

    /// Brings every index up to date in the background, now and whenever a file changes. Must be
    /// called in the server's runtime.
    pub fn begin(&self) {
        for repository in &self.all {
            let (repository, notice) = (repository.clone(), self.front_end.notice);
            tokio::spawn(async move {
                if let Err(error) = repository.ask(|_| Ok(())).await {
                    notice(error.what());
                }
                follow(repository, notice).await;
            });
        }
    }

    /// Returns the served repository that a client names by its path, the name of its folder, or the
    /// path of something in it. Without a name, returns the only repository, or the one that
    /// contains the absolute paths in `typed`.
    ///
    /// # Errors
    /// Returns an error unless exactly one repository matches.
    pub fn find<S: AsRef<str>>(
        &self,
        named: Option<&str>,
        typed: impl IntoIterator<Item = S>,
    ) -> Result<&Arc<Repository>> {
        let roots = || self.roots().iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ");
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            return self.named(named).ok_or_else(|| {
                let what = format!("`{named}` does not match exactly one repository of this server");
                Error::new(Kind::Path, what, format!("pass one as root: {}", roots()))
            });
        }
        if let [only] = &self.all[..] {
            return Ok(only);
        }
        let around = typed.into_iter().find_map(|typed| self.around(&typed::absolute(typed.as_ref())?));
        around.ok_or_else(|| {
            let next = format!("pass one as root: {}", roots());
            Error::new(Kind::Path, "this server has several repositories", next)
        })
    }

    fn named(&self, named: &str) -> Option<&Arc<Repository>> {
        let mut same = self.all.iter().filter(|one| one.root.file_name() == Some(named.as_ref()));
        if let Some(first) = same.next() {
            return Some(first).filter(|_| same.next().is_none());
        }
        match (named, &self.all[..]) {
            ("." | "./", [only]) => Some(only),
            ("." | "./", _) => self.around(&std::env::current_dir().ok()?.canonicalize().ok()?),
            _ => self.around(&typed::absolute(named)?),
        }
    }

    /// Returns the innermost repository that contains a path.
    fn around(&self, path: &Path) -> Option<&Arc<Repository>> {
        let around = self.all.iter().filter(|one| path.starts_with(&one.root));
        around.max_by_key(|one| one.root.as_os_str().len())
    }
}
