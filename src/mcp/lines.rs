//! Standard input and output as lines, one message each: what is no message of JSON-RPC is answered with an error here, because the
//! protocol's library passes it over in silence, and whoever sent it would wait.

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, Stdout, duplex,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// Bytes of one message, at most: a question with a long log in it.
const LONGEST_MESSAGE: usize = 4 << 20;
/// Bytes that wait between this and the protocol's library.
const WAITING: usize = 64 << 10;

/// The two ends that the protocol's library reads from and writes to; behind them standard input and output. The task ends when all
/// that was written to the second has left.
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
            if say(&mut stdout, &line).await.is_err() {
                return;
            }
        }
    });
    (theirs_in, theirs_out, writing)
}

async fn say(stdout: &mut Stdout, line: &str) -> std::io::Result<()> {
    stdout.write_all(format!("{line}\n").as_bytes()).await?;
    stdout.flush().await
}

/// Hands on each line that is a message and answers each that is none, until the input ends.
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

/// The next line with its end; of one that is too long the first bytes, one more than a message may have; none at the end.
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

/// The answer to a line that is no message; none for one that is, and for a blank one.
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
        Err(cause) => return error(Value::Null, -32700, &format!("this line is no JSON: {cause}")),
    };
    let says = ["method", "result", "error"].iter().any(|key| message.get(key).is_some());
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
    match message.get("jsonrpc").and_then(Value::as_str) {
        Some("2.0") if says => None,
        _ => error(id, -32600, "this is no request of JSON-RPC 2.0"),
    }
}
