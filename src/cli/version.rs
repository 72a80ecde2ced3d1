//! What `--version` says: enough to tell two builds and their indexes apart. `-V` says the number alone.

use crate::lang::Registry;
use crate::store::{CONTENT, FORMAT};
use std::sync::LazyLock;

/// The number, the commit that the program was built from (`build.rs` sets `WHICHFN_COMMIT`), the formats of the index, the
/// number of languages.
pub(super) static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("WHICHFN_COMMIT").unwrap_or("unknown");
    let languages = Registry::builtin().map_or(0, |registry| registry.len());
    format!(
        "{}\ncommit: {commit}\nindex: format {FORMAT}, content {CONTENT}\nlanguages: {languages}",
        env!("CARGO_PKG_VERSION")
    )
});
