//! The page in the browser, and the description of all addresses: files embedded in the program,
//! the same for all clients.

use axum::Router;
use axum::http::header;
use axum::routing::get;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// Prefix of the page's address for a definition, followed by the definition's location.
pub(super) const AT: &str = "/#at=";
/// Media type of a page.
pub(super) const HTML: &str = "text/html; charset=utf-8";
/// Policy of the page: only its own script and style, and requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
/// Policy of the graph page: its script and style are inline, so access to everything else is
/// blocked.
pub(super) const GRAPH_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox";

/// The files of the page: address, media type and contents. No file contains data from a
/// repository.
const PAGE: [(&str, &str, &str); 4] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/page.css", "text/css; charset=utf-8", include_str!("page/page.css")),
    ("/page.js", "text/javascript; charset=utf-8", include_str!("page/page.js")),
    ("/favicon.svg", "image/svg+xml", include_str!("page/favicon.svg")),
];
/// The description of all addresses, in the same form.
const DESCRIPTION: (&str, &str, &str) = ("/openapi.json", "application/json", include_str!("openapi.json"));

/// Returns the schema of the fields of an address: `properties` and `required`.
pub(super) fn fields_of(path: &str) -> Value {
    static PATHS: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str::<Value>(DESCRIPTION.2).map(|mut all| all["paths"].take()).unwrap_or_default()
    });
    let body = &PATHS[path]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let fields = PATHS[path]["get"]["parameters"].as_array().into_iter().flatten();
    match body.is_null() {
        false => body.clone(),
        true => {
            let name = |field: &Value| field["name"].as_str().unwrap_or_default().to_owned();
            let properties: Map<String, Value> = fields.map(|field| (name(field), field["schema"].clone())).collect();
            json!({"properties": properties})
        }
    }
}

/// Checks whether an address is part of the page.
pub(super) fn is_part(path: &str) -> bool {
    PAGE.iter().any(|(address, ..)| *address == path)
}

/// Adds the embedded files to a router.
pub(super) fn with_files<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    PAGE.into_iter().chain([DESCRIPTION]).fold(router, |router, (address, kind, text)| {
        let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
        router.route(address, get((headers, text)))
    })
}
