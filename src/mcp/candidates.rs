//! Formats the answer to a question: the code of the first candidates, a line for each of the
//! others, and names.
//!
//! An agent that reads an answer decides in one of three ways: the code shows that the first
//! candidate is right; the line of another candidate is worth a look at its code; or a name is. So
//! code comes first, as much as is likely to be needed: one function if it is probably right, parts
//! of three otherwise.

use super::excerpt::Code;
use super::further::{by_file, with_its_type};
use super::seen::SeenCode;
use crate::engine::{Brief, BriefCandidate, Engine};
use crate::render::foreign_notice;
use whichfn_memory::count_tokens;
use whichfn_search::answer::{AnswerBasis, CallDirection, CodeLine, DefinitionLocation, PassageResult};
use whichfn_search::search::Trust;
use whichfn_text::{ellipsis, file_name, first_sentence, one_line};

/// Numbers of candidates with code: if the first is most likely right, if it is probably right, and
/// otherwise.
const WITH_CODE: [usize; 3] = [1, 2, 3];
/// Maximum numbers of functions that are listed by name in these cases.
const FURTHER: [usize; 3] = [0, 10, 20];
/// Share of the tokens for these names: one of so many.
const FURTHER_SHARE: usize = 5;
/// Number of tokens reserved for the line about a question about the graph.
const GRAPH_LINE: usize = 40;
/// Maximum number of characters of a line about a candidate's work.
const WIDEST: usize = 90;
/// Maximum number of callees, and of nested functions and copies, that are named.
const NAMES: (usize, usize) = (8, 3);

/// Formats the answer to a question in about `tokens` tokens. Code in `seen` is not repeated, and
/// code that is shown is added.
pub(super) fn answer(engine: &Engine, brief: &Brief, tokens: usize, seen: &mut SeenCode) -> String {
    let trust = brief.answer.confidence.map(|confidence| confidence.trust());
    let mut page = Page { engine, left: tokens, text: String::new() };
    page.push(foreign_notice(&brief.answer).map(|notice| notice + "\n").unwrap_or_default());
    page.left = page.left.saturating_sub(GRAPH_LINE);
    page.push(head(trust, brief.candidates.is_empty(), brief.passages.is_empty()));
    let most = if brief.candidates.is_empty() { tokens } else { tokens / 3 };
    let passages = page.fitting(brief.passages.iter().map(passage), most);
    let order = together(&brief.candidates);
    let lines = order.iter().zip(1..).map(|(&at, place)| line(engine, &brief.candidates, &order, at, place));
    let half = page.left / 2;
    let lines = page.fitting(lines, half);
    let case = match trust {
        Some(Trust::Sure) => 0,
        Some(Trust::Likely) => 1,
        _ => 2,
    };
    let (further, further_count) = by_file(&brief.behind, FURTHER[case], page.left.min(tokens / FURTHER_SHARE));
    page.left = page.left.saturating_sub(count_tokens(&further));
    // The order of the search decides which candidates get code: the first gets up to three quarters
    // of the tokens, the next three quarters of the rest, and the last what remains. A test is rarely
    // what an agent changes.
    let is_program = |&at: &usize| at == 0 || !engine.is_test(brief.candidates[at].found.definition);
    let with_code: Vec<usize> = (0..brief.candidates.len()).filter(is_program).take(WITH_CODE[case]).collect();
    let mut codes = vec![String::new(); brief.candidates.len()];
    for (&at, count) in with_code.iter().zip(1..) {
        let share = if count == with_code.len() { page.left } else { page.left / 4 * 3 };
        codes[at] = page.code(&brief.candidates[at], share, seen);
    }
    for (line, &at) in lines.iter().zip(&order) {
        page.text += line;
        page.text += &codes[at];
    }
    if !further.is_empty() {
        page.text += &format!("others by name:\n{further}");
    }
    let shown =
        brief.candidates.iter().take(lines.len()).map(|one| 1 + one.found.duplicates.len() + one.overloads.len());
    page.text.insert_str(0, &graph_line(brief, shown.sum::<usize>() + further_count));
    if !passages.is_empty() {
        page.text += &format!("documentation:\n{}", passages.concat());
    }
    page.text
}

/// An answer in progress.
struct Page<'a> {
    engine: &'a Engine,
    /// Tokens that are left.
    left: usize,
    text: String,
}

impl Page<'_> {
    fn push(&mut self, text: String) {
        self.left = self.left.saturating_sub(count_tokens(&text));
        self.text += &text;
    }

    /// Returns the first pieces that fit into `most` tokens, at least one.
    fn fitting(&mut self, pieces: impl Iterator<Item = String>, most: usize) -> Vec<String> {
        let (mut kept, mut sum): (Vec<String>, usize) = (Vec::new(), 0);
        for piece in pieces {
            let cost = count_tokens(&piece);
            sum += cost;
            if sum > most && !kept.is_empty() {
                break;
            }
            self.left = self.left.saturating_sub(cost);
            kept.push(piece);
        }
        kept
    }

    /// Returns the code of a candidate and the names of its callees and callers, in about `tokens`
    /// tokens.
    fn code(&mut self, one: &BriefCandidate, tokens: usize, seen: &mut SeenCode) -> String {
        let location = self.engine.location(one.found.definition);
        let lines = self.engine.source_of(&location);
        if lines.is_empty() {
            return String::new();
        }
        let root = self.engine.root();
        if seen.contains(root, &location.path, &lines) {
            return "[code shown before]\n".to_owned();
        }
        let code = Code { lines: &lines, first: location.start_line, head: location.line, deciding: &one.deciding };
        let callers = self.engine.certain_calls(one.found.definition, CallDirection::Callers);
        let linked = names("calls", &one.callees, &location.path) + &names("called by", &callers, &location.path);
        let Some((mut text, is_whole)) = code.fitting(tokens.saturating_sub(count_tokens(&linked))) else {
            return String::new();
        };
        if is_whole {
            seen.add(root, &location.path, &lines);
        }
        text += &linked;
        self.left = self.left.saturating_sub(count_tokens(&text));
        text
    }
}

