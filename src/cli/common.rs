//! Options that several commands share.

use super::links::Links;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Options of every command that uses an index.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "General")]
pub(super) struct CommonArgs {
    /// Directory for indexes [default: the platform's cache directory].
    #[arg(long, value_name = "DIR", env = "WHICHFN_INDEX_DIR", global = false, hide_short_help = true)]
    pub index_dir: Option<PathBuf>,
    /// Skip files larger than this, in bytes [default: 1048576].
    #[arg(long, value_name = "BYTES", env = "WHICHFN_MAX_FILE_SIZE", hide_short_help = true)]
    pub max_file_size: Option<u64>,
    /// Model that reorders the first answers: an installed one (`whichfn model`), or a directory;
    /// `none` for no model [default: the installed one].
    #[arg(long = "model", value_name = "NAME|DIR", env = "WHICHFN_MODEL", hide_short_help = true)]
    pub encoder: Option<String>,
    /// Do not use a model: `--model none`.
    #[arg(long, env = "WHICHFN_NO_MODEL", hide_short_help = true)]
    pub no_model: bool,
    /// When to use colors.
    #[arg(long, value_name = "WHEN", env = "WHICHFN_COLOR")]
    pub color: Option<Color>,
    /// When to print locations as terminal hyperlinks: auto, always, never; or a template such as
    /// vscode://file{path}:{line}:{column} [default: auto].
    #[arg(long, value_name = "WHEN|ADDRESS", env = "WHICHFN_HYPERLINKS", hide_short_help = true)]
    pub hyperlinks: Option<Links>,
    /// Print timings; twice: log each step.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Print only results and errors.
    #[arg(short, long)]
    pub quiet: bool,
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

pub(super) use crate::render::counted;
pub(super) use crate::verbs::at_least_one;

/// Which embedding model to use.
#[derive(Debug, Clone, Args)]
pub(super) struct EmbedArgs {
    /// Also rank by meaning, with this embedding model: a fastembed name, or a directory with
    /// model.onnx and its tokenizer; `none` for no model [default: none].
    #[arg(long = "embed", value_name = "MODEL|DIR", env = "WHICHFN_EMBED", hide_short_help = true)]
    pub model: Option<String>,
    /// The ONNX Runtime library that runs the model.
    #[arg(long, value_name = "FILE", env = "ORT_DYLIB_PATH", hide_short_help = true)]
    pub ort_dylib: Option<PathBuf>,
}

impl EmbedArgs {
    /// Returns the options for no model, independent of the settings.
    pub fn none() -> Self {
        Self { model: Some("none".to_owned()), ort_dylib: None }
    }
}

/// The repository that a command works on.
#[derive(Debug, Clone, Args)]
pub(super) struct RepositoryArgs {
    /// The repository [default: the one around the file, or around the current directory].
    #[arg(value_name = "DIRECTORY", conflicts_with = "directory")]
    typed: Option<PathBuf>,
    #[command(flatten)]
    option: InArgs,
}

/// The repository that a command works on, as an option.
#[derive(Debug, Clone, Args)]
pub(super) struct InArgs {
    /// The repository, as an option.
    #[arg(long = "in", value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl RepositoryArgs {
    /// Returns the directory that the user named.
    pub fn directory(&self) -> Option<&Path> {
        self.option.directory.as_deref().or(self.typed.as_deref())
    }
}
