//! The whole program as a few operations, each in its own file. Every front end (the command line
//! and others) calls these operations, which expose only plain data types from other modules.
//!
//! **Never:** parses arguments or prints.

mod answer;
mod brief;
mod check;
mod context;
mod foreign;
mod globs;
mod graph;
mod heal;
mod line_pattern;
mod named_lines;
mod outline;
mod passages;
mod plan;
mod reach;
mod read;
mod relations;
mod second_opinion;
mod status;
mod symbols;
mod user_folder;
mod vector_cache;
mod whole_graph;

pub use answer::present;
pub use brief::{Brief, BriefCandidate, FurtherFunction};
pub use check::OpenTree;
pub use graph::NamedDefinition;
pub use heal::healing;
pub use line_pattern::{LinePattern, MatchingLines};
pub use named_lines::NamedLines;
pub use outline::OutlineNode;
pub use plan::{
    AnswerKind, BEST_LINES, FollowUp, Plan, ReadAnswer, ReadingRecord, Rerank, SnippetChoice, TextUse, UnsearchedText,
    WalkTrace,
};
pub use read::{ReadQuery, read, write_schema};
pub use second_opinion::SecondOpinion;
pub use status::Status;
pub use symbols::ListedSymbol;
pub use user_folder::{UserFolder, default_index_dir, user_folder};
pub use whole_graph::{NamedFragment, WholeGraph};

use crate::render::counted;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use whichfn_index::embed::EmbedModel;
use whichfn_index::index::{Options, Progress, Report, Silent, embed, embedded_by, refresh};
use whichfn_index::source::Sources;
use whichfn_index::store::{Fingerprint, Freshness, Generation, Layout, SkipRecord, TypeGraph};
use whichfn_scan::{Skip, scan};
use whichfn_search::answer::IndexSummary;
use whichfn_search::search::Searcher;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::threads;
use whichfn_text::path_from_text;

/// A repository with an open index.
pub struct Engine {
    root: PathBuf,
    registry: Registry,
    layout: Layout,
    generation: Generation,
    report: Report,
    model: Option<EmbedModel>,
    second_opinion: Option<Arc<SecondOpinion>>,
    options: Options,
}

impl Engine {
    /// Opens the index of `root` in the default location ([`default_index_dir`]), and builds or
    /// refreshes it as needed. It uses the default options and does not report progress.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::open`], or if neither `XDG_CACHE_HOME` nor
    /// `HOME` is set.
    pub fn open_default(root: &Path) -> Result<Self> {
        let index_dir = default_index_dir().ok_or_else(|| {
            let what = "cannot find a cache directory: neither XDG_CACHE_HOME nor HOME is set";
            Error::new(Kind::Usage, what, Remedy::MoveIndex)
        })?;
        let root = root.canonicalize().map_err(|cause| Error::io(Kind::Path, "open", root, &cause))?;
        Self::open(&root, &index_dir, &Options::default(), &Silent)
    }

    /// Opens the index of `root` in `index_dir`, and builds or refreshes it as needed.
    ///
    /// # Errors
    /// Returns an error if the root cannot be read, or if the index cannot be written.
    pub fn open(root: &Path, index_dir: &Path, options: &Options, progress: &dyn Progress) -> Result<Self> {
        let registry = Registry::with_assigned(&options.languages)?;
        let layout = Layout::new(index_dir, root);
        // A missing model is reported before anything is built.
        let model = options.embed.as_ref().map(EmbedModel::find).transpose()?;
        let (generation, report) = refreshed(root, &layout, &registry, options, model.as_ref(), progress)?;
        let (root, options) = (root.to_owned(), options.clone());
        Ok(Self { root, registry, layout, generation, report, model, second_opinion: None, options })
    }

    /// Sets the encoder that reorders the first hits of each answer.
    #[must_use]
    pub fn with_second_opinion(self, second_opinion: Option<Arc<SecondOpinion>>) -> Self {
        Self { second_opinion, ..self }
    }

    /// Updates the index by parsing the files that changed since it was opened.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::open`]. The engine then continues to answer
    /// from the old index.
    pub fn refresh(&mut self, progress: &dyn Progress) -> Result<&Report> {
        let options = Options { force: false, ..self.options.clone() };
        let (generation, report) =
            refreshed(&self.root, &self.layout, &self.registry, &options, self.model.as_ref(), progress)?;
        (self.generation, self.report) = (generation, report);
        Ok(&self.report)
    }

