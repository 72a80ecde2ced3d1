//! Random small repositories: Python and Rust functions that call one another, within a file and by import, and files
//! that hold no function.

use proptest::prelude::*;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use whichfn::engine::Engine;
use whichfn_index::index::{Options, Silent};
use whichfn_index::store::GraphFile;

const DIRECTORIES: &[&str] = &["", "app", "app/core", "app-old", "lib/deep"];
const VERBS: &[&str] = &["parse", "split", "join", "count", "weigh", "merge", "round"];

/// A repository: path and text of each file.
#[derive(Debug, Clone)]
pub struct Repo(pub Vec<(String, String)>);

/// A repository and its index, in a folder that goes with them.
pub struct Indexed {
    home: tempfile::TempDir,
    pub engine: Engine,
}

impl Indexed {
    /// With a repository that `write` lays out under a root.
    pub fn new(write: impl FnOnce(&Path)) -> Self {
        let home = tempfile::tempdir().expect("folder");
        let root = home.path().canonicalize().expect("folder").join("repo");
        std::fs::create_dir(&root).expect("directory");
        write(&root);
        let engine = Engine::open(&root, &home.path().join("index"), &Options::default(), &Silent).expect("index");
        Self { home, engine }
    }

    pub fn root(&self) -> PathBuf {
        self.home.path().canonicalize().expect("folder").join("repo")
    }

    /// Where its index lies, below a folder of its own.
    pub fn index_dir(&self) -> PathBuf {
        self.home.path().join("index")
    }
}

impl Repo {
    pub fn indexed(&self) -> Indexed {
        Indexed::new(|root| self.0.iter().for_each(|(path, text)| write(&root.join(path), text)))
    }
}

/// A repository of these files, by path and text.
pub fn indexed(files: &[(&str, &str)]) -> Indexed {
    Indexed::new(|root| files.iter().for_each(|(path, text)| write(&root.join(path), text)))
}

/// What its index holds.
pub fn graph(indexed: &Indexed) -> &GraphFile {
    &indexed.engine.generation().graph
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("parent")).expect("directory");
    std::fs::write(path, text).expect("file written");
}

/// Two to six files in up to four nested directories.
pub fn repo() -> impl Strategy<Value = Repo> {
    prop::collection::vec(file(4, 3), 2..=6).prop_map(|files| render(&files))
}

/// Few enough paths that all of them can be walked.
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
    holds: Holds,
}

#[derive(Debug, Clone)]
enum Holds {
    Functions(Language, Vec<Function>),
    Prose(usize),
    Nothing,
    /// Code, but no function.
    Constants,
}

#[derive(Debug, Clone)]
struct Function {
    shape: Shape,
    /// Which function is called, and in how many blocks the call stands.
    calls: Vec<(usize, usize)>,
    /// Lines that call nothing.
    more: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Plain,
    Documented,
    /// Its work is done by a function inside it.
    Nested,
    Method,
}

fn file(functions: usize, calls: usize) -> impl Strategy<Value = File> {
    let shape = prop::sample::select(&[Shape::Plain, Shape::Documented, Shape::Nested, Shape::Method][..]);
    let function = (shape, prop::collection::vec((0..24usize, 0..4usize), 0..=calls), 0..7usize)
        .prop_map(|(shape, calls, more)| Function { shape, calls, more });
    let language = prop_oneof![3 => Just(Language::Python), 2 => Just(Language::Rust)];
    let holds = prop_oneof![
        8 => (language, prop::collection::vec(function, 1..=functions)).prop_map(|(l, f)| Holds::Functions(l, f)),
        1 => (1..30usize).prop_map(Holds::Prose),
        1 => Just(Holds::Nothing),
        1 => Just(Holds::Constants),
    ];
    (0..DIRECTORIES.len(), holds).prop_map(|(directory, holds)| File { directory, holds })
}

/// A function that others can call: its number, its file's path without the ending, its shape.
type Target = (usize, String, Language, Shape);

fn render(files: &[File]) -> Repo {
    let place = |number: usize, file: &File| match DIRECTORIES[file.directory] {
        "" => format!("m{number}"),
        directory => format!("{directory}/m{number}"),
    };
    let mut targets: Vec<Target> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        if let Holds::Functions(language, functions) = &file.holds {
            for function in functions {
                targets.push((targets.len(), place(number, file), *language, function.shape));
            }
        }
    }
    let mut next = 0;
    let all = files.iter().enumerate().map(|(number, file)| {
        let place = place(number, file);
        match &file.holds {
            Holds::Functions(language, functions) => {
                let text = source(&place, *language, functions, &mut next, &targets);
                (format!("{place}.{}", if *language == Language::Rust { "rs" } else { "py" }), text)
            }
            Holds::Prose(lines) => (format!("{place}.txt"), "How to split and join.\n".repeat(*lines)),
            Holds::Nothing => (format!("{place}.py"), String::new()),
            Holds::Constants => (format!("{place}.py"), "LIMIT = 3\nNAMES = [\"split\", \"join\"]\n".to_owned()),
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

/// A call in so many blocks, one step to the right.
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
