//! Corrects a name that no definition has exactly: letters in a different case, camel case instead
//! of snake case, one wrong letter, or two transposed letters. A name after the directories and the
//! file around its definition is not corrected. [`respelled`] finds names with the same letters,
//! for a question that is a name.
//!
//! **Invariant:** corrects only to the definition that is closest. If several definitions are
//! equally close, there is no correction.
//!
//! **Cost:** one pass over the names of all definitions; the edit distance is computed only for
//! names whose length differs by at most one letter.

use super::location::qualified_value;
use super::similar_names::{MAX_TYPED, edit_distance};
use super::typed_names::{all_definitions, definitions_in, dotted, files_ending_in, has_name, has_parts};
use whichfn_index::store::{GraphFile, NamedValueRow};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// Maximum number of wrong letters in the whole name.
const MAX_WRONG: usize = 1;
/// Minimum length of a part of a name with a wrong letter. Short names differ by one letter by
/// chance.
const MIN_LETTERS: usize = 4;

/// Returns the definitions that are closest to a name, sorted by position, and whether they have
/// exactly this name after the directories and the file around them; none if the difference is too
/// large. `rest` is the part of the name after a path.
pub(super) fn closest(graph: &GraphFile, place: &str, rest: Option<&str>) -> (Vec<DefinitionId>, bool) {
    let typed = rest.unwrap_or(place);
    if typed.chars().nth(MAX_TYPED).is_some() || (rest.is_none() && place.contains('/')) {
        return (Vec::new(), false);
    }
    let parts = parts(typed);
    let candidates: Vec<DefinitionId> = match rest {
        Some(_) => files_ending_in(graph, place).into_iter().flat_map(|file| definitions_in(graph, file)).collect(),
        None => all_definitions(graph).collect(),
    };
    let difference = |id: DefinitionId| {
        let place = NamedPlace::of(graph, id);
        difference(&parts, &place).filter(|_| has_name(graph, id)).map(|difference| (difference, id))
    };
    let mut found: Vec<_> = candidates.into_iter().filter_map(difference).collect();
    let Some(least) = found.iter().map(|(difference, _)| *difference).min() else {
        return (Vec::new(), false);
    };
    found.retain(|(difference, _)| *difference == least);
    let is_extension = |id: DefinitionId| graph.definition(id).kind() == DefinitionKind::Extension;
    if !found.iter().all(|&(_, id)| is_extension(id)) {
        found.retain(|&(_, id)| !is_extension(id));
    }
    (found.into_iter().map(|(_, id)| id).collect(), least <= (0, false, Missing::Package))
}

/// How a typed name differs from a definition's name: the number of wrong letters, whether upper
/// case or separators between words differ, and what is missing around the definition.
type Difference = (usize, bool, Missing);

/// The parts of a typed name that do not occur around a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Missing {
    None,
    /// The first of several parts, which may be the name of the package.
    Package,
    /// The only part before the name.
    All,
}

/// A definition or value, for comparison with a typed name.
pub(super) struct NamedPlace<'g> {
    graph: &'g GraphFile,
    name: &'g str,
    file: FileId,
    /// The value, or the definition.
    value: Result<NamedValueRow<'g>, DefinitionId>,
}

impl<'g> NamedPlace<'g> {
    /// Returns a definition.
    pub fn of(graph: &'g GraphFile, id: DefinitionId) -> Self {
        Self { graph, name: graph.name(id), file: graph.file_around(id), value: Err(id) }
    }

    /// Returns a value.
    pub fn of_value(graph: &'g GraphFile, value: NamedValueRow<'g>) -> Self {
        Self { graph, name: value.name, file: value.id.file, value: Ok(value) }
    }

    /// Returns the name after the names of the definitions around it, with dots.
    fn qualified(&self) -> String {
        match &self.value {
            Ok(value) => dotted(&qualified_value(self.graph, value)),
            Err(id) => dotted(self.graph.qualified_name(*id)),
        }
    }
}

/// Returns the parts of a typed name.
pub(super) fn parts(typed: &str) -> Vec<String> {
    dotted(typed).split('.').map(str::to_owned).collect()
}

/// Checks whether the parts of a typed name have the same letters as the last parts of a name, or as
/// the directories and the file before it. Returns whether the case or the separators differ.
pub(super) fn respelled(typed: &[String], place: &NamedPlace<'_>) -> Option<bool> {
    let (wrong, is_respelled, missing) = difference(typed, place)?;
    (wrong == 0 && missing < Missing::All).then_some(is_respelled)
}

