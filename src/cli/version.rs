//! The output of `--version`, which identifies a build and its index formats. `-V` prints only the
//! version number.

use std::sync::LazyLock;
use whichfn_index::store::{CONTENT, FORMAT};
use whichfn_syntax::lang::Registry;

/// The version number, the commit of the build (`build.rs` sets `WHICHFN_COMMIT`), the formats of
/// the index, and the number of languages.
pub(super) static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("WHICHFN_COMMIT").unwrap_or("unknown");
    let languages = Registry::builtin().map_or(0, |registry| registry.len());
    format!(
        "{}\ncommit: {commit}\nindex: format {FORMAT}, content {CONTENT}\nlanguages: {languages}",
        env!("CARGO_PKG_VERSION")
    )
});
