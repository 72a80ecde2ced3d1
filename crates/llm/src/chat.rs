//! Implements a client for OpenAI's chat completions protocol, which OpenAI, vLLM, llama.cpp,
//! Ollama and many other servers support.
//!
//! The reply is streamed, so that a silent server can be distinguished from a slow one, and the
//! received part of an interrupted reply is kept. Servers support different sets of request fields:
//! a field that a server rejects is omitted from later requests (`crates/llm/src/fields.rs`).
//!
//! Before the first prompt, the server is asked for the size of the context window
//! (`crates/llm/src/facts.rs`). A prompt that cannot fit is not sent, and the limit of a reply is at
//! most the rest of the window.
//!
//! **Cost:** one request per attempt. [`RetryPolicy`] determines the attempts. A silent server
//! receives no second request, because it may still be working on the first.
//!
//! **Never:** follows redirects, because they could carry the key and the prompt to another host.
//! Never sends a key unencrypted to another machine, unless the user named the key for this server.

use super::failure::{Failure, server_message};
use super::fields::RejectedFields;
use super::message::one_line;
use super::retry::CONNECT_TIMEOUT;
use super::schema_order::SchemaOrder;
use super::stream::{Stream, StreamEnd};
use super::{Address, Cancel, Key, Model, Reply, Request, RetryPolicy, ServerFacts};
use serde_json::Value;
use std::io::Read;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use ureq::Body;
use ureq::http::{HeaderMap, Response};
use ureq::tls::{RootCerts, TlsConfig};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_text::BYTES_PER_TOKEN;

/// Maximum size of a reply in bytes. No model writes that much, so longer output is not a reply.
const LONGEST_REPLY: usize = 4 << 20;
/// Shortest timeout of an attempt. Zero would mean no timeout.
const SHORTEST_TRY: Duration = Duration::from_millis(1);
/// Most bytes that a token has on average in prompts with code. A prompt with more bytes than this
/// for each token of the context window cannot fit.
const MOST_BYTES_PER_TOKEN: usize = 6;
/// Smallest limit of a reply. A server that has less room in its context window cuts the reply off.
const SHORTEST_REPLY: u32 = 64;
/// Maximum number of bytes that are read from the body of an error response.
const LONGEST_ERROR: u64 = 64 << 10;

/// A client for one model on a server.
#[derive(Debug)]
pub struct Chat {
    agent: ureq::Agent,
    address: Address,
    model: String,
    key: Key,
    retry: RetryPolicy,
    cancel: Cancel,
    /// Request fields that this server rejected earlier in this run.
    rejected: Mutex<RejectedFields>,
    /// What the server reports about itself, once it was asked.
    facts: OnceLock<ServerFacts>,
}

impl Chat {
    /// Creates a client for the model called `model` on a server.
    ///
    /// # Errors
    /// Returns an error if third parties could read the key in transit, or if the key contains
    /// characters that are not allowed in a header.
    pub fn new(address: Address, model: &str, key: Key, retry: RetryPolicy, cancel: Cancel) -> Result<Self> {
        if key.is_set() && !key.is_meant() && address.is_readable_by_others() {
            let what = format!("the key in {} would be sent to {address} without encryption", key.variable());
            return Err(Error::new(Kind::Usage, what, Remedy::EncryptKey(key.variable().to_owned())));
        }
        if key.bearer().is_some_and(|value| !value.chars().all(|c| c.is_ascii() && !c.is_ascii_control())) {
            let what = format!("the key in {} contains characters that are not allowed in a header", key.variable());
            return Err(Error::new(Kind::Usage, what, "copy the key again, without line breaks"));
        }
        let mut config = ureq::Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("whichfn/", env!("CARGO_PKG_VERSION")))
            // A compressing server delays data until a block is full; pieces should arrive
            // immediately.
            .accept_encoding("identity")
            // Companies put their own certificates into the system's store.
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
            .timeout_connect(Some(retry.connect_timeout()))
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_per_read(Some(retry.idle_timeout))
            .timeout_per_write(Some(retry.idle_timeout))
            .timeout_global(Some(retry.total_timeout()));
        if address.is_loopback() {
            // Requests to this machine should not leave it through a proxy.
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        Ok(Self {
            agent,
            address,
            model: model.to_owned(),
            key,
            retry,
            cancel,
            rejected: Mutex::default(),
            facts: OnceLock::new(),
        })
    }