/// Compares a typed name with a name, part by part from the end. The first parts may also name the
/// directories and the file around it; the very first part may be the name of a package that is not
/// a directory. Returns `None` if the difference is too large.
fn difference(typed: &[String], place: &NamedPlace<'_>) -> Option<Difference> {
    // The name itself decides in most cases, without an allocation for the qualified name.
    let name = place.name;
    let own_parts = if has_parts(name) { dotted(name).split('.').count() } else { 1 };
    // `aws_ami.linux` instead of `data.aws_ami.linux`.
    let is_shortened = || dotted(name).strip_suffix(&typed.join(".")).is_some_and(|front| front.ends_with('.'));
    if (2..own_parts).contains(&typed.len()) && is_shortened() {
        return Some((0, true, Missing::None));
    }
    let (before, own) = typed.split_at(typed.len().checked_sub(own_parts)?);
    let own = match own {
        [own] => part_difference(own, name),
        several => part_difference(&several.join("."), &dotted(name)),
    };
    let (mut wrong, mut is_respelled, _) = own?;
    if before.is_empty() {
        return Some((wrong, is_respelled, Missing::None));
    }
    let qualified = place.qualified();
    let mut names = qualified.split('.').rev().skip(own_parts);
    for (at, part) in before.iter().enumerate().rev() {
        let found = match names.next() {
            Some(name) => part_difference(part, name)?,
            None => {
                let (is_other_case, missing) = in_path(place.graph.path(place.file), &before[..=at])?;
                return Some((wrong, is_respelled || is_other_case, missing));
            }
        };
        (wrong, is_respelled) = (wrong + found.0, is_respelled || found.1);
    }
    (wrong <= MAX_WRONG).then_some((wrong, is_respelled, Missing::None))
}

/// Finds the parts, in this order, among the directories and the file name around a definition.
/// Returns whether their case differs, and what is missing.
fn in_path(path: &str, parts: &[String]) -> Option<(bool, Missing)> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let occur = |parts: &[String], is_same: fn(&str, &str) -> bool| {
        let mut names = stem.split('/');
        parts.iter().all(|part| names.any(|name| is_same(name, part)))
    };
    let same_letters = |a: &str, b: &str| folded(a).eq(folded(b));
    let rest = parts.get(1..).filter(|rest| !rest.is_empty() || !path.contains('/'));
    match rest {
        _ if occur(parts, |a, b| a == b) => Some((false, Missing::None)),
        _ if occur(parts, same_letters) => Some((true, Missing::None)),
        Some(rest) if !rest.is_empty() && occur(rest, |a, b| a == b) => Some((false, Missing::Package)),
        Some(rest) if occur(rest, same_letters) => Some((true, Missing::All)),
        _ => None,
    }
}

fn part_difference(typed: &str, name: &str) -> Option<Difference> {
    if typed == name {
        return Some((0, false, Missing::None));
    }
    if folded(typed).eq(folded(name)) {
        return (!name.is_empty()).then_some((0, true, Missing::None));
    }
    let length = typed.chars().count();
    if length < MIN_LETTERS || length.abs_diff(name.chars().count()) > MAX_WRONG {
        return None;
    }
    edit_distance(&typed.to_lowercase(), &name.to_lowercase(), MAX_WRONG).map(|wrong| (wrong, true, Missing::None))
}

/// Returns the letters of a name without case and without the separators between its words.
fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::{Missing, part_difference};

    #[test]
    fn case_separators_and_one_letter_may_differ() {
        assert_eq!(part_difference("Next", "Next"), Some((0, false, Missing::None)));
        assert_eq!(part_difference("make_response", "makeResponse"), Some((0, true, Missing::None)));
        assert_eq!(part_difference("Nxet", "Next"), Some((1, true, Missing::None)), "transposed");
        assert_eq!(part_difference("shoudlBindBodyWith", "ShouldBindBodyWith"), Some((1, true, Missing::None)));
        assert_eq!(part_difference("renw", "renew"), Some((1, true, Missing::None)), "missing");
        assert_eq!(part_difference("get", "set"), None, "too short");
        assert_eq!(part_difference("renwwe", "renew"), None, "two letters");
    }
}
