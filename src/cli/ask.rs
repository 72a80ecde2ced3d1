//! The `whichfn "..."` command.

use super::choices::{self, ListFormat};
use super::common::CommonArgs;
use super::model::ModelArgs;
use super::place::DisplayRoot;
use super::ranking::RankingArgs;
use super::settings::Settings;
use super::target::Target;
use super::ui::Ui;
use super::{Exit, advice, fit, output, place, ranking, reading, text, trace, unsearched, vimgrep};
use crate::engine::{
    AnswerKind, BEST_LINES, Engine, FollowUp, LinePattern, Plan, ReadAnswer, ReadingRecord, SnippetChoice, TextUse,
};
use crate::render::{self, line};
use clap::Args;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use whichfn_read::lookup::Snippet;
use whichfn_scan::find_root;
use whichfn_search::answer::Answer;
use whichfn_search::search::{KindFilter, Query, Question, Trust, Unit};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::HTTP_METHODS;

/// Maximum size in bytes of a question on standard input: more than any log that a person pastes.
const LONGEST_QUESTION: u64 = 1 << 20;
/// Default number of results without a question: all routes and commands of any program.
const ALL_ENTRIES: usize = 100_000;
/// Number of results on a terminal, where each is shown with code.
const FEW: usize = 5;

#[derive(Debug, Clone, Args)]
pub(super) struct AskArgs {
    /// Description of the function, with or without quotes; `-` reads it from standard input. A
    /// directory after it selects the repository to search [default: the one around the current
    /// directory].
    #[arg(value_name = "QUESTION", num_args = 1..)]
    pub words: Vec<OsString>,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Read an issue from FILE (a bug report with title, text, code and traces), instead of a
    /// description; `-` reads it from standard input. A directory selects the repository.
    #[arg(long, value_name = "FILE")]
    pub issue: Option<PathBuf>,
    #[command(flatten)]
    pub results: RankingArgs,
    /// Print JSON.
    #[arg(long, conflicts_with_all = ["jsonl", "format"], help_heading = "Output")]
    pub json: bool,
    /// Print one JSON object for each result.
    #[arg(long, conflicts_with = "format", help_heading = "Output", hide_short_help = true)]
    pub jsonl: bool,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT", help_heading = "Output", hide_short_help = true)]
    pub format: Option<ListFormat>,
    /// Keep only results whose code or text matches this regular expression (syntax of ripgrep, line
    /// by line), and rank them by the question.
    #[arg(long = "match", value_name = "REGEX", conflicts_with_all = ["issue", "strategy", "unit"])]
    pub pattern: Option<String>,
    /// Explain each score.
    #[arg(long, help_heading = "Output")]
    pub explain: bool,
    /// List near-duplicates (copies, overload stubs) as separate results.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub no_fold: bool,
    /// Code to show for each result [default: best on a terminal if five results fit; none in a
    /// pipe].
    #[arg(long, value_name = "WHAT", env = "WHICHFN_SNIPPET", value_parser = choices::snippet(), help_heading = "Output")]
    pub snippet: Option<SnippetChoice>,
    /// Show the first N lines of code of each result; 0 for none.
    #[arg(
        long,
        value_name = "N",
        env = "WHICHFN_SNIPPET_LINES",
        conflicts_with = "snippet",
        help_heading = "Output",
        hide_short_help = true
    )]
    pub snippet_lines: Option<usize>,
    /// Limit the output to about N tokens (of four bytes): results that do not fit are counted, and
    /// the first is truncated if necessary.
    #[arg(long, value_name = "N", help_heading = "Output", hide_short_help = true)]
    pub max_tokens: Option<usize>,
    /// Show how the candidates were read: the cost of each chunk and the notes kept from it, or the
    /// steps of a walk. JSON always contains the chunks.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub trace: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub shared: CommonArgs,
}

impl AskArgs {
    /// Checks whether nothing is asked. Without a question, routes and commands are listed.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.issue.is_none() && !self.lists_entries()
    }

    fn lists_entries(&self) -> bool {
        self.results.kind == Some(AnswerKind::Entry)
    }
}

