//! Formats answers for an agent: the same content as text and as JSON, each in at most
//! [`MOST_TOKENS`].

use super::MOST_TOKENS;
use super::further_functions::{by_file, count_that_fit};
use super::tools::{FunctionContextOutput, ShownCandidate, ShownPassage, WhichFunctionOutput};
use crate::engine::{Brief, BriefCandidate, FunctionContext, NamedNeighbours, Neighbour};
use crate::host::IndexFreshness;
use serde::Serialize;
use serde_json::Value;
use whichfn_memory::count_tokens;
use whichfn_search::answer::{CodeLine, PassageResult, References, Use};
use whichfn_search::search::Trust;
use whichfn_text::{ellipsis, one_line, plain};

/// Token budget of all candidates; the rest is for the names after them.
const CANDIDATE_TOKENS: usize = 1_050;
/// Token budget of the text before and after the candidates and names.
const HEAD_TOKENS: usize = 150;
/// Divisor for the number of names to drop at a time, if the whole is still too long.
const FEWER: usize = 20;
/// Maximum number of characters of a signature, of a line of documentation, and of each line added
/// to a candidate.
const WIDEST: usize = 130;
/// Number of words of the question that replace missing documentation.
const WORDS: usize = 5;
/// Maximum number of copies and nested functions that are listed.
const ALSO: usize = 3;
/// Maximum number of callers, of callees, and of related functions that are listed.
const NEIGHBOURS: usize = 10;
/// Maximum number of uses that are listed for each caller that is listed.
const USES_PER_NEIGHBOUR: usize = 2;
/// Minimum number of source lines of a function that are kept before neighbors are dropped.
const FEWEST_LINES: usize = 8;

/// An answer, as text and as JSON.
pub(super) struct ToolAnswer {
    /// Text for a reader.
    pub text: String,
    /// JSON that conforms to the tool's output schema.
    pub json: Value,
}

fn shown(text: String, output: &impl Serialize) -> ToolAnswer {
    ToolAnswer { text, json: serde_json::to_value(output).unwrap_or_default() }
}

fn fits(shown: &ToolAnswer) -> bool {
    count_tokens(&shown.text) <= MOST_TOKENS && count_tokens(&shown.json.to_string()) <= MOST_TOKENS
}

/// Formats the candidates for a question in about [`CANDIDATE_TOKENS`], followed by as many names
/// as fit. If the list is too long, first the last candidates lose their code, line by line from
/// the bottom; then candidates are dropped.
///
/// Tokens are added up piece by piece, which is fast and slightly too high; the whole is counted at
/// the end.
pub(super) fn brief(brief: &Brief, index: IndexFreshness) -> ToolAnswer {
    let trust = brief.answer.confidence.map(|confidence| confidence.trust());
    let passages: Vec<ShownPassage> = brief.passages.iter().map(passage).collect();
    let most = if brief.candidates.is_empty() { MOST_TOKENS - 2 * HEAD_TOKENS } else { CANDIDATE_TOKENS / 2 };
    let (passages, passage_tokens) = first_that_fit(passages, most);
    let candidate_tokens = CANDIDATE_TOKENS.saturating_sub(passage_tokens);
    let answer = |lines: &[usize], named: usize| {
        let output = WhichFunctionOutput {
            passages: passages.clone(),
            candidates: brief.candidates.iter().zip(lines).map(|(one, &lines)| candidate(one, lines)).collect(),
            behind: by_file(&brief.behind[..named]),
            trust: trust.map(|trust| trust.name().to_owned()),
            next: next(trust, brief.candidates.is_empty(), passages.is_empty()),
            index: index.clone(),
        };
        shown(text_of(&output), &output)
    };
    let price = |one: &BriefCandidate| {
        let tokens = |lines| json_tokens(&candidate(one, lines));
        (0..=one.code.len()).map(tokens).collect::<Vec<usize>>()
    };
    let prices: Vec<Vec<usize>> = brief.candidates.iter().map(price).collect();
    let sum = |lines: &[usize]| lines.iter().zip(&prices).map(|(&lines, price)| price[lines]).sum::<usize>();
    let mut shorter = cuts(brief.candidates.iter().map(|one| one.code.len()).collect());
    shorter.retain(|lines| lines.len() < 2 || sum(lines) <= candidate_tokens);
    let shown = shorter.first().map_or(0, |lines| sum(lines)).min(candidate_tokens) + passage_tokens;
    let left = (MOST_TOKENS - HEAD_TOKENS).saturating_sub(shown);
    let mut named = count_that_fit(&brief.behind, left);
    for lines in shorter {
        loop {
            let answer = answer(&lines, named);
            if fits(&answer) || (named == 0 && lines.len() < 2) {
                return answer;
            }
            if named == 0 {
                break;
            }
            named -= named.div_ceil(FEWER);
        }
    }
    answer(&[], 0)
}

