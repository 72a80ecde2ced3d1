//! `whichfn "..."`.

use super::common::CommonArgs;
use super::model::ModelArgs;
use super::progress::Bar;
use super::ranking::RankingArgs;
use super::settings::Settings;
use super::{Exit, advice, json, open, output, place, ranking, reading, text, trace};
use crate::answer::Answer;
use crate::engine::{Answered, HowRead, Way};
use crate::error::{Error, Kind, Result};
use crate::scan::find_root;
use crate::search::{MOST_TERMS, Query, Trust};
use crate::text::BYTES_PER_TOKEN;
use clap::Args;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

/// Bytes of standard input that are read as a question: more than any log that a person pastes.
const LONGEST_QUESTION: u64 = 1 << 20;

#[derive(Debug, Clone, Args)]
pub(super) struct AskArgs {
    /// What the function does, in words, with or without quotes; `-` reads it from standard input. A directory behind it
    /// says where to ask [default: the repository around the current directory].
    #[arg(value_name = "QUESTION", num_args = 1..)]
    pub words: Vec<OsString>,
    #[command(flatten)]
    pub results: RankingArgs,
    /// Print JSON.
    #[arg(long, conflicts_with = "jsonl", help_heading = "Output")]
    pub json: bool,
    /// Print one JSON object for each result.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub jsonl: bool,
    /// Show how each score comes about.
    #[arg(long, help_heading = "Output")]
    pub explain: bool,
    /// Give near-duplicates (copies, overload stubs) places of their own, not below the result that they repeat.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub no_fold: bool,
    /// Lines of each result to show; 0 for none [default: 0].
    #[arg(long, value_name = "N", env = "WHICHFN_SNIPPET_LINES", help_heading = "Output")]
    pub snippet_lines: Option<usize>,
    /// Print no more than about this many tokens (of four bytes); results that do not fit are counted.
    #[arg(long, value_name = "N", help_heading = "Output", hide_short_help = true)]
    pub max_tokens: Option<usize>,
    /// Show how it was read: chunk by chunk what it cost and what was kept, or the steps of a walk. JSON has the former always.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub trace: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &AskArgs) -> Result<Exit> {
    let (typed, directory) = question_and_directory(&asked.words)?;
    let (question, is_cut) = question(&typed)?;
    let root = find_root(directory)?;
    let settings = Settings::read(&root)?;
    output::set_verbosity(asked.shared.verbose);
    output::set_color(asked.shared.color.or(settings.color));
    let query = ranking::query(&question, &asked.results, &settings)?;
    if !asked.shared.quiet && (is_cut || query.question.cut) {
        output::notice(&format!(
            "the question is long: its first {} distinct words count, of at most {} MiB",
            MOST_TERMS,
            LONGEST_QUESTION >> 20
        ));
    }
    let snippet_lines = asked.snippet_lines.or(settings.snippet_lines).unwrap_or(0);
    let owned = reading::OwnedPlan::new(&asked.results.reading, &asked.model, &settings)?;
    let engine = open::engine_for(&root, &settings, &asked.shared, &asked.results)?;
    let (Answered { answer, mut trace, left_out, .. }, is_direct) = {
        let bar = Bar::new(&asked.shared);
        let progress = |done: usize, total: usize| bar.shown(done, total);
        let plan = owned.plan(snippet_lines, !asked.no_fold, Some(&progress));
        (engine.answer(&query, &plan)?, matches!(plan.way, Way::Direct))
    };
    if trace.is_none() && !is_direct && !asked.shared.quiet {
        output::notice("only functions are read; this was answered by the search alone");
    }
    if !asked.shared.quiet {
        output::left_out(&left_out);
    }
    if let Some(trace) = trace.as_ref().filter(|_| asked.trace && !asked.json && !asked.jsonl) {
        output::detail(&trace::of(trace));
    }
    if let Some(HowRead::Walk(walk)) = trace.as_mut().filter(|_| !asked.trace) {
        // Thousands of steps are for those who ask for them.
        walk.way.steps.clear();
    }
    if !asked.shared.quiet {
        match trace.as_ref().and_then(trace::why_nothing) {
            Some(why) if !answer.results.is_empty() => output::notice(&why),
            why if answer.results.is_empty() => nothing_found(&answer, &query, why),
            _ => {}
        }
    }
    let is_foreign = answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::NothingFits);
    if is_foreign && !asked.shared.quiet {
        let next = advice::after(Trust::NothingFits, trace.is_some()).unwrap_or_default();
        output::notice(&format!("nothing here fits well; these are the nearest ({next})"));
    }
    let is_empty = answer.results.is_empty();
    print(asked, answer, trace.as_ref(), &place::shown_root(directory, &root))?;
    Ok(if is_empty { Exit::Nothing } else { Exit::Found })
}

