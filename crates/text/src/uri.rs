//! Converts between paths and file URIs (`file:///src/a%20b.py`), which editors and terminals use.

use super::path::{from_bytes, path_bytes, path_text};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use std::path::{Path, PathBuf};

/// All ASCII characters except those that are valid in the path of a URI. They are percent-encoded.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/').remove(b':');

/// Percent-encodes a path for a URI, and adds a leading slash if there is none.
pub fn percent_encoded(path: &Path) -> String {
    let text = path_text(path);
    let bytes = path_bytes(&text).unwrap_or_else(|| text.into_bytes());
    let slash = if bytes.starts_with(b"/") { "" } else { "/" };
    format!("{slash}{}", percent_encode(&bytes, ENCODED))
}

/// Returns the file URI of an absolute path.
pub fn file_uri(path: &Path) -> String {
    format!("file://{}", percent_encoded(path))
}

/// Returns the path that a file URI refers to, or `None` if the URI is invalid. A `%` that does not
/// begin an escape is kept, because some editors do not encode it.
pub fn path_from_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes: Vec<u8> = percent_decode_str(path).collect();
    if bytes.contains(&0) {
        return None;
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
    fn only_file_uris_have_a_path() {
        assert_eq!(path_from_uri("file://host/a%20b.py"), Some("/a b.py".into()));
        assert_eq!(path_from_uri("file:///50%.py"), Some("/50%.py".into()));
        for uri in ["untitled:1", "file://", "http://x/y", "file:///a%00"] {
            assert_eq!(path_from_uri(uri), None, "{uri}");
        }
    }

    #[cfg(unix)]
    proptest! {
        #[test]
        fn decodes_the_uri_of_any_path(mut bytes: Vec<u8>) {
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
