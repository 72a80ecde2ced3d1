//! Pairs function definitions with the declarations that document them. In C, the documentation is
//! often written above the prototype in a header.
//!
//! A definition and its declaration have the same qualified name. Of several declarations, the
//! nearest one wins: one in the same file, then one in a header that the file includes, then one in
//! the same directory, then the one that shares the longest path prefix. A name that is defined
//! more than once may have unrelated meanings, so such a definition takes no declaration of the
//! last kind: the copies for each platform include the header, but functions of other programs do
//! not. All overloads of a name take the first documentation of that name.
//!
//! - **Cost:** one look-up by name for each function of a group of languages that has declarations;
//!   nothing for other groups.

use super::file_facts::FileFacts;
use super::link::groups;
use super::names::Source;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, Registry};
use whichfn_syntax::parse::Symbol;

/// Returns functions and the declarations that may document them, sorted by function. `sources` is
/// as for `link`, with the facts of all files.
pub fn declared(sources: &[Source<'_>], registry: &Registry) -> Vec<(DefinitionId, DefinitionId)> {
    let starts: Vec<u32> =
        sources.iter().scan(0, |next, source| Some(std::mem::replace(next, *next + source.definitions))).collect();
    let mut pairs = Vec::new();
    for files in groups(sources, registry).into_values() {
        let group = LinkedFiles { sources, starts: &starts, files: &files };
        group.add_pairs(&mut pairs);
    }
    pairs.sort_unstable();
    pairs
}

/// A definition, identified by its file and its number there.
type LocatedName = (FileId, LocalId);

/// Files whose languages are linked together.
struct LinkedFiles<'a> {
    sources: &'a [Source<'a>],
    /// Number of the first definition of each file.
    starts: &'a [u32],
    files: &'a [FileId],
}

impl<'a> LinkedFiles<'a> {
    fn add_pairs(&self, pairs: &mut Vec<(DefinitionId, DefinitionId)>) {
        let declarations = self.group_by_name(|kind, _| kind == DefinitionKind::Declaration);
        if declarations.is_empty() {
            return;
        }
        let definitions = self.group_by_name(|kind, name| kind.is_function() && declarations.contains_key(&name));
        for (name, definitions) in definitions {
            let Some(declarations) = declarations.get(&name) else { continue };
            let is_only = definitions.len() == 1;
            for definition in definitions {
                if let Some(declaration) = self.nearest(definition.0, declarations, is_only) {
                    pairs.push((self.repository_id(definition), self.repository_id(declaration)));
                }
            }
        }
    }

    /// Returns the definitions that `wanted` selects by kind and qualified name, grouped by
    /// qualified name and sorted by position.
    fn group_by_name(&self, wanted: impl Fn(DefinitionKind, Symbol) -> bool) -> BTreeMap<Symbol, Vec<LocatedName>> {
        let mut group_by_name: BTreeMap<Symbol, Vec<LocatedName>> = BTreeMap::default();
        for &file in self.files {
            let Some(facts) = self.sources[file.index()].facts else { continue };
            for local in facts.definition_ids() {
                let name = facts.definition(local).qualified_name;
                if wanted(facts.kind(local), name) {
                    group_by_name.entry(name).or_default().push((file, local));
                }
            }
        }
        group_by_name
    }

    fn repository_id(&self, (file, local): LocatedName) -> DefinitionId {
        DefinitionId(self.starts[file.index()] + local.0)
    }

    /// Returns the declaration that a definition in `file` takes. Of equally near ones, the first
    /// wins.
    fn nearest(&self, file: FileId, declarations: &[LocatedName], is_only: bool) -> Option<LocatedName> {
        let path = self.sources[file.index()].path;
        let nearness = |declaration: &LocatedName| {
            let other = self.sources[declaration.0.index()].path;
            let rank = match () {
                () if other == path => 3,
                () if self.sources[file.index()].facts.is_some_and(|facts| includes(&facts, other)) => 2,
                () if directory(other) == directory(path) => 1,
                () => 0,
            };
            (rank, common_parts(path, other))
        };
        let rank = declarations.iter().map(|declaration| (nearness(declaration), *declaration));
        let rank = rank.filter(|&((rank, _), _)| rank > 0 || is_only);
        rank.min_by_key(|&(nearness, declaration)| (Reverse(nearness), declaration)).map(|(_, declaration)| declaration)
    }
}

/// Checks whether a file includes another one, by comparing the import path with the end of `path`.
fn includes(facts: &FileFacts<'_>, path: &str) -> bool {
    facts.imports().any(|import| {
        let parts = import.path.parts();
        let mut ends = path.rsplit('/');
        !parts.is_empty() && parts.iter().rev().all(|&part| part == ".." || ends.next() == Some(part))
    })
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the number of leading directories that two paths share.
fn common_parts(a: &str, b: &str) -> usize {
    directory(a).split('/').zip(directory(b).split('/')).take_while(|(a, b)| a == b).count()
}
