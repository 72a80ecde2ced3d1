//! Runs petgraph's algorithms on a repository's call graph. Prints the cycles of functions that
//! call each other, and all functions from which calls lead to a given function.
//!
//! `cargo run --example graph -- Session.renew [DIRECTORY]`
#![allow(clippy::print_stdout)]

use whichfn::petgraph::algo::kosaraju_scc;
use whichfn::petgraph::visit::{Bfs, Reversed, Walker};
use whichfn::{CallGraph, DefinitionId, Engine, Resolved, Result};

/// Returns the groups of two or more functions that call each other, directly or indirectly.
pub fn cycles(engine: &Engine) -> Vec<String> {
    let graph = engine.call_graph();
    // Kosaraju's algorithm has no recursion. `tarjan_scc` has, and a long chain of calls would
    // overflow the stack.
    let mut groups = kosaraju_scc(graph);
    groups.retain(|group| group.len() > 1);
    groups.iter_mut().for_each(|group| group.sort());
    groups.sort();
    groups.iter().map(|group| names(graph, group).join(", ")).collect()
}

/// Returns the functions from which calls lead to the function `name`, closest first.
pub fn origins(engine: &Engine, name: &str) -> Vec<String> {
    let graph = engine.call_graph();
    let Resolved::One(id) = engine.resolve(name) else { return Vec::new() };
    let callers = Reversed(graph);
    let found: Vec<DefinitionId> = Bfs::new(callers, id).iter(callers).skip(1).collect();
    names(graph, &found)
}

fn names(graph: CallGraph<'_>, ids: &[DefinitionId]) -> Vec<String> {
    ids.iter().map(|&id| format!("{} ({}:{})", graph.name(id), graph.path(id), graph.line(id))).collect()
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("Engine::ask".to_owned());
    let directory = arguments.next().unwrap_or(".".to_owned());
    let engine = Engine::open_default(directory.as_ref())?;
    println!("cycles:\n  {}", cycles(&engine).join("\n  "));
    println!("functions that lead to {name}:\n  {}", origins(&engine, &name).join("\n  "));
    Ok(())
}