/// Returns the first passages that fit into `most` tokens, and their tokens.
fn first_that_fit(mut passages: Vec<ShownPassage>, most: usize) -> (Vec<ShownPassage>, usize) {
    let mut tokens = 0;
    let fits = |one: &ShownPassage| {
        let price = json_tokens(one);
        let fits = tokens + price <= most;
        tokens += if fits { price } else { 0 };
        fits
    };
    let count = passages.iter().map(fits).take_while(|fits| *fits).count();
    passages.truncate(count);
    (passages, tokens)
}

fn passage(one: &PassageResult) -> ShownPassage {
    let mut lines: Vec<&CodeLine> = one.snippet.iter().collect();
    lines.sort_by_key(|line| line.number);
    let lines: Vec<String> =
        lines.iter().map(|line| format!("{}| {}", line.number, ellipsis(&line.text, WIDEST, " ..."))).collect();
    ShownPassage {
        place: format!("{}:{}-{}", one.path, one.start_line, one.end_line),
        headings: ellipsis(&one.headings.join(" › "), WIDEST, " ..."),
        text: lines.join("\n"),
    }
}

fn json_tokens(piece: &impl Serialize) -> usize {
    count_tokens(&serde_json::to_string(piece).unwrap_or_default())
}

/// Returns the numbers of lines of the candidates, from all lines to one candidate without any. In
/// each step the last candidate with the most lines loses one, so lower candidates lose code first,
/// and no candidate loses all its lines while others still have three; after that, the last
/// candidate is dropped.
fn cuts(mut lines: Vec<usize>) -> Vec<Vec<usize>> {
    let mut all = vec![lines.clone()];
    loop {
        let most = lines.iter().copied().max().unwrap_or(0);
        match lines.iter().rposition(|&count| count == most && most > 0) {
            Some(at) => lines[at] -= 1,
            None if lines.len() < 2 => return all,
            None => drop(lines.pop()),
        }
        all.push(lines.clone());
    }
}

fn next(trust: Option<Trust>, nothing: bool, no_passages: bool) -> String {
    let next = match trust {
        _ if nothing && !no_passages => "read the file around a passage for more; if none fits, use different words",
        _ if !no_passages => "compare the functions, and the passages after them; if none fits, use different words",
        _ if nothing => {
            "none of the words in the question occur in the code, or in the files that match `paths`: use different words, \
             or omit `paths`"
        }
        Some(Trust::Sure) => "the first is most likely the right one",
        Some(Trust::NothingFits) => "the repository probably has no such function: these are the closest",
        _ => "compare the candidates; function_context shows one in full; if none fits, use different words",
    };
    next.to_owned()
}

fn candidate(one: &BriefCandidate, lines: usize) -> ShownCandidate {
    let found = &one.found;
    let inner =
        one.inner.iter().map(|inner| format!("inside: {} {} :{}", inner.id, last(&inner.location.name), inner.line));
    let lines_of: Vec<String> = one.overloads.iter().map(|other| format!(":{}", other.line)).collect();
    let overloads =
        (!lines_of.is_empty()).then(|| ellipsis(&format!("overloads: {}", lines_of.join(" ")), WIDEST, " ..."));
    let copies =
        found.duplicates.iter().map(|copy| format!("same: {} {}:{}", copy.qualified_name, copy.path, copy.line));
    ShownCandidate {
        id: one.id.clone(),
        place: format!("{}:{}", found.path, found.line),
        signature: headed(&found.qualified_name, &found.name, &found.signature),
        does: match found.doc.trim() {
            "" if lines == 0 => words(one),
            doc => ellipsis(&one_line(&plain(doc)), WIDEST, " ..."),
        },
        code: code(one, lines),
        also: inner.chain(overloads).chain(copies).take(ALSO).collect(),
    }
}

