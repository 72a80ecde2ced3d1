//! The page in the browser: files embedded in the program, the same for all clients.

use super::description;
use axum::Router;
use axum::http::header;
use axum::routing::get;

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
/// Checks whether an address is part of the page.
pub(super) fn is_part(path: &str) -> bool {
    PAGE.iter().any(|(address, ..)| *address == path)
}

/// Adds the embedded files to a router.
pub(super) fn with_files<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    let description = ("/openapi.json", "application/json", description::text());
    PAGE.into_iter().chain([description]).fold(router, |router, (address, kind, text)| {
        let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
        router.route(address, get((headers, text)))
    })
}
