//! Prints the repository context that a completion model should see:
//!
//! `cargo run --example completion -- src/session.py 42 [DIRECTORY]`
#![allow(clippy::print_stdout)]

use whichfn::{ContextQuery, Engine, Result};

/// Returns code from other parts of the repository that helps to complete the code at the start of
/// a line. The fragments have at most 1,000 tokens together, and the best fragment is first.
pub fn context(engine: &Engine, file: &str, line: u32) -> Result<Vec<String>> {
    let query = ContextQuery { budget: Some(1_000), ..ContextQuery::new(file, line) };
    let fragments = engine.context(&query)?.fragments;
    Ok(fragments.into_iter().map(|one| format!("# {}:{}\n{}", one.path, one.start_line, one.text)).collect())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or("src/main.rs".to_owned());
    let line = arguments.next().and_then(|line| line.parse().ok()).unwrap_or(1);
    let directory = arguments.next().unwrap_or(".".to_owned());
    println!("{}", context(&Engine::open_default(directory.as_ref())?, &file, line)?.join("\n"));
    Ok(())
}
