//! The API key for a server, which is read from the environment and sent only to that server.

use std::env::VarError;
use std::fmt;
use whichfn_system::error::{Error, Kind, Result};

/// Text that replaces a key in output.
const HIDDEN: &str = "[key]";
/// Minimum number of characters at the beginning or end of a key that count as revealing it.
/// Servers deliberately show up to eight of them, and fewer than six occur in any text by chance.
const TELLING_END: usize = 6;
/// Minimum number of consecutive characters from the middle of a key that count as revealing it.
const TELLING_PIECE: usize = 10;

/// An API key and the name of its environment variable.
#[derive(Clone, Default)]
pub struct Key {
    variable: String,
    value: Option<String>,
    /// True if the user named the variable, and thus intended its key for this server.
    meant: bool,
}

impl Key {
    /// Reads the key from an environment variable. `meant` is true if the user named the variable.
    /// If the name is empty, there is no key.
    ///
    /// # Errors
    /// Returns an error if the variable's value is not UTF-8 and therefore not a key.
    pub fn from_env(variable: &str, meant: bool) -> Result<Self> {
        let value = if variable.is_empty() { Err(VarError::NotPresent) } else { std::env::var(variable) };
        if matches!(value, Err(VarError::NotUnicode(_))) {
            let what = format!("the key in {variable} contains characters that are not allowed in a header");
            return Err(Error::new(Kind::Usage, what, "copy the key again"));
        }
        Ok(Self::new(variable, value.ok().as_deref(), meant))
    }

    /// Creates a key as if `variable` contained the given value.
    pub fn new(variable: &str, value: Option<&str>, meant: bool) -> Self {
        let value = value.map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
        Self { variable: variable.to_owned(), value, meant }
    }

    /// Returns the name of the environment variable; empty if no key is wanted.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// Checks whether there is a key.
    pub fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// Checks whether the user named the variable.
    pub fn is_meant(&self) -> bool {
        self.meant
    }

    /// Returns the value of the authorization header, or `None` without a key. It must not appear
    /// anywhere else.
    pub(super) fn bearer(&self) -> Option<String> {
        self.value.as_ref().map(|value| format!("Bearer {value}"))
    }

    /// Removes the key from a string, in case a server repeats it. It removes the whole key, its
    /// beginning or end ("sk-proj...a1b2c3"), and any long piece of it, whether percent-encoded or
    /// not.
    pub(super) fn hide_in(&self, text: &str) -> String {
        let Some(key) = self.value.as_ref().map(|value| value.as_bytes()) else { return text.to_owned() };
        let (mut out, mut at, bytes) = (String::new(), 0, text.as_bytes());
        // Positions of each byte value in the key; `%` may begin any byte.
        let mut places = vec![Vec::new(); 256];
        key.iter().enumerate().for_each(|(from, byte)| places[usize::from(*byte)].push(from));
        places[usize::from(b'%')] = (0..key.len()).collect();
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let from = &places[usize::from(bytes[at])];
            let pieces = from.iter().filter_map(|&from| repeated(&bytes[at..], key, from));
            match pieces.max().filter(|length| text.is_char_boundary(at + length)) {
                Some(length) => {
                    // Adjacent pieces are replaced only once.
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

/// Returns the number of bytes at the start of a string that repeat the key from its byte `from`
/// on, or `None` if they are too few to reveal it.
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
    fn never_prints_a_key() {
        let key = Key::new("SHOP_KEY", Some(" sk-secret\n"), false);
        assert_eq!(format!("{key:?}"), "Key(SHOP_KEY = [key])");
        assert_eq!(key.hide_in("bad key sk-secret given"), "bad key [key] given");
        assert_eq!(key.bearer().as_deref(), Some("Bearer sk-secret"));
    }

    #[test]
    fn hides_an_encoded_key() {
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
    fn a_blank_key_is_none() {
        assert!(!Key::new("SHOP_KEY", Some("  "), false).is_set());
        assert!(!Key::from_env("", true).expect("no key").is_set());
    }
}
