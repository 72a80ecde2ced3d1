//! The description of all addresses (OpenAPI 3.1): the addresses of the verbs, made from their arguments,
//! and the others, from a file embedded in the program.

use crate::verbs::{Registered, VERBS};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// Status and reason of each error of a verb; the last two are those of a body.
const ERRORS: [(&str, &str); 8] = [
    ("400", "The request is invalid."),
    ("401", "A token is missing."),
    ("403", "The Host header is not a name of this server, or the request comes from a page on another site."),
    ("404", "Nothing has that name."),
    ("409", "The name matches several definitions."),
    ("503", "Not ready in time: retry later."),
    ("413", "The body is too long."),
    ("415", "The body is not JSON."),
];

static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    let mut all: Value = serde_json::from_str(include_str!("openapi.json")).unwrap_or_default();
    for verb in VERBS {
        all["paths"][format!("/{}", verb.about.name)] = endpoint(verb);
    }
    all
});

/// Returns the description as JSON.
pub(super) fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| DESCRIPTION.to_string());
    &TEXT
}

/// Returns the schema of the fields of an address: `properties` and `required`.
pub(super) fn fields_of(path: &str) -> Value {
    let path = &DESCRIPTION["paths"][path];
    let body = &path["post"]["requestBody"]["content"]["application/json"]["schema"];
    let fields = path["get"]["parameters"].as_array().into_iter().flatten();
    match body.is_null() {
        false => body.clone(),
        true => {
            let name = |field: &Value| field["name"].as_str().unwrap_or_default().to_owned();
            let properties: Map<String, Value> = fields.map(|field| (name(field), field["schema"].clone())).collect();
            json!({"properties": properties})
        }
    }
}

/// Returns the description of a verb's address, which accepts its fields in the query or in the body.
fn endpoint(verb: &Registered) -> Value {
    let schema = verb.schema();
    let required = schema["required"].as_array();
    let parameter = |(name, property): (&String, &Value)| {
        let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
        let mut parameter = json!({"name": name, "in": "query", "required": is_required, "schema": property});
        if property["type"] == "array" {
            parameter["explode"] = true.into();
            parameter["style"] = "form".into();
        }
        parameter
    };
    let parameters: Vec<Value> = schema["properties"].as_object().into_iter().flatten().map(parameter).collect();
    let summary = format!("{}.", verb.about.about);
    let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    json!({
        "get": {"summary": summary, "parameters": parameters, "responses": responses(verb, &ERRORS[..6])},
        "post": {"summary": summary, "requestBody": body, "responses": responses(verb, &ERRORS)},
    })
}

fn responses(verb: &Registered, errors: &[(&str, &str)]) -> Value {
    let response = |about: &str, schema: &str| {
        let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
        json!({"description": about, "content": {"application/json": {"schema": schema}}})
    };
    let mut all = json!({"200": response("The answer.", verb.about.reply)});
    errors.iter().for_each(|(status, reason)| all[*status] = response(reason, "Error"));
    all
}
