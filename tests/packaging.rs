//! Checks that the files for other package managers match the crate's metadata, and that the GitHub
//! action works.

#[cfg(unix)]
use crate::support::env::Env;
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

/// Runs the step `Check` of `action.yml` in a clone, with this commit as the base; returns the
/// status, the outputs of the step, and what it printed.
#[cfg(unix)]
fn checked_by_action(env: &Env, clone: &str, base: &str) -> (Option<i32>, String, String) {
    let action = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml")).expect("action.yml");
    let step = action.split("id: check\n").nth(1).and_then(|rest| rest.split("    - name: ").next()).expect("a step");
    let script = step.split("run: |\n").nth(1).expect("a script");
    let bin = env.outside("bin");
    std::fs::create_dir_all(&bin).expect("folder");
    let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_whichfn"), bin.join("whichfn"));
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let output = env.outside(format!("{clone}.output"));
    std::fs::write(&output, "").expect("file");
    let mut bash = env.other_process("bash");
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(env.outside(clone));
    bash.env("PATH", path).env("BASE", base).env("FAIL_ON", "warning").env("ARGUMENTS", "");
    bash.env("SARIF", env.outside(format!("{clone}.sarif"))).env("GITHUB_OUTPUT", &output);
    let ran = bash.env("GITHUB_STEP_SUMMARY", env.outside("summary")).output().expect("bash runs");
    let shown = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (ran.status.code(), std::fs::read_to_string(output).expect("outputs"), shown)
}

#[cfg(unix)]
#[test]
fn the_action_does_not_pass_without_a_base() {
    let env = Env::new();
    let git = |arguments: &[&str]| {
        let mut git = env.other_process("git");
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]);
        let output = git.args(arguments).output().expect("git runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    std::fs::remove_dir(env.at(".git")).expect("an empty folder");
    git(&["init", "-q"]);
    env.write("a.py", "def f(a):\n    return a\n\n\ndef g():\n    return f(1)\n");
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "one"]);
    let first = git(&["rev-parse", "HEAD"]);
    env.write("a.py", "def f(a, b):\n    return a\n\n\ndef g():\n    return f(1)\n");
    git(&["commit", "-q", "-a", "-m", "two"]);
    let [whole, shallow] = ["whole", "shallow"].map(|name| env.outside(name).display().to_string());
    let from = format!("file://{}", env.repo().display());
    git(&["clone", "-q", &from, &whole]);
    git(&["clone", "-q", "--depth", "1", &from, &shallow]);
    let zero = "0".repeat(40);
    for base in [&first, &zero, ""] {
        let (code, outputs, shown) = checked_by_action(&env, "whole", base);
        assert!(code == Some(1) && outputs.contains("sarif-file=") && shown.contains("::"), "{base}: {shown}");
        let (code, outputs, shown) = checked_by_action(&env, "shallow", base);
        assert_eq!((code, outputs.as_str()), (Some(2), ""), "{base}: {shown}");
        assert!(shown.contains("shallow"), "{base}: {shown}");
    }
}
