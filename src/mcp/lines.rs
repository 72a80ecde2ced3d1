//! Standard input and output as lines, one message each. A line that is not a JSON-RPC message is
//! answered with an error here, because the protocol's library silently ignores it, and the client
//! would wait.

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, Stdout, duplex,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// Maximum number of bytes of a message: a question with a long log in it.
const LONGEST_MESSAGE: usize = 4 << 20;
/// Capacity in bytes of the pipes between this module and the protocol's library.
const WAITING: usize = 64 << 10;

/// Returns the two ends that the protocol's library reads from and writes to; they are connected to
/// standard input and output. The task ends once everything written to the second end was sent.
pub(super) fn standard_lines() -> (DuplexStream, DuplexStream, JoinHandle<()>) {
    let (theirs_in, ours_in) = duplex(WAITING);
    let (theirs_out, ours_out) = duplex(WAITING);
    let (answers, mut errors) = unbounded_channel::<Value>();
    tokio::spawn(forward(BufReader::new(tokio::io::stdin()), ours_in, answers));
    let writing = tokio::spawn(async move {
        let (mut stdout, mut lines) = (tokio::io::stdout(), BufReader::new(ours_out).lines());
        let mut listens = true;
        loop {
            let line = tokio::select! {
                line = lines.next_line() => match line {
                    Ok(Some(line)) => line,
                    _ => return,
                },
                error = errors.recv(), if listens => match error {
                    Some(error) => error.to_string(),
                    None => { listens = false; continue }
                },
            };
            if write_line(&mut stdout, &line).await.is_err() {
                return;
            }
        }
    });
    (theirs_in, theirs_out, writing)
}

async fn write_line(stdout: &mut Stdout, line: &str) -> std::io::Result<()> {
    stdout.write_all(format!("{line}\n").as_bytes()).await?;
    stdout.flush().await
}

/// Forwards each line that is a message, and answers every other line, until the input ends.
async fn forward(
    mut from: impl AsyncBufReadExt + Unpin,
    mut to: impl AsyncWrite + Unpin,
    answers: UnboundedSender<Value>,
) {
    while let Ok(Some(line)) = next_line(&mut from).await {
        let done = match wrong(&line) {
            Some(error) => answers.send(error).is_ok(),
            None => to.write_all(&line).await.is_ok(),
        };
        if !done {
            return;
        }
    }
}

/// Returns the next line with its line break; a line that is too long is truncated to one byte more
/// than a message may have; `None` at the end.
async fn next_line(from: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    (&mut *from).take(LONGEST_MESSAGE as u64 + 1).read_until(b'\n', &mut line).await?;
    if line.len() > LONGEST_MESSAGE && !line.ends_with(b"\n") {
        skip_line(from).await?;
    }
    Ok((!line.is_empty()).then_some(line))
}

async fn skip_line(from: &mut (impl AsyncBufReadExt + AsyncRead + Unpin)) -> std::io::Result<()> {
    loop {
        let waiting = from.fill_buf().await?;
        let (count, ends) = match waiting.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (waiting.len(), waiting.is_empty()),
        };
        from.consume(count);
        if ends {
            return Ok(());
        }
    }
}

/// Returns the error for a line that is not a message; `None` for a message or a blank line.
fn wrong(line: &[u8]) -> Option<Value> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let error = |id: Value, code: i32, what: &str| {
        Some(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}}))
    };
    if line.len() > LONGEST_MESSAGE {
        return error(Value::Null, -32600, &format!("a message has at most {LONGEST_MESSAGE} bytes"));
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(cause) => return error(Value::Null, -32700, &format!("this line is not valid JSON: {cause}")),
    };
    let has_content = ["method", "result", "error"].iter().any(|key| message.get(key).is_some());
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
    match message.get("jsonrpc").and_then(Value::as_str) {
        Some("2.0") if has_content => None,
        _ => error(id, -32600, "this is not a JSON-RPC 2.0 request"),
    }
}
