//! Checks that a refreshed index gives the same answers as an index built from scratch, after any
//! sequence of edits, and that the number of threads does not matter.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use whichfn::engine::Engine;
use whichfn_index::index::{Options, Silent};
use whichfn_index::store::GraphFile;
use whichfn_search::relation::{Forest, FragmentUnit, Fragments, Relation, Structure};
use whichfn_search::search::{Environment, KindFilter, Query, Unit};
use whichfn_testing::cases;

/// Functions that the files are made of. Some call others, so that an edit of one file changes the
/// scores in another.
const PYTHON: &[&str] = &[
    r#"def parse_date(text):
    """Parse a date into parts."""
    return split_fields(text)
"#,
    r#"def split_fields(text):
    """Split a text at its dashes."""
    return text.split("-")
"#,
    r#"class Purse:
    """Money and its owner."""

    def count(self):
        """Count the coins."""
        return self.weigh()

    def weigh(self):
        return 1
"#,
    "def test_dates():\n    assert parse_date(\"1-2\")\n",
    r#"from shared import split_fields as cut

def join_fields(parts):
    """Join parts with dashes."""
    return cut(parts)
"#,
    "def broken(:\n",
    r"from a import Purse as Bag

class Wallet(Bag):
    def count(self):
        self.coins = super().count()
        return self.weigh()
",
    r"from b import *

def open_purse(date):
    purse = Purse()
    purse.owner = parse_date(date)
    return purse.count()
",
    r"import shared

def spend(purse):
    return shared.Wallet().weigh() + shared.open_purse(purse).owner
",
    r"def each(visit, date):
    return visit(date)

def all_dates(date):
    return each(parse_date, date) or each(split_fields, date)
",
];
const RUST: &[&str] = &[
    r"/// Rounds money to whole coins.
pub fn round_coins(cents: u64) -> u64 {
    floor(cents)
}
",
    r"pub fn floor(cents: u64) -> u64 {
    cents
}
",
    r"/// A purse.
pub struct Purse {
    coins: u64,
}

impl Purse {
    /// Counts the coins of a purse.
    pub fn count(&self) -> u64 {
        floor(self.coins)
    }
}
",
    r"#[cfg(test)]
mod tests {
    #[test]
    fn dates_parse() {
        super::round_coins(1);
    }
}
",
    r"use crate::e::Purse;

impl Purse {
    pub fn spend(&self) -> u64 {
        self.count() + round_coins(self.coins)
    }
}
",
];
const PATHS: &[&str] = &["a.py", "b.py", "shared.py", "deep/c.py", "deep/d.rs", "e.rs", "tests/test_f.py", "notes.md"];

const QUESTIONS: &[&str] = &["parse a date", "split text at dashes", "count the coins of a purse", "money"];

