//! Opens the engine as flags and settings say.

use super::common::CommonArgs;
use super::links::set_links;
use super::output;
use super::progress::Bar;
use super::ranking::RankingArgs;
use super::settings::Settings;
use crate::check::ChangeOf;
use crate::engine::{Engine, OpenTree};
use crate::error::Result;
use crate::index::Options;
use std::path::Path;

/// Decides on colours, links and how much is told.
pub(super) fn prepare(shared: &CommonArgs, settings: &Settings) {
    output::set_verbosity(shared.verbose);
    output::set_color(shared.color.or(settings.color));
    set_links(shared.hyperlinks.clone().or_else(|| settings.hyperlinks.clone()));
}

/// Opens the engine for a question, with the model that was chosen.
pub(super) fn engine_for(
    root: &Path,
    settings: &Settings,
    shared: &CommonArgs,
    results: &RankingArgs,
) -> Result<Engine> {
    let options = settings.options_with(&results.embed, shared)?;
    start(root, settings, shared, &options, results.no_update)
}

/// Opens the engine, refreshed unless told otherwise.
pub(super) fn engine(root: &Path, settings: &Settings, shared: &CommonArgs, no_update: bool) -> Result<Engine> {
    start(root, settings, shared, &settings.options(shared), no_update)
}

/// Opens what a change led to: the files as they are now, for nothing older will do, or as they are in a revision.
pub(super) fn after(root: &Path, settings: &Settings, shared: &CommonArgs, of: &ChangeOf) -> Result<OpenTree> {
    Engine::open_after(root, &settings.index_dir(shared)?, &settings.options(shared), &Bar::new(shared), of)
}

fn start(root: &Path, settings: &Settings, shared: &CommonArgs, options: &Options, no_update: bool) -> Result<Engine> {
    let index_dir = settings.index_dir(shared)?;
    match no_update {
        true => Engine::open_stale(root, &index_dir, options),
        // A question is better answered from the index as it was than not at all.
        false => Engine::open(root, &index_dir, &Options { newest: false, ..options.clone() }, &Bar::new(shared)),
    }
}
