//! Tests the errors of a build without a cargo feature when that feature is requested. Run it with
//! `cargo test --no-default-features --test tests -- features::`. Such a build omits the tests of
//! the feature itself.

#[cfg(not(all(feature = "llm", feature = "serve")))]
use crate::support::env::Env;

#[cfg(not(feature = "serve"))]
#[test]
fn a_build_without_serve_names_the_feature() {
    Env::new().run(&["serve"]).failed(&["this build of whichfn has no HTTP server", "--features serve"]);
}

#[cfg(not(feature = "llm"))]
#[test]
fn a_build_without_llm_names_the_feature() {
    let env = Env::with(&[("src/lib.rs", "fn renew() {}\n")]);
    let named = ["renew", "--llm-url", "http://localhost:1/v1", "--llm-model", "small"];
    env.run(&named).failed(&["cannot call language models on servers", "--features llm", "--llm-cmd"]);
    env.run(&["renew", "--llm-cmd", "cat"]).found();
}
