#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code)]
mod checks;

// The first byte selects the language.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((name, text)) = checks::named(bytes) {
        checks::source(&name, text);
    }
});
