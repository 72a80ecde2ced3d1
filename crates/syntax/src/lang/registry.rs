//! Lists the languages of this build, and detects a file's language by its name or first line.
//!
//! **Cost:** opening the registry reads only the heads of the language files, which takes a fifth
//! of a millisecond and is sufficient for a question. The rest of a language file is read on first
//! use, and compiled to tables when the first file in that language is parsed.

use super::assigned::Assigned;
use super::language::Language;
use super::manifest;
use super::parsers::{DATA, FRAMEWORKS, IDIOMS, ROWS};
use super::query::QueryText;
use super::spec::{Spec, SpecHead};
use super::templates::Templates;
use crate::ids::LangId;
use crate::parse::{is_notebook, kernel};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::file_name;

/// All languages of this build.
pub struct Registry {
    heads: Vec<SpecHead>,
    specs: Vec<OnceLock<Result<Spec>>>,
    compiled: Vec<OnceLock<Language>>,
    by_extension: FxHashMap<String, LangId>,
    /// Languages that share a file extension with an earlier language, indexed by extension. Their
    /// markers determine the language of a file ([`SpecHead::markers`]).
    rivals: FxHashMap<String, Vec<LangId>>,
    by_file_name: FxHashMap<String, LangId>,
    by_shebang: FxHashMap<String, LangId>,
    by_manifest: FxHashMap<String, LangId>,
    /// Languages that the user assigns to files.
    assigned: Assigned,
    /// Digest of the user's assignments, or 0 if there are none.
    assigned_digest: u64,
    data_extensions: FxHashSet<String>,
    record_extensions: FxHashSet<String>,
    sample_directories: FxHashSet<String>,
    formats: Vec<OtherFormat>,
    templates: Templates,
}

/// A format that shares a file extension with a language (`grammars/data.toml`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherFormat {
    /// Extensions in lower case.
    extensions: Vec<String>,
    /// Beginnings of a text in this format.
    #[serde(default)]
    starts: Vec<String>,
    /// Sign that each text in the language contains, and no text in this format.
    lacks: Option<String>,
    /// True if the text is data, which is not read.
    #[serde(default)]
    data: bool,
}

impl OtherFormat {
    /// Checks whether a text is in this format. `extension` is that of its file.
    fn contains(&self, extension: &str, text: &str) -> bool {
        let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let is_marked = || self.starts.iter().any(|mark| start.starts_with(mark.as_str()));
        let lacks_sign = || self.lacks.as_ref().is_some_and(|sign| !text.contains(sign.as_str()));
        self.extensions.iter().any(|one| one.eq_ignore_ascii_case(extension)) && (is_marked() || lacks_sign())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    extensions: Vec<String>,
    records: Vec<String>,
    samples: Vec<String>,
    formats: Vec<OtherFormat>,
    templates: Templates,
}

/// The languages that are linked together, see [`Registry::linked_together`].
#[derive(Debug, Clone, Default)]
pub struct LanguageGroups(Vec<LangId>);

impl LanguageGroups {
    /// Returns the group of a language, which is named after the first language in it. A language
    /// that is not in the registry has a group of its own.
    pub fn of(&self, language: LangId) -> LangId {
        self.0.get(usize::from(language.0)).copied().unwrap_or(language)
    }
}

impl Registry {
    /// Reads the built-in language files.
    ///
    /// # Errors
    /// Returns an error if a language file is invalid. A test reads all of them, so this cannot
    /// happen in a released binary.
    pub fn builtin() -> Result<Self> {
        let mut registry = Self {
            heads: Vec::new(),
            specs: ROWS.iter().map(|_| OnceLock::new()).collect(),
            compiled: ROWS.iter().map(|_| OnceLock::new()).collect(),
            by_extension: FxHashMap::default(),
            rivals: FxHashMap::default(),
            by_file_name: FxHashMap::default(),
            by_shebang: FxHashMap::default(),
            by_manifest: FxHashMap::default(),
            assigned: Assigned::default(),
            assigned_digest: 0,
            data_extensions: FxHashSet::default(),
            record_extensions: FxHashSet::default(),
            sample_directories: FxHashSet::default(),
            formats: Vec::new(),
            templates: Templates::default(),
        };
        let data: Data = toml::from_str(DATA).map_err(|cause| {
            Error::new(Kind::Language, format!("grammars/data.toml: {}", cause.message()), "correct the file")
        })?;
        registry.data_extensions.extend(data.extensions);
        registry.record_extensions.extend(data.records);
        registry.sample_directories.extend(data.samples);
        registry.formats = data.formats;
        registry.templates = data.templates;
        for (number, row) in ROWS.iter().enumerate() {
            let head = SpecHead::read(row.name, &inherited, row.grammar)?;
            let id = LangId(number as u16);
            for name in head.extensions.iter().filter(|_| !head.markers.is_empty()) {
                if registry.by_extension.contains_key(name) {
                    registry.rivals.entry(name.clone()).or_default().push(id);
                }
            }
            for (table, names) in [
                (&mut registry.by_extension, &head.extensions),
                (&mut registry.by_file_name, &head.file_names),
                (&mut registry.by_shebang, &head.shebangs),
                (&mut registry.by_manifest, &head.manifests),
            ] {
                // The first row wins: C before C++ for `.h`.
                for name in names {
                    table.entry(name.clone()).or_insert(id);
                }
            }
            registry.heads.push(head);
        }
        Ok(registry)
    }

