//! Chooses the language model from flags, environment and the user's settings, and wraps it.
//!
//! **Never:** uses a model that only the environment or the settings name. They specify the model;
//! only the command line enables it, with `--reader llm`, `--llm-url` or `--llm-cmd`.

use super::output;
use super::progress::ExternalWait;
use super::settings::Settings;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use whichfn_llm::{
    Address, Budget, BudgetedModel, Cancel, Chat, CommandModel, DryRun, Key, LoggedModel, Model, Price, Progress,
    Reply, Request, RetryPolicy, Templates, Watch,
};
use whichfn_system::error::{Error, Kind, Result};

/// Environment variable with a server's key, unless a different variable is configured.
const KEY: &str = "OPENAI_API_KEY";
/// Maximum number of model names in an error.
const LISTED: usize = 8;

/// Which language model to use, and how much of it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Language model")]
pub(super) struct ModelArgs {
    /// Reader: the program itself, or a language model [default: offline; llm with --llm-url or
    /// --llm-cmd].
    #[arg(long, value_name = "READER", hide_short_help = true)]
    pub reader: Option<ReaderName>,
    /// Base address of a server with OpenAI's chat completions API, such as
    /// http://localhost:11434/v1 [env: WHICHFN_LLM_URL].
    #[arg(long, value_name = "URL", conflicts_with = "llm_cmd", hide_short_help = true)]
    pub llm_url: Option<String>,
    /// The model's name on that server [env: WHICHFN_LLM_MODEL].
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub llm_model: Option<String>,
    /// Environment variable with the server's key; '' for no key [env: WHICHFN_LLM_KEY_ENV]
    /// [default: OPENAI_API_KEY].
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub llm_key_env: Option<String>,
    /// Command that reads a prompt from standard input and prints the reply
    /// [env: WHICHFN_LLM_CMD].
    #[arg(long, value_name = "CMD", hide_short_help = true)]
    pub llm_cmd: Option<String>,
    /// Maximum number of model calls.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_calls: Option<u64>,
    /// Maximum number of tokens in all prompts and replies; stops before a call that would exceed
    /// it.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub llm_max_tokens: Option<u64>,
    /// Maximum cost in US dollars; stops before a call that would exceed it.
    #[arg(long, value_name = "USD", requires = "llm_price", value_parser = dollars, hide_short_help = true)]
    pub max_cost: Option<f64>,
    /// Price in US dollars per million tokens in prompts, cached prompts and replies.
    #[arg(long, value_name = "IN[/CACHED]/OUT", hide_short_help = true)]
    pub llm_price: Option<Price>,
    /// Give up after this many seconds without output; a whole reply may take ten times as long
    /// [default: 120].
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u64).range(1..=86_400), hide_short_help = true)]
    pub llm_timeout: Option<u64>,
    /// Maximum number of tokens in a reply, instead of a limit that depends on the prompt.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub llm_max_reply: Option<u32>,
    /// Append each call to this file, as one JSON line with prompt, reply and usage.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub llm_log: Option<PathBuf>,
    /// Directory of prompt templates; each file replaces the built-in template with the same name.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub prompts: Option<PathBuf>,
    /// Print the first prompt without sending it.
    #[arg(long, hide_short_help = true)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReaderName {
    /// The program itself, without a model.
    Offline,
    /// A language model.
    Llm,
}

/// A model that one source names: the flags, the environment, or the settings.
enum NamedModel {
    Url(String),
    Command(String),
}

impl ModelArgs {
    /// Checks whether the command line enables a model.
    pub fn wants_model(&self) -> bool {
        match self.reader {
            Some(reader) => reader == ReaderName::Llm,
            None => self.llm_url.is_some() || self.llm_cmd.is_some(),
        }
    }

