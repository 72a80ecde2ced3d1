//! The directory of a model in the layout of sentence-transformers.

use serde::de::DeserializeOwned;
use std::io;
use std::path::{Component, Path, PathBuf};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::{open_regular, read_at_most};
use xxhash_rust::xxh3::Xxh3;

/// Maximum size in bytes of a file that is read whole. The largest, a multilingual tokenizer, has
/// 17 MB.
const MAX_BYTES: u64 = 64 << 20;
/// Files that a model directory must contain.
const FILES: &str = "config.json, modules.json, model.safetensors, the configuration of the pooling, \
                     and tokenizer.json or vocab.txt";

/// A model directory, and the names and digest of the files that were read from it so far.
pub(crate) struct Directory {
    path: PathBuf,
    names: Vec<String>,
    digest: Xxh3,
}

impl Directory {
    /// Creates the reader of a directory. Reads nothing yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), names: Vec::new(), digest: Xxh3::new() }
    }

    /// Returns the path of a file in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Reads a file, or returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the name leads out of the directory, or if the file cannot be read or is
    /// too long.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(invalid(&self.path, format!("{name:?} leads out of the directory")));
        }
        let path = self.file(name);
        match open_regular(&path).and_then(|file| read_at_most(file, MAX_BYTES)) {
            Ok(bytes) => {
                self.names.push(name.to_owned());
                self.digest.update(name.as_bytes());
                self.digest.update(&(bytes.len() as u64).to_le_bytes());
                self.digest.update(&bytes);
                Ok(Some(bytes))
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(Error::io(Kind::Model, "read", &path, &cause)),
        }
    }

    /// Reads a JSON file, or returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`], and an error if the file is not of this type.
    pub fn read_json<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|cause| invalid(&self.file(name), cause.to_string()))
    }

    /// Reads a JSON file that every model has.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read_json`], and an error if the file does not exist.
    pub fn require_json<T: DeserializeOwned>(&mut self, name: &str) -> Result<T> {
        self.read_json(name)?.ok_or_else(|| self.missing(name))
    }

    /// Returns the error for a file that does not exist.
    pub fn missing(&self, name: &str) -> Error {
        let what = format!("{} does not contain {name}", self.path.display());
        Error::new(Kind::Model, what, format!("choose a directory with {FILES}"))
    }

    /// Returns the names of all files that were read.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the digest of all files that were read.
    pub fn digest(&self) -> u128 {
        self.digest.digest128()
    }
}

/// Creates the error for a damaged file.
pub(crate) fn invalid(path: &Path, reason: impl AsRef<str>) -> Error {
    let what = format!("{} is invalid: {}", path.display(), reason.as_ref());
    Error::new(Kind::Model, what, "download the model again, or choose another model directory")
}

/// Creates the error for a valid model that this crate cannot run.
pub(crate) fn unsupported(path: &Path, reason: impl AsRef<str>) -> Error {
    let what = format!("{} describes an unsupported model: {}", path.display(), reason.as_ref());
    Error::new(Kind::Model, what, "choose a BertModel in the layout of sentence-transformers, such as all-MiniLM-L6-v2")
}
