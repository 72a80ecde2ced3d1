//! Options with a fixed set of values. The library defines the values and their names; this module
//! adds a line of help for each.

use crate::engine::{AnswerKind, SnippetChoice};
use crate::render::ContextFormat;
use crate::verbs::Format;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::de::value::{Error, StringDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};
use whichfn_memory::MemoryFormat;
use whichfn_read::context::ContextRanking;
use whichfn_read::lookup::ChunkOrder;
use whichfn_read::reading::Strategy;
use whichfn_search::search::{EnvironmentForm, KindFilter, Ranker, RelationName, Unit};

/// Returns a parser for values with these names, each with its line of help.
fn one_of<T: DeserializeOwned + Clone + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, &'static str); N],
) -> impl TypedValueParser<Value = T> {
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| {
        let name: StringDeserializer<Error> = name.into_deserializer();
        T::deserialize(name)
    })
}

/// Returns the name of a value as a user types it.
pub(super) fn name(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the parser for the kind of definitions to rank. It also accepts the kinds of passages,
/// which the same environment variable may name, and ranks functions for them.
pub(crate) fn definition_kind() -> impl TypedValueParser<Value = KindFilter> {
    let values = [
        PossibleValue::new("function").help("Functions, methods, macros"),
        PossibleValue::new("type").help("Classes, structs, enums, traits, interfaces, aliases"),
        PossibleValue::new("entry").help("Routes and commands"),
        PossibleValue::new("any").help("Functions, types, the top-level code of files, constants and fields"),
        PossibleValue::new("docs").hide(true),
        PossibleValue::new("all").hide(true),
    ];
    PossibleValuesParser::new(values).try_map(|name| {
        let name: StringDeserializer<Error> = name.into_deserializer();
        AnswerKind::deserialize(name).map(AnswerKind::definitions)
    })
}

/// Returns the parser for the kind of results of a question.
pub(super) fn answer_kind() -> impl TypedValueParser<Value = AnswerKind> {
    one_of([
        ("function", "Functions, methods, macros"),
        ("type", "Classes, structs, enums, traits, interfaces, aliases"),
        ("entry", "Routes and commands; all of them without a question"),
        ("any", "Functions, types, the top-level code of files, constants and fields"),
        ("docs", "Passages of documentation, settings and other text files"),
        ("all", "Functions and passages"),
    ])
}

/// Returns the parser for the unit to rank.
pub(super) fn unit() -> impl TypedValueParser<Value = Unit> {
    one_of([("definition", "Functions and types"), ("file", "Whole files"), ("window", "Windows of 20 lines")])
}

/// Returns the parser for the relation between results.
pub(super) fn relation() -> impl TypedValueParser<Value = RelationName> {
    one_of([
        ("structure", "Through the structure graph: syntax, directories, calls"),
        ("position", "By position in the file"),
        ("semantic", "By meaning: similarity of embeddings (needs --embed)"),
        ("none", "None: each result is scored on its own"),
    ])
}

/// Returns the parser for the formula that combines related scores.
pub(super) fn environment() -> impl TypedValueParser<Value = EnvironmentForm> {
    one_of([
        ("sum", "A saturating sum of related scores; it counts less for longer questions"),
        ("mean", "The relation-weighted mean, as in the FragRel paper"),
    ])
}

/// Returns the parser for the ranker of the best functions.
pub(super) fn order() -> impl TypedValueParser<Value = Ranker> {
    one_of([
        ("learned", "A model trained on questions about other repositories"),
        ("words", "The word score that found them"),
    ])
}

/// Returns the parser for the reading order of functions.
pub(super) fn chunk_order() -> impl TypedValueParser<Value = ChunkOrder> {
    one_of([("best", "In the order of the search results"), ("repository", "From the first file to the last")])
}

/// Returns the parser for the format of a memory in prompts.
pub(super) fn memory() -> impl TypedValueParser<Value = MemoryFormat> {
    one_of([
        ("amendments", "Changes are appended; the latest one wins"),
        ("in-place", "The whole memory, rewritten after each change"),
    ])
}

/// Returns the parser for the strategy that `read` uses.
pub(super) fn read_strategy() -> impl TypedValueParser<Value = Strategy> {
    one_of([
        ("prism", "Revisions of a structured memory (PRISM)"),
        ("cok", "A summary of each chunk, then key by key; nothing is ever dropped (Chain-of-Key)"),
    ])
}

/// Returns the parser for the code to show with each result.
pub(super) fn snippet() -> impl TypedValueParser<Value = SnippetChoice> {
    one_of([("best", "The three lines that best match the question"), ("full", "All lines"), ("none", "No code")])
}

/// Returns the parser for the format of a context.
pub(super) fn context_format() -> impl TypedValueParser<Value = ContextFormat> {
    one_of([
        ("prompt", "Comments for a prompt, the best fragment last"),
        ("json", "One JSON object, the best fragment first"),
        ("fim", "The extra context of a fill-in-the-middle request, the best fragment last"),
    ])
}

/// Returns the parser for the ranking of fragments for a completion.
pub(super) fn context_ranking() -> impl TypedValueParser<Value = ContextRanking> {
    one_of([
        ("best", "The ranking that found the most in our measurements"),
        ("published", "BM25 + 0.5 x environment, as in the FragRel paper"),
        ("bm25", "BM25 only"),
    ])
}

/// Strategy for answering a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StrategyChoice {
    /// One search.
    Direct,
    /// Read chunk by chunk, with revisions of a structured memory (PRISM).
    Prism,
    /// Read chunk by chunk, key by key; nothing is ever dropped (Chain-of-Key).
    Cok,
    /// Walk a tree of summaries from the root (MemWalker).
    Walk,
}

/// What reorders the first answers of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RerankChoice {
    /// The installed model (`whichfn model`), if there is one.
    Model,
    /// A language model: one prompt with the first ten functions.
    Llm,
    /// Nothing.
    None,
}

/// Output format of ranked functions and calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// One JSON object for each result.
    Jsonl,
    /// PATH:LINE:COLUMN:TEXT, for the quickfix lists of editors.
    Vimgrep,
}

/// Returns the parser for the output format of a list.
pub(super) fn format(formats: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
    let values = formats.iter().filter_map(ValueEnum::to_possible_value).collect::<Vec<_>>();
    PossibleValuesParser::new(values).try_map(|name| Format::from_str(&name, false))
}

/// Output format of a graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    /// One JSON object with nodes and weighted edges; with every syntax node for a directory.
    #[default]
    Json,
    /// A picture for Graphviz.
    Dot,
    /// A picture for Gephi, yEd and similar tools.
    Graphml,
    /// A Mermaid flowchart, for Markdown.
    Mermaid,
    /// A page for a browser.
    Html,
}
