//! Compression of bytes that are read rarely or file by file (LZ4: half the size, decompressed at a
//! gigabyte a second).

/// Compresses bytes. An empty input gives an empty output.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() { Vec::new() } else { lz4_flex::block::compress_prepend_size(bytes) }
}

/// Decompresses the output of [`pack`]. Returns `None` if the bytes are damaged.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    if packed.is_empty() { Some(Vec::new()) } else { lz4_flex::block::decompress_size_prepended(packed).ok() }
}
