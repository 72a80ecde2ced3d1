//! `--format vimgrep`: one line per location, `PATH:LINE:COLUMN:TEXT`, in the format of Vim's
//! quickfix list. Columns are 1-based byte offsets.

use super::page::{quoted, visible};
use super::place::DisplayRoot;
use crate::render::in_order;
use std::path::Path;
use whichfn_search::answer::{Answer, CallBranch, CallLine, PassageResult, SearchResult, TypeBranch, Use};
use whichfn_text::{ellipsis, one_line, path_from_text, plain};

/// Maximum number of characters of documentation after a name.
const DOC: usize = 90;

/// Formats ranked results.
pub(super) fn answer(answer: &Answer, root: &DisplayRoot) -> String {
    let result = |found: &SearchResult| {
        let doc = ellipsis(&one_line(&plain(&found.doc)), DOC, "…");
        let text =
            if doc.is_empty() { found.qualified_name.clone() } else { format!("{}: {doc}", found.qualified_name) };
        place(&root.join(&path_from_text(&found.path)), found.line, found.column, &text)
    };
    let passage = |found: &PassageResult| {
        let text = format!("{}: {}", found.headings.join(" › "), found.best);
        place(&root.join(&path_from_text(&found.path)), found.start_line, 1, text.trim_start_matches(": "))
    };
    in_order(answer, result, passage).concat()
}

/// Formats calls, each with the definition at its other end.
pub(super) fn calls(branches: &[CallBranch], root: &DisplayRoot) -> String {
    let lines = |branch: &CallBranch| {
        let line = |call: &CallLine| {
            let text = format!("{}: {}", branch.location.name, call.text);
            place(&root.join(&path_from_text(&call.path)), call.line, call.byte, &text)
        };
        branch.calls.iter().map(line).collect::<String>() + &calls(&branch.branches, root)
    };
    branches.iter().map(lines).collect()
}

/// Formats types or methods, each with its signature.
pub(super) fn types(branches: &[TypeBranch], root: &DisplayRoot) -> String {
    let lines = |branch: &TypeBranch| {
        let (location, text) = (&branch.location, format!("{}: {}", branch.location.name, branch.signature));
        place(&root.join(&path_from_text(&location.path)), location.line, 1, &text) + &types(&branch.branches, root)
    };
    branches.iter().map(lines).collect()
}

/// Formats the uses of a definition or value.
pub(super) fn references(uses: &[Use], root: &DisplayRoot) -> String {
    let line = |one: &Use| {
        let text = format!("{}: {}", one.inside, one.text);
        place(&root.join(&path_from_text(&one.path)), one.line, one.byte, &text)
    };
    uses.iter().map(line).collect()
}

/// Formats one location.
fn place(path: &Path, line: u32, column: u32, text: &str) -> String {
    format!("{}:{line}:{column}:{}\n", quoted(path), visible(text))
}
