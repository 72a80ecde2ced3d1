//! Names that code reads after a fixed text: environment variables (`os.environ["PORT"]`,
//! `process.env.PORT`).
//!
//! The texts are found before the walk, and the walk adds an entry where a node begins with one, so
//! that comments and strings do not count. Such an entry has no handler: the function around it
//! reads the name. It adds no call, so that it changes neither callers nor dead code.
//!
//! **Cost:** a search for each text in the whole file, and one comparison for each node.

use super::super::extract::Extractor;
use super::super::facts::Definition;
use super::super::shown::{SIGNATURE, folded, span};
use super::super::value::NameScope;
use super::MAX_ENTRIES;
use super::handlers::Handler;
use super::site::{is_name, literal};
use crate::ids::LocalId;
use crate::lang::{DefinitionKind, Language, ReadRule};
use crate::tree::Node;

/// Maximum length of a name in bytes.
const MAX_NAME: usize = 80;

/// A name after one of the texts.
pub(super) struct Read<'a> {
    /// Offset of the text.
    start: usize,
    tag: &'a str,
    name: &'a str,
}

impl Read<'_> {
    /// Returns the offset at which the expression begins.
    pub fn start(&self) -> usize {
        self.start
    }
}

/// Returns the names that a file reads, the first at the end.
pub(super) fn reads_of<'a>(language: &'a Language, source: &'a str) -> Vec<Read<'a>> {
    let rules = language.frameworks.iter().flat_map(|framework| &framework.reads);
    let mut found: Vec<(usize, Read<'a>)> = Vec::new();
    for rule in rules {
        for text in &rule.before {
            let places = memchr::memmem::find_iter(source.as_bytes(), text.as_bytes());
            let named = places.filter_map(|start| {
                let is_whole = !source[..start].ends_with(is_name);
                let name = name_after(rule, &source[start + text.len()..]).filter(|_| is_whole)?;
                let offset = name.as_ptr() as usize - source.as_ptr() as usize;
                Some((offset, Read { start, tag: &rule.tag, name }))
            });
            found.extend(named.take(MAX_ENTRIES));
        }
    }
    // Of two texts before one name, the longer one begins the expression.
    found.sort_by_key(|(offset, read)| (*offset, read.start));
    found.dedup_by_key(|(offset, _)| *offset);
    let mut reads: Vec<Read<'a>> = found.into_iter().map(|(_, read)| read).take(MAX_ENTRIES).collect();
    reads.sort_by_key(|read| std::cmp::Reverse(read.start));
    reads
}

/// Returns the name at the start of a text: in quotes or, if the rule says so, without.
fn name_after<'a>(rule: &ReadRule, text: &'a str) -> Option<&'a str> {
    let name = if rule.bare {
        let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
        &text[..end]
    } else {
        literal(text.trim_start()).filter(|_| !text.trim_start().starts_with(':'))?.0
    };
    let is_fit =
        |name: &&str| name.len() <= MAX_NAME && name.chars().all(is_name) && name.contains(char::is_alphabetic);
    Some(name).filter(is_fit)
}

impl<'a, 't> Extractor<'a, 't> {
    /// Adds the names that the file reads at a node.
    pub(in crate::parse) fn note_read(&mut self, node: Node<'t>, id: u32) {
        while let Some(read) = self.entries.reads.pop_if(|read| read.start <= node.start()) {
            if read.start == node.start() && !self.test_file {
                self.add_named(read.tag, read.name, node, (id, self.syntax.depth()), Vec::new());
            }
        }
        self.entries.next_read = self.entries.reads.last().map_or(usize::MAX, |read| read.start);
    }

    /// Adds an entry that is no route or command: an environment variable, event, task or table.
    pub(super) fn add_named(
        &mut self,
        tag: &str,
        name: &str,
        node: Node<'t>,
        place: (u32, u32),
        handlers: Vec<Handler<'a, 't>>,
    ) {
        let scope = self.innermost();
        let is_known = |one: &Definition| one.kind == DefinitionKind::Entry && one.parent == scope && one.name == name;
        // A function may read a name several times.
        let near = self.definitions.len().saturating_sub(MAX_NEAR);
        let mut recent = self.definitions.iter().skip(near.max(scope.index()));
        self.entries.is_cut |= self.entries.named >= MAX_ENTRIES;
        if self.entries.named >= MAX_ENTRIES || name.is_empty() || handlers.is_empty() && recent.any(is_known) {
            return;
        }
        self.entries.named += 1;
        let signature = folded(self.text(node).lines().next().unwrap_or_default(), SIGNATURE);
        let definition = Definition {
            name: name.to_owned(),
            qualified_name: [tag, " ", name].concat(),
            signature: signature.trim_end_matches(['{', '(', ' ']).to_owned(),
            parent: scope,
            node: place.0,
            depth: place.1,
            ..Definition::new(DefinitionKind::Entry, span(node, node))
        };
        let id: LocalId = self.push(definition);
        self.values.scopes.push(NameScope::new(&self.definitions[id]));
        for handler in handlers {
            self.values.entry_handler(id, scope, place, handler, self.definitions[id].line);
        }
    }
}

/// Maximum number of definitions before a name that are compared with it.
const MAX_NEAR: usize = 64;
