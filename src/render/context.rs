//! Renders the context of a completion in the formats of its clients.

use super::place::with_path;
use crate::engine::Engine;
use serde_json::{Value, json};
use std::path::Path;
use whichfn_read::context::{Context, ContextFragment, Iteration};
use whichfn_text::{path_from_text, percent_encoded};

/// Largest importance of an item in Copilot's context provider.
const HIGHEST_IMPORTANCE: usize = 100;

/// Renders the context as comments for a prompt, the best fragment last.
pub fn context_prompt(engine: &Engine, context: &Context) -> String {
    context.commented(engine.line_comment(&context.file))
}

/// Renders everything, the best fragment first, with the drafts of a model if one was used.
pub fn context(engine: &Engine, context: &Context, iterations: &[Iteration]) -> Value {
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
        "prompt": context_prompt(engine, context),
    });
    if !iterations.is_empty() {
        let iteration = |done: &Iteration| json!({"draft": done.draft, "fragments": done.fragments});
        value["iterations"] = iterations.iter().map(iteration).collect();
    }
    value
}

/// Renders the context for the infill endpoint of llama.cpp's server (`input_extra`). The best
/// fragment is last, which is closest to the code.
pub fn input_extra(context: &Context) -> Value {
    let extra = |fragment: &ContextFragment| json!({"filename": fragment.path, "text": fragment.text});
    context.fragments.iter().rev().map(extra).collect()
}

/// Renders the context for a context provider of GitHub Copilot (`CodeSnippet`), the best fragment
/// first.
pub fn copilot_items(context: &Context) -> Value {
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
