//! `stale-doc`: a function lost a parameter, and its documentation still has a line for it.
//!
//! What a line for a parameter looks like is said by `doc_parameters.txt`: the ways of Sphinx, Google, NumPy, JSDoc and its
//! kin, Doxygen, C#, Rust and YARD. A name in running text is no such line.

use super::finding::{Finding, FoundPlace, Rule};
use super::sides::{ChangedFile, Sides};
use regex::Regex;

/// Parameters that documentation still has.
pub(super) fn stale_docs(sides: &Sides<'_>) -> Vec<Finding> {
    sides.files.iter().flat_map(|file| in_file(sides, file)).collect()
}

fn in_file(sides: &Sides<'_>, changed: &ChangedFile<'_>) -> Vec<Finding> {
    let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { return Vec::new() };
    let before = old.functions();
    let mut found = Vec::new();
    for (name, (local, now)) in new.functions() {
        let Some((_, was)) = before.get(name) else { continue };
        let (Some(old_head), Some(new_head)) = (old.head(was), new.head(now)) else { continue };
        // With a parameter for all others, the documentation may name what may be among them.
        if new_head.open {
            continue;
        }
        let lost = old_head.parameters.iter().filter(|p| !p.name.is_empty() && new_head.named(&p.name).is_none());
        for parameter in lost {
            let Some(line) = line_for(new.text_of(now), &parameter.name) else { continue };
            let place = sides.place(sides.definition(file, local), "");
            let place = FoundPlace { line: now.span.start_line + line, ..place };
            let message =
                format!("{name} has no parameter {} any more, and its documentation still has", parameter.name);
            found.push(Finding { rule: Rule::StaleDoc, place, message, related: Vec::new() });
        }
    }
    found
}

/// The line, from 0, of a text that documents a parameter.
fn line_for(text: &str, name: &str) -> Option<u32> {
    let ways = include_str!("doc_parameters.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let at = |way: &str| {
        let pattern = Regex::new(&format!("(?m){}", way.replace("NAME", &regex::escape(name)))).ok()?;
        pattern.captures(text)?.name("at").map(|at| at.start())
    };
    let first = ways.filter_map(at).min()?;
    Some(text[..first].matches('\n').count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_a_parameter_is_known_in_every_way_of_writing_it() {
        for (text, line) in [
            ("    \"\"\"Adds.\n\n    :param rate: how fast\n", Some(2)),
            ("    :param float rate: how fast\n", Some(0)),
            ("    :type rate: float\n", Some(0)),
            ("    Args:\n        path: where\n        rate (int): how fast\n            or how slow\n", Some(2)),
            ("    Args:\n        rate: how fast\n", Some(1)),
            ("    Parameters\n    ----------\n    rate : float\n        How fast.\n", Some(2)),
            (" * @param rate how fast\n", Some(0)),
            (" * @param {number} [rate=1] how fast\n", Some(0)),
            (" * @param int $rate how fast\n", Some(0)),
            ("/// \\param rate how fast\n", Some(0)),
            ("/// <param name=\"rate\">How fast.</param>\n", Some(0)),
            ("/// # Arguments\n///\n/// * `rate` - how fast\n", Some(2)),
            ("# @param rate [Integer] how fast\n", Some(0)),
            ("    The rate: it is how fast.\n    rate: is told by others\n", None),
            ("    Args:\n        path: where\n\n    x = {\n        rate: 1,\n", None),
            ("    :param rates: how fast\n", None),
        ] {
            assert_eq!(line_for(text, "rate"), line, "{text}");
        }
    }
}
