//! Settings, from lowest to highest precedence: built-in defaults, the user's `whichfn.toml`, the
//! repository's `whichfn.toml`, the environment, flags.

use super::choices::StrategyChoice;
use super::common::{Color, CommonArgs, EmbedArgs};
use super::links::Links;
use crate::engine::{AnswerKind, SecondOpinion, SnippetChoice, UserFolder, default_index_dir, user_folder};
use crate::models::ModelFolder;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::{Table, Value};
use whichfn_check::Rule;
use whichfn_index::embed::Choice;
use whichfn_index::index::Options;
use whichfn_search::search::RelationName;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_below, open_regular, read_at_most};

const FILE: &str = "whichfn.toml";
/// Maximum size in bytes of a settings file. All settings with their longest values take a few
/// hundred bytes.
const LONGEST: u64 = 64 << 10;

/// Settings that a repository can set, except for the tables `check` and `languages`.
const SHARED: [&str; 8] =
    ["results", "kind", "relation", "alpha", "strategy", "snippet", "snippet-lines", "max-file-size"];
/// Tables that a repository can set. Its entries are added to the user's entries.
const TABLES: [&str; 2] = ["check", "languages"];
/// Settings that only the user can set: they choose the location of indexes, downloads, the library
/// or command that runs, the receiver of code, and what is written to a pipe.
const OWN: [&str; 10] = [
    "color",
    "hyperlinks",
    "index-dir",
    "model",
    "embed",
    "ort-dylib",
    "llm-url",
    "llm-model",
    "llm-key-env",
    "llm-cmd",
];

/// Contents of a settings file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    pub results: Option<usize>,
    #[serde(default, deserialize_with = "named")]
    pub kind: Option<AnswerKind>,
    #[serde(default, deserialize_with = "named")]
    pub relation: Option<RelationName>,
    pub alpha: Option<f64>,
    pub strategy: Option<StrategyChoice>,
    pub snippet_lines: Option<usize>,
    pub max_file_size: Option<u64>,
    pub snippet: Option<SnippetChoice>,
    pub color: Option<Color>,
    pub hyperlinks: Option<Links>,
    pub index_dir: Option<PathBuf>,
    /// Name of the installed model that reorders answers, or `none`.
    pub model: Option<String>,
    pub embed: Option<String>,
    pub ort_dylib: Option<PathBuf>,
    pub llm_url: Option<String>,
    pub llm_model: Option<String>,
    pub llm_key_env: Option<String>,
    pub llm_cmd: Option<String>,
    #[serde(default)]
    pub check: CheckSettings,
    /// Languages of files, indexed by globs over paths from the root.
    #[serde(default)]
    pub languages: BTreeMap<String, String>,
}

impl Settings {
    /// Returns the user's own settings, for commands that do not concern one repository.
    pub fn users() -> Result<Self> {
        users_file().map(|(settings, _)| settings)
    }

    /// Returns the settings for a repository. Its own file takes precedence over the user's.
    pub fn read(root: &Path) -> Result<Self> {
        let (_, mut merged) = users_file()?;
        let path = root.join(FILE);
        // An error would show the target of a link, so links are not followed.
        let (own, mut table) = read(&path, open_below(root, Path::new(FILE)))?;
        let refused = |what: String, change: &str, name: &str| {
            let variable = match name {
                "ort-dylib" => "ORT_DYLIB_PATH".to_owned(),
                _ => format!("WHICHFN_{}", name.replace('-', "_").to_uppercase()),
            };
            let next = format!("{change} it there and use --{name}, {variable} or your own {FILE}");
            Err(Error::new(Kind::Usage, format!("{}: {what}", path.display()), next))
        };
        if let Some(name) = OWN.into_iter().find(|name| table.contains_key(*name)) {
            return refused(format!("{name} cannot be set by a repository"), "remove", name);
        }
        let largest = Options::default().max_size;
        if own.max_file_size.is_some_and(|size| size > largest) {
            let what = format!("a repository cannot raise max-file-size above {largest}");
            return refused(what, "lower", "max-file-size");
        }
        for name in TABLES {
            if let (Some(Value::Table(user)), Some(Value::Table(own))) = (merged.get_mut(name), table.get_mut(name)) {
                *own = take(user).into_iter().chain(take(own)).collect();
            }
        }
        merged.extend(table);
        merged.try_into().map_err(|cause| invalid(&path, 1, &cause))
    }

    /// Returns the languages that a repository's own file assigns to its files.
    pub fn languages_of(root: &Path) -> Result<BTreeMap<String, String>> {
        Ok(read(&root.join(FILE), open_below(root, Path::new(FILE)))?.0.languages)
    }

