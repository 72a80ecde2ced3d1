//! The `whichfn read` command.

use super::choices;
use super::common::Color;
use super::model::ModelArgs;
use super::reading::MemoryArgs;
use super::settings::Settings;
use super::ui::Ui;
use super::{Exit, output, reading, trace};
use crate::engine::{self, ReadQuery};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt::Write;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use whichfn_index::index::Options;
use whichfn_index::source::{Limits, Texts};
use whichfn_llm::{Model, Templates};
use whichfn_memory::{BUILTIN, Schema, Value};
use whichfn_read::inquiry::{Findings, TextTrace};
use whichfn_read::reading::{DEFAULT_CHUNK_TOKENS, Strategy};
use whichfn_scan::find_root;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

/// Value of `--schema` that lets a model write the schema.
const GENERATE: &str = "generate";
/// Name of standard input.
const STDIN: &str = "-";

#[derive(Debug, Clone, Args)]
pub(super) struct ReadArgs {
    /// The question.
    #[arg(required_unless_present = "schema_only")]
    pub question: Option<String>,
    /// Files and directories to read, respecting ignore files; `-` or nothing for standard input.
    pub paths: Vec<PathBuf>,
    /// Schema of the notes: a built-in one (attributes, tables, matches, functions,
    /// candidate_functions), a file with a JSON Schema, or `generate` to let the language model
    /// write one.
    #[arg(long, value_name = "NAME|FILE|generate", default_value = "attributes")]
    pub schema: String,
    /// Description of the text, for `--schema generate`.
    #[arg(long, value_name = "TEXT", default_value = "Any kind of text.")]
    pub domain: String,
    /// Write the schema as JSON Schema to this file, for later use with --schema.
    #[arg(long, value_name = "FILE")]
    pub save_schema: Option<PathBuf>,
    /// Print the schema without reading any text.
    #[arg(long)]
    pub schema_only: bool,
    /// Format of the schema [default: dataclass].
    #[arg(long, value_name = "FORMAT", requires = "schema_only")]
    pub format: Option<SchemaFormat>,
    /// Update the notes by revisions (prism) or key by key (cok).
    #[arg(long, value_name = "STRATEGY", value_parser = choices::read_strategy(), default_value = "prism")]
    pub strategy: Strategy,
    /// Maximum number of tokens to read at once.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CHUNK_TOKENS)]
    pub chunk_tokens: usize,
    #[command(flatten)]
    pub kept: MemoryArgs,
    /// Print JSON.
    #[arg(long, conflicts_with = "schema_only")]
    pub json: bool,
    /// Show the cost and the kept notes of each chunk (always in JSON).
    #[arg(long)]
    pub trace: bool,
    /// Skip files in directories that are larger than this, in bytes [default: 1048576].
    #[arg(long, value_name = "BYTES", env = "WHICHFN_MAX_FILE_SIZE")]
    pub max_file_size: Option<u64>,
    /// When to use colors.
    #[arg(long, value_name = "WHEN", env = "WHICHFN_COLOR")]
    pub color: Option<Color>,
    /// Print only results and errors.
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Alias of --llm-max-tokens.
    #[arg(long, value_name = "N", conflicts_with = "llm_max_tokens", help_heading = "Language model")]
    pub max_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaFormat {
    /// Short JSON of names and types, as in --json.
    Json,
    /// Python dataclasses, as in prompts.
    Dataclass,
    /// JSON Schema, as --schema reads it.
    JsonSchema,
}

pub(super) fn run(asked: &ReadArgs) -> Result<Exit> {
    let settings = Settings::read(&find_root(None)?)?;
    output::set_color(asked.color.or(settings.color));
    let question = asked.question.as_deref().unwrap_or_default().trim();
    let chunk_tokens = reading::chunk_tokens(Some(asked.chunk_tokens))?.unwrap_or(asked.chunk_tokens);
    let args = ModelArgs { llm_max_tokens: asked.model.llm_max_tokens.or(asked.max_tokens), ..asked.model.clone() };
    let (model, templates) = (args.model(&settings)?, args.templates()?);
    if question.is_empty() && (!asked.schema_only || asked.schema == GENERATE) {
        return Err(Error::new(Kind::Usage, "the question is empty", "describe what to find in the text"));
    }
    // Report unreadable files before paying a model to write a schema.
    let texts = if asked.schema_only { Texts::default() } else { texts(asked, &settings, model.is_some())? };
    let schema = schema(asked, question, model.as_deref(), &templates)?;
    if let Some(file) = &asked.save_schema {
        output::write(Some(file), &printed(&schema, SchemaFormat::JsonSchema)?)?;
    }
    if asked.schema_only {
        output::data(&printed(&schema, asked.format.unwrap_or(SchemaFormat::Dataclass))?)?;
        return Ok(Exit::Found);
    }
    let query = ReadQuery {
        question,
        texts: &texts,
        schema: &schema,
        chunk_tokens,
        policy: asked.kept.policy(asked.strategy),
        model: model.as_deref(),
        templates: &templates,
    };
    let ui = Ui::with_quiet(asked.quiet);
    let bar = ui.progress();
    let findings = engine::read(&query, &mut |done, total| bar.read(done, total))?;
    drop(bar);
    show(asked, ui, question, &texts, &schema, &findings)
}

fn show(asked: &ReadArgs, ui: Ui, question: &str, texts: &Texts, schema: &Schema, findings: &Findings) -> Result<Exit> {
    if asked.trace && !asked.json {
        output::detail(&trace::texts(&findings.trace));
    }
    if !asked.json && !texts.skipped.is_empty() {
        ui.notice(&format!("skipped {} files: {}", texts.skipped.len(), reasons(texts)));
    }
    if asked.json {
        output::data(&json(question, texts, schema, findings)?)?;
    } else {
        output::text(&text(findings))?;
    }
    let read = format!("{} chunks", findings.trace.steps.len());
    if let Some(message) = trace::why_ended(findings.trace.limit, &read) {
        ui.notice(&message);
    }
    if !findings.is_empty() {
        return Ok(Exit::Found);
    }
    ui.notice("nothing found; try different words, or a different --schema");
    Ok(Exit::Nothing)
}

/// Returns the text to read.
fn texts(asked: &ReadArgs, settings: &Settings, is_sent: bool) -> Result<Texts> {
    let max_size = asked.max_file_size.or(settings.max_file_size).unwrap_or(Options::default().max_size);
    let registry = Registry::with_assigned(&settings.languages)?;
    let mut texts = Texts::default();
    if asked.paths.is_empty() {
        if std::io::stdin().is_terminal() {
            let next = "pass files or directories, or pipe in text";
            return Err(Error::new(Kind::Usage, "nothing to read", next));
        }
        standard_input(&mut texts)?;
    }
    let mut is_read = false;
    for path in &asked.paths {
        if path != Path::new(STDIN) {
            texts.add(path, Limits { registry: &registry, max_size, is_sent })?;
        } else if !std::mem::replace(&mut is_read, true) {
            standard_input(&mut texts)?;
        }
    }
    if texts.read.iter().all(|text| text.text.trim().is_empty()) {
        let what = match texts.skipped.len() {
            0 => "nothing to read: the given files contain no text".to_owned(),
            count => format!("nothing to read: skipped {count} files ({})", reasons(&texts)),
        };
        return Err(Error::new(Kind::Path, what, "pass different files or directories, or pipe in text"));
    }
    Ok(texts)
}

fn standard_input(texts: &mut Texts) -> Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|cause| {
        Error::new(Kind::Path, format!("cannot read standard input: {cause}"), "pipe in text, or pass files")
    })?;
    texts.add_bytes(STDIN, &bytes);
    Ok(())
}

