//! Lists the functions ranked after the candidates by file, with a description or by name only.

use super::tools::FileNames;
use crate::engine::FurtherFunction;
use whichfn_memory::count_tokens;
use whichfn_text::{ellipsis, one_line};

/// Maximum number of characters of a description.
const WIDEST: usize = 70;
/// Number of tokens of JSON between two functions.
const SEPARATOR: usize = 1;
/// Number of tokens of JSON around the functions of a file.
const FILE: usize = 10;

/// Groups functions by file, with files in the order of the first function of each. Functions
/// listed by name only share a line.
pub(super) fn by_file(behind: &[FurtherFunction]) -> Vec<FileNames> {
    let mut files: Vec<(FileNames, Vec<String>)> = Vec::new();
    for one in behind {
        let path = &one.location.path;
        let at = files.iter().position(|(file, _)| file.path == *path).unwrap_or_else(|| {
            files.push((FileNames { path: path.clone(), functions: Vec::new() }, Vec::new()));
            files.len() - 1
        });
        let (file, names) = &mut files[at];
        if one.does.is_empty() { names.push(described(one)) } else { file.functions.push(described(one)) }
    }
    let joined = |(mut file, names): (FileNames, Vec<String>)| {
        file.functions.extend((!names.is_empty()).then(|| names.join(", ")));
        file
    };
    files.into_iter().map(joined).collect()
}

/// Returns the line and name of a function, with its description if there is one.
fn described(one: &FurtherFunction) -> String {
    let name = format!("{} {}", one.location.line, with_its_type(&one.location.name));
    let does = ellipsis(&one_line(&one.does), WIDEST, "...");
    if does.is_empty() { name } else { format!("{name}: {does}") }
}

/// Returns how many of these, from the first, take at most `tokens` tokens.
pub(super) fn count_that_fit(behind: &[FurtherFunction], tokens: usize) -> usize {
    let (mut paths, mut sum) = (Vec::new(), 0);
    for (count, one) in behind.iter().enumerate() {
        sum += count_tokens(&described(one)) + SEPARATOR;
        if !paths.contains(&&one.location.path) {
            paths.push(&one.location.path);
            sum += count_tokens(&one.location.path) + FILE;
        }
        if sum > tokens {
            return count;
        }
    }
    behind.len()
}

/// Shortens a qualified name to its last two parts: a method with its type.
fn with_its_type(name: &str) -> &str {
    let joints = name.rmatch_indices(['.', ':']).map(|(at, _)| at + 1);
    // A double colon is one separator.
    let mut joints = joints.filter(|&at| !name[at..].starts_with(':'));
    joints.nth(1).map_or(name, |at| &name[at..])
}
