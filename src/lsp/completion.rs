//! `whichfn/context`: returns the context for a completion, given the text in the editor.
//!
//! ```text
//! {"textDocument":{"uri":..}, "position":{..}, "fragments"?:n, "budget"?:n, "draft"?:".."}
//!   -> {"fragments":[{"uri":.., "path":.., "range":{..}, "score":f, "text":".."}], "prompt":".."}
//! ```

use super::outbox::Answered;
use super::position::{byte, lines, uri};
use super::session::{DocumentName, Session, Utf16Position};
use crate::host::Repository;
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_read::context::{ContextFragment, ContextQuery};

pub(super) const METHOD: &str = "whichfn/context";

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextParams {
    text_document: DocumentName,
    position: Utf16Position,
    /// Maximum number of fragments, ten by default.
    fragments: Option<usize>,
    /// Approximate maximum number of tokens in all fragments.
    budget: Option<usize>,
    /// First guess at the completion.
    draft: Option<String>,
}

pub(super) fn answer(session: &Session, params: ContextParams) -> Answered {
    let (one, path) = session.place(&params.text_document.uri)?;
    session.ask(one, |engine| {
        let text = session.text(&params.text_document.uri, engine, &path);
        let shown =
            text.as_deref().and_then(|text| text.lines().nth(params.position.line as usize)).unwrap_or_default();
        let before = shown[..byte(shown, params.position.character)].chars().count();
        let usual = ContextQuery::new(&path, params.position.line.saturating_add(1));
        let query = ContextQuery {
            column: Some(before as u32 + 1),
            k: params.fragments.unwrap_or(usual.k).max(1),
            budget: params.budget,
            draft: params.draft.clone(),
            text,
            ..usual
        };
        let context = engine.context(&query)?;
        let prompt = context.commented(engine.line_comment(&path));
        let fragments: Vec<Value> = context.fragments.iter().map(|fragment| listed(one, fragment)).collect();
        Ok(json!({"fragments": fragments, "prompt": prompt}))
    })
}

/// Returns a fragment as JSON.
fn listed(one: &Repository, fragment: &ContextFragment) -> Value {
    json!({
        "uri": uri(&one.root, &fragment.path),
        "path": fragment.path,
        "range": lines(fragment.start_line, fragment.end_line),
        "score": fragment.score,
        "text": fragment.text,
    })
}
