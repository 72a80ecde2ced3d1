//! Parses a server's response into a reply. The response consists of events (`data: {...}`), or of
//! one JSON object if the server does not stream.
//!
//! The format is recognized by its content, not by its content type, which servers and proxies
//! often set incorrectly. OpenAI, vLLM, llama.cpp's server and Ollama omit different fields; a
//! missing field counts as not reported.

use super::repeats::RepetitionCheck;
use super::{Progress, Reply, Usage};
use serde_json::Value;

/// Prefixes of event lines that contain no reply text.
const SILENT: [&str; 4] = [":", "event:", "id:", "retry:"];

/// A parser for a response that arrives in pieces of any size.
#[derive(Default)]
pub(super) struct Stream {
    /// Bytes of an incomplete line.
    line: Vec<u8>,
    /// Lines that are not events: JSON from a server that does not stream, or an HTML page.
    other: Vec<u8>,
    events: bool,
    reply: StreamedReply,
    repetitions: RepetitionCheck,
}

/// The part of a reply that has arrived so far.
#[derive(Default)]
struct StreamedReply {
    text: String,
    refusal: String,
    finish: Option<String>,
    usage: Option<Usage>,
    done: bool,
    progress: Progress,
    /// True if the text repeated itself, after which nothing more is read.
    repeats: bool,
    /// Error that arrived instead of text.
    error: Option<Value>,
    /// True after an event that is not valid JSON.
    garbled: bool,
}

/// The result of parsing a whole response.
#[derive(Debug, PartialEq)]
pub(super) enum StreamEnd {
    /// A complete or truncated reply.
    Reply(Reply),
    /// The connection closed before any text arrived.
    Nothing,
    /// The server sent an error object before any text of a reply.
    Error(Value),
    /// The model declined to answer, with these words.
    Refused(String),
    /// Any other content: an HTML page, other JSON, or invalid JSON.
    Unknown(String),
}

impl Stream {
    /// Parses the next bytes.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.line.extend_from_slice(&bytes[..end]);
            let line = std::mem::take(&mut self.line);
            self.take(&line);
            bytes = &bytes[end + 1..];
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.repetitions.end_without_repetitions(&self.reply.text)
            && !self.reply.done
        {
            self.reply.text.truncate(end);
            self.reply.repeats = true;
        }
    }

    /// Checks whether no more bytes are needed, because the response is complete or unusable.
    pub fn is_done(&self) -> bool {
        self.reply.done || self.reply.garbled || self.reply.repeats || self.reply.error.is_some()
    }

    /// Returns the progress of the server.
    pub fn progress(&self) -> Progress {
        self.reply.progress
    }

    /// Returns the number of bytes stored so far, which the caller limits.
    pub fn len(&self) -> usize {
        self.line.len() + self.other.len() + self.reply.text.len()
    }

    /// Ends the response, whether or not it is complete, and returns the result.
    pub fn end(mut self) -> StreamEnd {
        let last = std::mem::take(&mut self.line);
        self.take(&last);
        if !self.events {
            return single_reply(&self.other);
        }
        let StreamedReply { text, refusal, finish, usage, done, error, garbled, repeats, .. } = self.reply;
        let cut = repeats || finish.as_deref() == Some("length") || (!done && finish.is_none());
        match error {
            _ if !text.is_empty() => StreamEnd::Reply(Reply { text, cut, repeats, usage, tries: 0 }),
            Some(error) => StreamEnd::Error(error),
            None if !refusal.is_empty() => StreamEnd::Refused(refusal),
            None if finish.as_deref() == Some("content_filter") => StreamEnd::Refused("content_filter".to_owned()),
            None if done || finish.is_some() => StreamEnd::Reply(Reply { text, cut, repeats, usage, tries: 0 }),
            None if garbled => StreamEnd::Unknown("an event that is not JSON".to_owned()),
            None => StreamEnd::Nothing,
        }
    }

    /// Parses one line, without its line break.
    fn take(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\r');
        if let Some(data) = text.strip_prefix("data:") {
            self.events = true;
            match data.trim() {
                "[DONE]" => self.reply.done = true,
                data => match serde_json::from_str(data) {
                    Ok(event) => self.reply.add(&event),
                    Err(_) => self.reply.garbled = true,
                },
            }
        } else if !SILENT.iter().any(|start| text.starts_with(start)) {
            self.other.extend_from_slice(line);
            self.other.push(b'\n');
        } else {
            self.events = true;
        }
    }
}

