//! A scripted model server on 127.0.0.1 that answers each request with the next step of the script.
//! It uses HTTP as real servers do, and records the requests, so that tests need neither a network
//! nor a model.
//!
//! ```no_run
//! let server = Server::start(vec![Step::reply("4")]);
//! env.run(&["...", "--llm-url", &server.url(), "--llm-model", "small"]);
//! assert!(server.requests()[0].prompt().contains("2 + 2"));
//! ```
//!
//! Clients ask a server what it is before they send a prompt. A `GET` request is not part of the
//! script: it gets one of the server's pages, or status 404, unless the next step is a list of
//! models.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A request that the server received.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// HTTP method.
    pub method: String,
    /// Path of the URL.
    pub path: String,
    /// Names and values of the request headers.
    pub headers: Vec<(String, String)>,
    /// Body of the request, as text.
    pub body: String,
}

impl RecordedRequest {
    /// Returns the request's body as JSON, or null if the body is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Returns the text of the request's last message.
    pub fn prompt(&self) -> String {
        let body = self.json();
        let last = body["messages"].as_array().and_then(|messages| messages.last());
        last.and_then(|message| message["content"].as_str()).unwrap_or_default().to_owned()
    }

    /// Returns the value of the header with the given name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// The response to one request.
#[derive(Debug, Clone)]
pub struct Step {
    status: u16,
    headers: Vec<(String, String)>,
    body: Body,
    /// True if this is the response to a `GET` request.
    is_page: bool,
}

#[derive(Debug, Clone)]
enum Body {
    /// A model's reply, streamed if the request specifies so.
    Reply(String),
    /// Bytes sent at once, with a `Content-Length`.
    Whole(Vec<u8>),
    /// The beginning of bytes, with the `Content-Length` of all of them.
    Beginning(Vec<u8>, usize),
    /// Bytes sent piece by piece, in chunked encoding.
    Pieces(Vec<Vec<u8>>, End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The body is complete.
    Proper,
    /// The connection closes before the body is complete.
    Cut,
    /// The server sends nothing more, and waits until the client disconnects.
    Silence,
}

impl Step {
    /// Creates a valid reply with token counts, streamed in small pieces if the request specifies
    /// so.
    pub fn reply(text: &str) -> Self {
        Self::of(200, Body::Reply(text.to_owned()))
    }

    /// Creates a response with a JSON body.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::body(status, &body.to_string()).header("Content-Type", "application/json")
    }

    /// Creates a response with a list of models, for `GET /models`.
    pub fn models(names: &[&str]) -> Self {
        let data: Vec<Value> = names.iter().map(|name| json!({"id": name, "object": "model"})).collect();
        Self { is_page: true, ..Self::json(200, &json!({"object": "list", "data": data})) }
    }

    /// Creates a response with an arbitrary body.
    pub fn body(status: u16, body: &str) -> Self {
        Self::of(status, Body::Whole(body.as_bytes().to_vec()))
    }

    /// Creates a response with the first `sent` of some bytes. The connection closes before the end if
    /// there are more.
    pub fn file(status: u16, bytes: Vec<u8>, sent: usize) -> Self {
        Self::of(status, Body::Beginning(bytes, sent))
    }

    /// Creates a response from raw bytes, with each piece sent separately. Events must include
    /// their `data: ` prefix and line breaks.
    pub fn pieces(pieces: &[impl AsRef<[u8]>]) -> Self {
        Self::sent(pieces, End::Proper)
    }

    /// Creates the same response as [`Self::pieces`], except that the connection closes before the
    /// end.
    pub fn cut_after(pieces: &[impl AsRef<[u8]>]) -> Self {
        Self::sent(pieces, End::Cut)
    }

    /// Creates the same response as [`Self::pieces`], except that the server sends nothing after
    /// the pieces until the client disconnects. If there are no pieces, it does not send a status
    /// either.
    pub fn silence_after(pieces: &[impl AsRef<[u8]>]) -> Self {
        Self::sent(pieces, End::Silence)
    }

    /// Adds a header to the response.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn of(status: u16, body: Body) -> Self {
        Self { status, headers: Vec::new(), body, is_page: false }
    }

    fn sent(pieces: &[impl AsRef<[u8]>], end: End) -> Self {
        let pieces = pieces.iter().map(|piece| piece.as_ref().to_vec()).collect();
        Self::of(200, Body::Pieces(pieces, end)).header("Content-Type", "text/event-stream")
    }
}

/// Returns a stream event that contains one piece of text.
pub fn event(text: &str) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}))
}

/// The behavior of a server: a list of steps, or a function from requests to steps. After the last
/// step of a list, the status is 418, which no client retries.
pub trait Script: Send + 'static {
    /// Returns the response to a request.
    fn next(&mut self, request: &RecordedRequest) -> Step;

    /// Checks whether the next response is for a `GET` request.
    fn expects_get(&self) -> bool {
        false
    }
}

impl Script for Vec<Step> {
    fn next(&mut self, _: &RecordedRequest) -> Step {
        if self.is_empty() { Step::body(418, "the script is over") } else { self.remove(0) }
    }

    fn expects_get(&self) -> bool {
        self.first().is_some_and(|step| step.is_page)
    }
}

impl<F: FnMut(&RecordedRequest) -> Step + Send + 'static> Script for F {
    fn next(&mut self, request: &RecordedRequest) -> Step {
        self(request)
    }
}