    /// Reads the built-in language files. `languages` assigns languages to files: names of languages,
    /// indexed by globs over paths from the root.
    ///
    /// # Errors
    /// Returns an error if a language does not exist or a glob is invalid.
    pub fn with_assigned(languages: &BTreeMap<String, String>) -> Result<Self> {
        let mut registry = Self::builtin()?;
        let of_pattern = |(pattern, name): (&String, &String)| {
            let located = |error: Error| {
                let what = format!("{pattern} in [languages] of whichfn.toml: {}", error.what());
                Error::new(Kind::Usage, what, error.remedy().clone())
            };
            Ok((pattern.clone(), registry.known(name).map_err(located)?))
        };
        registry.assigned = Assigned::new(languages.iter().map(of_pattern))?;
        for text in languages.iter().flat_map(|(pattern, name)| [pattern, name]) {
            registry.assigned_digest = xxhash_rust::xxh3::xxh3_64_with_seed(text.as_bytes(), registry.assigned_digest);
        }
        Ok(registry)
    }

    /// Returns the number of languages.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Checks whether there are no languages, which is never true in a valid build.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the ids of all languages.
    pub fn ids(&self) -> impl Iterator<Item = LangId> + use<> {
        (0..self.heads.len() as u16).map(LangId)
    }

    /// Returns the part of a language's data that is read for every language at startup.
    pub fn head(&self, id: LangId) -> Option<&SpecHead> {
        self.heads.get(usize::from(id.0))
    }

    /// Returns the data of a language, which is read on first use. Returns `None` if the data is
    /// invalid ([`Registry::language`] returns the error).
    pub fn spec(&self, id: LangId) -> Option<&Spec> {
        self.read_spec(id)?.as_ref().ok()
    }

    fn read_spec(&self, id: LangId) -> Option<&Result<Spec>> {
        let row = ROWS.get(usize::from(id.0))?;
        Some(self.specs[usize::from(id.0)].get_or_init(|| {
            let idioms: toml::Table = toml::from_str(IDIOMS).map_err(|cause| {
                Error::new(Kind::Language, format!("grammars/idioms.toml: {}", cause.message()), "correct the file")
            })?;
            Spec::read(row.name, &inherited, &idioms, row.grammar)
        }))
    }

    /// Returns the name of a language, or `text` if there is none.
    pub fn name(&self, id: Option<LangId>) -> &str {
        id.and_then(|id| self.head(id)).map_or("text", |head| &head.name)
    }

    /// Returns the titles of all languages in alphabetical order. Variants of a language count once.
    pub fn titles(&self) -> Vec<String> {
        let titles: BTreeSet<String> = self.heads.iter().map(SpecHead::title).collect();
        titles.into_iter().collect()
    }

    /// Returns the family of a language. Languages in one family can import each other's files.
    pub fn family(&self, id: LangId) -> &str {
        let Some(head) = self.head(id) else { return "" };
        match (&head.family, head.inherits.as_deref().and_then(|base| self.named(base))) {
            (Some(family), _) => family,
            (None, Some(base)) if base != id => self.family(base),
            _ => &head.name,
        }
    }

    /// Returns the groups of languages that are linked together. Two languages are
    /// linked if they are in one family, or if their index files have the same name (`index.js` may
    /// represent a directory that a TypeScript file imports). No call leads to any other language.
    pub fn linked_together(&self) -> LanguageGroups {
        let of_index = |id| self.spec(id).map_or(&[][..], |spec| &spec.modules.index_files);
        let together = |a: LangId, b: LangId| {
            self.family(a) == self.family(b) || of_index(a).iter().any(|stem| of_index(b).contains(stem))
        };
        LanguageGroups(self.ids().map(|id| self.ids().find(|&first| together(first, id)).unwrap_or(id)).collect())
    }

