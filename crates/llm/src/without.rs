//! Replaces the client of servers in a build without the feature `llm` with an error. A command can
//! be the model in any build.

use super::{Address, Cancel, Key, Model, Reply, Request, RetryPolicy};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// A model on a server. This build cannot reach any, so the type has no values.
#[derive(Debug)]
pub enum Chat {}

impl Chat {
    /// Always returns an error.
    ///
    /// # Errors
    /// Always returns an error, because this build has no HTTP client.
    pub fn new(address: Address, _: &str, _: Key, _: RetryPolicy, _: Cancel) -> Result<Self> {
        let what = format!("{address}: this build of whichfn cannot call language models on servers");
        Err(Error::new(Kind::Model, what, Remedy::InstallClient))
    }

    /// Cannot be called, because no value exists.
    ///
    /// # Errors
    /// Never returns an error.
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
