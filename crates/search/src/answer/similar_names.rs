//! Finds the names that are closest to an unknown name, which may be mistyped or incomplete.

use super::typed_names::{all_definitions, definitions_in, dotted, file_definition, files_ending_in, has_name};
use whichfn_index::store::{GraphFile, NamedValueId};
use whichfn_syntax::ids::{DefinitionId, FileId};

/// Maximum number of suggestions; users would not read a longer list.
pub(super) const MAX_SUGGESTIONS: usize = 5;
/// Maximum length of a typed name in characters. A longer name is not a typo and gets no
/// suggestions.
pub(super) const MAX_TYPED: usize = 200;

/// Returns definitions whose names differ by a few letters from the typed name, or contain it.
pub(super) fn similar(graph: &GraphFile, place: &str, rest: Option<&str>) -> Vec<DefinitionId> {
    if place.chars().chain(rest.unwrap_or_default().chars()).nth(MAX_TYPED).is_some() {
        return Vec::new();
    }
    let files = files_ending_in(graph, place);
    let candidates: Vec<(String, DefinitionId)> = match rest {
        // The file exists, but the line or the name does not.
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
    // Among equal distances, the shorter name comes first: less deeply nested names are meant more
    // often.
    ranked.sort_by(|a, b| (a.0, a.1.len(), &a.1, a.2).cmp(&(b.0, b.1.len(), &b.1, b.2)));
    let last = |name: &str| name.rsplit(['.', '/']).next().unwrap_or(name).to_owned();
    let mut seen = std::collections::HashSet::new();
    ranked.retain(|(_, name, id)| path(id) || seen.insert(last(name)));
    ranked.into_iter().take(MAX_SUGGESTIONS).map(|(_, _, id)| id).collect()
}

/// Returns the values whose names differ by a few letters from the typed name, most similar first,
/// with at most one for each name.
pub(super) fn similar_values(graph: &GraphFile, typed: &str) -> Vec<NamedValueId> {
    if typed.chars().nth(MAX_TYPED).is_some() {
        return Vec::new();
    }
    let typed = dotted(typed).to_lowercase();
    let last = typed.rsplit(['.', ':']).next().unwrap_or(&typed);
    let max_distance = last.chars().count().div_ceil(3);
    let near = |name: &str| edit_distance(last, &name.to_lowercase(), max_distance);
    let mut ranked: Vec<_> =
        graph.named_values().filter_map(|value| Some((near(value.name)?, value.name, value.id))).collect();
    ranked.sort_unstable();
    ranked.dedup_by_key(|(_, name, _)| *name);
    ranked.into_iter().take(MAX_SUGGESTIONS).map(|(_, _, id)| id).collect()
}

/// Returns the edit distance between the typed name and a name, or the last part of that name.
///
/// If the distance is too large, returns one more than the maximum if the name contains the typed
/// name, otherwise `None`.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let max_distance = typed.chars().count().div_ceil(3);
    let last = name.rsplit(['.', '/']).next().unwrap_or(name);
    let best =
        edit_distance(typed, name, max_distance).into_iter().chain(edit_distance(typed, last, max_distance)).min();
    let contained = typed.len() > 2 && name.contains(typed);
    best.or(contained.then_some(max_distance + 1))
}

/// Returns the number of letters to insert, delete, substitute or transpose with the next letter
/// (optimal string alignment) if it is at most `max_distance`.
///
/// Computes only the cells within `max_distance` of the diagonal, because all others are larger
/// than `max_distance`.
pub fn edit_distance(a: &str, b: &str, max_distance: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > max_distance {
        return None;
    }
    let beyond = max_distance + 1;
    let mut row: Vec<usize> = (0..=b.len()).map(|j| j.min(beyond)).collect();
    let (mut above, mut above_that) = (vec![beyond; row.len()], vec![beyond; row.len()]);
    for (i, &from) in a.iter().enumerate() {
        std::mem::swap(&mut above_that, &mut above);
        std::mem::swap(&mut above, &mut row);
        row.fill(beyond);
        let (start, end) = (i.saturating_sub(max_distance), b.len().min(i + beyond));
        if start == 0 {
            row[0] = (i + 1).min(beyond);
        }
        for j in start..end {
            let changed = above[j] + usize::from(from != b[j]);
            let is_transposed = i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == b[j];
            let transposed = if is_transposed { above_that[j - 1] + 1 } else { beyond };
            row[j + 1] = changed.min(above[j + 1] + 1).min(row[j] + 1).min(transposed).min(beyond);
        }
    }
    Some(row[b.len()]).filter(|&distance| distance <= max_distance)
}

#[cfg(test)]
mod tests {
    use super::{distance, edit_distance};
    use proptest::prelude::*;

    /// Optimal string alignment distance by its definition.
    fn plain(a: &[char], b: &[char]) -> usize {
        let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                rows[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => (rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                        .min(rows[i - 1][j] + 1)
                        .min(rows[i][j - 1] + 1),
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    rows[i][j] = rows[i][j].min(rows[i - 2][j - 2] + 1);
                }
            }
        }
        rows[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn bounded_distance_matches_plain_distance(a in "[abé]{0,12}", b in "[abé]{0,12}", max_distance in 0usize..14) {
            let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let expected = plain(&x, &y);
            prop_assert_eq!(edit_distance(&a, &b, max_distance), Some(expected).filter(|&distance| distance <= max_distance));
        }
    }

    #[test]
    fn edit_distance_counts_letters() {
        assert_eq!(edit_distance("renew", "renew", 0), Some(0));
        assert_eq!(edit_distance("renwe", "renew", 1), Some(1), "transposed");
        assert_eq!(edit_distance("enrwe", "renew", 1), None);
        assert_eq!(edit_distance("", "ab", 2), Some(2));
    }

    #[test]
    fn distant_names_are_not_similar() {
        assert_eq!(distance("renw", "session.renew"), Some(1));
        assert_eq!(distance("ession", "session.renew"), Some(3), "contained");
        assert_eq!(distance("renew", "parse_date"), None);
    }
}
