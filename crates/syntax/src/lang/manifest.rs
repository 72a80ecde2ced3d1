//! Reads the import paths that manifests declare.

use super::spec::{ManifestKeys, Modules};
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;

/// Maximum number of declarations that are read from one manifest.
const MAX_DECLARED: usize = 400;
/// Maximum depth of conditions around the place of a subpath.
const MAX_CONDITIONS: usize = 8;

/// A declaration of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared<'t> {
    /// The import path of the manifest's directory, and files in it that an import of the directory
    /// may refer to.
    Package(&'t str, Vec<&'t str>),
    /// Import paths for the files below the manifest's directory: a path with at most one `*`, and
    /// the places, relative to the directory, that it refers to. A path that begins with `.` is for
    /// files of other packages, after the path of the manifest's directory.
    Alias(&'t str, Vec<&'t str>),
}

/// Returns the declarations of a manifest in stored form, one a line ([`declarations`]).
pub(super) fn read(modules: &Modules, text: &str) -> String {
    let manifest = &modules.manifest;
    if let Some(keys) = &manifest.json {
        let json = parse_to_serde_value::<Value>(text, &ParseOptions::default());
        return json.map(|json| lines(keys, &json)).unwrap_or_default();
    }
    let path = match &manifest.keyword {
        Some(keyword) => after_keyword(keyword, text).map(str::to_owned),
        None => first_key(&manifest.keys, text),
    };
    let path = path.unwrap_or_default();
    manifest.signs.iter().fold(path, |path, (from, to)| path.replace(from.as_str(), to))
}

/// Returns the value of the first key that a manifest in TOML has. Keys have the form `table.key`.
fn first_key(keys: &[String], text: &str) -> Option<String> {
    let manifest: toml::Table = text.parse().ok()?;
    keys.iter().find_map(|key| {
        let (table, key) = key.split_once('.')?;
        Some(manifest.get(table)?.get(key)?.as_str()?.to_owned())
    })
}

/// Returns the declarations in stored form.
pub fn declarations(stored: &str) -> impl Iterator<Item = Declared<'_>> {
    stored.lines().map(|line| {
        let mut parts = line.split('\t');
        let first = parts.next().unwrap_or_default();
        match first.strip_prefix('=') {
            Some(pattern) => Declared::Alias(pattern, parts.collect()),
            None => Declared::Package(first, parts.collect()),
        }
    })
}

fn after_keyword<'t>(keyword: &str, text: &'t str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let path = words.next().filter(|word| *word == keyword).and(words.next())?;
        Some(path.trim_matches(['"', '`']))
    })
}

fn lines(keys: &ManifestKeys, json: &Value) -> String {
    let at = |path: &[String]| path.iter().try_fold(json, |value, key| value.get(key));
    let text = |path: &[String]| at(path).and_then(Value::as_str).filter(|text| is_path(text));
    let mut lines = Vec::new();
    let entries: Vec<&str> = keys.entries.iter().filter_map(|key| text(std::slice::from_ref(key))).collect();
    // Code inside a package without a name can still import its directory.
    if let Some(name) = text(&keys.name).or((!entries.is_empty()).then_some("")) {
        lines.push(std::iter::once(name).chain(entries).collect::<Vec<_>>().join("\t"));
    }
    let base = text(&keys.base);
    let aliases = at(&keys.aliases).and_then(Value::as_object);
    for (pattern, targets) in aliases.into_iter().flatten().filter(|(pattern, _)| is_path(pattern)) {
        let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str).filter(|text| is_path(text));
        let targets: String = targets.map(|target| format!("\t{}/{target}", base.unwrap_or("."))).collect();
        lines.push(format!("={pattern}{targets}"));
    }
    lines.extend(base.map(|base| format!("=*\t{base}/*")));
    for (pattern, places) in keys.subpaths.iter().filter_map(|key| json.get(key)).flat_map(subpaths) {
        let places: String = places.iter().filter(|place| is_path(place)).map(|place| format!("\t{place}")).collect();
        lines.extend((is_path(pattern) && !places.is_empty()).then(|| format!("={pattern}{places}")));
    }
    lines.truncate(MAX_DECLARED);
    lines.join("\n")
}