pub(super) fn run(asked: &AskArgs) -> Result<Exit> {
    let (question, is_cut, directory) = match &asked.issue {
        Some(file) => {
            let (text, is_cut) = issue(file)?;
            (text, is_cut, directory_only(&asked.words)?)
        }
        None if asked.lists_entries()
            && asked.words.len() <= 1
            && asked.words.iter().all(|word| Path::new(word).is_dir()) =>
        {
            (String::new(), false, asked.words.first().map(Path::new))
        }
        None => {
            let (typed, directory) = question_and_directory(&asked.words, asked.directory.is_some())?;
            let (question, is_cut) = question(&typed)?;
            (question, is_cut, directory)
        }
    };
    let directory = asked.directory.as_deref().or(directory);
    let target = Target::read(find_root(directory)?, &asked.shared)?;
    let format = format(asked);
    let fits_screen = fits_screen(asked, format, &target.settings);
    let query = query(asked, &question, fits_screen, &target)?;
    if is_cut || query.question.cut {
        target.ui.notice(&format!(
            "the question is too long: only its first {} distinct words are used, from at most {} MiB",
            query.question.terms.len(),
            LONGEST_QUESTION >> 20
        ));
    }
    let pattern = asked.pattern.as_deref().map(LinePattern::new).transpose()?;
    let owned = reading::OwnedPlan::new(&asked.results.reading, &asked.model, &target.settings)?;
    let engine = target.engine_at(&target.root, &asked.results.embed, asked.results.no_update)?;
    let texts = texts(asked, &target.settings)?;
    let (mut found, is_direct) = {
        let bar = target.ui.progress();
        let progress = |done: usize, total: usize| bar.shown(done, total);
        let indexing_text = |done: usize, total: usize| bar.text_indexed(done, total);
        let plan = owned.plan(snippet(asked, &target.settings, fits_screen), !asked.no_fold, Some(&progress));
        let names = asked.results.kind.or(target.settings.kind).is_none();
        let plan = Plan { texts, names, pattern: pattern.as_ref(), indexing_text: Some(&indexing_text), ..plan };
        (engine.answer(&query, &plan)?, matches!(plan.way, FollowUp::Direct) || plan.texts == TextUse::Only)
    };
    if found.trace.is_none() && !is_direct {
        target.ui.notice("--strategy reads functions only; these results come from the search");
    }
    target.ui.notices(&found.notices);
    if let Some(trace) = found.trace.as_ref().filter(|_| asked.trace && format == ListFormat::Text) {
        output::detail(&trace::record(trace));
    }
    if let Some(ReadingRecord::Walk(walk)) = found.trace.as_mut().filter(|_| !asked.trace) {
        // Thousands of steps are printed only on request.
        walk.way.steps.clear();
    }
    notices(target.ui, &engine, &found, &query, texts);
    engine.unmatched_globs(&query)?.iter().for_each(|line| target.ui.notice(line));
    let root = place::shown_root(directory, &target.root);
    // A page contains this line itself, so that it is not missed.
    if let Some(line) = text::missing(&found.answer, &root)
        && (format != ListFormat::Text || found.answer.shown() == 0)
    {
        target.ui.notice(&line);
    }
    let exit = if found.answer.shown() == 0 { Exit::Nothing } else { Exit::Found };
    print(asked, found, format, fits_screen, &root)?;
    Ok(exit)
}

/// Returns the query that flags and settings specify.
fn query(asked: &AskArgs, question: &str, fits_screen: bool, target: &Target<'_>) -> Result<Query> {
    let mut query = ranking::query(question, &asked.results, &target.settings)?;
    query.paths = place::globs_for(&query.paths, &target.root)?;
    query.directory = place::current_folder(&target.root);
    if asked.issue.is_some() {
        query.question = Question::of_issue(question);
    }
    if question.is_empty() && asked.results.k.is_none() {
        query.k = ALL_ENTRIES;
    } else if fits_screen && asked.results.k.or(target.settings.results).is_none() {
        query.k = FEW;
    }
    Ok(query)
}

/// Returns the use of text files. Without `--kind`, a question about documentation or settings gets
/// passages below its answer.
fn texts(asked: &AskArgs, settings: &Settings) -> Result<TextUse> {
    let is_definitions = asked.results.unit.unwrap_or_default() == Unit::Definition;
    let is_wide = is_definitions && asked.results.lang.is_empty() && asked.issue.is_none();
    // An option that only concerns code overrides a kind in `whichfn.toml`, as any option does.
    let kind = asked.results.kind.or(settings.kind.filter(|_| is_wide));
    match AnswerKind::texts(kind) {
        TextUse::IfBetter if !is_wide || asked.pattern.is_some() => Ok(TextUse::None),
        TextUse::Only | TextUse::Mixed if !is_definitions => {
            let what = "--unit ranks code and whole files, and --kind docs and --kind all rank passages";
            Err(Error::new(Kind::Usage, what, "omit --unit, --kind or WHICHFN_KIND"))
        }
        texts => Ok(texts),
    }
}

