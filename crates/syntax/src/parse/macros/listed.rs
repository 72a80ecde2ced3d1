//! Replaces the macros of a system's headers, which a language file lists, before the first parse.
//!
//! Objective-C's headers consist of them: `NS_ASSUME_NONNULL_BEGIN`, `API_AVAILABLE(ios(10))`. The
//! parser reads some of them as declarations without a semicolon, and then loses the rest of the
//! file, in which [`without_macros`](super::without_macros) could not find the places of the others.
//!
//! - **Invariant:** the result has the length and the lines of the source text, so offsets remain
//!   valid.
//! - **Cost:** one pass over the tokens.

use super::token::{Token, tokens};
use super::{Blanked, closing};
use crate::lang::Macros;

/// Returns the text with spaces in place of the listed macros and their arguments. A macro that
/// declares a type with values, such as `typedef NS_ENUM(NSInteger, Mode) {`, becomes `enum Mode {`.
pub(in crate::parse) fn without_listed(macros: &Macros, source: &str) -> Vec<u8> {
    let all = tokens(macros, source);
    let closing = closing(&all);
    let mut text = Blanked { bytes: source.as_bytes().to_vec(), is_changed: false };
    let mut at = 0;
    while let Some(&token) = all.get(at) {
        let word = token.word().map_or("", |_| &source[token.start..token.end]);
        let last = closing.get(at + 1).copied().filter(|&last| last > 0);
        if macros.erased.iter().any(|listed| fits(listed, word)) {
            let last = last.unwrap_or(at);
            text.blank(token.start, all[last].end, "");
            at = last;
        } else if let Some(last) = last.filter(|_| macros.enumerators.iter().any(|listed| fits(listed, word)))
            && let Some(name) = name_before(&all, last)
        {
            let is_typedef = |before: &Token| &source[before.start..before.end] == "typedef";
            let start = at.checked_sub(1).map(|before| all[before]).filter(is_typedef).unwrap_or(token).start;
            text.blank(start, name.start, "enum");
            text.blank(name.end, all[last].end, "");
            at = last;
        }
        at += 1;
    }
    text.bytes
}

/// Returns the last argument of a macro, if it is a name. `last` is the position of its closing
/// parenthesis.
fn name_before(all: &[Token], last: usize) -> Option<Token> {
    all.get(last.checked_sub(1)?).copied().filter(|token| token.is_name())
}

/// Checks whether a word is a listed one, or begins or ends like one with a `*`.
fn fits(listed: &str, word: &str) -> bool {
    match (listed.strip_suffix('*'), listed.strip_prefix('*')) {
        _ if word.is_empty() => false,
        (Some(start), _) => word.starts_with(start),
        (None, Some(end)) => word.ends_with(end),
        (None, None) => word == listed,
    }
}

#[cfg(test)]
mod tests {
    use crate::lang::Registry;

    fn replaced(source: &str) -> String {
        let registry = Registry::builtin().expect("languages");
        let all = registry.ids().filter_map(|id| registry.spec(id)?.macros.as_ref());
        let macros = all.into_iter().find(|macros| !macros.erased.is_empty()).expect("a language with listed macros");
        let bytes = super::without_listed(macros, source);
        assert_eq!(bytes.len(), source.len());
        let text = String::from_utf8(bytes).expect("text");
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn removes_listed_macros_with_their_arguments() {
        assert_eq!(replaced("NS_ASSUME_NONNULL_BEGIN\n@interface A : B"), "\n@interface A : B");
        assert_eq!(replaced("- (void)open API_AVAILABLE(macos(10.10), ios(9));"), "- (void)open ;");
        assert_eq!(replaced("- (id)init NS_UNAVAILABLE; // NS_UNAVAILABLE"), "- (id)init ; // NS_UNAVAILABLE");
    }

    #[test]
    fn reads_enumeration_macros_as_enumerations() {
        assert_eq!(replaced("typedef NS_ENUM(NSInteger, Mode) { A };"), "enum Mode { A };");
        assert_eq!(replaced("typedef NS_OPTIONS(NSUInteger, Mode) { A };"), "enum Mode { A };");
        assert_eq!(replaced("NS_ENUM("), "NS_ENUM(");
    }
}
