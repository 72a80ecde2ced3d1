//! Compression of bytes that are read rarely or file by file (LZ4: half the size, decompressed at a
//! gigabyte per second).

/// Maximum number of bytes that one compressed byte expands to: the longest extension of the length
/// of a repetition.
const MAX_RATIO: usize = 255;

/// Compresses bytes. An empty input gives an empty output.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() { Vec::new() } else { lz4_flex::block::compress_prepend_size(bytes) }
}

/// Decompresses the output of [`pack`]. Returns `None` if the bytes are damaged.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    if packed.is_empty() {
        return Some(Vec::new());
    }
    // The size is allocated before anything is decompressed.
    let (size, rest) = packed.split_first_chunk()?;
    let size = u32::from_le_bytes(*size) as usize;
    let unpacked = (size <= rest.len().saturating_mul(MAX_RATIO)).then(|| lz4_flex::block::decompress(rest, size));
    // Bytes that end too early may unpack to fewer.
    unpacked?.ok().filter(|bytes| bytes.len() == size)
}
