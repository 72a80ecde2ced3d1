//! The types that an expression of a type names.

use super::facts::{ARRAY, FUNCTION, NULLABLE, SymbolicValue, symbol};
use super::value::{MAX_DEPTH, Values};
use crate::ids::{LocalId, ValueId, VariableId};
use crate::lang::ExpressionForm;
use crate::tree::Node;

/// Maximum number of types that are read in a type expression.
pub(super) const MAX_TYPES: usize = 8;

impl<'a, 't> Values<'a, 't> {
    /// Returns a value that may be any of the first eight types in a type expression:
    /// `Option<Arc<Index>>` may be any of its three types. Linking drops types that are defined
    /// outside the repository. Each dimension of an array counts as a type named [`ARRAY`], before
    /// the type of the elements.
    pub(super) fn type_value(&mut self, scope: LocalId, node: Node<'t>) -> ValueId {
        let mut types = Vec::new();
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if self.language.meaning(node.kind()).function_type {
                types.push(self.add(SymbolicValue::Free { symbol: symbol(FUNCTION), scope }));
                continue;
            }
            if types.len() >= MAX_TYPES {
                break;
            }
            if self.language.meaning(node.kind()).array {
                let array = self.add(SymbolicValue::Free { symbol: symbol(ARRAY), scope });
                let dimensions = node.children().last().map_or(1, |last| self.text(last).matches('[').count().max(1));
                types.extend(std::iter::repeat_n(array, dimensions.min(MAX_TYPES)));
            }
            if self.language.meaning(node.kind()).nullable
                && let Some(inner) = node.named_children().next()
                && self.language.meaning(inner.kind()).form == ExpressionForm::Name
            {
                let null = SymbolicValue::Free { symbol: symbol(NULLABLE), scope };
                types.extend([self.type_name(scope, inner), self.add(null)]);
                continue;
            }
            if let Some(written) = self.language.meaning(node.kind()).written_type {
                self.read_written_types(scope, node, written, &mut types);
                continue;
            }
            match self.language.meaning(node.kind()).form {
                _ if self.definitions_by_node.contains_key(&node.number()) => types.push(self.value(scope, node, 0)),
                ExpressionForm::Name => types.push(self.type_name(scope, node)),
                ExpressionForm::Path if self.path_members(node).next().is_some() => {
                    types.push(self.value(scope, node, 0));
                    let at = todo.len();
                    todo.extend(node.named_children().skip(1).filter(|child| self.is_choice(*child)));
                    todo[at..].reverse();
                }
                ExpressionForm::Access(_, member) => {
                    types.push(self.value(scope, node, 0));
                    let at = todo.len();
                    todo.extend(self.type_arguments(member.child_of(node)));
                    todo[at..].reverse();
                }
                ExpressionForm::Literal => {}
                _ => {
                    let at = todo.len();
                    todo.extend(node.named_children());
                    todo[at..].reverse();
                }
            }
        }
        match types[..] {
            [one] => one,
            _ => self.add(SymbolicValue::Any(types)),
        }
    }

    /// Checks whether a type expression is the type of a function, with brackets or other signs
    /// around it.
    pub(super) fn is_function_type(&self, mut node: Node<'t>) -> bool {
        for _ in 0..MAX_DEPTH {
            let mut children = node.named_children();
            match (children.next(), children.next()) {
                _ if self.language.meaning(node.kind()).function_type => return true,
                (Some(only), None) => node = only,
                _ => return false,
            }
        }
        false
    }

    /// Checks whether a declared type is that of a function, or has the name of such a type.
    pub(super) fn holds_functions(&self, declared: Node<'t>) -> bool {
        let functions = &self.language.spec.types.functions;
        self.is_function_type(declared) || functions.iter().any(|name| name == self.text(declared))
    }

    /// Checks whether a node may have the value of any of its children.
    pub(super) fn is_choice(&self, node: Node<'t>) -> bool {
        self.language.meaning(node.kind()).form == ExpressionForm::Choice
    }

    /// Returns the declared type in the text of a node, if the node contains one in this way.
    pub(super) fn written_type_text(&self, node: Node<'t>) -> Option<&'a str> {
        let index = self.language.meaning(node.kind()).written_type?;
        let rule = self.language.spec.expressions.written_types.get(usize::from(index))?;
        if rule.after.is_empty() {
            return Some(self.text(node));
        }
        let rest = self.text(node).split_once(&rule.after).map_or("", |(_, rest)| rest);
        rest.split_whitespace().next()
    }

    /// Adds the types that the text of a node names, each with its path (`list["models.Session"]`).
    fn read_written_types(&mut self, scope: LocalId, node: Node<'t>, written: u8, types: &mut Vec<ValueId>) {
        let Some(rule) = self.language.spec.expressions.written_types.get(usize::from(written)) else { return };
        let text = self.written_type_text(node).unwrap_or_default();
        let modules = &self.language.spec.modules;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || modules.separators.iter().any(|s| s.contains(c));
        // `self::KIND_*` names constants of a type.
        let qualifier = self.language.spec.head.qualifier.as_str();
        let after = |word: &str| &text[word.as_ptr() as usize + word.len() - text.as_ptr() as usize..];
        let is_owner = |word: &&str| after(word).starts_with(qualifier);
        let words = text.split(|c| !is_part(c)).filter(|word| !is_owner(word));
        let words = words.filter(|word| !rule.builtin.iter().any(|builtin| builtin == word));
        let paths = words.map(|path| modules.split(path)).filter(|path| !path.is_empty());
        for path in paths.take(MAX_TYPES) {
            let front = self.name_at(scope, path[0], node.number());
            let front = self.add(front);
            let members = path[1..].iter();
            types.push(members.fold(front, |object, part| self.add(SymbolicValue::Access(object, symbol(part)))));
        }
    }

    /// Returns the type whose name `node` is.
    pub(super) fn type_name(&mut self, scope: LocalId, node: Node<'t>) -> ValueId {
        if !self.language.spec.scopes.types_apart || self.values_by_node.contains_key(&node.number()) {
            return self.value(scope, node, 0);
        }
        let is_path = self.language.meaning(node.kind()).path_name;
        let name = if is_path { symbol(&self.whole_path(node)) } else { symbol(self.text(node)) };
        let (symbol, mut at, mut outside) = (name, scope, scope);
        let value = loop {
            match self.look_up(at, symbol, node.number()) {
                None => break SymbolicValue::Free { symbol, scope: outside },
                Some(found) if self.names_type(found) => break SymbolicValue::Variable(found),
                Some(other) => {
                    // A function or variable with that name does not hide a type around it.
                    let around = self.flow.variables[other].scope;
                    outside = self.scopes.get(around).map_or(LocalId::FILE, |scope| scope.parent);
                    if around == LocalId::FILE {
                        break SymbolicValue::Free { symbol, scope: LocalId::FILE };
                    }
                    at = outside;
                }
            }
        };
        let id = self.add(value);
        self.values_by_node.insert(node.number(), id);
        id
    }

    pub(super) fn names_type(&self, variable: VariableId) -> bool {
        self.imported.contains_key(&variable)
            || [&self.types, &self.type_parameters].iter().any(|known| known.contains(&variable))
    }

    /// Returns the type that a creation (`new`) names.
    pub(super) fn created_type(&mut self, scope: LocalId, mut callee: Node<'t>) -> ValueId {
        let of_type = callee;
        while self.language.meaning(callee.kind()).form == ExpressionForm::First
            && let Some(inner) = callee.named_children().next()
        {
            callee = inner;
        }
        match self.language.meaning(callee.kind()).form {
            ExpressionForm::Name => self.type_name(scope, callee),
            _ => self.value(scope, of_type, 0),
        }
    }

    /// Returns the type that a type expression names, without its type arguments: a type that
    /// extends `From<Graph>` does not extend `Graph`.
    pub(super) fn type_head(&mut self, scope: LocalId, node: Node<'t>) -> ValueId {
        let all = self.type_value(scope, node);
        match &self.flow.values[all] {
            SymbolicValue::Any(types) => types.first().copied().unwrap_or(all),
            _ => all,
        }
    }

    /// Returns the type that an extension adds members to: one of its own type parameters
    /// (`impl<T: Read> Source for T`), or a type that is visible in `scope`.
    pub(super) fn extended(&mut self, id: LocalId, scope: LocalId, name: Node<'t>) -> ValueId {
        let own = self.by_name.get(&(id, symbol(self.text(name)))).copied();
        match own.filter(|own| self.type_parameters.contains(own)) {
            Some(parameter) => self.add(SymbolicValue::Variable(parameter)),
            None => self.type_head(scope, name),
        }
    }

    /// Returns the type arguments of a member: `T` in `std::vector<T>`.
    fn type_arguments(&self, mut member: Option<Node<'t>>) -> Vec<Node<'t>> {
        while let Some(node) = member {
            match self.language.meaning(node.kind()).form {
                ExpressionForm::Access(_, inner) => member = inner.child_of(node),
                _ => return node.named_children().skip(1).collect(),
            }
        }
        Vec::new()
    }

    /// Returns an element of a container. An unknown container has unknown elements.
    pub(super) fn element_of(&mut self, container: ValueId) -> ValueId {
        match self.flow.values[container] {
            SymbolicValue::Unknown => container,
            _ => self.add(SymbolicValue::Element(container)),
        }
    }
}