    /// Returns the language with exactly this name.
    pub fn named(&self, name: &str) -> Option<LangId> {
        self.heads.iter().position(|head| head.name == name).map(|at| LangId(at as u16))
    }

    /// Returns the language that a user refers to, ignoring case: by its name, or by one of its
    /// file extensions (`py`, `ts`, `c++`).
    pub fn find_by_name_or_extension(&self, name: &str) -> Option<LangId> {
        let name = name.to_lowercase();
        self.named(&name).or_else(|| self.by_extension.get(name.trim_start_matches('.')).copied())
    }

    /// Returns the language that a user refers to, as [`Self::find_by_name_or_extension`].
    ///
    /// # Errors
    /// Returns an error that lists all languages if there is no such language.
    pub fn known(&self, name: &str) -> Result<LangId> {
        self.find_by_name_or_extension(name).ok_or_else(|| {
            let known: Vec<&str> = self.heads.iter().map(|head| &*head.name).collect();
            Error::new(Kind::Usage, format!("unknown language `{name}`"), format!("choose from: {}", known.join(", ")))
        })
    }

    /// Returns a language that is ready to parse.
    ///
    /// # Errors
    /// Returns an error if the language's data is invalid, or contains kinds or fields that its
    /// parser does not have.
    pub fn language(&self, id: LangId) -> Result<&Language> {
        let cell = &self.compiled[id.0 as usize];
        if cell.get().is_none() {
            let spec = match self.read_spec(id) {
                Some(Ok(spec)) => spec.clone(),
                Some(Err(error)) => {
                    return Err(Error::new(Kind::Language, error.what(), "see grammars/README.md for the fields"));
                }
                None => return Err(Error::new(Kind::Language, "a language is missing", "report this bug")),
            };
            let language = Language::new(spec, ROWS[id.0 as usize].parser.into(), &self.queries(id), FRAMEWORKS)?;
            let _ = cell.set(language);
        }
        cell.get().ok_or_else(|| Error::new(Kind::Language, "a language is missing", "report this bug"))
    }

    /// Returns the queries of a language, beginning with the inherited ones.
    fn queries(&self, id: LangId) -> Vec<QueryText> {
        let mut texts = match self.heads[id.0 as usize].inherits.as_deref().and_then(|base| self.named(base)) {
            Some(base) if base != id => self.queries(base),
            _ => Vec::new(),
        };
        texts.extend(ROWS[id.0 as usize].queries);
        texts
    }

    /// Returns the language of the file with this path from the root: the one that the user assigned
    /// to it, or else the language of its name or extension.
    pub fn detect(&self, path: &str) -> Option<LangId> {
        let name = file_name(path);
        let by_extension = || self.by_extension.get(&*self.known_extension(name)?);
        let builtin = || self.by_file_name.get(name).or_else(by_extension).copied();
        self.assigned.language(path).or_else(builtin)
    }

