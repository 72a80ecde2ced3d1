//! The two tools: their descriptions for an agent, and the types of their input and output.

use crate::host::IndexState;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the tool that finds functions.
pub(super) const WHICH_FUNCTION: &str = "which_function";
/// Name of the tool that shows a function.
pub(super) const FUNCTION_CONTEXT: &str = "function_context";

/// Description of the server, for an agent that has not read its tools yet.
pub(super) const INSTRUCTIONS: &str = "Finds functions in a local repository by what they do. Ask which_function before grep \
when you know what the code does but not what it is called; take the id that fits to function_context for its source, callers \
and callees. The index follows the files: it is brought up to date before every answer.";

const ABOUT_WHICH_FUNCTION: &str = "Finds the functions of the repository that do what you describe, also when you do not know \
a name. Use it INSTEAD of grep when you ask by meaning: \"which function decides whether a redirect target is safe\", \"where \
are retries counted\", \"who parses the Content-Type header\". It also takes an error message or a stack trace as it is. Use grep \
for every place where an exact string stands.\n\
Ask for one function, in a plain sentence: what it does, what it takes and gives back, in words of the domain; no wildcards, no \
list of guessed names. The answer has ten candidates, the best first, each with an id, path:line, signature, what it does and \
the lines of code that decide; behind them the names of further functions, by file. The right one is often not the first, and \
one in four stands behind the candidates: compare the code, read the names, then choose. If none fits, ask once more in other \
words.";

const ABOUT_FUNCTION_CONTEXT: &str = "Shows one function: its source with line numbers, who calls it and where, what it calls, \
and what is related to it. Use it after which_function, or when you know the name and want the callers: it follows the call \
graph, so it tells functions of one name apart, which grep cannot. Takes an id (#a1b2c3), a name (renew, Session.renew), or a \
place (src/app.py:42).";

/// What `which_function` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct WhichFunctionInput {
    /// What the function does, in a plain sentence; or an error message or a stack trace.
    pub question: String,
    /// The repository, when this server has several: its path or the name of its folder.
    pub root: Option<String>,
    /// Only files whose path from the root matches one of these globs (`src/**`, `*.py`); `!GLOB` leaves out.
    #[serde(default)]
    pub paths: Vec<String>,
    /// How many candidates, 1 to 30 [default: 10]. More of them have less code each.
    #[schemars(range(min = 1, max = 30))]
    pub limit: Option<usize>,
}

/// What `which_function` answers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct WhichFunctionOutput {
    /// The candidates, the best first; empty if no word of the question is in the repository.
    pub candidates: Vec<ShownCandidate>,
    /// Functions behind the candidates, by file, in the order of the best of each file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<FileNames>,
    /// How far to trust the first: `sure`, `likely`, `unsure`, `nothing fits`.
    pub trust: Option<String>,
    /// What to do next.
    pub next: String,
    /// How fresh the index is.
    pub index: IndexFreshness,
}

/// A candidate.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct ShownCandidate {
    /// Its short id, for `function_context`.
    pub id: String,
    /// path:line from the root.
    pub place: String,
    /// Its head, with what it stands in.
    pub signature: String,
    /// What it does: its documentation; without any, and without code here, the words that met the question.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub does: String,
    /// The lines of code that decide, each with its number; left out of lower candidates where the answer would be too long.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// Functions inside it that fit too, and copies of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// Functions of one file that are named behind the candidates.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct FileNames {
    /// The file's path from the root.
    pub path: String,
    /// Line and name of each; of the first ones also what they do. `path:line` leads `function_context` to one.
    pub functions: Vec<String>,
}

/// What `function_context` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct FunctionContextInput {
    /// An id (`#a1b2c3`), a name (`renew`, `Session.renew`), or a place (`src/app.py:42`, `src/app.py:renew`).
    pub function: String,
    /// The repository, when this server has several: its path or the name of its folder.
    pub root: Option<String>,
}

/// What `function_context` answers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct FunctionContextOutput {
    /// Its short id.
    pub id: String,
    /// path:line from the root.
    pub place: String,
    /// Its head, with what it stands in.
    pub signature: String,
    /// The first paragraph of its documentation.
    pub does: String,
    /// Its lines, each with its number; the middle of a long function is left out.
    pub source: String,
    /// Who calls it: id, the place of the call, name.
    pub callers: Vec<String>,
    /// What it calls: id, place, name.
    pub callees: Vec<String>,
    /// What else it is related to, and why.
    pub related: Vec<String>,
    /// How fresh the index is.
    pub index: IndexFreshness,
}

/// How fresh the index is that answered.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct IndexFreshness {
    /// The root of the repository.
    pub root: String,
    /// When the index was brought up to date for this answer: UTC, RFC 3339.
    pub up_to_date_at: String,
    /// Files that were new or changed since the answer before, and read for this one.
    pub changed_files: usize,
    /// Files in the index.
    pub files: usize,
    /// Functions in the index.
    pub functions: usize,
    /// What went otherwise than usual; above all that the index could not be brought up to date.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

impl From<IndexState> for IndexFreshness {
    fn from(state: IndexState) -> Self {
        let IndexState { root, up_to_date_at, changed_files, files, functions, notices, .. } = state;
        Self { root, up_to_date_at, changed_files, files, functions, notices }
    }
}

/// Returns the tools for these roots.
pub(super) fn tools(roots: &[&Path]) -> Vec<Tool> {
    let roots = match roots {
        [_] | [] => String::new(),
        several => {
            let names: Vec<String> = several.iter().map(|root| root.display().to_string()).collect();
            format!("\nThis server has several repositories; name one as `root`: {}.", names.join(", "))
        }
    };
    let tool = |name: &'static str, about: &str, title: &str| {
        let reads_only = ToolAnnotations::with_title(title).read_only(true).idempotent(true).open_world(false);
        Tool::new(name, format!("{about}{roots}"), JsonObject::new()).with_title(title).with_annotations(reads_only)
    };
    vec![
        tool(WHICH_FUNCTION, ABOUT_WHICH_FUNCTION, "Which function does X?")
            .with_input_schema::<WhichFunctionInput>()
            .with_output_schema::<WhichFunctionOutput>(),
        tool(FUNCTION_CONTEXT, ABOUT_FUNCTION_CONTEXT, "A function, its callers and callees")
            .with_input_schema::<FunctionContextInput>()
            .with_output_schema::<FunctionContextOutput>(),
    ]
}
