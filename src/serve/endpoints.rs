//! Handlers of all addresses.

use super::app::App;
use super::input::{AskInput, ContextInput, ContinueInput, FunctionInput, GraphInput, SEE, read};
use super::page;
use super::reply::{Refusal, with_notices};
use crate::engine::{AnswerKind, BEST_LINES, Engine, Plan, SnippetChoice, TextUse};
use crate::render;
use crate::typed::{self, TypedPaths};
use crate::verbs::{self, Listing, Names, Registered, Role};
use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::path::{Component, Path};
use std::sync::Arc;
use whichfn_read::context::{ContextQuery, ContextRanking};
use whichfn_read::lookup::Snippet;
use whichfn_search::answer::{Named, Resolved, ResolvedName};
use whichfn_search::picture::View;
use whichfn_search::search::{Query, Unit};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind as EngineKind, Result as EngineResult};
use whichfn_text::path_text;

/// Maximum number of results, fragments and definitions per request.
const MOST: usize = 200;
/// Maximum number of lines that a request can specify for each result.
const MOST_LINES: usize = 500;
/// Default number of fragments in a context.
const FRAGMENTS: usize = 10;
/// Maximum number of candidates for an ambiguous name, and default number of neighbors of a
/// function.
const NAMED: usize = 20;
/// Default number of functions for Continue, and number of lines of each.
const CONTINUED: (usize, usize) = (5, 60);
/// Number of nodes in a picture: around a name, and for the whole repository.
const NODES: (usize, usize) = (60, 500);

type HttpAnswer = Result<Response, Refusal>;
type Shared = State<Arc<App>>;

/// Returns a number from a request, or its default, if it is between 1 and `most`.
fn counted(name: &str, given: Option<usize>, usual: usize, most: usize) -> Result<usize, Refusal> {
    let count = given.unwrap_or(usual);
    match (1..=most).contains(&count) {
        true => Ok(count),
        false => {
            let what = format!("`{name}` is {count}");
            Err(Refusal::new(StatusCode::BAD_REQUEST, what, format!("use a number from 1 to {most}")))
        }
    }
}

/// Handles `/ask`.
pub(super) async fn ask(State(app): Shared, request: Request) -> HttpAnswer {
    let input: AskInput = read(request).await?;
    let usual = Query::new(&input.question);
    let texts = match AnswerKind::texts(input.kind) {
        TextUse::IfBetter if input.unit != Unit::Definition || !input.languages.is_empty() => TextUse::None,
        texts => texts,
    };
    let names = input.kind.is_none();
    let repository = app.repository(input.root.as_deref(), &input.paths)?;
    let query = Query {
        k: counted("k", input.k, usual.k, MOST)?,
        kind: input.kind.map(AnswerKind::definitions).unwrap_or(usual.kind),
        unit: input.unit,
        languages: input.languages,
        paths: app.globs(repository, &input.paths)?,
        ..usual
    };
    let snippet = snippet(input.snippet, input.snippet_lines)?;
    let work = move |engine: &Engine| {
        let answered = engine.answer(&query, &Plan { snippet, collapses: true, texts, names, ..Plan::default() })?;
        Ok((answered, engine.unmatched_globs(&query)?))
    };
    let ((answered, unmatched), mut index) = app.ask(repository, work).await?;
    index.notices.extend(unmatched);
    let mut answer = answered.answer;
    (answer.index.refreshed_files, answer.index.ms) = (index.changed_files, index.look_ms);
    let value = render::answer(&answer, None, app.repositories.front_end.next_step);
    index.notices.extend(render::foreign_notice(&answer));
    if answer.shown() == 0 && matches!(texts, TextUse::None | TextUse::IfBetter) {
        index.notices.push("nothing found; \"kind\": \"docs\" searches documentation and settings".to_owned());
    }
    Ok(with_notices(render::with_notices(value, &answered.notices), &index))
}

/// Returns the lines of each result that a request specifies.
fn snippet(which: Option<SnippetChoice>, lines: Option<usize>) -> Result<Snippet, Refusal> {
    let count = |usual| counted("snippet_lines", lines, usual, MOST_LINES);
    Ok(match (which, lines) {
        (Some(SnippetChoice::None), _) | (None, None | Some(0)) => Snippet::None,
        (Some(SnippetChoice::Full), _) => Snippet::Full,
        (Some(SnippetChoice::Best), _) => Snippet::Deciding(count(BEST_LINES)?),
        (None, Some(_)) => Snippet::First(count(MOST_LINES)?),
    })
}

/// Handles `/function`.
pub(super) async fn function(State(app): Shared, request: Request) -> HttpAnswer {
    let input: FunctionInput = read(request).await?;
    let (most, repository) =
        (counted("k", input.k, NAMED, MOST)?, app.repository(input.root.as_deref(), [&input.name])?);
    let name = app.name(repository, &input.name)?;
    let work = move |engine: &Engine| Ok(meant(engine, &name).map(|of| render::function(engine, of, most)));
    let (shown, index) = app.ask(repository, work).await?;
    Ok(with_notices(shown?, &index))
}

