//! Conversion of paths to text, for file names with arbitrary bytes.
//!
//! The index and all modules represent a repository path as text with slashes. On Unix, a file name
//! need not be UTF-8. Each invalid byte is represented by a private-use character of plane 16:
//! U+10FF00 plus the byte. If a valid UTF-8 name contains characters from that range, they are also
//! encoded byte by byte, so that no two paths have the same text. [`path_from_text`] converts the
//! text back.

use std::borrow::Cow;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// Character that represents byte 0. Only the characters for bytes 0x80 and above are used.
const BYTES: u32 = 0x10_FF00;

/// Returns the byte that a character in a path text represents, or `None` if it represents itself.
pub fn encoded_byte(c: char) -> Option<u8> {
    u32::from(c).checked_sub(BYTES).and_then(|byte| u8::try_from(byte).ok()).filter(|byte| *byte >= 0x80)
}

/// Converts a path to text with slashes as separators.
pub fn path_text(path: &Path) -> String {
    let mut out = String::new();
    let bytes = |bytes: &[u8], out: &mut String| {
        out.extend(bytes.iter().filter_map(|&byte| char::from_u32(BYTES + u32::from(byte))));
    };
    for part in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        match part.valid().chars().any(|c| encoded_byte(c).is_some()) {
            false => out += part.valid(),
            true => part.valid().chars().for_each(|c| match encoded_byte(c) {
                None => out.push(c),
                Some(_) => bytes(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut out),
            }),
        }
        bytes(part.invalid(), &mut out);
    }
    if MAIN_SEPARATOR == '/' { out } else { out.replace(MAIN_SEPARATOR, "/") }
}

/// Converts the result of [`path_text`] back to a path.
pub fn path_from_text(text: &str) -> PathBuf {
    match path_bytes(text) {
        None => PathBuf::from(text),
        Some(bytes) => from_bytes(bytes),
    }
}

/// Returns the bytes of a path that is not UTF-8, or `None` if the path is the text itself.
pub fn path_bytes(text: &str) -> Option<Vec<u8>> {
    if !text.chars().any(|c| encoded_byte(c).is_some()) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match encoded_byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some(bytes)
}

/// Converts a path text to valid UTF-8 for display. Each invalid byte becomes U+FFFD.
pub fn path_lossy(text: &str) -> Cow<'_, str> {
    match path_bytes(text) {
        None => Cow::Borrowed(text),
        Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Converts a path text to valid UTF-8 for prompts, such that different names stay different. Each
/// invalid byte becomes an escape such as `\xe9`.
pub fn path_escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| encoded_byte(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let spelled = |c| encoded_byte(c).map_or_else(|| String::from(c), |byte| format!("\\x{byte:02x}"));
    Cow::Owned(text.chars().map(spelled).collect())
}

#[cfg(unix)]
pub(super) fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

#[cfg(not(unix))]
pub(super) fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn utf8_names_are_unchanged() {
        assert_eq!(path_text(Path::new("src/größe 大.py")), "src/größe 大.py");
        assert_eq!(path_text(Path::new(OsStr::from_bytes(b"caf\xe9/a.py"))), "caf\u{10ffe9}/a.py");
        assert_eq!(path_lossy("caf\u{10ffe9}/a.py"), "caf\u{fffd}/a.py");
    }

    proptest! {
        #[test]
        fn every_path_round_trips(mut bytes: Vec<u8>, private in "[a\\x{10ff70}-\\x{10ffff}]{0,3}") {
            bytes.extend_from_slice(private.as_bytes());
            let path = Path::new(OsStr::from_bytes(&bytes));
            let again = path_from_text(&path_text(path));
            prop_assert_eq!(again.as_os_str(), path.as_os_str());
            prop_assert_eq!(path_bytes(&path_text(path)).is_none(), std::str::from_utf8(&bytes).is_ok_and(|t| path_text(path) == t));
        }
    }
}
