//! Learns what a server reports about itself: its models, and the size of the model's context
//! window.
//!
//! OpenAI's protocol has no request for the context window, so each server reports it elsewhere:
//!
//! | Server | Address | Field |
//! |---|---|---|
//! | llama.cpp | `/props` | `default_generation_settings.n_ctx` |
//! | vLLM | `/v1/models` | `data[].max_model_len` |
//! | Ollama | `/api/ps` | `models[].context_length`, once the model is loaded |
//! | LM Studio | `/api/v0/models` | `data[].loaded_context_length` |
//!
//! **Cost:** one to four requests without content, before the first prompt of a run.
//!
//! **Never:** sends a prompt. Servers on the internet (https) get only the request for their
//! models.

use super::Address;
use serde_json::Value;

/// What a server reports about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// Names of the models that the server lists; empty if it lists none.
    pub models: Vec<String>,
    /// Number of tokens in the context window of the model; `None` if the server does not report
    /// it.
    pub context: Option<u32>,
    /// True for llama.cpp's server, which also reports its progress.
    pub is_llama_cpp: bool,
}

impl ServerFacts {
    /// Collects the facts about a model. `get` returns the JSON at an address, `Ok(None)` if the
    /// server has none, or an error if the server does not answer, after which it gets no further
    /// request.
    pub(super) fn collect<E>(
        address: &Address,
        model: &str,
        get: impl Fn(&str) -> Result<Option<Value>, E>,
    ) -> Result<Self, E> {
        let mut facts = Self::default();
        if let Some(list) = get(&address.models())? {
            let models = || list["data"].as_array().into_iter().flatten();
            facts.models = models().filter_map(|one| one["id"].as_str()).map(super::message::one_line).collect();
            let own =
                models().find(|one| one["id"] == model).or_else(|| models().next().filter(|_| models().count() == 1));
            facts.context = own.and_then(|one| {
                let fields = [&one["max_model_len"], &one["meta"]["n_ctx"], &one["context_length"]];
                fields.into_iter().find_map(tokens)
            });
        }
        if !address.is_on_private_network() {
            return Ok(facts);
        }
        if let Some(props) = get(&address.beside("/props"))?
            && let Some(context) = tokens(&props["default_generation_settings"]["n_ctx"])
        {
            // The context is divided among concurrent requests; this is the share of one request.
            return Ok(Self { context: Some(context), is_llama_cpp: true, ..facts });
        }
        for (path, list, name, field) in
            [("/api/ps", "models", "name", "context_length"), ("/api/v0/models", "data", "id", "loaded_context_length")]
        {
            if facts.context.is_none()
                && let Some(found) = get(&address.beside(path))?
            {
                let mut models = found[list].as_array().into_iter().flatten();
                let is_own = |one: &&Value| {
                    one[name]
                        .as_str()
                        .is_some_and(|known| known == model || known.strip_suffix(":latest") == Some(model))
                };
                facts.context = models.find(is_own).and_then(|one| tokens(&one[field]));
            }
        }
        Ok(facts)
    }
}

/// Returns a number of tokens, which is positive.
fn tokens(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|&tokens| tokens > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::cell::RefCell;

    /// Returns the facts from a server with these addresses, and the paths that were requested.
    fn facts(url: &str, pages: &[(&str, Value)]) -> (ServerFacts, Vec<String>) {
        let asked = RefCell::new(Vec::new());
        let get = |url: &str| -> Result<Option<Value>, ()> {
            let path = url.splitn(4, '/').nth(3).unwrap_or_default();
            asked.borrow_mut().push(format!("/{path}"));
            Ok(pages.iter().find(|(known, _)| known[1..] == *path).map(|(_, page)| page.clone()))
        };
        let facts = ServerFacts::collect(&Address::parse(url).expect("address"), "small", get).expect("facts");
        (facts, asked.into_inner())
    }

    const LOCAL: &str = "http://localhost:8080/v1";

    #[test]
    fn finds_the_context_window_where_each_server_reports_it() {
        let other = json!({"id": "other", "max_model_len": 1, "loaded_context_length": 1, "name": "other"});
        for (path, page) in [
            ("/props", json!({"default_generation_settings": {"n_ctx": 4096}})),
            ("/v1/models", json!({"data": [other, {"id": "small", "max_model_len": 4096}]})),
            ("/v1/models", json!({"data": [{"id": "a file.gguf", "meta": {"n_ctx": 4096}}]})),
            ("/api/ps", json!({"models": [other, {"name": "small:latest", "context_length": 4096}]})),
            ("/api/v0/models", json!({"data": [other, {"id": "small", "loaded_context_length": 4096}]})),
        ] {
            assert_eq!(facts(LOCAL, &[(path, page)]).0.context, Some(4096), "{path}");
        }
        assert_eq!(facts(LOCAL, &[]).0, ServerFacts::default());
    }

    #[test]
    fn the_share_of_one_request_counts() {
        let models = json!({"data": [{"id": "small", "meta": {"n_ctx": 8192}}]});
        let props = json!({"default_generation_settings": {"n_ctx": 2048}});
        let (facts, _) = facts(LOCAL, &[("/v1/models", models), ("/props", props)]);
        assert_eq!((facts.context, facts.is_llama_cpp, facts.models), (Some(2048), true, vec!["small".to_owned()]));
    }

    #[test]
    fn a_server_on_the_internet_gets_only_the_request_for_its_models() {
        assert_eq!(facts("https://api.example.com/v1", &[]).1, ["/v1/models"]);
        assert_eq!(facts(LOCAL, &[]).1, ["/v1/models", "/props", "/api/ps", "/api/v0/models"]);
    }

    #[test]
    fn a_server_that_does_not_answer_gets_no_further_request() {
        let asked = RefCell::new(0);
        let get = |_: &str| {
            *asked.borrow_mut() += 1;
            Err(())
        };
        assert_eq!(ServerFacts::collect(&Address::parse(LOCAL).expect("address"), "small", get), Err(()));
        assert_eq!(asked.into_inner(), 1);
    }
}