fn reasons(texts: &Texts) -> String {
    let reasons = texts.skipped_by_reason();
    reasons.iter().map(|(reason, count)| format!("{} {count}", reason.name())).collect::<Vec<_>>().join(", ")
}

/// Returns the requested schema: built-in, from a file, or written by the model.
fn schema(asked: &ReadArgs, question: &str, model: Option<&dyn Model>, templates: &Templates) -> Result<Schema> {
    let name = asked.schema.as_str();
    if name == GENERATE {
        let Some(model) = model else {
            let next = "pass --llm-url URL --llm-model NAME or --llm-cmd 'CMD', or choose a different schema";
            return Err(Error::new(Kind::Usage, "--schema generate needs a language model", next));
        };
        return engine::write_schema(model, templates, &asked.domain, question);
    }
    if BUILTIN.contains(&name) || !Path::new(name).exists() {
        return Schema::builtin(name);
    }
    let text = std::fs::read_to_string(name).map_err(|cause| Error::io(Kind::Path, "read", Path::new(name), &cause))?;
    Schema::read(&text)
        .map_err(|error| Error::new(error.kind(), format!("{name}: {}", error.what()), error.remedy().clone()))
}

fn printed(schema: &Schema, format: SchemaFormat) -> Result<String> {
    Ok(match format {
        SchemaFormat::Dataclass => schema.dataclass(),
        SchemaFormat::Json => format!("{}\n", schema.json()),
        // Indented, because people edit it.
        SchemaFormat::JsonSchema => serde_json::to_string_pretty(&schema.json_schema()).map_err(unwritable)? + "\n",
    })
}

