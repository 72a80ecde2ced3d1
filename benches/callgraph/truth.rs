//! The calls that a compiler or type checker found in a directory, as JSON:
//!
//! ```json
//! {"covered": null, "files": ["src/a.ts"], "sites": [
//!   {"f": "src/a.ts", "l": 12, "n": "save", "k": "call", "t": ["src/store.ts", 40, "save"],
//!    "alts": [["src/disk.ts", 7, "save"]], "x": "Store.save", "v": true}]}
//! ```
//!
//! | Key | Meaning |
//! |---|---|
//! | `covered` | functions that the compiler saw, as `[file, line]`; `null` for all functions |
//! | `files` | files that the compiler saw; `null` for all files |
//! | `f`, `l`, `n` | file, 1-based line and name of the callee as the call site spells it |
//! | `k` | `call`, `new`, or `ref` for a function that is mentioned, but not called |
//! | `t` | declared target as `[file, line of its name, name]`; `null` if it is outside the directory |
//! | `alts` | implementations and overrides of the target, which are equally right |
//! | `ty` | type that `new` creates, for types without a declared constructor |
//! | `x` | the compiler's name for the target, for people |
//! | `ign` | true if the compiler cannot tell the target (a value of a function type, `any`) |
//!
//! Paths are relative to the directory. All keys except `f`, `l`, `n` and `t` are optional. A site
//! whose target is outside is needed as well: it is the evidence that a link there is wrong. Links
//! at sites that the file does not mention, or marks with `ign`, are not judged.

use serde::Deserialize;
use std::path::Path;

/// A definition: file, 1-based line of its name, and name. Anonymous functions have no name.
pub(crate) type Place = (String, u32, Option<String>);

/// The content of a truth file.
#[derive(Deserialize)]
pub(crate) struct Truth {
    pub covered: Option<Vec<(String, u32)>>,
    pub files: Option<Vec<String>>,
    pub sites: Vec<Site>,
}

/// A call site.
#[derive(Deserialize)]
pub(crate) struct Site {
    #[serde(rename = "f")]
    pub file: String,
    #[serde(rename = "l")]
    pub line: u32,
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "k", default)]
    pub kind: String,
    #[serde(rename = "t")]
    pub target: Option<Place>,
    #[serde(default)]
    pub alts: Vec<Place>,
    #[serde(default)]
    pub ty: Option<Place>,
    #[serde(rename = "x", default)]
    pub text: String,
    #[serde(default)]
    pub ign: bool,
}

impl Truth {
    /// Reads a truth file.
    pub(crate) fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("truth file");
        serde_json::from_str(&text).expect("true calls as JSON")
    }
}
