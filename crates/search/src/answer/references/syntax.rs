//! How the syntax around an occurrence of a name uses it.

use super::UseKind;
use rustc_hash::FxHashMap;
use whichfn_graph::Object;
use whichfn_index::fragment::SyntaxTree;
use whichfn_syntax::lang::{ExpressionForm, FlowKind, LangId, Language, NodeMeaning, Registry, WordSort};
use whichfn_syntax::parse::{SyntaxNode, symbol};
use whichfn_system::error::Result;

/// Maximum number of nodes between a name and the node that determines its use, and of nested
/// members in front of a name.
const MAX_DEPTH: usize = 24;

/// Maximum number of nodes between a key and the creation of the object that has it.
const MAX_CREATION_STEPS: usize = 3;

/// Maximum number of signs before the name of a member (`@@name`).
const MAX_SIGNS: usize = 2;

/// The languages that were used so far.
pub(super) struct SyntaxOf<'r> {
    registry: &'r Registry,
    known: FxHashMap<LangId, &'r Language>,
}

impl<'r> SyntaxOf<'r> {
    pub fn new(registry: &'r Registry) -> Self {
        Self { registry, known: FxHashMap::default() }
    }

    /// Returns a language.
    ///
    /// # Errors
    /// Returns an error if its data is invalid.
    pub fn of(&mut self, id: LangId) -> Result<&'r Language> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known);
        }
        let language = self.registry.language(id)?;
        self.known.insert(id, language);
        Ok(language)
    }
}

/// The position of a name in the syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// A name by itself.
    Plain,
    /// A name in an import.
    Imported,
    /// A member of an object.
    Member(Object),
    /// A key of an object, which is a member of what the code around the object expects, as far as
    /// that is known.
    Key(Object),
    /// A key that is also a variable of the same name: `{ size }`.
    Shorthand(Object),
    /// The name of an argument of the call at a syntax node.
    Argument(u32),
    /// A symbol or text, which names a function if there is a call at its syntax node.
    Quoted(u32),
    /// A name that this place declares, or text.
    Declared,
}

/// The syntax tree of a file, with its text.
pub struct FileSyntax<'a> {
    /// Language of the file.
    pub language: &'a Language,
    /// Syntax tree.
    pub tree: SyntaxTree,
    /// Text of the file.
    pub text: &'a str,
}

