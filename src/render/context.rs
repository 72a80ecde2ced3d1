//! Renders the context of a completion in the formats of its clients.

use super::place::with_path;
use crate::engine::Engine;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use whichfn_read::context::{Context, ContextFragment, Iteration};
use whichfn_text::{path_from_text, percent_encoded};

/// Largest importance of an item in Copilot's context provider.
const HIGHEST_IMPORTANCE: usize = 100;

/// Format of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextFormat {
    /// One object with everything, the best fragment first.
    #[default]
    Json,
    /// Comments for a prompt, the best fragment last.
    Prompt,
    /// Value of `input_extra` for the infill endpoint of llama.cpp's server. The best fragment is
    /// last, which is closest to the code.
    Fim,
    /// Items for a context provider of GitHub Copilot (`CodeSnippet`), the best fragment first.
    Copilot,
}

/// Renders a context; a prompt is a JSON string. `iterations` are the drafts of a model, if one was
/// used.
pub fn context(format: ContextFormat, engine: &Engine, context: &Context, iterations: &[Iteration]) -> Value {
    match format {
        ContextFormat::Json => whole(engine, context, iterations),
        ContextFormat::Prompt => prompt(engine, context).into(),
        ContextFormat::Fim => input_extra(context),
        ContextFormat::Copilot => copilot_items(context),
    }
}

fn prompt(engine: &Engine, context: &Context) -> String {
    context.commented(engine.line_comment(&context.file))
}

fn whole(engine: &Engine, context: &Context, iterations: &[Iteration]) -> Value {
    let fragment = |fragment: &ContextFragment| {
        with_path(
            json!({
                "start_line": fragment.start_line,
                "end_line": fragment.end_line,
                "score": fragment.score,
                "scores": {"independent": fragment.independent, "environment": fragment.environment},
                "text": fragment.text,
            }),
            &fragment.path,
        )
    };
    let mut value = json!({
        "version": 1,
        "file": context.file,
        "line": context.line,
        "query_lines": [context.query_lines.0, context.query_lines.1],
        "fragments": context.fragments.iter().map(fragment).collect::<Vec<_>>(),
        "prompt": prompt(engine, context),
    });
    if !iterations.is_empty() {
        let iteration = |done: &Iteration| json!({"draft": done.draft, "fragments": done.fragments});
        value["iterations"] = iterations.iter().map(iteration).collect();
    }
    value
}

fn input_extra(context: &Context) -> Value {
    let extra = |fragment: &ContextFragment| json!({"filename": fragment.path, "text": fragment.text});
    context.fragments.iter().rev().map(extra).collect()
}

fn copilot_items(context: &Context) -> Value {
    let item = |(place, fragment): (usize, &ContextFragment)| {
        json!({
            "uri": file_address(&context.root.join(path_from_text(&fragment.path))),
            "value": fragment.text,
            "importance": HIGHEST_IMPORTANCE.saturating_sub(place),
        })
    };
    context.fragments.iter().enumerate().map(item).collect()
}

/// Returns the `file:` URL of a path as editors write it: unlike [`whichfn_text::file_uri`], it
/// encodes colons.
fn file_address(path: &Path) -> String {
    format!("file://{}", percent_encoded(path).replace(':', "%3A"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_paths_byte_by_byte() {
        assert_eq!(file_address(Path::new("/a b/c:ü%.py")), "file:///a%20b/c%3A%C3%BC%25.py");
    }
}
