//! Decides, for each occurrence of a name in one file, whether it refers to the target.

use super::syntax::{FileSyntax, Position};
use super::target::Target;
use super::{Certainty, UseKind};
use rustc_hash::FxHashMap;
use whichfn_graph::{CallReason, Object, Referent, UseResolver};
use whichfn_index::fragment::SyntaxTree;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::Language;
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
    /// Reads a file. `needs_calls` is true if the target is a function.
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

    /// Returns the uses of the target: offset, kind and certainty. If the target `is_only` thing
    /// with its name, an unknown object has the target as its member, but a call is certain only of
    /// a function.
    pub fn of<'t>(
        &'t self,
        target: &'t Target,
        is_only: bool,
    ) -> impl Iterator<Item = (usize, UseKind, Certainty)> + 't {
        let declared = target.declared(self.graph, self.file, self.syntax.text);
        occurrences(self.syntax.text, &target.name).filter_map(move |offset| {
            let leaf = self.syntax.name_at(offset, &target.name).filter(|_| !declared.contains(&offset))?;
            let (kind, call) = match self.is_element(offset) {
                true => (UseKind::Call, self.syntax.call_around(leaf)),
                false => self.syntax.kind(leaf),
            };
            if target.is_shared && kind != UseKind::Import && self.syntax.is_type(leaf) != target.is_type {
                return None;
            }
            let certainty = match self.verdict(target, leaf, offset, call) {
                Verdict::Yes => Certainty::Certain,
                Verdict::Possible(base) => Certainty::Possible(base),
                Verdict::Unknown if is_only && !self.syntax.is_key(leaf) && (call.is_none() || target.is_callable) => {
                    Certainty::Certain
                }
                Verdict::Unknown => Certainty::ByName,
                Verdict::No => return None,
            };
            Some((offset, kind, certainty))
        })
    }

    /// Returns the elements of a markup that are the target in lower case with hyphens: `<price-row>`
    /// uses `PriceRow`. Linking knows which component an element is.
    pub fn elements<'t>(&'t self, target: &'t Target) -> impl Iterator<Item = usize> + 't {
        let has_hyphens = self.syntax.language.spec.markup.as_ref().is_some_and(|markup| markup.hyphens);
        let element = target.element.as_deref().filter(|_| has_hyphens);
        let found = element.into_iter().flat_map(|element| occurrences(self.syntax.text, element));
        found.filter(|&offset| {
            // The parser reads the name of the component in place of the element.
            let leaf = self.syntax.name_at(offset, &target.name).filter(|_| self.is_element(offset));
            let call = leaf.and_then(|leaf| self.syntax.call_around(leaf));
            call.and_then(|call| self.verdict_of_call(target, call)) == Some(Verdict::Yes)
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

    fn verdict(&self, target: &Target, leaf: u32, offset: usize, call: Option<u32>) -> Verdict {
        let (graph, file, name) = (self.graph, self.file, target.symbol);
        let scope = graph.local(self.scope_of(leaf, offset));
        let linked = call.and_then(|call| self.verdict_of_call(target, call));
        match self.syntax.position(leaf) {
            Position::Declared => linked.unwrap_or(Verdict::No),
            Position::Key if target.is_member => linked.unwrap_or(Verdict::Unknown),
            Position::Key => linked.unwrap_or(Verdict::No),
            Position::Imported => self.any(target, &self.resolver.imported(file, name), linked.or(Some(Verdict::No))),
            Position::Argument(at) => match self.resolver.argument(file, at, name) {
                Some(fields) if fields.iter().any(|&field| target.is(graph, field)) => Verdict::Yes,
                _ => linked.unwrap_or(Verdict::No),
            },
            Position::Quoted(leaf) => match self.resolver.called(file, leaf) {
                Some(referents) => self.any(target, &referents, linked),
                None => Verdict::No,
            },
            Position::Member(object) => {
                let verdict = self.any(target, &self.resolver.member(file, scope, &object, name), linked);
                // `super` never runs an override.
                let is_base = object == Object::Super && matches!(verdict, Verdict::Possible(Some(_)));
                if is_base { Verdict::No } else { verdict }
            }
            Position::Plain => match self.plain_name(target, leaf, scope) {
                Some(Referent::Definition(other, _) | Referent::Value(other, LocalId::FILE, _))
                    if self.is_variant(target, other) =>
                {
                    Verdict::Yes
                }
                Some(referent) => self.any(target, &[referent], linked),
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
    fn plain_name(&self, target: &Target, leaf: u32, mut scope: LocalId) -> Option<Referent> {
        let first = self.graph.file(self.file).first_definition;
        loop {
            let found = self.resolver.name(self.file, scope, target.symbol);
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
