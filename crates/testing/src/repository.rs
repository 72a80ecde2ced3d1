//! Small repositories with an index, both predefined and random. The random ones contain Python and
//! Rust functions that call each other, within a file and through imports, and some files without
//! functions.

use proptest::prelude::*;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use whichfn_index::index::{Options, Silent, refresh};
use whichfn_index::store::{Generation, GraphFile, Layout};
use whichfn_syntax::lang::Registry;

const DIRECTORIES: &[&str] = &["", "app", "app/core", "app-old", "lib/deep"];
const VERBS: &[&str] = &["parse", "split", "join", "count", "weigh", "merge", "round"];

/// The path and text of each file in a repository.
#[derive(Debug, Clone)]
pub struct Repo(pub Vec<(String, String)>);

/// A repository and its index, in a temporary directory that is removed when this value is dropped.
pub struct Indexed {
    home: tempfile::TempDir,
    /// Registry of the languages with which the index was built.
    pub registry: Registry,
    /// The index of the repository.
    pub generation: Generation,
}

impl Indexed {
    /// Indexes a repository whose files `write` creates below the given root.
    pub fn new(write: impl FnOnce(&Path)) -> Self {
        let home = tempfile::tempdir().expect("folder");
        let root = home.path().canonicalize().expect("folder").join("repo");
        std::fs::create_dir(&root).expect("directory");
        write(&root);
        let registry = Registry::builtin().expect("language files");
        let generation = open(&root, &home.path().join("index"), &registry);
        Self { home, registry, generation }
    }

    /// Returns the root of the repository.
    pub fn root(&self) -> PathBuf {
        self.home.path().canonicalize().expect("folder").join("repo")
    }

    /// Returns the directory that contains the index.
    pub fn index_dir(&self) -> PathBuf {
        self.home.path().join("index")
    }

    /// Returns the index in `index_dir`, built or refreshed to match the current state of the
    /// repository.
    pub fn refreshed(&self, index_dir: &Path) -> Generation {
        open(&self.root(), index_dir, &self.registry)
    }

    /// Returns a searcher over the index.
    #[cfg(feature = "search")]
    pub fn searcher(&self) -> whichfn_search::search::Searcher<'_> {
        whichfn_search::search::Searcher::new(&self.generation, &self.registry)
    }
}

fn open(root: &Path, index_dir: &Path, registry: &Registry) -> Generation {
    let layout = Layout::new(index_dir, root);
    refresh(root, &layout, registry, &Options::default(), &Silent).expect("index").0
}

impl Repo {
    /// Writes the files below a temporary root, and indexes them.
    pub fn indexed(&self) -> Indexed {
        Indexed::new(|root| self.0.iter().for_each(|(path, text)| write(&root.join(path), text)))
    }
}

/// Indexes a repository with the given files, each a path and its text.
pub fn indexed(files: &[(&str, &str)]) -> Indexed {
    Indexed::new(|root| files.iter().for_each(|(path, text)| write(&root.join(path), text)))
}

/// Returns the definitions and calls in an index.
pub fn graph(indexed: &Indexed) -> &GraphFile {
    &indexed.generation.graph
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
    std::fs::write(path, text).expect("file written");
}

/// Returns a strategy that generates repositories of two to six files in nested directories.
pub fn repo() -> impl Strategy<Value = Repo> {
    prop::collection::vec(file(4, 3), 2..=6).prop_map(|files| render(&files))
}

/// Returns a strategy that generates repositories with so few edges that a test can walk every
/// path.
pub fn tiny_repo() -> impl Strategy<Value = Repo> {
    prop::collection::vec(file(2, 2), 2..=3).prop_map(|files| render(&files))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Language {
    Python,
    Rust,
}

#[derive(Debug, Clone)]
struct File {
    directory: usize,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Functions(Language, Vec<Function>),
    Prose(usize),
    Nothing,
    /// A file with code but no function.
    Constants,
}

#[derive(Debug, Clone)]
struct Function {
    shape: Shape,
    /// Number of each callee, and the number of blocks around the call.
    calls: Vec<(usize, usize)>,
    /// Number of additional lines without a call.
    more: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Plain,
    Documented,
    /// A function whose code is in an inner function.
    Nested,
    Method,
}

fn file(functions: usize, calls: usize) -> impl Strategy<Value = File> {
    let shape = prop::sample::select(&[Shape::Plain, Shape::Documented, Shape::Nested, Shape::Method][..]);
    let function = (shape, prop::collection::vec((0..24usize, 0..4usize), 0..=calls), 0..7usize)
        .prop_map(|(shape, calls, more)| Function { shape, calls, more });
    let language = prop_oneof![3 => Just(Language::Python), 2 => Just(Language::Rust)];
    let content = prop_oneof![
        8 => (language, prop::collection::vec(function, 1..=functions)).prop_map(|(l, f)| Content::Functions(l, f)),
        1 => (1..30usize).prop_map(Content::Prose),
        1 => Just(Content::Nothing),
        1 => Just(Content::Constants),
    ];
    (0..DIRECTORIES.len(), content).prop_map(|(directory, content)| File { directory, content })
}

/// A function that can be called: its number, the path of its file without the extension, its
/// language and its shape.
type Target = (usize, String, Language, Shape);

fn render(files: &[File]) -> Repo {
    let place = |number: usize, file: &File| match DIRECTORIES[file.directory] {
        "" => format!("m{number}"),
        directory => format!("{directory}/m{number}"),
    };
    let mut targets: Vec<Target> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        if let Content::Functions(language, functions) = &file.content {
            for function in functions {
                targets.push((targets.len(), place(number, file), *language, function.shape));
            }
        }
    }
    let mut next = 0;
    let all = files.iter().enumerate().map(|(number, file)| {
        let place = place(number, file);
        match &file.content {
            Content::Functions(language, functions) => {
                let text = source(&place, *language, functions, &mut next, &targets);
                (format!("{place}.{}", if *language == Language::Rust { "rs" } else { "py" }), text)
            }
            Content::Prose(lines) => (format!("{place}.txt"), "How to split and join.\n".repeat(*lines)),
            Content::Nothing => (format!("{place}.py"), String::new()),
            Content::Constants => (format!("{place}.py"), "LIMIT = 3\nNAMES = [\"split\", \"join\"]\n".to_owned()),
        }
    });
    let mut all: Vec<(String, String)> = all.collect();
    all.push(("lib.rs".to_owned(), "//! The root of the crate.\n".to_owned()));
    Repo(all)
}

