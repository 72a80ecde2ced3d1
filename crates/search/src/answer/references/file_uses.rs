//! Decides, for each occurrence of a name in one file, whether it refers to a target.
//!
//! An occurrence is resolved once, for all targets with the name.

use super::syntax::{FileSyntax, Position};
use super::target::Target;
use super::{Certainty, UseKind};
use rustc_hash::FxHashMap;
use whichfn_graph::{CallReason, Object, Referent, UseResolver};
use whichfn_index::fragment::SyntaxTree;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::Language;
use whichfn_syntax::parse::Symbol;
use whichfn_text::occurrences;

/// Whether an occurrence refers to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Yes,
    /// The declared type of the object has another method with the name: one that the target
    /// overrides, or one outside the repository.
    Possible(Option<DefinitionId>),
    No,
    Unknown,
}

/// A place with the name of the targets, and what it refers to.
pub(super) struct Occurrence {
    pub offset: usize,
    pub kind: UseKind,
    /// Syntax node of the call around the place, if the place is its callee.
    call: Option<u32>,
    /// True if the place can only be a type.
    is_type: bool,
    is_key: bool,
    place: Place,
}

/// The position of a name, with the items that it refers to.
enum Place {
    Declared,
    Key,
    Imported(Vec<Referent>),
    /// The name of an argument, with the fields that it sets.
    Argument(Vec<Referent>),
    /// A symbol or text that names a function.
    Quoted(Vec<Referent>),
    /// A text that names nothing.
    Text,
    /// A member of an object; the flag is true for a member of `super`.
    Member(Vec<Referent>, bool),
    Plain(Option<Referent>),
}

impl Occurrence {
    /// Returns the items that the place refers to.
    pub fn referents(&self) -> &[Referent] {
        match &self.place {
            Place::Declared | Place::Key | Place::Text | Place::Plain(None) => &[],
            Place::Imported(all) | Place::Argument(all) | Place::Quoted(all) | Place::Member(all, _) => all,
            Place::Plain(Some(one)) => std::slice::from_ref(one),
        }
    }
}

/// A file with the name.
pub(super) struct FileUses<'a> {
    graph: &'a GraphFile,
    file: FileId,
    syntax: FileSyntax<'a>,
    resolver: &'a UseResolver<'a>,
    /// Callees of each call, by its syntax node.
    calls: FxHashMap<u32, Vec<(DefinitionId, CallReason)>>,
}

