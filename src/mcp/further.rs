//! Lists the functions ranked after the candidates by name, grouped by file.

use crate::engine::FurtherFunction;
use whichfn_memory::count_tokens;

/// Returns as many functions as fit, from the first, as lines `path: name:line, name:line`, and their
/// number. Files are in the order of their first function.
pub(super) fn by_file(functions: &[FurtherFunction], most: usize, tokens: usize) -> (String, usize) {
    let mut count = functions.len().min(most);
    loop {
        let text = listed(&functions[..count]);
        if count == 0 || count_tokens(&text) <= tokens {
            return (text, count);
        }
        count -= count.div_ceil(5);
    }
}

fn listed(functions: &[FurtherFunction]) -> String {
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for one in functions {
        let name = format!("{}:{}", with_its_type(&one.location.name), one.location.line);
        match files.iter_mut().find(|(path, _)| *path == one.location.path) {
            Some((_, names)) => names.push(name),
            None => files.push((&one.location.path, vec![name])),
        }
    }
    files.into_iter().map(|(path, names)| format!("{path}: {}\n", names.join(", "))).collect()
}

/// Shortens a qualified name to its last two parts: a method with its type.
pub(super) fn with_its_type(name: &str) -> &str {
    let joints = name.rmatch_indices(['.', ':']).map(|(at, _)| at + 1);
    // A double colon is one separator.
    let mut joints = joints.filter(|&at| !name[at..].starts_with(':'));
    joints.nth(1).map_or(name, |at| &name[at..])
}