/// Returns how many definitions the graph contains for a question about it, of which `shown` are
/// shown, or that it contains none.
fn graph_line(brief: &Brief, shown: usize) -> String {
    let Some(AnswerBasis::Graph(subject)) = &brief.answer.basis else { return String::new() };
    let place = |of: &DefinitionLocation| format!("{}:{}", of.path, of.line);
    let missing = subject.missing(place).map(|missing| format!("{missing}: these are the results of a search\n"));
    let counted = || subject.counted(shown, place).map(|counted| format!("{counted}\n"));
    missing.or_else(counted).unwrap_or_default()
}

fn head(trust: Option<Trust>, nothing: bool, no_passages: bool) -> String {
    let head = match trust {
        _ if nothing && no_passages => {
            "none of the words in the question occur in the code, or in the files that match `paths`: use different words, \
             omit `paths`, or pass `kind`: \"docs\" for documentation and settings\n"
        }
        Some(Trust::Sure) => "1 is most likely right\n",
        Some(Trust::Likely) => "1 is probably right\n",
        Some(Trust::NothingFits) => {
            "the repository probably has no such function: these are the closest (`kind`: \"docs\" searches documentation \
             and settings)\n"
        }
        _ => "",
    };
    head.to_owned()
}

/// Returns the order in which candidates are shown: by rank, but each followed by those that it
/// calls or that call it.
fn together(candidates: &[BriefCandidate]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for at in 0..candidates.len() {
        let linked = (at + 1..candidates.len())
            .filter(|&other| calls(&candidates[at], &candidates[other]) || calls(&candidates[other], &candidates[at]));
        for one in std::iter::once(at).chain(linked) {
            if !order.contains(&one) {
                order.push(one);
            }
        }
    }
    order
}

fn calls(caller: &BriefCandidate, callee: &BriefCandidate) -> bool {
    caller.callees.iter().any(|one| one.definition == callee.found.definition)
}

/// Returns the line of a candidate: its place, its name, what it does, and what is connected with
/// it.
fn line(engine: &Engine, all: &[BriefCandidate], order: &[usize], at: usize, place: usize) -> String {
    let one = &all[at];
    let found = &one.found;
    let span = match found.end_line {
        last if last == found.start_line => last.to_string(),
        last => format!("{}-{last}", found.start_line),
    };
    let does = ellipsis(&one_line(first_sentence(&one.does)), WIDEST, "…");
    // A path is printed in full once. After that the file's name is enough, also for `show`.
    let is_repeated = order[..place - 1].iter().any(|&other| all[other].found.path == found.path);
    let name = file_name(&found.path);
    let path = if is_repeated && engine.file_path(name) == Some(&found.path) { name } else { &found.path };
    let mut line = format!("{place}. {path}:{span} {}", with_its_type(&found.qualified_name));
    if !does.is_empty() {
        line += &format!(": {does}");
    }
    let linked = |is_linked: &dyn Fn(&BriefCandidate) -> bool| -> Vec<String> {
        order
            .iter()
            .zip(1..)
            .filter(|&(&other, _)| other != at && is_linked(&all[other]))
            .map(|(_, place)| format!("{place}"))
            .collect()
    };
    let (callees, callers) = (linked(&|other| calls(one, other)), linked(&|other| calls(other, one)));
    let inner: Vec<String> =
        one.inner.iter().map(|inner| format!("{}:{}", last(&inner.name), inner.line)).take(NAMES.1).collect();
    let overloads: Vec<String> = one.overloads.iter().map(|other| format!(":{}", other.line)).take(NAMES.0).collect();
    let copies: Vec<String> =
        found.duplicates.iter().map(|copy| format!("{}:{}", copy.path, copy.line)).take(NAMES.1).collect();
    let notes =
        [("calls", callees), ("called by", callers), ("contains", inner), ("overloads", overloads), ("same", copies)];
    for (what, names) in notes.iter().filter(|(_, names)| !names.is_empty()) {
        line += &format!(" [{what} {}]", names.join(", "));
    }
    line + "\n"
}

/// Returns a line with the names of functions, those of this file with their lines.
pub(super) fn names(what: &str, all: &[DefinitionLocation], path: &str) -> String {
    if all.is_empty() {
        return String::new();
    }
    let name = |one: &DefinitionLocation| match one.path == path {
        true => format!("{}:{}", last(&one.name), one.line),
        false => with_its_type(&one.name).to_owned(),
    };
    let more = if all.len() > NAMES.0 { format!(" and {} more", all.len() - NAMES.0) } else { String::new() };
    let named: Vec<String> = all.iter().take(NAMES.0).map(name).collect();
    format!("({what} {}{more})\n", named.join(", "))
}

fn last(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Returns a passage of a text file: its place, its headings, and its best lines.
fn passage(one: &PassageResult) -> String {
    let mut lines: Vec<&CodeLine> = one.snippet.iter().collect();
    lines.sort_by_key(|line| line.number);
    let lines: String = lines.iter().map(|line| format!("  {}\n", ellipsis(&line.text, 2 * WIDEST, "…"))).collect();
    let headings = ellipsis(&one.headings.join(" › "), WIDEST, "…");
    format!("{}:{}-{} {headings}\n{lines}", one.path, one.start_line, one.end_line)
}
