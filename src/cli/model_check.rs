//! Checks a server with a language model: `whichfn status --llm-url URL`.
//!
//! **Cost:** the requests for the server's facts, and two short prompts.
//!
//! **Never:** sends anything from a repository.

use super::model::ModelArgs;
use super::settings::Settings;
use super::{Exit, output};
use crate::render::line;
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;
use whichfn_llm::{Chat, Model, Reply, Request, ServerFacts, Usage};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// The server to check.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Language model")]
pub(super) struct ServerArgs {
    /// Check a server with a language model instead of the index: its model, its context window,
    /// and whether it supports JSON Schema and caching.
    #[arg(long, value_name = "URL")]
    pub llm_url: Option<String>,
    /// The model's name on that server [default: the first model that the server lists].
    #[arg(long, value_name = "NAME", requires = "llm_url")]
    pub llm_model: Option<String>,
    /// Environment variable with the server's key; '' for no key [default: OPENAI_API_KEY].
    #[arg(long, value_name = "NAME", requires = "llm_url", hide_short_help = true)]
    pub llm_key_env: Option<String>,
    /// Give up after this many seconds without output [default: 120].
    #[arg(long, value_name = "SECS", requires = "llm_url", value_parser = clap::value_parser!(u64).range(1..=86_400), hide_short_help = true)]
    pub llm_timeout: Option<u64>,
}

/// What a check found.
struct Checked {
    url: String,
    model: String,
    facts: ServerFacts,
    /// True if a reply had the form that the schema requires.
    follows_schema: bool,
    /// Counts of the first prompt, and of the same prompt again.
    usage: [Option<Usage>; 2],
}

/// Checks the server that the arguments name, and prints the result.
pub(super) fn run(asked: &ServerArgs, url: &str, json: bool, settings: &Settings) -> Result<Exit> {
    let arguments = |model: Option<String>| ModelArgs {
        llm_url: Some(url.to_owned()),
        llm_model: model,
        llm_key_env: asked.llm_key_env.clone(),
        llm_timeout: asked.llm_timeout,
        ..ModelArgs::default()
    };
    let named = match asked.llm_model.clone() {
        Some(model) => model,
        None => first_model(&arguments(None).chat(url, "", settings)?, url)?,
    };
    let chat = arguments(Some(named.clone())).chat(url, &named, settings)?;
    let checked = check(&chat, url, named)?;
    match json {
        true => output::data(&line(&data(&checked)))?,
        false => output::text(&text(&checked))?,
    }
    Ok(Exit::Found)
}

/// Returns the first model that the server lists.
fn first_model(chat: &Chat, url: &str) -> Result<String> {
    chat.models()?.into_iter().next().ok_or_else(|| {
        let what = format!("{url} lists no models");
        Error::new(Kind::Model, what, "load a model, or pass its name with --llm-model NAME")
    })
}

fn check(chat: &Chat, url: &str, model: String) -> Result<Checked> {
    let facts = chat.facts()?;
    if let Some(error) = unknown_model(&facts, url, &model) {
        return Err(error);
    }
    // No model writes this name without the schema.
    let schema = json!({
        "type": "object",
        "properties": {"schema_check": {"type": "string", "enum": ["passed"]}},
        "required": ["schema_check"],
        "additionalProperties": false
    });
    let prompt = prompt();
    let request = Request { schema: Some(&schema), ..Request::limited(&prompt, 64) };
    let first = chat.complete(&request)?;
    let again = chat.complete(&request)?;
    // Ollama reports the context window of a model once the model is loaded.
    let facts = if facts.context.is_none() { chat.facts()? } else { facts };
    let follows_schema = follows(&first);
    Ok(Checked { url: url.to_owned(), model, facts, follows_schema, usage: [first.usage, again.usage] })
}

/// Returns an error if the server lists models and not this one. llama.cpp's server has one model
/// and accepts any name.
fn unknown_model(facts: &ServerFacts, url: &str, model: &str) -> Option<Error> {
    let is_known = |known: &String| known == model || known.strip_suffix(":latest") == Some(model);
    if facts.is_llama_cpp || facts.models.is_empty() || facts.models.iter().any(is_known) {
        return None;
    }
    let what = format!("{url} has no model {model}; it has {}", facts.models.join(", "));
    Some(Error::new(Kind::Model, what, Remedy::NameModel))
}

/// Returns a prompt that is long enough for a cache, which works in blocks of up to 128 tokens.
fn prompt() -> String {
    let numbers: Vec<String> = (1..=60).map(|number| number.to_string()).collect();
    format!("This request checks a server. Here are some numbers: {}. Reply with one word.", numbers.join(", "))
}

fn follows(reply: &Reply) -> bool {
    serde_json::from_str::<Value>(&reply.text).is_ok_and(|value| value == json!({"schema_check": "passed"}))
}

/// Smallest number of tokens from which a speed is computed. The server starts a step for any
/// number of tokens, so a few tokens would make it look slow.
const MEASURED_TOKENS: u64 = 5;

/// Returns the number of tokens per second; `None` if there are too few tokens or no time.
fn speed(tokens: u64, ms: u64) -> Option<f64> {
    (ms > 0 && tokens >= MEASURED_TOKENS).then(|| tokens as f64 * 1e3 / ms as f64)
}

impl Checked {
    /// Returns the speed of reading and of writing, in tokens per second.
    fn speeds(&self) -> [Option<f64>; 2] {
        let Some(first) = self.usage[0] else { return [None; 2] };
        let read = speed(first.prompt.saturating_sub(first.cached), first.prompt_ms);
        [read, speed(first.output, first.output_ms)]
    }
}

fn text(checked: &Checked) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<12}{value}");
    };
    let ServerFacts { models, context, is_llama_cpp } = &checked.facts;
    row("server", format!("{}{}", checked.url, if *is_llama_cpp { " (llama.cpp)" } else { "" }));
    row("model", checked.model.clone());
    if !models.is_empty() {
        row("models", models.join(", "));
    }
    row(
        "context",
        context.map_or("not reported: prompts are not fitted to it".into(), |tokens| format!("{tokens} tokens")),
    );
    row(
        "schema",
        match checked.follows_schema {
            true => "replies follow a JSON Schema".into(),
            false => "replies do not follow a JSON Schema: they are checked and repaired instead".into(),
        },
    );
    row(
        "cache",
        match checked.usage[1] {
            None => "not reported".into(),
            Some(Usage { cached: 0, .. }) => "no reuse of a prompt reported".into(),
            Some(again) => format!("{} of {} tokens of a repeated prompt were reused", again.cached, again.prompt),
        },
    );
    let [read, written] = checked.speeds();
    let speeds = [(read, "reading"), (written, "writing")];
    let speeds = speeds.iter().filter_map(|(speed, doing)| Some(format!("{:.0} tokens/s for {doing}", (*speed)?)));
    let speeds: Vec<String> = speeds.collect();
    if !speeds.is_empty() {
        row("speed", speeds.join(", "));
    }
    out
}

fn data(checked: &Checked) -> Value {
    let ServerFacts { models, context, is_llama_cpp } = &checked.facts;
    let [_, again] = checked.usage;
    let [read, written] = checked.speeds().map(|speed| speed.map(crate::render::rounded));
    json!({
        "version": 1,
        "server": checked.url,
        "llama_cpp": is_llama_cpp,
        "model": checked.model,
        "models": models,
        "context": context,
        "schema": checked.follows_schema,
        "repeated_prompt": again.map(|again| json!({"prompt": again.prompt, "cached": again.cached})),
        "read_per_second": read,
        "written_per_second": written,
    })
}
