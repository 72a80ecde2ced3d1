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
#[derive(Debug)]
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

#[cfg(test)]
mod tests {
    use super::{Namesakes, Shown};

    /// Checks whether the signature around a definition distinguishes it from another one.
    fn confusable(one: &Shown<'_>, other: &Shown<'_>) -> bool {
        let same_name = one.qualified_name == other.qualified_name;
        let names_other = || {
            let mut words = one.head.split(|c: char| !c.is_alphanumeric() && c != '_');
            other.type_name != one.type_name && !other.type_name.is_empty() && words.any(|word| word == other.type_name)
        };
        same_name && one.head != other.head || !same_name && names_other()
    }

    #[test]
    fn a_comparison_with_all_at_once_equals_one_in_pairs() {
        let mut all = Vec::new();
        for qualified_name in ["A::f", "B::f", "f"] {
            for head in ["", "impl A", "impl B for A", "impl A for B", "impl <A> for", "impl C for A_B"] {
                for type_name in ["", "A", "B", "A_B", "<A>"] {
                    all.push(Shown { qualified_name, head, type_name });
                }
            }
        }
        let mut groups: Vec<Vec<&Shown<'_>>> = vec![all.iter().collect()];
        for (at, one) in all.iter().enumerate() {
            groups.push(vec![one]);
            groups.extend(all[at..].iter().map(|other| vec![one, other]));
            groups.extend(all[at..].windows(7).map(|others| vec![one, &others[1], &others[6]]));
        }
        let mut counts = [0, 0];
        for group in groups {
            let mut namesakes = Namesakes::default();
            group.iter().for_each(|one| namesakes.add(one));
            for one in &group {
                let expected = group.iter().any(|other| confusable(one, other));
                assert_eq!(namesakes.is_confusable(one), expected, "{one:?} in {group:?}");
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts[0] > 100 && counts[1] > 100, "both occur: {counts:?}");
    }
}
