//! Replaces the client for servers in a build without the `llm` feature. Creating this client is an
//! error; a command can be the model in any build.

use super::{Address, Cancel, Key, Model, Reply, Request, RetryPolicy, ServerFacts};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// A client for a model on a server. The type has no values, because this build cannot reach any
/// server.
#[derive(Debug)]
pub enum Chat {}

impl Chat {
    /// Returns an error, because this build has no HTTP client.
    ///
    /// # Errors
    /// Always returns an error, because this build has no HTTP client.
    pub fn new(address: Address, _: &str, _: Key, _: RetryPolicy, _: Cancel) -> Result<Self> {
        let what = format!("{address}: this build of whichfn cannot call language models on servers");
        Err(Error::new(Kind::Model, what, Remedy::InstallClient))
    }

    /// Returns the model names of a server. It cannot be called, because no client exists.
    ///
    /// # Errors
    /// Never returns an error.
    pub fn models(&self) -> Result<Vec<String>> {
        match *self {}
    }

    /// Returns what a server reports about itself. It cannot be called, because no client exists.
    ///
    /// # Errors
    /// Never returns an error.
    pub fn facts(&self) -> Result<ServerFacts> {
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
