//! Packs the vocabulary of OpenAI's `o200k_base` into `data/o200k_base.bin`, whose format
//! `src/tokens/vocabulary.rs` describes.
//!
//! Its input is `o200k_base.tiktoken`, which the Python package `tiktoken` downloads and which is
//! part of the crate `tiktoken-rs`. Each line has a token in Base64, and its number:
//!
//! ```text
//! cargo run -p whichfn-memory --example vocabulary -- \
//!     o200k_base.tiktoken crates/memory/data/o200k_base.bin
//! ```

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [input, output] = &arguments[..] else { return Err("usage: vocabulary INPUT OUTPUT".into()) };
    let mut tokens = Vec::new();
    for line in std::fs::read_to_string(input)?.lines() {
        let (token, number) = line.split_once(' ').ok_or("a line has no number")?;
        tokens.push((BASE64_STANDARD.decode(token)?, number.parse::<u32>()?));
    }
    tokens.sort_unstable();
    std::fs::write(output, lz4_flex::block::compress_prepend_size(&pack(&tokens)?))?;
    Ok(())
}

fn pack(tokens: &[(Vec<u8>, u32)]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut out = u32::try_from(tokens.len())?.to_le_bytes().to_vec();
    for byte in 0..3 {
        out.extend(tokens.iter().map(|(_, number)| number.to_le_bytes()[byte]));
    }
    let mut previous: &[u8] = &[];
    for (token, _) in tokens {
        let shared = token.iter().zip(previous).take_while(|(byte, other)| byte == other).count();
        out.extend([u8::try_from(shared)?, u8::try_from(token.len() - shared)?]);
        out.extend(&token[shared..]);
        previous = token;
    }
    Ok(out)
}
