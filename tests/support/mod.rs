//! What several tests share: the fixture reader, a home of their own for end-to-end runs, random small repositories with
//! a slow, plain computation of what is related in them, a scripted server of a language model, and the rooms of `src/`.

use proptest::prelude::ProptestConfig;

pub mod browser;
pub mod case;
pub mod env;
#[cfg(feature = "serve")]
pub mod http;
#[cfg(feature = "llm")]
pub mod server;
pub mod session;
pub mod slow;
pub mod small;

/// A property is tried on so many random inputs. A failing one is shrunk in at most 200 steps and printed, not saved.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() }
}
