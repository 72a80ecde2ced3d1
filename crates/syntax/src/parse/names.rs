//! What a name refers to inside its file: a variable, a definition, an import or the receiver.

use super::facts::{Symbol, SymbolicValue, symbol};
use super::value::{NameScope, Values};
use crate::ids::{LocalId, VariableId};
use crate::lang::{DefinitionKind, ExpressionForm, PlainMembers, SuperForm};
use crate::tree::Node;

/// Maximum number of aliases with one name that are examined, those nearest to the use first.
pub(super) const MAX_ALIASES: usize = 64;

/// Maximum length of the path that an alias stands for, in bytes.
pub(super) const LONGEST_PATH: usize = 256;

impl<'a, 't> Values<'a, 't> {
    /// Returns the value of an unqualified name; unknown for any other node.
    pub(super) fn name_or_unknown(&self, scope: LocalId, node: Node<'t>) -> SymbolicValue {
        match self.language.meaning(node.kind()).form {
            ExpressionForm::Name => self.name(scope, node),
            _ => SymbolicValue::Unknown,
        }
    }

    /// Returns the definition or import around the function that has the name of a local value;
    /// `local` if there is none.
    pub(super) fn item(&self, scope: LocalId, local: VariableId) -> VariableId {
        if !self.is_local(local) || self.defined.contains(&local) || self.type_parameters.contains(&local) {
            return local;
        }
        let name = self.flow.variables[local].symbol;
        let mut at = scope;
        while at != LocalId::FILE {
            at = self.scopes.get(at).map_or(LocalId::FILE, |scope| scope.parent);
            let kind = self.scopes.get(at).map(|scope| scope.kind);
            if kind.is_some_and(|kind| !kind.has_members())
                && let Some(&item) = self.by_name.get(&(at, name))
                && item != local
            {
                return item;
            }
        }
        local
    }

    /// Returns the variable that an unqualified name refers to. Returns `None` if the name is bound
    /// to a definition at the top of a type or file and the language allows an unqualified name to
    /// be a call (Ruby), because the name is then a call.
    pub(super) fn plain_variable(&self, scope: LocalId, node: Node<'t>) -> Option<VariableId> {
        if self.language.meaning(node.kind()).form != ExpressionForm::Name {
            return None;
        }
        match self.name(scope, node) {
            SymbolicValue::Variable(variable) if !self.defined.contains(&variable) || self.is_local(variable) => {
                Some(variable)
            }
            _ => None,
        }
    }

    /// Returns the variable that a bare name refers to. Returns `None` if the name is that of a definition,
    /// which the bare name calls, even inside a block (`describe Row do def row = Row.new; row.size end`).
    pub(super) fn bare_variable(&self, scope: LocalId, node: Node<'t>) -> Option<VariableId> {
        self.plain_variable(scope, node).filter(|variable| !self.defined.contains(variable))
    }

    pub(super) fn is_type(&self, scope: LocalId) -> bool {
        self.scopes.get(scope).is_some_and(|scope| scope.kind.has_members())
    }

    pub(super) fn is_local(&self, variable: VariableId) -> bool {
        let scope = self.flow.variables[variable].scope;
        self.scopes.get(scope).is_some_and(|value| value.kind.is_function() || value.kind == DefinitionKind::Anonymous)
    }

    pub(super) fn name(&self, scope: LocalId, node: Node<'t>) -> SymbolicValue {
        if self.language.meaning(node.kind()).path_name {
            let path = self.whole_path(node);
            return self.name_at(scope, &path, node.number());
        }
        let addresses = self.language.spec.expressions.addresses.as_ref();
        let name = match addresses.filter(|_| self.language.meaning(node.kind()).address) {
            Some(addresses) => addresses.first(&self.source[node.start()..]),
            None => self.text(node).trim_matches(&self.language.spec.expressions.name_quotes[..]),
        };
        self.name_at(scope, name, node.number())
    }

