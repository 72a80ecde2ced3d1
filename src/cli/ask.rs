//! `whichfn "..."`.

use super::args::{AskArgs, Results, Shared};
use super::progress::Bar;
use super::settings::Settings;
use super::{Outcome, json, output, reading, text};
use crate::answer::Answer;
use crate::engine::{Answered, Engine, HowRead, Way};
use crate::error::{Error, Kind, Result};
use crate::index::Options;
use crate::scan::find_root;
use crate::search::{Environment, Query};
use crate::text::BYTES_PER_TOKEN;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(super) fn run(asked: &AskArgs) -> Result<Outcome> {
    let question = question(asked.question.as_deref().unwrap_or_default())?;
    let root = find_root(asked.directory.as_deref())?;
    let settings = Settings::read(&root)?;
    output::set_verbosity(asked.shared.verbose);
    output::set_color(asked.shared.color.or(settings.color));
    let query = query(&question, &asked.results, &settings)?;
    let snippet_lines = asked.snippet_lines.or(settings.snippet_lines).unwrap_or(0);
    let reader = reading::Reader::new(&asked.results.reading, &asked.model, &settings)?;
    let engine = open_for(&root, &settings, &asked.shared, &asked.results)?;
    let (Answered { answer, mut trace }, is_direct) = {
        let bar = Bar::new(&asked.shared);
        let progress = |done: usize, total: usize| bar.shown(done, total);
        let plan = reader.plan(snippet_lines, !asked.no_fold, Some(&progress));
        (engine.answer(&query, &plan)?, matches!(plan.way, Way::Direct))
    };
    if trace.is_none() && !is_direct && !asked.shared.quiet {
        output::notice("only functions are read; this was answered by the search alone");
    }
    if let Some(trace) = trace.as_ref().filter(|_| asked.trace && !asked.json && !asked.jsonl) {
        output::detail(&reading::trace(trace));
    }
    if let Some(HowRead::Walk(walk)) = trace.as_mut().filter(|_| !asked.trace) {
        // Thousands of steps are for those who ask for them.
        walk.way.steps.clear();
    }
    let render = |answer: &Answer| {
        if asked.json {
            json::answer(answer, trace.as_ref())
        } else if asked.jsonl {
            json::lines(answer)
        } else {
            text::answer(
                answer,
                trace.as_ref(),
                &shown_root(asked.directory.as_deref(), &root),
                asked.explain,
                asked.shared.verbose > 0,
            )
        }
    };
    if answer.results.is_empty() && !asked.shared.quiet {
        nothing_found(&answer, &query, trace.as_ref());
    }
    if answer.trust.is_some_and(|trust| !trust.fits()) && !asked.shared.quiet {
        output::notice("nothing here fits well; these are the nearest (is it the right repository?)");
    }
    output::print(&fit(answer.clone(), asked.max_tokens, render))?;
    Ok(if answer.results.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

fn question(typed: &str) -> Result<String> {
    if typed != "-" {
        return Ok(typed.to_owned());
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|cause| {
        Error::new(Kind::Usage, format!("cannot read the question: {cause}"), "pipe it in, or type it as an argument")
    })?;
    Ok(text)
}

/// What the results flags ask for.
pub(super) fn query(question: &str, results: &Results, settings: &Settings) -> Result<Query> {
    let k = results.k.or(settings.results).unwrap_or(10);
    if k == 0 {
        return Err(Error::new(Kind::Usage, "-k 0 asks for no results", "give a number from 1"));
    }
    let alpha = results.alpha.or(settings.alpha);
    if let Some(alpha) = alpha.filter(|alpha| !alpha.is_finite() || *alpha < 0.0) {
        return Err(Error::new(Kind::Usage, format!("--alpha {alpha} is no weight"), "give a number from 0"));
    }
    Ok(Query {
        k,
        environment: Environment {
            relation: results.relation.or(settings.relation).map(Into::into).unwrap_or_default(),
            form: results.environment.map(Into::into).unwrap_or_default(),
            alpha,
        },
        order: results.order.map(Into::into).unwrap_or_default(),
        exact: results.exact,
        kind: results.kind.or(settings.kind).map(Into::into).unwrap_or_default(),
        unit: results.unit.map(Into::into).unwrap_or_default(),
        languages: results.lang.clone(),
        paths: results.path.clone(),
        ..Query::new(question)
    })
}

/// Opens the engine for a question, with the model that was chosen.
pub(super) fn open_for(root: &Path, settings: &Settings, shared: &Shared, results: &Results) -> Result<Engine> {
    let options = settings.options_with(&results.embed, shared)?;
    start(root, settings, shared, &options, results.no_update)
}

/// Opens the engine, refreshed unless told otherwise.
pub(super) fn open(root: &Path, settings: &Settings, shared: &Shared, no_update: bool) -> Result<Engine> {
    start(root, settings, shared, &settings.options(shared), no_update)
}

fn start(root: &Path, settings: &Settings, shared: &Shared, options: &Options, no_update: bool) -> Result<Engine> {
    let index_dir = settings.index_dir(shared)?;
    match no_update {
        true => Engine::open_stale(root, &index_dir, options),
        false => Engine::open(root, &index_dir, options, &Bar::new(shared)),
    }
}

/// An empty list says why on stderr, so that nobody takes it for an error or the other way round.
fn nothing_found(answer: &Answer, query: &Query, trace: Option<&HowRead>) {
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
    } else if let Some(why) = trace.and_then(reading::why_nothing) {
        output::notice(&why);
    } else if narrowed {
        output::notice("nothing found; --lang and --path may be too narrow");
    } else {
        output::notice("nothing found; try other words, or --kind any");
    }
}

/// Cuts results from the end until the output fits.
fn fit(mut answer: Answer, max_tokens: Option<usize>, render: impl Fn(&Answer) -> String) -> String {
    let mut out = render(&answer);
    let Some(most) = max_tokens.map(|tokens| tokens.saturating_mul(BYTES_PER_TOKEN)) else { return out };
    while out.len() > most && !answer.results.is_empty() {
        answer.results.pop();
        answer.cut += 1;
        out = render(&answer);
    }
    out
}

/// Paths are shown so that they can be clicked or opened from here.
pub(super) fn shown_root(given: Option<&Path>, root: &Path) -> PathBuf {
    match given {
        Some(path) if path == Path::new(".") => PathBuf::new(),
        Some(path) => path.to_owned(),
        None => {
            let here = std::env::current_dir().and_then(|dir| dir.canonicalize()).unwrap_or_default();
            let up = here.strip_prefix(root).map_or(0, |below| below.components().count());
            std::iter::repeat_n("..", up).collect()
        }
    }
}
