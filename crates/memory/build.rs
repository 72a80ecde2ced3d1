//! Builds the tables of the tokenizer (`src/tokens`) from the vocabulary of `tiktoken-rs` and the
//! regular expressions of `regex-syntax`, so that the program loads nothing when it counts its
//! first token.

#[path = "src/tokens/slot.rs"]
mod slot;

use regex_syntax::hir::{Class, HirKind};
use slot::{SLOTS, first_slot};
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/tokens/slot.rs");
    let out = std::env::var("OUT_DIR").expect("cargo names the folder");
    write_vocabulary(Path::new(&out));
    write_classes(Path::new(&out));
}

/// Writes the vocabulary as three tables.
///
/// - `tokens`: all tokens, concatenated.
/// - `token-ends`: the end offset of each token.
/// - `token-slots`: a hash table of token numbers plus one; 0 marks an empty slot.
fn write_vocabulary(out: &Path) {
    let vocabulary = tiktoken_rs::o200k_base().expect("the vocabulary is part of tiktoken-rs");
    let (mut bytes, mut ends, mut slots) = (Vec::new(), Vec::new(), vec![0u32; SLOTS]);
    while let Ok(token) = vocabulary.decode_bytes(&[ends.len() as u32]) {
        bytes.extend(&token);
        ends.push(bytes.len() as u32);
        let mut slot = first_slot(&token);
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = ends.len() as u32;
    }
    assert!(ends.len() > 199_000, "{} tokens: their numbers have a gap", ends.len());
    write(out, "tokens", &bytes);
    write(out, "token-ends", &numbers(&ends));
    write(out, "token-slots", &numbers(&slots));
}

/// Writes `character-classes`: pairs of (first character, class), sorted by character. Each pair
/// applies up to the next one. The class numbers match `Class` in `pieces.rs`.
fn write_classes(out: &Path) {
    let classes = [r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\s"];
    let mut changes = vec![(0, 0)];
    for (class, pattern) in (1u32..).zip(classes) {
        let hir = regex_syntax::parse(pattern).expect("a pattern");
        let HirKind::Class(Class::Unicode(ranges)) = hir.into_kind() else { panic!("{pattern} is not a class") };
        for range in ranges.iter() {
            changes.push((range.start() as u32, class));
            changes.push((range.end() as u32 + 1, 0));
        }
    }
    // Where one range ends at the start of another, the start wins: it sorts last because its class
    // number is higher.
    changes.sort_unstable();
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for change in changes {
        match rows.last_mut() {
            Some(last) if last.0 == change.0 => *last = change,
            _ => rows.push(change),
        }
    }
    let rows: Vec<u32> = rows.into_iter().flat_map(|(start, class)| [start, class]).collect();
    write(out, "character-classes", &numbers(&rows));
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn write(out: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(out.join(name), bytes).expect("cargo's folder can be written");
}
