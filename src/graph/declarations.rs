//! Which definition takes its documentation from which declaration: in C it often stands above the prototype in a header.
//!
//! Both bear the same qualified name. Of several declarations the nearest counts: one of the same file, of a header that the
//! file includes, of the same directory, else the one with which the path shares the most. A name that is defined more
//! than once may mean unlike things, so such a definition takes nothing from afar: the copies for each platform include
//! the header, functions of other programs do not.
//!
//! Price: a look-up by name for each function of a group of languages that has declarations; nothing for others
//! Departs: overloads of one name all take the first documentation of that name

use super::file_facts::FileFacts;
use super::link::groups;
use super::names::Source;
use crate::ids::{DefinitionId, FileId, LocalId};
use crate::lang::{DefinitionKind, Registry};
use crate::parse::Symbol;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Functions and the declarations that may document them, in order of function; `sources` are as for `link`, with the
/// facts of all files.
pub fn declared(sources: &[Source<'_>], registry: &Registry) -> Vec<(DefinitionId, DefinitionId)> {
    let starts: Vec<u32> =
        sources.iter().scan(0, |next, source| Some(std::mem::replace(next, *next + source.definitions))).collect();
    let mut pairs = Vec::new();
    for files in groups(sources, registry).into_values() {
        let group = LinkedFiles { sources, starts: &starts, files: &files };
        group.pair(&mut pairs);
    }
    pairs.sort_unstable();
    pairs
}

/// A definition by file and number in it.
type LocatedName = (FileId, LocalId);

/// Files whose languages are linked together.
struct LinkedFiles<'a> {
    sources: &'a [Source<'a>],
    /// By file: its first definition.
    starts: &'a [u32],
    files: &'a [FileId],
}

impl<'a> LinkedFiles<'a> {
    fn pair(&self, pairs: &mut Vec<(DefinitionId, DefinitionId)>) {
        let declarations = self.named(|kind, _| kind == DefinitionKind::Declaration);
        if declarations.is_empty() {
            return;
        }
        let definitions = self.named(|kind, name| kind.is_function() && declarations.contains_key(&name));
        for (name, definitions) in definitions {
            let Some(declarations) = declarations.get(&name) else { continue };
            let is_only = definitions.len() == 1;
            for definition in definitions {
                if let Some(declaration) = self.nearest(definition.0, declarations, is_only) {
                    pairs.push((self.whole(definition), self.whole(declaration)));
                }
            }
        }
    }

    /// The definitions of some kinds and qualified names, by qualified name, in order of place.
    fn named(&self, wanted: impl Fn(DefinitionKind, Symbol) -> bool) -> BTreeMap<Symbol, Vec<LocatedName>> {
        let mut named: BTreeMap<Symbol, Vec<LocatedName>> = BTreeMap::default();
        for &file in self.files {
            let Some(facts) = self.sources[file.index()].facts else { continue };
            for local in facts.definition_ids() {
                let name = facts.definition(local).qualified_name;
                if wanted(facts.kind(local), name) {
                    named.entry(name).or_default().push((file, local));
                }
            }
        }
        named
    }

    fn whole(&self, (file, local): LocatedName) -> DefinitionId {
        DefinitionId(self.starts[file.index()] + local.0)
    }

    /// The declaration that a definition in `file` takes; of equally near ones the first.
    fn nearest(&self, file: FileId, declarations: &[LocatedName], is_only: bool) -> Option<LocatedName> {
        let path = self.sources[file.index()].path;
        let nearness = |declaration: &LocatedName| {
            let other = self.sources[declaration.0.index()].path;
            let near = match () {
                () if other == path => 3,
                () if self.sources[file.index()].facts.is_some_and(|facts| includes(&facts, other)) => 2,
                () if directory(other) == directory(path) => 1,
                () => 0,
            };
            (near, common_parts(path, other))
        };
        let near = declarations.iter().map(|declaration| (nearness(declaration), *declaration));
        let near = near.filter(|&((near, _), _)| near > 0 || is_only);
        near.min_by_key(|&(nearness, declaration)| (Reverse(nearness), declaration)).map(|(_, declaration)| declaration)
    }
}

/// Whether a file includes another, by the end of the other's path.
fn includes(facts: &FileFacts<'_>, path: &str) -> bool {
    (0..facts.import_count()).any(|number| {
        let parts = facts.import(number).path.parts();
        let mut ends = path.rsplit('/');
        !parts.is_empty() && parts.iter().rev().all(|&part| part == ".." || ends.next() == Some(part))
    })
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// How many directories two paths share from the root on.
fn common_parts(a: &str, b: &str) -> usize {
    directory(a).split('/').zip(directory(b).split('/')).take_while(|(a, b)| a == b).count()
}