#[derive(Debug, Clone)]
enum Edit {
    Write(&'static str, Vec<usize>),
    Rename(&'static str, &'static str),
    /// Appends a function or a type.
    Append(&'static str, usize),
    /// Exchanges the contents of two files: names, bases, members and calls move.
    Swap(&'static str, &'static str),
    Delete(&'static str),
    /// Marks a file as generated code, which the index leaves out.
    Generate(&'static str),
    /// Changes the modification time but not the content.
    Touch(&'static str),
    /// Inserts a comment at the top: every line and node moves, but no call changes.
    Comment(&'static str),
    /// Writes an ignore file that names a file.
    Ignore(&'static str),
}

fn edit() -> impl Strategy<Value = Edit> {
    let path = || prop::sample::select(PATHS);
    prop_oneof![
        6 => (path(), prop::collection::vec(0..60usize, 0..4)).prop_map(|(p, pieces)| Edit::Write(p, pieces)),
        2 => (path(), path()).prop_map(|(from, to)| Edit::Rename(from, to)),
        4 => (path(), 0..60usize).prop_map(|(p, piece)| Edit::Append(p, piece)),
        2 => (path(), path()).prop_map(|(one, other)| Edit::Swap(one, other)),
        2 => path().prop_map(Edit::Delete),
        1 => path().prop_map(Edit::Generate),
        1 => path().prop_map(Edit::Touch),
        3 => path().prop_map(Edit::Comment),
        1 => path().prop_map(Edit::Ignore),
    ]
}

fn text_of(path: &str, pieces: &[usize]) -> String {
    let vocabulary = if path.ends_with(".rs") { RUST } else { PYTHON };
    pieces.iter().map(|&i| vocabulary[i % vocabulary.len()]).collect::<Vec<_>>().join("\n\n")
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
    std::fs::write(path, text).expect("file written");
}

fn apply(root: &Path, edit: &Edit) {
    // An edit of a missing file does nothing.
    match edit {
        Edit::Write(path, pieces) => write(root, path, &text_of(path, pieces)),
        Edit::Rename(from, to) => {
            let to = root.join(to);
            std::fs::create_dir_all(to.parent().expect("parent")).expect("directory");
            let _ = std::fs::rename(root.join(from), to);
        }
        Edit::Append(path, piece) => {
            let text = std::fs::read_to_string(root.join(path)).unwrap_or_default();
            write(root, path, &format!("{text}\n\n{}", text_of(path, &[*piece])));
        }
        Edit::Swap(one, other) => {
            let [first, second] = [one, other].map(|path| std::fs::read_to_string(root.join(path)));
            if let (Ok(first), Ok(second)) = (first, second) {
                write(root, one, &second);
                write(root, other, &first);
            }
        }
        Edit::Delete(path) => drop(std::fs::remove_file(root.join(path))),
        Edit::Generate(path) => write(root, path, "# @generated\ndef parse_date(): pass\n"),
        Edit::Touch(path) => {
            if let Ok(text) = std::fs::read(root.join(path)) {
                std::fs::write(root.join(path), text).expect("file written");
            }
        }
        Edit::Comment(path) => {
            if let Ok(text) = std::fs::read_to_string(root.join(path)) {
                let sign = if path.ends_with(".rs") { "//" } else { "#" };
                std::fs::write(root.join(path), format!("{sign} A note.\n\n{text}")).expect("file written");
            }
        }
        Edit::Ignore(path) => write(root, ".ignore", path),
    }
}

/// A repository with two index directories.
struct Both {
    dir: tempfile::TempDir,
}

impl Both {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("temporary directory");
        std::fs::create_dir(dir.path().join("repo")).expect("directory");
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("directory").join("repo")
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.root(), path, text);
    }

    /// Returns the number of calls that imports resolve, after a refresh.
    fn imported_calls(&self) -> usize {
        let refreshed = self.answers("refreshed", false);
        assert_eq!(refreshed, self.answers("anew", true));
        refreshed[1].matches("import").count()
    }

    /// Returns all answers of the engine from an index below `index_dir`, with exact score bits.
    fn answers(&self, index_dir: &str, force: bool) -> Vec<String> {
        let options = Options { force, ..Options::default() };
        let engine = Engine::open(&self.root(), &self.dir.path().join(index_dir), &options, &Silent).expect("index");
        let graph = &engine.generation().graph;
        let callers = graph.definition_ids();
        let calls: Vec<_> = callers
            .flat_map(|id| graph.calls(id).iter().map(move |c| (id, c.callee, c.site, c.line, c.reason().name())))
            .collect();
        let mut out = vec![format!("{:?}", counts(&engine)), format!("{calls:?}"), format!("{:?}", engine.structure())];
        let hierarchy = |id| (id, graph.bases(id).collect::<Vec<_>>(), graph.owner(id));
        out.push(format!("{:?}", graph.definition_ids().map(hierarchy).collect::<Vec<_>>()));
        out.extend(fragments(graph));
        let (ours, published) = (Environment::default(), Environment::PUBLISHED);
        let ways = [
            (KindFilter::Function, Unit::Definition, ours),
            (KindFilter::Any, Unit::Definition, ours),
            (KindFilter::Function, Unit::File, ours),
            (KindFilter::Function, Unit::Window, ours),
            (KindFilter::Function, Unit::Definition, published),
            (KindFilter::Function, Unit::Window, published),
        ];
        for (number, &question) in QUESTIONS.iter().enumerate() {
            // Only the first question runs in every way, because these queries take most of the
            // time of the tests.
            let ways = if number == 0 { &ways[..] } else { &ways[number..=number] };
            for &(kind, unit, environment) in ways {
                let query = Query { kind, unit, k: 50, environment, ..Query::new(question) };
                let answer = engine.ask(&query, 3).expect("answer");
                out.extend(answer.results.iter().map(|r| {
                    let bits = [r.score, r.independent, r.environment].map(f32::to_bits);
                    format!(
                        "{question} {kind:?} {unit:?} {environment:?}: {bits:x?} {} {:?} {:?} {:?}",
                        r.qualified_name,
                        (&r.path, r.line, r.start_line, r.end_line),
                        r.evidence,
                        r.snippet
                    )
                }));
            }
        }
        out
    }
}

/// Returns the stored lines, words and definitions of each file and the sums computed from them,
/// bit for bit.
fn fragments(graph: &GraphFile) -> Vec<String> {
    let mut out = Vec::new();
    for file in graph.file_ids() {
        let blocks: Vec<&[u32]> = graph.postings_of(file).collect();
        out.push(format!("{} {blocks:?} {:?} {:?}", graph.path(file), graph.line_ends(file), graph.skeleton(file)));
    }
    for unit in [FragmentUnit::Definition, FragmentUnit::Window] {
        let fragments = Fragments::new(graph, unit);
        let scores: Vec<f64> = (0..fragments.count()).map(|at| (at % 7) as f64).collect();
        let all: Vec<_> = fragments.ids().collect();
        for (fragment, sums) in all.iter().zip(Structure::new(&fragments).sums(&scores, &all)) {
            let bits = [sums.scored, sums.weight].map(f64::to_bits);
            out.push(format!("{unit:?} {fragment:?} {:?}: {bits:x?}", fragments.lines(*fragment)));
        }
        out.push(format!("{unit:?} {:?}", Forest::new(&fragments).sums(&scores, &all)));
    }
    out
}

fn counts(engine: &Engine) -> impl std::fmt::Debug + use<> {
    let status = engine.status();
    (
        status.files,
        status.functions,
        status.types,
        status.lines,
        status.calls,
        status.languages,
        status.skipped,
        status.with_errors,
    )
}

/// Number of files that no edit touches.
const OTHERS: usize = 48;

/// Writes some files that edits can change, and enough others that the changes are less than a
/// sixteenth of the index, so that a refresh shares the base of the previous index.
fn begin(both: &Both) {
    for i in 0..OTHERS {
        let text = format!("def other_{i}(date):\n    \"\"\"Other {i}.\"\"\"\n    return other_{}(date)\n", i / 2);
        std::fs::create_dir_all(both.root().join("others")).expect("directory");
        std::fs::write(both.root().join(format!("others/o{i}.py")), text).expect("file written");
    }
    for (i, path) in PATHS.iter().enumerate() {
        apply(&both.root(), &Edit::Write(path, vec![i, i + 1, 2 * i]));
    }
}

/// Returns the graph files of an index, and the inode number of its base.
#[cfg(unix)]
fn pieces(both: &Both) -> (Vec<String>, u64) {
    let engine =
        Engine::open(&both.root(), &both.dir.path().join("index"), &Options::default(), &Silent).expect("index");
    let folder = engine.generation().folder().to_owned();
    let is_there = |name: &&str| folder.join(name).exists();
    let names = ["base", "overlay", "links"].iter().copied().filter(is_there).map(str::to_owned).collect();
    let base = std::fs::metadata(folder.join("base")).expect("base");
    (names, std::os::unix::fs::MetadataExt::ino(&base))
}

/// A refresh writes nothing about unchanged files until too little of the base is left.
#[test]
#[cfg(unix)]
fn a_refresh_writes_changes_next_to_the_base() {
    let both = Both::new();
    begin(&both);
    let (names, base) = pieces(&both);
    assert_eq!(names, ["base", "links"]);
    apply(&both.root(), &Edit::Write(PATHS[0], vec![2]));
    assert_eq!(pieces(&both), (["base", "overlay", "links"].map(str::to_owned).to_vec(), base));
    for i in 0..OTHERS / 2 {
        std::fs::write(both.root().join(format!("others/o{i}.py")), "def new(): pass\n").expect("file written");
    }
    let (names, anew) = pieces(&both);
    assert_eq!(names, ["base", "links"]);
    assert_ne!(anew, base);
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn a_refreshed_index_answers_like_a_rebuilt_one(edits in prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..7)) {
        let both = Both::new();
        begin(&both);
        both.answers("refreshed", false);
        for round in edits {
            round.iter().for_each(|edit| apply(&both.root(), edit));
            prop_assert_eq!(both.answers("refreshed", false), both.answers("anew", true), "after {:?}", round);
        }
    }
}

#[test]
fn many_refreshes_answer_like_one_build() {
    let both = Both::new();
    begin(&both);
    for i in 0..24 {
        apply(&both.root(), &Edit::Write(PATHS[i % PATHS.len()], vec![i, i / 2, i / 3]));
        both.answers("refreshed", false);
    }
    assert_eq!(both.answers("refreshed", false), both.answers("anew", true));
}

#[test]
fn a_deleted_skipped_file_is_no_longer_counted() {
    let both = Both::new();
    begin(&both);
    apply(&both.root(), &Edit::Generate(PATHS[0]));
    both.answers("refreshed", false);
    apply(&both.root(), &Edit::Delete(PATHS[0]));
    assert_eq!(both.answers("refreshed", false), both.answers("anew", true));
}

#[test]
fn a_comment_moves_the_places_of_calls_and_nothing_else() {
    let both = Both::new();
    begin(&both);
    both.answers("refreshed", false);
    for path in PATHS {
        apply(&both.root(), &Edit::Comment(path));
        assert_eq!(both.answers("refreshed", false), both.answers("anew", true), "{path}");
    }
}

#[test]
fn an_edited_manifest_or_package_clause_changes_calls_of_other_files() {
    let both = Both::new();
    both.write("go.mod", "module example.org/app\n");
    both.write("go-purse/purse.go", "package purse\n\nfunc Count() int { return 1 }\n");
    both.write("cmd/main.go", "package main\n\nimport \"example.org/app/go-purse\"\n\nfunc main() { purse.Count() }\n");
    assert_eq!(both.imported_calls(), 1);
    both.write("go.mod", "module example.org/other\n");
    assert_eq!(both.imported_calls(), 0, "the import is of another repository");
    both.write("go.mod", "module example.org/app\n");
    assert_eq!(both.imported_calls(), 1);
    both.write("go-purse/purse.go", "package money\n\nfunc Count() int { return 1 }\n");
    assert_eq!(both.imported_calls(), 0, "the package has another name");
    both.write("go-purse/purse.go", "package purse\n\nfunc Count() int { return 1 }\n");
    std::fs::remove_file(both.root().join("go.mod")).expect("removed");
    assert_eq!(both.imported_calls(), 1, "without a manifest the end of the path decides");
}

#[test]
fn calls_follow_the_manifest_of_a_crate() {
    let both = Both::new();
    both.write("crates/scan/Cargo.toml", "[package]\nname = \"acme-scan\"\n");
    both.write("crates/scan/src/lib.rs", "pub fn decode() {}\n");
    both.write("crates/web/Cargo.toml", "[package]\nname = \"acme-web\"\n");
    both.write("crates/web/src/lib.rs", "use acme_scan::decode;\n\npub fn serve() {\n    decode();\n}\n");
    assert_eq!(both.imported_calls(), 1);
    both.write("crates/scan/Cargo.toml", "[package]\nname = \"acme-disk\"\n");
    assert_eq!(both.imported_calls(), 0, "the import is of another crate");
    both.write("crates/scan/Cargo.toml", "[package]\nname = \"acme-disk\"\n\n[lib]\nname = \"acme_scan\"\n");
    assert_eq!(both.imported_calls(), 1, "the name of the library takes precedence");
    both.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
    assert_eq!(both.imported_calls(), 1, "a virtual workspace has no name");
}

#[test]
fn an_alias_follows_the_manifests_and_the_files_that_they_name() {
    let both = Both::new();
    let alias = |target: &str| format!("{{ \"compilerOptions\": {{ \"paths\": {{ \"#purse\": [\"{target}\"] }} }} }}");
    both.write("tsconfig.json", &alias("./money/coins.ts"));
    both.write("app/main.ts", "import { count } from \"#purse\";\n\nexport function main() { count(); }\n");
    assert_eq!(both.imported_calls(), 0, "the file is missing");
    both.write("money/coins.ts", "export function count() {}\n");
    assert_eq!(both.imported_calls(), 1, "no part of the path is called `coins`");
    both.write("tsconfig.json", &alias("./money/notes.ts"));
    assert_eq!(both.imported_calls(), 0);
    both.write("money/package.json", "{ \"name\": \"#purse\", \"main\": \"./coins.ts\" }");
    both.write("app/package.json", "{ \"name\": \"app\" }");
    assert_eq!(both.imported_calls(), 1, "the package is in the same repository");
    std::fs::remove_file(both.root().join("money/coins.ts")).expect("removed");
    assert_eq!(both.imported_calls(), 0);
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let both = Both::new();
    begin(&both);
    for i in 0..60 {
        apply(
            &both.root(),
            &Edit::Write(
                Box::leak(format!("more/m{i}.{}", if i % 2 == 0 { "py" } else { "rs" }).into_boxed_str()),
                vec![i, i + 1, i + 2],
            ),
        );
    }
    let with = |threads: usize, index_dir: &str| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| both.answers(index_dir, true))
    };
    let one = with(1, "one");
    assert!(one.len() > 50, "there is something to compare: {}", one.len());
    for run in 0..3 {
        assert_eq!(one, with(8, "eight"), "run {run}");
    }
}
