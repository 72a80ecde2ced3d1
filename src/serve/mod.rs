//! Answers over HTTP on this machine: for editors, completion plugins, scripts, and a page in the
//! browser.
//!
//! ```text
//! a connection ──> server: limits, time-outs ──> guard: access ──> routes
//!              ──> input ──> host ──> engine ──> render
//! ```
//!
//! Any client that can connect can read the repository. For this reason, the server listens only on
//! loopback unless a token is required. A page from another site is refused, by its Origin or by a
//! host name that was made to resolve to this machine (DNS rebinding). No request can write
//! anything.
//!
//! Access rules are in `guard.rs`, addresses, ports and limits in `server.rs`, parameters in
//! `input.rs` and `endpoints.rs`. An endpoint for a list follows from `src/verbs/`; any other one
//! needs `routes.rs`, `endpoints.rs` and `openapi.json`. The page for browsers is in `page/`.
//!
//! **Never:** opens a connection itself; shows text that a scan of the repository would not find.

mod app;
mod description;
mod endpoints;
mod guard;
mod input;
mod page;
mod reply;
mod routes;
mod server;

pub use server::{ServeOptions, serve};
