//! A client for the plain completions of an OpenAI-compatible server. Code is continued without a
//! chat template, because a model that was not trained for chats can continue code as well.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Maximum number of tokens in a line.
const LINE_TOKENS: u32 = 48;
/// Maximum time for one completion; a busy machine without a GPU needs seconds.
const PATIENCE: Duration = Duration::from_secs(1_200);

/// A model on a server.
pub struct CompletionServer {
    agent: ureq::Agent,
    url: String,
    model: String,
}

/// Token counts and times of one completion.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Completion {
    /// Number of tokens in the prompt, counted by the server.
    pub prompt: u64,
    /// Number of these tokens that were in the server's cache.
    pub cached: u64,
    /// Number of tokens in the line.
    pub output: u64,
    /// Milliseconds from the request to the reply.
    pub ms: f64,
}

impl CompletionServer {
    /// Creates a client for a base address such as `http://127.0.0.1:8811/v1`.
    pub fn new(url: &str, model: &str) -> Self {
        let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).proxy(None).build();
        Self { agent: config.new_agent(), url: url.trim_end_matches('/').to_owned(), model: model.to_owned() }
    }

    /// Returns the rest of the line that the prompt begins, and the cost.
    pub fn complete(&self, prompt: &str) -> (String, Completion) {
        let body = json!({
            "model": self.model, "prompt": prompt, "max_tokens": LINE_TOKENS, "temperature": 0, "seed": 1, "stop": ["\n"],
        });
        let started = Instant::now();
        let post = self.agent.post(format!("{}/completions", self.url)).content_type("application/json");
        let mut reply = post.send(body.to_string()).expect("the server answers");
        let text = reply.body_mut().read_to_string().expect("a reply");
        let reply: Value = serde_json::from_str(&text).expect("a reply in JSON");
        let usage = &reply["usage"];
        let cost = Completion {
            prompt: usage["prompt_tokens"].as_u64().unwrap_or_default(),
            cached: usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or_default(),
            output: usage["completion_tokens"].as_u64().unwrap_or_default(),
            ms: started.elapsed().as_secs_f64() * 1e3,
        };
        let line = reply["choices"][0]["text"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
        (line.trim().to_owned(), cost)
    }
}
