//! Handles the protocol: dispatches tool calls, reports progress to the client, and formats errors.

use super::lines::standard_lines;
use super::tools::{
    FUNCTION_CONTEXT, FunctionContextInput, INSTRUCTIONS, SearchedKind, WHICH_FUNCTION, WhichFunctionInput, tools,
};
use super::{page, reach};
use crate::engine::{Engine, TextUse};
use crate::host::Repositories;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt};
use rmcp::{ServerHandler, transport::async_rw::AsyncRwTransport};
use serde::de::DeserializeOwned;
use std::future::Future;
use std::time::Duration;
use whichfn_search::answer::{Named, Resolved, ResolvedName};
use whichfn_search::search::Query;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};

/// Time between two progress notifications.
const BETWEEN_STEPS: Duration = Duration::from_millis(250);
/// Default number of candidates.
const CANDIDATES: usize = 10;
/// Maximum number of candidates that an agent may request.
const MOST_CANDIDATES: usize = 30;
/// Maximum number of definitions listed for an ambiguous name, and of the neighbors of a function.
const NAMED: usize = 10;
/// Maximum number of uses that are looked up; as many as fit are listed.
const USES: usize = 100;

/// The server of the protocol.
struct Server {
    repositories: Repositories,
}

/// Serves these repositories until standard input ends. Starts updating their indexes in the
/// background immediately.
///
/// # Errors
/// Returns an error if the runtime does not start, or the client does not speak the protocol.
pub fn serve(repositories: Repositories) -> Result<()> {
    let failed = |what: String| Error::new(Kind::Usage, what, "start it from an agent that supports the protocol");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|cause| failed(format!("the server cannot start: {cause}")))?;
    let served = runtime.block_on(async {
        repositories.begin();
        let (input, output, writing) = standard_lines();
        let transport = AsyncRwTransport::new_server(input, output);
        match (Server { repositories }).serve(transport).await {
            Ok(service) => {
                let ended = service.waiting().await;
                // Wait until the last answers are written; if this task failed, no one reads them.
                let _ = writing.await;
                ended.map(|_| ()).map_err(|cause| failed(format!("the server stopped: {cause}")))
            }
            // The client closed the connection before initialization, which is not an error.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(cause) => Err(failed(format!("the client and the server cannot agree: {cause}"))),
        }
    });
    // A blocking read of standard input would otherwise delay the exit.
    runtime.shutdown_background();
    served
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools(&self.repositories.roots())))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.unwrap_or_default();
        let done = match &*call.name {
            WHICH_FUNCTION => self.waited_for(&context, self.which_function(arguments)).await,
            FUNCTION_CONTEXT => self.waited_for(&context, self.function_context(arguments)).await,
            other => {
                let what = format!("unknown tool `{other}`; the tools are {WHICH_FUNCTION} and {FUNCTION_CONTEXT}");
                return Err(ErrorData::invalid_params(what, None));
            }
        };
        Ok(done.unwrap_or_else(|error| self.failed(&error)).into())
    }
}

impl Server {
    fn failed(&self, error: &Error) -> CallToolResult {
        let next = (self.repositories.front_end.advice)(error.remedy());
        CallToolResult::error(vec![ContentBlock::text(format!("{}\nnext: {next}", error.what()))])
    }

