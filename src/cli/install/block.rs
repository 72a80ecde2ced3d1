//! A block of lines between two markers in a document for agents, and files that this program
//! writes as a whole.

use super::Kept;
use super::text_style::{LINE_BREAKS, appended, with_breaks_of, without_addition};

const START: &str = "<!-- whichfn: start -->\n";
const END: &str = "<!-- whichfn: end -->\n";
/// The lines between the markers.
pub(super) const LINES: &str = include_str!("agents.md");
/// A skill: commands for agents that do not use the server.
pub(super) const SKILL: &str = include_str!("../../../docs/SKILL.md");
/// A sub-agent: it finds code and returns only locations.
pub(super) const SUBAGENT: &str = include_str!("subagent.md");

/// Returns the bytes before the block, the block, and the bytes after it.
fn around(text: &str) -> Result<Option<(&str, &str, &str)>, String> {
    for line_break in LINE_BREAKS {
        let [start, end] = [START, END].map(|line| line.replace('\n', line_break));
        let Some(at) = text.find(&start) else { continue };
        let lost = || format!("the line `{}` after `{}` is missing", END.trim(), START.trim());
        let length = text[at..].find(&end).ok_or_else(lost)? + end.len();
        return Ok(Some((&text[..at], &text[at..at + length], &text[at + length..])));
    }
    Ok(None)
}

/// Adds the block at the end, or replaces an earlier version of it.
pub(super) fn with_block(former: Option<&str>) -> Result<String, String> {
    let block = format!("{START}{LINES}{END}");
    match around(former.unwrap_or_default())? {
        Some((before, known, after)) => Ok(format!("{before}{}{after}", with_breaks_of(known, &block))),
        None => Ok(appended(former, &block)),
    }
}

/// Removes the block and the line break before it, if its lines are those that this program writes.
pub(super) fn without_block(text: &str) -> Result<Kept, String> {
    let Some((before, block, after)) = around(text)? else { return Ok(Kept::Absent) };
    if block.replace("\r\n", "\n") != format!("{START}{LINES}{END}") {
        return Ok(Kept::Foreign);
    }
    Ok(without_addition(before, after))
}

/// Removes a file that this program wrote as a whole, if it still has this content.
pub(super) fn without_file(text: &str, written: &str) -> Kept {
    match text {
        "" => Kept::Absent,
        text if text == written => Kept::Nothing,
        _ => Kept::Foreign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_added_once_and_removed_without_a_trace() {
        for former in ["# Rules\n\nBe brief.\n", "# Rules\n\n", "# Rules", "# Rules\r\n\r\nBe brief.\r\n", ""] {
            let new = with_block(Some(former)).expect("a block");
            assert!(new.starts_with(former) && new.contains("which_function"), "{new}");
            assert_eq!(new.contains("\r\n"), former.contains("\r\n"), "{new:?}");
            assert_eq!(new.matches('\n').count() == new.matches("\r\n").count(), former.contains("\r\n"), "{new:?}");
            assert_eq!(with_block(Some(&new)).expect("a block"), new);
            assert_eq!(without_block(&new).expect("a block"), Kept::Text(former.to_owned()));
        }
        assert_eq!(without_block(&with_block(None).expect("a block")).expect("a block"), Kept::Nothing);
        assert_eq!(without_block("# Rules\n").expect("no block"), Kept::Absent);
        let edited = with_block(None).expect("a block").replace("Use grep", "Use rg");
        assert_eq!(without_block(&edited).expect("a block"), Kept::Foreign);
    }

    #[test]
    fn an_older_block_is_replaced_and_a_damaged_one_is_an_error() {
        let old = format!("a\n\n{START}old lines\n{END}z\n");
        let new = with_block(Some(&old)).expect("a block");
        assert!(new.starts_with("a\n\n") && new.ends_with("z\n") && !new.contains("old lines"), "{new}");
        assert!(with_block(Some(&format!("a\n{START}no end\n"))).is_err());
    }
}