/// Prints notices about an empty list, or one that probably does not contain the function.
fn notices(ui: Ui, engine: &Engine, found: &ReadAnswer, query: &Query, texts: TextUse) {
    let ReadAnswer { answer, trace, .. } = found;
    render::foreign_notice(answer).iter().for_each(|notice| ui.notice(notice));
    if let Some(ReadingRecord::Reading(trace)) = trace {
        let read = format!("{} functions", trace.functions_read);
        trace::why_ended(trace.limit, &read).iter().for_each(|message| ui.notice(message));
    }
    match trace.as_ref().and_then(trace::why_nothing) {
        Some(reason) if !answer.results.is_empty() => ui.notice(&reason),
        reason if answer.shown() == 0 => ui.notice(&nothing_found(answer, query, texts, reason)),
        _ => {}
    }
    if let Some(name) = answer.unknown_name() {
        ui.notice(&match engine.broad_kind_of(name) {
            Some("type") => format!("{name} is a type; showing functions with similar words (--kind any lists types)"),
            Some(_) => format!("no result is named {name}; showing results with similar words"),
            None => format!("no definition is named {name}; showing results with similar words"),
        });
    }
    if answer.confidence.is_some_and(|confidence| confidence.trust() == Trust::NothingFits) {
        let next = advice::after(answer).unwrap_or_default();
        ui.notice(&format!("no good match; showing the closest results ({next})"));
    }
    unsearched::after_answer(ui, answer, &query.question.text);
}

fn print(asked: &AskArgs, found: ReadAnswer, format: ListFormat, fits_screen: bool, root: &DisplayRoot) -> Result<()> {
    let ReadAnswer { answer, trace, notices, .. } = found;
    let shown = text::Shown { explains: asked.explain, is_verbose: asked.shared.verbose > 0, ..text::Shown::new(root) };
    let most = asked.max_tokens;
    match format {
        ListFormat::Json => output::data(&fit::json(answer, most, |answer| {
            line(&render::with_notices(render::answer(answer, trace.as_ref(), advice::after), &notices))
        })),
        ListFormat::Jsonl => output::data(&fit::json(answer, most, render::result_lines)),
        ListFormat::Vimgrep => output::data(&fit::lines(answer, most, |answer| vimgrep::answer(answer, root))),
        ListFormat::Text => output::page(&fit::page(answer, most, fits_screen, |answer, detail| {
            text::answer(answer, trace.as_ref(), text::Shown { detail, ..shown })
        })),
    }
}

fn format(asked: &AskArgs) -> ListFormat {
    match (asked.json, asked.jsonl) {
        (true, _) => ListFormat::Json,
        (_, true) => ListFormat::Jsonl,
        _ => asked.format.unwrap_or_default(),
    }
}

/// Checks whether a person sees the output and chose no code option: five results then show as
/// much code as fits on a screen.
fn fits_screen(asked: &AskArgs, format: ListFormat, settings: &Settings) -> bool {
    let is_chosen =
        asked.snippet.or(settings.snippet).is_some() || asked.snippet_lines.or(settings.snippet_lines).is_some();
    format == ListFormat::Text && !is_chosen && !asked.explain && output::screen().is_some()
}

/// Returns the code to show. A flag overrides a setting, whichever of the two options it uses.
fn snippet(asked: &AskArgs, settings: &Settings, fits_screen: bool) -> Snippet {
    let chosen = |choice: SnippetChoice| match choice {
        SnippetChoice::Best => Snippet::Deciding(BEST_LINES),
        SnippetChoice::Full => Snippet::Full,
        SnippetChoice::None => Snippet::None,
    };
    let flag = asked.snippet.map(chosen).or(asked.snippet_lines.map(Snippet::First));
    let setting = settings.snippet.map(chosen).or(settings.snippet_lines.map(Snippet::First));
    flag.or(setting).unwrap_or(if fits_screen { Snippet::Deciding(BEST_LINES) } else { Snippet::None })
}

/// Splits the arguments into the question and the directory to search.
///
/// Words without quotes form one question. The last word is the directory if it is one or contains
/// a slash. After a quoted question, or if it names an existing file after a single word, the last
/// word is always the directory, so that a wrong path is an error.
fn question_and_directory(words: &[OsString], has_directory: bool) -> Result<(String, Option<&Path>)> {
    let is_place = |word: &Path| word.is_dir() || word.components().count() > 1 || word.is_absolute();
    let is_quoted = |word: &OsString| word == "-" || word.as_encoded_bytes().contains(&b' ');
    // `GET /users/42` is a route unless the path exists.
    let is_route = |words: &[OsString]| {
        matches!(words, [method, path] if !Path::new(path).exists()
            && method.to_str().is_some_and(|method| HTTP_METHODS.contains(&method)))
    };
    let (directory, question) = match words {
        all if has_directory => (None, all),
        route if is_route(route) => (None, route),
        [one, last] if is_quoted(one) || Path::new(last).exists() => (Some(Path::new(last)), &words[..1]),
        [question @ .., last] if !question.is_empty() && is_place(Path::new(last)) => (Some(Path::new(last)), question),
        question => (None, question),
    };
    let question: Option<Vec<&str>> = question.iter().map(|word| word.to_str()).collect();
    let no_text =
        || Error::new(Kind::Usage, "the question is not valid UTF-8", "type it, or pipe it in: whichfn - < FILE");
    Ok((question.ok_or_else(no_text)?.join(" "), directory))
}

