//! Shortens a long function to its head and to the part that best matches the question.
//!
//! **Cost:** each line is split into words and tokens once.

use rustc_hash::FxHashSet;
use whichfn_memory::count_tokens;
use whichfn_search::search::Question;
use whichfn_text::{BYTES_PER_TOKEN, Stemmer, prefix, words};

/// Divisor for the share of the tokens that the head receives. Documentation and signature often
/// come first.
const HEAD: usize = 3;

/// A line with its number of tokens and the question's terms that it contains.
struct ExcerptLine<'t> {
    text: &'t str,
    tokens: usize,
    terms: Vec<usize>,
}

/// Shortens a string to about `most` tokens, with a mark where lines are left out. Returns the
/// whole text if it fits.
pub(super) fn excerpt(text: &str, question: &Question, most: usize) -> String {
    let text = text.trim_end();
    if count_tokens(text) <= most {
        return text.to_owned();
    }
    let lines = lines(text, question, most);
    let head = fitting(&lines, most / HEAD).max(1).min(lines.len());
    let left = most.saturating_sub(lines[..head].iter().map(|line| line.tokens).sum());
    let (start, end) = best(&lines, head, left);
    let mut out: Vec<String> = Vec::new();
    let mut add_lines = |from: usize, to: usize, next: usize| {
        out.extend(lines[from..to].iter().map(|line| line.text.to_owned()));
        if next > to {
            out.push(format!("[... {} lines ...]", next - to));
        }
    };
    add_lines(0, head, if start < end { start } else { lines.len() });
    if start < end {
        add_lines(start, end, lines.len());
    }
    out.join("\n")
}

/// Splits a string into lines with their matched terms. Truncates a line that is longer than `most`
/// tokens.
fn lines<'t>(text: &'t str, question: &Question, most: usize) -> Vec<ExcerptLine<'t>> {
    let mut stemmer = Stemmer::default();
    let mut line = |text: &'t str| {
        let text = prefix(text, most * BYTES_PER_TOKEN);
        let mut terms = Vec::new();
        words(text, |word| {
            let stem = stemmer.stem(word);
            terms.extend(question.terms.iter().position(|term| term.stem == stem));
        });
        ExcerptLine { text, tokens: count_tokens(text) + 1, terms }
    };
    text.lines().map(&mut line).collect()
}

/// Returns the number of leading lines that fit into `most` tokens.
fn fitting(lines: &[ExcerptLine<'_>], most: usize) -> usize {
    let mut sum = 0;
    lines
        .iter()
        .take_while(|line| {
            sum += line.tokens;
            sum <= most
        })
        .count()
}

/// Returns the range of lines, starting at `from` or later, that fits into `most` tokens and
/// contains the most distinct terms. The first such range wins a tie.
fn best(lines: &[ExcerptLine<'_>], from: usize, most: usize) -> (usize, usize) {
    let mut best = (0, (from, from));
    for start in from..lines.len() {
        let end = start + fitting(&lines[start..], most);
        let terms: FxHashSet<usize> = lines[start..end].iter().flat_map(|line| line.terms.iter().copied()).collect();
        if end > start && (terms.len() > best.0 || best.1.0 == best.1.1) {
            best = (terms.len(), (start, end));
        }
        if end == lines.len() {
            break;
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_a_long_text_to_its_head_and_the_best_lines() {
        let body = |from: usize, to: usize| (from..to).map(|n| format!("    step_{n}(a, b, c)\n")).collect::<String>();
        let text = format!("def f(a):\n    '''Doc.'''\n{}    renew(session)\n{}", body(0, 40), body(40, 80));
        let question = Question::read("renew the session");
        assert_eq!(excerpt("def f():\n    pass\n", &question, 50), "def f():\n    pass");
        let short = excerpt(&text, &question, 80);
        assert!(short.starts_with("def f(a):\n    '''Doc.'''\n"), "{short}");
        assert!(short.contains("    renew(session)\n") && short.matches(" lines ...]").count() == 2, "{short}");
        assert!(count_tokens(&short) <= 100, "{}", count_tokens(&short));
        let unasked = excerpt(&text, &Question::read("zebra"), 80);
        assert!(unasked.contains("step_0(") && unasked.ends_with(" lines ...]"), "the beginning: {unasked}");
    }

    #[test]
    fn cuts_a_long_line() {
        let text = format!("f({})", "größe + ".repeat(5_000));
        assert!(count_tokens(&excerpt(&text, &Question::read("size"), 50)) < 200);
        assert_eq!(excerpt("", &Question::read("size"), 0), "");
    }
}
