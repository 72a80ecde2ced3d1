#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code)]
mod checks;

// The first byte selects the file of the index, and the next two bytes select the position of the
// change.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [which, high, low, new @ ..] = bytes else { return };
    let change = |old: &[u8]| {
        let at = usize::from(u16::from_be_bytes([*high, *low])) % (old.len() + 1);
        [&old[..at], new, old.get(at + new.len()..).unwrap_or_default()].concat()
    };
    checks::index(change, usize::from(*which));
});
