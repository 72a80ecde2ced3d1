//! The three tools: their descriptions for an agent, and the types of their input.
//!
//! **Cost:** an agent reads the descriptions in every session, so they are short; `tests/mcp.rs`
//! limits their tokens.

use crate::host::arguments;
use crate::verbs::VERBS;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::{self, JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Result};

/// Name of the tool that finds functions.
pub(super) const WHICH_FUNCTION: &str = "which_function";
/// Name of the tool that prints code.
pub(super) const SHOW: &str = "show";
/// Name of the tool that follows the graph.
pub(super) const GRAPH: &str = "graph";

/// Default number of tokens of an answer to a question (`benches/agents`).
pub const TOKENS: usize = 1_300;
/// Default number of tokens of the answers of the other tools, which return what was requested.
pub(super) const REQUESTED_TOKENS: usize = 2_500;
/// Numbers of tokens that an agent may request.
const TOKEN_LIMITS: RangeInclusive<usize> = 100..=MOST_TOKENS;
/// Maximum number of tokens of an answer.
pub const MOST_TOKENS: usize = 20_000;
/// Default number of candidates.
const CANDIDATES: usize = 10;
/// Maximum number of candidates that an agent may request.
const MOST_CANDIDATES: usize = 30;

/// Description of the server, for an agent that has not read its tools yet.
pub(super) const INSTRUCTIONS: &str = "Finds functions in this repository by what they do. Call which_function before grep \
if you know what the code does but not its name. The index is brought up to date before every answer.";

const ABOUT_WHICH_FUNCTION: &str = "Finds the functions that do what you describe, without knowing names. Use it INSTEAD of grep \
to search by meaning: describe one behavior in a plain sentence (\"decides whether a redirect target is safe\"), or paste an \
error, stack trace or issue. Returns the code of the best candidates, a line for each of the others, and further names. The \
right one is often not the first. Use grep for exact strings.";

const ABOUT_SHOW: &str = "Prints code exactly as written, with its place, callers and callees; INSTEAD of cat, sed or grep -A. \
Takes names (renew, Session.renew), locations (src/app.py:42), line ranges (src/app.py:10-60), or a file's path for its outline.";

const ABOUT_GRAPH: &str = "Follows the call graph from functions: it distinguishes functions with the same name, unlike grep. \
To understand a flow, list `callees` with depth 3 of its first function. Before a change, `impact` shows what it can affect, \
and `tests` the tests to run.";

/// What `which_function` searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(crate = "schemars", inline)]
pub(super) enum SearchedKind {
    Function,
    Docs,
    All,
}

/// Input of `which_function`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct WhichFunctionInput {
    /// What the function does, in a plain sentence.
    pub question: String,
    /// Only files that match these globs (`src/**`); `!GLOB` excludes files.
    #[serde(default)]
    pub paths: Vec<String>,
    /// `docs`: passages of documentation and settings instead of functions; `all`: both.
    #[schemars(transform = plain)]
    pub kind: Option<SearchedKind>,
    /// Number of candidates [default: 10].
    #[schemars(transform = candidate_limits)]
    pub limit: Option<usize>,
    /// Tokens of the answer [default: 1300].
    #[schemars(transform = token_limits)]
    pub max_tokens: Option<usize>,
    /// The repository, if there are several.
    #[schemars(transform = plain)]
    pub root: Option<String>,
}

impl WhichFunctionInput {
    /// Returns the number of candidates.
    ///
    /// # Errors
    /// Returns an error if it is out of range.
    pub(super) fn candidates(&self) -> Result<usize> {
        let limit = self.limit.unwrap_or(CANDIDATES);
        if !(1..=MOST_CANDIDATES).contains(&limit) {
            let what = format!("limit {limit} is not between 1 and {MOST_CANDIDATES}");
            return Err(Error::new(Kind::Usage, what, "omit it for ten"));
        }
        Ok(limit)
    }
}

/// Input of `show`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct ShowInput {
    /// Names, locations, line ranges or paths.
    pub of: Vec<String>,
    /// Tokens [default: 2500].
    #[schemars(transform = token_limits)]
    pub max_tokens: Option<usize>,
    /// The repository, if there are several.
    #[schemars(transform = plain)]
    pub root: Option<String>,
}

