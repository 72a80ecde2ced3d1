//! Converts packages to training examples: the words of each function by field, with the
//! documentation separate.
//!
//! The parser and the word splitter of the program are used, so that training and search see the
//! same words.

use super::check::{check, folders};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use whichfn::eval::SplitMix64;
use whichfn_scan::{read, scan};
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::{Facts, Field, FieldWords, Parser, parse};
use whichfn_text::is_stop_word;

/// Maximum number of examples from one package, so that the vocabulary of a single project does not
/// dominate.
pub const MOST_OF_A_PACKAGE: usize = 3_000;
/// Maximum size of a file in bytes. Larger files are data tables.
const MOST_BYTES: u64 = 400_000;
/// Minimum number of packages in which a word must occur to be learned.
const PACKAGES_OF_A_WORD: usize = 6;
/// Maximum number of words to learn, starting with the most frequent. A word's number must fit in
/// two bytes.
const MOST_WORDS: usize = 40_000;
/// Minimum number of words that documentation must have to be learned from.
const SHORTEST_DOC: usize = 3;
/// Minimum number of words that a function must have to be learned from.
const SHORTEST_CODE: usize = 4;

/// The words of one function, as word numbers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Example {
    pub package: u32,
    /// Words of each [`Field`], in order of occurrence. Documentation is in the last two fields.
    pub fields: [Vec<u32>; Field::COUNT],
}

/// All examples, and the words that they contain, most frequent first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Corpus {
    pub words: Vec<String>,
    pub packages: Vec<String>,
    pub examples: Vec<Example>,
}

pub fn write(packages: &Path, out: &Path) {
    check(packages);
    let corpus = gather(packages);
    let documented = corpus.examples.iter().filter(|e| !e.fields[Field::Summary as usize].is_empty()).count();
    println!(
        "{} packages, {} functions ({documented} documented), {} words",
        corpus.packages.len(),
        corpus.examples.len(),
        corpus.words.len()
    );
    std::fs::write(out, postcard::to_allocvec(&corpus).expect("plain data")).expect("write the pairs");
}

type Raw = Vec<[String; Field::COUNT]>;

fn gather(packages: &Path) -> Corpus {
    let registry = Registry::builtin().expect("languages");
    let folders = folders(packages);
    let raw: Vec<Raw> = folders.par_iter().map(|folder| functions(folder, &registry)).collect();
    let mut used_by: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
    for functions in &raw {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for word in functions.iter().flatten().flat_map(|field| field.split(' ')).filter(|w| !w.is_empty()) {
            let of = used_by.entry(word).or_default();
            of.1 += 1;
            of.0 += u32::from(seen.insert(word));
        }
    }
    let mut words: Vec<(&str, u32)> = used_by
        .into_iter()
        .filter(|(word, (packages, _))| *packages as usize >= PACKAGES_OF_A_WORD && !is_number(word))
        .map(|(word, (_, count))| (word, count))
        .collect();
    words.sort_unstable_by_key(|&(word, count)| (std::cmp::Reverse(count), word));
    words.truncate(MOST_WORDS);
    let numbers: FxHashMap<&str, u32> = words.iter().map(|&(word, _)| word).zip(0..).collect();
    let mut examples = Vec::new();
    for (package, functions) in raw.iter().enumerate() {
        for function in functions {
            let fields = std::array::from_fn(|field| {
                function[field].split(' ').filter_map(|word| numbers.get(word).copied()).collect()
            });
            examples.push(Example { package: package as u32, fields });
        }
    }
    let name = |folder: &PathBuf| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Corpus {
        words: words.into_iter().map(|(word, _)| word.to_owned()).collect(),
        packages: folders.iter().map(name).collect(),
        examples,
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// A parsed file of a package.
pub struct PackageFile {
    pub path: String,
    pub text: String,
    pub facts: Facts,
    pub words: FieldWords,
}

/// Parses the files of a package one by one. Leaves out those that cannot be read or parsed.
pub fn parsed_files(folder: &Path, registry: &Registry) -> impl Iterator<Item = PackageFile> {
    let mut parser = Parser::default();
    let files = scan(folder, registry, MOST_BYTES).expect("scan").files;
    files.into_iter().filter_map(move |entry| {
        let text = read(folder, &entry.path).ok()?.ok()?.text;
        let id = registry.detect(entry.path.rsplit('/').next().unwrap_or_default())?;
        let language = registry.language(id).expect("language");
        let (facts, words) = parse(&mut parser, language, &entry.path, &text).ok()??;
        Some(PackageFile { path: entry.path, text, facts, words })
    })
}

/// Returns the functions of a package that are worth learning from, with the documented functions
/// first.
fn functions(folder: &Path, registry: &Registry) -> Raw {
    let (mut documented, mut bare) = (Raw::new(), Raw::new());
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    for PackageFile { facts, words, .. } in parsed_files(folder, registry) {
        let stems: Vec<&str> = words.stems().map(|(stem, _)| stem).collect();
        for (id, definition) in facts.definitions.enumerate() {
            if !definition.kind.is_function() || definition.is_test {
                continue;
            }
            let of = |field: Field| words.lengths(id)[field as usize] as usize;
            if of(Field::Body) + of(Field::Parameters) + of(Field::Strings) < SHORTEST_CODE {
                continue;
            }
            let fields = Field::ALL.map(|field| {
                let counted = words.field_words(id, field).iter();
                let all = counted.flat_map(|word| std::iter::repeat_n(stems[word.stem as usize], word.count as usize));
                all.collect::<Vec<_>>().join(" ")
            });
            // Copies of one text within a package teach nothing new.
            let copy = format!("{}|{}", fields[Field::Summary as usize], fields[Field::Body as usize]);
            if !seen.insert(xxhash_rust::xxh3::xxh3_64(copy.as_bytes())) {
                continue;
            }
            let words = fields[Field::Summary as usize].split(' ').filter(|w| !is_stop_word(w)).count();
            let list = if words >= SHORTEST_DOC { &mut documented } else { &mut bare };
            list.push(fields);
        }
    }
    let mut random = SplitMix64::new(seen.len() as u64);
    random.shuffle(&mut documented);
    random.shuffle(&mut bare);
    bare.truncate(documented.len() / 2 + 100);
    documented.extend(bare);
    documented.truncate(MOST_OF_A_PACKAGE);
    documented
}
