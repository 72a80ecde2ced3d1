//! Models that give a second opinion on the first answers: the ones that can be installed by name
//! ([`CATALOG`]), and the ones that are installed ([`ModelFolder`]).
//!
//! ```text
//! catalog ──> download ──> staging folder ──> checked, opened ──> models/NAME, models/current
//! directory of the user ─────────^
//! ```
//!
//! - **Invariant:** a folder below `models` that has a model's name contains a model that was opened once.
//!   A model gets its name by a rename, so an interrupted installation leaves only a staging folder, which
//!   the next one continues.
//!
//! **Never:** opens the network, except to install a model that the user named.

mod catalog;
#[cfg(feature = "llm")]
mod download;
#[cfg(not(feature = "llm"))]
mod without;
#[cfg(not(feature = "llm"))]
use without as download;

use crate::engine::{UserFolder, user_folder};
pub use catalog::{CATALOG, CatalogFile, CatalogModel};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use whichfn_encoder::Encoder;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::whole_file::write_whole;

/// Name of the file that contains the name of the model in use.
const CURRENT: &str = "current";
/// Name of the file that the process that changes the folder locks.
const LOCK: &str = ".lock";
/// Start of the names of folders with unfinished installations.
const STAGING: &str = ".new-";

/// What to do if a model cannot be downloaded.
const NO_DOWNLOAD: &str =
    "check the network, HF_ENDPOINT and the proxy, or copy the model's files into a directory and install that";

/// An installed model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledModel {
    /// Name of the model and of its folder.
    pub name: String,
    /// Size of its files in bytes.
    pub size: u64,
    /// True if answers use this model.
    pub is_current: bool,
}

/// Receives the progress of an installation: bytes done and in total.
pub type Installing<'a> = &'a dyn Fn(u64, u64);

/// The user's folder of installed models.
#[derive(Debug, Clone)]
pub struct ModelFolder(PathBuf);

impl ModelFolder {
    /// Returns the user's folder, which need not exist yet.
    ///
    /// # Errors
    /// Returns an error if the environment does not determine a folder for data.
    pub fn of_user() -> Result<Self> {
        let folder = user_folder(UserFolder::Data).map(|folder| Self(folder.join("whichfn").join("models")));
        folder.ok_or_else(|| {
            let what = "cannot find a folder for models: neither XDG_DATA_HOME nor HOME is set";
            Error::new(Kind::Usage, what, "set XDG_DATA_HOME to a folder for data")
        })
    }

    /// Returns a folder of models at this path.
    pub fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Returns the directory of the model in use, if one is installed.
    pub fn current(&self) -> Option<PathBuf> {
        let name = fs::read_to_string(self.0.join(CURRENT)).ok()?;
        Some(self.0.join(checked_name(name.trim())?)).filter(|directory| directory.is_dir())
    }

    /// Returns the directory of the model with a name, if it is installed.
    pub fn named(&self, name: &str) -> Option<PathBuf> {
        checked_name(name).map(|name| self.0.join(name)).filter(|directory| directory.is_dir())
    }

    /// Lists the installed models by name.
    pub fn list(&self) -> Vec<InstalledModel> {
        let current = self.current();
        let entries = fs::read_dir(&self.0).into_iter().flatten().filter_map(io::Result::ok);
        let mut models: Vec<InstalledModel> = entries
            .filter_map(|entry| {
                let name = checked_name(entry.file_name().to_str()?)?.to_owned();
                let directory = entry.path();
                let is_current = current.as_ref() == Some(&directory);
                directory.is_dir().then(|| InstalledModel { name, size: size_of(&directory), is_current })
            })
            .collect();
        models.sort_by(|a, b| a.name.cmp(&b.name));
        models
    }

    /// Installs a model of the catalog from a server, and uses it from now on. Continues an interrupted
    /// download.
    ///
    /// # Errors
    /// Returns an error if a file cannot be downloaded or written, or has another checksum.
    pub fn install(&self, model: &CatalogModel, server: &str, progress: Installing<'_>) -> Result<()> {
        let _lock = self.lock()?;
        let staging = self.0.join(format!("{STAGING}{}", model.name));
        create(&staging)?;
        download::fetch(model, server, &staging, progress)?;
        self.publish(&staging, model.name)
    }

