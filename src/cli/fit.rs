//! Fits an answer into a number of tokens, or onto a screen. The first result is always included,
//! shortened if necessary.

use super::output;
use super::page::Page;
use whichfn_search::answer::{Answer, SearchResult};
use whichfn_text::{BYTES_PER_TOKEN, prefix};

/// Number of screen lines reserved for the prompt before and after the answer.
const PROMPT: usize = 2;

/// Amount of detail in an answer. Each step adds lines: the documentation of all results, a line of
/// code of the first, the reasons of each result in turn, then one more line of code of each.
#[derive(Clone, Copy)]
pub(super) struct Detail {
    steps: usize,
    results: usize,
}

impl Detail {
    /// Everything.
    pub const ALL: Self = Self { steps: usize::MAX, results: 1 };
    /// Steps before the reasons.
    const DOC_AND_CODE: usize = 2;

    /// Returns all amounts for a number of results with up to `longest` lines of code, largest first.
    fn amounts(results: usize, longest: usize) -> impl Iterator<Item = Self> {
        let results = results.max(1);
        (0..=Self::DOC_AND_CODE + results * (1 + longest)).rev().map(move |steps| Self { steps, results })
    }

    /// Checks whether documentation is shown.
    pub fn shows_doc(self) -> bool {
        self.steps > 0
    }

    /// Checks whether the reasons of a result are shown; the first result has number 0.
    pub fn shows_reasons(self, number: usize) -> bool {
        self.steps > Self::DOC_AND_CODE + number
    }

    /// Returns the number of lines of code of a result.
    pub fn code_lines(self, number: usize) -> usize {
        let steps = self.steps.saturating_sub(Self::DOC_AND_CODE + self.results);
        let lines = steps / self.results + usize::from(number < steps % self.results);
        lines.max(usize::from(number == 0 && self.steps >= Self::DOC_AND_CODE))
    }
}

/// Renders JSON with as many results as fit; if the first result does not fit, its long parts are
/// removed.
pub(super) fn json(answer: Answer, most: Option<usize>, render: impl Fn(&Answer) -> String) -> String {
    let (mut answer, mut out) = fewer(answer, most, &render, String::len);
    let Some(most) = most.map(|tokens| tokens.saturating_mul(BYTES_PER_TOKEN)) else { return out };
    // The least important parts are removed first.
    let shorter: [fn(&mut SearchResult, usize); 5] = [
        |found, _| found.snippet.clear(),
        |found, _| found.evidence.clear(),
        |found, _| found.duplicates.clear(),
        |found, over| cut(&mut found.doc, over),
        |found, over| cut(&mut found.signature, over),
    ];
    for shorten in shorter {
        let over = out.len().saturating_sub(most);
        let Some(first) = answer.results.first_mut().filter(|_| over > 0) else { break };
        shorten(first, over);
        out = render(&answer);
    }
    if let Some(first) = answer.passages.first_mut().filter(|_| out.len() > most) {
        first.snippet.clear();
        out = render(&answer);
    }
    out
}

fn cut(text: &mut String, over: usize) {
    text.truncate(prefix(text, text.len().saturating_sub(over)).len());
}

/// Renders lines with as many results as fit, at least the first.
pub(super) fn lines(answer: Answer, most: Option<usize>, render: impl Fn(&Answer) -> String) -> String {
    fewer(answer, most, &render, String::len).1
}

/// Renders a page with as many results as fit into the tokens, and the lines of code that fit on
/// the screen.
///
/// On a screen without space for all, only the first passage follows an answer, so that the first
/// result stays visible.
pub(super) fn page(
    mut answer: Answer,
    most: Option<usize>,
    fits_screen: bool,
    render: impl Fn(&Answer, Detail) -> Page,
) -> Page {
    let passages = answer.passages.iter().chain(&answer.docs).map(|found| found.snippet.len());
    let longest = answer.results.iter().map(|found| found.snippet.len()).chain(passages).max().unwrap_or(0);
    let screen = output::screen().filter(|_| fits_screen).map(|(columns, rows)| (columns, rows.saturating_sub(PROMPT)));
    let fits = |answer: &Answer, detail: &Detail| {
        screen.is_none_or(|(columns, rows)| render(answer, *detail).fitted(columns).lines().count() <= rows)
    };
    let least = Detail { steps: 0, ..Detail::ALL };
    while answer.docs.len() > 1 && !fits(&answer, &least) {
        answer.docs.pop();
    }
    let detail = match screen {
        None => Detail::ALL,
        Some(_) => Detail::amounts(answer.shown(), longest).find(|detail| fits(&answer, detail)).unwrap_or(least),
    };
    let (_, page) = fewer(answer, most, &|answer: &Answer| render(answer, detail), |page| page.text().len());
    match most.map(|tokens| tokens.saturating_mul(BYTES_PER_TOKEN)) {
        Some(most) if page.text().len() > most => page.cut(most),
        _ => page,
    }
}

/// Removes results from the end, except the first, until the output fits.
fn fewer<T>(
    mut answer: Answer,
    most: Option<usize>,
    render: &impl Fn(&Answer) -> T,
    bytes: impl Fn(&T) -> usize,
) -> (Answer, T) {
    let mut out = render(&answer);
    let Some(most) = most.map(|tokens| tokens.saturating_mul(BYTES_PER_TOKEN)) else { return (answer, out) };
    while bytes(&out) > most && answer.shown() > 1 {
        answer.pop_last();
        answer.cut += 1;
        out = render(&answer);
    }
    (answer, out)
}
