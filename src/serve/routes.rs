//! Maps addresses to handlers.

use super::app::App;
use super::guard::guarded;
use super::reply::Refusal;
use super::{endpoints, page};
use crate::verbs::VERBS;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, Uri};
use axum::routing::{get, post};
use std::sync::Arc;

/// Returns the router for all addresses.
pub(super) fn router(app: Arc<App>) -> Router {
    let guard = app.guard.clone();
    VERBS
        .iter()
        .fold(page::with_files(Router::new()), |router, verb| {
            let handler = move |State(app): State<Arc<App>>, request: Request| endpoints::verb(verb, app, request);
            router.route(&format!("/{}", verb.about.name), get(handler).post(handler))
        })
        .route("/ask", get(endpoints::ask).post(endpoints::ask))
        .route("/function", get(endpoints::function).post(endpoints::function))
        .route("/context", get(endpoints::context).post(endpoints::context))
        .route("/continue", post(endpoints::for_continue))
        .route("/graph", get(endpoints::graph))
        .route("/health", get(endpoints::health))
        .fallback(unknown)
        .method_not_allowed_fallback(not_so)
        // The size of the body is limited where it is read, with an error that reports the limit.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(guard, guarded))
        .with_state(app)
}

async fn unknown(uri: Uri) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        format!("no endpoint at `{}`", uri.path()),
        "see /openapi.json for the endpoints",
    )
}

async fn not_so(uri: Uri) -> Refusal {
    let what = format!("`{}` does not support this method", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, what, "see /openapi.json for the methods of each endpoint")
}
