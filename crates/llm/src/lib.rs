//! Calls the language model that the user chose: it sends a prompt and returns the reply.
//!
//! [`Chat`] sends requests to a server, and [`CommandModel`] runs a program. Either can be wrapped
//! in [`BudgetedModel`], which enforces a [`Budget`], and in [`LoggedModel`], which records each
//! call. [`DryRun`] replaces them and only prints the prompt. [`Templates`] renders prompts from
//! files.
//!
//! # Where to change what
//!
//! - prompts: `prompts/`; their values are filled in by the callers in `crates/read/`
//! - timeouts and pauses: `retry.rs`; which failures are retried: `failure.rs`; the loop: `chat.rs`
//! - limits on calls, tokens and cost: `budget.rs`
//! - another kind of server: `chat.rs`, `fields.rs`, `stream.rs`; where it reports its context
//!   window: `facts.rs`
//!
//! **Never:** depends on code or an index; opens the network or runs a program unless the user
//! specified an address or a command.

mod address;
mod budget;
// A build without the server client uses only part of the code for pauses, keys and retries.
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod cancel;
#[cfg(feature = "http")]
mod chat;
mod command;
mod dry;
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod facts;
#[cfg(feature = "http")]
mod failure;
#[cfg(feature = "http")]
mod fields;
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod key;
mod logged;
mod message;
#[cfg(feature = "http")]
mod repeats;
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod retry;
#[cfg(feature = "http")]
mod schema_order;
#[cfg(feature = "http")]
mod stream;
mod templates;
#[cfg(not(feature = "http"))]
mod without;

pub use address::Address;
pub use budget::{Budget, BudgetedModel, Price, Spending};
pub use cancel::Cancel;
#[cfg(feature = "http")]
pub use chat::Chat;
pub use command::CommandModel;
pub use dry::DryRun;
pub use facts::ServerFacts;
pub use key::Key;
pub use logged::LoggedModel;
pub use retry::{IDLE_TIMEOUT, RetryPolicy};
pub use templates::Templates;
#[cfg(not(feature = "http"))]
pub use without::Chat;

use whichfn_system::error::Result;

/// A model that completes prompts.
pub trait Model: Send + Sync {
    /// Returns the model's name for traces and errors.
    fn name(&self) -> &str;

    /// Returns the number of tokens in the model's context window, which contains the prompt and
    /// the reply; `None` if it is unknown. A server may be queried once.
    fn context(&self) -> Option<u32> {
        None
    }

    /// Completes a prompt.
    ///
    /// # Errors
    /// Returns an error if all retries fail, a limit is reached, or the run was cancelled.
    fn complete(&self, request: &Request<'_>) -> Result<Reply>;
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn context(&self) -> Option<u32> {
        (**self).context()
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        (**self).complete(request)
    }
}

/// A prompt, and the format and maximum length of the reply.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The whole prompt. It begins with the part that it shares with the previous prompt, so that
    /// servers can reuse their work.
    pub prompt: &'a str,
    /// JSON Schema for the reply, or `None` for plain text. The server may ignore the schema.
    pub schema: Option<&'a serde_json::Value>,
    /// Maximum number of tokens in the reply, or `None` for the server's own limit.
    pub max_output: Option<u32>,
    /// Observer of the progress, if any.
    pub watch: Option<Watch<'a>>,
}

/// An observer that is called while a reply arrives.
#[derive(Clone, Copy)]
pub struct Watch<'a>(pub &'a (dyn Fn(Progress) + Sync));

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watch")
    }
}

/// The progress of a server with one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of prompt tokens that the server has read, and number of all prompt tokens; `None` if
    /// the server does not report them.
    pub prompt: Option<(u64, u64)>,
    /// Number of pieces of the reply that have arrived. Most servers send one token in each.
    pub output: u64,
}

impl<'a> Request<'a> {
    /// Creates a request for a plain-text reply.
    pub fn new(prompt: &'a str) -> Self {
        Self { prompt, schema: None, max_output: None, watch: None }
    }

    /// Creates a request for a plain-text reply of at most `max_output` tokens.
    pub fn limited(prompt: &'a str, max_output: u32) -> Self {
        Self { max_output: Some(max_output), ..Self::new(prompt) }
    }
}

/// A model's reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// Text exactly as the model wrote it.
    pub text: String,
    /// True if the reply is incomplete because it reached a token limit, repeated itself, or the
    /// connection closed.
    pub cut: bool,
    /// True if the reply was cut off because it repeated itself. Its text contains the repeated part
    /// twice.
    pub repeats: bool,
    /// Token counts that the server reported, or `None` if it reported none. `None` for a command.
    pub usage: Option<Usage>,
    /// Number of attempts until the reply arrived, including the successful one; 0 if unknown.
    pub tries: u32,
}

/// Token counts of one call, as reported by the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Number of tokens in the prompt.
    pub prompt: u64,
    /// Number of prompt tokens that were in the server's cache; 0 if not reported.
    pub cached: u64,
    /// Number of tokens in the reply.
    pub output: u64,
    /// Milliseconds that the server took to read the prompt; 0 if not reported.
    pub prompt_ms: u64,
    /// Milliseconds that the server took to write the reply; 0 if not reported.
    pub output_ms: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt += other.prompt;
        self.cached += other.cached;
        self.output += other.output;
        self.prompt_ms += other.prompt_ms;
        self.output_ms += other.output_ms;
    }
}
