//! Rewrites forms of a language that its grammar cannot read, for the parser only. The result has
//! the length and the lines of the source text, so offsets remain valid.

use super::spec::Rewrite;
use regex::Regex;
use std::borrow::Cow;
use whichfn_system::error::{Error, Kind, Result};

/// The rewrites of a language, in order.
pub struct Rewrites(Vec<(Regex, String)>);

impl Rewrites {
    /// Compiles the rewrites in a grammar file.
    pub(super) fn new(language: &str, rules: &[Rewrite]) -> Result<Self> {
        let compiled = |rule: &Rewrite| {
            let regex = Regex::new(&rule.pattern).ok().filter(|regex| regex.captures_len() == 2);
            let regex = regex.ok_or_else(|| {
                let cause =
                    format!("grammars/{language}.toml: `{}` is not a pattern with exactly one group", rule.pattern);
                Error::new(Kind::Language, cause, "see `rewrites` in grammars/README.md")
            });
            Ok((regex?, rule.by.clone()))
        };
        rules.iter().map(compiled).collect::<Result<_>>().map(Self)
    }

    /// Returns the text to parse; `None` if no rule matches.
    pub fn apply(&self, source: &str) -> Option<String> {
        let mut text = Cow::Borrowed(source);
        for (regex, by) in &self.0 {
            let groups: Vec<_> = regex.captures_iter(&text).filter_map(|found| Some(found.get(1)?.range())).collect();
            for range in groups.into_iter().rev() {
                let mut by = by.chars().chain(std::iter::repeat(' '));
                let same_length = |c: char| match by.next() {
                    _ if c == '\n' => "\n".to_owned(),
                    Some(sign) if c.is_ascii() => sign.to_string(),
                    _ => " ".repeat(c.len_utf8()),
                };
                let new: String = text[range.clone()].chars().map(same_length).collect();
                text.to_mut().replace_range(range, &new);
            }
        }
        match text {
            Cow::Owned(text) if text != source => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(rules: &[(&str, &str)], source: &str) -> Option<String> {
        let rule = |&(pattern, by): &(&str, &str)| Rewrite { pattern: pattern.to_owned(), by: by.to_owned() };
        let rules: Vec<Rewrite> = rules.iter().map(rule).collect();
        let text = Rewrites::new("test", &rules).expect("rules").apply(source);
        assert!(text.iter().all(|text| text.len() == source.len() && text.lines().count() == source.lines().count()));
        text
    }

    #[test]
    fn the_group_of_each_rule_is_replaced_in_turn() {
        let rules = [(r"with( given\([^)]*\))", ""), (r"A (if) .*->", ","), (r"(B) ,", "CDE")];
        assert_eq!(
            rewritten(&rules, "with given(a:\n é)  A if b ->").expect("a change"),
            "with         \n      A ,  b ->"
        );
        assert_eq!(rewritten(&rules, "B if ->, B , A if c -> d").expect("a change"), "B if ->, C , A ,  c -> d");
        assert_eq!(rewritten(&rules, "nothing to replace"), None);
    }

    #[test]
    fn a_pattern_has_exactly_one_group() {
        for pattern in ["a", "(a)(b)", "(a"] {
            let rule = Rewrite { pattern: pattern.to_owned(), by: String::new() };
            assert!(Rewrites::new("test", &[rule]).is_err(), "{pattern}");
        }
    }
}