fn unwritable(cause: serde_json::Error) -> Error {
    Error::new(Kind::Usage, format!("cannot write JSON: {cause}"), "report this")
}

/// Output of `read --json`. This is not a map of serde_json, because that sorts its keys, while a
/// memory keeps the order of the text.
#[derive(Serialize)]
struct ReadOutput<'a> {
    version: u32,
    question: &'a str,
    files: Vec<&'a str>,
    skipped: usize,
    strategy: Strategy,
    reader: &'a str,
    schema: Value,
    memory: &'a Value,
    answer: Option<&'a str>,
    trace: &'a TextTrace,
}

fn json(question: &str, texts: &Texts, schema: &Schema, findings: &Findings) -> Result<String> {
    let shown = ReadOutput {
        version: 1,
        question,
        files: texts.read.iter().map(|text| text.name.as_str()).collect(),
        skipped: texts.skipped.len(),
        strategy: findings.trace.strategy,
        reader: &findings.trace.reader,
        schema: schema.json(),
        memory: &findings.memory,
        answer: findings.answer.as_deref(),
        trace: &findings.trace,
    };
    Ok(serde_json::to_string(&shown).map_err(unwritable)? + "\n")
}

/// Formats the answer, if a model wrote one, and the memory: names with their entries below them.
fn text(findings: &Findings) -> String {
    let mut out = String::new();
    if let Some(answer) = &findings.answer {
        let _ = writeln!(out, "{answer}\n");
    }
    entries(&mut out, &findings.memory, 0);
    out
}

fn entries(out: &mut String, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    let mut entry = |name: &str, value: &Value| match value {
        Value::Map(_) | Value::List(_) => {
            let _ = writeln!(out, "{indent}{name}");
            entries(out, value, depth + 1);
        }
        Value::Str(text) if text.contains('\n') => {
            let _ = writeln!(out, "{indent}{name}");
            for line in text.lines() {
                let _ = writeln!(out, "{indent}  {line}");
            }
        }
        Value::Str(text) => drop(writeln!(out, "{indent}{name} {text}")),
        other => drop(writeln!(out, "{indent}{name} {other}")),
    };
    match value {
        Value::Map(map) => map.iter().for_each(|(key, value)| entry(&format!("{key}:"), value)),
        Value::List(list) => list.iter().for_each(|value| entry("-", value)),
        _ => {}
    }
}