/// Returns the subpaths of a map, each with its places. A map without subpaths is for the package itself.
fn subpaths(map: &Value) -> Vec<(&str, Vec<&str>)> {
    match map.as_object() {
        Some(map) if map.keys().all(|key| key.starts_with(['.', '#'])) => {
            map.iter().map(|(pattern, value)| (pattern.as_str(), places(value, 0))).collect()
        }
        _ => vec![(".", places(map, 0))],
    }
}

/// Returns the places of a subpath under all conditions, by the names of the conditions.
fn places(value: &Value, depth: usize) -> Vec<&str> {
    match value {
        Value::String(place) => vec![place],
        Value::Array(values) if depth < MAX_CONDITIONS => {
            values.iter().flat_map(|value| places(value, depth + 1)).collect()
        }
        Value::Object(conditions) if depth < MAX_CONDITIONS => {
            conditions.values().flat_map(|value| places(value, depth + 1)).collect()
        }
        _ => Vec::new(),
    }
}

/// Checks whether a text can be an import path.
fn is_path(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('=') && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::super::Registry;
    use super::*;

    fn read_as(name: &str, text: &str) -> String {
        Registry::builtin().expect("language files").declared_paths(name, text)
    }

    #[test]
    fn a_go_module_declares_its_path() {
        assert_eq!(read_as("go.mod", "// x\nmodule example.org/a/v2 // y\n\ngo 1.22\n"), "example.org/a/v2");
    }

    #[test]
    fn a_package_declares_its_name_and_a_configuration_its_aliases() {
        let package = read_as("package.json", r#"{"name": "@scope/a", "main": "./lib/a.js", "exports": {".": 1}}"#);
        assert_eq!(package, "@scope/a\t./lib/a.js");
        let package = r##"{"name": "a", "imports": {"#u/*": {"node": "./n/*.js", "default": ["./d/*.js"]}},
            "exports": {".": "./a.js", "./b": null, "./c": {"import": "./c.mjs"}}}"##;
        assert_eq!(read_as("package.json", package), "a\n=#u/*\t./d/*.js\t./n/*.js\n=.\t./a.js\n=./c\t./c.mjs");
        let package = r#"{"name": "a", "exports": {"import": "./a.mjs", "require": "./a.cjs"}}"#;
        assert_eq!(read_as("package.json", package), "a\n=.\t./a.mjs\t./a.cjs");
        let text = "{ // comments, and trailing commas\n\"compilerOptions\": {\"paths\": {\"@/*\": [\"./src/*\", /* or */ \"lib/*\",],},},}";
        assert_eq!(read_as("tsconfig.json", text), "=@/*\t././src/*\t./lib/*");
        let text = r#"{"compilerOptions": {"baseUrl": "app", "paths": {"a//b": ["c\"/*d"]}}}"#;
        assert_eq!(read_as("tsconfig.json", text), "=a//b\tapp/c\"/*d\n=*\tapp/*");
        let stored: Vec<_> = declarations("=@/*\tsrc/*\na\tlib/a.js").collect();
        assert_eq!(stored, [Declared::Alias("@/*", vec!["src/*"]), Declared::Package("a", vec!["lib/a.js"])]);
    }

    #[test]
    fn unfinished_manifests_declare_nothing() {
        for text in ["", "{", "\"", "/*", "{\"name\": \"a\\", "{\"name\": \"\\n\"}", "[[[[", "{\"name\": [1,]}"] {
            assert_eq!(read_as("package.json", text), "");
        }
        for deep in ["[", "{\"a\": "] {
            assert_eq!(read_as("package.json", &deep.repeat(10_000)), "");
        }
    }
}
