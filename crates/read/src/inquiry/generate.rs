//! Generates a schema for a question with a language model.
//!
//! **Implements:** PRISM, appendix C: examples with a domain, a query and a schema, followed by the
//! new domain and query.
//!
//! **Differs from the paper:** the model writes a bounded list of fields (`field_list`) instead of
//! Python dataclasses; a reply in JSON Schema is accepted, too. The reply is parsed and checked
//! before it is used. A model that did not write a schema is called once more, with the reason.
//!
//! **Cost:** one or two calls.

use super::field_list::{json_schema, reply_schema};
use crate::reading::{PromptBudget, head};
use serde_json::json;
use whichfn_llm::{Model, Request, Templates};
use whichfn_memory::{Schema, Type};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// File name of the prompt template in `crates/llm/src/prompts/`.
const TEMPLATE: &str = "schema.md";
/// Maximum number of tokens in a reply. A list of fields has a few hundred, and some models explain
/// it.
const REPLY_TOKENS: u32 = 2_048;
/// Maximum number of calls: a model that failed gets one more.
const TRIES: usize = 2;

/// Generates a schema for questions like `query` about text from a `domain`.
///
/// # Errors
/// Returns an error if the model fails, or writes text without a usable schema twice.
pub fn generate(model: &dyn Model, templates: &Templates, domain: &str, query: &str) -> Result<Schema> {
    let (mut former, mut problem) = (String::new(), String::new());
    let list_of_fields = reply_schema();
    for _ in 0..TRIES {
        let budget = PromptBudget::new(model.context(), REPLY_TOKENS);
        let prompt = budget.fit(|bytes| {
            let former = head(&former, bytes);
            let values = json!({"domain": domain.trim(), "query": query.trim(), "former": former, "why": problem});
            templates.render(TEMPLATE, values)
        })?;
        let request = Request { schema: Some(&list_of_fields), ..Request::limited(&prompt, budget.reply) };
        let reply = model.complete(&request)?.text;
        match read(&reply) {
            Ok(schema) => return Ok(schema),
            Err(error) => problem = error.what().to_owned(),
        }
        former = reply.trim().to_owned();
    }
    let what = format!("{} wrote no usable schema in {TRIES} attempts: {problem}", model.name());
    Err(Error::new(Kind::Model, what, Remedy::WriteSchema))
}

/// Parses the schema in a reply, and checks whether a memory can use it.
fn read(reply: &str) -> Result<Schema> {
    let text = schema_text(reply);
    let schema = match json_schema(text) {
        Some(schema) => Schema::read(&schema.to_string())?,
        None => Schema::read(text)?,
    };
    let can_grow = |ty: &Type| matches!(ty, Type::Map(_) | Type::List(_) | Type::Str);
    if schema.root().fields.values().any(|field| can_grow(&field.ty)) {
        return Ok(schema);
    }
    let what = "the schema has no field that is a map, a list or a string, so it cannot store what is read";
    Err(Error::new(Kind::Model, what, "add such a field to the root object"))
}

/// Returns the schema text in a reply: the content of the first fenced block, or else everything
/// from the first to the last brace. The model's reasoning before the answer is left out.
fn schema_text(reply: &str) -> &str {
    let text = reply.rsplit_once("</think>").map_or(reply, |(_, text)| text);
    if let Some((_, inside)) = text.split_once("```") {
        let inside = inside.split_once('\n').map_or("", |(_, lines)| lines);
        return inside.split_once("```").map_or(inside, |(lines, _)| lines);
    }
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if start < end => &text[start..=end],
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use whichfn_llm::Reply;

    const SCHEMA: &str = r#"{"type": "object", "properties": {"attributes": {"type": "object",
        "description": "What matters.", "additionalProperties": {"type": "string"}}}}"#;
    /// A schema without a field that can grow.
    const FLAG: &str = r#"{"properties": {"done": {"type": "boolean"}}}"#;

    /// A model that returns the given replies one after another.
    struct Scripted(Mutex<(Vec<&'static str>, Vec<String>)>);

    impl Model for Scripted {
        fn name(&self) -> &str {
            "small"
        }

        fn complete(&self, request: &Request<'_>) -> Result<Reply> {
            let mut script = self.0.lock().expect("script");
            script.1.push(request.prompt.to_owned());
            Ok(Reply { text: script.0.remove(0).to_owned(), ..Reply::default() })
        }
    }

    /// Returns the result for a model with the given replies, and the prompts that it received.
    fn generated(replies: &[&'static str]) -> (Result<Schema>, Vec<String>) {
        let model = Scripted(Mutex::new((replies.to_vec(), Vec::new())));
        let schema = generate(&model, &Templates::builtin().expect("prompts"), "novels", "Who is the captain?");
        let prompts = model.0.lock().expect("script").1.clone();
        (schema, prompts)
    }

    #[test]
    fn finds_the_schema_in_a_reply() {
        let expected = Schema::read(SCHEMA).expect("schema");
        for reply in [
            SCHEMA.to_owned(),
            format!("Here it is:\n\n```json\n{SCHEMA}\n```\nIt has one attribute."),
            format!("<think>{{a map?}}</think>\nSure.\n\n{SCHEMA}\nThat is all."),
            format!("```\n{SCHEMA}"),
        ] {
            assert_eq!(read(&reply).expect("schema"), expected, "{reply}");
        }
    }

    #[test]
    fn a_list_of_fields_is_a_schema() {
        let reply =
            r#"{"fields": [{"name": "attributes", "kind": "map", "description": "What matters.", "parts": []}]}"#;
        assert_eq!(generated(&[reply]).0.expect("schema"), Schema::read(SCHEMA).expect("schema"));
        let problem = r#"{"fields": [{"name": "done", "kind": "boolean", "description": "Whether it is done."}]}"#;
        let (schema, prompts) = generated(&[problem, reply]);
        assert!(schema.is_ok() && prompts[1].contains("no field that is a map"), "{schema:?}");
    }

    #[test]
    fn sends_the_problem_with_one_more_call() {
        let (schema, prompts) = generated(&[FLAG, SCHEMA]);
        assert_eq!(schema.expect("schema"), Schema::read(SCHEMA).expect("schema"));
        assert!(prompts[0].contains("novels") && prompts[0].contains("Who is the captain?"));
        assert!(!prompts[0].contains("done") && prompts[1].contains("done"));
        assert!(prompts[1].contains("no field that is a map"), "{}", prompts[1]);
        assert!(
            prompts[1].starts_with(prompts[0].trim_end_matches("# Schema\n").trim_end()),
            "the prompts share a prefix"
        );
    }

    #[test]
    fn a_second_failure_is_an_error() {
        for reply in ["I cannot.", "", "class Memory:\n    x: str\n", "{}", FLAG] {
            let error = generated(&[reply, reply]).0.expect_err("no schema");
            assert!(error.what().contains("small wrote no usable schema"), "{error}");
        }
    }
}
