//! Rejects a corpus that must not be used for learning. Every folder must be a package in
//! `packages.toml` under a permissive license, and must neither come from a repository in
//! `exclude.txt` nor contain a copy of one.
//!
//! The package's own metadata is trusted (the headers of a wheel's `METADATA`, or a crate's
//! `Cargo.toml`), because `fetch.sh` has checked that the package is the pinned one. A copy is
//! recognized only by the name of its folder, so a renamed copy is not found. A package whose
//! metadata names no repository is judged by its own name.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Licenses that permit learning from the code and distributing the result.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
];
/// How each license is spelled in the headers of a wheel without an SPDX expression: by its name,
/// or by its first words.
const LICENSE_WORDINGS: &[(&str, &[&str])] = &[
    ("Apache", &["apache"]),
    ("BSD", &["bsd", "redistribution and use"]),
    ("CC0", &["cc0"]),
    ("ISC", &["isc"]),
    ("MIT", &["mit", "permission is hereby granted"]),
    ("PSF", &["psf", "python software foundation"]),
];
/// Names of folders in which packages keep copies of other packages.
const COPIES: &[&str] = &["_vendor", "extern", "externals", "third_party", "thirdparty", "vendor", "vendored"];

#[derive(Deserialize)]
struct Manifest {
    python: Vec<Package>,
    rust: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    licence: String,
}

/// The metadata of a package that concerns its origin and license.
#[derive(Default)]
struct PackageMetadata {
    links: Vec<String>,
    /// SPDX expression of the license, if there is one.
    expression: Option<String>,
    /// Other information about the license, in lower case.
    licence: String,
}

/// Exits with an error if a folder in `packages` must not be used for learning.
pub fn check(packages: &Path) {
    let manifest: Manifest = toml::from_str(include_str!("packages.toml")).expect("packages.toml");
    let excluded = Excluded::read(include_str!("exclude.txt"));
    let wheels = manifest.python.iter().map(|p| (p, metadata_of_wheel as fn(&Path) -> Option<PackageMetadata>));
    let crates = manifest.rust.iter().map(|p| (p, metadata_of_crate as fn(&Path) -> Option<PackageMetadata>));
    let known: FxHashMap<String, _> =
        wheels.chain(crates).map(|(p, metadata)| (format!("{}-{}", p.name, p.version), (p, metadata))).collect();
    let folders = folders(packages);
    let refused: Vec<String> = folders
        .par_iter()
        .flat_map_iter(|folder| {
            let name = file_name(folder);
            let reasons = match known.get(&name) {
                Some((package, metadata)) => excluded.reasons(folder, package, metadata(folder)),
                None => vec!["not in packages.toml".to_owned()],
            };
            reasons.into_iter().map(move |reason| format!("{name}: {reason}"))
        })
        .collect();
    refused.iter().for_each(|reason| eprintln!("{reason}"));
    if !refused.is_empty() {
        eprintln!(
            "{} must not be used for training: remove the folders, or their lines in packages.toml",
            packages.display()
        );
        std::process::exit(1);
    }
    println!("{} of {} packages, none refused", folders.len(), known.len());
}

struct Excluded {
    /// Names of the repositories in the form `owner/name`, in lower case.
    repositories: FxHashSet<String>,
    names: FxHashSet<String>,
}

impl Excluded {
    fn read(list: &str) -> Self {
        let repositories: FxHashSet<String> =
            list.lines().filter(|line| !line.starts_with('#')).map(|line| line.trim().to_lowercase()).collect();
        let names = repositories.iter().filter_map(|r| Some(normal(r.split_once('/')?.1))).collect();
        Self { repositories, names }
    }