/// Handles the endpoint of a verb.
pub(super) async fn verb(registered: &'static Registered, app: Arc<App>, request: Request) -> HttpAnswer {
    let fields: Map<String, Value> = read(request).await?;
    in_range(&registered.schema(), &fields)?;
    let wrong = |cause: serde_json::Error| Refusal::new(StatusCode::BAD_REQUEST, cause.to_string(), SEE);
    let (verb, options) = registered.read(&fields).map_err(wrong)?;
    let repository = app.repository(options.root.as_deref(), verb.typed())?;
    let max = options.k.unwrap_or(registered.about.usual[2]);
    let work = move |engine: &Engine| {
        let paths = TypedPaths::at(engine.root());
        let (filter, unmatched) = options.filter(engine, paths, String::new())?;
        let names = ServedNames { engine, paths, refusal: Cell::new(None) };
        let request = verbs::Request { engine, names: &names, paths, filter: &filter, max, change: None, kind: None };
        match verb.run(&request) {
            Ok(found) => {
                let json = found.first().map_or_else(|| json!({"version": 1}), Listing::json);
                Ok(Ok((json, unmatched)))
            }
            Err(error) => names.refusal.take().map_or(Err(error), |refusal| Ok(Err(refusal))),
        }
    };
    let (shown, mut index) = app.ask(repository, work).await?;
    let (shown, unmatched) = shown?;
    index.notices.extend(unmatched);
    Ok(with_notices(shown, &index))
}

/// Checks that numbers are between the minimum and the maximum in a schema.
fn in_range(schema: &Value, fields: &Map<String, Value>) -> Result<(), Refusal> {
    fields.iter().try_for_each(|(name, value)| {
        let limit = |key: &str| schema["properties"][name][key].as_u64().and_then(|limit| usize::try_from(limit).ok());
        let Some((given, most)) = value.as_u64().zip(limit("maximum")) else { return Ok(()) };
        counted(name, usize::try_from(given).ok(), 0, most).map(drop)
    })
}

/// Resolves names in requests; a program cannot choose, so a name must have one meaning.
struct ServedNames<'a> {
    engine: &'a Engine,
    paths: TypedPaths<'a>,
    /// Why a name was refused, with the candidates.
    refusal: Cell<Option<Refusal>>,
}

impl ServedNames<'_> {
    fn accepted<T>(&self, meant: Result<T, Refusal>) -> EngineResult<T> {
        meant.map_err(|refusal| {
            let error = Error::new(EngineKind::Usage, "the name is refused", "use a candidate");
            self.refusal.set(Some(refusal));
            error
        })
    }
}

impl Names for ServedNames<'_> {
    fn definitions(&self, typed: &str, role: Role, _: bool) -> EngineResult<Vec<DefinitionId>> {
        let (engine, name) = (self.engine, &self.paths.name(typed)?);
        self.accepted(match role {
            Role::Code | Role::MergedCode => code_of(engine, name),
            Role::End => meant_variants(engine, name),
            Role::Called | Role::Type | Role::Single | Role::Avoided => meant(engine, name).map(|id| vec![id]),
        })
    }

    fn named(&self, typed: &str, _: bool) -> EngineResult<Vec<Named>> {
        self.accepted(meant_named(self.engine, &self.paths.name(typed)?).map(|named| vec![named]))
    }
}

/// Returns the single definition that a name refers to, or a refusal with the candidates.
fn meant(engine: &Engine, name: &str) -> Result<DefinitionId, Refusal> {
    let definitions = |ids: Vec<DefinitionId>| ids.into_iter().map(Named::Definition).collect::<Vec<_>>();
    match engine.resolve_name_or_id(name) {
        Resolved::Corrected(_) | Resolved::None { .. } if !engine.values_named(name).is_empty() => {
            let candidates = candidates(engine, &engine.values_named(name));
            let what = format!("`{name}` is a constant, variable, field or enum variant");
            let next = "use /references, which lists its uses";
            Err(Refusal::new(StatusCode::NOT_FOUND, what, next).with_candidates(candidates))
        }
        Resolved::One(id) | Resolved::Corrected(id) => Ok(id),
        Resolved::None { near } => {
            let what = format!("no function, type or file in {} is called `{name}`", engine.root().display());
            let next = "use a candidate, or find it with /ask by what it does";
            Err(Refusal::new(StatusCode::NOT_FOUND, what, next).with_candidates(candidates(engine, &definitions(near))))
        }
        Resolved::Many(ids) => Err(several(engine, name, "definitions", &definitions(ids))),
    }
}

fn several(engine: &Engine, name: &str, kinds: &str, all: &[Named]) -> Refusal {
    let what = format!("`{name}` matches {} {kinds}", all.len());
    let refusal = Refusal::new(StatusCode::CONFLICT, what, "pass its location, PATH:LINE");
    refusal.with_candidates(candidates(engine, all))
}

fn candidates(engine: &Engine, all: &[Named]) -> Value {
    all.iter().take(NAMED).map(|&one| render::location(&engine.named_location(one))).collect()
}

