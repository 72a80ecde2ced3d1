//! Converts functions to sequences of words, from which `reader.py` learns a model that reads code.
//!
//! Unlike in [`super::corpus`], the words keep their order, and each has its role in the function.
//! Documentation is separate from the code. Files with words consist of little-endian `u16` values;
//! a function is the number of its package, the number of words in its summary, the number of words
//! in its code, the words of both, and the role of each word of the code.

use super::check::folders;
use super::corpus::{Corpus, MOST_OF_A_PACKAGE, parsed_files};
use super::lists::{cases_by_repository, opened};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use whichfn::engine::Engine;
use whichfn::eval::{Case, SplitMix64};
use whichfn_index::source::Sources;
use whichfn_search::search::{Feature, Query, QuestionForm};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::Definition;
use whichfn_text::{LONGEST_WORD, Stemmer, first_sentence, is_noise, is_stop_word, stem_hash, word_ranges};

/// Minimum number of words that a summary must have to be learned from.
const SHORTEST_SUMMARY: usize = 3;
/// Minimum number of words that a body must have to be learned from.
const SHORTEST_BODY: usize = 6;
/// Number of words that represent all words outside the vocabulary, chosen by their hash.
const BUCKETS: u64 = 1024;
/// Number of values that precede the features in a row of a list.
const HEAD: usize = 5;
/// Maximum number of characters of a function that are written for a teacher.
const MOST_SHOWN: usize = 1500;

/// Role of a word in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Name,
    Scope,
    Path,
    Signature,
    Body,
    /// Part of the name of a called function.
    Called,
    /// Part of a string.
    Text,
    /// Documentation after the first sentence.
    Doc,
}

/// Maximum number of words with each role. The three roles of the body share the number of `Body`.
const MOST: [usize; 8] = [8, 6, 6, 24, 160, 160, 160, 40];
/// Maximum number of words in a summary.
const MOST_SUMMARY: usize = 40;

/// The parts of a function that are read.
struct Source<'s> {
    name: &'s str,
    scope: &'s str,
    path: &'s str,
    signature: &'s str,
    /// First paragraph of the documentation.
    doc: &'s str,
    text: &'s str,
}

/// The words of a function.
struct Words {
    /// Words of the first sentence of the documentation.
    summary: Vec<u16>,
    code: Vec<(u16, Role)>,
}

impl Words {
    fn is_worth_learning(&self) -> bool {
        let is_body = |role| matches!(role, Role::Body | Role::Called | Role::Text);
        let body = self.code.iter().filter(|(_, role)| is_body(*role)).count();
        self.summary.len() >= SHORTEST_SUMMARY && body >= SHORTEST_BODY
    }

    fn append_to(&self, out: &mut Vec<u16>, package: usize) {
        out.extend([package as u16, self.summary.len() as u16, self.code.len() as u16]);
        out.extend(&self.summary);
        out.extend(self.code.iter().map(|(word, _)| word));
        out.extend(self.code.iter().map(|(_, role)| *role as u16));
    }
}

/// Converts texts to word numbers.
struct WordReader<'n> {
    /// Number of each stem of the vocabulary.
    numbers: &'n FxHashMap<String, u16>,
    stemmer: Stemmer,
}

impl<'n> WordReader<'n> {
    fn new(numbers: &'n FxHashMap<String, u16>) -> Self {
        Self { numbers, stemmer: Stemmer::default() }
    }

    /// Returns up to `most` words of a string in order, each with its range. Leaves out words of
    /// one letter, numbers and words without meaning.
    fn places(&mut self, text: &str, most: usize) -> Vec<(u16, Range<usize>)> {
        let number = |place: Range<usize>| {
            let word = text[place.clone()].to_lowercase();
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            let is_length_valid = (2..=LONGEST_WORD).contains(&word.len());
            if !is_length_valid || is_number || is_noise(&word) || is_stop_word(&word) {
                return None;
            }
            let stem = self.stemmer.stem(&word);
            let bucket = || (self.numbers.len() as u64 + stem_hash(stem) % BUCKETS) as u16;
            Some((self.numbers.get(stem).copied().unwrap_or_else(bucket), place))
        };
        word_ranges(text).filter_map(number).take(most).collect()
    }

