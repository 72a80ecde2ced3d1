//! Finds the folders of the grammar crates.
//!
//! Cargo does not pass a build script the folders of dependencies, so this module runs
//! `cargo metadata` offline.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folders of the dependencies of the package in the folder `package` whose names start
/// with `tree-sitter-`, by the names of the crates. `scratch` is an empty folder.
///
/// # Errors
/// Returns a description of what failed.
pub fn folders(package: &Path, scratch: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let manifest = package.join("Cargo.toml");
    let own = metadata(package, &["--no-deps", "--manifest-path", &manifest.to_string_lossy()])?;
    let requirements: BTreeMap<&str, &str> = list(&own["packages"])
        .filter(|found| found["name"] == env!("CARGO_PKG_NAME"))
        .flat_map(|found| list(&found["dependencies"]))
        .filter_map(|dependency| Some((dependency["name"].as_str()?, dependency["req"].as_str()?)))
        .filter(|(name, _)| name.starts_with("tree-sitter-"))
        .collect();
    // Cargo resolves a package with only these dependencies. Resolving this package or its workspace
    // would fail offline if a dependency of another package has not been downloaded, as in
    // `cargo install`. The requirements are exact versions, so the result is the same.
    let rows: String = requirements.iter().map(|(name, version)| format!("{name} = \"{version}\"\n")).collect();
    let alone = scratch.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"grammars\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [lib]\npath = \"lib.rs\"\n[workspace]\n[dependencies]\n{rows}"
    );
    fs::write(&alone, text)
        .and_then(|()| fs::write(scratch.join("lib.rs"), ""))
        .map_err(|cause| format!("writing {}: {cause}", alone.display()))?;
    let found = metadata(package, &["--manifest-path", &alone.to_string_lossy()])?;
    let folder = |found: &Value| {
        let folder = Path::new(found["manifest_path"].as_str()?).parent()?.to_path_buf();
        Some((found["name"].as_str()?.to_string(), folder))
    };
    Ok(list(&found["packages"]).filter_map(folder).collect())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Runs `cargo metadata` in the folder of the package, because Cargo reads its settings (such as a
/// folder of vendored crates) from the current folder and the folders above it.
fn metadata(package: &Path, arguments: &[&str]) -> Result<Value, String> {
    let cargo = std::env::var_os("CARGO").ok_or("CARGO is not set")?;
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(arguments)
        .current_dir(package)
        .output()
        .map_err(|cause| format!("running cargo metadata: {cause}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|cause| format!("reading cargo metadata: {cause}"))
}
