//! The pinned packages (`packages.toml`).

use serde::Deserialize;

/// A package, pinned.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Its name in the registry.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language that tasks are drawn from.
    pub language: String,
    /// The folder inside that is indexed.
    pub sources: String,
    /// Whether constants may be tuned on it.
    pub dev: bool,
}

/// All of them, in the order of the file.
pub fn packages() -> Vec<Package> {
    #[derive(Deserialize)]
    struct List {
        package: Vec<Package>,
    }
    toml::from_str::<List>(include_str!("packages.toml")).expect("packages.toml").package
}

impl Package {
    /// The folder that `fetch.sh` made for it.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}
