//! Finds code that tests whether a name has a value: `done && done()`.

use regex::Regex;

/// Checks whether code tests whether a name has a value.
pub(super) fn is_tested(code: &str, name: &str) -> bool {
    let name = regex::escape(name);
    let test = format!(
        r"\b{name}\s*(\|\||&&|\?|[!=]==?)|!\s*{name}\b|\b(if|while|unless|guard)\s*\(?\s*(let\s+)?{name}\b\s*[){{]|typeof\s+{name}\b"
    );
    Regex::new(&test).is_ok_and(|test| test.is_match(code))
}