    /// Returns a flag that has an effect only with a model, if one is set.
    fn flag_without_effect(&self) -> Option<&'static str> {
        let flags = [
            ("--dry-run", self.dry_run),
            ("--max-calls", self.max_calls.is_some()),
            ("--llm-max-tokens", self.llm_max_tokens.is_some()),
            ("--max-cost", self.max_cost.is_some()),
            ("--llm-max-reply", self.llm_max_reply.is_some()),
            ("--llm-log", self.llm_log.is_some()),
        ];
        flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// Returns the prompt templates.
    ///
    /// # Errors
    /// Returns an error if a template is invalid.
    pub fn templates(&self) -> Result<Templates> {
        self.prompts.as_deref().map_or_else(Templates::builtin, Templates::with_folder)
    }

    /// Returns the model, wrapped in its budget and its log; `None` if the command line enables no
    /// model.
    ///
    /// # Errors
    /// Returns an error if a model is enabled and none is named, or the named one cannot be used.
    pub fn model(&self, settings: &Settings) -> Result<Option<Box<dyn Model>>> {
        if !self.wants_model() {
            return match self.flag_without_effect() {
                None => Ok(None),
                Some(flag) => {
                    let what = format!("{flag} has no effect without a language model");
                    Err(Error::new(
                        Kind::Usage,
                        what,
                        "add --llm-url URL --llm-model NAME, --llm-cmd CMD or --reader llm",
                    ))
                }
            };
        }
        let mut place = String::new();
        let model: Box<dyn Model> = match self.named(settings)? {
            NamedModel::Url(url) => {
                place = format!(" at {}", Address::parse(&url)?);
                self.on_server(&url, settings)?
            }
            NamedModel::Command(line) => {
                let command = CommandModel::new(&line, self.retry(), Cancel::default());
                match self.dry_run {
                    true => self.dry_run_model(command.name(), &format!("`{}`", command.name())),
                    false => Box::new(command),
                }
            }
        };
        if self.dry_run {
            return Ok(Some(model));
        }
        let budget = Budget {
            calls: self.max_calls,
            tokens: self.llm_max_tokens,
            cost: self.max_cost,
            price: self.llm_price.unwrap_or_default(),
        };
        let model = WaitingModel { model, place, max_output: self.llm_max_reply, requests: AtomicU64::new(0) };
        let budgeted = BudgetedModel::new(model, budget);
        Ok(Some(match &self.llm_log {
            Some(path) => Box::new(LoggedModel::new(budgeted, path)?),
            None => Box::new(budgeted),
        }))
    }

    /// Returns the address or command from the source with the highest precedence that names one.
    fn named(&self, settings: &Settings) -> Result<NamedModel> {
        let places = [
            ("the command line", self.llm_url.clone(), self.llm_cmd.clone()),
            ("the environment", variable("WHICHFN_LLM_URL"), variable("WHICHFN_LLM_CMD")),
            ("your whichfn.toml", settings.llm_url.clone(), settings.llm_cmd.clone()),
        ];
        for (place, url, command) in places {
            match (url, command) {
                (Some(url), None) => return Ok(NamedModel::Url(url)),
                (None, Some(command)) => return Ok(NamedModel::Command(command)),
                (None, None) => {}
                (Some(_), Some(_)) => {
                    let what = format!("{place} specifies both an address and a command for the language model");
                    return Err(Error::new(Kind::Usage, what, "choose one with --llm-url or --llm-cmd"));
                }
            }
        }
        Err(Error::new(
            Kind::Usage,
            "no language model is specified",
            "pass --llm-url URL --llm-model NAME (such as http://localhost:11434/v1), or --llm-cmd 'CMD'",
        ))
    }

    /// Returns a model on a server.
    fn on_server(&self, url: &str, settings: &Settings) -> Result<Box<dyn Model>> {
        let address = Address::parse(url)?;
        let model = self.llm_model.clone().or_else(|| variable("WHICHFN_LLM_MODEL"));
        let model = model.or_else(|| settings.llm_model.clone()).filter(|model| !model.is_empty());
        let Some(model) = model else {
            let chat =
                || Chat::new(address.clone(), "", self.key(settings)?, RetryPolicy::IMPATIENT, Cancel::default());
            let models = if self.dry_run { None } else { chat()?.models().ok() };
            return Err(no_model(&address, models.unwrap_or_default()));
        };
        if self.dry_run {
            return Ok(self.dry_run_model(&model, &format!("{model} at {address}")));
        }
        Ok(Box::new(self.chat(url, &model, settings)?))
    }

