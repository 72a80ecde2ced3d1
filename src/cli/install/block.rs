//! A block of lines between two markers in a document for agents, and files that this program
//! writes as a whole.

use super::Kept;
use super::text_style::{appended, with_breaks_of, without_addition};
use xxhash_rust::xxh3::xxh3_64;

const START: &str = "<!-- whichfn: start -->";
const END: &str = "<!-- whichfn: end -->";
/// The lines between the markers.
pub(super) const LINES: &str = include_str!("agents.md");
/// A skill: commands for agents that do not use the server.
pub(super) const SKILL: &str = include_str!("../../../docs/SKILL.md");
/// A sub-agent: it finds code and returns only locations.
pub(super) const SUBAGENT: &str = include_str!("subagent.md");
/// Hashes of all versions of these texts so far.
const VERSIONS: &str = include_str!("versions.txt");

/// Checks whether a text is a version of one of the texts above, which nobody changed.
fn is_own(text: &str) -> bool {
    // Git may convert the line breaks of a committed file.
    let hash = format!("{:016x}", xxh3_64(text.replace("\r\n", "\n").as_bytes()));
    VERSIONS.lines().any(|known| known == hash)
}

/// A block in a text.
struct Block<'t> {
    before: &'t str,
    /// The block with its markers.
    whole: &'t str,
    lines: &'t str,
    after: &'t str,
}

/// Finds the block in a text: the first one that this program wrote, or else the first one.
fn find(text: &str) -> Result<Option<Block<'_>>, String> {
    let (mut at, mut start, mut found) = (0, None, None::<Block<'_>>);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match line.trim_end_matches(['\r', '\n']) {
            // The last of several start markers: a person may have written one as well.
            START => start = Some((at, end)),
            END => {
                let block = start.take().map(|(from, lines)| Block {
                    before: &text[..from],
                    whole: &text[from..end],
                    lines: &text[lines..at],
                    after: &text[end..],
                });
                found = match (found, block) {
                    (Some(first), Some(block)) if !is_own(first.lines) && is_own(block.lines) => Some(block),
                    (first, block) => first.or(block),
                };
            }
            _ => {}
        }
        at = end;
    }
    match start {
        Some(_) if found.is_none() => Err(format!("the line `{END}` after `{START}` is missing")),
        _ => Ok(found),
    }
}

/// Adds the block at the end, or replaces an earlier version of it.
pub(super) fn with_block(former: Option<&str>) -> Result<Kept, String> {
    let block = format!("{START}\n{LINES}{END}\n");
    Ok(match find(former.unwrap_or_default())? {
        Some(known) if !is_own(known.lines) => Kept::Foreign,
        Some(known) => {
            let lines = with_breaks_of(known.whole, LINES);
            Kept::Text([known.before, &known.whole.replacen(known.lines, &lines, 1), known.after].concat())
        }
        None => Kept::Text(appended(former, &block)),
    })
}

/// Removes the block and the line break before it, if nobody changed its lines.
pub(super) fn without_block(text: &str) -> Result<Kept, String> {
    Ok(match find(text)? {
        None => Kept::Absent,
        Some(known) if !is_own(known.lines) => Kept::Foreign,
        Some(known) => without_addition(known.before, known.whole, known.after),
    })
}

/// Writes a whole file, or replaces an earlier version of it.
pub(super) fn with_file(former: Option<&str>, text: &str) -> Kept {
    match former {
        None => Kept::Text(text.to_owned()),
        Some(former) if is_own(former) => Kept::Text(with_breaks_of(former, text)),
        Some(_) => Kept::Foreign,
    }
}

/// Removes a file that this program wrote as a whole, if nobody changed it.
pub(super) fn without_file(former: Option<&str>) -> Kept {
    match former {
        None => Kept::Absent,
        Some(former) if is_own(former) => Kept::Nothing,
        Some(_) => Kept::Foreign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(former: Option<&str>) -> String {
        match with_block(former) {
            Ok(Kept::Text(text)) => text,
            other => panic!("{former:?}: {other:?}"),
        }
    }

    /// An installed text is recognized, and can therefore be replaced and removed, only by its hash.
    #[test]
    fn hash_of_each_text_is_in_the_list() {
        for text in [LINES, SKILL, SUBAGENT] {
            let first = text.lines().find(|line| line.len() > 3).unwrap_or_default();
            assert!(is_own(text), "add a line {:016x} to versions.txt: {first}", xxh3_64(text.as_bytes()));
        }
    }

    #[test]
    fn the_block_is_added_once_and_removed_without_a_trace() {
        for former in [
            "# Rules\n\nBe brief.\n",
            "# Rules\n\n",
            "# Rules",
            "# Rules\r\n\r\nBe brief.\r\n",
            "# Rules\r",
            "one\r\ntwo\n",
            "see <!-- whichfn: start -->",
            "a\n<!-- whichfn: end -->\nb\n",
            "\n\n\n",
            "",
        ] {
            let new = with(Some(former));
            assert!(new.starts_with(former) && new.contains("which_function"), "{new}");
            let lines = &new[former.len()..];
            assert_eq!(
                lines.matches('\n').count() == lines.matches("\r\n").count(),
                former.contains("\r\n"),
                "{new:?}"
            );
            assert_eq!(with(Some(&new)), new);
            assert_eq!(without_block(&new), Ok(Kept::Text(former.to_owned())));
        }
        assert_eq!(without_block(&with(None)), Ok(Kept::Nothing));
        assert_eq!(without_block("# Rules\n"), Ok(Kept::Absent));
    }

    #[test]
    fn text_that_someone_added_behind_the_block_keeps_its_line() {
        for (former, rest) in [("# Rules", "# Rules\nmine\n"), ("# Rules\n", "# Rules\nmine\n"), ("", "mine\n")] {
            let added = format!("{}mine\n", with(Some(former)));
            assert_eq!(without_block(&added), Ok(Kept::Text(rest.to_owned())), "{former:?}");
        }
    }

    #[test]
    fn a_block_that_someone_changed_stays() {
        let edited = with(Some("a\n")).replace("Use grep", "Use rg");
        assert_eq!((with_block(Some(&edited)), without_block(&edited)), (Ok(Kept::Foreign), Ok(Kept::Foreign)));
        // A second one, which this program wrote.
        let two = format!("{START}\nmine\n{END}\n\n{START}\n{LINES}{END}\n");
        assert_eq!(with(Some(&two)), two);
        assert_eq!(without_block(&two), Ok(Kept::Text(format!("{START}\nmine\n{END}\n"))));
        // A marker without its end before the block, and an end of the file without a line break.
        let marked = format!("mine\n{START}\n{START}\n{LINES}{END}");
        assert_eq!(with(Some(&marked)), marked);
        assert_eq!(without_block(&marked), Ok(Kept::Text(format!("mine\n{START}"))));
        assert!(with_block(Some(&format!("a\n{START}\nno end\n"))).is_err());
    }

    #[test]
    fn only_files_that_this_program_wrote_are_replaced_and_removed() {
        assert_eq!((with_file(None, SKILL), without_file(None)), (Kept::Text(SKILL.to_owned()), Kept::Absent));
        for own in [SKILL.to_owned(), SKILL.replace('\n', "\r\n")] {
            assert_eq!(with_file(Some(&own), SKILL), Kept::Text(own.clone()));
            assert_eq!(without_file(Some(&own)), Kept::Nothing);
        }
        for foreign in ["mine\n", "", &SKILL.replace("whichfn", "other")] {
            assert_eq!((with_file(Some(foreign), SKILL), without_file(Some(foreign))), (Kept::Foreign, Kept::Foreign));
        }
    }
}