    /// Returns the folder for indexes.
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
        let max_size = shared.max_file_size.or(self.max_file_size).unwrap_or(usual.max_size);
        Options { max_size, languages: self.languages.clone(), requested: false, ..usual }
    }

    /// Returns the model that reorders the first answers, if any.
    ///
    /// # Errors
    /// Returns an error if an option names a model that does not exist.
    pub fn second_opinion(&self, shared: &CommonArgs) -> Result<Option<Arc<SecondOpinion>>> {
        let installed = ModelFolder::of_user();
        let typed = if shared.no_model { Some("none") } else { shared.encoder.as_deref() };
        let directory = match (typed.or(self.model.as_deref()), installed) {
            (Some("none" | ""), _) => None,
            (None, folder) => folder.ok().and_then(|folder| folder.current()),
            (Some(name), folder) => {
                let named = folder.ok().and_then(|folder| folder.named(name));
                let directory = || Some(PathBuf::from(name)).filter(|path| typed.is_some() && path.is_dir());
                let found = named.or_else(directory);
                if found.is_none() && typed.is_some() {
                    let what = format!("{name} is neither an installed model nor a directory");
                    return Err(Error::new(Kind::Usage, what, "see whichfn model list"));
                }
                found
            }
        };
        Ok(directory.as_deref().map(|directory| Arc::new(SecondOpinion::new(directory))))
    }
}

/// Reads a value by its name, so that an error about a wrong type expects a string.
fn named<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(String::deserialize(from)?.into_deserializer()).map(Some)
}

/// Severity of a finding, from lowest to highest; reports use the same names. The defaults come
/// from a judged sample (docs/check.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
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

/// The table `[check]` of `whichfn.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CheckSettings {
    callers: Option<Severity>,
    references: Option<Severity>,
    returns: Option<Severity>,
    dead: Option<Severity>,
    stale_doc: Option<Severity>,
    reuse: Option<Severity>,
    questions: Option<Severity>,
    /// Path from the root to a file that contains questions with their answers.
    pub(super) question_file: Option<String>,
    pub(super) fail_on: Option<Vec<String>>,
}

impl CheckSettings {
    /// Returns the severity of a rule's findings.
    pub fn severity(&self, rule: Rule) -> Severity {
        match rule {
            Rule::Callers => self.callers.unwrap_or(Severity::Error),
            Rule::References => self.references.unwrap_or(Severity::Error),
            Rule::Returns => self.returns.unwrap_or(Severity::Warning),
            Rule::Dead => self.dead.unwrap_or(Severity::Note),
            Rule::StaleDoc => self.stale_doc.unwrap_or(Severity::Note),
            Rule::Reuse => self.reuse.unwrap_or(Severity::Off),
            Rule::Questions => self.questions.unwrap_or(Severity::Warning),
        }
    }
}

/// Checks whether a string is a valid settings file, for tests with arbitrary text.
pub fn reads_as_settings(text: &str) -> bool {
    parsed(text, Path::new(FILE)).is_ok()
}

/// Reads the user's own settings file.
fn users_file() -> Result<(Settings, Table)> {
    let Some(folder) = user_folder(UserFolder::Settings) else { return Ok(Default::default()) };
    let path = folder.join("whichfn").join(FILE);
    read(&path, open_regular(&path))
}

/// Reads a settings file. Returns its settings, and the table of the settings that it sets.
fn read(path: &Path, file: std::io::Result<File>) -> Result<(Settings, Table)> {
    let bytes = match file.and_then(|file| read_at_most(file, LONGEST)) {
        Ok(bytes) => bytes,
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Default::default());
        }
        Err(cause) => return Err(Error::io(Kind::Usage, "read", path, &cause)),
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        Error::new(Kind::Usage, format!("{}: the file is not valid UTF-8", path.display()), "save it as UTF-8")
    })?;
    parsed(&text, path)
}

fn parsed(text: &str, path: &Path) -> Result<(Settings, Table)> {
    let parsed = toml::from_str(text).and_then(|settings| Ok((settings, toml::from_str(text)?)));
    parsed.map_err(|cause| {
        let line = cause.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        invalid(path, line, &cause)
    })
}

fn invalid(path: &Path, line: usize, cause: &toml::de::Error) -> Error {
    let (shared, own) = (SHARED.join(", "), OWN.join(", "));
    let next = format!("known settings: {shared}, and the tables check and languages; in your own file also {own}");
    Error::new(Kind::Usage, format!("{}:{line}: {}", path.display(), cause.message()), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_belongs_to_the_repository_or_to_the_user() {
        let error = toml::from_str::<Settings>("unknown = 1").expect_err("an unknown setting").to_string();
        let known: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        let mut listed: Vec<&str> = SHARED.into_iter().chain(OWN).chain(TABLES).collect();
        listed.sort_by_key(|name| known.iter().position(|one| one == name));
        assert_eq!(listed, known);
    }
}
