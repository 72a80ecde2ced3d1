//! Prints the callers of a function, and the callers of those callers: `cargo run --example callers
//! -- Session.renew [DIRECTORY]`
#![allow(clippy::print_stdout)]

use whichfn::{Branch, CallDirection, CallLimits, Calls, Engine, Resolved, Result};

/// Returns the callers of a function, two calls deep. The function is specified as `renew`,
/// `Session.renew` or `path/file.py:42`.
pub fn callers(engine: &Engine, name: &str) -> Vec<String> {
    let id = match engine.resolve(name) {
        Resolved::One(id) | Resolved::Corrected(id) => id,
        Resolved::Many(ids) => return vec![format!("{name} is ambiguous: {} definitions have that name", ids.len())],
        Resolved::None { .. } => return vec![format!("{name} not found")],
    };
    let tree = engine.calls(id, CallDirection::Callers, CallLimits { depth: 2, max: 100 });
    let mut lines = vec![format!("{} has {} callers", engine.location(id).name, tree.direct)];
    tree.branches.iter().for_each(|branch| add_branch(branch, 1, &mut lines));
    lines
}

fn add_branch(branch: &Branch<Calls>, depth: usize, lines: &mut Vec<String>) {
    for call in &branch.link.calls {
        let space = "  ".repeat(depth);
        lines.push(format!(
            "{space}{} at {}:{}: {}",
            branch.location.name, call.place.path, call.place.line, call.place.text
        ));
    }
    branch.branches.iter().for_each(|below| add_branch(below, depth + 1, lines));
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("Engine::ask".to_owned());
    let directory = arguments.next().unwrap_or(".".to_owned());
    println!("{}", callers(&Engine::open_default(directory.as_ref())?, &name).join("\n"));
    Ok(())
}
