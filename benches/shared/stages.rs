//! Measures the time of each stage of a full index, over all files of a tree, on one thread.
//!
//! The stages up to the facts are differences: all files are parsed, then parsed and walked, and so
//! on. Each later stage runs over all files before the next one begins, so its data is colder than
//! in the program. The last column is the whole index.

use super::measure::{cpu_ms, median};
use std::path::Path;
use whichfn::engine::Engine;
use whichfn_graph::{PackedFacts, Source, link};
use whichfn_index::fragment::FileFragments;
use whichfn_index::index::{Options, Silent};
use whichfn_index::store::{FilePart, FileTerms, Generation, PieceWriter};
use whichfn_index::wordvec::Numbers;
use whichfn_scan::{read, scan};
use whichfn_syntax::lang::{LangId, Language, Registry};
use whichfn_syntax::packed::pack;
use whichfn_syntax::parse::{Facts, FieldWords, Parser, find_matches, parse, read_plain_text};
use whichfn_syntax::tree::Tree;
use whichfn_text::{Splitter, file_name};

const ROUNDS: usize = 3;
const STAGES: [&str; 10] =
    ["floor ms", "walk", "patterns", "facts", "words", "fragments", "postings", "pack", "write", "link"];

struct File {
    path: String,
    text: String,
    language: Option<LangId>,
}

struct Parsed {
    facts: Facts,
    words: FieldWords,
}

/// Prints a row for each tree: the CPU time of the floor in milliseconds, followed by the times of
/// each stage and of a whole index as multiples of the floor.
pub fn print_stages(trees: &[String]) {
    print!("{:<14}", "tree");
    STAGES.iter().chain(&["all"]).for_each(|stage| print!("{stage:>10}"));
    println!();
    // A single Rayon thread does all the work, so its CPU time is the total.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for tree in trees {
        let rounds: Vec<_> = (0..ROUNDS).map(|_| one.install(|| times(Path::new(tree)))).collect();
        let of = |stage: usize| median(rounds.iter().map(|round| round[stage]).collect());
        print!("{:<14}{:>10.0}", file_name(tree), of(0));
        (1..=STAGES.len()).for_each(|stage| print!("{:>10.2}", of(stage) / of(0)));
        println!();
    }
}

/// Returns the time of each stage and of the whole index, in milliseconds.
fn times(root: &Path) -> [f64; STAGES.len() + 1] {
    let (registry, options) = (Registry::builtin().expect("languages"), Options::default());
    let folder = std::env::temp_dir().join(format!("whichfn-stages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    let mut files = Vec::new();
    let read = cpu_ms(|| files = read_all(root, &registry, options.max_size));
    let bare = cpu_ms(|| parse_each(&files, &registry, |_, _, _| {}));
    let mut flat = Tree::default();
    let walked = cpu_ms(|| {
        parse_each(&files, &registry, |tree, file, _| {
            flat.read(tree, &file.text, u32::MAX);
        })
    });
    let matched = cpu_ms(|| {
        parse_each(&files, &registry, |tree, file, language| {
            flat.read(tree, &file.text, u32::MAX);
            find_matches(&language.patterns, &flat, &file.text, |_| {});
        });
    });
    let (mut splitter, mut numbers) = (Splitter::default(), Numbers::default());
    files.iter().for_each(|file| splitter.read(&file.text));
    let words = cpu_ms(|| files.iter().for_each(|file| splitter.read(&file.text)));
    let mut parsed = Vec::new();
    let facts = cpu_ms(|| parsed = parse_all(&files, &registry)) - matched - words;
    let each = || files.iter().zip(&parsed);
    let mut fragments: Vec<FileFragments> = Vec::new();
    let split_and_cut = cpu_ms(|| {
        let made = each().map(|(file, of)| {
            splitter.read(&file.text);
            FileFragments::new(&file.text, &of.facts, &of.words, &splitter, &mut numbers)
        });
        fragments = made.collect();
    });
    let mut terms = Vec::new();
    let postings = cpu_ms(|| terms = parsed.iter().map(|of| FileTerms::new(&of.facts, &of.words)).collect());
    let mut packed: Vec<(PackedFacts, Vec<u8>, Vec<u8>)> = Vec::new();
    let pack = cpu_ms(|| {
        let stored = parsed.iter().map(|of| {
            let facts = PackedFacts::new(&of.facts);
            let flow = facts.stored();
            (facts, flow, pack(&of.facts.syntax))
        });
        packed = stored.collect();
    });
    let write = cpu_ms(|| {
        let mut piece = PieceWriter::default();
        for ((((file, of), fragments), terms), (_, flow, syntax)) in each().zip(&fragments).zip(&terms).zip(&packed) {
            let (path, language, facts, flow) = (&file.path[..], file.language.map(|l| l.0), &of.facts, flow);
            piece.file(&FilePart { path, language, facts, flow, syntax, fragments, terms });
        }
        Generation::write_base(&folder, &piece.finish().sections()).expect("written");
    });
    let link = cpu_ms(|| {
        let sources = each().zip(&packed).map(|((file, of), (packed, ..))| Source {
            path: &file.path,
            language: file.language,
            facts: file.language.map(|_| packed.facts()),
            definitions: of.facts.definitions.len() as u32,
        });
        drop(link("", &sources.collect::<Vec<_>>(), &registry));
    });
    drop((files, parsed, fragments, terms, packed));
    let all = cpu_ms(|| drop(Engine::open(root, &folder.join("index"), &options, &Silent).expect("index")));
    let _ = std::fs::remove_dir_all(folder);
    let (walk, patterns, fragments) = (walked - bare, matched - walked, split_and_cut - words);
    [read + bare, walk, patterns, facts, words, fragments, postings, pack, write, link, all]
}

fn read_all(root: &Path, registry: &Registry, max_size: u64) -> Vec<File> {
    let mut files = Vec::new();
    for entry in scan(root, registry, max_size).expect("scan").files {
        let Ok(Ok(text)) = read(root, &entry.path) else { continue };
        let language = registry.detect_text(file_name(&entry.path), &text.text);
        files.push(File { path: entry.path, text: text.text, language });
    }
    files
}

/// Parses all files, and calls `with` for the tree of each.
fn parse_each(files: &[File], registry: &Registry, mut with: impl FnMut(&tree_sitter::Tree, &File, &Language)) {
    let mut parser = tree_sitter::Parser::new();
    for file in files {
        let Some(id) = file.language else { continue };
        let language = registry.language(id).expect("language");
        parser.set_language(&language.parser).expect("parser");
        if let Some(tree) = parser.parse(&file.text, None) {
            with(&tree, file, language);
        }
    }
}

fn parse_all(files: &[File], registry: &Registry) -> Vec<Parsed> {
    let mut parser = Parser::default();
    let of = |file: &File| {
        let language = file.language.map(|id| registry.language(id).expect("language"));
        let found = language.and_then(|language| parse(&mut parser, language, &file.path, &file.text).expect("data"));
        let (facts, words) =
            found.unwrap_or_else(|| read_plain_text(registry, &file.path, &file.text, parser.splitter()));
        Parsed { facts, words }
    };
    files.iter().map(of).collect()
}
