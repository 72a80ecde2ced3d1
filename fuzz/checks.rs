//! Checks that must pass for any bytes from any source. They are shared by the targets of
//! cargo-fuzz (`fuzz_targets/`) and the seeded mutator of the tests (`tests/mutations.rs`). A check
//! panics if it fails.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use whichfn::engine::Engine;
use whichfn_graph::PackedFacts;
use whichfn_index::fragment::FileFragments;
use whichfn_index::index::{Options, Silent};
use whichfn_index::store::catch_damaged;
use whichfn_index::wordvec::Numbers;
use whichfn_memory::{Schema, parse_object, parse_reply};
use whichfn_scan::decode;
use whichfn_search::search::{MAX_TERMS, Query, Question};
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::{Embedded, Parser, parse, read_plain_text};

/// Returns the registry of all built-in languages.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::builtin().expect("languages"))
}

/// Checks a source file with the given name: the positions of its facts and fragments are within
/// the text, or within the code of a notebook.
pub fn source(name: &str, bytes: &[u8]) {
    thread_local! {
        static TOOLS: RefCell<(Parser, Numbers)> = RefCell::default();
    }
    let Some(text) = decode(bytes) else { return };
    TOOLS.with_borrow_mut(|(parser, numbers)| {
        let parsed = match registry().detect_text(name, &text) {
            Some(id) => parse(parser, registry().language(id).expect("language"), name, &text).expect("parsed"),
            None => Some(read_plain_text(registry(), name, &text, parser.splitter())),
        };
        // The parser may give up on a file after a limited amount of work.
        let Some((facts, words)) = parsed else { return };
        let language = registry().detect_text(name, &text).map(|id| registry().language(id).expect("language"));
        let embedded = language.and_then(|language| Embedded::read(language, name, &text));
        let text = embedded.map_or(text.clone(), |embedded| embedded.code);
        for definition in &facts.definitions {
            let span = definition.span;
            assert!(span.start_byte <= span.end_byte && span.end_byte as usize <= text.len(), "{definition:?}");
            assert!(1 <= span.start_line && span.start_line <= span.end_line, "{definition:?}");
            assert!(text.get(span.start_byte as usize..span.end_byte as usize).is_some(), "cut: {definition:?}");
        }
        assert_eq!(PackedFacts::new(&facts).facts().definition_count(), facts.definitions.len());
        drop(FileFragments::new(&text, &facts, &words, parser.splitter(), numbers));
    });
}

/// Checks that a model's reply is parsed without a panic.
pub fn reply(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = (parse_reply(&text), parse_object(&text));
}

/// Checks that writing a parsed JSON Schema and parsing it again gives the same schema.
pub fn schema(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(schema) = Schema::read(&text) else { return };
    let written = schema.json_schema().to_string();
    let again = Schema::read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again, schema, "{written}");
}

/// Checks that a settings file is parsed without a panic.
pub fn settings(bytes: &[u8]) {
    whichfn::cli::reads_as_settings(&String::from_utf8_lossy(bytes));
}

/// Checks that a question is parsed within the limits.
pub fn question(bytes: &[u8]) {
    let question = Question::read(&String::from_utf8_lossy(bytes));
    assert!(question.terms.len() <= MAX_TERMS);
}

/// A small repository and its index, which is repeatedly damaged and repaired.
struct Damaged {
    root: PathBuf,
    index: PathBuf,
    /// Files of the index with their original contents.
    files: Vec<(PathBuf, Vec<u8>)>,
    answer: Vec<String>,
    _home: tempfile::TempDir,
}

const ZEBRA: &str =
    "def zebra(stripes):\n    \"\"\"Count stripes.\"\"\"\n    return lion(stripes)\n\ndef lion(x): pass\n";

impl Damaged {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("folder");
        let (root, index) = (home.path().join("repo"), home.path().join("index"));
        std::fs::create_dir(&root).expect("folder");
        std::fs::write(root.join("a.py"), ZEBRA).expect("written");
        std::fs::write(root.join("b.rs"), "pub fn zebra_of(stripes: u32) -> u32 { stripes }\n").expect("written");
        drop(Engine::open(&root, &index, &Options::default(), &Silent).expect("index"));
        let mut paths = vec![index.clone()];
        let mut files = Vec::new();
        while let Some(path) = paths.pop() {
            match path.is_dir() {
                true => {
                    paths.extend(std::fs::read_dir(&path).expect("folder").map(|entry| entry.expect("entry").path()))
                }
                false => files.push((path.clone(), std::fs::read(&path).expect("file"))),
            }
        }
        files.sort();
        let mut damaged = Self { root, index, files, answer: Vec::new(), _home: home };
        damaged.answer = damaged.ask().expect("answer");
        damaged
    }

    /// Returns the names found with the existing index, or `None` if the index is rejected.
    fn ask(&self) -> Option<Vec<String>> {
        let ask = || {
            let engine = Engine::open_stale(&self.root, &self.index, &Options::default()).ok()?;
            let answer = engine.ask(&Query::new("count the stripes of a zebra"), 2).ok()?;
            Some(answer.results.iter().map(|found| format!("{} {:.4}", found.qualified_name, found.score)).collect())
        };
        // A damaged block is detected while the index is read.
        catch_damaged(ask).ok().flatten()
    }
}

/// Checks that an index with one changed file, which `which` selects, yields an error or the right
/// answer.
pub fn index(change: impl FnOnce(&[u8]) -> Vec<u8>, which: usize) {
    static INDEX: OnceLock<Mutex<Damaged>> = OnceLock::new();
    let damaged = INDEX.get_or_init(|| Mutex::new(Damaged::new())).lock().unwrap_or_else(PoisonError::into_inner);
    let (path, bytes) = &damaged.files[which % damaged.files.len()];
    rewrite(path, &change(bytes));
    if let Some(answer) = damaged.ask() {
        assert_eq!(answer, damaged.answer, "{} was changed", path.display());
    }
    rewrite(path, bytes);
}

/// Replaces a file of an index. Files are mapped, so they must not be overwritten in place.
fn rewrite(path: &Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes).expect("written");
}

/// Splits bytes into a file name, whose language the first byte selects, and the remaining bytes.
pub fn named(bytes: &[u8]) -> Option<(Cow<'static, str>, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    let names = [
        "a.c", "a.h", "a.cc", "a.cs", "a.go", "a.java", "a.js", "a.php", "a.py", "a.rb", "a.rs", "a.ts", "a.tsx",
        "a.md",
    ];
    Some((names[usize::from(first) % names.len()].into(), rest))
}
