//! What can be typed.

use super::model::ModelArgs;
use crate::context::ContextRanking;
use crate::memory;
use crate::reading::{MemoryPolicy, Strategy};
use crate::relation::FragmentUnit;
use crate::search::{Form, KindFilter, Order, RelationName, Unit};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Which function in this repository does X?
///
/// Ask in your own words: whichfn "decides whether a redirect target is safe". The index is built and refreshed by
/// itself. Nothing leaves this machine.
#[derive(Debug, Parser)]
#[command(
    name = "whichfn",
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub ask: AskArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Rank the functions that do what the question says (also without the word `ask`).
    Ask(AskArgs),
    /// Build or refresh the index, with progress.
    Index(IndexArgs),
    /// Say what is indexed, how fresh it is and what was left out.
    Status(StatusArgs),
    /// Choose what to put before a completion.
    Context(ContextArgs),
    /// Say what a function is related to most, and by which path.
    Relate(RelateArgs),
    /// Print the structure graph: directories, files, syntax nodes and calls.
    Graph(GraphArgs),
    /// Answer a question from any texts: books, tables, logs.
    Read(ReadArgs),
    /// Measure the ranking over a set of questions with known answers.
    Eval(EvalArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// Options of every command that uses an index.
#[derive(Debug, Clone, Args)]
pub(super) struct Shared {
    /// Keep indexes below this directory [default: the platform's cache directory].
    #[arg(long, value_name = "DIR", env = "WHICHFN_INDEX_DIR", global = false)]
    pub index_dir: Option<PathBuf>,
    /// Leave out files above this size, in bytes [default: 1048576].
    #[arg(long, value_name = "BYTES", env = "WHICHFN_MAX_FILE_SIZE")]
    pub max_file_size: Option<u64>,
    /// When to colour.
    #[arg(long, value_name = "WHEN", env = "WHICHFN_COLOR")]
    pub color: Option<Color>,
    /// Say more: timing; twice: what is done.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Say nothing but results and errors.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Which embedding model to use.
#[derive(Debug, Clone, Args)]
pub(super) struct Embed {
    /// Rank by meaning too, with this embedding model: a fastembed name, or a directory with model.onnx and its tokenizer;
    /// `none` for no model [default: none].
    #[arg(long = "embed", value_name = "MODEL|DIR", env = "WHICHFN_EMBED")]
    pub model: Option<String>,
    /// The ONNX Runtime library that runs the model.
    #[arg(long, value_name = "FILE", env = "ORT_DYLIB_PATH")]
    pub ort_dylib: Option<PathBuf>,
}

impl Embed {
    /// No model, whatever the settings say.
    pub fn none() -> Self {
        Self { model: Some("none".to_owned()), ort_dylib: None }
    }
}

/// How results are chosen and shown.
#[derive(Debug, Clone, Args)]
pub(super) struct Results {
    /// How many results [default: 10].
    #[arg(short = 'k', long = "results", value_name = "N", env = "WHICHFN_K")]
    pub k: Option<usize>,
    /// Which definitions to rank [default: function].
    #[arg(long, value_name = "KIND", env = "WHICHFN_KIND")]
    pub kind: Option<KindName>,
    /// Rank definitions, whole files or windows of 20 lines [default: definition].
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<UnitName>,
    /// How results are related [default: structure].
    #[arg(long, value_name = "RELATION", env = "WHICHFN_RELATION")]
    pub relation: Option<RelationChoice>,
    /// How related scores become one [default: sum].
    #[arg(long, value_name = "FORM")]
    pub environment: Option<FormChoice>,
    /// How much related scores count; 0 for not at all [default: 0.2 for a sum, 0.35 for one of files, 0.5 for a mean].
    #[arg(long, value_name = "A", env = "WHICHFN_ALPHA", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// Who puts the best functions in order: what was learned, or the score of words that found them [default: learned].
    #[arg(long, value_name = "ORDER")]
    pub order: Option<OrderName>,
    /// Compute relations pair by pair over the whole graph, with no cut-off (slow).
    #[arg(long)]
    pub exact: bool,
    /// Only these languages.
    #[arg(long, value_name = "LANG", value_delimiter = ',')]
    pub lang: Vec<String>,
    /// Only paths that match this glob; `!GLOB` leaves out. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub path: Vec<String>,
    /// Answer from the index as it is, without looking at the files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub embed: Embed,
    #[command(flatten)]
    pub reading: Reading,
}

/// How functions are read after the search.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading on")]
pub(super) struct Reading {
    /// Answer by one search, or read on: keep a memory by revisions (prism) or key by key (cok); or walk a tree
    /// of summaries (walk) [default: direct; prism with a language model].
    #[arg(long, value_name = "STRATEGY", env = "WHICHFN_STRATEGY")]
    pub strategy: Option<StrategyName>,
    /// Read so many tokens at once, at most [default: 2000].
    #[arg(long, value_name = "N")]
    pub chunk_tokens: Option<usize>,
    /// Which functions are read first: the best until the memory is settled, or all as they lie [default: best].
    #[arg(long, value_name = "ORDER")]
    pub chunk_order: Option<ChunkOrderName>,
    #[command(flatten)]
    pub kept: Kept,
    /// For a walk: the language model writes the summaries too; they are kept beside the index.
    #[arg(long)]
    pub write_summaries: bool,
}

/// How a memory is kept.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Kept {
    /// How the memory stands in prompts [default: amendments].
    #[arg(long, value_name = "FORM")]
    pub memory: Option<MemoryForm>,
    /// What the memory holds is never replaced.
    #[arg(long)]
    pub no_memory_updates: bool,
    /// Compress the memory above so many tokens [default: no limit].
    #[arg(long, value_name = "N")]
    pub memory_tokens: Option<usize>,
}

impl Kept {
    /// As a strategy of reading takes it.
    pub fn policy(&self, strategy: Strategy) -> MemoryPolicy {
        MemoryPolicy {
            strategy,
            form: self.memory.map_or(memory::MemoryFormat::Amendments, Into::into),
            updates: !self.no_memory_updates,
            limit: self.memory_tokens,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StrategyName {
    /// One search.
    Direct,
    /// Read chunk by chunk, with revisions of a structured memory (PRISM).
    Prism,
    /// Read chunk by chunk, key by key; nothing is ever dropped (Chain-of-Key).
    Cok,
    /// Walk a tree of summaries from the root (MemWalker).
    Walk,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ChunkOrderName {
    /// As the search ranks them.
    Best,
    /// From the first file to the last.
    Repository,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MemoryForm {
    /// Changes are appended, and the later one holds.
    Amendments,
    /// As it is.
    InPlace,
}

impl From<MemoryForm> for memory::MemoryFormat {
    fn from(form: MemoryForm) -> Self {
        match form {
            MemoryForm::Amendments => Self::Amendments,
            MemoryForm::InPlace => Self::InPlace,
        }
    }
}

#[derive(Debug, Clone, Args)]
pub(super) struct AskArgs {
    /// What the function does, in words; `-` reads it from standard input.
    #[arg(required = true, allow_hyphen_values = false)]
    pub question: Option<String>,
    /// The directory to ask about [default: the repository around the current directory].
    pub directory: Option<PathBuf>,
    #[command(flatten)]
    pub results: Results,
    /// Print JSON.
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Print one JSON object for each result.
    #[arg(long)]
    pub jsonl: bool,
    /// Show how each score comes about.
    #[arg(long)]
    pub explain: bool,
    /// Give near-duplicates (copies, overload stubs) places of their own, not below the result that they repeat.
    #[arg(long)]
    pub no_fold: bool,
    /// Lines of each result to show; 0 for none [default: 0].
    #[arg(long, value_name = "N", env = "WHICHFN_SNIPPET_LINES")]
    pub snippet_lines: Option<usize>,
    /// Print no more than about this many tokens (of four bytes); results that do not fit are counted.
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<usize>,
    /// Show how it was read: chunk by chunk what it cost and what was kept, or the steps of a walk. JSON has the former always.
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Clone, Args)]
pub(super) struct IndexArgs {
    /// The directory to index [default: the repository around the current directory].
    pub directory: Option<PathBuf>,
    /// Build anew even if the index is fresh.
    #[arg(long)]
    pub force: bool,
    /// Say what the index holds.
    #[arg(long)]
    pub stats: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub embed: Embed,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Clone, Args)]
pub(super) struct StatusArgs {
    /// The directory [default: the repository around the current directory].
    pub directory: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Clone, Args)]
pub(super) struct GraphArgs {
    /// A directory; else what the graph is drawn around: a function or type (`renew`, `Session.renew`), a file
    /// (`path/file.py`), or a place in it (`path/file.py:LINE`, `path/file.py:NAME`) [default: the repository around the
    /// current directory].
    #[arg(value_name = "PATH|NAME")]
    pub wanted: Option<PathBuf>,
    /// The directory to look in [default: the repository around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub format: GraphFormat,
    /// Write to this file, not to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How many nodes of a picture [default: 60 around a NAME, 500 on the page of a directory, else all].
    #[arg(short = 'k', long, value_name = "N")]
    pub nodes: Option<usize>,
    /// Print how strongly fragments are related instead, as JSON: each with all others.
    #[arg(long, conflicts_with_all = ["output", "nodes"])]
    pub relations: bool,
    /// Which fragments to relate: definition or window [default: definition].
    #[arg(long, value_name = "UNIT", requires = "relations")]
    pub unit: Option<UnitName>,
    /// Relate them pair by pair over the whole graph, with no cut-off (slow).
    #[arg(long, requires = "relations")]
    pub exact: bool,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    /// One JSON object with nodes and weighted edges; of a directory with every syntax node.
    Json,
    /// A picture for Graphviz.
    Dot,
    /// A picture for Gephi, yEd and the like.
    Graphml,
    /// A page for a browser.
    Html,
}

#[derive(Debug, Clone, Args)]
pub(super) struct ContextArgs {
    /// The cursor: the file, the line from 1, and the column from 1 [default: the start of the line].
    #[arg(value_name = "FILE:LINE[:COL]")]
    pub cursor: String,
    /// Read the file's text from standard input, as the editor holds it.
    #[arg(long)]
    pub stdin: bool,
    /// The repository [default: the one around the file].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// How to print it [default: prompt].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ContextFormat>,
    /// At most this many fragments.
    #[arg(short = 'k', long = "fragments", value_name = "N", default_value_t = 10)]
    pub k: usize,
    /// At most about this many tokens (of four bytes) of fragments [default: no limit].
    #[arg(long, value_name = "N")]
    pub budget: Option<usize>,
    /// A first guess at the completion: what it says is looked for too.
    #[arg(long, value_name = "TEXT")]
    pub draft: Option<String>,
    /// Look this often: from the second time on with what a language model writes at the cursor.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub iterations: usize,
    /// How fragments are ranked [default: best].
    #[arg(long, value_name = "RANKING")]
    pub ranking: Option<RankingChoice>,
    /// Answer from the index as it is, without looking at the files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: Shared,
    #[command(flatten)]
    pub model: ModelArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ContextFormat {
    /// Comments for a prompt, the best fragment last.
    Prompt,
    /// One JSON object, the best fragment first.
    Json,
    /// The extra context of a fill-in-the-middle request, the best fragment last.
    Fim,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RankingChoice {
    /// What found most in our measurements.
    Best,
    /// BM25 + 0.5 x environment, as FragRel prints it.
    Published,
    /// BM25 alone.
    Bm25,
}

impl From<RankingChoice> for ContextRanking {
    fn from(choice: RankingChoice) -> Self {
        match choice {
            RankingChoice::Best => Self::Best,
            RankingChoice::Published => Self::Published,
            RankingChoice::Bm25 => Self::Bm25,
        }
    }
}

#[derive(Debug, Clone, Args)]
pub(super) struct RelateArgs {
    /// A function or type: its name, FILE:LINE, or FILE:NAME; or a file.
    #[arg(value_name = "FILE:LINE|NAME")]
    pub name: String,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// How many results [default: 10].
    #[arg(short = 'k', long = "results", value_name = "N", env = "WHICHFN_K")]
    pub k: Option<usize>,
    /// Which definitions to relate it to [default: function].
    #[arg(long, value_name = "KIND", env = "WHICHFN_KIND")]
    pub kind: Option<KindName>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Answer from the index as it is, without looking at the files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Clone, Args)]
pub(super) struct ReadArgs {
    /// The question.
    #[arg(required_unless_present = "schema_only")]
    pub question: Option<String>,
    /// Files, and directories whose files are read as ignore files allow; `-` or none for standard input.
    pub paths: Vec<PathBuf>,
    /// What the memory may hold: a built-in schema (attributes, tables, matches, functions, candidate_functions), a file
    /// with one as JSON or Python dataclasses, or `generate` to let the language model write one.
    #[arg(long, value_name = "NAME|FILE|generate", default_value = "attributes")]
    pub schema: String,
    /// What the texts are, for a schema that is generated.
    #[arg(long, value_name = "TEXT", default_value = "Texts of any kind.")]
    pub domain: String,
    /// Write the schema to this file, to be used again with --schema.
    #[arg(long, value_name = "FILE")]
    pub save_schema: Option<PathBuf>,
    /// Print the schema and read nothing.
    #[arg(long)]
    pub schema_only: bool,
    /// How to print the schema [default: dataclass].
    #[arg(long, value_name = "FORMAT", requires = "schema_only")]
    pub format: Option<SchemaFormat>,
    /// Keep the memory by revisions (prism) or key by key (cok).
    #[arg(long, value_name = "STRATEGY", default_value = "prism")]
    pub strategy: ReadStrategy,
    /// Read so many tokens at once, at most.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub chunk_tokens: usize,
    #[command(flatten)]
    pub kept: Kept,
    /// Print JSON.
    #[arg(long, conflicts_with = "schema_only")]
    pub json: bool,
    /// Show how it was read: chunk by chunk what it cost and what was kept (always in JSON).
    #[arg(long)]
    pub trace: bool,
    /// Leave out files of directories above this size, in bytes [default: 1048576].
    #[arg(long, value_name = "BYTES", env = "WHICHFN_MAX_FILE_SIZE")]
    pub max_file_size: Option<u64>,
    /// When to colour.
    #[arg(long, value_name = "WHEN", env = "WHICHFN_COLOR")]
    pub color: Option<Color>,
    /// Say nothing but results and errors.
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    /// The same as --llm-max-tokens.
    #[arg(long, value_name = "N", conflicts_with = "llm_max_tokens", help_heading = "Language model")]
    pub max_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReadStrategy {
    /// Revisions of a structured memory (PRISM).
    Prism,
    /// A summary of each chunk, then key by key; nothing is ever dropped (Chain-of-Key).
    Cok,
}

impl From<ReadStrategy> for Strategy {
    fn from(strategy: ReadStrategy) -> Self {
        match strategy {
            ReadStrategy::Prism => Self::Prism,
            ReadStrategy::Cok => Self::Cok,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaFormat {
    /// As --schema reads it, names to types.
    Json,
    /// As it stands in prompts; --schema reads it too.
    Dataclass,
    /// For other programs.
    JsonSchema,
}

#[derive(Debug, Clone, Args)]
pub(super) struct EvalArgs {
    /// Question sets: one JSON object a line; `=DIR` names the folder of this set's repositories.
    #[arg(required = true, value_name = "QUESTIONS.jsonl[=DIR]")]
    pub sets: Vec<PathBuf>,
    /// The folder that holds the repositories which the questions name.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo_root: PathBuf,
    #[command(flatten)]
    pub results: Results,
    /// Print rows by category, or by category and repository.
    #[arg(long, value_name = "GROUP", default_value = "category")]
    pub by: GroupName,
    /// Print the rank of each question too.
    #[arg(long)]
    pub ranks: bool,
    /// Write this run to a file, to compare later ones with it.
    #[arg(long, value_name = "RUN.json")]
    pub save: Option<PathBuf>,
    /// Compare this run with a saved one: how sure each difference is, which questions rose and fell.
    #[arg(long, value_name = "RUN.json")]
    pub compare: Option<PathBuf>,
    /// Ask again with these ranking options too, as in `--against '--relation none'`, and compare.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, conflicts_with = "compare")]
    pub against: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GroupName {
    /// All, and each category.
    Category,
    /// And each repository.
    Repo,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KindName {
    /// Functions, methods, macros.
    Function,
    /// Classes, structs, enums, traits, interfaces, aliases.
    Type,
    /// Both, and the top-level code of files.
    Any,
}

impl From<KindName> for KindFilter {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Function => Self::Function,
            KindName::Type => Self::Type,
            KindName::Any => Self::Any,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum UnitName {
    /// Functions and types.
    Definition,
    /// Whole files.
    File,
    /// Windows of 20 lines.
    Window,
}

impl From<UnitName> for Unit {
    fn from(name: UnitName) -> Self {
        match name {
            UnitName::Definition => Self::Definition,
            UnitName::File => Self::File,
            UnitName::Window => Self::Window,
        }
    }
}

impl UnitName {
    /// The fragments of this unit; none for files.
    pub fn fragment(self) -> Option<FragmentUnit> {
        match self {
            Self::Definition => Some(FragmentUnit::Definition),
            Self::Window => Some(FragmentUnit::Window),
            Self::File => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RelationChoice {
    /// Through the structure graph: syntax, directories, calls.
    Structure,
    /// By place in the file.
    Position,
    /// By meaning: how near embeddings are (needs --embed).
    Semantic,
    /// Not at all: every result stands for itself.
    None,
}

impl From<RelationChoice> for RelationName {
    fn from(choice: RelationChoice) -> Self {
        match choice {
            RelationChoice::Structure => Self::Structure,
            RelationChoice::Position => Self::Position,
            RelationChoice::Semantic => Self::Semantic,
            RelationChoice::None => Self::None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FormChoice {
    /// A saturating sum of related scores; less for longer questions.
    Sum,
    /// The relation-weighted mean, as FragRel prints it.
    Mean,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OrderName {
    /// What was learned from questions about other repositories.
    Learned,
    /// The score of words that found them.
    Words,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Learned => Self::Learned,
            OrderName::Words => Self::Words,
        }
    }
}

impl From<FormChoice> for Form {
    fn from(choice: FormChoice) -> Self {
        match choice {
            FormChoice::Sum => Self::Sum,
            FormChoice::Mean => Self::Mean,
        }
    }
}
