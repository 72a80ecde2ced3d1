//! `whichfn serve` as a process, and a client that writes HTTP by hand, so that the test contains
//! the exact bytes that are sent.

use super::env::{Env, PATIENCE};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};

/// A server, which is stopped when the test ends.
pub struct Served {
    pub process: Child,
    pub address: SocketAddr,
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    /// Returns a header's value; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_str(&self.body).unwrap_or_else(|cause| panic!("no JSON ({cause}): {self:?}"))
    }

    /// Returns the body of a successful response.
    pub fn found(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// Returns the message of an error with this status, which must name the failure and the next
    /// step.
    pub fn failed(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let value = self.json();
        let line = |name: &str| value["error"][name].as_str().filter(|line| !line.is_empty()).map(str::to_owned);
        let (what, next) = (line("what"), line("next"));
        format!("{}\n{}", what.expect("what failed"), next.expect("what to do next"))
    }
}

impl Served {
    /// Starts a server on a free port.
    pub fn start(env: &Env, arguments: &[&str]) -> Self {
        Self::start_under(env, &[], arguments)
    }

    /// Starts a server on a free port, with environment variables.
    pub fn start_under(env: &Env, variables: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut command = env.process();
        command.args(["serve", "--port", "0"]).args(arguments).envs(variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the program starts");
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().expect("stdout"));
        output.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("the first line is the address: {line:?}"));
        Self { process, address }
    }

    /// Sends raw bytes, and reads the response until the connection ends.
    pub fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("time-out");
        // A server may answer and close the connection before it has read the whole request.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        reply(&bytes)
    }

    /// Sends a request with these headers in addition to the usual ones; a header replaces a usual
    /// one of the same name.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let is_given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        if !is_given("host") {
            text += &format!("Host: {}\r\n", self.address);
        }
        if !body.is_empty() && !is_given("content-length") {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        self.raw(format!("{text}\r\n{body}").as_bytes())
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn reply(bytes: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no whole head: {text:?}"));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
    let headers = lines.filter_map(header).collect();
    Reply { status: status.expect("a status"), headers, body: body.to_owned() }
}
