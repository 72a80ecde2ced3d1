//! Lists what the index of a repository would contain, without building it: its files, the hashes
//! of their contents, and their lines.
//!
//! **Cost:** reads and hashes each file, which takes a hundredth of the time of parsing.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use whichfn_index::store::Manifest;
use whichfn_scan::{Scan, ScannedFile, Skip, scan};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::threads;
use whichfn_text::line_count;
use xxhash_rust::xxh3::Xxh3;

/// Files that are worth indexing, sorted by path.
pub(super) struct Survey {
    files: Vec<SurveyedFile>,
}

#[derive(Clone)]
struct SurveyedFile {
    entry: ScannedFile,
    hash: u128,
    lines: u64,
}

impl Survey {
    /// Reads the files below a root.
    ///
    /// # Errors
    /// Returns an error if the root cannot be read.
    pub fn read(root: &Path, registry: &Registry, max_size: u64) -> Result<Self> {
        threads::start_pool()?;
        let look = |entry: ScannedFile| {
            let Ok(found) = whichfn_scan::read(root, &entry.path)? else { return Ok(None) };
            Ok(Some(SurveyedFile { entry, hash: found.hash, lines: line_count(&found.text) as u64 }))
        };
        let files: Result<Vec<_>> = scan(root, registry, max_size)?.files.into_par_iter().map(look).collect();
        Ok(Self { files: files?.into_iter().flatten().collect() })
    }

    /// Returns the path and number of lines of each file.
    pub fn paths(&self) -> Vec<(&str, u64)> {
        self.files.iter().map(|file| (&*file.entry.path, file.lines)).collect()
    }

    /// Returns a survey of some files, given by number.
    pub fn part(&self, numbers: &[usize]) -> Self {
        Self { files: numbers.iter().map(|&number| self.files[number].clone()).collect() }
    }

    /// Returns the number of lines of all files.
    pub fn lines(&self) -> u64 {
        self.files.iter().map(|file| file.lines).sum()
    }

    /// Returns the tree id: XXH3, 128 bits, in hexadecimal, of paths and contents, and of the
    /// languages that the repository assigns to files, indexed by globs.
    pub fn tree(&self, languages: &BTreeMap<String, String>) -> String {
        let mut sum = Xxh3::new();
        for text in languages.iter().flat_map(|(pattern, name)| [pattern, name]) {
            sum.update(text.as_bytes());
            sum.update(&[0]);
        }
        for file in &self.files {
            sum.update(file.entry.path.as_bytes());
            // A path cannot contain a zero byte.
            sum.update(&[0]);
            sum.update(&file.hash.to_le_bytes());
        }
        format!("{:032x}", sum.digest128())
    }

    /// Returns the files as a scan would have found them.
    pub fn scan(&self) -> Scan {
        Scan { files: self.files.iter().map(|file| file.entry.clone()).collect(), ..Scan::default() }
    }

    /// Rejects an index whose files differ from these because the tree changed in between. Files
    /// that the parser gave up on may be missing.
    ///
    /// # Errors
    /// Returns an error if a file is missing or has other content.
    pub fn check(&self, root: &Path, built: &Manifest) -> Result<()> {
        let given_up =
            |path: &str| built.skipped.iter().any(|skip| skip.reason == Skip::Unparsable && skip.path == path);
        for file in &self.files {
            let path = &file.entry.path;
            let found = built.files.binary_search_by(|record| record.path.cmp(path));
            let is_same = found.map_or_else(|_| given_up(path), |at| built.files[at].hash == file.hash);
            if !is_same {
                return Err(changed(root, path));
            }
        }
        Ok(())
    }
}

/// Returns the error for a file that changed while it was packed.
pub(super) fn changed(root: &Path, path: &str) -> Error {
    let what = format!("{path} in {} changed while it was being packed", root.display());
    Error::new(Kind::Path, what, "pack the repository again, or pack a checkout that does not change")
}
