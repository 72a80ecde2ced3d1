//! Repositories of one server, selected by a client's name for them.

use super::FrontEnd;
use super::repository::Repository;
use super::watch::follow;
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

    /// Returns the served repository that a client names by its path or the name of its folder.
    ///
    /// # Errors
    /// Returns an error unless exactly one repository matches.
    pub fn find(&self, named: Option<&str>) -> Result<&Arc<Repository>> {
        let roots = || self.roots().iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ");
        let which = |named: &str| {
            let is_it =
                |one: &&Arc<Repository>| one.root == Path::new(named) || one.root.file_name() == Some(named.as_ref());
            let mut found = self.all.iter().filter(is_it);
            found.next().filter(|_| found.next().is_none())
        };
        match (named, &self.all[..]) {
            (None, [only]) => Ok(only),
            (None, _) => Err(Error::new(
                Kind::Path,
                "this server has several repositories",
                format!("pass one as root: {}", roots()),
            )),
            (Some(named), _) => which(named).ok_or_else(|| {
                let what = format!("`{named}` does not match exactly one repository of this server");
                Error::new(Kind::Path, what, format!("pass one as root: {}", roots()))
            }),
        }
    }
}
