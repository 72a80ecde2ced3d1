//! The repository that a command works on, opened according to flags and settings.

use super::common::{CommonArgs, EmbedArgs};
use super::settings::Settings;
use super::ui::Ui;
use crate::engine::{Engine, OpenTree, SecondOpinion};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whichfn_check::ChangeOf;
use whichfn_index::index::Options;
use whichfn_system::error::Result;

/// A repository with its settings, and the options that all commands share.
pub(super) struct Target<'a> {
    pub root: PathBuf,
    pub settings: Settings,
    pub ui: Ui,
    /// The model that reorders the first answers, if any.
    pub second_opinion: Option<Arc<SecondOpinion>>,
    shared: &'a CommonArgs,
}

impl<'a> Target<'a> {
    /// Reads the settings of a repository, and configures the output.
    pub fn read(root: PathBuf, shared: &'a CommonArgs) -> Result<Self> {
        let settings = Settings::read(&root)?;
        let ui = Ui::new(shared, &settings);
        let second_opinion = settings.second_opinion(shared)?;
        Ok(Self { root, settings, ui, second_opinion, shared })
    }

    /// Opens the engine, and refreshes it unless `no_update` is set.
    pub fn engine(&self, no_update: bool) -> Result<Engine> {
        self.open(&self.root, &self.settings.options(self.shared), no_update)
    }

    /// Opens the engine of a repository for questions, with the chosen embedding model.
    pub fn engine_at(&self, root: &Path, embed: &EmbedArgs, no_update: bool) -> Result<Engine> {
        self.open(root, &self.settings.options_with(embed, self.shared)?, no_update)
    }

    /// Opens the tree that a change leads to: the current files, which must be up to date, or the
    /// files of a revision.
    pub fn after(&self, change: &ChangeOf) -> Result<OpenTree> {
        let options = self.settings.options(self.shared);
        Engine::open_after(&self.root, &self.settings.index_dir(self.shared)?, &options, &self.ui.progress(), change)
    }

    /// Opens the engine with an index that is up to date. Of the options, only `force`, `verify` and
    /// `requested` apply.
    pub fn updated(&self, embed: &EmbedArgs, given: Options) -> Result<Engine> {
        let Options { force, verify, requested, .. } = given;
        let options = Options { force, verify, requested, ..self.settings.options_with(embed, self.shared)? };
        let index_dir = self.settings.index_dir(self.shared)?;
        let engine = Engine::open(&self.root, &index_dir, &options, &self.ui.progress())?;
        Ok(engine.with_second_opinion(self.second_opinion.clone()))
    }

    fn open(&self, root: &Path, options: &Options, no_update: bool) -> Result<Engine> {
        let index_dir = self.settings.index_dir(self.shared)?;
        let engine = match no_update {
            true => Engine::open_stale(root, &index_dir, options)?,
            // An answer from an outdated index is better than none.
            false => {
                let options = Options { newest: false, ..options.clone() };
                Engine::open(root, &index_dir, &options, &self.ui.progress())?
            }
        };
        Ok(engine.with_second_opinion(self.second_opinion.clone()))
    }
}
