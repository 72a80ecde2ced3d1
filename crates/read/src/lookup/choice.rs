//! Asks a language model which of a few functions answer a question best: one prompt, and a reply of a few
//! tokens.
//!
//! **Invariant:** the model can name only functions that it was shown.

use super::model_chunks::ModelChunks;
use super::reading_order::ReadingOrder;
use super::reply::named;
use crate::reading::{WindowShares, list_schema};
use serde_json::json;
use whichfn_index::source::Sources;
use whichfn_llm::{Model, Request, Templates};
use whichfn_memory::count_tokens;
use whichfn_search::search::Question;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Maximum number of tokens in the code of all functions together.
const CODE_TOKENS: usize = 2_000;
/// Maximum number of tokens in the reply: a list of ten keys has 40.
const REPLY_TOKENS: u32 = 64;

/// Returns the functions that a model chooses among `ids`, best first; none if its reply names none of them.
///
/// # Errors
/// Returns an error if the model fails, or the prompt cannot be filled in or exceeds the context window.
pub fn choice_of_model(
    sources: &Sources<'_>,
    question: &Question,
    ids: &[DefinitionId],
    model: &dyn Model,
    templates: &Templates,
) -> Result<Vec<DefinitionId>> {
    let prompt = |chunk: &str| templates.render("choose.md", json!({"question": question.text.trim(), "chunk": chunk}));
    let wanted = WindowShares { reply: REPLY_TOKENS as usize, ..WindowShares::wanted(CODE_TOKENS, Some(0)) };
    let shares = WindowShares::fit(model.context(), wanted, count_tokens(&prompt("")?))?;
    let code = ModelChunks::new(sources, question, ReadingOrder::default(), shares.chunk, false).code(ids);
    let keys: Vec<String> = code.pieces().map(|piece| piece.key.clone()).collect();
    let (prompt, schema) = (prompt(code.text())?, list_schema(&keys));
    let reply = model.complete(&Request { schema: Some(&schema), ..Request::limited(&prompt, REPLY_TOKENS) })?;
    let chosen = named(&reply.text, &keys);
    Ok(chosen.iter().filter_map(|key| code.pieces().find(|piece| piece.key == *key).map(|piece| piece.id)).collect())
}