impl FileSyntax<'_> {
    fn node(&self, number: u32) -> SyntaxNode {
        self.tree.nodes().get(number as usize).copied().unwrap_or_default()
    }

    fn meaning(&self, number: u32) -> &NodeMeaning {
        self.language.meaning(self.node(number).kind)
    }

    fn parent(&self, number: u32) -> Option<u32> {
        let parent = self.node(number).parent;
        (parent != number).then_some(parent)
    }

    fn first_child(&self, number: u32) -> Option<u32> {
        self.tree.children(number).next()
    }

    fn has_one_child(&self, number: u32) -> bool {
        self.tree.children(number).count() == 1
    }

    fn is_call(&self, number: u32) -> bool {
        self.meaning(number).flow & FlowKind::Calls.bit() != 0
    }

    fn is_first(&self, child: u32, parent: u32) -> bool {
        self.first_child(parent) == Some(child)
    }

    /// Checks whether the child of an access names the member. A call that is an access may have its
    /// arguments after the name.
    fn names_member(&self, child: u32, access: u32) -> bool {
        if !self.is_call(access) {
            return !self.is_first(child, access);
        }
        let is_name =
            |&at: &u32| self.first_child(at).is_none() && self.meaning(at).words == Some(WordSort::Identifier);
        let member = self.tree.children(access).skip(1).find(is_name).or_else(|| self.first_child(access));
        member == Some(child)
    }

    /// Checks whether a node is a leaf, or the leaf with a sign before it (`.name`).
    fn is_only_name(&self, leaf: u32, number: u32) -> bool {
        let (own, node) = (self.node(leaf), self.node(number));
        let before = self.text.get(node.start as usize..own.start as usize).unwrap_or_default();
        own.end == node.end && !before.contains(char::is_alphanumeric) && !before.contains(['(', '[', '{'])
    }

    fn text_of(&self, number: u32) -> &str {
        let node = self.node(number);
        self.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    /// Returns the leaf that is the name at an offset; `None` if the offset is not in a name.
    pub fn name_at(&self, offset: usize, name: &str) -> Option<u32> {
        let nodes = self.tree.nodes();
        let end = nodes.partition_point(|node| node.start as usize <= offset);
        // A leaf comes after all nodes that begin with it. The name of a member may follow signs, and a
        // text may name a member of a type.
        let spans = |node: &SyntaxNode| {
            let meaning = self.language.meaning(node.kind);
            let (before, after) = match meaning.form {
                _ if meaning.is_quoted() => (usize::MAX, 1),
                ExpressionForm::Member => (MAX_SIGNS, 0),
                _ => (0, 0),
            };
            let end = offset + name.len();
            (end..=end + after).contains(&(node.end as usize)) && offset - node.start as usize <= before
        };
        let found = nodes[..end].iter().rev().take(MAX_DEPTH).position(spans)?;
        let number = (end - 1 - found) as u32;
        let meaning = self.meaning(number);
        let is_name =
            meaning.words == Some(WordSort::Identifier) || meaning.form != ExpressionForm::Other || meaning.is_quoted();
        (self.first_child(number).is_none() && is_name).then_some(number)
    }

    /// Returns the node around the name of an element, which is the call of the component.
    pub fn call_around(&self, leaf: u32) -> Option<u32> {
        self.parent(leaf)
    }

    /// Returns the position of a leaf.
    pub fn position(&self, leaf: u32) -> Position {
        if self.meaning(leaf).is_quoted() {
            return Position::Quoted(leaf);
        }
        if self.meaning(leaf).form == ExpressionForm::Member {
            return Position::Member(Object::Receiver);
        }
        if let Some(argument) = self.named_argument(leaf) {
            return self.call_with(argument).map_or(Position::Declared, Position::Argument);
        }
        if let Some(entry) = self.shorthand(leaf) {
            return match self.key(entry) {
                Position::Key(object) | Position::Member(object) => Position::Shorthand(object),
                other => other,
            };
        }
        if let Some(entry) = self.key_entry(leaf) {
            return self.key(entry);
        }
        if let Some(node) = self.bare_member(leaf) {
            return self.member_of_expected(node);
        }
        let (mut child, mut position) = (leaf, Position::Plain);
        for _ in 0..MAX_DEPTH {
            let Some(parent) = self.parent(child) else { break };
            let meaning = self.meaning(parent);
            let is_first = self.is_first(child, parent);
            if meaning.uses.import {
                return Position::Imported;
            }
            if meaning.uses.declares && is_first {
                return Position::Declared;
            }
            match meaning.form {
                ExpressionForm::Access(..)
                    if !is_first
                        && position == Position::Plain
                        && self.is_only_name(leaf, child)
                        && self.names_member(child, parent) =>
                {
                    position = Position::Member(
                        self.first_child(parent).map_or(Object::Unknown, |first| self.object(first, 0)),
                    );
                }
                // The object of a member is not itself in the position of the member.
                ExpressionForm::Access(..) if !self.is_path(parent) => break,
                ExpressionForm::Access(..) => {}
                _ if meaning.uses.type_name || is_transparent(meaning.form) => {}
                _ => break,
            }
            child = parent;
        }
        position
    }

    /// Returns the argument whose name a leaf is. The name may be in a node of its own.
    fn named_argument(&self, leaf: u32) -> Option<u32> {
        let label = |&parent: &u32| self.meaning(parent).keyword.is_none() && self.has_one_child(parent);
        let name = self.parent(leaf).filter(label).unwrap_or(leaf);
        let argument = self.parent(name).filter(|&parent| self.is_first(name, parent))?;
        // In some languages, an argument without a name is a node of the same kind.
        let is_named = self.meaning(argument).keyword.is_some() && self.node(argument).end > self.node(name).end;
        is_named.then_some(argument)
    }

    /// Returns the call that has an argument.
    fn call_with(&self, argument: u32) -> Option<u32> {
        let mut around = std::iter::successors(self.parent(argument), |&at| self.parent(at)).take(MAX_CREATION_STEPS);
        around.find(|&at| self.is_call(at))
    }

    /// Checks whether an access is part of an import, so that its object may be imported, too.
    fn is_path(&self, number: u32) -> bool {
        let ancestors = std::iter::successors(self.parent(number), |&at| self.parent(at));
        ancestors.take(MAX_DEPTH).any(|at| self.meaning(at).uses.import)
    }

    /// Returns the entry whose key a leaf is. The key may be in a node of its own.
    fn key_entry(&self, leaf: u32) -> Option<u32> {
        let around = |&child: &u32| self.parent(child).filter(|&parent| self.is_first(child, parent));
        let parent = around(&leaf)?;
        let outer = Some(parent).filter(|&parent| self.has_one_child(parent)).and_then(|parent| around(&parent));
        std::iter::once(parent).chain(outer).find(|&entry| self.is_key_entry(entry))
    }

    /// Checks whether the first child of a node is a key.
    fn is_key_entry(&self, number: u32) -> bool {
        let uses = self.meaning(number).uses;
        let is_inside = |kind| self.parent(number).is_some_and(|around| self.node(around).kind == kind);
        uses.key || uses.key_inside.is_some_and(is_inside)
    }

    /// Returns the position of a key: a member of the created object if its type is written, of the
    /// object that a pattern or a copy names, or of what the code around the object expects.
    fn key(&self, entry: u32) -> Position {
        let (mut child, mut named) = (entry, None);
        for step in 0..MAX_DEPTH {
            let Some(at) = self.parent(child) else { break };
            let meaning = self.meaning(at);
            let owner = self.first_child(at).filter(|&first| first != child);
            let is_near = step < MAX_CREATION_STEPS;
            match owner {
                Some(of) if is_near && matches!(meaning.form, ExpressionForm::Instance(_)) => {
                    return Position::Member(Object::Instance(Box::new(self.object(of, 0))));
                }
                _ if is_near && meaning.creation => return Position::Member(Object::Call(at)),
                Some(of) if meaning.uses.key_owner => {
                    named = Some(self.object(of, 0));
                    break;
                }
                // A key of an inner object, or an argument.
                _ if self.is_key_entry(at) || self.is_call(at) => break,
                _ => child = at,
            }
        }
        match (self.expected(entry, 0), named) {
            (Some(object), _) => Position::Key(object),
            (None, Some(object)) => Position::Member(object),
            (None, None) => Position::Key(Object::Unknown),
        }
    }

    /// Returns what the code around the object with an entry expects it to be: a declared variable, a
    /// parameter, a result, or a member of the object around it.
    fn expected(&self, entry: u32, depth: usize) -> Option<Object> {
        let around = self.parent(entry).filter(|_| depth < MAX_DEPTH)?;
        match self.meaning(entry).uses.attribute {
            true => Some(Object::Argument(around, 0)),
            false => self.expected_at(around, depth),
        }
    }

    /// Returns what the code around an expression expects it to be.
    fn expected_at(&self, literal: u32, depth: usize) -> Option<Object> {
        let mut child = literal;
        for _ in 0..MAX_DEPTH {
            let at = self.parent(child)?;
            let meaning = self.meaning(at);
            let is = |flow: FlowKind| meaning.flow & flow.bit() != 0;
            let first = self.first_child(at).filter(|&first| first != child);
            match first {
                // A field of a type with its value.
                Some(field) if self.is_key_entry(at) && meaning.entry.is_none() => {
                    return Some(Object::Member(Box::new(Object::Receiver), symbol(self.text_of(field))));
                }
                Some(key) if self.is_key_entry(at) || self.is_key_entry(key) => {
                    return Some(self.entry_of(self.expected(at, depth + 1)?, key));
                }
                Some(_) if is(FlowKind::Assignments) || is(FlowKind::Defaults) => return self.assigned(at, child),
                // A pattern takes the value apart.
                None if is(FlowKind::Assignments) => return self.tree.children(at).last().map(|at| self.object(at, 0)),
                None if meaning.uses.key_owner => return self.annotation(at),
                Some(of) if matches!(meaning.form, ExpressionForm::Instance(_)) => {
                    return Some(Object::Instance(Box::new(self.object(of, 0))));
                }
                _ if is(FlowKind::Returns) => return Some(Object::Returned),
                _ if meaning.lexical_function => return first.map(|_| Object::Returned),
                None if meaning.form == ExpressionForm::Cast => {
                    let of = self.tree.children(at).last()?;
                    return Some(Object::Instance(Box::new(self.object(of, 0))));
                }
                _ => {}
            }
            let index = || self.tree.children(at).filter(|&one| !self.is_comment(one)).position(|one| one == child);
            if is(FlowKind::Calls) {
                return index()?.checked_sub(1).map(|index| Object::Argument(at, index));
            }
            if let Some(call) = self.call_with_list(at) {
                return index().map(|index| Object::Argument(call, index));
            }
            // An element of a list that is written like the object.
            let is_element = is(FlowKind::Lists) || self.node(at).kind == self.node(literal).kind;
            let is_wrapper = || meaning.form == ExpressionForm::Other && self.has_one_child(at);
            let is_passed_on = is_element
                || is_transparent(meaning.form)
                || meaning.form == ExpressionForm::Choice
                || meaning.keyword.is_some()
                || is_wrapper();
            child = Some(at).filter(|_| is_passed_on)?;
        }
        None
    }

    /// Returns an object of the type that a node has after its first child.
    fn annotation(&self, number: u32) -> Option<Object> {
        let of_type = |&at: &u32| self.meaning(at).uses.type_name;
        let only_child = |&at: &u32| self.first_child(at).filter(|_| self.has_one_child(at));
        let inner = |at| std::iter::successors(Some(at), only_child).find(of_type);
        let annotation = self.tree.children(number).skip(1).find_map(inner)?;
        Some(Object::Instance(Box::new(self.object(annotation, 0))))
    }

    /// Returns the member of an object that a key names.
    fn entry_of(&self, object: Object, key: u32) -> Object {
        let leaf = std::iter::successors(Some(key), |&at| self.first_child(at)).last().unwrap_or(key);
        Object::Member(Box::new(object), symbol(self.text_of(leaf)))
    }

    /// Returns what the node of an assignment assigns the value to.
    fn assigned(&self, assignment: u32, value: u32) -> Option<Object> {
        let targets = self.tree.children(assignment).take_while(|&target| target != value);
        let only_child = |&at: &u32| {
            let is_wrapper = self.meaning(at).form == ExpressionForm::Other && self.has_one_child(at);
            self.first_child(at).filter(|_| is_wrapper)
        };
        let inner = |target| std::iter::successors(Some(target), only_child).last().map(|at| self.object(at, 0));
        targets.filter_map(inner).find(|object| *object != Object::Unknown)
    }

    /// Returns the call whose list of arguments a node is. The list may be in a node of its own.
    fn call_with_list(&self, list: u32) -> Option<u32> {
        if !self.text_of(list).starts_with('(') {
            return None;
        }
        let (mut child, mut at) = (list, self.parent(list)?);
        while !self.is_call(at) {
            (child, at) = (at, self.parent(at).filter(|_| self.has_one_child(at))?);
        }
        (!self.is_first(child, at)).then_some(at)
    }

    /// Returns the node of a member of a type that is not written (`.red`), if a leaf is its name.
    fn bare_member(&self, leaf: u32) -> Option<u32> {
        let before = self.text[..self.node(leaf).start as usize].strip_suffix('.');
        // The end of a range follows two signs: `0..limit`.
        let starts = self.language.spec.uses.bare_members && before.is_some_and(|before| !before.ends_with('.'));
        let node = self.parent(leaf).filter(|&parent| self.has_one_child(parent)).unwrap_or(leaf);
        let around = self.parent(node)?;
        let is_access = matches!(self.meaning(around).form, ExpressionForm::Access(..));
        (starts && (!is_access || self.is_first(node, around))).then_some(node)
    }

    /// Returns the position of a member of a type that is not written: the type that the code around
    /// it expects, or that of the value that it is compared with.
    fn member_of_expected(&self, node: u32) -> Position {
        match self.expected_at(node, 0) {
            Some(object) => Position::Key(object),
            None => match self.key(node) {
                Position::Member(object) => Position::Key(object),
                other => other,
            },
        }
    }

    fn is_comment(&self, number: u32) -> bool {
        self.meaning(number).words == Some(WordSort::Comment)
    }

    /// Reads an expression in front of a member.
    fn object(&self, number: u32, depth: usize) -> Object {
        let meaning = self.meaning(number);
        if depth > MAX_DEPTH {
            return Object::Unknown;
        }
        if self.is_call(number) {
            let is_super = self.first_child(number).is_some_and(|callee| self.is_super(callee));
            return if is_super { Object::Super } else { Object::Call(number) };
        }
        let first = || self.first_child(number).map_or(Object::Unknown, |first| self.object(first, depth + 1));
        match meaning.form {
            ExpressionForm::Name => {
                let (text, scopes) = (self.text_of(number), &self.language.spec.scopes);
                let is_receiver = scopes.receivers.iter().chain(&scopes.self_types).any(|one| one == text);
                match () {
                    () if is_receiver => Object::Receiver,
                    () if self.is_super(number) => Object::Super,
                    () => Object::Name(symbol(text)),
                }
            }
            ExpressionForm::Member => {
                let name = self.text_of(number).trim_start_matches(['@', '$']);
                Object::Member(Box::new(Object::Receiver), symbol(name))
            }
            ExpressionForm::Access(..) | ExpressionForm::Path => match self.tree.children(number).nth(1) {
                Some(member) => Object::Member(Box::new(first()), symbol(self.text_of(member))),
                None => Object::Unknown,
            },
            ExpressionForm::Instance(_) => Object::Instance(Box::new(first())),
            ExpressionForm::First | ExpressionForm::Field(_) | ExpressionForm::Cast => first(),
            ExpressionForm::Literal | ExpressionForm::Operation => Object::Foreign,
            ExpressionForm::Tokens => Object::Unknown,
            ExpressionForm::Other if meaning.uses.declares => first(),
            ExpressionForm::Choice | ExpressionForm::Other => match meaning.uses.type_name {
                true if self.first_child(number).is_none() => Object::Name(symbol(self.text_of(number))),
                true => first(),
                // The path of a type in a pattern.
                false if meaning.uses.import => first(),
                false => Object::Unknown,
            },
        }
    }

    fn is_super(&self, number: u32) -> bool {
        self.language.spec.scopes.supers.iter().any(|one| one == self.text_of(number))
    }

    /// Checks whether a leaf is the key of an object, or the name of an argument.
    pub fn is_key(&self, leaf: u32) -> bool {
        matches!(self.position(leaf), Position::Key(_)) || self.key_entry(leaf).is_some()
    }

    /// Checks whether a leaf is a key that is also a variable.
    pub fn is_shorthand(&self, leaf: u32) -> bool {
        self.shorthand(leaf).is_some()
    }

    /// Returns the entry that a leaf is by itself. The leaf may be in a node of its own.
    fn shorthand(&self, leaf: u32) -> Option<u32> {
        [Some(leaf), self.parent(leaf)].into_iter().flatten().find(|&at| self.meaning(at).shorthand)
    }

    /// Checks whether a leaf is in a decorator.
    pub fn is_decorator(&self, leaf: u32) -> bool {
        let mut ancestors = std::iter::successors(self.parent(leaf), |&at| self.parent(at)).take(MAX_DEPTH);
        ancestors.any(|at| self.meaning(at).uses.decorator)
    }

    /// Checks whether a leaf names a type, as opposed to a value.
    pub fn is_type(&self, leaf: u32) -> bool {
        self.meaning(leaf).uses.type_name
    }

    /// Returns how a leaf is used, and the call whose callee it is.
    pub fn kind(&self, leaf: u32) -> (UseKind, Option<u32>) {
        if self.meaning(leaf).is_quoted() {
            return (UseKind::Call, Some(leaf));
        }
        let mut child = leaf;
        let (mut is_type, mut is_member) = (self.meaning(leaf).uses.type_name, false);
        for _ in 0..MAX_DEPTH {
            let Some(parent) = self.parent(child) else { break };
            let (meaning, is_first) = (self.meaning(parent), self.is_first(child, parent));
            let uses = meaning.uses;
            let is = |flow: FlowKind| meaning.flow & flow.bit() != 0;
            let is_access = matches!(meaning.form, ExpressionForm::Access(..));
            // A call whose node has the object and the name (Java).
            let is_member_name = is_access && self.names_member(child, parent);
            let is_named_call = is_member_name && is(FlowKind::Calls) && child == leaf;
            if is_named_call || (is(FlowKind::Calls) && is_first && !is_access) {
                return (UseKind::Call, Some(parent));
            }
            let found = match () {
                () if uses.import => Some(UseKind::Import),
                () if uses.decorator => Some(UseKind::Decorator),
                () if uses.base => Some(UseKind::Base),
                () => None,
            };
            if let Some(found) = found {
                return (found, None);
            }
            is_member |= is_member_name && !is_first && child == leaf;
            is_type |= uses.type_name;
            let is_between = uses.type_name || is_transparent(meaning.form) || (is_member_name && !is_first);
            if !is_between {
                let around = self.parent(parent);
                let is_in = |test: &dyn Fn(&NodeMeaning) -> bool| around.is_some_and(|at| test(self.meaning(at)));
                return match () {
                    () if is_in(&|around| around.uses.base) && !is_type => (UseKind::Base, None),
                    () if is(FlowKind::Catches) || is_in(&|around| around.flow & FlowKind::Catches.bit() != 0) => {
                        (UseKind::Catch, None)
                    }
                    () if is(FlowKind::Raises) => (UseKind::Raise, None),
                    () => (plain_kind(is_type, is_member), None),
                };
            }
            child = parent;
        }
        (plain_kind(is_type, is_member), None)
    }
}

fn plain_kind(is_type: bool, is_member: bool) -> UseKind {
    match (is_type, is_member) {
        (true, _) => UseKind::Type,
        (false, true) => UseKind::Attribute,
        (false, false) => UseKind::Value,
    }
}

fn is_transparent(form: ExpressionForm) -> bool {
    matches!(form, ExpressionForm::First | ExpressionForm::Field(_))
}
