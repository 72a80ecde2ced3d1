//! Messages in a stream: a head with the length of what follows, a blank line, JSON.

use serde_json::Value;
use std::io::{BufRead, Read, Result, Write};

/// Bytes of one message: a file as an editor holds it, many times over.
const LONGEST: u64 = 64 << 20;
/// Bytes of one line of a head.
const LONGEST_LINE: u64 = 1 << 10;

/// What came in.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// A message.
    Message(Value),
    /// Something that is none, and why. What comes behind it can be read.
    Malformed(String),
    /// Nothing comes any more.
    End,
}

/// Reads the next message.
///
/// # Errors
/// When the stream cannot be read.
pub(super) fn read(input: &mut impl BufRead) -> Result<Incoming> {
    let mut length: Option<u64> = None;
    let length = loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Incoming::End);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim(), length) {
            ("", Some(length)) => break length,
            // Between messages.
            ("", None) => {}
            (line, _) => match head(line) {
                Ok(found) => length = found.or(length),
                Err(why) => return Ok(Incoming::Malformed(why)),
            },
        }
    };
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
        Err(cause) => Incoming::Malformed(format!("a message is no JSON: {cause}")),
    })
}

/// The length that a line of a head tells, if it is the one that does.
fn head(line: &str) -> std::result::Result<Option<u64>, String> {
    let shown: String = line.chars().take(60).collect();
    let (name, value) = line.split_once(':').ok_or_else(|| format!("`{shown}` is no line of a head"))?;
    if !name.trim().eq_ignore_ascii_case("content-length") {
        return Ok(None);
    }
    value.trim().parse().map(Some).map_err(|_| format!("`{shown}` tells no length"))
}

/// Writes a message.
///
/// # Errors
/// When the stream cannot be written.
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
    fn messages_are_read_one_after_the_other() {
        let mut bytes = Vec::new();
        write(&mut bytes, &json!({"größe": "大"})).expect("written");
        bytes.extend(b"content-type: x\r\nCONTENT-LENGTH: 2\r\n\r\n[]");
        assert_eq!(all(&bytes), [Incoming::Message(json!({"größe": "大"})), Incoming::Message(json!([]))]);
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let bytes = b"hello\nContent-Length: x\r\nContent-Length: 3\r\n\r\n{x}Content-Length: 2\r\n\r\n{}Content-Length: 9\r\n\r\n{";
        let read = all(bytes);
        assert!(matches!(
            read[..],
            [Incoming::Malformed(_), Incoming::Malformed(_), Incoming::Malformed(_), Incoming::Message(_)]
        ));
        let long = format!("Content-Length: {}\r\n\r\n", LONGEST + 1);
        assert!(matches!(all(long.as_bytes())[..], [Incoming::Malformed(_)]), "no memory is taken for it");
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd(bytes in "(Content-Length: [0-9]{1,20}|\\r\\n|\\{\\}|[a-z:]){0,20}") {
            all(bytes.as_bytes());
        }
    }
}
