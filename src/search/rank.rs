//! Scores to an ordered, cut list.

use super::bm25f::Part;
use super::environment::Environment;
use super::trust::Trust;
use crate::error::{Error, Kind, Remedy, Result};
use crate::ids::{DefinitionId, FileId};
use crate::lang::{DefinitionKind, Registry};
use crate::store::GraphFile;
use globset::{GlobBuilder, GlobMatcher};

/// What is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Definitions.
    #[default]
    Definition,
    /// Files, each at the place of what it holds.
    File,
    /// Windows of 20 lines.
    Window,
}

/// Which definitions are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KindFilter {
    /// Functions, methods, macros.
    #[default]
    Function,
    /// Classes, structs, enums, traits, interfaces, aliases.
    Type,
    /// Both, and the top-level code of files.
    Any,
}

impl KindFilter {
    /// Whether definitions of this kind are ranked.
    pub fn accepts(self, kind: DefinitionKind) -> bool {
        match self {
            Self::Function => kind.is_function(),
            Self::Type => kind.is_type(),
            Self::Any => kind.is_function() || kind.is_type() || kind == DefinitionKind::Module,
        }
    }
}

/// Who puts the best candidates in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// What was learned from questions about other repositories; for functions only.
    #[default]
    Learned,
    /// The score that found them.
    Words,
}

/// A question and what is wanted of the answer.
#[derive(Debug, Clone)]
pub struct Query {
    /// The question in words.
    pub text: String,
    /// How many results.
    pub k: usize,
    /// What is ranked.
    pub unit: Unit,
    /// Which definitions.
    pub kind: KindFilter,
    /// What a result gets from what it is related to.
    pub environment: Environment,
    /// Who orders the best.
    pub order: Order,
    /// Relations pair by pair over the whole graph, with no cut-off: slow.
    pub exact: bool,
    /// The question as a unit vector by the model whose vectors the index holds; none without a model.
    pub meaning: Option<Vec<f32>>,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only paths that match one of these globs; all if empty. A leading `!` leaves out.
    pub paths: Vec<String>,
}

impl Query {
    /// A question with the usual settings.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            k: 10,
            unit: Unit::default(),
            kind: KindFilter::default(),
            environment: Environment::default(),
            order: Order::default(),
            exact: false,
            meaning: None,
            languages: Vec::new(),
            paths: Vec::new(),
        }
    }
}

/// A ranked result, before it is dressed for people.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The definition; for `--unit file` the best one of the file.
    pub definition: DefinitionId,
    /// Its file.
    pub file: FileId,
    /// First and last line of a window.
    pub window: Option<(u32, u32)>,
    /// Who gave it its place.
    pub order: Order,
    /// The score that ranks.
    pub score: f32,
    /// The independent score within it.
    pub independent: f32,
    /// Cosine of question and definition, by a model of the user's or by the word vectors of the program.
    pub semantic: Option<f32>,
    /// How far it is to be trusted, for the first of the learned order.
    pub trust: Option<Trust>,
    /// Named changes to it, in order.
    pub adjustments: Vec<Adjustment>,
    /// What the question's words found, the largest share first.
    pub parts: Vec<Part>,
}

impl Hit {
    /// A definition with its score.
    pub fn new(definition: DefinitionId, file: FileId, score: f32, independent: f32) -> Self {
        let (adjustments, parts) = (Vec::new(), Vec::new());
        Self {
            definition,
            file,
            window: None,
            order: Order::Words,
            score,
            independent,
            semantic: None,
            trust: None,
            adjustments,
            parts,
        }
    }
}

/// A named change to a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjustment {
    /// What it is for.
    pub name: &'static str,
    /// How much it adds.
    pub change: f32,
    /// It comes from what the definition is connected to, not from itself.
    pub environment: bool,
}

/// Which files a query asks about.
pub(super) struct Scope {
    languages: Vec<Option<u16>>,
    include: Vec<GlobMatcher>,
    exclude: Vec<GlobMatcher>,
}

impl Scope {
    pub fn new(query: &Query, registry: &Registry) -> Result<Self> {
        let languages = query.languages.iter().map(|name| {
            if name == registry.name(None) {
                return Ok(None);
            }
            registry.named(name).map(|id| Some(id.0)).ok_or_else(|| {
                let known: Vec<&str> = registry.ids().map(|id| registry.name(Some(id))).collect();
                Error::new(
                    Kind::Usage,
                    format!("no language is called `{name}`"),
                    format!("choose from: {}", known.join(", ")),
                )
            })
        });
        let (exclude, include): (Vec<_>, Vec<_>) = query.paths.iter().partition(|p| p.starts_with('!'));
        Ok(Self {
            languages: languages.collect::<Result<_>>()?,
            include: include.into_iter().map(|p| glob(p)).collect::<Result<_>>()?,
            exclude: exclude.into_iter().map(|p| glob(&p[1..])).collect::<Result<_>>()?,
        })
    }

    pub fn accepts(&self, graph: &GraphFile, file: FileId) -> bool {
        let path = graph.path(file);
        let any = |globs: &[GlobMatcher]| globs.iter().any(|g| g.is_match(path));
        (self.languages.is_empty() || self.languages.contains(&graph.language(file)))
            && (self.include.is_empty() || any(&self.include))
            && !any(&self.exclude)
    }

    pub fn is_all(&self) -> bool {
        self.languages.is_empty() && self.include.is_empty() && self.exclude.is_empty()
    }
}

/// As in ignore files: a bare name matches at any depth, a directory everything in it.
fn glob(pattern: &str) -> Result<GlobMatcher> {
    let trimmed = pattern.trim_end_matches('/');
    let anchored =
        if trimmed.contains('/') { trimmed.trim_start_matches('/').to_owned() } else { format!("**/{trimmed}") };
    let whole = format!("{{{anchored},{anchored}/**}}");
    let glob = GlobBuilder::new(&whole).literal_separator(true).build();
    glob.map(|g| g.compile_matcher()).map_err(|cause| {
        Error::new(
            Kind::Usage,
            format!("the path pattern {pattern} does not read: {}", cause.kind()),
            Remedy::WriteGlob,
        )
    })
}
