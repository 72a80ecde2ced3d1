//! The nearest names to one that nothing has: a slip of the finger, or a part of a name.

use super::typed_names::{all_definitions, definitions_in, dotted, file_definition, files_ending_in, has_name};
use crate::ids::{DefinitionId, FileId};
use crate::store::GraphFile;

/// At most this many: a longer list is not read.
const MOST_SUGGESTIONS: usize = 5;

/// Those whose names differ by a few letters or contain what was typed.
pub(super) fn similar(graph: &GraphFile, place: &str, rest: Option<&str>) -> Vec<DefinitionId> {
    let files = files_ending_in(graph, place);
    let candidates: Vec<(String, DefinitionId)> = match rest {
        // The file is there, the line or the name is not.
        Some(_) if !files.is_empty() => files
            .iter()
            .flat_map(|&file| definitions_in(graph, file))
            .map(|id| (dotted(graph.qualified_name(id)), id))
            .collect(),
        _ if place.contains('/') || rest.is_some() => (0..graph.file_count())
            .map(FileId::new)
            .map(|file| (graph.path(file).into(), file_definition(graph, file)))
            .collect(),
        _ => all_definitions(graph).map(|id| (dotted(graph.qualified_name(id)), id)).collect(),
    };
    let typed = dotted(rest.filter(|_| !files.is_empty()).unwrap_or(place)).to_lowercase();
    let path = |id: &DefinitionId| graph.definition(*id).parent == *id;
    let mut ranked: Vec<(usize, String, DefinitionId)> = candidates
        .into_iter()
        .filter(|(_, id)| has_name(graph, *id) || path(id))
        .filter_map(|(name, id)| Some((distance(&typed, &name.to_lowercase())?, name, id)))
        .collect();
    // Of equals the shorter name first: what is less deep is meant more often.
    ranked.sort_by(|a, b| (a.0, a.1.len(), &a.1, a.2).cmp(&(b.0, b.1.len(), &b.1, b.2)));
    let last = |name: &str| name.rsplit(['.', '/']).next().unwrap_or(name).to_owned();
    let mut seen = std::collections::HashSet::new();
    ranked.retain(|(_, name, id)| path(id) || seen.insert(last(name)));
    ranked.into_iter().take(MOST_SUGGESTIONS).map(|(_, _, id)| id).collect()
}

/// How far a name is from what was typed: letters to change in it or in its last part; none if too far.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let most = typed.chars().count().div_ceil(3);
    let last = name.rsplit(['.', '/']).next().unwrap_or(name);
    let best = edit_distance(typed, name).min(edit_distance(typed, last));
    let contained = typed.len() > 2 && name.contains(typed);
    (best <= most).then_some(best).or(contained.then_some(most + 1))
}

/// Levenshtein's edit distance: characters inserted, deleted or substituted.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, edit_distance};

    #[test]
    fn letters_are_counted() {
        assert_eq!(edit_distance("renew", "renew"), 0);
        assert_eq!(edit_distance("renwe", "renew"), 2);
        assert_eq!(edit_distance("", "ab"), 2);
    }

    #[test]
    fn a_name_far_off_is_not_near() {
        assert_eq!(distance("renw", "session.renew"), Some(1));
        assert_eq!(distance("ession", "session.renew"), Some(3), "contained");
        assert_eq!(distance("renew", "parse_date"), None);
    }
}
