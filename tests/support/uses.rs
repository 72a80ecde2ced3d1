//! Which file of a room uses which other file of it: a plain reading of `use` lines and of paths that begin with `super`,
//! `self`, `crate` or a file's name. Doors (`mod.rs`) are left out: they may define what their files share, and call them.
//! A door's `pub use` says where a name comes from.

use super::rooms::{before_tests, code};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path, such as `search::rank`; a door is the room's own name, `search`.
type Module = String;

/// The modules of `src/`.
pub struct Modules {
    /// Path and `use` lines of each module, and the rest of its code.
    texts: BTreeMap<Module, Text>,
}

#[derive(Default)]
struct Text {
    uses: Vec<Vec<String>>,
    /// What `pub use` hands on, by its last name.
    handed_on: BTreeMap<String, Vec<String>>,
    code: String,
}

impl Modules {
    /// Of files by path and text.
    pub fn new(sources: &[(String, String)]) -> Self {
        Self { texts: sources.iter().map(|(path, text)| (module(path), Text::new(text))).collect() }
    }

    /// For each module, the other modules of its room that it uses; doors neither use nor are used.
    pub fn uses(&self) -> Uses<'_> {
        let files = self.texts.iter().filter(|(module, _)| !self.is_door(module));
        files.map(|(module, text)| (module, self.used_by(module, text))).collect()
    }

    fn is_door(&self, module: &str) -> bool {
        self.texts.keys().any(|other| other.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
    }

    fn used_by(&self, module: &str, text: &Text) -> BTreeSet<&Module> {
        let paths = text.uses.iter().cloned().chain(self.paths(module, &text.code));
        let used = paths.filter_map(|path| self.leads_to(module, &path));
        used.filter(|used| *used != module && room(used) == room(module) && !self.is_door(used)).collect()
    }

    /// Paths in code that may lead to a module of the same room.
    fn paths(&self, module: &str, code: &str) -> Vec<Vec<String>> {
        let apart = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
        let paths = code.split(apart).filter(|word| word.contains("::"));
        let paths = paths.map(|word| word.split("::").map(str::to_owned).collect::<Vec<_>>());
        let begins = |first: &str| {
            ["super", "self", "crate"].contains(&first) || self.texts.contains_key(&format!("{module}::{first}"))
        };
        paths.filter(|path| begins(&path[0])).collect()
    }

    /// The module that a path leads to from another one.
    fn leads_to(&self, from: &str, path: &[String]) -> Option<&Module> {
        let mut at = from.to_owned();
        let mut names = path.iter().peekable();
        while let Some(name) = names.next_if(|name| ["super", "self", "crate"].contains(&name.as_str())) {
            match name.as_str() {
                "super" => at = at.rsplit_once("::").map_or_else(String::new, |(parent, _)| parent.to_owned()),
                "crate" => at = String::new(),
                _ => {}
            }
        }
        for name in names {
            let below = if at.is_empty() { name.clone() } else { format!("{at}::{name}") };
            if self.texts.contains_key(&below) {
                at = below;
            } else {
                let handed_on = self.texts.get(&at).and_then(|text| text.handed_on.get(name));
                return match handed_on {
                    Some(path) => self.leads_to(&at, path),
                    None => self.texts.get_key_value(&at).map(|(module, _)| module),
                };
            }
        }
        self.texts.get_key_value(&at).map(|(module, _)| module)
    }
}

impl Text {
    fn new(text: &str) -> Self {
        let lines: Vec<&str> = code(before_tests(text)).map(|(_, line)| line.trim()).collect();
        let mut read = Self::default();
        let mut lines = lines.into_iter();
        while let Some(line) = lines.next() {
            let (public, rest) = match line.strip_prefix("pub") {
                Some(rest) => (true, rest.trim_start_matches(|c| c != ' ').trim_start()),
                None => (false, line),
            };
            let Some(rest) = rest.strip_prefix("use ") else {
                read.code += line;
                read.code.push('\n');
                continue;
            };
            let mut tree = rest.to_owned();
            while !tree.ends_with(';') {
                tree += lines.next().expect("a `use` ends with a semicolon");
            }
            for path in leaves(tree.trim_end_matches(';')) {
                match path.last() {
                    Some(last) if public => drop(read.handed_on.insert(last.clone(), path)),
                    _ => read.uses.push(path),
                }
            }
        }
        read
    }
}

/// The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn leaves(tree: &str) -> Vec<Vec<String>> {
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree);
        return vec![path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()];
    };
    let (inside, mut depth, mut parts) = (rest.strip_suffix('}').unwrap_or(rest), 0, vec![String::new()]);
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("a part").push(c),
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(|part| leaves(&format!("{head}{part}"))).collect()
}

/// `src/search/rank.rs` is `search::rank`, `src/search/mod.rs` is `search`.
fn module(path: &str) -> Module {
    let below = path.strip_prefix("src/").unwrap_or(path).trim_end_matches(".rs");
    below.trim_end_matches("/mod").replace('/', "::")
}

fn room(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

/// Who uses whom.
type Uses<'m> = BTreeMap<&'m Module, BTreeSet<&'m Module>>;

/// Modules that use one another in a ring, each ring in order of name.
pub fn rings(uses: &Uses) -> BTreeSet<Vec<Module>> {
    let reach: Uses = uses.keys().map(|module| (*module, reached(uses, module))).collect();
    let ring = |module: &Module| -> Vec<Module> {
        reach[module].iter().filter(|other| reach[**other].contains(module)).map(|other| (*other).clone()).collect()
    };
    uses.keys().map(|module| ring(module)).filter(|ring| ring.len() > 1).collect()
}

fn reached<'m>(uses: &Uses<'m>, from: &'m Module) -> BTreeSet<&'m Module> {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(module) = todo.pop() {
        todo.extend(uses.get(module).into_iter().flatten().filter(|&&next| seen.insert(next)));
    }
    seen
}
