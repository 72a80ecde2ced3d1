//! Parses the base address of a model server: `http://localhost:11434/v1`,
//! `https://api.openai.com/v1`.

use http::Uri;
use std::fmt;
use std::net::IpAddr;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Path of the only endpoint that is used, relative to the base address. Users sometimes paste it
/// as well.
const CHAT: &str = "/chat/completions";

/// A validated base address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    base: String,
    host: String,
}

impl Address {
    /// Parses a base address, with or without a trailing slash.
    ///
    /// # Errors
    /// Returns an error if the address does not begin with `http://` or `https://`, or contains a
    /// password or a query, which would appear in error messages.
    pub fn parse(typed: &str) -> Result<Self> {
        let bad =
            |problem: &str| Error::new(Kind::Usage, format!("the model's address {problem}"), Remedy::GiveAddress);
        let base = typed.trim().trim_end_matches('/');
        let base = base.strip_suffix(CHAT).unwrap_or(base).trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| bad("is invalid"))?;
        let authority = uri.authority().ok_or_else(|| bad("does not start with http:// or https://"))?;
        if authority.as_str().contains('@') {
            return Err(bad("contains a user name or password; put the key in an environment variable"));
        }
        if base.contains(['?', '#']) {
            return Err(bad("contains a query or fragment (`?` or `#`)"));
        }
        match uri.scheme_str() {
            Some("http" | "https") if !authority.host().is_empty() => {}
            _ => return Err(bad("does not start with http:// or https://")),
        }
        Ok(Self { base: base.to_owned(), host: authority.host().trim_matches(['[', ']']).to_ascii_lowercase() })
    }

    /// Returns the address for completion requests.
    pub fn chat(&self) -> String {
        format!("{}{CHAT}", self.base)
    }

    /// Returns the address that lists the models.
    pub fn models(&self) -> String {
        format!("{}/models", self.base)
    }

    /// Returns the address of a path that is not below the base address, such as `/props`. A base
    /// address that ends in `/v1` has such paths next to it.
    pub(super) fn beside(&self, path: &str) -> String {
        format!("{}{path}", self.base.strip_suffix("/v1").unwrap_or(&self.base))
    }

    /// Checks whether the address refers to a server on this machine or on its network, rather than
    /// on the internet, where servers use encryption.
    pub(super) fn is_on_private_network(&self) -> bool {
        self.is_loopback() || !self.base.to_ascii_lowercase().starts_with("https:")
    }

    /// Checks whether the address refers to this machine: `localhost` or a loopback address.
    pub fn is_loopback(&self) -> bool {
        let local = self.host == "localhost" || self.host.ends_with(".localhost");
        local || self.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// Checks whether third parties can read what is sent, that is, whether the connection leaves
    /// this machine unencrypted.
    pub fn is_readable_by_others(&self) -> bool {
        !self.is_loopback() && !self.base.to_ascii_lowercase().starts_with("https:")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Address {
        Address::parse(typed).expect(typed)
    }

    #[test]
    fn accepts_a_trailing_slash_and_the_full_endpoint() {
        for typed in ["http://a:1/v1", "http://a:1/v1/", " http://a:1/v1/chat/completions "] {
            assert_eq!(read(typed).chat(), "http://a:1/v1/chat/completions", "{typed}");
            assert_eq!(read(typed).models(), "http://a:1/v1/models", "{typed}");
        }
        assert_eq!(read("https://api.example.com").chat(), "https://api.example.com/chat/completions");
    }

    #[test]
    fn rejects_invalid_base_addresses_without_showing_secrets() {
        for typed in
            ["", "localhost:11434/v1", "ftp://a/v1", "http://", "a b", "https://u:p@a/v1", "https://a/v1?key=1"]
        {
            let error = Address::parse(typed).expect_err(typed);
            assert!(!error.to_string().contains("u:p") && !error.to_string().contains("key=1"), "{error}");
        }
    }

    #[test]
    fn recognizes_loopback_addresses() {
        for (typed, loopback, readable) in [
            ("http://localhost:1/v1", true, false),
            ("http://127.0.0.1:1", true, false),
            ("http://[::1]:1/v1", true, false),
            ("HTTP://LOCALHOST/v1", true, false),
            ("https://api.example.com/v1", false, false),
            ("http://192.168.1.5:8000/v1", false, true),
            ("http://localhost.example.com/v1", false, true),
        ] {
            assert_eq!(
                (read(typed).is_loopback(), read(typed).is_readable_by_others()),
                (loopback, readable),
                "{typed}"
            );
        }
    }
}
