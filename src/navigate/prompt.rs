//! Prompts: a template with its places filled in.

use crate::error::{Error, Kind, Result};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};

/// To choose among summaries.
pub(super) const TRIAGE: &str = include_str!("../llm/prompts/triage.md");
/// To judge a function's text.
pub(super) const LEAF: &str = include_str!("../llm/prompts/leaf.md");
/// To say in a few words what a node holds.
pub(super) const SUMMARISE: &str = include_str!("../llm/prompts/summarise.md");

/// Fills in a template. Line breaks in values stay as they are.
///
/// # Errors
/// When the template uses what `values` does not hold.
pub(super) fn render(template: &str, values: &serde_json::Value) -> Result<String> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.render_str(template, Value::from(Serde(values))).map_err(|cause| {
        let next = "this is a defect of whichfn; please report it";
        Error::new(Kind::Model, format!("a prompt cannot be filled in: {cause}"), next)
    })
}
