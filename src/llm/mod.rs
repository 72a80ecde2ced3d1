//! Language models that a user names: a prompt in, a reply out.
//!
//! [`Chat`] asks a server, [`CommandModel`] runs a program. Around either stand [`Budgeted`], which keeps to a
//! [`Budget`], and [`Logged`], which writes down each call; [`DryRun`] stands in for them and only shows the prompt.
//! [`Templates`] makes prompts from files.
//!
//! **Never:** knows code or an index; opens the network or runs a program unless the user named an address or a
//! command.

mod address;
mod budget;
// Waits, keys and retries: a build without a client of servers uses little of them.
#[cfg_attr(not(feature = "llm"), allow(dead_code))]
mod cancel;
#[cfg(feature = "llm")]
mod chat;
mod command;
mod dry;
#[cfg(feature = "llm")]
mod failure;
#[cfg(feature = "llm")]
mod fields;
#[cfg_attr(not(feature = "llm"), allow(dead_code))]
mod key;
mod logged;
#[cfg_attr(not(feature = "llm"), allow(dead_code))]
mod retry;
mod shown;
#[cfg(feature = "llm")]
mod stream;
mod templates;
#[cfg(not(feature = "llm"))]
mod without;

pub use address::Address;
pub use budget::{Budget, Budgeted, Price, Spent};
pub use cancel::Cancel;
#[cfg(feature = "llm")]
pub use chat::Chat;
pub use command::CommandModel;
pub use dry::DryRun;
pub use key::Key;
pub use logged::Logged;
pub use retry::{IDLE_TIMEOUT, RetryPolicy};
pub use templates::Templates;
#[cfg(not(feature = "llm"))]
pub use without::Chat;

use crate::error::Result;

/// Something that completes prompts.
pub trait Model: Send + Sync {
    /// The model's name, as it stands in traces and errors.
    fn name(&self) -> &str;

    /// Completes a prompt.
    ///
    /// # Errors
    /// When no reply comes after all retries, a ceiling is reached, or the run was cancelled.
    fn complete(&self, request: &Request<'_>) -> Result<Reply>;
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        (**self).complete(request)
    }
}

/// A prompt, and what kind of reply is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The whole prompt; what it shares with the prompt before it stands first, so that servers can reuse their work.
    pub prompt: &'a str,
    /// The JSON Schema of the reply, where it should be JSON: a wish, not a promise.
    pub schema: Option<&'a serde_json::Value>,
    /// Tokens of the reply at most; `None` for the server's own limit.
    pub max_output: Option<u32>,
}

impl<'a> Request<'a> {
    /// A prompt with a reply in plain text.
    pub fn new(prompt: &'a str) -> Self {
        Self { prompt, schema: None, max_output: None }
    }

    /// A prompt with a reply in plain text of at most so many tokens.
    pub fn limited(prompt: &'a str, max_output: u32) -> Self {
        Self { max_output: Some(max_output), ..Self::new(prompt) }
    }
}

/// A model's reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The text, as the model wrote it.
    pub text: String,
    /// Whether it ended before it was done: at a limit of tokens, or because the connection closed.
    pub cut: bool,
    /// Tokens as the server counts them; `None` if it does not say, and of a command.
    pub usage: Option<Usage>,
    /// How often it was asked for until it came, from 1; 0 if nobody counted.
    pub tries: u32,
}

/// Tokens of one call, as the server counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt: u64,
    /// Of these, how many the server had in its cache; 0 if it does not say.
    pub cached: u64,
    /// Tokens of the reply.
    pub output: u64,
}