/// Returns the `lines` most relevant lines, in file order.
fn code(one: &BriefCandidate, lines: usize) -> String {
    let mut kept: Vec<&(u32, String)> = one.code.iter().take(lines).collect();
    kept.sort();
    kept.iter().map(|(number, line)| format!("{number}| {line}")).collect::<Vec<_>>().join("\n")
}

fn last(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Returns a signature, preceded by the name of the enclosing definition.
fn headed(qualified: &str, name: &str, signature: &str) -> String {
    let signature = if signature.is_empty() { name } else { signature };
    let line = match qualified.strip_suffix(name) {
        Some(around) if !around.is_empty() => format!("{} {signature}", around.trim_end_matches(['.', ':'])),
        _ => signature.to_owned(),
    };
    ellipsis(&one_line(&line), WIDEST, " ...")
}

/// Returns the words that the function matched, to replace missing documentation.
fn words(one: &BriefCandidate) -> String {
    let found = one.found.evidence.iter().take(WORDS).map(|word| match word.query == word.found.to_lowercase() {
        true => word.query.clone(),
        false => format!("{} ({})", word.query, ellipsis(&one_line(&word.found), 40, "...")),
    });
    let found: Vec<String> = found.collect();
    if found.is_empty() { String::new() } else { format!("[found by] {}", found.join(", ")) }
}

fn text_of(output: &WhichFunctionOutput) -> String {
    let mut text = String::new();
    if let Some(trust) = &output.trust {
        text += &format!("first: {trust}; ");
    }
    text += &format!("{}\n", output.next);
    for (one, place) in output.candidates.iter().zip(1..) {
        text += &format!("\n{place}. {} {}  {}\n", one.id, one.place, one.signature);
        let lines =
            std::iter::once(one.does.as_str()).chain(one.code.lines()).chain(one.also.iter().map(String::as_str));
        lines.filter(|line| !line.is_empty()).for_each(|line| text += &format!("   {line}\n"));
    }
    if !output.passages.is_empty() {
        text += "\npassages:\n";
    }
    for one in &output.passages {
        text += &format!("{}  {}\n", one.place, one.headings);
        one.text.lines().for_each(|line| text += &format!("   {line}\n"));
    }
    if !output.behind.is_empty() {
        text += "\nfurther candidates:\n";
    }
    output.behind.iter().for_each(|file| text += &format!("{}\n  {}\n", file.path, file.functions.join("\n  ")));
    text + &footer(&output.index)
}

fn footer(index: &IndexFreshness) -> String {
    let notices: String = index.notices.iter().map(|line| format!("note: {line}\n")).collect();
    let changed = match index.changed_files {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    format!(
        "\n{notices}index of {}: up to date at {}, {changed} read again, {} functions in {} files\n",
        index.root, index.up_to_date_at, index.functions, index.files
    )
}

/// Formats a function with its surroundings. If the answer is too long, it loses lines from the
/// middle of its source, then neighbors.
///
/// If `about` answers another question about the function, the answer has only the first lines of
/// the source.
pub(super) fn context(
    function: &FunctionContext,
    mut about: Vec<String>,
    uses: Option<&References>,
    index: IndexFreshness,
) -> ToolAnswer {
    let (mut lines, mut most) = (function.source.len(), NEIGHBOURS);
    if !about.is_empty() {
        (lines, most) = (lines.min(FEWEST_LINES), 1);
    }
    about.iter_mut().for_each(|line| *line = ellipsis(&one_line(line), 2 * WIDEST, " ..."));
    loop {
        let mut output = context_output(function, index.clone(), (lines, most), &about);
        output.uses = uses.map(|found| use_lines(found, USES_PER_NEIGHBOUR * most)).unwrap_or_default();
        let answer = shown(text_of_context(&output), &output);
        if fits(&answer) || (lines <= FEWEST_LINES && most <= 1 && about.len() < 2) {
            return answer;
        }
        if most <= 1 && lines <= FEWEST_LINES {
            about.truncate(about.len() - about.len().div_ceil(10));
            continue;
        }
        match lines > FEWEST_LINES {
            // Dropping a tenth at a time takes a few dozen attempts for a thousand lines.
            true => lines = (lines - lines.div_ceil(10)).max(FEWEST_LINES),
            false => most -= 1,
        }
    }
}

/// Returns a line for each of the first uses, and the number of the other uses.
fn use_lines(found: &References, most: usize) -> Vec<String> {
    let line = |one: &Use| {
        let text = ellipsis(&one.text, WIDEST, " ...");
        format!("{}:{} {} ({}): {text}", one.path, one.line, one.inside, one.phrase())
    };
    let mut lines: Vec<String> = found.uses.iter().take(most).map(line).collect();
    let all = found.total();
    if all > lines.len() {
        lines.push(format!("and {} more", all - lines.len()));
    }
    lines
}

fn context_output(
    function: &FunctionContext,
    index: IndexFreshness,
    (lines, most): (usize, usize),
    about: &[String],
) -> FunctionContextOutput {
    let (place, name) = (&function.location, last(&function.location.name));
    let neighbours = |all: &NamedNeighbours, joint: &str, line: fn(&Neighbour) -> u32| {
        let described = |one: &Neighbour| {
            let reason = ellipsis(&one_line(&one.why), WIDEST, " ...");
            let place = format!("{} {}:{} {}", one.id, one.location.path, line(one), one.location.name);
            if reason.is_empty() { place } else { format!("{place}{joint}{reason}") }
        };
        let mut lines: Vec<String> = all.named.iter().take(most).map(described).collect();
        if all.all > lines.len() {
            lines.push(format!("and {} more", all.all - lines.len()));
        }
        lines
    };
    FunctionContextOutput {
        id: function.id.clone(),
        place: format!("{}:{}", place.path, place.line),
        signature: headed(&place.name, name, &function.signature),
        does: ellipsis(&one_line(&plain(&function.doc)), 2 * WIDEST, " ..."),
        source: source(function, lines),
        callers: neighbours(&function.callers, ": ", |one| one.line),
        callees: neighbours(&function.callees, " by: ", |one| one.location.line),
        implementations: neighbours(&function.implementations, ": ", |one| one.location.line),
        related: neighbours(&function.related, ": ", |one| one.location.line),
        shown: about.to_vec(),
        uses: Vec::new(),
        index,
    }
}

/// Returns up to `most` lines of a function's source: two thirds from its beginning, the rest from
/// its end.
fn source(function: &FunctionContext, most: usize) -> String {
    let numbered = (function.location.start_line..)
        .zip(&function.source)
        .map(|(number, line)| format!("{number}| {}", ellipsis(line, 2 * WIDEST, " ...")));
    let mut lines: Vec<String> = numbered.collect();
    if lines.len() > most {
        let head = most - most / 3;
        let (from, to) = (head, lines.len() - most / 3);
        let left_out = format!(
            "[... lines {} to {} ...]",
            function.location.start_line as usize + from,
            function.location.start_line as usize + to - 1
        );
        lines.splice(from..to, [left_out]);
    }
    if lines.is_empty() {
        return "its file changed while it was being read: call again".to_owned();
    }
    lines.join("\n")
}

fn text_of_context(output: &FunctionContextOutput) -> String {
    let mut text = format!("{} {}  {}\n", output.id, output.place, output.signature);
    text += &format!("\n{}\n", output.source);
    if !output.shown.is_empty() {
        text += &format!("\n{}\n", output.shown.join("\n"));
    }
    let sections = [
        ("called by", &output.callers),
        ("calls", &output.callees),
        ("implementations", &output.implementations),
        ("related", &output.related),
    ];
    for (title, all) in sections {
        match all.is_empty() {
            true if title == "implementations" => {}
            true => text += &format!("\n{title}: nothing in this repository, according to the call graph\n"),
            false => {
                text += &format!("\n{title}:\n{}", all.iter().map(|line| format!("  {line}\n")).collect::<String>())
            }
        }
    }
    if !output.uses.is_empty() {
        text += &format!("\nused by:\n{}", output.uses.iter().map(|line| format!("  {line}\n")).collect::<String>());
    }
    text + &footer(&output.index)
}
