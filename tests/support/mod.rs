//! Helpers for end-to-end tests: a home directory for each run of the program, a client of `whichfn
//! serve`, a browser.

pub mod browser;
pub mod env;
#[cfg(feature = "serve")]
pub mod http;
pub mod session;
#[cfg(unix)]
pub mod terminal;
pub mod unlinked;
