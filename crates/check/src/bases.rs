//! The bases that the header of a type names, and what a type may inherit from code outside the
//! repository.

use super::sides::Sides;
use std::ops::Range;
use whichfn_graph::imported_path;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Language};
use whichfn_syntax::parse::symbol;

/// Maximum number of supertypes that are followed from a type.
const MAX_BASES: usize = 64;

/// Checks whether a method of a type may implement or override one that its type has from elsewhere:
/// the type or one of its supertypes has a base outside the repository that may have the method, or
/// the type is written for a trait.
pub(super) fn may_override(sides: &Sides<'_>, of: DefinitionId, name: &str) -> bool {
    let graph = sides.graph;
    let kind = graph.definition(of).kind();
    let is_interface = matches!(kind, DefinitionKind::Trait | DefinitionKind::Interface);
    let is_of_trait =
        kind == DefinitionKind::Extension && graph.signature(of).split_whitespace().any(|word| word == "for");
    is_interface || is_of_trait || may_inherit(sides, of, name)
}

/// Checks whether a type may have a member from a base outside the repository, its own or that of
/// one of its supertypes.
pub(super) fn may_inherit(sides: &Sides<'_>, of: DefinitionId, member: &str) -> bool {
    let graph = sides.graph;
    let (mut types, mut at) = (vec![of], 0);
    while let Some(&one) = types.get(at) {
        at += 1;
        let Some(language) = sides.language(graph.definition(one).file) else { return true };
        if !graph.definition(one).kind().has_members() {
            continue;
        }
        if types.len() > MAX_BASES {
            return true;
        }
        for base in bases(language, graph, one) {
            let found = owners(sides, one, base);
            if found.is_empty() && library_may_have(language, last_name(base), member) {
                return true;
            }
            let new: Vec<_> = found.into_iter().filter(|id| !types.contains(id)).collect();
            types.extend(new);
        }
    }
    false
}

/// Checks whether the header of a type names a base.
pub(super) fn has_base(language: &Language, graph: &GraphFile, id: DefinitionId) -> bool {
    !bases(language, graph, id).is_empty()
}

/// Checks whether a type of a library may have a member. The members of some types are known.
fn library_may_have(language: &Language, base: &str, member: &str) -> bool {
    let has = |names: &[String], name: &str| names.iter().any(|one| one == name);
    let known = language.spec.dispatch.library_bases.iter().find(|[names, _]| has(names, base));
    known.is_none_or(|[_, members]| has(members, member))
}

/// Returns the definitions that a base may refer to. A base with the name of the type itself is that
/// of another module, and so is one that a library is named before.
fn owners(sides: &Sides<'_>, of: DefinitionId, base: &str) -> Vec<DefinitionId> {
    let (graph, name) = (sides.graph, last_name(base));
    let qualifier = base[..base.len() - name.len()].trim_end_matches(['.', ':', '\\']);
    if name == graph.name(of) || (!qualifier.is_empty() && !is_inside(sides, of, last_name(qualifier))) {
        return Vec::new();
    }
    graph.named(name)
}

/// Checks whether the repository has a module, file or type with the name that is written before
/// another one, or that an import binds to it.
fn is_inside(sides: &Sides<'_>, of: DefinitionId, qualifier: &str) -> bool {
    let graph = sides.graph;
    let facts = graph.facts(graph.definition(of).file);
    let imported = imported_path(&facts, symbol(qualifier));
    let module = match &imported {
        Some((_, level)) if *level > 0 => return true,
        Some((path, _)) => path.last().copied().unwrap_or(qualifier),
        None => qualifier,
    };
    let module = last_name(module.rsplit('/').next().unwrap_or(module));
    let is_part = |path: &str| path.split('/').any(|part| part.split('.').next() == Some(module));
    !graph.named(module).is_empty() || graph.file_ids().any(|file| is_part(graph.path(file)))
}

fn last_name(path: &str) -> &str {
    path.rsplit(['.', ':', '\\']).next().unwrap_or(path)
}

/// Returns the names in a type's header that may be those of its bases, each with the names before
/// it: `pd.Index`.
fn bases<'g>(language: &Language, graph: &'g GraphFile, id: DefinitionId) -> Vec<&'g str> {
    let head = graph.signature(id);
    let start = head.split_once(graph.name(id)).map_or(0, |(before, _)| before.len() + graph.name(id).len());
    names_outside_arguments(language, head, start..head.len())
}

fn names_outside_arguments<'t>(language: &Language, head: &'t str, range: Range<usize>) -> Vec<&'t str> {
    let idioms = &language.spec.idioms;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\');
    // The parameters of a constructor in the header are no bases, nor are type arguments.
    let opens: &[char] = if idioms.header_constructors { &['<', '[', '('] } else { &['<', '['] };
    let closes: &[char] = if idioms.header_constructors { &['>', ']', ')'] } else { &['>', ']'] };
    let (mut depth, mut found, mut rest) = (0_usize, Vec::new(), &head[range]);
    while let Some(c) = rest.chars().next() {
        // Ruby's sign before a base is no bracket.
        let is_sign = rest.starts_with("< ");
        if opens.contains(&c) && !is_sign {
            depth += 1;
        } else if closes.contains(&c) {
            depth = depth.saturating_sub(1);
        }
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let name = rest[..end].trim_matches([':', '.', '\\']);
        let is_key = rest[end..].starts_with('=');
        let is_word = idioms.header_words.iter().any(|word| word == name);
        if end > 0 && depth == 0 && !name.is_empty() && !is_word && !is_key && !name.starts_with(char::is_numeric) {
            found.push(name);
        }
        rest = &rest[end.max(c.len_utf8())..];
    }
    found
}
