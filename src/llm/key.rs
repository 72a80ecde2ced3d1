//! The key for a server: read from the environment, shown to nobody but the server.

use crate::error::{Error, Kind, Result};
use std::env::VarError;
use std::fmt;

/// What stands in for a key in whatever people read.
const HIDDEN: &str = "[key]";
/// So many characters of a key at its beginning or end tell of it; servers show up to eight of them on purpose. Fewer are
/// found in any text.
const TELLING_END: usize = 6;
/// And so many from its middle.
const TELLING_PIECE: usize = 10;

/// A key and the environment variable that holds it.
#[derive(Clone, Default)]
pub struct Key {
    variable: String,
    value: Option<String>,
    /// The user named the variable, so that its key is meant for this server.
    meant: bool,
}

impl Key {
    /// The key in an environment variable; `meant` if the user named the variable. An empty name means no key.
    ///
    /// # Errors
    /// When the variable's value is no UTF-8, so that it is no key.
    pub fn from_env(variable: &str, meant: bool) -> Result<Self> {
        let value = if variable.is_empty() { Err(VarError::NotPresent) } else { std::env::var(variable) };
        if matches!(value, Err(VarError::NotUnicode(_))) {
            let what = format!("the key in {variable} has characters that no header may have");
            return Err(Error::new(Kind::Usage, what, "copy it again"));
        }
        Ok(Self::new(variable, value.ok().as_deref(), meant))
    }

    /// A key at hand, as if `variable` held it.
    pub fn new(variable: &str, value: Option<&str>, meant: bool) -> Self {
        let value = value.map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
        Self { variable: variable.to_owned(), value, meant }
    }

    /// The variable's name; empty if no key is wanted.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// Whether there is a key.
    pub fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// Whether the user named the variable.
    pub fn is_meant(&self) -> bool {
        self.meant
    }

    /// The header that carries it. Only the request may see this.
    pub(super) fn bearer(&self) -> Option<String> {
        self.value.as_ref().map(|value| format!("Bearer {value}"))
    }

    /// A text without the key, should a server repeat it: whole, from its beginning, up to its end ("sk-proj...a1b2c3"), or a
    /// long piece of it; as it is or percent-encoded.
    pub(super) fn hide_in(&self, text: &str) -> String {
        let Some(key) = self.value.as_ref().map(|value| value.as_bytes()) else { return text.to_owned() };
        let (mut out, mut at, bytes) = (String::new(), 0, text.as_bytes());
        // Where in the key a byte may stand; `%` may begin any.
        let mut places = vec![Vec::new(); 256];
        key.iter().enumerate().for_each(|(from, byte)| places[usize::from(*byte)].push(from));
        places[usize::from(b'%')] = (0..key.len()).collect();
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let from = &places[usize::from(bytes[at])];
            let pieces = from.iter().filter_map(|&from| repeated(&bytes[at..], key, from));
            match pieces.max().filter(|length| text.is_char_boundary(at + length)) {
                Some(length) => {
                    // Pieces that follow each other are one.
                    out += if out.ends_with(HIDDEN) { "" } else { HIDDEN };
                    at += length;
                }
                None => {
                    out.push(c);
                    at += c.len_utf8();
                }
            }
        }
        out
    }
}

/// How many bytes of a text repeat a key from its byte `from` on, if they tell of it.
fn repeated(text: &[u8], key: &[u8], from: usize) -> Option<usize> {
    let (mut read, mut same) = (0, from);
    while same < key.len() {
        let (byte, length) = match &text[read..] {
            [b'%', high, low, ..] if hex(*high).is_some() && hex(*low).is_some() && key[same] != b'%' => {
                (hex(*high)? * 16 + hex(*low)?, 3)
            }
            [byte, ..] => (*byte, 1),
            [] => break,
        };
        if byte != key[same] {
            break;
        }
        (read, same) = (read + length, same + 1);
    }
    let enough = if from == 0 || same == key.len() { TELLING_END } else { TELLING_PIECE };
    (same - from >= enough.min(key.len())).then_some(read)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.is_set() { HIDDEN } else { "unset" };
        write!(f, "Key({} = {value})", self.variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_to_nobody() {
        let key = Key::new("SHOP_KEY", Some(" sk-secret\n"), false);
        assert_eq!(format!("{key:?}"), "Key(SHOP_KEY = [key])");
        assert_eq!(key.hide_in("bad key sk-secret given"), "bad key [key] given");
        assert_eq!(key.bearer().as_deref(), Some("Bearer sk-secret"));
    }

    #[test]
    fn a_key_that_comes_back_changed_is_hidden_too() {
        let key = Key::new("K", Some("sk-proj-AbCdEf0123456789-xyzzy"), false);
        for (text, shown) in [
            ("key sk-proj-AbCdEf0123456789-xyzzy.", "key [key]."),
            ("key sk%2Dproj%2dAbCdEf0123456789%2Dxyzzy.", "key [key]."),
            (
                "Incorrect API key provided: sk-proj-***********xyzzy",
                "Incorrect API key provided: [key]***********xyzzy",
            ),
            ("it is sk-proj-...-xyzzy, no?", "it is [key]...[key], no?"),
            ("piece CdEf012345 of it", "piece [key] of it"),
            ("sk-pr or 6789 or größe", "sk-pr or 6789 or größe"),
            ("100 % of sk-", "100 % of sk-"),
        ] {
            assert_eq!(key.hide_in(text), shown);
        }
    }

    #[test]
    fn blank_is_no_key() {
        assert!(!Key::new("SHOP_KEY", Some("  "), false).is_set());
        assert!(!Key::from_env("", true).expect("no key").is_set());
    }
}
