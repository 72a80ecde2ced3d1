//! Mutation tests: real sources are changed at random from a seed, and no input may crash the
//! program. The checks are in `fuzz/checks.rs`, which the targets of cargo-fuzz share; these tests
//! run them on a stable toolchain.
//!
//! `WHICHFN_MUTATIONS=N` sets the number of changed sources (default: 60), and `WHICHFN_SEED=N` the
//! first seed; `.ci/run` runs enough of them for a minute. The current input is stored in
//! `target/tmp/mutation-*`, so that it survives if the whole program aborts.

use std::path::PathBuf;
use whichfn_testing::Case;

#[path = "../fuzz/checks.rs"]
#[allow(dead_code)]
mod checks;

/// Default number of changed sources.
const FEW: u64 = 60;
/// Maximum length of a changed source in bytes. Repeats and nested copies grow fast, and so does
/// the parser's work.
const LONGEST: usize = 200_000;

/// A check that panics if a property does not hold for the bytes.
type Check = fn(&[u8]);

/// A pseudo-random number generator (xorshift), which gives the same numbers on every machine.
struct Random(u64);

impl Random {
    /// Returns the generator of one input.
    fn from_seed(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..4).for_each(|_| {
            random.below(2);
        });
        random
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end.max(1)
    }

    /// Returns a random element of `all`.
    fn of_all<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.below(all.len())]
    }

    /// Returns a random range of at most `most` bytes in a text of `length` bytes.
    fn stretch(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        start..(start + 1 + self.below(most)).min(length)
    }
}

const OPENERS: [&str; 16] = [
    "(", "[", "{", "\"", "'", "`", "\"\"\"", "/*", "<<EOF\n", "r#\"", "${", "$\"{", "<", "if a:\n ", "#if 1\n", "@a\n",
];
const PAIRS: [(&str, &str); 8] = [
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("f(", ")"),
    ("V<", ">"),
    ("class A {", "}"),
    ("def f():\n", "\n"),
    ("if (a) {", "} else {}"),
];

/// Characters of two, three and four bytes, one that changes its length in lower case, and one that combines.
const WIDE: [&str; 5] = ["é", "你", "🌐", "İ", "e\u{301}"];

