//! `[modules]`: how an import is resolved to a file or a directory.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Which imports the names that a file exports limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportRule {
    /// All, even if the file lists no name (JavaScript).
    All,
    /// All, if the file has a list (Haskell).
    #[default]
    Listed,
    /// Imports of all names, if the file has a list (`__all__` in Python).
    Stars,
}

/// The rules for resolving an import to a file or a directory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Modules {
    /// Separators between the parts of a module path.
    pub separators: Vec<String>,
    /// File stems that represent their directory.
    pub index_files: Vec<String>,
    /// Meaning of leading dots, which refer to directories relative to the importing file: `dots`
    /// (Python, where one dot is the current package) or `path` (`./`, `../`).
    pub relative: Relative,
    /// True if a relative path that does not exist is searched for like any other path, because it
    /// is relative to the working directory (`source ./lib.sh`).
    pub working_directory: bool,
    /// First names of paths that refer to the top of the package, which is the nearest enclosing
    /// directory that contains one of `root_files`. Without `root_files`, the rest of such a path is
    /// the whole name (`global::App.Time`).
    pub roots: Vec<String>,
    /// Stems of files that mark the top of a package.
    pub root_files: Vec<String>,
    /// First names of paths that refer to the importing module.
    pub current: Vec<String>,
    /// First names of paths that refer to the parent of the importing module.
    pub parent: Vec<String>,
    /// Ancestors of an import that contain a prefix of its path (nested `use` lists).
    pub prefixes: Vec<Prefix>,
    /// True if an import also makes every name of the file visible (`#include`, `require`).
    pub include: bool,
    /// True if a path that does not exist as written is searched for by its suffixes
    /// (`github.com/a/b/sub` refers to `sub/`).
    pub suffix: bool,
    /// True if a path that is not found as it is written is searched below all directories, as the
    /// source roots of a program are (Java).
    pub source_roots: bool,
    /// Names of the directories in which the language looks for imports (`lib`). If empty, it may
    /// look in any directory.
    pub load_folders: Vec<String>,
    /// Directories for the sources of one program, in which files without a package see each other:
    /// `src/*/*`, where `*` represents one directory.
    pub source_sets: Vec<String>,
    /// Words in an import of all members of a type: `import static a.B.*`.
    pub member_words: Vec<String>,
    /// Which imports the names that a file exports (`@export`) limit.
    pub exports: ExportRule,
    /// How a manifest declares import paths.
    pub manifest: Manifest,
    /// Directories of a package in which an import of the package is searched for.
    pub package_sources: Vec<String>,
    /// First names of paths that, by convention, refer to a directory of the program, each with
    /// that directory relative to the importing file's directory or one around it. An alias in a
    /// manifest wins.
    pub source_aliases: BTreeMap<String, Vec<String>>,
    /// True if the paths of modules begin with a host name (`example.org/a`). Without a manifest, all
    /// other paths refer to libraries. The last part of a path can be a version such as `v2`, in which
    /// case the part before it is the name of the module.
    pub hosted: bool,
    /// True if an import refers to a directory, and never to a file with the same name next to it
    /// (Go).
    pub imports_directories: bool,
    /// True if the parts of an import's path are separate nodes in one field.
    pub path_parts: bool,
    /// Kinds of nodes that declare a module in a file of its own, which is in the folder of the modules
    /// around the declaration (`mod a { mod b; }` of Rust).
    pub nested: Vec<String>,
    /// True if the last part of an import's path is the imported name, unless it is itself the name
    /// of a module.
    pub path_ends_in_name: bool,
    /// Alias of an import that is the value of the file (`default` in JavaScript). Empty if the
    /// language has none.
    pub value_name: String,
    /// Extensions of compiled files, each with the extensions of the source files that an import
    /// with that extension refers to, the preferred one first. With `js = ["ts"]`, `./b.js` refers
    /// to `b.ts`.
    pub compiled_endings: BTreeMap<String, Vec<String>>,
    /// Words that may be between the stem and the extension of a file that is imported by its stem
    /// (`d` in `b.d.ts`), if no file has only the stem and an extension. If the list is empty, any
    /// word may be there.
    pub declaration_endings: Vec<String>,
}

/// How a manifest (`manifests`) declares the import path of its directory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manifest {
    /// Word that precedes the import path.
    pub keyword: Option<String>,
    /// Keys that contain the import path in TOML, as `table.key`. The first one in the manifest counts.
    pub keys: Vec<String>,
    /// Signs in the import path, each with the sign that imports use instead.
    pub signs: BTreeMap<String, String>,
    /// Directories next to the manifest that may contain the modules of its import path. If none of
    /// them exists, the directory of the manifest does.
    pub sources: Vec<String>,
    /// Keys of the import paths, if the manifest is written in JSON.
    pub json: Option<ManifestKeys>,
}

/// Keys of a manifest in JSON, which may contain comments. A value that is nested in objects has
/// several keys.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestKeys {
    /// Keys of the import path of the manifest's directory.
    pub name: Vec<String>,
    /// Keys of files that an import of the directory may refer to.
    pub entries: Vec<String>,
    /// Keys of the directory that aliases, and paths that do not begin with a dot, are relative to.
    pub base: Vec<String>,
    /// Keys of an object with aliases: paths with at most one `*`, each with the places that it
    /// refers to.
    pub aliases: Vec<String>,
    /// Keys of maps from a subpath, with at most one `*`, to a place, to places, or to conditions with
    /// places: `imports` for the files below the manifest (`#a`), `exports` for those of other packages
    /// (`.`, `./a`).
    pub subpaths: Vec<String>,
}

/// A kind of node around imports that contains a prefix of their path.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    /// Kind of the node.
    pub kind: String,
    /// Field that contains the prefix.
    pub field: Option<String>,
    /// Kind of the child that is the prefix, for grammars without a field for it.
    pub child: Option<String>,
}

/// The meaning of leading dots in a module path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relative {
    /// Leading dots have no meaning.
    #[default]
    None,
    /// Leading dots are counted: `.name`, `..name`.
    Dots,
    /// Leading dots are directories in a path: `./name`, `../name`.
    Path,
}

impl Modules {
    /// Splits a module path into its parts.
    pub fn split<'p>(&self, path: &'p str) -> Vec<&'p str> {
        let mut parts = vec![path];
        for separator in &self.separators {
            parts = parts.into_iter().flat_map(|part| part.split(separator.as_str())).collect();
        }
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    /// Returns the name that an import of a whole module binds, unless an alias or the module
    /// itself specifies a different name. Returns `None` for an empty path.
    pub fn bound_name<'p>(&self, parts: &[&'p str]) -> Option<&'p str> {
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        // `import a.b` binds `a`; in languages without dotted paths, the last part is the name.
        let last = match parts {
            [first, ..] if self.relative == Relative::Dots => return Some(first),
            [.., name, version] if self.hosted && is_version(version) => name,
            [.., name] => name,
            [] => return None,
        };
        Some(last.split('.').next().unwrap_or(last))
    }
}
