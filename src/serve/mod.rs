//! Answers over HTTP on this machine: for editors, completion plugins, scripts, and a page in the browser.
//!
//! ```text
//! a connection ──> server: limits, time-outs ──> guard: who asks? ──> routes ──> input ──> host ──> engine ──> render
//! ```
//!
//! Whoever may connect may read the repository, so: loopback only, unless a token is asked for; a page of another site may
//! not ask, whether by its Origin or by a name that was made to lead here (DNS rebinding); and nothing can be written.
//!
//! **Never:** opens a connection itself; shows text that no scan of the repository would come to.

mod app;
mod endpoints;
mod guard;
mod input;
mod page;
mod reply;
mod routes;
mod server;

pub use server::{ServeOptions, serve};