impl<'a> FileUses<'a> {
    /// Reads a file. `needs_calls` is true if a target is a function.
    pub fn new(
        graph: &'a GraphFile,
        (file, text): (FileId, &'a str),
        language: &'a Language,
        resolver: &'a UseResolver<'a>,
        needs_calls: bool,
    ) -> Self {
        let tree = SyntaxTree::new(&graph.syntax(file));
        let mut calls: FxHashMap<u32, Vec<_>> = FxHashMap::default();
        for row in graph.definitions_of(file).filter(|_| needs_calls).flat_map(|id| graph.calls(id)) {
            calls.entry(row.site).or_default().push((row.callee, row.reason()));
        }
        Self { graph, file, syntax: FileSyntax { language, tree, text }, resolver, calls }
    }

    /// Checks whether files of this language are included as text, so that a name may refer to any
    /// of several variants of a definition.
    pub fn has_variants(&self) -> bool {
        self.syntax.language.spec.modules.include
    }

    /// Returns the places with a target's name, except those that declare it.
    pub fn occurrences<'t>(&'t self, target: &'t Target) -> impl Iterator<Item = Occurrence> + 't {
        let declared = target.declared(self.graph, self.file, self.syntax.text);
        occurrences(self.syntax.text, &target.name).filter_map(move |offset| {
            let is_declared = declared.contains(&offset);
            let leaf = self.syntax.name_at(offset, &target.name)?;
            // A shorthand that declares a variable is a use of a member.
            if is_declared && !self.syntax.is_shorthand(leaf) {
                return None;
            }
            let (kind, call) = match self.is_element(offset) {
                true => (UseKind::Call, self.syntax.call_around(leaf)),
                false => self.syntax.kind(leaf),
            };
            let (is_type, is_key) = (self.syntax.is_type(leaf), self.syntax.is_key(leaf));
            let place = self.place((leaf, offset), target.symbol, is_declared);
            Some(Occurrence { offset, kind, call, is_type, is_key, place })
        })
    }

    /// Returns how certain it is that a place refers to a target; `None` if it does not. If the
    /// target `is_only` thing with its name, an unknown object has the target as its member, but a
    /// call is certain only of a function.
    pub fn certainty(&self, target: &Target, one: &Occurrence, is_only: bool) -> Option<Certainty> {
        if target.is_shared && one.kind != UseKind::Import && one.is_type != target.is_type {
            return None;
        }
        match self.verdict(target, one) {
            Verdict::Yes => Some(Certainty::Certain),
            Verdict::Possible(base) => Some(Certainty::Possible(base)),
            Verdict::Unknown if is_only && !one.is_key && (one.call.is_none() || target.is_callable) => {
                Some(Certainty::Certain)
            }
            Verdict::Unknown => Some(Certainty::ByName),
            Verdict::No => None,
        }
    }

    /// Iterates over the functions that the call at a place reaches.
    pub fn callees(&self, one: &Occurrence) -> impl Iterator<Item = DefinitionId> {
        one.call.and_then(|call| self.calls.get(&call)).into_iter().flatten().map(|(callee, _)| *callee)
    }

    /// Returns the elements of a markup that are a target in lower case with hyphens, each with the
    /// component that linking found for it: `<price-row>` uses `PriceRow`.
    pub fn elements<'t>(&'t self, target: &'t Target) -> impl Iterator<Item = (usize, DefinitionId)> + 't {
        let has_hyphens = self.syntax.language.spec.markup.as_ref().is_some_and(|markup| markup.hyphens);
        let element = target.element.as_deref().filter(|_| has_hyphens);
        let found = element.into_iter().flat_map(|element| occurrences(self.syntax.text, element));
        found.flat_map(|offset| {
            // The parser reads the name of the component in place of the element.
            let leaf = self.syntax.name_at(offset, &target.name).filter(|_| self.is_element(offset));
            let call = leaf.and_then(|leaf| self.syntax.call_around(leaf));
            let callees = call.and_then(|call| self.calls.get(&call)).into_iter().flatten();
            let certain = callees.filter(|(_, reason)| *reason != CallReason::Name);
            certain.map(move |(callee, _)| (offset, *callee))
        })
    }

    /// Checks whether a name at an offset of a file with markup is the name of an element.
    fn is_element(&self, offset: usize) -> bool {
        self.syntax.language.spec.markup.is_some() && self.syntax.text[..offset].ends_with('<')
    }

    /// Returns the innermost definition around an offset.
    pub fn scope_at(&self, offset: usize) -> DefinitionId {
        let rows = self.graph.definitions_of(self.file).zip(self.graph.rows_of(self.file));
        let mut around = rows.filter(|(_, row)| (row.start_byte as usize..row.end_byte as usize).contains(&offset));
        around.next_back().map_or_else(|| self.graph.file(self.file).first_definition, |(id, _)| id)
    }

    /// Resolves the name at a place, which may declare a variable.
    fn place(&self, (leaf, offset): (u32, usize), name: Symbol, is_declared: bool) -> Place {
        let (graph, file) = (self.graph, self.file);
        let scope = graph.local(self.scope_of(leaf, offset));
        match self.syntax.position(leaf) {
            Position::Declared => Place::Declared,
            Position::Shorthand(object) => {
                let variable = if is_declared { None } else { self.plain_name(name, leaf, scope) };
                match self.resolver.key(file, scope, &object, name) {
                    members if members.is_empty() && is_declared => Place::Declared,
                    members if members.is_empty() => Place::Plain(variable),
                    members => Place::Member(members.into_iter().chain(variable).collect(), false),
                }
            }
            Position::Key(object) => match self.resolver.key(file, scope, &object, name) {
                found if found.is_empty() => Place::Key,
                found => Place::Member(found, false),
            },
            Position::Imported => Place::Imported(self.resolver.imported(file, name)),
            Position::Argument(at) => Place::Argument(self.resolver.argument(file, at, name).unwrap_or_default()),
            Position::Quoted(leaf) => match self.resolver.called(file, leaf) {
                Some(referents) => Place::Quoted(referents),
                None => Place::Text,
            },
            Position::Member(object) => {
                Place::Member(self.resolver.member(file, scope, &object, name), object == Object::Super)
            }
            Position::Plain => Place::Plain(self.plain_name(name, leaf, scope)),
        }
    }

    fn verdict(&self, target: &Target, one: &Occurrence) -> Verdict {
        let linked = one.call.and_then(|call| self.verdict_of_call(target, call));
        match &one.place {
            Place::Declared => linked.unwrap_or(Verdict::No),
            Place::Key if target.is_member => linked.unwrap_or(Verdict::Unknown),
            Place::Key => linked.unwrap_or(Verdict::No),
            Place::Imported(referents) => self.any(target, referents, linked.or(Some(Verdict::No))),
            Place::Argument(fields) if fields.iter().any(|&field| target.is(self.graph, field)) => Verdict::Yes,
            Place::Argument(_) => linked.unwrap_or(Verdict::No),
            Place::Quoted(referents) => self.any(target, referents, linked),
            Place::Text => Verdict::No,
            Place::Member(referents, is_super) => {
                let verdict = self.any(target, referents, linked);
                // `super` never runs an override.
                let is_base = *is_super && matches!(verdict, Verdict::Possible(Some(_)));
                if is_base { Verdict::No } else { verdict }
            }
            Place::Plain(found) => match found {
                Some(Referent::Definition(other, _) | Referent::Value(other, LocalId::FILE, _))
                    if self.is_variant(target, *other) =>
                {
                    Verdict::Yes
                }
                Some(referent) => self.any(target, &[*referent], linked),
                None if target.is_member => linked.unwrap_or(Verdict::No),
                None => linked.unwrap_or(Verdict::Unknown),
            },
        }
    }

    /// Returns the scope in which a leaf is resolved. A decorator is outside the definition that it
    /// precedes.
    fn scope_of(&self, leaf: u32, offset: usize) -> DefinitionId {
        let (graph, scope) = (self.graph, self.scope_at(offset));
        let line = || memchr::memchr_iter(b'\n', &self.syntax.text.as_bytes()[..offset]).count() as u32 + 1;
        let row = graph.definition(scope);
        let precedes = self.syntax.is_decorator(leaf) && line() <= row.line;
        if precedes { row.parent } else { scope }
    }

    /// Returns what a name by itself refers to. The name of a type is never a variable of a
    /// function.
    fn plain_name(&self, name: Symbol, leaf: u32, mut scope: LocalId) -> Option<Referent> {
        let first = self.graph.file(self.file).first_definition;
        loop {
            let found = self.resolver.name(self.file, scope, name);
            if found != Some(Referent::Other) || scope == LocalId::FILE || !self.syntax.is_type(leaf) {
                return found;
            }
            let parent = self.graph.definition(DefinitionId(first.0 + scope.0)).parent;
            scope = self.graph.local(parent);
        }
    }

    /// Returns the verdict of linking about a call of a function; `None` if linking is undecided.
    fn verdict_of_call(&self, target: &Target, call: u32) -> Option<Verdict> {
        let callees = self.calls.get(&call).filter(|_| target.is_callable)?;
        let certain = || callees.iter().filter(|(_, reason)| *reason != CallReason::Name);
        if certain().any(|(callee, _)| target.definitions.contains(callee)) {
            return Some(Verdict::Yes);
        }
        let is_variant = |callee: DefinitionId| self.is_variant(target, self.graph.file_around(callee));
        certain().next().map(|&(callee, _)| if is_variant(callee) { Verdict::Yes } else { Verdict::No })
    }

    /// Checks whether the target is another variant of a definition in the file `other`, which this
    /// file sees through an include: of several global definitions with one name, the build selects
    /// one.
    fn is_variant(&self, target: &Target, other: FileId) -> bool {
        let is_global = self.syntax.language.spec.modules.include && !target.is_member;
        is_global && other != self.file && other != target.file && target.file != self.file
    }

    /// Returns the verdict about a name that has been resolved by declared types. `linked` is the
    /// verdict of linking, which also knows which objects reach the place.
    fn any(&self, target: &Target, referents: &[Referent], linked: Option<Verdict>) -> Verdict {
        let (graph, is_included) = (self.graph, self.syntax.language.spec.modules.include);
        let is_variant = |referent| is_included && target.is_in_variant(graph, referent);
        if referents.iter().any(|&referent| target.is(graph, referent) || is_variant(referent)) {
            return Verdict::Yes;
        }
        if let Some(base) = referents.iter().find_map(|&referent| target.base(graph, referent)) {
            return Verdict::Possible(Some(base));
        }
        match (linked, referents) {
            (Some(Verdict::Yes), [Referent::Other, ..]) => Verdict::Possible(None),
            (Some(verdict), _) => verdict,
            (None, []) => Verdict::Unknown,
            (None, _) => Verdict::No,
        }
    }
}