/// Applies one random change to a source; `other` is another source, of any language.
fn changed(mut bytes: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    let length = bytes.len();
    match random.below(14) {
        0 => bytes.truncate(random.below(length)),
        1 => {
            let (at, piece) = (random.below(length), random.stretch(other.len(), 2_000));
            bytes.splice(at..at, other[piece].iter().copied());
        }
        2 => {
            let (at, piece) = (random.below(length), random.stretch(length, 2_000));
            let piece = bytes[piece].to_vec();
            bytes.splice(at..at, piece);
        }
        3 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let gone = random.stretch(lines.len(), 5);
            bytes = [&lines[..gone.start], &lines[gone.end.max(gone.start)..]].concat().concat();
        }
        4 => (0..1 + random.below(8)).for_each(|_| {
            let at = random.below(length);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }),
        // Latin-1, then UTF-16 in both byte orders.
        5 => bytes = String::from_utf8_lossy(&bytes).chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        6 => {
            let (is_big, text) = (random.below(2) == 1, format!("\u{feff}{}", String::from_utf8_lossy(&bytes)));
            let units = text.encode_utf16();
            bytes = units.flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
        }
        7 => bytes.insert(random.below(length), 0),
        8 => {
            let (at, opener) = (random.below(length), random.of_all(&OPENERS).as_bytes());
            bytes.splice(at..at, opener.repeat(1 + random.below(300)));
        }
        9 => {
            let (at, piece) = (random.below(length), random.stretch(length, 80));
            let piece = bytes[piece].repeat(1 + random.below(1_000));
            bytes.splice(at..at, piece);
        }
        10 => {
            let (at, depth) = (random.below(length), 1 + random.below(2_000));
            let (open, close) = PAIRS[random.below(PAIRS.len())];
            bytes.splice(at..at, format!("{}1{}", open.repeat(depth), close.repeat(depth)).into_bytes());
        }
        11 => {
            let gone = random.stretch(length, 2_000);
            bytes.drain(gone);
        }
        // Strings, names and comments that start with a character of several bytes.
        12 => {
            let (wide, every) = (random.of_all(&WIDE), 1 + random.below(4));
            let is_start = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'/' | b':' | b'(' | b' ');
            let starts: Vec<usize> = (0..length).filter(|&at| is_start(&bytes[at])).step_by(every).collect();
            starts.into_iter().rev().for_each(|at| drop(bytes.splice(at + 1..at + 1, wide.bytes())));
        }
        _ => {
            let at = random.below(length);
            bytes.rotate_left(at);
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

fn how_many() -> u64 {
    number("WHICHFN_MUTATIONS").unwrap_or(FEW)
}

/// Returns `count` seeds.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = number("WHICHFN_SEED").unwrap_or(0);
    first..first + count
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

/// Runs a check on an input that is stored on disk while the check runs.
fn kept(name: &str, seed: u64, bytes: &[u8], check: impl FnOnce(&[u8])) {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mutation-{name}"));
    std::fs::write(&place, bytes).expect("written");
    std::fs::write(place.with_extension("seed"), seed.to_string()).expect("written");
    check(bytes);
}

#[test]
fn changed_sources_are_read() {
    let applications = Case::read(&whichfn_testing::workspace().join("fuzz/seeds/applications.md"));
    let cases = Case::all("lang").into_iter().chain([applications]);
    let sources: Vec<(String, Vec<u8>)> =
        cases.flat_map(|case| case.files()).map(|file| (file.path, file.text.into_bytes())).collect();
    for seed in seeds(how_many()) {
        let random = &mut Random::from_seed(seed);
        let (name, text) = &sources[random.below(sources.len())];
        let mut bytes = text.clone();
        for _ in 0..1 + random.below(3) {
            let (_, other) = &sources[random.below(sources.len())];
            bytes = changed(bytes, other, random);
        }
        let name = name.rsplit('/').next().unwrap_or(name);
        kept(name, seed, &bytes, |bytes| checks::source(name, bytes));
    }
}

#[test]
fn changed_replies_schemas_settings_and_questions_are_read() {
    let reply = include_bytes!("../fuzz/seeds/reply.txt").to_vec();
    let schema = include_bytes!("../fuzz/seeds/schema.json").to_vec();
    let settings = include_bytes!("../fuzz/seeds/settings.toml").to_vec();
    let question = include_bytes!("../fuzz/seeds/question.txt").to_vec();
    for seed in seeds(4 * how_many()) {
        let random = &mut Random::from_seed(seed);
        let kinds: [(&str, &[u8], Check); 4] = [
            ("reply", &reply, checks::reply),
            ("schema", &schema, checks::schema),
            ("settings", &settings, checks::settings),
            ("question", &question, checks::question),
        ];
        let (name, text, check) = kinds[random.below(kinds.len())];
        let mut bytes = text.to_vec();
        for _ in 0..1 + random.below(3) {
            bytes = changed(bytes, &reply, random);
        }
        kept(name, seed, &bytes, check);
    }
}

#[test]
fn a_changed_index_is_refused_or_answers_correctly() {
    for seed in seeds(how_many() / 2) {
        let random = &mut Random::from_seed(seed);
        let which = random.below(usize::MAX);
        checks::index(|bytes| changed(bytes.to_vec(), bytes, random), which);
    }
}

#[test]
fn a_mutation_depends_only_on_its_seed() {
    let text = b"def f():\n    return 1\n".repeat(20);
    let all = |from: u64| (from..from + 200).map(|seed| changed(text.clone(), &text, &mut Random::from_seed(seed)));
    assert!(all(0).eq(all(0)) && !all(0).eq(all(1)));
    assert!(all(0).all(|bytes| bytes.len() <= LONGEST));
}
