//! Splits a large repository into slices. Directories that fit stay whole, and neighboring
//! directories stay together.
//!
//! A directory with more lines than the limit is split into its own files and the directories
//! below, recursively. The resulting pieces are sorted in tree order, and as many neighbors as fit
//! form a slice. So two consecutive slices never fit into one slice. The files of one directory are
//! never separated: a directory whose own files exceed the limit becomes one oversized slice.
//!
//! **Cost:** one pass over the paths for each level of directories.

use std::ops::Range;
use whichfn_system::error::{Error, Kind, Result};

/// Returns the file numbers of each slice, sorted by path. `files` contains the path and the number
/// of lines of each file, sorted by path.
pub fn slices(files: &[(&str, u64)], limit: u64) -> Vec<Vec<usize>> {
    let mut pieces = Vec::new();
    take_apart(files, 0..files.len(), 0, limit, &mut pieces);
    let (mut slices, mut lines) = (Vec::<Vec<usize>>::new(), 0);
    for piece in pieces {
        let more = lines_of(files, piece.iter().copied());
        match slices.last_mut() {
            Some(slice) if lines + more <= limit => slice.extend(piece),
            _ => {
                slices.push(piece);
                lines = 0;
            }
        }
        lines += more;
    }
    slices.iter_mut().for_each(|slice| slice.sort_unstable());
    slices
}

/// Returns the slices for directories that the user chose. A file belongs to the deepest of these
/// directories that contains it; the files outside them come last. A part that exceeds the limit is
/// split again.
///
/// # Errors
/// Returns an error if one of the directories contains no indexed file.
pub(super) fn asked_slices(files: &[(&str, u64)], directories: &[String], limit: u64) -> Result<Vec<Vec<usize>>> {
    let trimmed = directories.iter().map(|directory| directory.trim_start_matches("./").trim_end_matches('/'));
    let mut parts: Vec<(&str, Vec<usize>)> = trimmed.map(|directory| (directory, Vec::new())).collect();
    let mut rest = Vec::new();
    for (number, (path, _)) in files.iter().enumerate() {
        let holds = |directory: &str| path.strip_prefix(directory).is_some_and(|below| below.starts_with('/'));
        let around = parts.iter_mut().filter(|(directory, _)| holds(directory));
        match around.max_by_key(|(directory, _)| directory.len()) {
            Some((_, part)) => part.push(number),
            None => rest.push(number),
        }
    }
    if let Some((directory, _)) = parts.iter().find(|(_, part)| part.is_empty()) {
        let what = format!("{directory:?} contains no indexed file that is not in another slice");
        return Err(Error::new(
            Kind::Usage,
            what,
            "pass each directory once, relative to the repository's root, such as src/core",
        ));
    }
    let all = parts.into_iter().map(|(_, part)| part).chain([rest]).filter(|part| !part.is_empty());
    let further = |part: Vec<usize>| {
        let own: Vec<_> = part.iter().map(|&number| files[number]).collect();
        let slices = slices(&own, limit).into_iter();
        slices.map(|slice| slice.into_iter().map(|at| part[at]).collect()).collect::<Vec<Vec<usize>>>()
    };
    Ok(all.flat_map(further).collect())
}

fn lines_of(files: &[(&str, u64)], numbers: impl Iterator<Item = usize>) -> u64 {
    numbers.map(|number| files[number].1).sum()
}

/// Adds the pieces of a directory, whose files are in this range and whose path has `prefix` bytes.
fn take_apart(files: &[(&str, u64)], range: Range<usize>, prefix: usize, limit: u64, pieces: &mut Vec<Vec<usize>>) {
    if range.is_empty() {
        return;
    }
    if lines_of(files, range.clone()) <= limit {
        return pieces.push(range.collect());
    }
    let below = |number: usize| files[number].0[prefix..].find('/').map(|at| prefix + at + 1);
    let own: Vec<usize> = range.clone().filter(|&number| below(number).is_none()).collect();
    if !own.is_empty() {
        pieces.push(own);
    }
    let mut at = range.start;
    while at < range.end {
        let Some(end) = below(at) else {
            at += 1;
            continue;
        };
        let directory = &files[at].0[..end];
        // All files of a directory are adjacent, because the paths are sorted.
        let next = at + files[at..range.end].partition_point(|(path, _)| path.starts_with(directory));
        take_apart(files, at..next, end, limit, pieces);
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: [(&str, u64); 6] =
        [("a-b/x.py", 4), ("a.py", 1), ("a/x.py", 3), ("a/y/z.py", 3), ("b/x.py", 2), ("c.py", 1)];

    #[test]
    fn keeps_directories_together_as_far_as_they_fit() {
        assert_eq!(slices(&TREE, 14), [[0, 1, 2, 3, 4, 5]]);
        assert_eq!(slices(&TREE, 8), [vec![0, 1, 5], vec![2, 3, 4]], "own files, a-b; a, b");
        assert_eq!(slices(&TREE, 4), [vec![1, 5], vec![0], vec![2], vec![3], vec![4]]);
        assert_eq!(slices(&TREE, 0).len(), 5, "files of one directory are never parted");
        assert!(slices(&[], 5).is_empty());
    }

    #[test]
    fn requested_slices_leave_a_rest() {
        let requested = |directories: &[&str], limit| {
            let directories: Vec<String> = directories.iter().map(|&directory| directory.to_owned()).collect();
            asked_slices(&TREE, &directories, limit).map_err(|error| error.what().to_owned())
        };
        assert_eq!(requested(&["a/y", "./a/"], 14), Ok(vec![vec![3], vec![2], vec![0, 1, 4, 5]]));
        assert_eq!(requested(&["a"], 5), Ok(vec![vec![2], vec![3], vec![1, 5], vec![0], vec![4]]));
        assert!(requested(&["a", "a"], 14).is_err() && requested(&["x"], 14).is_err() && requested(&[""], 14).is_err());
    }
}
