//! File URIs (`file:///src/a%20b.py`), as editors and terminals use them.

use super::path::{from_bytes, path_bytes, path_text};
use std::path::{Path, PathBuf};

/// Returns a path with a leading slash, with each byte that a URI cannot contain encoded as `%` and
/// two hexadecimal digits.
pub fn percent_encoded(path: &Path) -> String {
    let text = path_text(path);
    let bytes = path_bytes(&text).unwrap_or_else(|| text.into_bytes());
    let mut encoded = String::with_capacity(bytes.len() + 1);
    if bytes.first() != Some(&b'/') {
        encoded.push('/');
    }
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b':' => {
                encoded.push(char::from(byte));
            }
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

/// Returns the URI of an absolute path.
pub fn file_uri(path: &Path) -> String {
    format!("file://{}", percent_encoded(path))
}

/// Returns the path of a URI, or `None` if it is not a valid file URI.
pub fn path_from_uri(uri: &str) -> Option<PathBuf> {
    let behind = uri.strip_prefix("file://")?;
    let path = &behind[behind.find('/')?..];
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|byte| *byte != 0)?);
        rest = &behind[2..];
    }
    // `/c:/src` on Windows.
    let has_drive = cfg!(windows) && bytes.get(2) == Some(&b':');
    Some(from_bytes(if has_drive { bytes.split_off(1) } else { bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rejects_uris_of_other_schemes() {
        assert_eq!(path_from_uri("file://host/a%20b.py"), Some("/a b.py".into()));
        for uri in ["untitled:1", "file://", "http://x/y", "file:///a%", "file:///a%zz", "file:///a%00"] {
            assert_eq!(path_from_uri(uri), None, "{uri}");
        }
    }

    #[cfg(unix)]
    proptest! {
        #[test]
        fn uri_round_trips(mut bytes: Vec<u8>) {
            use std::os::unix::ffi::OsStrExt;
            bytes.retain(|byte| *byte != 0);
            bytes.insert(0, b'/');
            let path = Path::new(std::ffi::OsStr::from_bytes(&bytes));
            let again = path_from_uri(&file_uri(path));
            prop_assert_eq!(again.as_deref(), Some(path));
            prop_assert!(path_from_uri(&String::from_utf8_lossy(&bytes)).is_none());
        }
    }
}
