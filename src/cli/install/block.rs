//! A block of lines between two markers in a document for agents, and files that this program
//! writes as a whole.

use super::Kept;

const START: &str = "<!-- whichfn: start -->\n";
const END: &str = "<!-- whichfn: end -->\n";
/// The lines between the markers.
pub(super) const LINES: &str = include_str!("agents.md");
/// A skill: commands for agents that do not use the server.
pub(super) const SKILL: &str = include_str!("../../../docs/SKILL.md");
/// A sub-agent: it finds code and returns only locations.
pub(super) const SUBAGENT: &str = include_str!("subagent.md");

/// Returns the bytes before and after the block.
fn around(text: &str) -> Result<Option<(&str, &str)>, String> {
    let Some((before, rest)) = text.split_once(START) else { return Ok(None) };
    let lost = || format!("the line `{}` after `{}` is missing", END.trim(), START.trim());
    let (_, after) = rest.split_once(END).ok_or_else(lost)?;
    Ok(Some((before, after)))
}

/// Adds the block at the end, or replaces an earlier version of it.
pub(super) fn with_block(former: &str) -> Result<String, String> {
    if let Some((before, after)) = around(former)? {
        return Ok(format!("{before}{START}{LINES}{END}{after}"));
    }
    let gap = match former {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Ok(format!("{former}{gap}{START}{LINES}{END}"))
}

/// Removes the block and the empty line before it, if its lines are those that this program writes.
pub(super) fn without_block(text: &str) -> Result<Kept, String> {
    let Some((before, after)) = around(text)? else { return Ok(Kept::Absent) };
    if !text.contains(&format!("{START}{LINES}{END}")) {
        return Ok(Kept::Foreign);
    }
    let before = before.strip_suffix("\n\n").map_or(before.to_owned(), |before| format!("{before}\n"));
    let rest = before + after;
    Ok(if rest.trim().is_empty() { Kept::Nothing } else { Kept::Text(rest) })
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
        for former in ["# Rules\n\nBe brief.\n", "# Rules\n\n"] {
            let new = with_block(former).expect("a block");
            assert!(new.starts_with(former) && new.contains("which_function"), "{new}");
            assert_eq!(with_block(&new).expect("a block"), new);
            assert_eq!(without_block(&new).expect("a block"), Kept::Text(former.to_owned()));
        }
        assert_eq!(without_block(&with_block("").expect("a block")).expect("a block"), Kept::Nothing);
        assert_eq!(without_block("# Rules\n").expect("no block"), Kept::Absent);
        let edited = with_block("").expect("a block").replace("Use grep", "Use rg");
        assert_eq!(without_block(&edited).expect("a block"), Kept::Foreign);
    }

    #[test]
    fn an_older_block_is_replaced_and_a_damaged_one_is_an_error() {
        let old = format!("a\n\n{START}old lines\n{END}z\n");
        let new = with_block(&old).expect("a block");
        assert!(new.starts_with("a\n\n") && new.ends_with("z\n") && !new.contains("old lines"), "{new}");
        assert!(with_block(&format!("a\n{START}no end\n")).is_err());
    }
}
