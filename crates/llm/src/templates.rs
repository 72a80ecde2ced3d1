//! Renders prompts from template files with Jinja's syntax. The files are in
//! `crates/llm/src/prompts/`, or in the user's folder.
//!
//! A file in the user's folder replaces the built-in template with the same name. Only the command
//! line can specify the folder, because a repository must not determine what a model is prompted
//! with.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Names and texts of the built-in templates, sorted by name.
const BUILTIN: &[(&str, &str)] = &[
    ("answer.md", include_str!("prompts/answer.md")),
    ("choose.md", include_str!("prompts/choose.md")),
    ("chunk.md", include_str!("prompts/chunk.md")),
    ("complete.md", include_str!("prompts/complete.md")),
    ("compress.md", include_str!("prompts/compress.md")),
    ("leaf.md", include_str!("prompts/leaf.md")),
    ("merge.md", include_str!("prompts/merge.md")),
    ("nearest.md", include_str!("prompts/nearest.md")),
    ("rank.md", include_str!("prompts/rank.md")),
    ("revise.md", include_str!("prompts/revise.md")),
    ("schema.md", include_str!("prompts/schema.md")),
    ("summarise.md", include_str!("prompts/summarise.md")),
    ("triage.md", include_str!("prompts/triage.md")),
];

/// The parsed templates of all prompts.
pub struct Templates {
    templates: Environment<'static>,
    /// The user's template folder, if any.
    folder: Option<PathBuf>,
    /// Names of the templates that come from the user's folder.
    own: Vec<&'static str>,
}

impl Templates {
    /// Returns the built-in templates.
    ///
    /// # Errors
    /// Returns an error if a template cannot be parsed.
    pub fn builtin() -> Result<Self> {
        let mut templates = Environment::new();
        templates.set_auto_escape_callback(|_| AutoEscape::None);
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        let blocks = SyntaxConfig::builder().keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true).build();
        let mut all = Self { templates, folder: None, own: Vec::new() };
        all.templates.set_syntax(blocks.map_err(|cause| all.wrong("", &cause))?);
        for (name, text) in BUILTIN {
            all.templates.add_template(name, text).map_err(|cause| all.wrong(name, &cause))?;
        }
        Ok(all)
    }

    /// Returns the built-in templates, with those replaced that the folder contains.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read, or if a template in it cannot be parsed or
    /// does not match the name of any built-in template.
    pub fn with_folder(folder: &Path) -> Result<Self> {
        let mut all = Self::builtin()?;
        all.folder = Some(folder.to_owned());
        let entries = std::fs::read_dir(folder).map_err(|cause| Error::io(Kind::Path, "read", folder, &cause))?;
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        for name in names.iter().filter(|name| name.ends_with(".md") && *name != "README.md") {
            let path = folder.join(name);
            let Some((known, _)) = BUILTIN.iter().find(|(known, _)| known == name) else {
                let known: Vec<&str> = BUILTIN.iter().map(|(known, _)| *known).collect();
                let what = format!("{} does not match the name of any built-in prompt", path.display());
                return Err(Error::new(Kind::Usage, what, format!("built-in prompts: {}", known.join(", "))));
            };
            let text = std::fs::read_to_string(&path).map_err(|cause| Error::io(Kind::Path, "read", &path, &cause))?;
            all.own.push(known);
            all.templates.add_template_owned(*known, text).map_err(|cause| all.wrong(known, &cause))?;
        }
        Ok(all)
    }

    /// Renders the template called `name`. Line breaks in values are kept.
    ///
    /// # Errors
    /// Returns an error if there is no template with that name, or if it uses a value that `values`
    /// does not contain.
    pub fn render(&self, name: &str, values: impl Serialize) -> Result<String> {
        let values = minijinja::Value::from(Serde(values));
        let rendered = self.templates.get_template(name).and_then(|template| template.render(values));
        rendered.map_err(|cause| self.wrong(name, &cause))
    }

    /// Returns the error for a template that cannot be parsed or rendered, with the position in its
    /// file.
    fn wrong(&self, name: &str, cause: &minijinja::Error) -> Error {
        let place = match &self.folder {
            Some(folder) if self.own.contains(&name) => folder.join(name).display().to_string(),
            _ => format!("the built-in prompt {name}"),
        };
        let line = cause.line().map_or(String::new(), |line| format!(":{line}"));
        let detail = cause.detail().map_or(String::new(), |detail| format!(": {detail}"));
        let what = format!("{place}{line}: {}{detail}", cause.kind());
        Error::new(Kind::Usage, what, Remedy::CorrectTemplate)
    }
}

