//! Decodes the bytes of a file, in any supported encoding, to text with the same lines.

use super::Skip;
use super::failure::readable;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use whichfn_syntax::parse::is_notebook;
use whichfn_system::error::Result;
use whichfn_system::untrusted::open_below;
use whichfn_text::{line_count, path_from_text, prefix};

/// Number of bytes at the start of a file that are searched for a zero byte. As in git and ripgrep,
/// a zero byte marks a binary file.
const SNIFFED_BYTES: usize = 8 * 1024;
/// Number of bytes at the start of a file that are searched for the mark of generated code.
const HEAD_BYTES: usize = 2 * 1024;
/// Line length in bytes above which a file with hardly any spaces counts as minified, if its lines
/// have this length on average.
const MINIFIED_LINE: usize = 300;
/// Number of bytes in a long line for each sign of a statement (`(`, `;`, `=`), above which the line
/// is data: a table or an encoded image. Packed code has one in 10 to 25 bytes.
const BYTES_PER_SIGN: usize = 60;
/// Number of lines of ordinary length, other than blank ones, in a file that a person wrote around
/// long lines of data.
const WRITTEN_LINES: usize = 3;

/// Maximum number of bytes of a text file that are searched: the default size limit of a file. A
/// higher limit of the user is meant for code, and text of many megabytes takes much memory.
pub const LONGEST_TEXT: usize = 1 << 20;
/// Size of the pieces in which the rest of a long file is read.
const PIECE_BYTES: usize = 64 << 10;

/// A file's text and the hash of its bytes.
#[derive(Debug)]
pub struct DecodedFile {
    /// The text in UTF-8, with unchanged lines: all of it, or the lines up to a limit.
    pub text: String,
    /// Hash (XXH3, 128 bits) of all bytes on disk, before they are decoded.
    pub hash: u128,
    /// True if the text ends before the file.
    pub is_cut: bool,
}

/// Reads and decodes a file below `root`, or returns the reason why it is not worth indexing. It
/// does not follow links: a file that was replaced by a link since it was listed is unreadable.
///
/// # Errors
/// Returns an error if the machine failed, which is unrelated to the file.
pub fn read(root: &Path, path: &str) -> Result<std::result::Result<DecodedFile, Skip>> {
    read_start(root, path, usize::MAX)
}

/// Reads a file as [`read`] does, but decodes only the lines within the first `limit` bytes. The rest
/// is read in pieces, for the hash.
///
/// # Errors
/// Returns an error in the same cases as [`read`].
pub fn read_start(root: &Path, path: &str, limit: usize) -> Result<std::result::Result<DecodedFile, Skip>> {
    let below = path_from_text(path);
    let start = open_below(root, &below).and_then(|mut file| FileStart::read(&mut file, limit));
    let Some(start) = readable(&root.join(&below), start)? else { return Ok(Err(Skip::Unreadable)) };
    let (hash, is_cut) = (start.hash, start.is_cut);
    let Some(text) = start.into_text() else { return Ok(Err(Skip::Binary)) };
    if !is_notebook(path) && is_minified(path, &text) {
        return Ok(Err(Skip::Minified));
    }
    if is_generated(&text) {
        return Ok(Err(Skip::Generated));
    }
    Ok(Ok(DecodedFile { text, hash, is_cut }))
}

/// The first bytes of a file, and the hash of all of them.
#[derive(Debug)]
pub struct FileStart {
    /// Bytes up to the limit.
    bytes: Vec<u8>,
    /// Hash (XXH3, 128 bits) of all bytes of the file.
    pub hash: u128,
    /// True if the file is longer than the limit.
    pub is_cut: bool,
}

impl FileStart {
    /// Reads a file to its end, and keeps at most `limit` bytes.
    ///
    /// # Errors
    /// Returns an error if reading fails.
    pub fn read(file: &mut impl Read, limit: usize) -> std::io::Result<Self> {
        let mut bytes = Vec::new();
        file.take(limit as u64).read_to_end(&mut bytes)?;
        let mut piece = vec![0; if bytes.len() < limit { 0 } else { PIECE_BYTES }];
        let mut hasher: Option<xxhash_rust::xxh3::Xxh3> = None;
        loop {
            match file.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => hasher.get_or_insert_with(|| hasher_of(&bytes)).update(&piece[..length]),
                Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
        let is_cut = hasher.is_some();
        let hash = hasher.map_or_else(|| content_hash(&bytes), |hasher| hasher.digest128());
        Ok(Self { bytes, hash, is_cut })
    }

    /// Decodes the text as [`decode`] does, without copying UTF-8. Of a longer file, only complete
    /// lines are kept.
    pub fn into_text(self) -> Option<String> {
        let Self { mut bytes, is_cut, .. } = self;
        if is_cut
            && let Err(cause) = std::str::from_utf8(&bytes)
            && cause.error_len().is_none()
        {
            // The limit is inside a character.
            bytes.truncate(cause.valid_up_to());
        }
        let is_utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
        let has_zero = bytes[..bytes.len().min(SNIFFED_BYTES)].contains(&0);
        let mut text = match is_utf16 || has_zero {
            true => decode(&bytes)?.into_owned(),
            false => String::from_utf8(bytes).unwrap_or_else(|cause| latin1(cause.as_bytes())),
        };
        if is_cut {
            text.truncate(text.rfind('\n').map_or(0, |at| at + 1));
        }
        Some(text)
    }
}

fn hasher_of(bytes: &[u8]) -> xxhash_rust::xxh3::Xxh3 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(bytes);
    hasher
}