    fn reasons(&self, folder: &Path, package: &Package, metadata: Option<PackageMetadata>) -> Vec<String> {
        let mut reasons = Vec::new();
        if self.names.contains(&normal(&package.name)) {
            reasons.push("has the name of an excluded repository".to_owned());
        }
        if !is_permissive(&package.licence) {
            reasons.push(format!("{} is not a permissive license", package.licence));
        }
        match metadata {
            Some(metadata) => {
                let repositories = metadata.links.iter().filter_map(|link| repository(link));
                let excluded = repositories.filter(|r| self.repositories.contains(r));
                reasons.extend(excluded.map(|r| format!("is made from {r}")));
                if !metadata.agrees_with(&package.licence) {
                    let actual = metadata.expression.unwrap_or(metadata.licence);
                    reasons.push(format!("is under {}, not {}", actual.trim(), package.licence));
                }
            }
            None => reasons.push("has no METADATA or Cargo.toml".to_owned()),
        }
        self.copies(folder, false, &mut reasons);
        reasons
    }

    /// Adds a reason for each folder and Python module that is directly below one of [`COPIES`] and
    /// has an excluded name. A Rust file in that location only connects to a crate with that name.
    fn copies(&self, folder: &Path, among_copies: bool, reasons: &mut Vec<String>) {
        for path in entries(folder) {
            let name = file_name(&path);
            let is_excluded = || self.names.contains(&normal(name.strip_suffix(".py").unwrap_or(&name)));
            if among_copies && is_excluded() {
                reasons.push(format!("contains a copy of an excluded repository: {}", path.display()));
            } else if path.is_dir() {
                self.copies(&path, COPIES.contains(&name.as_str()), reasons);
            }
        }
    }
}

impl PackageMetadata {
    /// Checks whether the metadata specifies this license.
    fn agrees_with(&self, licence: &str) -> bool {
        match &self.expression {
            Some(expression) => expression == licence,
            None => {
                let is_named = |(name, ways): &(&str, &[&str])| {
                    licence.starts_with(name) && ways.iter().any(|way| self.licence.contains(way))
                };
                LICENSE_WORDINGS.iter().any(is_named)
            }
        }
    }
}

/// Reads the metadata from the headers of a wheel's `*.dist-info/METADATA`.
fn metadata_of_wheel(folder: &Path) -> Option<PackageMetadata> {
    let info = entries(folder).into_iter().find(|path| path.extension().is_some_and(|e| e == "dist-info"))?;
    let text = std::fs::read_to_string(info.join("METADATA")).ok()?;
    let mut metadata = PackageMetadata::default();
    let mut key = "";
    for line in text.lines().take_while(|line| !line.is_empty()) {
        let value = match line.split_once(": ") {
            // A line that starts with white space continues the last header.
            Some((of, value)) if !line.starts_with([' ', '\t']) => {
                key = of;
                value
            }
            _ => line,
        };
        match key {
            "Home-page" | "Download-URL" => metadata.links.push(value.to_owned()),
            "Project-URL" => metadata.links.extend(value.split_once(", ").map(|(_, link)| link.to_owned())),
            "License-Expression" => metadata.expression = Some(value.trim().to_owned()),
            "License" => metadata.licence += &format!("{} ", value.trim().to_lowercase()),
            "Classifier" if value.starts_with("License") => metadata.licence += &format!("{} ", value.to_lowercase()),
            _ => {}
        }
    }
    // Older wheels have an SPDX expression in the license header.
    let own = metadata.licence.split(" license ::").next().unwrap_or_default();
    if metadata.expression.is_none() && own.contains(" or ") && own.split(' ').filter(|w| !w.is_empty()).count() == 3 {
        metadata.expression = text.lines().find_map(|line| line.strip_prefix("License: ")).map(|l| l.trim().to_owned());
    }
    Some(metadata)
}

/// Reads the metadata from the `package` table of a crate's `Cargo.toml`.
fn metadata_of_crate(folder: &Path) -> Option<PackageMetadata> {
    let text = std::fs::read_to_string(folder.join(folder.file_name()?).join("Cargo.toml")).ok()?;
    let manifest: toml::Table = text.parse().ok()?;
    let of = |key: &str| Some(manifest.get("package")?.get(key)?.as_str()?.to_owned());
    Some(PackageMetadata {
        links: ["repository", "homepage"].into_iter().filter_map(of).collect(),
        // The slash was used before SPDX.
        expression: Some(of("license")?.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")),
        licence: String::new(),
    })
}

/// Checks whether every part of an SPDX expression offers a permissive license. A package under
/// `A AND B` is under both licenses.
fn is_permissive(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        let choices = part.trim_matches(['(', ')']).split(" OR ");
        choices.into_iter().any(|licence| {
            let licence = licence.split(" WITH ").next().unwrap_or(licence);
            PERMISSIVE.contains(&licence.trim())
        })
    })
}

