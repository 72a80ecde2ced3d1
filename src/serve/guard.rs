//! Decides which clients may use the server: programs on this machine, the page of this server, and
//! any client with the token.
//!
//! A browser lets every page send requests to every address, including this one. Such requests
//! differ in headers that a page cannot set: `Host` (a name of the attacker that resolves to this
//! machine is not a name of this server), `Origin` and `Sec-Fetch-Site`. A client that is not a
//! browser sends no `Origin` and passes.

use super::reply::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

/// The requirements for a request.
pub(super) struct Guard {
    /// The host with which the server was started.
    host: String,
    local: SocketAddr,
    token: Option<String>,
}

impl Guard {
    /// Creates the guard of a server that listens at `local`, started as `host`.
    pub fn new(host: String, local: SocketAddr, token: Option<String>) -> Self {
        Self { host: host.trim_matches(['[', ']']).to_ascii_lowercase(), local, token }
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/", self.local)
    }

    /// Checks whether a request may be answered; `is_page` is true if it is for the page itself,
    /// which contains no data from the repository.
    fn check(&self, uri: &Uri, headers: &HeaderMap, is_page: bool) -> Result<(), Refusal> {
        let host = self.host_of(uri, headers)?;
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        // A browser sends only one. A proxy in between may have checked the other of two.
        if headers.get_all(header::ORIGIN).iter().count() > 1 {
            let next = format!("send requests from {}", self.address());
            return Err(Refusal::new(StatusCode::FORBIDDEN, "the request has two Origin headers", next));
        }
        if let Some(origin) = text("origin")
            && !["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme) == Some(host))
        {
            let what = format!("pages from `{origin}` may not send requests to this server");
            return Err(Refusal::new(StatusCode::FORBIDDEN, what, format!("send requests from {}", self.address())));
        }
        let is_foreign = matches!(text("sec-fetch-site"), Some("cross-site" | "same-site"));
        if is_foreign && text("sec-fetch-mode") != Some("navigate") {
            let what = "pages from other sites may not send requests to this server";
            return Err(Refusal::new(StatusCode::FORBIDDEN, what, format!("send requests from {}", self.address())));
        }
        let Some(token) = self.token.as_ref().filter(|_| !is_page) else { return Ok(()) };
        let given = headers.get(header::AUTHORIZATION).map(|value| value.as_bytes());
        let given = given.and_then(|value| value.strip_prefix(b"Bearer "));
        match given.is_some_and(|given| is_same(given, token.as_bytes())) {
            true => Ok(()),
            false => {
                let next =
                    "send the header `Authorization: Bearer TOKEN` with the token that the server was started with";
                Err(Refusal::new(StatusCode::UNAUTHORIZED, "this server requires a token", next))
            }
        }
    }

    /// Returns the host that a request names. On loopback it must be a name of this server. With a
    /// token any name is accepted, because a page with a name that resolves to this machine does
    /// not have the token.
    fn host_of<'r>(&self, uri: &'r Uri, headers: &'r HeaderMap) -> Result<&'r str, Refusal> {
        let mut named = headers.get_all(header::HOST).iter();
        let (first, second) = (named.next().and_then(|value| value.to_str().ok()), named.next());
        let next = || format!("use {}", self.address());
        let Some(host) = first.filter(|_| second.is_none()) else {
            return Err(Refusal::new(StatusCode::BAD_REQUEST, "the request must have exactly one Host header", next()));
        };
        let has_other_authority = uri.authority().is_some_and(|authority| authority.as_str() != host);
        let is_known = self.token.is_some() || self.is_own(host);
        match is_known && !has_other_authority {
            true => Ok(host),
            false => {
                let what = format!("`{host}` is not a name of this server");
                Err(Refusal::new(StatusCode::FORBIDDEN, what, next()))
            }
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let port = self.local.port();
        let name = match host.rsplit_once(':') {
            Some((name, digits)) if digits.parse() == Ok(port) => name,
            _ if port == 80 => host,
            _ => return false,
        };
        let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        loopback || name == "localhost" || name == self.host
    }
}

/// Compares in constant time, so that the time does not reveal how many characters matched.
fn is_same(given: &[u8], token: &[u8]) -> bool {
    let differing = given.iter().zip(token).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == token.len() && std::hint::black_box(differing) == 0
}

/// Passes on or rejects a request, and adds headers that restrict what browsers may do with the
/// answer.
pub(super) async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let is_page = super::page::is_part(request.uri().path());
    let mut response = match guard.check(request.uri(), request.headers(), is_page) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, header::HeaderValue::from_static(value));
    }
    let strictest = header::HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(strictest);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(guard: &Guard, headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        headers.iter().for_each(|(name, value)| {
            map.append(*name, value.parse().expect("a header"));
        });
        guard.check(&Uri::from_static("/ask"), &map, false).map_or_else(|refusal| refusal.status().as_u16(), |()| 200)
    }

    #[test]
    fn rejects_foreign_host_names() {
        let local = |token: Option<&str>| {
            Guard::new("127.0.0.1".into(), "127.0.0.1:7373".parse().expect("address"), token.map(str::to_owned))
        };
        let open = local(None);
        for own in ["127.0.0.1:7373", "localhost:7373", "LOCALHOST:7373", "[::1]:7373", "127.0.0.2:7373"] {
            assert_eq!(status(&open, &[("host", own)]), 200, "{own}");
        }
        for other in
            ["evil.example:7373", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:7373", "", "10.0.0.1:7373"]
        {
            assert_eq!(status(&open, &[("host", other)]), 403, "{other}");
        }
        assert_eq!(status(&open, &[]), 400);
        assert_eq!(status(&open, &[("host", "localhost:7373"), ("host", "evil.example")]), 400);
        let own = ("host", "localhost:7373");
        assert_eq!(status(&open, &[own, ("origin", "http://localhost:7373")]), 200);
        for origin in ["http://evil.example", "null", "http://localhost:7374", "http://127.0.0.1:7373", "file://"] {
            assert_eq!(status(&open, &[own, ("origin", origin)]), 403, "{origin}");
        }
        let two = [own, ("origin", "http://localhost:7373"), ("origin", "http://evil.example")];
        assert_eq!(status(&open, &two), 403);
        assert_eq!(status(&open, &[own, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]), 403);
        assert_eq!(status(&open, &[own, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]), 200);
        let closed = local(Some("0123456789abcdef"));
        assert_eq!(status(&closed, &[own]), 401);
        assert_eq!(status(&closed, &[own, ("authorization", "Bearer 0123456789abcdeF")]), 401);
        assert_eq!(status(&closed, &[("host", "any.example"), ("authorization", "Bearer 0123456789abcdef")]), 200);
    }
}
