//! The page in the browser, and the description of all addresses: files embedded in the program,
//! the same for all clients.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// Prefix of the page's address for a definition, followed by its place.
pub(super) const AT: &str = "/#at=";
/// Media type of a page.
pub(super) const HTML: &str = "text/html; charset=utf-8";
/// Policy of the page: only its own script and style, and requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
/// Policy of the picture of the graph: its script and style are inline, so access to everything
/// else is blocked.
pub(super) const GRAPH_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox";

/// Checks whether an address is a part of the page, which contains nothing from any repository.
pub(super) fn is_part(path: &str) -> bool {
    ["/", "/page.css", "/page.js", "/favicon.svg"].contains(&path)
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)], text).into_response()
}

/// Handles `/`.
pub(super) async fn index() -> Response {
    file(HTML, include_str!("page/index.html"))
}

/// Handles `/page.css`.
pub(super) async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("page/page.css"))
}

/// Handles `/page.js`.
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("page/page.js"))
}

/// Handles `/favicon.svg`.
pub(super) async fn icon() -> Response {
    file("image/svg+xml", include_str!("page/favicon.svg"))
}

/// Handles `/openapi.json`.
pub(super) async fn description() -> Response {
    file("application/json", include_str!("openapi.json"))
}