    /// Returns the names of the models that the server lists.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached or returns an error status.
    pub fn models(&self) -> Result<Vec<String>> {
        let url = self.address.models();
        let list = self.get(&url, self.retry.total_timeout()).map_err(|failure| failure.into_error(1))?;
        let models = list["data"].as_array().into_iter().flatten();
        Ok(models.filter_map(|model| model["id"].as_str()).map(one_line).collect())
    }

    /// Returns what the server reports about itself.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached.
    pub fn facts(&self) -> Result<ServerFacts> {
        let facts = ServerFacts::collect(&self.address, &self.model, |url| {
            match self.get(url, RetryPolicy::IMPATIENT.total_timeout()) {
                Ok(value) => Ok(Some(value)),
                // Most servers do not have most of the addresses.
                Err(failure) if failure.status.is_some() => Ok(None),
                Err(failure) => Err(failure),
            }
        });
        facts.map_err(|failure| failure.into_error(1))
    }

    /// Returns the facts that the server reported in this run; nothing if it did not answer.
    fn known_facts(&self) -> &ServerFacts {
        self.facts.get_or_init(|| self.facts().unwrap_or_default())
    }

    /// Returns the JSON at an address of the server; null if it is not JSON.
    fn get(&self, url: &str, timeout: Duration) -> std::result::Result<Value, Failure> {
        let mut get = self.agent.get(url).config().timeout_global(Some(timeout)).build();
        if let Some(bearer) = self.key.bearer() {
            get = get.header("Authorization", bearer);
        }
        let response = get.call().map_err(|cause| Failure::transport(url, &self.address, &cause))?;
        let body = self.successful(response, url)?.into_with_config().limit(LONGEST_REPLY as u64).read_to_string();
        Ok(body.ok().and_then(|body| serde_json::from_str(&body).ok()).unwrap_or_default())
    }

    /// Limits the reply to the rest of the context window.
    ///
    /// # Errors
    /// Returns an error if the prompt cannot fit into the window.
    fn fitted<'r>(&self, request: &Request<'r>) -> Result<Request<'r>> {
        let Some(context) = self.known_facts().context else { return Ok(*request) };
        let least = request.prompt.len() / MOST_BYTES_PER_TOKEN;
        if least >= context as usize {
            let what = format!(
                "a prompt of at least {least} tokens does not fit into the context window of {} ({context} tokens)",
                self.model
            );
            return Err(Error::new(Kind::Model, what, Remedy::WidenContext));
        }
        let likely = u32::try_from(request.prompt.len() / BYTES_PER_TOKEN).unwrap_or(u32::MAX);
        let rest = context.saturating_sub(likely).max(SHORTEST_REPLY);
        Ok(Request { max_output: request.max_output.map(|most| most.min(rest)), ..*request })
    }

    /// Sends one request, without the fields in `rejected`. The reply may take up to `left`.
    fn attempt(
        &self,
        request: &Request<'_>,
        rejected: RejectedFields,
        left: Duration,
    ) -> std::result::Result<Reply, FailedAttempt> {
        let url = self.address.chat();
        let body = rejected.body(&self.model, request, self.known_facts().is_llama_cpp);
        // Serialization of a JSON value to a string cannot fail.
        let body = serde_json::to_string(&SchemaOrder(&body)).unwrap_or_else(|_| body.to_string());
        let post = self.agent.post(&url).config().timeout_global(Some(left)).build();
        let mut post = post.content_type("application/json");
        if let Some(bearer) = self.key.bearer() {
            post = post.header("Authorization", bearer);
        }
        let response = post.send(body).map_err(|cause| Failure::transport(&url, &self.address, &cause))?;
        let body = self.successful(response, &url)?;
        let (ending, trouble) = self.read(body, request)?;
        let no_completion = |text: &str| {
            let what = format!("{url} did not return a completion: {}", server_message(&self.key.hide_in(text)));
            Failure::new(what, "check the address; it often ends in /v1", false)
        };
        Err(FailedAttempt::Failed(match (ending, trouble) {
            (StreamEnd::Reply(reply), _) => return Ok(reply),
            (StreamEnd::Error(body), _) => Failure::object(&url, &body, &self.key),
            (StreamEnd::Refused(words), _) => {
                let words = one_line(&self.key.hide_in(&words));
                Failure::new(format!("{} declined to answer: {words}", self.model), "use a different model", false)
            }
            (_, Some(cause)) => Failure::transport(&url, &self.address, &cause),
            (StreamEnd::Nothing, None) => {
                Failure::new(format!("{url} closed the connection without a response"), "check the server's log", true)
            }
            (StreamEnd::Unknown(text), None) => no_completion(&text),
        }))
    }

    /// Returns the body of a successful response, or the failure that the response describes.
    fn successful(&self, response: Response<Body>, url: &str) -> std::result::Result<Body, Failure> {
        let status = response.status();
        let (head, body) = response.into_parts();
        if status.is_success() {
            return Ok(body);
        }
        // A failed read is ignored: only the status matters.
        let mut bytes = Vec::new();
        let _ = body.into_reader().take(LONGEST_ERROR).read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let location = header(&head.headers, "location");
        let pause = header(&head.headers, "retry-after").and_then(|seconds| seconds.trim().parse().ok());
        let pause = pause.filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
        let pause = pause.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Err(Failure::status(status.as_u16(), url, &text, &self.key, pause, location))
    }

    /// Reads the reply until it is complete or the stream ends. Returns the result, and the error
    /// that ended the stream, if any.
    fn read(&self, body: Body, request: &Request<'_>) -> Result<(StreamEnd, Option<ureq::Error>)> {
        let (mut stream, mut reader) = (Stream::default(), body.into_reader());
        let mut bytes = vec![0; 16 << 10];
        let mut trouble = None;
        while !stream.is_done() && stream.len() < LONGEST_REPLY {
            self.cancel.check()?;
            match reader.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => {
                    stream.feed(&bytes[..count]);
                    request.watch.into_iter().for_each(|watch| watch.0(stream.progress()));
                }
                Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => {}
                Err(cause) => {
                    trouble = Some(cause.into());
                    break;
                }
            }
        }
        Ok((stream.end(), trouble))
    }
}

