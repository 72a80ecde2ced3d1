//! Reads the pinned packages from `packages.toml`.

use serde::Deserialize;

/// A pinned package.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Name in the registry.
    pub name: String,
    /// Pinned version.
    pub version: String,
    /// Language from which tasks are drawn.
    pub language: String,
    /// Directory in the package that is indexed.
    pub sources: String,
    /// True if constants may be tuned on this package.
    pub dev: bool,
}

/// Returns all packages, in the order of the file.
pub fn packages() -> Vec<Package> {
    #[derive(Deserialize)]
    struct List {
        package: Vec<Package>,
    }
    toml::from_str::<List>(include_str!("packages.toml")).expect("packages.toml").package
}

impl Package {
    /// Returns the name of the directory that `fetch.sh` created for the package.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}