    /// Waits for an answer, sends progress to a client that requested it, and stops waiting when
    /// the client cancels.
    async fn waited_for(
        &self,
        context: &RequestContext<RoleServer>,
        answer: impl Future<Output = Result<page::ToolAnswer>>,
    ) -> Result<CallToolResult> {
        let mut answer = std::pin::pin!(answer);
        let mut ticks = tokio::time::interval(BETWEEN_STEPS);
        let mut progress = 0.0;
        loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    return Err(Error::new(Kind::Cancelled, "the call was cancelled", "call again if it is still needed"));
                }
                _ = ticks.tick() => progress = self.send_progress(context, progress).await,
                done = &mut answer => {
                    let shown = done?;
                    let mut result = CallToolResult::structured(shown.json);
                    result.content = vec![ContentBlock::text(shown.text)];
                    return Ok(result);
                }
            }
        }
    }

    /// Sends one progress notification if the client passed a token, and returns the new progress.
    /// The value always increases, because the protocol requires it.
    async fn send_progress(&self, context: &RequestContext<RoleServer>, sent: f64) -> f64 {
        let Some(token) = context.meta.get_progress_token() else { return sent };
        let steps: Vec<_> = self.repositories.all().iter().map(|one| one.step()).collect();
        let step = steps.into_iter().max_by_key(|step| step.total).unwrap_or_default();
        let progress = (step.done as f64).max(sent + 0.01);
        let mut notification = ProgressNotificationParam::new(token, progress).with_message(if step.doing.is_empty() {
            "answering"
        } else {
            step.doing
        });
        if let Some(total) = step.total.filter(|&total| total as f64 >= progress) {
            notification = notification.with_total(total as f64);
        }
        // A disconnected client is noticed when its input is read.
        let _ = context.peer.notify_progress(notification).await;
        progress
    }

    async fn which_function(&self, arguments: JsonObject) -> Result<page::ToolAnswer> {
        let input: WhichFunctionInput = read(WHICH_FUNCTION, arguments)?;
        let limit = input.limit.unwrap_or(CANDIDATES);
        if !(1..=MOST_CANDIDATES).contains(&limit) {
            let what = format!("limit {limit} is not between 1 and {MOST_CANDIDATES}");
            return Err(Error::new(Kind::Usage, what, "omit it for ten"));
        }
        let repository = self.repositories.find(input.root.as_deref())?;
        let texts = match input.kind {
            None => TextUse::IfBetter,
            Some(SearchedKind::Function) => TextUse::None,
            Some(SearchedKind::Docs) => TextUse::Only,
            Some(SearchedKind::All) => TextUse::Mixed,
        };
        let query = Query { k: limit, paths: input.paths, ..Query::new(&input.question) };
        let (brief, index) = repository.ask(move |engine| engine.brief(&query, texts)).await?;
        Ok(page::brief(&brief, index))
    }

    async fn function_context(&self, arguments: JsonObject) -> Result<page::ToolAnswer> {
        let input: FunctionContextInput = read(FUNCTION_CONTEXT, arguments)?;
        let repository = self.repositories.find(input.root.as_deref())?;
        let work = move |engine: &Engine| {
            let subject = subject(engine, &input.function)?;
            let path_to = input.path_to.as_ref().map(|typed| named(engine, typed)).transpose()?;
            let (context, shown) = match subject {
                Named::Definition(id) => {
                    (engine.function_context(id, NAMED), reach::lines(engine, id, input.show, path_to))
                }
                Named::Value(id) => (engine.value_context(id), Vec::new()),
            };
            // The uses of a value are all that there is to show about it.
            let wants_uses = input.uses || matches!(subject, Named::Value(_));
            let uses = wants_uses.then(|| engine.references(subject, USES)).transpose()?;
            Ok((context, shown, uses))
        };
        let ((context, shown, uses), index) = repository.ask(work).await?;
        Ok(page::context(&context, shown, uses.as_ref(), index))
    }
}

/// Parses the arguments of a tool.
fn read<T: DeserializeOwned>(tool: &str, arguments: JsonObject) -> Result<T> {
    serde_json::from_value(arguments.into()).map_err(|cause| {
        let what = format!("invalid arguments for {tool}: {cause}");
        Error::new(Kind::Usage, what, "correct them according to the tool's input schema, and call it again")
    })
}

/// Returns the definition that an agent's text refers to or, if there is none, the value.
fn subject(engine: &Engine, typed: &str) -> Result<Named> {
    match engine.resolve_named(typed) {
        ResolvedName::One(value @ Named::Value(_)) => Ok(value),
        ResolvedName::Many(all) if matches!(all[..], [Named::Value(_), ..]) => {
            let place = |&one: &Named| {
                let location = engine.named_location(one);
                format!("\n  {}:{} {}", location.path, location.line, location.name)
            };
            let listed: String = all.iter().take(NAMED).map(place).collect();
            let what = format!("`{typed}` matches {} values:{listed}", all.len());
            Err(Error::new(Kind::Usage, what, "call it again with one of these locations"))
        }
        _ => named(engine, typed).map(Named::Definition),
    }
}

/// Returns the single definition that an agent's text refers to.
fn named(engine: &Engine, typed: &str) -> Result<DefinitionId> {
    let (found, near) = match engine.resolve_name_or_id(typed) {
        Resolved::One(id) | Resolved::Corrected(id) => (vec![id], Vec::new()),
        Resolved::Many(ids) if engine.are_variants(&ids) => (engine.longest(&ids).into_iter().collect(), Vec::new()),
        Resolved::Many(ids) => (ids, Vec::new()),
        Resolved::None { near } => (Vec::new(), near),
    };
    let listed = |ids: &[DefinitionId]| {
        let one = |&id: &DefinitionId| {
            let one = engine.neighbour(engine.location(id), None, String::new());
            format!("\n  {} {}:{} {}", one.id, one.location.path, one.line, one.location.name)
        };
        let more = ids.len().saturating_sub(NAMED);
        let named: String = ids.iter().take(NAMED).map(one).collect();
        if more > 0 { format!("{named}\n  and {more} more") } else { named }
    };
    match found[..] {
        [id] => Ok(id),
        [] if near.is_empty() => {
            let next = format!("use an id from {WHICH_FUNCTION}, which finds functions by what they do");
            Err(Error::new(Kind::Usage, format!("the repository has no function `{typed}`"), next))
        }
        [] => {
            let what = format!("the repository has no function `{typed}`; similar names:{}", listed(&near));
            Err(Error::new(Kind::Usage, what, format!("use one of these ids, or call {WHICH_FUNCTION}")))
        }
        _ => {
            let what = format!("`{typed}` matches {} functions:{}", found.len(), listed(&found));
            Err(Error::new(Kind::Usage, what, "call it again with one of these ids"))
        }
    }
}
