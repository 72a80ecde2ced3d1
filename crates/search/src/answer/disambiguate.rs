//! Distinguishes results that could be confused by the signature of the enclosing block.
//!
//! Results that could be confused are, for example, `Session::fmt` in `impl Display for Session`
//! and in `impl Debug for Session`, or a trait's method and its implementation.

use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;

/// Returns the signature around each shown definition, or an empty string if no other shown
/// definition could be confused with it.
pub(super) fn enclosing_heads<'a>(graph: &'a GraphFile, shown: &[DefinitionId]) -> Vec<&'a str> {
    let mut by_name: FxHashMap<&str, Namesakes<'a>> = FxHashMap::default();
    for &id in shown {
        by_name.entry(graph.name(id)).or_default().add(&Shown::new(graph, id));
    }
    let head = |&id: &DefinitionId| {
        let one = Shown::new(graph, id);
        if by_name[graph.name(id)].is_confusable(&one) { one.head } else { "" }
    };
    shown.iter().map(head).collect()
}

/// A shown definition.
struct Shown<'a> {
    qualified_name: &'a str,
    /// Signature around the definition.
    head: &'a str,
    /// Name of the type around the definition.
    type_name: &'a str,
}

impl<'a> Shown<'a> {
    fn new(graph: &'a GraphFile, id: DefinitionId) -> Self {
        let (head, type_name) = (head_around(graph, id), type_around(graph, id));
        Self { qualified_name: graph.qualified_name(id), head, type_name }
    }
}

/// The shown definitions with one name.
///
/// There may be thousands, for example equal routes, so they are not compared in pairs.
#[derive(Default)]
struct Namesakes<'a> {
    /// Signatures around the definitions with each qualified name.
    heads: FxHashMap<&'a str, Values<'a>>,
    /// Qualified names of the definitions in each type.
    types: FxHashMap<&'a str, Values<'a>>,
}

impl<'a> Namesakes<'a> {
    fn add(&mut self, one: &Shown<'a>) {
        self.heads.entry(one.qualified_name).or_insert(Values::of(one.head)).add(one.head);
        if !one.type_name.is_empty() {
            self.types.entry(one.type_name).or_insert(Values::of(one.qualified_name)).add(one.qualified_name);
        }
    }

    /// Checks whether the signature around a definition distinguishes it from another one.
    ///
    /// It does if it shows which of two blocks of a type contains the definition, or which type's
    /// method the definition implements.
    fn is_confusable(&self, one: &Shown<'a>) -> bool {
        let has_other = |values: Option<&Values<'_>>, own: &str| values.is_some_and(|values| values.has_other(own));
        let mut words = one.head.split(|c: char| !c.is_alphanumeric() && c != '_');
        has_other(self.heads.get(one.qualified_name), one.head)
            || words.any(|word| word != one.type_name && has_other(self.types.get(word), one.qualified_name))
    }
}

/// The first of several values, and whether there is a different one.
struct Values<'a> {
    first: &'a str,
    is_several: bool,
}

impl<'a> Values<'a> {
    fn of(first: &'a str) -> Self {
        Self { first, is_several: false }
    }

    fn add(&mut self, value: &str) {
        self.is_several |= value != self.first;
    }

    /// Checks whether there is a value other than `own`.
    fn has_other(&self, own: &str) -> bool {
        self.is_several || self.first != own
    }
}

/// Returns the name of the type around a definition, or an empty string if there is none.
fn type_around(graph: &GraphFile, id: DefinitionId) -> &str {
    let parent = graph.definition(id).parent;
    if has_members(graph, parent) { graph.name(parent) } else { "" }
}

fn head_around(graph: &GraphFile, id: DefinitionId) -> &str {
    let parent = graph.definition(id).parent;
    if has_members(graph, parent) { graph.signature(parent) } else { "" }
}

fn has_members(graph: &GraphFile, id: DefinitionId) -> bool {
    graph.definition(id).kind().has_members()
}
