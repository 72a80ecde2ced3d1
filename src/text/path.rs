//! Paths as text, whatever bytes their names are made of.
//!
//! A path of the repository is text with slashes in the index and in every room. A name on Unix may be no UTF-8: each such
//! byte stands there as one character of plane 16, which is for private use, U+10FF00 and the byte. So that no two paths
//! become one text, characters of that range in a name of UTF-8 are written byte by byte too. [`path_of`] leads back.

use std::borrow::Cow;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The character of byte 0; only those of 0x80 and above are used.
const BYTES: u32 = 0x10_FF00;

/// The byte that a character of a path's text stands for, if it stands for one.
pub fn byte_of(c: char) -> Option<u8> {
    u32::from(c).checked_sub(BYTES).and_then(|byte| u8::try_from(byte).ok()).filter(|byte| *byte >= 0x80)
}

/// A path as text, with slashes.
pub fn path_text(path: &Path) -> String {
    let mut out = String::new();
    let bytes = |bytes: &[u8], out: &mut String| {
        out.extend(bytes.iter().filter_map(|&byte| char::from_u32(BYTES + u32::from(byte))));
    };
    for part in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        match part.valid().chars().any(|c| byte_of(c).is_some()) {
            false => out += part.valid(),
            true => part.valid().chars().for_each(|c| match byte_of(c) {
                None => out.push(c),
                Some(_) => bytes(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut out),
            }),
        }
        bytes(part.invalid(), &mut out);
    }
    if MAIN_SEPARATOR == '/' { out } else { out.replace(MAIN_SEPARATOR, "/") }
}

/// The path that a text of [`path_text`] is of.
pub fn path_of(text: &str) -> PathBuf {
    match path_bytes(text) {
        None => PathBuf::from(text),
        Some(bytes) => from_bytes(bytes),
    }
}

/// The bytes of a path that is no UTF-8; none where the text is the path.
pub fn path_bytes(text: &str) -> Option<Vec<u8>> {
    if !text.chars().any(|c| byte_of(c).is_some()) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte_of(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some(bytes)
}

/// A path's text for those who read UTF-8 only: each byte that is none becomes U+FFFD.
pub fn path_lossy(text: &str) -> Cow<'_, str> {
    match path_bytes(text) {
        None => Cow::Borrowed(text),
        Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// A path's text for those who must tell names apart by text alone, as prompts do: each byte that is no UTF-8 becomes `\xe9`.
pub fn path_spelled(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| byte_of(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let spelled = |c| byte_of(c).map_or_else(|| String::from(c), |byte| format!("\\x{byte:02x}"));
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
    fn names_of_utf8_are_themselves() {
        assert_eq!(path_text(Path::new("src/größe 大.py")), "src/größe 大.py");
        assert_eq!(path_text(Path::new(OsStr::from_bytes(b"caf\xe9/a.py"))), "caf\u{10ffe9}/a.py");
        assert_eq!(path_lossy("caf\u{10ffe9}/a.py"), "caf\u{fffd}/a.py");
    }

    proptest! {
        #[test]
        fn every_path_comes_back(mut bytes: Vec<u8>, private in "[a\\x{10ff70}-\\x{10ffff}]{0,3}") {
            bytes.extend_from_slice(private.as_bytes());
            let path = Path::new(OsStr::from_bytes(&bytes));
            let again = path_of(&path_text(path));
            prop_assert_eq!(again.as_os_str(), path.as_os_str());
            prop_assert_eq!(path_bytes(&path_text(path)).is_none(), std::str::from_utf8(&bytes).is_ok_and(|t| path_text(path) == t));
        }
    }
}
