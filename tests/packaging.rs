//! Checks that the files for other package managers match the crate's metadata.

use serde_json::Value;
#[cfg(unix)]
use std::io::Write;
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

/// `maturin --release` would replace the profile, so a wheel would contain another program.
#[test]
fn every_package_contains_the_program_of_the_wheel() {
    let read = |path: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    let wheel = toml::from_str::<toml::Table>(&read("pyproject.toml")).expect("TOML");
    assert_eq!(wheel["tool"]["maturin"]["profile"].as_str(), Some("dist"));
    for path in ["docs/install.md", ".github/workflows/release.yml", "RELEASE.md", "README.md"] {
        let text = read(path);
        let commands = text.lines().filter(|line| line.contains("maturin build") || line.contains("args: --locked"));
        let overrides: Vec<_> =
            commands.filter(|line| line.contains("build --release") || line.contains("-r ")).collect();
        assert!(overrides.is_empty(), "{path}: {overrides:?}");
        assert!(!text.contains("target/release/whichfn"), "{path} packs another program");
    }
    let release = read(".github/workflows/release.yml");
    let (wheel, program) = (release.find("maturin-action"), release.find("packaging/from-wheel.sh"));
    assert!(wheel.is_some() && wheel < program && !release.contains("cargo build"), "the wheel comes first");
}

/// The script takes the program out of a wheel.
#[cfg(unix)]
#[test]
fn the_program_of_a_wheel_can_be_taken_out() {
    let folder = tempfile::tempdir().expect("folder");
    let (wheel, program) = (folder.path().join("a.whl"), folder.path().join("out/whichfn"));
    let zip =
        "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('a.data/scripts/whichfn', b'\\x00program')";
    let run = |command: &mut std::process::Command| command.output().is_ok_and(|output| output.status.success());
    let has = |name: &str| run(std::process::Command::new("sh").args(["-c", &format!("command -v {name}")]));
    if !has("python3") || !has("unzip") {
        // The test harness does not capture this, so a skipped test is visible.
        let _ = writeln!(std::io::stderr(), "SKIPPED: python3 or unzip is not on PATH, so no wheel is read");
        return;
    }
    assert!(run(std::process::Command::new("python3").args(["-c", zip]).arg(&wheel)));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/from-wheel.sh");
    assert!(run(std::process::Command::new("sh").arg(script).arg(&wheel).arg(&program)));
    assert_eq!(std::fs::read(&program).expect("a program"), b"\x00program");
}
