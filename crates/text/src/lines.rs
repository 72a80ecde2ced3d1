//! Line counts and line offsets of a string.

/// Returns the offsets just after each line break, in ascending order.
pub fn after_breaks(text: &str) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)
}

/// Returns the number of lines in a string. The last line counts even if it has no line break.
pub fn line_count(text: &str) -> usize {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_match_the_standard_library() {
        for text in ["", "\n", "a", "a\n", "a\r\nb", "\n\n", "größe\n\nb\n"] {
            assert_eq!(line_count(text), text.lines().count(), "{text:?}");
            let mut at = 0;
            let mut ends: Vec<usize> = text
                .split_inclusive('\n')
                .map(|line| {
                    at += line.len();
                    at
                })
                .collect();
            ends.retain(|&end| text[..end].ends_with('\n'));
            assert_eq!(after_breaks(text).collect::<Vec<_>>(), ends, "{text:?}");
        }
    }
}
