//! What a build without the feature `llm` says when a model on a server is named. A command can play the model in any build.

use super::{Address, Cancel, Key, Model, Reply, Request, RetryPolicy};
use crate::error::{Error, Kind, Remedy, Result};

/// A model on a server, which this build cannot reach: there is none.
#[derive(Debug)]
pub enum Chat {}

impl Chat {
    /// None.
    ///
    /// # Errors
    /// Always: this build has no HTTP client.
    pub fn new(address: Address, _: &str, _: Key, _: RetryPolicy, _: Cancel) -> Result<Self> {
        let what = format!("{address}: this build of whichfn cannot ask language models on servers");
        Err(Error::new(Kind::Model, what, Remedy::InstallClient))
    }

    /// None.
    ///
    /// # Errors
    /// Never: there is no such model.
    pub fn models(&self) -> Result<Vec<String>> {
        match *self {}
    }
}

impl Model for Chat {
    fn name(&self) -> &str {
        match *self {}
    }

    fn complete(&self, _: &Request<'_>) -> Result<Reply> {
        match *self {}
    }
}
