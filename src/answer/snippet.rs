//! The first lines of a result.

/// At most `most` lines from `start` to `end` (from 1, both included), without the indentation that all share.
pub(super) fn of(text: &str, start: u32, end: u32, most: usize) -> Vec<String> {
    if most == 0 {
        return Vec::new();
    }
    let count = (end.saturating_sub(start) as usize + 1).min(most);
    let lines: Vec<&str> = text.lines().skip(start as usize - 1).take(count).collect();
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = lines.iter().filter(|l| !l.trim().is_empty()).map(|l| indent(l)).min().unwrap_or(0);
    lines.into_iter().map(|l| l.get(shared..).unwrap_or_default().trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn shared_indentation_is_taken_off() {
        assert_eq!(super::of("a\n    b\n      c\n\n    d\n", 2, 5, 3), ["b", "  c", ""]);
    }
}
