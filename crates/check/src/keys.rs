//! The keys of objects in parameter lists and calls: `size` in `function pool({ size })` and
//! `pool({ size: 1 })`.

use super::returned_type::split;

/// Returns the keys of the object that an entry of a parameter list or an argument begins with.
/// Returns `None` if it is no object, or may have any keys.
pub(super) fn keys(entry: &str) -> Option<Vec<String>> {
    let rest = entry.trim().strip_prefix('{')?;
    let mut depth = 1_i32;
    let close = rest.char_indices().find(|&(_, c)| {
        depth += i32::from(matches!(c, '{' | '[' | '(')) - i32::from(matches!(c, '}' | ']' | ')'));
        depth == 0
    });
    let parts = split(&rest[..close?.0], ',');
    let mut parts = parts.into_iter().filter(|part| !part.is_empty()).peekable();
    parts.peek()?;
    let key = |part: &str| {
        let key = part.split([':', '=']).next().unwrap_or_default().trim();
        let is_name = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        is_name.then(|| key.to_owned())
    };
    parts.map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_keys_of_patterns_and_literals() {
        let read = |entry| keys(entry).map(|keys| keys.join(" "));
        assert_eq!(read("{ size, wait: w = 2 }: { size?: number } = {}").as_deref(), Some("size wait"));
        assert_eq!(read("{ size: f(1, { a: 2 }), wait }").as_deref(), Some("size wait"));
        for other in ["{ ...rest }", "{ a, ...rest }", "{ [key]: 1 }", "a", "{}"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