    fn words(&mut self, text: &str, most: usize) -> Vec<u16> {
        self.places(text, most).into_iter().map(|(word, _)| word).collect()
    }

    fn function(&mut self, source: &Source<'_>) -> Words {
        let doc = source.doc.trim();
        let summary = first_sentence(doc);
        let file: Vec<&str> = source.path.rsplit('/').take(2).collect();
        let heads = [
            (source.name, Role::Name),
            (source.scope, Role::Scope),
            (&file.join(" "), Role::Path),
            (source.signature, Role::Signature),
            (&doc[summary.len()..], Role::Doc),
        ];
        let mut code: Vec<(u16, Role)> = Vec::new();
        for (text, role) in heads {
            code.extend(self.words(text, MOST[role as usize]).into_iter().map(|word| (word, role)));
        }
        let text = without_documentation(source.text);
        let body = self.places(&text, MOST[Role::Body as usize]);
        code.extend(body.into_iter().map(|(word, place)| (word, role_in_body(&text, &place))));
        Words { summary: self.words(summary, MOST_SUMMARY), code }
    }
}

/// Returns the role of the word at `place`, from the signs around the word on its line.
fn role_in_body(text: &str, place: &Range<usize>) -> Role {
    let line = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    if text[line..place.start].matches('"').count() % 2 == 1 {
        Role::Text
    } else if text[place.end..].starts_with('(') {
        Role::Called
    } else {
        Role::Body
    }
}

/// Returns the text of a function without the comments and attributes before it and without a
/// documentation string at the start of its body.
fn without_documentation(text: &str) -> String {
    let mut rest = text.trim_start();
    loop {
        let is_extra = ["//", "*", "#", "--", "@"].iter().any(|sign| rest.starts_with(sign));
        let block = rest.starts_with("/*").then(|| rest.find("*/").map(|at| at + 2)).flatten();
        let Some(end) = block.or_else(|| is_extra.then(|| rest.find('\n').unwrap_or(rest.len()))) else { break };
        rest = rest[end..].trim_start();
    }
    for quote in ["\"\"\"", "'''"] {
        let Some((head, body)) = rest.split_once(quote) else { continue };
        let head = head.trim_end_matches(['r', 'R', 'b', 'u', 'f']).trim_end();
        if head.ends_with(':') {
            return format!("{head}\n{}", body.split_once(quote).map_or("", |(_, code)| code));
        }
    }
    rest.to_owned()
}

fn vocabulary(pairs: &Path) -> Vec<String> {
    let corpus: Corpus = postcard::from_bytes(&std::fs::read(pairs).expect("read the pairs")).expect("pairs");
    corpus.words
}

fn numbered(words: &[String]) -> FxHashMap<String, u16> {
    words.iter().cloned().zip(0..).collect()
}

fn save(path: &Path, numbers: &[u16]) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    std::fs::write(path, bytes).expect("write the words");
}

/// Writes the documented functions of all packages to `OUT.code`, the vocabulary to `OUT.words`,
/// and the names of the packages to `OUT.packages`. The vocabulary is that of `pairs`.
pub fn pairs(packages: &Path, pairs: &Path, out: &Path) {
    let (registry, words) = (Registry::builtin().expect("languages"), vocabulary(pairs));
    let (numbers, folders) = (numbered(&words), folders(packages));
    let of_one = |(number, folder)| of_package(number, folder, &registry, &numbers);
    let functions: Vec<Vec<u16>> = folders.par_iter().map(|folder| folder.as_path()).enumerate().map(of_one).collect();
    save(&out.with_extension("code"), &functions.concat());
    std::fs::write(out.with_extension("words"), words.join("\n")).expect("write the vocabulary");
    let names: Vec<_> = folders.iter().map(|f| f.file_name().unwrap_or_default().to_string_lossy()).collect();
    std::fs::write(out.with_extension("packages"), names.join("\n")).expect("write the packages");
}

