//! `--format vimgrep`: one line per location, `PATH:LINE:COLUMN:TEXT`, in the format of Vim's
//! quickfix list. Columns are 1-based byte offsets.

use super::listing::vimgrep_line;
use super::place::DisplayRoot;
use crate::render::in_order;
use whichfn_search::answer::{Answer, PassageResult, Place, SearchResult};
use whichfn_text::{ellipsis, one_line, plain};

/// Maximum number of characters of documentation after a name.
const DOC: usize = 90;

/// Formats ranked results.
pub(super) fn answer(answer: &Answer, root: &DisplayRoot) -> String {
    let result = |found: &SearchResult| {
        let doc = ellipsis(&one_line(&plain(&found.doc)), DOC, "…");
        let text =
            if doc.is_empty() { found.qualified_name.clone() } else { format!("{}: {doc}", found.qualified_name) };
        vimgrep_line(&Place { byte: found.column, ..Place::of_line(&found.path, found.line) }, &text, root)
    };
    let passage = |found: &PassageResult| {
        let text = format!("{}: {}", found.headings.join(" › "), found.best);
        vimgrep_line(&Place::of_line(&found.path, found.start_line), text.trim_start_matches(": "), root)
    };
    in_order(answer, result, passage).concat()
}
