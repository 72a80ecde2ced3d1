//! Sets `WHICHFN_COMMIT` for the compiler, which `--version` prints: from the environment, which
//! packagers without a checkout can set, or from git, if either has it.

#[path = "build/commit.rs"]
mod commit;

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build/commit.rs");
    println!("cargo:rerun-if-env-changed=WHICHFN_COMMIT");
    if std::env::var_os("WHICHFN_COMMIT").is_some() {
        return;
    }
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the package's folder");
    let commit = commit::commit(Path::new(&root));
    for file in commit.watched {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    if let Some(hash) = commit.hash {
        println!("cargo:rustc-env=WHICHFN_COMMIT={hash}");
    }
}