/// A running server, which stops when this value is dropped.
pub struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port.
    pub fn start(script: impl Script) -> Self {
        Self::with_pages(&[], script)
    }

    /// Starts a server that responds to `GET` requests with JSON pages, each with its path.
    pub fn with_pages(pages: &[(&str, Value)], mut script: impl Script) -> Self {
        let pages: Vec<(String, Value)> = pages.iter().map(|(path, page)| ((*path).to_owned(), page.clone())).collect();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (requests, ended) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (record, end) = (Arc::clone(&requests), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::SeqCst) {
                    return;
                }
                // A client may disconnect at any time.
                let _ = stream.and_then(|stream| serve(stream, &pages, &mut script, &record));
            }
        });
        Self { address, requests, ended, thread: Some(thread) }
    }

    /// Returns the base URL, in the form that `--llm-url` expects.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Returns the requests received so far, in order.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().expect("requests").clone()
    }

    /// Returns the prompts received so far, in order.
    pub fn prompts(&self) -> Vec<String> {
        self.requests().iter().map(RecordedRequest::prompt).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // Wakes the thread from waiting for a client.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads one request and writes the response. Each connection has one request.
fn serve(
    stream: TcpStream,
    pages: &[(String, Value)],
    script: &mut dyn Script,
    record: &Mutex<Vec<RecordedRequest>>,
) -> std::io::Result<()> {
    stream.set_read_timeout(Some(crate::PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = read_request(&mut reader)? else { return Ok(()) };
    if request.method == "GET" && !script.expects_get() {
        let page = pages.iter().find(|(path, _)| *path == request.path);
        let step = page.map_or_else(|| Step::body(404, "no such page"), |(_, page)| Step::json(200, page));
        return answer(stream, &mut reader, &request, step);
    }
    let step = script.next(&request);
    record.lock().expect("requests").push(request.clone());
    answer(stream, &mut reader, &request, step)
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<RecordedRequest>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut request = RecordedRequest { method, path, headers, body: String::new() };
    let length = request.header("Content-Length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8(body).expect("a body in UTF-8");
    Ok(Some(request))
}

fn answer(mut out: TcpStream, from: &mut impl Read, request: &RecordedRequest, step: Step) -> std::io::Result<()> {
    let Step { status, mut headers, body, .. } = step;
    let body = match body {
        Body::Reply(text) => {
            let streams = request.json()["stream"] == true;
            let kind = if streams { "text/event-stream" } else { "application/json" };
            headers.push(("Content-Type".to_owned(), kind.to_owned()));
            if streams {
                Body::Pieces(streamed(&text, request), End::Proper)
            } else {
                Body::Whole(completion(&text, request).to_string().into_bytes())
            }
        }
        body => body,
    };
    let mut head = format!("HTTP/1.1 {status} Scripted\r\nConnection: close\r\n");
    headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
    match body {
        Body::Whole(bytes) => {
            out.write_all(format!("{head}Content-Length: {}\r\n\r\n", bytes.len()).as_bytes())?;
            out.write_all(&bytes)
        }
        Body::Beginning(bytes, sent) => {
            out.write_all(format!("{head}Content-Length: {}\r\n\r\n", bytes.len()).as_bytes())?;
            out.write_all(&bytes[..sent.min(bytes.len())])
        }
        Body::Pieces(pieces, End::Silence) if pieces.is_empty() => wait_for_the_end(from),
        Body::Pieces(pieces, end) => {
            out.write_all(format!("{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes())?;
            for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
                let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
                out.write_all(&chunk)?;
                out.flush()?;
            }
            match end {
                End::Proper => out.write_all(b"0\r\n\r\n"),
                End::Cut => Ok(()),
                End::Silence => wait_for_the_end(from),
            }
        }
        Body::Reply(_) => Ok(()),
    }
}

/// Waits until the client closes its end of the connection.
fn wait_for_the_end(from: &mut impl Read) -> std::io::Result<()> {
    let mut bytes = [0; 64];
    while from.read(&mut bytes)? > 0 {}
    Ok(())
}

fn usage(text: &str, request: &RecordedRequest) -> Value {
    let (prompt, output) = (request.prompt().len().div_ceil(4), text.len().div_ceil(4));
    json!({"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
           "prompt_tokens_details": {"cached_tokens": 0}})
}

fn completion(text: &str, request: &RecordedRequest) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "model": request.json()["model"],
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": usage(text, request),
    })
}

fn streamed(text: &str, request: &RecordedRequest) -> Vec<Vec<u8>> {
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": choices, "usage": usage});
        format!("data: {chunk}\n\n").into_bytes()
    };
    let delta = |delta: Value, finish: Value| {
        chunk(json!([{"index": 0, "delta": delta, "finish_reason": finish}]), Value::Null)
    };
    let mut pieces = vec![delta(json!({"role": "assistant", "content": ""}), Value::Null)];
    let letters: Vec<char> = text.chars().collect();
    let parts = letters.chunks(5).map(|part| part.iter().collect::<String>());
    pieces.extend(parts.map(|part| delta(json!({"content": part}), Value::Null)));
    pieces.push(delta(json!({}), json!("stop")));
    if request.json()["stream_options"]["include_usage"] == true {
        pieces.push(chunk(json!([]), usage(text, request)));
    }
    pieces.push(b"data: [DONE]\n\n".to_vec());
    pieces
}