/// Prints as much of the answer as is wanted, in the form that is wanted.
fn print(asked: &AskArgs, answer: Answer, trace: Option<&HowRead>, root: &Path) -> Result<()> {
    if asked.json {
        return output::data(&fit(answer, asked.max_tokens, |answer| json::answer(answer, trace), String::len));
    }
    if asked.jsonl {
        return output::data(&fit(answer, asked.max_tokens, json::lines, String::len));
    }
    let page = |answer: &Answer| text::answer(answer, trace, root, asked.explain, asked.shared.verbose > 0);
    output::page(&fit(answer, asked.max_tokens, page, |page| page.text().len()))
}

/// What was typed without quotes is one question. What stands behind it is where to ask, if it is a directory or has a slash;
/// behind a question in quotes, or the name of a file behind one word, it always is, so that a wrong place is an error.
fn question_and_directory(words: &[OsString]) -> Result<(String, Option<&Path>)> {
    let is_place = |word: &Path| word.is_dir() || word.components().count() > 1 || word.is_absolute();
    let is_quoted = |word: &OsString| word == "-" || word.as_encoded_bytes().contains(&b' ');
    let (directory, said) = match words {
        [one, last] if is_quoted(one) || Path::new(last).exists() => (Some(Path::new(last)), &words[..1]),
        [said @ .., last] if !said.is_empty() && is_place(Path::new(last)) => (Some(Path::new(last)), said),
        said => (None, said),
    };
    let said: Option<Vec<&str>> = said.iter().map(|word| word.to_str()).collect();
    let no_text = || Error::new(Kind::Usage, "the question is no UTF-8", "type it, or pipe it in: whichfn - < FILE");
    Ok((said.ok_or_else(no_text)?.join(" "), directory))
}

/// The question, and whether more of it came in than is read.
fn question(typed: &str) -> Result<(String, bool)> {
    if typed != "-" {
        return Ok((typed.to_owned(), false));
    }
    let failed = |cause: &str| {
        Error::new(Kind::Usage, format!("cannot read the question: {cause}"), "pipe it in, or type it as an argument")
    };
    let mut bytes = Vec::new();
    let most = std::io::stdin().take(LONGEST_QUESTION + 1).read_to_end(&mut bytes);
    most.map_err(|cause| failed(&cause.to_string()))?;
    let is_cut = bytes.len() as u64 > LONGEST_QUESTION;
    bytes.truncate(LONGEST_QUESTION as usize);
    // A cut may fall within a character.
    let text = match String::from_utf8(bytes) {
        Err(wrong) if !is_cut || wrong.utf8_error().error_len().is_some() => return Err(failed("it is no UTF-8")),
        Err(wrong) => String::from_utf8_lossy(&wrong.as_bytes()[..wrong.utf8_error().valid_up_to()]).into_owned(),
        Ok(text) => text,
    };
    Ok((text, is_cut))
}

/// An empty list says why on stderr, so that nobody takes it for an error or the other way round.
fn nothing_found(answer: &Answer, query: &Query, why: Option<String>) {
    let narrowed = !query.languages.is_empty() || !query.paths.is_empty();
    if answer.index.files == 0 {
        output::notice(&format!(
            "there is nothing to search in {} ({} files left out; see: whichfn status)",
            answer.root, answer.index.skipped
        ));
    } else if answer.index.functions == 0 {
        output::notice(&format!(
            "no functions were found in the {} files of {}; try --unit file",
            answer.index.files, answer.root
        ));
    } else if let Some(why) = why {
        output::notice(&why);
    } else if narrowed {
        output::notice("nothing found; --lang and --path may be too narrow");
    } else {
        output::notice("nothing found; try other words, or --kind any");
    }
}

/// Cuts results from the end until the output fits.
fn fit<T>(
    mut answer: Answer,
    max_tokens: Option<usize>,
    render: impl Fn(&Answer) -> T,
    bytes: impl Fn(&T) -> usize,
) -> T {
    let mut out = render(&answer);
    let Some(most) = max_tokens.map(|tokens| tokens.saturating_mul(BYTES_PER_TOKEN)) else { return out };
    while bytes(&out) > most && !answer.results.is_empty() {
        answer.results.pop();
        answer.cut += 1;
        out = render(&answer);
    }
    out
}
