//! Suppresses findings through comments in the code. The comment `whichfn: ignore[dead]` applies on
//! the line of the finding, or directly above it. At one of the calls or references that a finding
//! lists, it applies to that one. A bare `ignore` suppresses all rules.

use super::finding::{Finding, FindingLocation, Rule};
use super::sides::Sides;

const MARK: &str = "whichfn: ignore";

/// Checks whether a comment in source text suppresses a rule at a line. Line numbers start at 1.
pub(super) fn is_ignored(text: &str, line: u32, rule: Rule) -> bool {
    let first = (line as usize).saturating_sub(2);
    text.lines().skip(first).take(if line > 1 { 2 } else { 1 }).any(|line| ignores_rule(line, rule))
}

fn ignores_rule(line: &str, rule: Rule) -> bool {
    line.match_indices(MARK).any(|(at, _)| match line[at + MARK.len()..].strip_prefix('[') {
        None => true,
        Some(rest) => rest.split(']').next().is_some_and(|list| list.split(',').any(|id| id.trim() == rule.id())),
    })
}

/// Returns the places that a finding lists without those that a comment suppresses; all of them if it
/// suppresses all, so that the finding counts as suppressed.
pub(super) fn without_ignored_places(sides: &Sides<'_>, rule: Rule, all: Vec<FindingLocation>) -> Vec<FindingLocation> {
    let sources = sides.sources();
    let is_wanted = |place: &FindingLocation| {
        let text = sources.indexed(&place.path).map(|file| sources.text(file).to_string());
        !text.is_some_and(|text| is_ignored(&text, place.line, rule))
    };
    let wanted: Vec<FindingLocation> = all.iter().filter(|place| is_wanted(place)).cloned().collect();
    if wanted.is_empty() { all } else { wanted }
}

/// Removes suppressed findings. Returns the remaining findings and the number of removed ones.
/// `text_of` returns the text of the file with a given path.
pub(super) fn without_ignored(findings: Vec<Finding>, text_of: impl Fn(&str) -> String) -> (Vec<Finding>, usize) {
    let before = findings.len();
    let is_ignored = |place: &FindingLocation, rule| is_ignored(&text_of(&place.path), place.line, rule);
    let is_wanted = |finding: &Finding| {
        let lists_uses = finding.rule.lists_uses() && !finding.related.is_empty();
        let are_all = || finding.related.iter().all(|place| is_ignored(place, finding.rule));
        !(is_ignored(&finding.location, finding.rule) || lists_uses && are_all())
    };
    let remaining: Vec<Finding> = findings.into_iter().filter(is_wanted).collect();
    let count = before - remaining.len();
    (remaining, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignore_comments_suppress_the_rules_they_name() {
        let text =
            "x\n# whichfn: ignore[dead, reuse] kept for plugins\ndef f():\n    pass\n\ndef g():  # whichfn: ignore\n";
        assert!(is_ignored(text, 3, Rule::Dead));
        assert!(!is_ignored(text, 3, Rule::Callers));
        assert!(!is_ignored(text, 4, Rule::Dead));
        assert!(is_ignored(text, 6, Rule::Callers));
        assert!(is_ignored("# whichfn: ignore[stale-doc]", 1, Rule::StaleDoc));
    }
}
