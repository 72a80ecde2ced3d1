//! Handles the protocol: dispatches tool calls, reports progress to the client, and formats errors.

use super::excerpt::with_notes;
use super::lines::standard_lines;
use super::seen::SeenCode;
use super::tools::{
    GRAPH, GraphInput, INSTRUCTIONS, REQUESTED_TOKENS, SHOW, SearchedKind, ShowInput, TOKENS, WHICH_FUNCTION,
    WhichFunctionInput, read, tokens, tools,
};
use super::{candidates, graph, show};
use crate::engine::{Engine, TextUse};
use crate::host::{IndexFreshness, Repositories};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, JsonObject,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt};
use rmcp::{ServerHandler, transport::async_rw::AsyncRwTransport};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use whichfn_search::search::Query;
use whichfn_system::error::{Error, Kind, Result};

/// Time between two progress notifications.
const BETWEEN_STEPS: Duration = Duration::from_millis(250);
/// Address of the resource with the state of the server.
const STATUS: &str = "whichfn://status";

/// The server of the protocol.
struct Server {
    repositories: Repositories,
    /// What this session has shown: one client is connected from start to end.
    seen: Arc<Mutex<SeenCode>>,
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
        match (Server { repositories, seen: Arc::default() }).serve(transport).await {
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
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
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

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListResourcesResult, ErrorData> {
        let status =
            Resource::new(STATUS, "status").with_title("State of the index").with_mime_type("application/json");
        Ok(ListResourcesResult::with_all_items(vec![status]))
    }

    /// Returns the state of the server immediately, also while the first index is built.
    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ReadResourceResponse, ErrorData> {
        if request.uri != STATUS {
            let what = format!("there is no resource `{}`; the only one is {STATUS}", request.uri);
            return Err(ErrorData::resource_not_found(what, None));
        }
        let text = ResourceContents::text(self.repositories.health().to_string(), STATUS);
        Ok(ReadResourceResult::new(vec![text.with_mime_type("application/json")]).into())
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.unwrap_or_default();
        let done = match &*call.name {
            WHICH_FUNCTION => self.waited_for(&context, self.which_function(arguments)).await,
            SHOW => self.waited_for(&context, self.show(arguments)).await,
            GRAPH => self.waited_for(&context, self.graph(arguments)).await,
            other => {
                let what = format!("unknown tool `{other}`; the tools are {WHICH_FUNCTION}, {SHOW} and {GRAPH}");
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
        answer: impl Future<Output = Result<String>>,
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
                    return Ok(CallToolResult::success(vec![ContentBlock::text(done?)]));
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

    async fn which_function(&self, arguments: JsonObject) -> Result<String> {
        let input: WhichFunctionInput = read(WHICH_FUNCTION, arguments)?;
        let (limit, most) = (input.candidates()?, tokens(input.max_tokens, TOKENS)?);
        let repository = self.repositories.find(input.root.as_deref(), &input.paths)?;
        let paths = repository.typed_paths();
        let globs = input.paths.iter().map(|typed| paths.glob(typed)).collect::<Result<_>>()?;
        let texts = match input.kind {
            None => TextUse::IfBetter,
            Some(SearchedKind::Function) => TextUse::None,
            Some(SearchedKind::Docs) => TextUse::Only,
            Some(SearchedKind::All) => TextUse::Mixed,
        };
        let query = Query { k: limit, paths: globs, ..Query::new(&input.question) };
        let seen = self.seen.clone();
        let work = move |engine: &Engine| {
            let brief = engine.brief(&query, texts)?;
            if brief.candidates.is_empty() && brief.passages.is_empty() && engine.status().files == 0 {
                return Err(no_code(engine));
            }
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let notices = [brief.notices.clone(), engine.unmatched_globs(&query)?].concat();
            Ok(with_notes(candidates::answer(engine, &brief, most, &mut seen), &notices))
        };
        repository.ask(work).await.map(with_notices)
    }

    async fn show(&self, arguments: JsonObject) -> Result<String> {
        let input: ShowInput = read(SHOW, arguments)?;
        let repository = self.repositories.find(input.root.as_deref(), &input.of)?;
        let paths = repository.typed_paths();
        let names: Vec<Result<String>> = input.of.iter().map(|typed| paths.name(typed)).collect();
        let seen = self.seen.clone();
        let work = move |engine: &Engine| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            show::shown(engine, &names, input.max_tokens, &mut seen)
        };
        repository.ask(work).await.map(with_notices)
    }

    async fn graph(&self, arguments: JsonObject) -> Result<String> {
        let mut input: GraphInput = read(GRAPH, arguments)?;
        let most = tokens(input.max_tokens, REQUESTED_TOKENS)?;
        let repository = self.repositories.find(input.root.as_deref(), input.of.iter().chain(&input.to))?;
        let paths = repository.typed_paths();
        let of: Vec<Result<String>> = input.of.iter().map(|typed| paths.name(typed)).collect();
        input.to = input.to.filter(|to| !to.is_empty()).map(|to| paths.name(&to)).transpose()?;
        repository.ask(move |engine| graph::answer(engine, &input, &of, most)).await.map(with_notices)
    }
}

/// Appends the problems of the index to an answer.
fn with_notices((text, index): (String, IndexFreshness)) -> String {
    with_notes(text, &index.notices)
}

/// Returns the error for a repository without code: the client probably started the server in
/// another folder.
fn no_code(engine: &Engine) -> Error {
    let what = format!("{} contains no code that can be indexed", engine.root().display());
    Error::new(Kind::Path, what, "start the server in the repository, or pass its path: whichfn mcp DIR")
}