/// Returns the `owner/name` of a link to a repository on any forge, in lower case.
fn repository(link: &str) -> Option<String> {
    let link = link.trim().to_lowercase();
    let path = link.split_once("://").map_or(link.as_str(), |(_, path)| path);
    let mut parts = path.split(['/', ':', '#', '?']).skip(1);
    let (owner, name) = (parts.next()?, parts.next()?);
    Some(format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name)))
}

/// Normalizes a package name, because registries do not distinguish case, `_`, `.` and `-`.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the subfolders of a folder, sorted by path.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("read a folder");
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("read a folder").path()).collect();
    entries.sort();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXCLUDED: &str = "# evaluation\npsf/requests\nalacritty/alacritty\n";

    /// Creates the folder of a wheel whose metadata consists of `headers`.
    fn wheel(headers: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("folder");
        let info = folder.path().join("any-1.0.dist-info");
        std::fs::create_dir(&info).expect("folder");
        std::fs::write(info.join("METADATA"), format!("{headers}\n\nLong text.\n")).expect("headers");
        folder
    }

    fn reasons(name: &str, folder: &Path) -> Vec<String> {
        let package = Package { name: name.to_owned(), version: "1.0".to_owned(), licence: "MIT".to_owned() };
        Excluded::read(EXCLUDED).reasons(folder, &package, metadata_of_wheel(folder))
    }

    #[test]
    fn an_excluded_repository_is_known_under_another_package_name() {
        for link in [
            "Home-page: https://github.com/psf/requests",
            "Project-URL: Source, https://GitHub.com/PSF/Requests.git",
            "Project-URL: Issues, https://github.com/psf/requests/issues#new",
        ] {
            let folder = wheel(&format!("{link}\nLicense-Expression: MIT"));
            assert_eq!(reasons("http-made-easy", folder.path()), ["is made from psf/requests"], "{link}");
        }
        let other = wheel("Home-page: https://github.com/psf/black\nLicense-Expression: MIT");
        assert_eq!(reasons("http-made-easy", other.path()), [""; 0]);
    }

    #[test]
    fn an_excluded_name_is_known_however_it_is_spelt_and_where_it_is_copied() {
        let folder = wheel("License-Expression: MIT");
        assert_eq!(reasons("Alacritty", folder.path()), ["has the name of an excluded repository"]);
        let copies = folder.path().join("pkg").join("vendor");
        std::fs::create_dir_all(copies.join("requests")).expect("folder");
        let reasons = reasons("another", folder.path());
        assert!(matches!(&reasons[..], [reason] if reason.starts_with("contains a copy")), "{reasons:?}");
    }

    #[test]
    fn a_licence_must_be_the_one_that_is_listed_and_permissive() {
        let folder = wheel("License-Expression: GPL-3.0-only");
        assert_eq!(reasons("another", folder.path()), ["is under GPL-3.0-only, not MIT"]);
        assert!(is_permissive("MIT OR GPL-3.0-only") && !is_permissive("MIT AND GPL-3.0-only"));
    }

    #[test]
    fn the_manifest_and_the_list_that_ship_read_and_do_not_meet() {
        let manifest: Manifest = toml::from_str(include_str!("packages.toml")).expect("packages.toml");
        let excluded = Excluded::read(include_str!("exclude.txt"));
        let mut packages = manifest.python.iter().chain(&manifest.rust);
        assert!(packages.all(|of| !excluded.names.contains(&normal(&of.name)) && is_permissive(&of.licence)));
    }
}