    /// Opens the existing index without checking whether source files changed (`--no-update`).
    ///
    /// # Errors
    /// Returns an error if there is no index, or if it cannot be used.
    pub fn open_stale(root: &Path, index_dir: &Path, options: &Options) -> Result<Self> {
        threads::start_pool()?;
        let registry = Registry::with_assigned(&options.languages)?;
        let layout = Layout::new(index_dir, root);
        layout.check_owner()?;
        let model = options.embed.as_ref().map(EmbedModel::find).transpose()?;
        let mut generation = Generation::open(&layout, &Fingerprint::new(registry.digest(), options.max_size))
            .map_err(|state| {
                let what = match state {
                    Freshness::Missing => format!("{} has no index yet", root.display()),
                    Freshness::Fingerprint => {
                        format!(
                            "the index of {} was built by a different version or with different settings",
                            root.display()
                        )
                    }
                    _ => format!("the index of {} is damaged", root.display()),
                };
                Error::new(Kind::Index, what, Remedy::RefreshIndex)
            })?;
        if let Some(model) = &model {
            let embeddings = embedded_by(model, &generation).ok_or_else(|| {
                let what = format!("the index of {} has no embeddings from {}", root.display(), model.name());
                Error::new(Kind::Index, what, Remedy::EmbedIndex)
            })?;
            generation.embeddings = Some(embeddings);
        }
        let (root, report, options) = (root.to_owned(), Report::default(), options.clone());
        Ok(Self { root, registry, layout, generation, report, model, second_opinion: None, options })
    }

    /// Returns the root directory of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the index that is open, for programs that measure it.
    #[doc(hidden)]
    pub fn generation(&self) -> &Generation {
        &self.generation
    }

    /// Returns access to the text of the repository's files.
    fn sources(&self) -> Sources<'_> {
        Sources::new(&self.root, &self.generation)
    }

    /// Returns a view of the repository's types and their methods.
    fn types(&self) -> TypeGraph<'_> {
        TypeGraph::new(&self.generation.graph, &self.registry)
    }

    /// Checks that everything in the index may be sent to a language model. An index that was not
    /// refreshed may contain a file that is now hidden. Prompts would contain the names and
    /// summaries from that file, even without its text.
    ///
    /// **Cost:** a scan, which is short compared with a model call.
    ///
    /// # Errors
    /// Returns an error if the index contains an existing file that a scan would no longer find.
    fn may_be_sent(&self) -> Result<()> {
        let scan = scan(&self.root, &self.registry, self.options.max_size)?;
        let skipped = scan.skipped.iter().filter(|(_, skip)| !matches!(skip, Skip::Link | Skip::Special));
        let seen: FxHashSet<&str> =
            scan.files.iter().map(|file| &*file.path).chain(skipped.map(|(path, _)| &**path)).collect();
        let files = self.generation.manifest.files.iter().map(|file| &*file.path);
        let is_there = |path: &&str| self.root.join(path_from_text(path)).symlink_metadata().is_ok();
        let hidden: Vec<&str> = files.filter(|path| !seen.contains(path)).filter(is_there).collect();
        let Some(first) = hidden.first() else { return Ok(()) };
        let more = if hidden.len() > 1 { format!(" and {} more", hidden.len() - 1) } else { String::new() };
        let what = format!(
            "the index contains {first}{more}, now hidden by an ignore file, a leading dot or a link; nothing was sent"
        );
        Err(Error::new(Kind::Path, what, Remedy::RefreshIndex))
    }

    /// Returns a searcher over the open index, for programs that measure it.
    #[doc(hidden)]
    pub fn searcher(&self) -> Searcher<'_> {
        Searcher::new(&self.generation, &self.registry)
    }

    /// Returns a summary of the open index.
    pub fn summary(&self) -> IndexSummary {
        let manifest = &self.generation.manifest;
        let may_have_code = |file: &&SkipRecord| {
            matches!(file.reason, Skip::Oversized | Skip::Minified | Skip::Unparsable)
                && self.registry.detect(&file.path).is_some()
        };
        let unsearched = manifest.skipped.iter().filter(may_have_code);
        IndexSummary {
            files: manifest.files.len(),
            functions: manifest.functions as usize,
            skipped: manifest.skipped.len(),
            unsearched: unsearched.map(|file| (file.path.clone(), file.reason.name())).collect(),
            refreshed_files: self.report.parsed,
            ms: self.report.elapsed.as_secs_f64() * 1e3,
        }
    }
}

/// Builds or refreshes the index of a repository, and embeds its functions if there is a model.
fn refreshed(
    root: &Path,
    layout: &Layout,
    registry: &Registry,
    options: &Options,
    model: Option<&EmbedModel>,
    progress: &dyn Progress,
) -> Result<(Generation, Report)> {
    let started = Instant::now();
    let (mut generation, mut report) = refresh(root, layout, registry, options, progress)?;
    let sources: Vec<&String> = report.oversized.iter().filter(|path| registry.detect(path).is_some()).collect();
    if let Some((first, others)) = sources.split_first() {
        let more = match others.len() {
            0 => String::new(),
            count => format!(" (and {})", counted(count, "more file")),
        };
        progress.notice(&format!("{first}{more} is not searched, because it exceeds --max-file-size"));
    }
    if let Some(model) = model {
        (generation, report.embedded) = embed(root, layout, generation, model, options.force, progress)?;
        report.elapsed = started.elapsed();
    }
    Ok((generation, report))
}
