//! The `whichfn context` command.

use super::choices;
use super::common::{CommonArgs, at_least_one};
use super::model::ModelArgs;
use super::target::Target;
use super::{Exit, output, place};
use crate::render::{self, ContextFormat, line};
use clap::Args;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use whichfn_llm::Model;
use whichfn_read::context::{ContextQuery, ContextRanking};
use whichfn_scan::find_root;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_text;

#[derive(Debug, Clone, Args)]
pub(super) struct ContextArgs {
    /// Position of the cursor: file, line and column, starting at 1 [default: the start of the
    /// line].
    #[arg(value_name = "FILE:LINE[:COL]")]
    pub cursor: String,
    /// Read the text of the file, with unsaved changes, from standard input.
    #[arg(long)]
    pub stdin: bool,
    /// The repository [default: the one around the file].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Output format [default: prompt].
    #[arg(long, value_name = "FORMAT", value_parser = choices::context_format())]
    pub format: Option<ContextFormat>,
    /// Maximum number of fragments.
    #[arg(short = 'k', long = "fragments", value_name = "N", default_value_t = 10)]
    pub k: usize,
    /// Approximate maximum number of tokens (of four bytes) in all fragments [default: no limit].
    #[arg(long, value_name = "N")]
    pub budget: Option<usize>,
    /// A first guess at the completion, which is also searched for.
    #[arg(long, value_name = "TEXT")]
    pub draft: Option<String>,
    /// Number of retrievals; from the second one on, the query includes what a language model
    /// writes at the cursor.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub iterations: usize,
    /// Ranking of the fragments [default: best].
    #[arg(long, value_name = "RANKING", value_parser = choices::context_ranking())]
    pub ranking: Option<ContextRanking>,
    /// Use the index as it is, without checking for changed files.
    #[arg(long)]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
    #[command(flatten)]
    pub model: ModelArgs,
}

pub(super) fn run(asked: &ContextArgs) -> Result<Exit> {
    let (typed, line_number, column) = place::cursor(&asked.cursor)?;
    at_least_one("-k", asked.k, "fragments")?;
    at_least_one("--iterations", asked.iterations, "retrieval")?;
    let (root, file) = locate(typed, asked.directory.as_deref())?;
    let target = Target::read(root, &asked.shared)?;
    let model = model(asked, &target)?;
    let templates = asked.model.templates()?;
    let engine = target.engine(asked.no_update)?;
    let query = ContextQuery {
        file,
        line: line_number,
        column,
        text: if asked.stdin { Some(standard_input()?) } else { None },
        k: asked.k,
        budget: asked.budget,
        draft: asked.draft.clone(),
        ranking: asked.ranking.unwrap_or_default(),
    };
    let (context, iterations) = match &model {
        Some(model) => {
            let _bar = target.ui.progress();
            engine.context_with(&query, asked.iterations, model, &templates)?
        }
        None => (engine.context(&query)?, Vec::new()),
    };
    let format = asked.format.unwrap_or(ContextFormat::Prompt);
    let shown = render::context(format, &engine, &context, &iterations);
    target.ui.notices(&context.notices);
    output::data(&match shown {
        Value::String(prompt) => prompt,
        value => line(&value),
    })?;
    if context.fragments.is_empty() {
        target.ui.notice(match asked.budget {
            Some(_) => "no fragment fits; the budget may be too small",
            None => "no fragment matches the lines before the cursor",
        });
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

/// Returns the model that guesses between retrievals; `None` for a single retrieval, which needs no
/// model.
fn model(asked: &ContextArgs, target: &Target<'_>) -> Result<Option<Box<dyn Model>>> {
    if asked.iterations > 1 {
        let missing = || {
            let next =
                "pass --llm-url URL --llm-model NAME, --llm-cmd 'CMD', or --reader llm for the model in your settings";
            Error::new(Kind::Usage, format!("--iterations {} needs a language model", asked.iterations), next)
        };
        return asked.model.model(&target.settings)?.ok_or_else(missing).map(Some);
    }
    if asked.model.wants_model() {
        target.ui.notice("the model was not called: a single retrieval does not need it (see --iterations)");
    }
    Ok(None)
}

/// Returns the repository, and the file's path in it. The file may not exist yet.
fn locate(typed: &str, directory: Option<&Path>) -> Result<(PathBuf, String)> {
    let file = Path::new(typed);
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = resolved(folder)?;
    let root = match directory {
        Some(directory) => find_root(Some(directory))?,
        None => place::repository_of(&folder),
    };
    let Some(name) = file.file_name().filter(|_| !file.is_dir()) else {
        return Err(Error::new(Kind::Path, format!("{typed} is a directory"), "pass a file in it"));
    };
    let path = folder.join(name);
    // The index does not contain the link itself but the file that it points to.
    let target_path = path.canonicalize().ok().filter(|path| path.starts_with(&root));
    match target_path.unwrap_or(path).strip_prefix(&root) {
        Ok(path) => Ok((root.clone(), path_text(path))),
        Err(_) => Err(Error::new(
            Kind::Path,
            format!("{typed} is outside {}", root.display()),
            "omit --in, or pass the repository that contains it",
        )),
    }
}

/// Resolves the links in the path of a folder. An editor may have a file open in a folder that does
/// not exist yet.
fn resolved(folder: &Path) -> Result<PathBuf> {
    let existing = folder.ancestors().find(|part| part.exists()).unwrap_or(Path::new("."));
    let resolved = existing.canonicalize().map_err(|cause| Error::io(Kind::Path, "read", existing, &cause))?;
    // Collecting drops a slash at the end.
    Ok(resolved.join(folder.strip_prefix(existing).unwrap_or(folder)).components().collect())
}

fn standard_input() -> Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    let failed = |cause| {
        Error::new(Kind::Usage, format!("cannot read the text: {cause}"), "pipe in the file's text, or omit --stdin")
    };
    read.map_err(|cause| failed(cause.to_string()))?;
    let text = whichfn_scan::decode(&bytes).ok_or_else(|| failed("it is binary".to_owned()))?;
    Ok(text.into_owned())
}