/// Returns the hash of a file's bytes that identifies its content in the index.
pub fn content_hash(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

/// Decodes bytes into text: UTF-8, UTF-16 with a byte order mark, or otherwise Latin-1, in which
/// every byte is a character. Returns `None` for binary content. Line numbers do not change, and
/// byte offsets refer to the decoded text.
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => return Some(Cow::Owned(utf16(rest, u16::from_le_bytes))),
        [0xFE, 0xFF, rest @ ..] => return Some(Cow::Owned(utf16(rest, u16::from_be_bytes))),
        _ => {}
    }
    if bytes[..bytes.len().min(SNIFFED_BYTES)].contains(&0) {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => Some(Cow::Owned(latin1(bytes))),
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn is_minified(path: &str, text: &str) -> bool {
    if text.len() < 2 * MINIFIED_LINE {
        return false;
    }
    if path.contains(".min.") {
        return true;
    }
    let lines = line_count(text).max(1);
    // Prose may have long lines, but about every sixth byte is a space.
    text.len() / lines > MINIFIED_LINE
        && text.bytes().filter(u8::is_ascii_whitespace).count() * 12 < text.len()
        && !is_written_around_data(text)
}

/// Checks whether a text consists of ordinary lines, and long lines of data.
fn is_written_around_data(text: &str) -> bool {
    let (mut written, mut bytes, mut signs) = (0, 0, 0);
    for line in text.lines() {
        if line.len() <= MINIFIED_LINE {
            written += usize::from(!line.trim().is_empty());
        } else {
            bytes += line.len();
            signs += line.bytes().filter(|byte| matches!(byte, b'(' | b';' | b'=')).count();
        }
    }
    written >= WRITTEN_LINES && signs * BYTES_PER_SIGN < bytes
}

fn is_generated(text: &str) -> bool {
    prefix(text, HEAD_BYTES).lines().take(20).any(|line| {
        let comment = line.trim_start().starts_with(['#', '/', '*', ';', '-', '<', '"']);
        let says_so = line.contains("@generated")
            || (line.contains("DO NOT EDIT") && line.to_ascii_lowercase().contains("generated"));
        comment && says_so
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_keeps_line_breaks() {
        let latin = b"# caf\xe9\ndef f(): pass\n";
        assert_eq!(decode(latin).as_deref(), Some("# café\ndef f(): pass\n"));
        let mut utf16 = vec![0xFF, 0xFE];
        "a\nb".encode_utf16().for_each(|unit| utf16.extend(unit.to_le_bytes()));
        assert_eq!(decode(&utf16).as_deref(), Some("a\nb"));
        assert_eq!(decode(b"\x7fELF\0\0"), None);
    }

    #[test]
    fn the_start_of_a_file_consists_of_complete_lines() {
        let start = |bytes: &[u8], limit: usize| FileStart::read(&mut &*bytes, limit).unwrap();
        let text = "café\nthé\n".as_bytes();
        for limit in 0..text.len() {
            let cut = start(text, limit);
            assert_eq!((cut.is_cut, cut.hash), (true, content_hash(text)), "{limit}");
            assert_eq!(cut.into_text().unwrap(), if limit < 6 { "" } else { "café\n" }, "{limit}");
        }
        let whole = start(text, text.len());
        assert_eq!((whole.is_cut, whole.hash), (false, content_hash(text)));
        assert_eq!(whole.into_text().as_deref(), Some("café\nthé\n"));
        assert_eq!(start(b"caf\xe9\nth\xe9\n", 8).into_text().as_deref(), Some("café\n"));
        assert_eq!(start(b"a\0b", 2).into_text(), None);
    }

    #[test]
    fn packed_code_is_minified_and_prose_is_not() {
        assert!(!is_minified("a.md", &"many words in one long line ".repeat(40)));
        assert!(is_minified("a.js", &"function(a,b){return(a+b)};".repeat(40)));
    }

    #[test]
    fn a_line_of_data_does_not_hide_the_code_around_it() {
        let code = "\ndef first(a):\n    return second(a)\n\ndef second(a):\n    return LOGO\n";
        for data in ["QUJD".repeat(2_000), "0x1f,0,".repeat(2_000), "{\"a\":[1,2],\"b\":null},".repeat(500)] {
            assert!(!is_minified("logo.py", &format!("LOGO = \"{data}\"\n{code}")), "{data:.20}");
            assert!(is_minified("data.js", &format!("LOGO = \"{data}\"\n")), "data alone: {data:.20}");
        }
        let packed = "function(a,b){return(a+b)};".repeat(400);
        assert!(is_minified("a.js", &format!("/*!\n * A library.\n * MIT\n */\n{packed}\n")));
    }

    #[test]
    fn generated_files_need_an_explicit_marker() {
        assert!(is_generated("// Code generated by protoc. DO NOT EDIT.\n"));
        assert!(is_generated("# @generated by a tool\n"));
        assert!(!is_generated("# File generated from our OpenAPI spec by a tool.\n"));
    }
}
