//! Settings, from lowest to highest precedence: built-in, the user's `whichfn.toml`, the
//! repository's `whichfn.toml`, environment, flags.

use super::choices::StrategyChoice;
use super::common::{Color, CommonArgs, EmbedArgs};
use super::links::Links;
use crate::engine::{SnippetChoice, UserFolder, default_index_dir, user_folder};
use serde::Deserialize;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use whichfn_check::Rule;
use whichfn_index::embed::Choice;
use whichfn_index::index::Options;
use whichfn_search::search::{KindFilter, RelationName};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_below, open_regular, read_at_most};

const FILE: &str = "whichfn.toml";
/// Maximum number of bytes of a settings file: all settings with their longest values take a few
/// hundred.
const LONGEST: u64 = 64 << 10;

/// Contents of a settings file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    pub results: Option<usize>,
    pub kind: Option<KindFilter>,
    pub relation: Option<RelationName>,
    pub alpha: Option<f64>,
    pub strategy: Option<StrategyChoice>,
    pub snippet_lines: Option<usize>,
    pub max_file_size: Option<u64>,
    pub snippet: Option<SnippetChoice>,
    pub color: Option<Color>,
    pub hyperlinks: Option<Links>,
    pub index_dir: Option<PathBuf>,
    pub embed: Option<String>,
    pub ort_dylib: Option<PathBuf>,
    pub llm_url: Option<String>,
    pub llm_model: Option<String>,
    pub llm_key_env: Option<String>,
    pub llm_cmd: Option<String>,
    #[serde(default)]
    pub check: CheckSettings,
}

impl Settings {
    /// Returns the user's own settings, for commands that do not concern one repository.
    pub fn users() -> Result<Self> {
        let Some(folder) = user_folder(UserFolder::Settings) else { return Ok(Self::default()) };
        let path = folder.join("whichfn").join(FILE);
        read(&path, open_regular(&path))
    }

    /// Returns the settings for a repository. A repository's file cannot set the location of
    /// indexes, what is downloaded, which library or command runs, where code is sent, or what is
    /// written to a pipe: only the user can.
    pub fn read(root: &Path) -> Result<Self> {
        let user = Self::users()?;
        // An error would show the target of a link, so links are not followed.
        let own = read(&root.join(FILE), open_below(root, Path::new(FILE)))?;
        let users = [
            ("color", own.color.is_some()),
            ("hyperlinks", own.hyperlinks.is_some()),
            ("index-dir", own.index_dir.is_some()),
            ("embed", own.embed.is_some()),
            ("ort-dylib", own.ort_dylib.is_some()),
            ("llm-url", own.llm_url.is_some()),
            ("llm-model", own.llm_model.is_some()),
            ("llm-key-env", own.llm_key_env.is_some()),
            ("llm-cmd", own.llm_cmd.is_some()),
        ];
        if let Some((name, _)) = users.into_iter().find(|(_, is_set)| *is_set) {
            let what = format!("{}: {name} cannot be set by a repository", root.join(FILE).display());
            let variable = if name == "ort-dylib" {
                "ORT_DYLIB_PATH"
            } else {
                &format!("WHICHFN_{}", name.replace('-', "_").to_uppercase())
            };
            let next = format!("remove it there and use --{name}, {variable} or your own whichfn.toml");
            return Err(Error::new(Kind::Usage, what, next));
        }
        let largest = Options::default().max_size;
        if own.max_file_size.is_some_and(|size| size > largest) {
            let what =
                format!("{}: a repository cannot raise max-file-size above {largest}", root.join(FILE).display());
            let next = "lower it there and use --max-file-size, WHICHFN_MAX_FILE_SIZE or your own whichfn.toml";
            return Err(Error::new(Kind::Usage, what, next));
        }
        Ok(Self {
            results: own.results.or(user.results),
            kind: own.kind.or(user.kind),
            relation: own.relation.or(user.relation),
            alpha: own.alpha.or(user.alpha),
            strategy: own.strategy.or(user.strategy),
            snippet_lines: own.snippet_lines.or(user.snippet_lines),
            snippet: own.snippet.or(user.snippet),
            max_file_size: own.max_file_size.or(user.max_file_size),
            color: user.color,
            hyperlinks: user.hyperlinks,
            index_dir: user.index_dir,
            embed: user.embed,
            ort_dylib: user.ort_dylib,
            llm_url: user.llm_url,
            llm_model: user.llm_model,
            llm_key_env: user.llm_key_env,
            llm_cmd: user.llm_cmd,
            check: own.check.or(user.check),
        })
    }