fn of_package(package: usize, folder: &Path, registry: &Registry, numbers: &FxHashMap<String, u16>) -> Vec<u16> {
    let mut reader = WordReader::new(numbers);
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut functions = Vec::new();
    for file in parsed_files(folder, registry) {
        let facts = &file.facts;
        let documented = |d: &&Definition| d.kind.is_function() && !d.is_test && !d.doc.is_empty();
        for definition in facts.definitions.iter().filter(documented) {
            let span = definition.span.start_byte as usize..definition.span.end_byte as usize;
            let parent = &facts.definitions[definition.parent];
            let words = reader.function(&Source {
                name: &definition.name,
                scope: if parent.kind.is_function() { "" } else { &parent.name },
                path: &file.path,
                signature: &definition.signature,
                doc: &definition.doc,
                text: file.text.get(span).unwrap_or_default(),
            });
            let copy: Vec<u8> = words.code.iter().flat_map(|(word, _)| word.to_le_bytes()).collect();
            if words.is_worth_learning() && seen.insert(xxhash_rust::xxh3::xxh3_64(&copy)) {
                functions.push(words);
            }
        }
    }
    SplitMix64::new(seen.len() as u64).shuffle(&mut functions);
    let mut out = Vec::new();
    functions.iter().take(MOST_OF_A_PACKAGE).for_each(|words| words.append_to(&mut out, package));
    out
}

/// Writes the candidates of question sets, each given as `ROOT=SET.jsonl`:
///
/// - `OUT.lists`: `f32` values: the length of a row; by row, list, set, form, correctness,
///   function, features
/// - `OUT.asked`: the number of words in each question, and the words
/// - `OUT.code`: the words of the functions
/// - `OUT.words`: the vocabulary
/// - `OUT.text`: a JSON object for each question and function with its text, for teachers
pub fn lists(pairs: &Path, out: &Path, sets: &[&str]) {
    let words = vocabulary(pairs);
    let numbers = numbered(&words);
    std::fs::write(out.with_extension("words"), words.join("\n")).expect("write the vocabulary");
    let file = |name: &str| BufWriter::new(File::create(out.with_extension(name)).expect("create"));
    let mut writer = ListWriter {
        reader: WordReader::new(&numbers),
        rows: file("lists"),
        texts: file("text"),
        asked: Vec::new(),
        code: Vec::new(),
        lists: 0,
        functions: 0,
    };
    writer.rows.write_all(&((HEAD + Feature::COUNT) as f32).to_le_bytes()).expect("write the lists");
    let by_repository = cases_by_repository(sets);
    by_repository.iter().for_each(|((root, repo), cases)| writer.add_repository(Path::new(root), repo, cases));
    save(&out.with_extension("asked"), &writer.asked);
    save(&out.with_extension("code"), &writer.code);
    println!("{} lists, {} functions, {} features", writer.lists, writer.functions, Feature::COUNT);
}

/// The files of [`lists`].
struct ListWriter<'n> {
    reader: WordReader<'n>,
    rows: BufWriter<File>,
    texts: BufWriter<File>,
    asked: Vec<u16>,
    code: Vec<u16>,
    lists: usize,
    functions: usize,
}

