//! Reads and writes messages in a stream: a header with the length of the content, a blank line,
//! JSON.

use serde_json::Value;
use std::io::{BufRead, Read, Result, Write};

/// Maximum size of a message in bytes, many times the size of a file in an editor.
const LONGEST: u64 = 64 << 20;
/// Maximum size in bytes of an oversized message that is skipped to find the next one. A greater
/// length is invalid.
const LONGEST_SKIPPED: u64 = 1 << 30;
/// Maximum length in bytes of one header line.
const LONGEST_LINE: u64 = 1 << 10;

/// Result of reading from the stream.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// A message.
    Message(Value),
    /// An invalid message, with the reason. The next message can be read.
    Malformed(String),
    /// Invalid data after which the start of the next message is unknown, with the reason.
    OutOfStep(String),
    /// The end of the stream.
    End,
}

/// Reads the next message.
///
/// Like the `lsp-server` crate, it gives up if the length of a message is unknown: the bytes that
/// follow may belong to the message or to the next header, and a wrong guess would silently confuse
/// them.
///
/// # Errors
/// Returns an error if the stream cannot be read.
pub(super) fn read(input: &mut impl BufRead) -> Result<Incoming> {
    let mut header = Header::default();
    let length = loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Incoming::End);
        }
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            return Ok(Incoming::OutOfStep(format!("a header line has more than {LONGEST_LINE} bytes")));
        }
        match String::from_utf8_lossy(&line).trim() {
            // Blank lines between messages are harmless.
            "" if header.is_empty => {}
            "" => match header.length {
                Some(length) => break length,
                None => return Ok(Incoming::OutOfStep("a message has no Content-Length header".to_owned())),
            },
            // For example a line that a wrapper printed.
            line if header.is_empty && !line.contains(':') => {
                return Ok(Incoming::Malformed(format!("`{}` is not a line of a header", beginning(line))));
            }
            line => {
                if let Err(why) = header.add(line) {
                    return Ok(Incoming::OutOfStep(why));
                }
            }
        }
    };
    if length > LONGEST_SKIPPED {
        return Ok(Incoming::OutOfStep(format!("a message of {length} bytes is too long: {LONGEST} at most")));
    }
    if length > LONGEST {
        std::io::copy(&mut input.by_ref().take(length), &mut std::io::sink())?;
        return Ok(Incoming::Malformed(format!("a message of {length} bytes is too long: {LONGEST} at most")));
    }
    let mut bytes = Vec::new();
    if (input.by_ref().take(length).read_to_end(&mut bytes)? as u64) < length {
        return Ok(Incoming::End);
    }
    Ok(match serde_json::from_slice(&bytes) {
        Ok(message) => Incoming::Message(message),
        Err(cause) => Incoming::Malformed(format!("a message is not valid JSON: {cause}")),
    })
}

fn beginning(line: &str) -> String {
    line.chars().take(60).collect()
}

/// The header lines read so far.
struct Header {
    is_empty: bool,
    length: Option<u64>,
}

impl Default for Header {
    fn default() -> Self {
        Self { is_empty: true, length: None }
    }
}

impl Header {
    /// Adds a line that is not blank. Fields other than the length are ignored: all messages are
    /// UTF-8.
    fn add(&mut self, line: &str) -> std::result::Result<(), String> {
        self.is_empty = false;
        let shown = beginning(line);
        let (name, value) = line.split_once(':').ok_or_else(|| format!("`{shown}` is not a line of a header"))?;
        if !name.trim().eq_ignore_ascii_case("content-length") {
            return Ok(());
        }
        let length = value.trim().parse().map_err(|_| format!("`{shown}` is not a valid length"))?;
        match self.length.replace(length) {
            Some(other) if other != length => Err(format!("a message has two lengths: {other} and {length}")),
            _ => Ok(()),
        }
    }
}

/// Writes a message.
///
/// # Errors
/// Returns an error if the stream cannot be written.
pub(super) fn write(output: &mut impl Write, message: &Value) -> Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn all(mut bytes: &[u8]) -> Vec<Incoming> {
        std::iter::from_fn(|| Some(read(&mut bytes).expect("bytes")).filter(|one| *one != Incoming::End)).collect()
    }

    #[test]
    fn reads_consecutive_messages() {
        let mut bytes = Vec::new();
        write(&mut bytes, &json!({"größe": "大"})).expect("written");
        bytes.extend(b"content-type: x\r\nCONTENT-LENGTH: 2\r\n\r\n[]");
        assert_eq!(all(&bytes), [Incoming::Message(json!({"größe": "大"})), Incoming::Message(json!([]))]);
    }

    #[test]
    fn skips_an_invalid_message_of_known_length() {
        let bytes =
            b"hello\n\r\n\r\nContent-Length: 3\r\nX: y\r\n\r\n{x}Content-Length: 2\n\n{}Content-Length: 9\r\n\r\n{";
        assert!(matches!(all(bytes)[..], [Incoming::Malformed(_), Incoming::Malformed(_), Incoming::Message(_)]));
        let long = format!("Content-Length: {}\r\n\r\n", LONGEST + 1);
        assert!(matches!(all(long.as_bytes())[..], [Incoming::Malformed(_)]), "no memory is taken for it");
    }

    #[test]
    fn a_message_of_unknown_length_ends_the_stream() {
        for header in [
            "Content-Length: 2\r\nhello\r\n\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 99999999999999999999\r\n\r\n",
            "Content-Length: 10000000000\r\n\r\n{}",
            "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            "X: y\r\n\r\n{}",
            &"A".repeat(5_000),
        ] {
            assert!(matches!(read(&mut header.as_bytes()).expect("bytes"), Incoming::OutOfStep(_)), "{header}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd(bytes in "(Content-Length: [0-9]{1,20}|\\r\\n|\\{\\}|[a-z:]){0,20}") {
            all(bytes.as_bytes());
        }
    }
}