impl StreamedReply {
    /// Adds the content of one event or of a whole completion.
    fn add(&mut self, event: &Value) {
        if !event["error"].is_null() {
            self.error = Some(event.clone());
        }
        let choice = &event["choices"][0];
        let part = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        let text = text_of(&part["content"]);
        self.progress.output += u64::from(!text.is_empty());
        self.text += &text;
        let read = &event["prompt_progress"];
        self.progress.prompt = read["processed"].as_u64().zip(read["total"].as_u64()).or(self.progress.prompt);
        self.refusal += part["refusal"].as_str().unwrap_or_default();
        self.finish = choice["finish_reason"].as_str().map(str::to_owned).or(self.finish.take());
        self.usage = usage_of(event).or(self.usage);
    }
}

/// Parses a response that is not streamed: one JSON object, or any other content.
fn single_reply(bytes: &[u8]) -> StreamEnd {
    let text = String::from_utf8_lossy(bytes);
    let Ok(value) = serde_json::from_str::<Value>(&text) else {
        return if text.trim().is_empty() { StreamEnd::Nothing } else { StreamEnd::Unknown(text.into_owned()) };
    };
    if !value["choices"][0]["message"].is_object() {
        return if value["error"].is_null() { StreamEnd::Unknown(text.into_owned()) } else { StreamEnd::Error(value) };
    }
    let mut reply = StreamedReply { done: true, ..StreamedReply::default() };
    reply.add(&value);
    Stream { events: true, reply, ..Stream::default() }.end()
}

/// Returns the text of a `content` field, which is a string or a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Returns the token counts of an event. If the server omits `usage` or its `cached_tokens`, they
/// are taken from llama.cpp's `timings`, as are the times.
fn usage_of(event: &Value) -> Option<Usage> {
    let (usage, timings) = (&event["usage"], &event["timings"]);
    let ms = |name: &str| timings[name].as_f64().map_or(0, |ms| ms.round() as u64);
    let (prompt_ms, output_ms) = (ms("prompt_ms"), ms("predicted_ms"));
    let kept = timings["cache_n"].as_u64();
    if let Some(prompt) = usage["prompt_tokens"].as_u64() {
        let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().or(kept).unwrap_or(0);
        let output = usage["completion_tokens"].as_u64().unwrap_or(0);
        return Some(Usage { prompt, cached, output, prompt_ms, output_ms });
    }
    let (read, output) = (timings["prompt_n"].as_u64()?, timings["predicted_n"].as_u64()?);
    let cached = kept.unwrap_or(0);
    Some(Usage { prompt: read + cached, cached, output, prompt_ms, output_ms })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(pieces: &[&[u8]]) -> StreamEnd {
        let mut stream = Stream::default();
        pieces.iter().for_each(|piece| stream.feed(piece));
        stream.end()
    }

    fn reply(text: &str, cut: bool, usage: Option<Usage>) -> StreamEnd {
        StreamEnd::Reply(Reply { text: text.to_owned(), cut, usage, ..Reply::default() })
    }

    const OPENAI: &str = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null},\"finish_reason\":null}],\"usage\":null}

data: {\"choices\":[{\"delta\":{\"content\":\"fünf\"},\"finish_reason\":null}],\"usage\":null}

data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}

data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":4}}}

data: [DONE]