/// Input of `graph`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct GraphInput {
    /// Names or locations; for `references`, also types, constants and fields.
    pub of: Vec<String>,
    /// What to list.
    #[schemars(transform = relations)]
    pub relation: String,
    /// Where a `path` leads.
    #[schemars(transform = plain)]
    pub to: Option<String>,
    /// Calls that `callees` and `callers` follow [default: 1].
    #[schemars(transform = plain)]
    pub depth: Option<usize>,
    /// Only files that match these globs.
    #[serde(default)]
    pub paths: Vec<String>,
    #[serde(default)]
    pub languages: Vec<String>,
    #[schemars(transform = plain)]
    pub no_tests: Option<bool>,
    #[schemars(transform = plain)]
    pub limit: Option<usize>,
    /// Tokens [default: 2500].
    #[schemars(transform = token_limits)]
    pub max_tokens: Option<usize>,
    /// The repository, if there are several.
    #[schemars(transform = plain)]
    pub root: Option<String>,
}

/// Returns the number of tokens of an answer.
///
/// # Errors
/// Returns an error if it is out of range.
pub(super) fn tokens(requested: Option<usize>, usual: usize) -> Result<usize> {
    let tokens = requested.unwrap_or(usual);
    if !TOKEN_LIMITS.contains(&tokens) {
        let what = format!("max_tokens {tokens} is not between {} and {}", TOKEN_LIMITS.start(), TOKEN_LIMITS.end());
        return Err(Error::new(Kind::Usage, what, format!("omit it for {usual}")));
    }
    Ok(tokens)
}

/// Removes what only Rust knows about a number (`uint`), and the alternative `null` of an optional
/// value: an agent omits the value instead.
fn plain(schema: &mut Schema) {
    for key in ["format", "minimum", "default"] {
        schema.remove(key);
    }
    if let Some(types) = schema.get_mut("type")
        && let Some(first) = types.as_array().and_then(|all| all.first()).cloned()
    {
        *types = first;
    }
    if let Some(values) = schema.get_mut("enum").and_then(|values| values.as_array_mut()) {
        values.retain(|value| !value.is_null());
    }
}

/// Restricts a text to the names of the verbs.
fn relations(schema: &mut Schema) {
    schema.insert("enum".to_owned(), VERBS.iter().map(|verb| verb.about.name).collect());
}

fn candidate_limits(schema: &mut Schema) {
    with_limits(schema, &(1..=MOST_CANDIDATES));
}

fn token_limits(schema: &mut Schema) {
    with_limits(schema, &TOKEN_LIMITS);
}

fn with_limits(schema: &mut Schema, limits: &RangeInclusive<usize>) {
    plain(schema);
    schema.insert("minimum".to_owned(), (*limits.start()).into());
    schema.insert("maximum".to_owned(), (*limits.end()).into());
}

/// Parses the arguments of a tool.
///
/// # Errors
/// Returns an error that names the argument, the expected type and an example.
pub(super) fn read<Input: JsonSchema + DeserializeOwned + 'static>(name: &str, given: JsonObject) -> Result<Input> {
    let tool = Tool::new(String::new(), String::new(), JsonObject::new()).with_input_schema::<Input>();
    let schema = Value::Object(JsonObject::clone(&tool.input_schema));
    arguments::read(&schema, given)
        .map_err(|what| Error::new(Kind::Usage, format!("{name}: {what}"), "correct the argument, and call it again"))
}

/// Returns the tools for these roots.
pub(super) fn tools(roots: &[&Path]) -> Vec<Tool> {
    let several = match roots {
        [_] | [] => String::new(),
        roots => {
            let names: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
            format!("\nThis server has several repositories; pass one as `root`: {}.", names.join(", "))
        }
    };
    let mut tools = vec![
        tool::<WhichFunctionInput>(
            WHICH_FUNCTION,
            &format!("{ABOUT_WHICH_FUNCTION}{several}"),
            "Which function does X?",
        ),
        tool::<ShowInput>(SHOW, ABOUT_SHOW, "Code as written"),
        tool::<GraphInput>(GRAPH, ABOUT_GRAPH, "Callers, uses, tests, impact"),
    ];
    if roots.len() <= 1 {
        // It is accepted nevertheless, but a description costs tokens in every session.
        tools.iter_mut().for_each(|tool| without_property(tool, "root"));
    }
    tools
}

fn without_property(tool: &mut Tool, name: &str) {
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.remove(name);
    }
}

fn tool<Input: JsonSchema + 'static>(name: &'static str, about: &str, title: &str) -> Tool {
    let reads_only = ToolAnnotations::with_title(title).read_only(true).idempotent(true).open_world(false);
    let tool = Tool::new(name, about.to_owned(), JsonObject::new()).with_title(title).with_annotations(reads_only);
    let mut tool = tool.with_input_schema::<Input>();
    let schema = Arc::make_mut(&mut tool.input_schema);
    for key in ["$schema", "title", "description"] {
        schema.remove(key);
    }
    tool
}
