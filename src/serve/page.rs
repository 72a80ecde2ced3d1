//! The page in the browser, and the description of all addresses: files of the program, the same for everybody.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// Where the page shows a definition, with its place behind it.
pub(super) const AT: &str = "/#at=";
/// The type of a page.
pub(super) const HTML: &str = "text/html; charset=utf-8";
/// What the page may do: its own script and style, and questions to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
/// What the picture of the graph may do: its script and style are in it, so it is shut off from everything else.
pub(super) const GRAPH_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox";

/// Whether an address is a part of the page, which holds nothing of any repository.
pub(super) fn is_part(path: &str) -> bool {
    ["/", "/page.css", "/page.js", "/favicon.svg"].contains(&path)
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)], text).into_response()
}

/// `/`.
pub(super) async fn index() -> Response {
    file(HTML, include_str!("page/index.html"))
}

/// `/page.css`.
pub(super) async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("page/page.css"))
}

/// `/page.js`.
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("page/page.js"))
}

/// `/favicon.svg`.
pub(super) async fn icon() -> Response {
    file("image/svg+xml", include_str!("page/favicon.svg"))
}

/// `/openapi.json`.
pub(super) async fn description() -> Response {
    file("application/json", include_str!("openapi.json"))
}