    /// Returns the path of a module with the path for which its first part is an alias at this
    /// place.
    pub(super) fn whole_path(&self, node: Node<'t>) -> String {
        let (path, qualifier) = (self.text(node), &self.language.spec.head.qualifier);
        let (first, rest) =
            path.split_once(qualifier.as_str()).map_or((path, None), |(first, rest)| (first, Some(rest)));
        let aliases = self.aliases.get(&symbol(first)).map_or(&[][..], Vec::as_slice);
        let before = &aliases[..aliases.partition_point(|alias| alias.start <= node.start())];
        // The last one in a block around the place is in the innermost block.
        let mut last = before.iter().rev().take(MAX_ALIASES);
        let whole = last.find(|alias| node.start() < alias.end).map_or(first, |alias| alias.whole.as_str());
        // A chain of aliases could double the length each time.
        let whole = whichfn_text::prefix(whole, LONGEST_PATH);
        rest.map_or_else(|| whole.to_owned(), |rest| format!("{whole}{qualifier}{rest}"))
    }

    /// Returns the value of a name that the node with the given number contains.
    pub(super) fn name_at(&self, scope: LocalId, name: &str, node: usize) -> SymbolicValue {
        let scopes = &self.language.spec.scopes;
        if scopes.receivers.iter().any(|r| r == name) {
            let first = scopes.receivers.first().map_or(name, |first| first.as_str());
            let in_type = scopes.messages && self.scopes.get(scope).is_some_and(|scope| scope.kind.is_type());
            let other = if in_type { SymbolicValue::SelfType(scope) } else { SymbolicValue::Unknown };
            return self.look_up(scope, symbol(first), node).map_or(other, SymbolicValue::Variable);
        }
        if scopes.self_types.iter().any(|s| s == name) {
            return SymbolicValue::SelfType(scope);
        }
        if scopes.super_form != SuperForm::Function && scopes.supers.iter().any(|s| s == name) {
            return SymbolicValue::Super(scope);
        }
        let symbol = symbol(name);
        self.look_up(self.innermost_scope(scope), symbol, node)
            .map_or(SymbolicValue::Free { symbol, scope }, SymbolicValue::Variable)
    }

    /// Returns the innermost scope whose names are visible in the code of `scope`. The body of a
    /// type is one only if the language specifies it.
    fn innermost_scope(&self, mut scope: LocalId) -> LocalId {
        let scopes = &self.language.spec.scopes;
        let is_hidden = |at: &NameScope| {
            at.kind.has_members() && !matches!(scopes.plain_members, PlainMembers::Methods | PlainMembers::Body)
        };
        while let Some(at) = self.scopes.get(scope).filter(|at| is_hidden(at)) {
            scope = at.parent;
        }
        scope
    }

    /// Returns the value of the first name of a path, which never refers to a local value or to the
    /// receiver (`self::name`).
    pub(super) fn path_front(&self, scope: LocalId, node: Node<'t>) -> SymbolicValue {
        let name = self.text(node);
        if self.language.spec.modules.current.iter().any(|word| word == name) {
            return SymbolicValue::Free { symbol: symbol(name), scope };
        }
        match self.name(scope, node) {
            SymbolicValue::Variable(local) => SymbolicValue::Variable(self.item(scope, local)),
            value => value,
        }
    }

    /// Looks up the name of the node with the given number in the enclosing scopes, from innermost
    /// to outermost. Names in a type are not visible in its methods, unless the language specifies
    /// it.
    pub(super) fn look_up(&self, scope: LocalId, name: Symbol, node: usize) -> Option<VariableId> {
        let scopes = &self.language.spec.scopes;
        // Inside a type, its name refers to the type, not to the constructor with the same name.
        let named_as_type = scopes.names_constructors_like_types();
        let mut at = scope;
        loop {
            let &NameScope { parent, kind, name: own_name } = self.scopes.get(at)?;
            let is_seen = !kind.has_members()
                || ((at == scope && scopes.plain_members != PlainMembers::Nowhere || scopes.implicit_members())
                    && !(named_as_type && own_name == name));
            if let Some(variable) = self.bound_at(at, name, node)
                && (is_seen || self.type_parameters.contains(&variable))
            {
                return Some(variable);
            }
            if at == LocalId::FILE {
                return None;
            }
            at = parent;
        }
    }
}
