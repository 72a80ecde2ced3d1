//! Checks that the files for other package managers match the crate's metadata.

use serde_json::Value;
use std::path::Path;

#[test]
fn wheel_and_npm_package_have_the_description_and_licence_of_the_crate() {
    let read = |path: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    let toml = |path: &str| toml::from_str::<toml::Table>(&read(path)).expect(path);
    let (crate_, wheel) = (toml("Cargo.toml"), toml("pyproject.toml"));
    let npm: Value = serde_json::from_str(&read("packaging/npm/whichfn/package.json")).expect("JSON");
    for key in ["name", "description", "license"] {
        let said = crate_["package"][key].as_str().expect(key);
        assert_eq!(wheel["project"][key].as_str(), Some(said), "pyproject.toml: {key}");
        assert_eq!(npm[key], said, "package.json: {key}");
    }
    assert!(wheel["project"]["dynamic"].to_string().contains("version"), "the version stands in Cargo.toml alone");
}
