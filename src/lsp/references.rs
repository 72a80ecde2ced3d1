//! `textDocument/references`: every use of the definition or value at a position.

use super::outbox::Answered;
use super::position::{byte, in_line, range, uri, word_at};
use super::session::{DocumentPosition, Session};
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_search::answer::{Certainty, Use};

pub(super) const METHOD: &str = "textDocument/references";

/// Maximum number of uses.
const USES: usize = 2000;

#[derive(Debug, Deserialize)]
pub(super) struct ReferenceParams {
    #[serde(flatten)]
    at: DocumentPosition,
    #[serde(default)]
    context: ReferenceContext,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReferenceContext {
    include_declaration: bool,
}

/// Returns the locations of all uses. Uses by name only are not included, because editors cannot
/// mark them.
pub(super) fn answer(session: &Session, params: &ReferenceParams) -> Answered {
    let at = &params.at;
    let (one, path) = session.place(&at.text_document.uri)?;
    let locations = session.ask(one, |engine| {
        let text = session.text(&at.text_document.uri, engine, &path).unwrap_or_default();
        let shown = text.lines().nth(at.position.line as usize).unwrap_or_default();
        let word = word_at(shown, byte(shown, at.position.character));
        let Some(named) = engine.named_at(&path, at.position.line.saturating_add(1), word) else {
            return Ok(Vec::new());
        };
        let found = engine.references(named, USES)?;
        session.show_once(&found.notices);
        let certain = found.certain + found.possible;
        if USES < certain {
            session.show_once(&[format!("showing {USES} of {certain} uses of {}", found.of.name)]);
        }
        let located =
            |one_use: &Use| json!({"uri": uri(&one.root, &one_use.place.path), "range": range(&one_use.place)});
        let is_shown = |one_use: &&Use| one_use.certainty != Certainty::ByName;
        let mut all: Vec<Value> = found.uses.iter().filter(is_shown).map(located).collect();
        if params.context.include_declaration {
            let head = engine.named_head_line(named);
            let range = in_line(found.of.line, &head.text, &head.name);
            all.push(json!({"uri": uri(&one.root, &found.of.path), "range": range}));
        }
        Ok(all)
    })?;
    Ok(locations.into())
}
