//! Opens the engine according to flags and settings.

use super::common::CommonArgs;
use super::links::set_links;
use super::output;
use super::progress::Bar;
use super::ranking::RankingArgs;
use super::settings::Settings;
use crate::engine::{Engine, OpenTree};
use std::path::Path;
use whichfn_check::ChangeOf;
use whichfn_index::index::Options;
use whichfn_system::error::Result;

/// Configures colours, links and verbosity.
pub(super) fn prepare(shared: &CommonArgs, settings: &Settings) {
    output::set_verbosity(shared.verbose);
    output::set_color(shared.color.or(settings.color));
    set_links(shared.hyperlinks.clone().or_else(|| settings.hyperlinks.clone()));
}

/// Opens the engine for a question, with the chosen model.
pub(super) fn engine_for(
    root: &Path,
    settings: &Settings,
    shared: &CommonArgs,
    results: &RankingArgs,
) -> Result<Engine> {
    let options = settings.options_with(&results.embed, shared)?;
    start(root, settings, shared, &options, results.no_update)
}

/// Opens the engine, and refreshes it unless `no_update` is set.
pub(super) fn engine(root: &Path, settings: &Settings, shared: &CommonArgs, no_update: bool) -> Result<Engine> {
    start(root, settings, shared, &settings.options(shared), no_update)
}

/// Opens the tree that a change leads to: the current files, which must be up to date, or those of
/// a revision.
pub(super) fn after(root: &Path, settings: &Settings, shared: &CommonArgs, of: &ChangeOf) -> Result<OpenTree> {
    Engine::open_after(root, &settings.index_dir(shared)?, &settings.options(shared), &Bar::new(shared), of)
}

fn start(root: &Path, settings: &Settings, shared: &CommonArgs, options: &Options, no_update: bool) -> Result<Engine> {
    let index_dir = settings.index_dir(shared)?;
    match no_update {
        true => Engine::open_stale(root, &index_dir, options),
        // An answer from an outdated index is better than none.
        false => Engine::open(root, &index_dir, &Options { newest: false, ..options.clone() }, &Bar::new(shared)),
    }
}
