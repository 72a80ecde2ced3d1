//! Bytes that are read seldom, or file by file, lie packed on disk (LZ4: half the size, unpacked at a gigabyte a second).

/// Packs bytes; nothing stays nothing.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() { Vec::new() } else { lz4_flex::block::compress_prepend_size(bytes) }
}

/// What was packed; none if the bytes are torn.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    if packed.is_empty() { Some(Vec::new()) } else { lz4_flex::block::decompress_size_prepended(packed).ok() }
}
