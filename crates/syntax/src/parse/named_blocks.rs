//! Rewrites blocks with a quoted name (`@test "adds two" {` in Bats) as functions of that name,
//! for the parser only. Offsets and line breaks stay the same, so the function has the name that
//! the source text has there.
//!
//! **Cost:** one pass over the lines.

use std::borrow::Cow;

/// Returns the text to parse. `words` begin a line with a block.
pub(super) fn as_functions<'t>(words: &[String], source: &'t str) -> Cow<'t, [u8]> {
    let mut rewritten = Cow::Borrowed(source.as_bytes());
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        if let Some((open, close, brace)) = words.iter().find_map(|word| named_block(word, line)) {
            let bytes = &mut rewritten.to_mut()[start..start + line.len()];
            bytes[..=open].fill(b' ');
            for byte in &mut bytes[open + 1..close] {
                *byte = if byte.is_ascii_alphanumeric() { *byte } else { b'_' };
            }
            bytes[close..brace].fill(b' ');
            bytes[close..close + 2].copy_from_slice(b"()");
        }
        start += line.len();
    }
    rewritten
}

/// Returns the offsets of the quotes around the name and of the brace, if a line begins such a
/// block.
fn named_block(word: &str, line: &str) -> Option<(usize, usize, usize)> {
    let rest = line.trim_start().strip_prefix(word)?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let open = line.len() - rest.len();
    let close = line.rfind(quote).filter(|&close| close > open + 1)?;
    let brace = close + 1 + line[close + 1..].find('{')?;
    (line[brace + 1..].trim().is_empty() && brace > close + 1 && line[close + 1..brace].trim().is_empty())
        .then_some((open, close, brace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_with_a_quoted_name_becomes_a_function_of_the_same_length() {
        let source = "@test \"adds 'é' two\" {\n  run \"$x\" {\n}\n@test \"\" {\n@test \"a\"{\n";
        let rewritten = as_functions(&["@test".to_owned()], source);
        let expected = "       adds______two(){\n  run \"$x\" {\n}\n@test \"\" {\n@test \"a\"{\n";
        assert_eq!(String::from_utf8_lossy(&rewritten), expected);
        assert_eq!(rewritten.len(), source.len());
    }
}
