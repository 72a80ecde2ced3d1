//! A use of a name in code, which is resolved in either state of the repository.

use super::sides::ParsedSide;
use whichfn_graph::{NameResolver, NameTarget};
use whichfn_syntax::ids::{FileId, LocalId};
use whichfn_syntax::parse::{Symbol, symbol};

/// A use of a name: the names before it in a chain of member accesses, and the name itself.
pub(super) struct NameUse<'n, 'a> {
    pub side: &'n ParsedSide<'a>,
    /// Scope of the use in `side`.
    pub scope: LocalId,
    pub chain: &'n [&'n str],
    pub name: Symbol,
}

impl NameUse<'_, '_> {
    /// Returns what the name refers to.
    pub fn target(&self, resolver: &NameResolver<'_>, file: FileId, scope: LocalId) -> Option<NameTarget> {
        match self.chain {
            [] => resolver.name(file, scope, self.name),
            _ => resolver.member(self.object(resolver, file, scope)?, self.name),
        }
    }

    /// Returns the type that the name is looked up in.
    pub fn owner(&self, resolver: &NameResolver<'_>, file: FileId, scope: LocalId) -> Option<NameTarget> {
        match self.chain {
            [] => resolver.type_around(file, scope),
            _ => self.object(resolver, file, scope),
        }
    }

    fn object(&self, resolver: &NameResolver<'_>, file: FileId, scope: LocalId) -> Option<NameTarget> {
        let (first, rest) = self.chain.split_first()?;
        let start = match self.is_receiver(first) {
            true => resolver.type_around(file, scope),
            false => resolver.name(file, scope, symbol(first)),
        };
        rest.iter().try_fold(start?, |object, name| resolver.member(object, symbol(name)))
    }

    fn is_receiver(&self, name: &str) -> bool {
        let (scopes, facts) = (&self.side.language.spec.scopes, &self.side.facts);
        let is_receiver = |scope: &LocalId| {
            let receiver = facts.definitions[*scope].receiver.and_then(|receiver| facts.flow.variables.get(receiver));
            receiver.is_some_and(|receiver| receiver.symbol == symbol(name))
        };
        let mut around = std::iter::successors(Some(self.scope), |&scope| {
            let parent = facts.definitions[scope].parent;
            (parent != scope).then_some(parent)
        });
        scopes.receivers.iter().chain(&scopes.self_types).any(|one| one == name) || around.any(|s| is_receiver(&s))
    }
}