impl ListWriter<'_> {
    /// Adds the questions about a repository, and the functions that any of them finds.
    fn add_repository(&mut self, root: &Path, repo: &str, cases: &[(usize, Case)]) {
        let engine = opened(root);
        let searcher = engine.searcher();
        let mut found: BTreeSet<DefinitionId> = BTreeSet::new();
        let mut lists = Vec::new();
        for (set, case) in cases {
            let query = Query::new(&case.query);
            if QuestionForm::LEARNED.contains(&query.question.form) {
                let candidates = searcher.candidates(&query).expect("search");
                found.extend(candidates.iter().map(|(id, _)| *id));
                lists.push((*set, case, query.question.form, candidates));
            }
        }
        let number_of: FxHashMap<DefinitionId, usize> = found.iter().copied().zip(self.functions..).collect();
        let sources = Sources::new(engine.root(), engine.generation());
        found.iter().for_each(|&id| self.add_function(repo, &engine, &sources, id));
        for (set, case, form, candidates) in lists {
            let right = |id| case.is_answered_by(&engine.generation().graph, id);
            let rows = candidates.iter().map(|(id, features)| (right(*id), number_of[id], features.as_slice()));
            self.add_list([set as f32, form as u8 as f32], rows);
            self.add_question(repo, case);
        }
    }

    fn add_function(&mut self, repo: &str, engine: &Engine, sources: &Sources<'_>, id: DefinitionId) {
        let graph = &engine.generation().graph;
        let row = graph.definition(id);
        let (parent, file) = (graph.definition(row.parent), sources.text(row.file));
        let source = Source {
            name: graph.name(id),
            scope: if parent.kind().is_function() { "" } else { graph.name(row.parent) },
            path: graph.path(row.file),
            signature: graph.signature(id),
            doc: graph.doc(id),
            text: file.get(row.start_byte as usize..row.end_byte as usize).unwrap_or_default(),
        };
        self.reader.function(&source).append_to(&mut self.code, 0);
        let text: String = source.text.chars().take(MOST_SHOWN).collect();
        let line = serde_json::json!({"repo": repo, "path": source.path, "name": source.name,
            "signature": source.signature, "doc": source.doc, "text": text});
        writeln!(self.texts, "{line}").expect("write the texts");
        self.functions += 1;
    }

    fn add_list<'f>(&mut self, [set, form]: [f32; 2], rows: impl Iterator<Item = (bool, usize, &'f [f32])>) {
        for (right, function, features) in rows {
            let head: [f32; HEAD] = [self.lists as f32, set, form, f32::from(right), function as f32];
            let bytes: Vec<u8> = head.iter().chain(features).flat_map(|x| x.to_le_bytes()).collect();
            self.rows.write_all(&bytes).expect("write the lists");
        }
    }

    fn add_question(&mut self, repo: &str, case: &Case) {
        let words = self.reader.words(&case.query, usize::MAX);
        self.asked.push(words.len() as u16);
        self.asked.extend(words);
        let line = serde_json::json!({"list": self.lists, "repo": repo, "query": case.query});
        writeln!(self.texts, "{line}").expect("write the texts");
        self.lists += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, doc: &str) -> (Vec<String>, Vec<(String, Role)>) {
        let words = ["pars", "date", "text", "load", "invalid", "valu", "return", "format"];
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let numbers = numbered(&words);
        let source = Source { name: "parse_date", scope: "", path: "lib.py", signature: "", doc, text };
        let function = WordReader::new(&numbers).function(&source);
        let word = |number: u16| words.get(usize::from(number)).map_or("other", |word| word).to_owned();
        let code = function.code.into_iter().map(|(number, role)| (word(number), role));
        (function.summary.into_iter().map(word).collect(), code.collect())
    }

    #[test]
    fn words_keep_their_order_and_have_roles() {
        let text = "def parse_date(text):\n    value = load(text)\n    log(\"invalid date\")\n";
        let (summary, code) = read(text, "Parses a date. The format is fixed.");
        assert_eq!(summary, ["pars", "date"]);
        let of = |role: Role| code.iter().filter(|(_, r)| *r == role).map(|(w, _)| w.as_str()).collect::<Vec<_>>();
        assert_eq!(of(Role::Name), ["pars", "date"]);
        assert_eq!(of(Role::Text), ["invalid", "date"]);
        assert!(of(Role::Called).contains(&"load") && of(Role::Body).contains(&"valu"), "{code:?}");
        assert!(of(Role::Doc).contains(&"format"), "{code:?}");
    }

    #[test]
    fn documentation_is_not_part_of_the_code() {
        let code = "fn parse() { date() }";
        for before in ["/// Text.\n", "/** Text.\n    invalid\n */\n", "# Text.\n\n", "#[inline]\n// Text.\n"] {
            assert_eq!(without_documentation(&format!("{before}{code}")), code);
        }
        let python = "def f(a):\n    r\"\"\"Text.\n\n    More.\n    \"\"\"\n    return \"\"\"a\"\"\"";
        assert_eq!(without_documentation(python), "def f(a):\n\n    return \"\"\"a\"\"\"");
        assert_eq!(without_documentation("# only a comment"), "");
    }
}