impl fmt::Debug for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Templates").field("folder", &self.folder).field("own", &self.own).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Returns example values for a template.
    fn example(name: &str) -> Value {
        match name {
            "complete.md" => json!({"path": "a/b.py", "fragments": "# <one>\n", "before": "x = ", "after": "\ny"}),
            "answer.md" | "choose.md" | "chunk.md" | "compress.md" | "merge.md" | "nearest.md" | "rank.md"
            | "revise.md" => used(
                name,
                json!({
                    "task": "Find it.", "question": "which one?", "schema": "class Memory", "example": "$.matches['x']",
                    "keys": " Keys are names.", "updates": true, "amendments": true, "memory": "{}",
                    "chunk": "text\n", "summary": "{'a': 1}", "limit": "500",
                    "remarks": "Say so.\n",
                }),
            ),
            "leaf.md" | "summarise.md" | "triage.md" => used(
                name,
                json!({
                    "question": "which one?", "memory": "nothing yet", "place": "the file a.py",
                    "text": "def a(): pass", "choices": "1. a", "words": 20, "kind": "file",
                }),
            ),
            "schema.md" => json!({"domain": "novels", "query": "who?", "former": "class A", "why": "no map"}),
            _ => panic!("give an example of the values of {name}"),
        }
    }

    /// Returns the values that a template uses.
    fn used(name: &str, values: Value) -> Value {
        let text = BUILTIN.iter().find(|(known, _)| *known == name).expect("template").1;
        let Value::Object(values) = values else { panic!("values have names") };
        let is_used = |value: &str| text.contains(&format!("{{{{ {value}")) || text.contains(&format!("if {value}"));
        Value::Object(values.into_iter().filter(|(value, _)| is_used(value)).collect())
    }

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
        folder
    }

    #[test]
    fn renders_each_template_with_all_values() {
        let templates = Templates::builtin().unwrap();
        for (name, source) in BUILTIN {
            let text = templates.render(name, example(name)).unwrap();
            assert!(!text.contains("{{") && !text.contains("{%"), "{name}: {text}");
            // Several templates share an example, and each uses part of it.
            let values = example(name);
            let used =
                values.as_object().unwrap().iter().filter(|(key, _)| source.contains(&format!("{{{{ {key} }}}}")));
            for value in used.filter_map(|(_, value)| value.as_str()) {
                assert!(text.contains(value), "{name} leaves out {value}: {text}");
            }
        }
    }

    #[test]
    fn a_file_replaces_the_built_in_template() {
        let folder = folder(&[("complete.md", "Go on: {{ before }}"), ("README.md", "mine"), ("notes.txt", "{{")]);
        let templates = Templates::with_folder(folder.path()).unwrap();
        assert_eq!(templates.render("complete.md", example("complete.md")).unwrap(), "Go on: x = ");
    }

    #[test]
    fn template_errors_name_file_and_line() {
        for (text, line) in [("one\n{{ befor }}", ":2: "), ("{% if %}", ":1: ")] {
            let folder = folder(&[("complete.md", text)]);
            let templates = Templates::with_folder(folder.path());
            let error = templates.and_then(|all| all.render("complete.md", example("complete.md"))).unwrap_err();
            assert!(error.what().contains("complete.md") && error.what().contains(line), "{error}");
            assert!(error.what().starts_with(&*folder.path().to_string_lossy()), "{error}");
        }
        let error = Templates::with_folder(folder(&[("compelte.md", "")]).path()).unwrap_err();
        assert!(error.what().contains("compelte.md") && format!("{error}").contains("complete.md"), "{error}");
        assert!(Templates::with_folder(Path::new("no/such/folder")).is_err());
        assert!(Templates::builtin().unwrap().render("none.md", ()).is_err());
    }
}