/// The reason why an attempt ended without a reply.
enum FailedAttempt {
    Failed(Failure),
    Stopped(Error),
}

impl From<Failure> for FailedAttempt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Error> for FailedAttempt {
    fn from(error: Error) -> Self {
        Self::Stopped(error)
    }
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

impl Model for Chat {
    fn name(&self) -> &str {
        &self.model
    }

    fn context(&self) -> Option<u32> {
        self.known_facts().context
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        let request = &self.fitted(request)?;
        let mut rejected = *self.rejected.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut tries, mut failed, started) = (0, 0, Instant::now());
        loop {
            self.cancel.check()?;
            tries += 1;
            let left = self.retry.total_timeout().saturating_sub(started.elapsed());
            let failure = match self.attempt(request, rejected, left.max(SHORTEST_TRY)) {
                Ok(reply) => {
                    if let Some(with_thoughts) = rejected.and_thoughts(&reply, request) {
                        rejected = with_thoughts;
                        continue;
                    }
                    self.rejected.lock().unwrap_or_else(PoisonError::into_inner).join(rejected);
                    return Ok(Reply { tries, ..reply });
                }
                Err(FailedAttempt::Stopped(error)) => return Err(error),
                Err(FailedAttempt::Failed(failure)) => failure,
            };
            if let Some(without) = rejected.and_suspect(&failure, request) {
                tracing::debug!(?without, ?failure, "retrying with fewer fields");
                rejected = without;
                continue;
            }
            failed += 1;
            if !failure.again || failed >= self.retry.max_tries {
                return Err(failure.into_error(tries));
            }
            let pause = self.retry.pause_after(failed, failure.pause, request.prompt);
            // A pause is silence too: all pauses together must not exceed the permitted silence.
            if started.elapsed().saturating_add(pause) > self.retry.idle_timeout {
                return Err(failure.too_long(pause, self.retry.idle_timeout).into_error(tries));
            }
            tracing::debug!(?pause, ?failure, "retrying");
            self.cancel.wait(pause)?;
        }
    }
}
