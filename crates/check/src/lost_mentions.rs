//! Finds the files that contain lost names.

use super::lost_name::LostName;
use super::names::words_in;
use super::sides::Sides;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use whichfn_search::answer::NameWords;
use whichfn_syntax::ids::FileId;
use whichfn_text::occurrences;

/// Maximum number of names that are searched for one by one.
const FEW_NAMES: usize = 24;

/// A file that contains lost names, with these names.
pub(super) type Mention<'s> = (FileId, Vec<&'s str>);

/// Returns the files that contain lost names or the names of their types, with these names.
pub(super) fn mentions<'s>(sides: &Sides<'_>, lost: &[LostName<'s>], files: &[FileId]) -> Vec<Mention<'s>> {
    let names = lost.iter().flat_map(|one| std::iter::once(one.name).chain(one.owner));
    names.collect::<WordIndex<'_>>().files_with(sides, files)
}

/// Names by their first words, to find them in one pass over a text.
#[derive(Default)]
struct WordIndex<'n>(FxHashMap<&'n str, Vec<&'n str>>);

impl<'n> FromIterator<&'n str> for WordIndex<'n> {
    fn from_iter<T: IntoIterator<Item = &'n str>>(names: T) -> Self {
        let mut by_word = FxHashMap::<_, Vec<&str>>::default();
        for name in names {
            let first = words_in(name).next().map_or("", |word| &name[word]);
            let all = by_word.entry(first).or_default();
            if !all.contains(&name) {
                all.push(name);
            }
        }
        Self(by_word)
    }
}

impl<'n> WordIndex<'n> {
    /// Returns the files that contain any of the names, with these names.
    fn files_with(&self, sides: &Sides<'_>, files: &[FileId]) -> Vec<(FileId, Vec<&'n str>)> {
        // Searching for a few names is faster than reading all words.
        let is_few = self.0.len() <= FEW_NAMES;
        let few = self.0.values().flatten().filter(|_| is_few);
        let few: Vec<(&str, NameWords)> = few.map(|&name| (name, NameWords::new(name))).collect();
        let names_in = |&file: &FileId| {
            let may_be_in = few.iter().filter(|(_, words)| words.may_be_in(sides.graph, file));
            let mut found: Vec<&str> = may_be_in.map(|&(name, _)| name).collect();
            if is_few && found.is_empty() {
                return None;
            }
            let text = sides.sources().text(file);
            if !is_few {
                words_in(&text).for_each(|word| found.extend(self.0.get(&text[word]).into_iter().flatten()));
            }
            found.sort_unstable();
            found.dedup();
            found.retain(|name| occurrences(&text, name).next().is_some());
            (!found.is_empty()).then_some((file, found))
        };
        if self.0.is_empty() { Vec::new() } else { files.par_iter().filter_map(names_in).collect() }
    }
}