/// Returns the code of what a name refers to: of a type or file, everything in it; of a value, the
/// definitions that use it.
fn code_of(engine: &Engine, name: &str) -> Result<Vec<DefinitionId>, Refusal> {
    match &engine.values_named(name)[..] {
        [] => meant_variants(engine, name).map(|of| engine.parts(&of)),
        [value] => Ok(engine.users(&[*value])),
        values => Err(several(engine, name, "values", values)),
    }
}

/// Returns the definition that a name refers to with its overloads and variants, or a refusal with
/// the candidates.
fn meant_variants(engine: &Engine, name: &str) -> Result<Vec<DefinitionId>, Refusal> {
    match engine.resolve_name_or_id(name) {
        Resolved::Many(ids) if engine.are_variants(&ids) => Ok(ids),
        _ => meant(engine, name).map(|id| vec![id]),
    }
}

/// Returns the single definition or value that a name refers to, or a refusal with the candidates.
fn meant_named(engine: &Engine, name: &str) -> Result<Named, Refusal> {
    match engine.resolve_named(name) {
        ResolvedName::One(named) | ResolvedName::Corrected(named) => Ok(named),
        ResolvedName::None { .. } => meant(engine, name).map(Named::Definition),
        ResolvedName::Many(all) => Err(several(engine, name, "definitions", &all)),
    }
}

/// Handles `/context`.
pub(super) async fn context(State(app): Shared, request: Request) -> HttpAnswer {
    let input: ContextInput = read(request).await?;
    let repository = app.repository(input.root.as_deref(), [&input.file])?;
    let number =
        |name: &str, given: Option<usize>| counted(name, given, 0, u32::MAX as usize).map(|count| count as u32);
    let query = ContextQuery {
        file: below_root(&input.file, &repository.root)?,
        line: number("line", input.line)?,
        column: input.column.map(|column| number("column", Some(column))).transpose()?,
        text: input.text,
        k: counted("k", input.k, FRAGMENTS, MOST)?,
        budget: input.budget,
        draft: input.draft,
        ranking: ContextRanking::default(),
    };
    let format = input.format;
    let work = move |engine: &Engine| {
        let context = engine.context(&query)?;
        Ok(render::context(format, engine, &context, &[]))
    };
    let (shown, index) = app.ask(repository, work).await?;
    Ok(match shown {
        Value::String(prompt) => prompt.into_response(),
        list @ Value::Array(_) => Json(list).into_response(),
        whole => with_notices(whole, &index),
    })
}

/// Returns a file's path relative to the root, and refuses paths outside it.
fn below_root(typed: &str, root: &Path) -> Result<String, Refusal> {
    let absolute = typed::absolute(typed);
    let path = absolute.as_deref().unwrap_or(Path::new(typed));
    let path = path.strip_prefix(root).unwrap_or(path);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match is_below && !typed.is_empty() && !typed.contains('\0') && !typed.ends_with('/') {
        true => Ok(path_text(&path.components().collect::<std::path::PathBuf>())),
        false => {
            let what = format!("`{typed}` is not a file below {}", root.display());
            Err(Refusal::new(StatusCode::BAD_REQUEST, what, "pass the path relative to the root, without `..`"))
        }
    }
}

/// Handles `/continue`: returns the functions that fit what the user typed, in the format of
/// Continue's HTTP context provider.
pub(super) async fn for_continue(State(app): Shared, request: Request) -> HttpAnswer {
    let input: ContinueInput = read(request).await?;
    let question = if input.query.trim().is_empty() { input.full_input } else { input.query };
    let query = Query { k: counted("k", input.k, CONTINUED.0, MOST)?, ..Query::new(&question) };
    let work = move |engine: &Engine| {
        engine.answer(&query, &Plan { snippet: Snippet::First(CONTINUED.1), collapses: true, ..Plan::default() })
    };
    let (answered, _) = app.ask(app.repository(input.root.as_deref(), [""; 0])?, work).await?;
    Ok(Json(render::continue_items(&answered.answer)).into_response())
}

/// Handles `/graph`: returns the picture around a name, or of the repository, as a page.
pub(super) async fn graph(State(app): Shared, request: Request) -> HttpAnswer {
    let GraphInput { name, root } = read(request).await?;
    let repository = app.repository(root.as_deref(), &name)?;
    let name = name.map(|name| app.name(repository, &name)).transpose()?;
    let work = move |engine: &Engine| {
        let view = match name.as_deref().map(|name| meant(engine, name)) {
            None => View::Important(NODES.1),
            Some(Ok(of)) => View::Near(of, NODES.0),
            Some(Err(refusal)) => return Ok(Err(refusal)),
        };
        let links = render::PageLinks::Address(page::AT);
        engine.drawing(view).map(|drawing| Ok(render::graph_page(&drawing, &links)))
    };
    let (shown, _) = app.ask(repository, work).await?;
    let headers = [(header::CONTENT_TYPE, page::HTML), (header::CONTENT_SECURITY_POLICY, page::GRAPH_POLICY)];
    Ok((headers, shown?).into_response())
}

/// Handles `/health`: reports that the server is running, and the progress of each index, without
/// touching an index.
pub(super) async fn health(State(app): Shared) -> Json<Value> {
    Json(app.repositories.health())
}