    /// Returns the extension of a file name as a language lists it: in lower case (`A.PY`), except for
    /// those that a language lists in upper case (`.R`, `.C`).
    fn known_extension<'n>(&self, file_name: &'n str) -> Option<Cow<'n, str>> {
        let extension = extension(file_name)?;
        let is_listed = self.by_extension.contains_key(extension);
        Some(if is_listed { Cow::Borrowed(extension) } else { Cow::Owned(extension.to_ascii_lowercase()) })
    }

    /// Returns the other format of a file whose extension is that of a language, unless the user
    /// assigned a language to it.
    fn other_format(&self, path: &str, text: &str) -> Option<&OtherFormat> {
        let extension = extension(file_name(path)).filter(|_| self.assigned.language(path).is_none())?;
        self.formats.iter().find(|format| format.contains(extension, text))
    }

    /// Checks whether a text is data although its file has the extension of a language, such as a
    /// translation in XML (`.ts`).
    pub fn is_data_text(&self, path: &str, text: &str) -> bool {
        self.other_format(path, text).is_some_and(|format| format.data)
    }

    /// Returns the language of a file, as [`Self::detect`]. If several languages share the
    /// extension, or the file is a notebook, the text decides: the last language of which it has a
    /// marker. If the text is in another format than a language, there is none.
    pub fn detect_text(&self, path: &str, text: &str) -> Option<LangId> {
        let first = self.detect(path).filter(|_| self.other_format(path, text).is_none())?;
        if is_notebook(path) {
            let kernel = kernel(text);
            let known =
                |id: &LangId| kernel.as_deref().is_some_and(|name| self.head(*id).is_some_and(|h| h.is_called(name)));
            return Some(self.ids().find(known).unwrap_or(first));
        }
        let rivals = self.known_extension(file_name(path)).and_then(|known| self.rivals.get(&*known));
        let rivals = rivals.map_or(&[][..], Vec::as_slice);
        let marked = |id: &&LangId| {
            let markers = self.head(**id).map_or(&[][..], |head| &head.markers);
            text.lines().any(|line| markers.iter().any(|marker| line.trim_start().starts_with(marker.as_str())))
        };
        let is_assigned = self.assigned.language(path).is_some();
        Some(rivals.iter().rev().filter(|_| !is_assigned).find(marked).copied().unwrap_or(first))
    }

    /// Returns the language of a file according to its first line, for a file whose name does not
    /// show the language.
    pub fn detect_shebang(&self, first_line: &str) -> Option<LangId> {
        let command = first_line.strip_prefix("#!")?;
        let mut words =
            command.split(|c: char| c.is_whitespace() || c == '/').filter(|w| !w.is_empty() && !w.starts_with('-'));
        let word = words
            .rfind(|w| self.by_shebang.contains_key(w.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')))?;
        self.by_shebang.get(word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')).copied()
    }

    /// Returns the language for which a file with this name declares import paths (`go.mod`).
    pub fn manifest_language(&self, file_name: &str) -> Option<LangId> {
        self.by_manifest.get(file_name).copied()
    }

    /// Returns the import paths that a manifest declares, in the form that [`declarations`] reads;
    /// empty if the file is not a manifest or declares none.
    ///
    /// [`declarations`]: super::declarations
    pub fn declared_paths(&self, file_name: &str, text: &str) -> String {
        let spec = self.manifest_language(file_name).and_then(|language| self.spec(language));
        spec.map_or_else(String::new, |spec| manifest::read(&spec.modules, text))
    }

    /// Checks whether the file with this path from the root has the extension of a data file
    /// (`grammars/data.toml`), and the user did not assign a language to it. Data files are not
    /// read.
    pub fn is_data(&self, path: &str) -> bool {
        let is_data =
            extension(file_name(path)).is_some_and(|e| self.data_extensions.contains(&e.to_ascii_lowercase()));
        is_data && self.assigned.language(path).is_none()
    }

    /// Checks whether a data file with this name contains records that people read, such as a table
    /// or a log.
    pub fn is_records(&self, file_name: &str) -> bool {
        extension(file_name).is_some_and(|e| self.record_extensions.contains(&e.to_ascii_lowercase()))
    }

    /// Checks whether a file is a template, by its name.
    pub fn is_template(&self, file_name: &str) -> bool {
        extension(file_name).is_some_and(|e| self.templates.extensions.contains(&e.to_ascii_lowercase()))
    }

    /// Returns the byte ranges of the code in a template, sorted.
    pub fn code_in_template(&self, text: &str) -> Vec<Range<usize>> {
        self.templates.code_in(text)
    }

    /// Returns the byte ranges of the code in the templates that a source file contains, sorted.
    pub fn code_in_inner_templates(&self, text: &str) -> Vec<Range<usize>> {
        self.templates.code_in_values(text)
    }

    /// Checks whether a file is in a directory with samples, such as input for tests or examples in
    /// documentation.
    pub fn is_sample(&self, path: &str) -> bool {
        let (directories, _) = path.rsplit_once('/').unwrap_or_default();
        directories.split('/').any(|name| self.sample_directories.contains(name))
    }

    /// Returns a digest of all grammar files and queries, and of the languages that the user
    /// assigned. If the digest changes, the same source may result in a different index.
    pub fn digest(&self) -> u64 {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        hash.update(DATA.as_bytes());
        if self.assigned_digest != 0 {
            hash.update(&self.assigned_digest.to_le_bytes());
        }
        for row in ROWS {
            hash.update(row.name.as_bytes());
            hash.update(row.grammar.as_bytes());
            row.queries.iter().for_each(|file| hash.update(file.text.as_bytes()));
        }
        FRAMEWORKS.iter().for_each(|(_, text)| hash.update(text.as_bytes()));
        hash.digest()
    }
}

/// Returns the text of the language file with the given name, for languages that inherit from it.
fn inherited(name: &str) -> Option<&'static str> {
    ROWS.iter().find(|row| row.name == name).map(|row| row.grammar)
}

fn extension(file_name: &str) -> Option<&str> {
    file_name.rsplit_once('.').map(|(_, extension)| extension)
}