    /// Installs a copy of a model directory under the directory's name, and uses it from now on. Returns
    /// the name.
    ///
    /// # Errors
    /// Returns an error if the directory contains no model that can be opened, or the copy cannot be
    /// written.
    pub fn install_directory(&self, directory: &Path, progress: Installing<'_>) -> Result<String> {
        let encoder = Encoder::open(directory)?;
        let full = directory.canonicalize().map_err(|cause| Error::io(Kind::Path, "open", directory, &cause))?;
        let name = full.file_name().and_then(|name| checked_name(name.to_str()?)).ok_or_else(|| {
            let what = format!("{} has no name that a model can have", full.display());
            Error::new(Kind::Usage, what, "rename the directory: letters, digits, '-', '_' and '.'")
        })?;
        let _lock = self.lock()?;
        let staging = self.0.join(format!("{STAGING}{name}"));
        if let Err(error) = copy(encoder.files(), &full, &staging, progress) {
            // Only a download can be continued.
            let _ = fs::remove_dir_all(&staging);
            return Err(error);
        }
        self.publish(&staging, name)?;
        Ok(name.to_owned())
    }

    /// Removes a model and all that is left of an interrupted installation of it. Returns false if there
    /// is none.
    ///
    /// # Errors
    /// Returns an error if the files cannot be removed.
    pub fn remove(&self, name: &str) -> Result<bool> {
        let Some(name) = checked_name(name).filter(|_| self.0.is_dir()) else { return Ok(false) };
        let _lock = self.lock()?;
        let was_current = self.current() == Some(self.0.join(name));
        let mut found = false;
        for folder in [name.to_owned(), format!("{STAGING}{name}")].map(|name| self.0.join(name)) {
            match fs::remove_dir_all(&folder) {
                Ok(()) => found = true,
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(io_error("remove", &folder, &cause)),
            }
        }
        if was_current {
            let _ = fs::remove_file(self.0.join(CURRENT));
        }
        Ok(found)
    }

    /// Moves a complete model to its name, and uses it from now on.
    fn publish(&self, staging: &Path, name: &str) -> Result<()> {
        if let Err(error) = Encoder::open(staging) {
            let _ = fs::remove_dir_all(staging);
            return Err(error);
        }
        let (target, failed) = (self.0.join(name), |cause: io::Error| io_error("write", &self.0, &cause));
        if target.exists() {
            fs::remove_dir_all(&target).map_err(failed)?;
        }
        fs::rename(staging, &target).map_err(failed)?;
        write_whole(&self.0.join(CURRENT), name.as_bytes()).map_err(failed)
    }

    /// Waits until no other process changes the folder.
    fn lock(&self) -> Result<File> {
        create(&self.0)?;
        let path = self.0.join(LOCK);
        let failed = |cause: io::Error| io_error("lock", &path, &cause);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        file.lock().map_err(failed)?;
        Ok(file)
    }
}

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Copies files, which are named relative to a directory, to another directory.
fn copy(files: &[String], from: &Path, to: &Path, progress: Installing<'_>) -> Result<()> {
    let total = files.iter().map(|file| size_of(&from.join(file))).sum();
    let mut done = 0;
    for file in files {
        let target = to.join(file);
        target.parent().map_or(Ok(()), create)?;
        done += fs::copy(from.join(file), &target).map_err(|cause| io_error("write", &target, &cause))?;
        progress(done, total);
    }
    Ok(())
}

/// Returns the size in bytes of a file, or of all files in a folder; 0 for what cannot be read.
fn size_of(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().filter_map(io::Result::ok);
            entries.map(|entry| size_of(&entry.path())).sum()
        }
        found => found.map_or(0, |found| found.len()),
    }
}

fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|cause| io_error("create", folder, &cause))
}

/// Returns the error of an operation on a file of a model.
fn io_error(verb: &str, path: &Path, cause: &io::Error) -> Error {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            let what = format!("cannot {verb} {}: no space left on the disk", path.display());
            Error::new(Kind::Path, what, "free up disk space, or set XDG_DATA_HOME to a folder on another disk")
        }
        _ => Error::io(Kind::Path, verb, path, cause),
    }
}

/// Returns a name that can be a model's: it is the name of a plain folder in every system.
fn checked_name(name: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.len() <= 100
        && name.chars().all(is_plain)
        && name != CURRENT)
        .then_some(name)
}
