//! Finds the function that matches a description: `cargo run --example ask -- "parse the config
//! file" [DIRECTORY]`
#![allow(clippy::print_stdout)]

use whichfn::{Engine, Query, Result};

/// Returns the five best functions for a question, and the probability that the first one is
/// correct.
pub fn answer(engine: &Engine, question: &str) -> Result<Vec<String>> {
    let answer = engine.ask(&Query { k: 5, ..Query::new(question) }, 0)?;
    let mut lines = Vec::new();
    for found in &answer.results {
        lines.push(format!("{}:{} {}", found.path, found.line, found.qualified_name));
    }
    if let Some(confidence) = answer.confidence {
        lines.push(format!("the first result is correct with probability {:.2}", confidence.right));
    }
    Ok(lines)
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let question = arguments.next().unwrap_or("which function parses the command line".to_owned());
    let directory = arguments.next().unwrap_or(".".to_owned());
    let engine = Engine::open_default(directory.as_ref())?; // builds the index, or brings it up to date
    println!("{}", answer(&engine, &question)?.join("\n"));
    Ok(())
}