    /// Returns the key for a server.
    fn key(&self, settings: &Settings) -> Result<Key> {
        let named = self.llm_key_env.clone().or_else(|| variable("WHICHFN_LLM_KEY_ENV"));
        let named = named.or_else(|| settings.llm_key_env.clone());
        Key::from_env(named.as_deref().unwrap_or(KEY), named.is_some())
    }

    /// Returns a client for a model on a server.
    ///
    /// # Errors
    /// Returns an error if the address is invalid, or if the key is missing or unsafe to send.
    pub fn chat(&self, url: &str, model: &str, settings: &Settings) -> Result<Chat> {
        let (address, key) = (Address::parse(url)?, self.key(settings)?);
        // Servers on the internet (https) need a key, and report a missing one only after the first
        // prompt was sent; servers on this machine or its network often need none.
        if !key.is_set() && !key.variable().is_empty() && !address.is_loopback() && !address.is_readable_by_others() {
            let what = format!("missing key for {address}: {} is not set", key.variable());
            let next =
                "set it, name another variable with --llm-key-env NAME, or pass --llm-key-env '' if no key is needed";
            return Err(Error::new(Kind::Usage, what, next));
        }
        Chat::new(address, model, key, self.retry(), Cancel::default())
    }

    fn dry_run_model(&self, name: &str, place: &str) -> Box<dyn Model> {
        Box::new(DryRun::new(name, place, Box::new(output::PromptOutput)))
    }

    fn retry(&self) -> RetryPolicy {
        let usual = RetryPolicy::default();
        RetryPolicy { idle_timeout: self.llm_timeout.map_or(usual.idle_timeout, Duration::from_secs), ..usual }
    }
}

/// A model that shows a progress line while the program waits for it.
struct WaitingModel {
    model: Box<dyn Model>,
    /// The location of the model; begins with a space, or is empty.
    place: String,
    /// Maximum number of reply tokens that the user allows.
    max_output: Option<u32>,
    /// Number of requests begun so far.
    requests: AtomicU64,
}

impl Model for WaitingModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn context(&self) -> Option<u32> {
        self.model.context()
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let text = format!("waiting for the language model {}{}: request {number}", self.name(), self.place);
        let waiting = ExternalWait::begin(&text);
        let watch = |progress: Progress| waiting.update(&format!("{text}{}", progress_text(progress)));
        let max_output = self.max_output.or(request.max_output);
        self.model.complete(&Request { max_output, watch: Some(Watch(&watch)), ..*request })
    }
}

/// Describes the progress of a server; begins with a comma, or is empty.
fn progress_text(progress: Progress) -> String {
    match progress {
        Progress { output: 0, prompt: Some((read, all)) } => format!(", read {read} of {all} prompt tokens"),
        Progress { output: 0, prompt: None } => String::new(),
        Progress { output, .. } => format!(", {output} tokens so far"),
    }
}

fn no_model(address: &Address, models: Vec<String>) -> Error {
    let next = match models.len() {
        0 => "pass --llm-model NAME; Ollama lists its models with: ollama list".to_owned(),
        count => {
            let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
            let shown = models.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("pass --llm-model NAME; the server has {shown}{more}")
        }
    };
    Error::new(Kind::Usage, format!("no model is specified for {address}"), next)
}

/// Returns an environment variable that is not blank.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn dollars(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse().ok().filter(|cost: &f64| cost.is_finite() && *cost >= 0.0);
    number.ok_or_else(|| "use an amount in US dollars, such as 0.5".to_owned())
}
