//! What `tests` and `impact` are about: a definition, or a change.

use super::common::CommonArgs;
use super::target::Target;
use super::ui::Ui;
use super::{check, output, resolve};
use crate::engine::{Engine, OpenTree};
use clap::Args;
use std::path::PathBuf;
use whichfn_check::{ChangeOf, ChangedDefinitions};
use whichfn_scan::find_root;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(super) struct SubjectArgs {
    /// A function, as NAME, FILE:LINE or FILE:NAME; a type or file, for everything in it; or a
    /// constant, field or enum variant, for the code that uses it [default: the uncommitted
    /// changes].
    #[arg(value_name = "FILE:LINE|NAME", conflicts_with_all = ["staged", "base"])]
    pub name: Option<String>,
    /// The staged changes.
    #[arg(long, conflicts_with = "base")]
    pub staged: bool,
    /// All changes since the last common commit with REV, such as origin/main.
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Use all definitions with this name.
    #[arg(long, requires = "name")]
    pub all: bool,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Use the index as it is, without checking for changed files.
    #[arg(long, requires = "name")]
    pub no_update: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

/// Definitions to examine, with the engine of their repository.
pub(super) struct Subject {
    pub tree: Tree,
    pub root: PathBuf,
    pub ui: Ui,
    /// The definitions; empty if nothing uses the named value, or if the change touches no definition.
    pub of: Vec<DefinitionId>,
    /// What the change touches; `None` for a name.
    pub change: Option<ChangedDefinitions>,
}

/// An open repository.
pub(super) enum Tree {
    /// The tree of a name.
    Named(Box<Engine>),
    /// The tree that contains a change.
    Changed(Box<OpenTree>),
}

impl Subject {
    pub fn engine(&self) -> &Engine {
        match &self.tree {
            Tree::Named(engine) => engine,
            Tree::Changed(tree) => &tree.engine,
        }
    }

    /// Resolves the name, or reads the change. With `merges`, a name may refer to several definitions,
    /// as in a question.
    pub fn read(asked: &SubjectArgs, merges: bool) -> Result<Self> {
        let directory = asked.directory.as_deref();
        let Some(typed) = &asked.name else { return Self::of_change(asked) };
        let (target, name) = Target::of_name(typed, directory, &asked.shared)?;
        let engine = target.engine(asked.no_update)?;
        let values = engine.values_named(&name);
        let of = if values.is_empty() {
            let merged = if merges && !asked.all { resolve::merged(&engine, &name, target.ui) } else { None };
            engine.parts(&merged.map_or_else(|| resolve::definitions(&engine, &name, asked.all), Ok)?)
        } else {
            resolve::users(&engine, &name, &values, asked.all)?
        };
        Ok(Self { tree: Tree::Named(Box::new(engine)), root: target.root, ui: target.ui, of, change: None })
    }

    fn of_change(asked: &SubjectArgs) -> Result<Self> {
        let target = Target::read(find_root(asked.directory.as_deref())?, &asked.shared)?;
        let source = match &asked.base {
            Some(revision) => ChangeOf::Since(revision.clone()),
            None if asked.staged => ChangeOf::Staged,
            None => ChangeOf::Uncommitted(Vec::new()),
        };
        let tree = target.after(&source)?;
        let change = tree.engine.changed(&target.root, &source)?;
        for path in &change.conflicts {
            target.ui.notice(&format!("skipped {path}: it has unresolved merge conflicts"));
        }
        for path in &change.broken {
            target.ui.notice(&format!("skipped {path}: it no longer parses"));
        }
        if change.definitions.is_empty() {
            output::notice("the change touches no function or type");
            if source == ChangeOf::Staged && change.files == 0 {
                check::unstaged_notice(target.ui, &target.root);
            }
        }
        let of = change.definitions.clone();
        Ok(Self { tree: Tree::Changed(Box::new(tree)), root: target.root, ui: target.ui, of, change: Some(change) })
    }
}