/// Returns the question, and whether the input was longer than the limit.
pub(super) fn question(typed: &str) -> Result<(String, bool)> {
    if typed != "-" {
        return Ok((typed.to_owned(), false));
    }
    let failed = |cause: &str| {
        Error::new(Kind::Usage, format!("cannot read the question: {cause}"), "pipe it in, or type it as an argument")
    };
    text_of(std::io::stdin(), &failed)
}

/// Returns the text of an issue, and whether the file is longer than the limit.
pub(super) fn issue(file: &Path) -> Result<(String, bool)> {
    let failed = |cause: &str| {
        let what = format!("cannot read the issue in {}: {cause}", file.display());
        Error::new(Kind::Usage, what, "pass a text file, or pipe the text in: whichfn ask - < FILE")
    };
    let (text, is_cut) = match file == Path::new("-") {
        true => text_of(std::io::stdin(), &failed)?,
        false => text_of(File::open(file).map_err(|cause| failed(&cause.to_string()))?, &failed)?,
    };
    match text.contains('\0') {
        true => Err(failed("it is not text")),
        false => Ok((text, is_cut)),
    }
}

/// Returns the directory after `--issue FILE`, if there is one.
fn directory_only(words: &[OsString]) -> Result<Option<&Path>> {
    match words {
        [] => Ok(None),
        [directory] if Path::new(directory).exists() => Ok(Some(Path::new(directory))),
        _ => {
            let what = "the question is already in the file of --issue";
            Err(Error::new(Kind::Usage, what, "remove the other words; only the directory to search may follow"))
        }
    }
}

/// Reads a text up to the limit, and returns whether it is longer.
fn text_of(from: impl Read, failed: &dyn Fn(&str) -> Error) -> Result<(String, bool)> {
    let mut bytes = Vec::new();
    let most = from.take(LONGEST_QUESTION + 1).read_to_end(&mut bytes);
    most.map_err(|cause| failed(&cause.to_string()))?;
    let is_cut = bytes.len() as u64 > LONGEST_QUESTION;
    bytes.truncate(LONGEST_QUESTION as usize);
    // The cut may fall within a character.
    let text = match String::from_utf8(bytes) {
        Err(wrong) if !is_cut || wrong.utf8_error().error_len().is_some() => {
            return Err(failed("it is not valid UTF-8"));
        }
        Err(wrong) => String::from_utf8_lossy(&wrong.as_bytes()[..wrong.utf8_error().valid_up_to()]).into_owned(),
        Ok(text) => text,
    };
    Ok((text, is_cut))
}

/// Returns the reason for an empty list.
fn nothing_found(answer: &Answer, query: &Query, texts: TextUse, reason: Option<String>) -> String {
    if answer.index.files == 0 {
        format!("no files to search in {} ({} files skipped; see: whichfn status)", answer.root, answer.index.skipped)
    } else if answer.asked_as == "docs" {
        "no passage contains these words; try different words, or a word prefix (config*)".to_owned()
    } else if answer.index.functions == 0 && (query.unit, query.kind) == (Unit::Definition, KindFilter::Function) {
        let (files, root) = (answer.index.files, &answer.root);
        format!("no functions found in the {files} files of {root}; try --kind docs or --unit file")
    } else {
        reason.unwrap_or_else(|| format!("nothing found; {}", wider(query, texts)))
    }
}

/// Returns advice that makes the search wider.
fn wider(query: &Query, texts: TextUse) -> String {
    let filters = [("--lang", query.languages.is_empty()), ("--path", query.paths.is_empty())];
    let given: Vec<&str> = filters.into_iter().filter(|(_, is_empty)| !is_empty).map(|(name, _)| name).collect();
    match given[..] {
        [] => {}
        [only] => return format!("{only} may be too narrow"),
        _ => return format!("{} may be too narrow", given.join(" and ")),
    }
    let file = "--unit file, which also searches other text files (SQL, YAML, Markdown)";
    let docs = match texts {
        TextUse::Mixed => "",
        _ => "--kind docs, which searches documentation and settings, ",
    };
    match (query.unit, query.kind) {
        (Unit::File, _) => "try different words".to_owned(),
        (Unit::Definition, KindFilter::Function | KindFilter::Type) => {
            format!("try different words, --kind any, {docs}or {file}")
        }
        (Unit::Definition, _) => format!("try different words, {docs}or {file}"),
        (Unit::Window, _) => format!("try different words, or {file}"),
    }
}
