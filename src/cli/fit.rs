//! Fits an answer into a number of tokens, or onto a screen. The first result is always included,
//! shortened if necessary.

use super::output;
use super::page::Page;
use super::text::Shown;
use whichfn_search::answer::{Answer, SearchResult};
use whichfn_text::{BYTES_PER_TOKEN, prefix};

/// Number of screen lines reserved for the prompt before and after the answer.
const PROMPT: usize = 2;

/// Level of detail of each result: 0 is the minimum, then its documentation, then the reasons, then
/// one more line of code per level.
#[derive(Clone, Copy)]
pub(super) struct Detail(usize);

impl Detail {
    const REASONS: usize = 2;

    /// Returns what is shown at this level.
    pub fn applied_to<'a>(self, shown: Shown<'a>) -> Shown<'a> {
        Shown {
            code_lines: self.0.saturating_sub(Self::REASONS),
            shows_reasons: self.0 >= Self::REASONS,
            doc: if self.0 == 0 { 0 } else { shown.doc },
            ..shown
        }
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
    let rows = output::screen().filter(|_| fits_screen).map_or(usize::MAX, |(_, rows)| rows.saturating_sub(PROMPT));
    let passages = answer.passages.iter().map(|found| found.snippet.len());
    let longest = answer.results.iter().map(|found| found.snippet.len()).chain(passages).max().unwrap_or(0);
    let fits = |answer: &Answer, detail: Detail| render(answer, detail).text().lines().count() <= rows;
    while answer.docs.len() > 1 && !fits(&answer, Detail(0)) {
        answer.docs.pop();
    }
    let detail =
        (0..=longest + Detail::REASONS).rev().map(Detail).find(|&detail| fits(&answer, detail)).unwrap_or(Detail(0));
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