    /// Returns the folder of indexes.
    pub fn index_dir(&self, shared: &CommonArgs) -> Result<PathBuf> {
        let chosen = shared.index_dir.clone().or_else(|| self.index_dir.clone());
        chosen.or_else(default_index_dir).ok_or_else(|| {
            Error::new(
                Kind::Usage,
                "cannot find a cache directory: neither XDG_CACHE_HOME nor HOME is set",
                "choose a directory for indexes with --index-dir DIR",
            )
        })
    }

    /// Returns the options of indexing for commands that rank by meaning.
    pub fn options_with(&self, embed: &EmbedArgs, shared: &CommonArgs) -> Result<Options> {
        let model =
            embed.model.as_ref().or(self.embed.as_ref()).filter(|model| !["", "none"].contains(&model.as_str()));
        let ort_dylib = || embed.ort_dylib.clone().or_else(|| self.ort_dylib.clone());
        let choice = |model: &String| {
            let (downloads, progress) = (self.index_dir(shared)?.join("models"), !shared.quiet);
            Ok(Choice { model: model.clone(), ort_dylib: ort_dylib(), downloads, progress })
        };
        Ok(Options { embed: model.map(choice).transpose()?, ..self.options(shared) })
    }

    /// Returns the options of indexing.
    pub fn options(&self, shared: &CommonArgs) -> Options {
        let usual = Options::default();
        Options { max_size: shared.max_file_size.or(self.max_file_size).unwrap_or(usual.max_size), ..usual }
    }
}

/// Severity of a finding, from lowest to highest. The defaults come from a judged sample
/// (docs/check.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Severity {
    /// The rule is disabled.
    Off,
    /// Worth a look.
    Note,
    /// Most likely needs a change.
    Warning,
    /// Most likely broken.
    Error,
}

impl Severity {
    /// Returns its name in settings, reports and SARIF.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The table `[check]` of `whichfn.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CheckSettings {
    callers: Option<Severity>,
    dead: Option<Severity>,
    stale_doc: Option<Severity>,
    reuse: Option<Severity>,
    questions: Option<Severity>,
    /// Path from the root to a file of questions with their answers.
    pub(super) question_file: Option<String>,
    pub(super) fail_on: Option<Vec<String>>,
}

impl CheckSettings {
    /// Returns these settings, with missing values taken from `weaker`.
    pub fn or(self, weaker: Self) -> Self {
        Self {
            callers: self.callers.or(weaker.callers),
            dead: self.dead.or(weaker.dead),
            stale_doc: self.stale_doc.or(weaker.stale_doc),
            reuse: self.reuse.or(weaker.reuse),
            questions: self.questions.or(weaker.questions),
            question_file: self.question_file.or(weaker.question_file),
            fail_on: self.fail_on.or(weaker.fail_on),
        }
    }

    /// Returns the severity of a rule's findings.
    pub fn severity(&self, rule: Rule) -> Severity {
        match rule {
            Rule::Callers => self.callers.unwrap_or(Severity::Error),
            Rule::Dead => self.dead.unwrap_or(Severity::Note),
            Rule::StaleDoc => self.stale_doc.unwrap_or(Severity::Note),
            Rule::Reuse => self.reuse.unwrap_or(Severity::Off),
            Rule::Questions => self.questions.unwrap_or(Severity::Warning),
        }
    }
}

/// Checks whether a text is a valid settings file; used in tests with texts that no user would
/// write.
pub fn reads_as_settings(text: &str) -> bool {
    parsed(text, Path::new(FILE)).is_ok()
}

fn read(path: &Path, file: std::io::Result<File>) -> Result<Settings> {
    let bytes = match file.and_then(|file| read_at_most(file, LONGEST)) {
        Ok(bytes) => bytes,
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Settings::default());
        }
        Err(cause) => return Err(Error::io(Kind::Usage, "read", path, &cause)),
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        Error::new(Kind::Usage, format!("{}: the file is not valid UTF-8", path.display()), "save it as UTF-8")
    })?;
    parsed(&text, path)
}

fn parsed(text: &str, path: &Path) -> Result<Settings> {
    toml::from_str(text).map_err(|cause| {
        let line = cause.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        let next = "known settings: results, kind, relation, alpha, strategy, snippet, snippet-lines, max-file-size, and the table check; in your own file also color, hyperlinks, index-dir, embed, ort-dylib, llm-url, llm-model, llm-key-env, llm-cmd";
        Error::new(Kind::Usage, format!("{}:{line}: {}", path.display(), cause.message()), next)
    })
}
