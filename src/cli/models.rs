//! The `whichfn model` command: installs, lists and removes models that give a second opinion on the first
//! answers.

use super::common::CommonArgs;
use super::progress::byte_bar;
use super::{Exit, output};
use crate::models::{CATALOG, CatalogModel, InstalledModel, ModelFolder};
use crate::render::line;
use clap::{Args, Subcommand};
use indicatif::HumanBytes;
use serde_json::json;
use std::path::Path;
use whichfn_system::error::{Error, Kind, Result};

#[derive(Debug, Clone, Args)]
pub(super) struct ModelCommandArgs {
    #[command(subcommand)]
    pub command: ModelCommand,
}

#[derive(Debug, Clone, Subcommand)]
pub(super) enum ModelCommand {
    /// Download a model, or copy one from a directory, and use it for all answers from now on.
    Install {
        /// A name that `whichfn model list` prints, or a directory with config.json, vocab.txt and
        /// model.safetensors [default: all-MiniLM-L6-v2].
        #[arg(value_name = "NAME|DIR")]
        model: Option<String>,
        #[command(flatten)]
        shared: CommonArgs,
    },
    /// List the models that are installed and those that can be.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove an installed model.
    Remove {
        /// Its name [default: the model in use].
        name: Option<String>,
    },
}

pub(super) fn run(asked: &ModelCommandArgs) -> Result<Exit> {
    let folder = ModelFolder::of_user()?;
    match &asked.command {
        ModelCommand::Install { model, shared } => install(&folder, model.as_deref(), shared.quiet),
        ModelCommand::List { json } => list(&folder, *json),
        ModelCommand::Remove { name } => remove(&folder, name.as_deref()),
    }
}

fn install(folder: &ModelFolder, model: Option<&str>, quiet: bool) -> Result<Exit> {
    let bar = byte_bar(quiet);
    let progress = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let name = match (model, CatalogModel::named(model.unwrap_or(CATALOG[0].name))) {
        (_, Some(known)) => {
            let (size, licence, gain) = (HumanBytes(known.size()), known.licence, known.gain);
            output::notice(&format!("installing {} ({size}, licence {licence}; {gain})", known.name));
            folder.install(known, &server(), &progress)?;
            known.name.to_owned()
        }
        (Some(directory), None) if Path::new(directory).is_dir() => {
            folder.install_directory(Path::new(directory), &progress)?
        }
        (other, None) => {
            let what = format!("{} is neither a known model nor a directory", other.unwrap_or_default());
            let names: Vec<&str> = CATALOG.iter().map(|model| model.name).collect();
            return Err(Error::new(Kind::Usage, what, format!("use {} or a directory", names.join(", "))));
        }
    };
    bar.finish_and_clear();
    output::text(&format!("installed {name}; answers use it from now on, unless --no-model is set\n"))?;
    Ok(Exit::Found)
}

/// Returns the server that models come from.
fn server() -> String {
    let chosen = std::env::var("HF_ENDPOINT").ok().filter(|server| !server.is_empty());
    chosen.unwrap_or_else(|| "https://huggingface.co".to_owned())
}

fn list(folder: &ModelFolder, as_json: bool) -> Result<Exit> {
    let installed = folder.list();
    let others = CATALOG.iter().filter(|model| !installed.iter().any(|one| one.name == model.name));
    if as_json {
        let own = installed.iter().map(
            |model| json!({ "name": model.name, "size": model.size, "installed": true, "current": model.is_current }),
        );
        let others = others.map(|model| {
            let (name, size, licence, gain) = (model.name, model.size(), model.licence, model.gain);
            json!({ "name": name, "size": size, "licence": licence, "gain": gain, "installed": false, "current": false })
        });
        output::text(&line(&json!({ "version": 1, "models": own.chain(others).collect::<Vec<_>>() })))?;
        return Ok(Exit::Found);
    }
    let own = installed.iter().map(|model| {
        let state = if model.is_current { "installed, in use" } else { "installed" };
        format!("{}  {}  {state}\n", model.name, HumanBytes(model.size))
    });
    let others = others.map(|model| {
        let (name, size, parameters, licence) = (model.name, HumanBytes(model.size()), model.parameters, model.licence);
        format!(
            "{name}  {size}  {parameters} parameters, licence {licence}; {}; `whichfn model install {name}`\n",
            model.gain
        )
    });
    output::text(&own.chain(others).collect::<String>())?;
    Ok(Exit::Found)
}

fn remove(folder: &ModelFolder, name: Option<&str>) -> Result<Exit> {
    let current = || folder.list().into_iter().find(|model: &InstalledModel| model.is_current).map(|model| model.name);
    let Some(name) = name.map(str::to_owned).or_else(current) else {
        return Err(Error::new(Kind::Usage, "no model is installed", "see whichfn model list"));
    };
    if !folder.remove(&name)? {
        return Err(Error::new(Kind::Usage, format!("{name} is not installed"), "see whichfn model list"));
    }
    output::text(&format!("removed {name}\n"))?;
    Ok(Exit::Found)
}