fn source(place: &str, language: Language, functions: &[Function], next: &mut usize, targets: &[Target]) -> String {
    let own: Vec<&Target> = targets.iter().filter(|target| target.2 == language).collect();
    let (mut imports, mut body) = (String::new(), String::new());
    for function in functions {
        let mut work = String::new();
        for &(which, deep) in &function.calls {
            let target = own[which % own.len()];
            let import = import(target);
            if target.1 != place && !imports.contains(&import) {
                imports += &import;
            }
            work += &call(target, deep);
        }
        body += &definition(*next, language, function, &work);
        *next += 1;
    }
    format!("{imports}\n{body}")
}

fn name(number: usize) -> String {
    format!("{}_{number}", VERBS[number % VERBS.len()])
}

fn import((number, place, language, shape): &Target) -> String {
    let what = if *shape == Shape::Method { format!("Class{number}") } else { name(*number) };
    match language {
        Language::Python => format!("from {} import {what}\n", place.replace('/', ".")),
        Language::Rust => format!("use crate::{}::{what};\n", place.replace('/', "::")),
    }
}

/// Returns a call inside `deep` nested blocks, indented by one more level.
fn call((number, _, language, shape): &Target, deep: usize) -> String {
    let callee = match (language, *shape == Shape::Method) {
        (_, false) => name(*number),
        (Language::Python, true) => format!("Class{number}().{}", name(*number)),
        (Language::Rust, true) => format!("Class{number}::{}", name(*number)),
    };
    let mut text = String::new();
    for level in 0..deep {
        let open = if *language == Language::Python { "if x:" } else { "if x > 0 {" };
        writeln!(text, "{}{open}", "    ".repeat(level + 1)).expect("text");
    }
    let end = if *language == Language::Python { "" } else { ";" };
    writeln!(text, "{}{callee}(x){end}", "    ".repeat(deep + 1)).expect("text");
    if *language == Language::Rust {
        (0..deep).rev().for_each(|level| text += &format!("{}}}\n", "    ".repeat(level + 1)));
    }
    text
}

fn definition(number: usize, language: Language, function: &Function, work: &str) -> String {
    let name = name(number);
    let python = language == Language::Python;
    let more = if python { "    x = x + 1\n" } else { "    let x = x + 1;\n" }.repeat(function.more);
    let plain = |name: &str, parameters: &str, work: &str| match python {
        true => format!("def {name}({parameters}):\n{work}    return x\n"),
        false => format!("pub fn {name}({parameters}) -> u32 {{\n{work}    x\n}}\n"),
    };
    let parameters = if python { "x" } else { "x: u32" };
    let work = format!("{more}{work}");
    let text = match function.shape {
        Shape::Plain => plain(&name, parameters, &work),
        Shape::Documented if python => {
            format!("# Made once.\n@cached\n{}", plain(&name, parameters, &format!("    \"\"\"Says it.\"\"\"\n{work}")))
        }
        Shape::Documented => format!("/// Says it.\n#[inline]\n{}", plain(&name, parameters, &work)),
        Shape::Nested => {
            let inner = indent(&plain(&format!("inner_{number}"), parameters, &work));
            let end = if python { "" } else { ";" };
            plain(&name, parameters, &format!("{inner}    inner_{number}(x){end}\n"))
        }
        Shape::Method if python => {
            format!("class Class{number}:\n{}", indent(&plain(&name, "self, x", &work)))
        }
        Shape::Method => {
            let method = indent(&plain(&name, parameters, &work));
            format!("pub struct Class{number};\n\nimpl Class{number} {{\n{method}}}\n")
        }
    };
    text + "\n"
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