";

    const FIVE: Option<Usage> = Some(Usage { prompt: 9, cached: 4, output: 2, prompt_ms: 0, output_ms: 0 });

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// A stream gives the same reply, however the network splits it.
        #[test]
        fn reads_the_same_reply_from_pieces_of_any_size(crlf: bool, cuts in prop::collection::vec(0usize..600, 0..8)) {
            let text = if crlf { OPENAI.replace('\n', "\r\n") } else { OPENAI.to_owned() };
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|ends| &text.as_bytes()[ends[0]..ends[1]]).collect();
            prop_assert_eq!(read(&pieces), reply("fünf", false, FIVE));
        }

        /// Text that arrived before a stream broke off is kept, and the reply is marked as
        /// truncated.
        #[test]
        fn keeps_a_prefix_of_a_broken_stream(cut in 0usize..OPENAI.len()) {
            let ends_at = |word: &str| OPENAI.find(word).map(|at| at + OPENAI[at..].find('\n').unwrap()).unwrap();
            match read(&[&OPENAI.as_bytes()[..cut]]) {
                StreamEnd::Reply(reply) => {
                    prop_assert_eq!(reply.text.as_str(), "fünf");
                    prop_assert_eq!(reply.cut, cut < ends_at("\"stop\""));
                }
                StreamEnd::Nothing | StreamEnd::Unknown(_) => prop_assert!(cut < ends_at("fünf")),
                other => prop_assert!(false, "{other:?}"),
            }
        }

        #[test]
        fn never_panics_on_any_bytes(bytes: Vec<u8>, text in "(data: ?[{\\[}\":a-z]{0,9}\n){0,4}") {
            read(&[&bytes]);
            read(&[text.as_bytes()]);
        }
    }

    #[test]
    fn accepts_events_with_missing_fields() {
        let ollama =
            b"data: {\"choices\":[{\"delta\":{\"content\":\"4\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        assert_eq!(read(&[ollama]), reply("4", false, None), "no usage");
        let vllm = b": keep-alive\n\nevent: message\ndata: {\"choices\":[{\"delta\":{\"reasoning_content\":\"two and two\"}}]}\ndata:{\"choices\":[{\"delta\":{\"content\":\"4\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\n";
        let usage = Usage { prompt: 3, cached: 0, output: 1, prompt_ms: 0, output_ms: 0 };
        assert_eq!(read(&[vllm]), reply("4", false, Some(usage)), "reasoning is no part of the answer; no [DONE]");
        let llama = json!({"choices": [{"delta": {"content": "4"}, "finish_reason": "length"}], "timings": {"cache_n": 5, "prompt_n": 2, "predicted_n": 1}});
        let usage = Usage { prompt: 7, cached: 5, output: 1, prompt_ms: 0, output_ms: 0 };
        assert_eq!(
            read(&[format!("data: {llama}\n\n").as_bytes()]),
            reply("4", true, Some(usage)),
            "timings, no usage"
        );
    }

    #[test]
    fn reads_a_reply_that_is_not_streamed() {
        let object = |finish: &str| json!({"choices": [{"message": {"content": "4", "reasoning_content": "hm"}, "finish_reason": finish}], "usage": {"prompt_tokens": 9, "completion_tokens": 1}});
        let usage = Some(Usage { prompt: 9, cached: 0, output: 1, prompt_ms: 0, output_ms: 0 });
        assert_eq!(read(&[object("stop").to_string().as_bytes()]), reply("4", false, usage));
        let pretty = serde_json::to_string_pretty(&object("length")).unwrap();
        assert_eq!(read(&[pretty.as_bytes()]), reply("4", true, usage));
        let parts = json!({"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]});
        assert_eq!(read(&[parts.to_string().as_bytes()]), reply("ab", false, None));
    }

    #[test]
    fn distinguishes_bodies_that_are_not_replies() {
        assert_eq!(read(&[]), StreamEnd::Nothing);
        assert_eq!(read(&[b": waiting\n\n: waiting\n"]), StreamEnd::Nothing);
        assert!(matches!(read(&[b"<html>"]), StreamEnd::Unknown(_)));
        assert!(matches!(read(&[b"{\"choices\": [{\"mess"]), StreamEnd::Unknown(_)));
        assert!(matches!(read(&[b"{\"choices\": []}"]), StreamEnd::Unknown(_)));
        assert!(matches!(read(&[b"data: {oops\n\n"]), StreamEnd::Unknown(_)));
        assert!(matches!(read(&[b"data: {\"error\":{\"message\":\"no memory\"}}\n\n"]), StreamEnd::Error(_)));
        assert!(matches!(read(&[b"{\"error\":\"no model\"}"]), StreamEnd::Error(_)));
        let refusal = b"data: {\"choices\":[{\"delta\":{\"refusal\":\"I will not\"},\"finish_reason\":\"stop\"}]}\n\n";
        assert_eq!(read(&[refusal]), StreamEnd::Refused("I will not".to_owned()));
    }

    #[test]
    fn keeps_text_before_an_error_as_truncated() {
        let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"four\"}}]}\n\n";
        for trouble in ["data: {\"error\":{\"message\":\"no memory\"}}\n\n", "data: {oops\n\n", "data: {\"cho", ""] {
            assert_eq!(read(&[begun.as_bytes(), trouble.as_bytes()]), reply("four", true, None), "{trouble}");
        }
    }
}
