//! Generates a schema for a question with a language model.
//!
//! **Implements:** PRISM, appendix C: examples of a domain, a query and a schema as Python
//! dataclasses, then the new domain and query.
//!
//! **Differs from the paper:** the reply is parsed and checked before it is used; a model that
//! wrote no schema receives the reason and one more call.
//!
//! **Cost:** one call, or two.

use serde_json::json;
use whichfn_llm::{Model, Request, Templates};
use whichfn_memory::{Schema, Type};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// File name of the prompt in `crates/llm/src/prompts/`.
const TEMPLATE: &str = "schema.md";
/// Maximum number of tokens in a reply: a schema has a few dozen lines, and some models explain it.
const REPLY_TOKENS: u32 = 4_096;
/// Maximum number of calls; a model that failed gets one more.
const TRIES: usize = 2;
/// Possible starts of a line of dataclasses.
const STARTS: &[&str] = &["@", "class ", "from ", "import ", "#", "\"\"\"", "'''"];

/// Generates a schema for questions like `query` about texts of a `domain`.
///
/// # Errors
/// Returns an error if the model fails, or twice writes text that is not a usable schema.
pub fn generate(model: &dyn Model, templates: &Templates, domain: &str, query: &str) -> Result<Schema> {
    let (mut former, mut why) = (String::new(), String::new());
    for _ in 0..TRIES {
        let values = json!({"domain": domain.trim(), "query": query.trim(), "former": former, "why": why});
        let reply = model.complete(&Request::limited(&templates.render(TEMPLATE, values)?, REPLY_TOKENS))?.text;
        match read(&reply) {
            Ok(schema) => return Ok(schema),
            Err(error) => why = error.what().to_owned(),
        }
        former = reply.trim().to_owned();
    }
    let what = format!("{} wrote no usable schema in {TRIES} attempts: {why}", model.name());
    Err(Error::new(Kind::Model, what, Remedy::WriteSchema))
}

/// Returns the schema in a reply, if a memory can use it.
fn read(reply: &str) -> Result<Schema> {
    let schema = Schema::read(code(reply))?;
    let holds = |of: &Type| matches!(of, Type::Map(_) | Type::List(_) | Type::Str);
    if schema.root().fields.values().any(|field| holds(&field.of)) {
        return Ok(schema);
    }
    let what = "the schema has no attribute that is a map, a list or a text, so it can hold nothing that is read";
    Err(Error::new(Kind::Model, what, "give the last class such an attribute"))
}

/// Returns the code of a reply, without the model's reasoning before it: the content of its first
/// fence, or else the lines from the first to the last one that looks like code.
fn code(reply: &str) -> &str {
    let said = reply.rsplit_once("</think>").map_or(reply, |(_, said)| said);
    if let Some((_, inside)) = said.split_once("```") {
        let inside = inside.split_once('\n').map_or("", |(_, code)| code);
        return inside.split_once("```").map_or(inside, |(code, _)| code);
    }
    if let (Some(start), Some(end)) = (said.find('{'), said.rfind('}'))
        && start < end
        && !said.contains("class ")
    {
        return &said[start..=end];
    }
    let (mut start, mut end, mut at) = (None, 0, 0);
    for line in said.split_inclusive('\n') {
        let is_start = STARTS.iter().any(|known| line.starts_with(known)) && !line.starts_with("from the ");
        let is_inside = line.starts_with([' ', '\t']) && !line.trim().is_empty();
        if is_start || (is_inside && start.is_some()) {
            start = start.or(Some(at));
            end = at + line.len();
        }
        at += line.len();
    }
    start.map_or(said, |start| &said[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use whichfn_llm::Reply;

    const SCHEMA: &str = "@dataclass\nclass Memory:\n    attributes: Dict[str, str]  # What matters.\n";

    /// Returns one reply after another.
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

    fn asked(replies: &[&'static str]) -> (Result<Schema>, Vec<String>) {
        let model = Scripted(Mutex::new((replies.to_vec(), Vec::new())));
        let schema = generate(&model, &Templates::builtin().expect("prompts"), "novels", "Who is the captain?");
        let prompts = model.0.lock().expect("script").1.clone();
        (schema, prompts)
    }

    #[test]
    fn a_schema_is_found_in_what_stands_around_it() {
        let expected = Schema::read(SCHEMA).expect("schema");
        for reply in [
            SCHEMA.to_owned(),
            format!("Here it is:\n\n```python\n{SCHEMA}```\nIt has one attribute."),
            format!(
                "<think>class A: a map?</think>\nSure.\nfrom dataclasses import dataclass\n\n{SCHEMA}\nThat is all."
            ),
            format!("```\n{SCHEMA}"),
        ] {
            assert_eq!(read(&reply).expect("schema"), expected, "{reply}");
        }
        assert!(read("I propose {\"notes\": \"list<str>\"} for it.").is_ok());
    }

    #[test]
    fn a_model_that_wrote_none_is_told_why_and_asked_once_more() {
        let (schema, prompts) = asked(&["class Memory:\n    done: bool\n", SCHEMA]);
        assert_eq!(schema.expect("schema").dataclass(), SCHEMA);
        assert!(prompts[0].contains("novels") && prompts[0].contains("Who is the captain?"));
        assert!(!prompts[0].contains("done: bool") && prompts[1].contains("done: bool"));
        assert!(prompts[1].contains("no attribute that is a map"), "{}", prompts[1]);
        assert!(
            prompts[1].starts_with(prompts[0].trim_end_matches("# Schema\n").trim_end()),
            "the prompts share a prefix"
        );
    }

    #[test]
    fn a_second_failure_is_an_error() {
        for reply in ["I cannot.", "", "class Memory:\n    x: Unknown\n", "{}"] {
            let error = asked(&[reply, reply]).0.expect_err("no schema");
            assert!(error.what().contains("small wrote no usable schema"), "{error}");
        }
    }
}
