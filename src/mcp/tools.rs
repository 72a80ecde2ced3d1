//! The two tools: their descriptions for an agent, and the types of their input and output.

use crate::host::IndexFreshness;
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
when you know what the code does but not what it is called; pass the right id to function_context for its source, callers \
and callees. The index follows the files: it is brought up to date before every answer.";

const ABOUT_WHICH_FUNCTION: &str = "Finds the functions of the repository that do what you describe, also when you do not know \
a name. Use it INSTEAD of grep when you search by meaning: \"which function decides whether a redirect target is safe\", \"where \
are retries counted\", \"who parses the Content-Type header\". It also accepts an error message or a stack trace as it is. Use grep \
to find every occurrence of an exact string. For documentation and settings, pass kind=docs, or kind=all for both.\n\
Describe one function, in a plain sentence: what it does, what it takes and returns, in words of the domain; no wildcards, no \
list of guessed names. The answer lists ten candidates, best first, each with an id, path:line, signature, what it does and \
the lines of code that match best; after them the names of further functions, by file. The right one is often not the first, and \
one in four is among these names: compare the code, read the names, then choose. If none fits, ask once more in other \
words.";

const ABOUT_FUNCTION_CONTEXT: &str = "Shows one function: its source with line numbers, who calls it and where, what it calls, \
what implements or overrides it, and related definitions. Use it after which_function, or when you know the name and want the callers: it follows the call \
graph, so it distinguishes functions with the same name, which grep cannot. Takes an id (#a1b2c3), a name (renew, Session.renew), or a \
location (src/app.py:42). Before a change, pass show=impact for what it can affect, or show=tests for the tests to run; pass \
path_to for the calls that lead to another function.";

/// What `function_context` shows instead of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(crate = "schemars")]
pub(super) enum Show {
    /// The tests that reach the function, nearest first, with arguments for the test runner.
    Tests,
    /// What a change of the function can affect: callers by distance, entry points and tests.
    Impact,
}

/// What `which_function` searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(crate = "schemars")]
pub(super) enum SearchedKind {
    /// Functions.
    Function,
    /// Passages of documentation, settings and other text files. Exact phrases in quotation marks, AND, OR, NOT,
    /// `path:docs/`, `prefix*` and `similar~` are operators.
    Docs,
    /// Both.
    All,
}

/// What `which_function` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct WhichFunctionInput {
    /// What the function does, in a plain sentence; or an error message or a stack trace.
    pub question: String,
    /// The repository, if this server has several: its path or the name of its folder.
    pub root: Option<String>,
    /// What to search [default: function; passages are added if the question asks for documentation or a setting].
    pub kind: Option<SearchedKind>,
    /// Only files whose path relative to the root matches one of these globs (`src/**`, `*.py`); `!GLOB` excludes files.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Number of candidates, 1 to 30 [default: 10]. The more candidates, the less code of each.
    #[schemars(range(min = 1, max = 30))]
    pub limit: Option<usize>,
}

/// Output of `which_function`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct WhichFunctionOutput {
    /// The candidates, best first; empty if none of the words in the question occur in the
    /// repository.
    pub candidates: Vec<ShownCandidate>,
    /// Passages of documentation and settings, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<ShownPassage>,
    /// Further functions, grouped by file; files are sorted by their best function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<FileNames>,
    /// Confidence in the first candidate: `sure`, `likely`, `unsure`, `nothing fits`.
    pub trust: Option<String>,
    /// What to do next.
    pub next: String,
    /// Freshness of the index.
    pub index: IndexFreshness,
}

/// A candidate.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct ShownCandidate {
    /// Its short id, for `function_context`.
    pub id: String,
    /// path:line, relative to the root.
    pub place: String,
    /// Its signature, with the enclosing definitions.
    pub signature: String,
    /// Its documentation; if it has none and no code is shown, the words that match the question.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub does: String,
    /// The lines of code that match best, each with its number; omitted for lower candidates if the answer would be too
    /// long.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// Matching functions nested in it, and copies of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// A passage of a text file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct ShownPassage {
    /// path:first-last line, relative to the root.
    pub place: String,
    /// Headings above it, outermost first.
    pub headings: String,
    /// The lines that match best, each with its number.
    pub text: String,
}

/// Further functions of one file, listed after the candidates.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct FileNames {
    /// Path of the file, relative to the root.
    pub path: String,
    /// Line and name of each, and the documentation of the first ones. Pass `path:line` to `function_context`.
    pub functions: Vec<String>,
}

/// Input of `function_context`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "schemars")]
pub(super) struct FunctionContextInput {
    /// An id (`#a1b2c3`), a name (`renew`, `Session.renew`), or a location (`src/app.py:42`, `src/app.py:renew`); also a
    /// type, constant or field.
    pub function: String,
    /// Shows the tests that reach the function (`tests`), or what a change of it can affect (`impact`).
    pub show: Option<Show>,
    /// Shows the shortest call paths from the function to this one: an id, a name or a location.
    pub path_to: Option<String>,
    /// Also list every use: calls, imports, types, base classes, caught errors, values [default: false].
    #[serde(default)]
    pub uses: bool,
    /// The repository, if this server has several: its path or the name of its folder.
    pub root: Option<String>,
}

/// Output of `function_context`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct FunctionContextOutput {
    /// Its short id.
    pub id: String,
    /// path:line, relative to the root.
    pub place: String,
    /// Its signature, with the enclosing definitions.
    pub signature: String,
    /// The first paragraph of its documentation.
    pub does: String,
    /// Its lines, each with its number; the middle of a long function is cut.
    pub source: String,
    /// Its callers: id, location of the call, name.
    pub callers: Vec<String>,
    /// Its callees: id, location, name.
    pub callees: Vec<String>,
    /// Types and methods that it implements, extends or overrides, and those that do so with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<String>,
    /// Other related definitions, and why.
    pub related: Vec<String>,
    /// The answer to `show` or `path_to`, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Its uses, if requested: location, how it is used, the line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// Freshness of the index.
    pub index: IndexFreshness,
}

/// Returns the tools for these roots.
pub(super) fn tools(roots: &[&Path]) -> Vec<Tool> {
    let roots = match roots {
        [_] | [] => String::new(),
        several => {
            let names: Vec<String> = several.iter().map(|root| root.display().to_string()).collect();
            format!("\nThis server has several repositories; pass one as `root`: {}.", names.join(", "))
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
