//! Applies the rules of ignore files as ripgrep does. The rules of a directory apply to everything
//! below it.

use super::git_files::{UserIgnoreFile, unused_file_notice};
use super::ignore_files::{FIRST_GIT_KIND, IgnorePaths, IgnoreTexts, KINDS};
use super::read::content_hash;
use super::rule_text::Unusable;
use super::tracked::{KnownIndex, LazyIndex};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use whichfn_system::error::Error;

/// Maximum total cost of all ignore files in a scan, in bytes of lines with wildcards. Compiling
/// this much takes about two seconds and 300 MB. A part that several files share counts once.
const MAX_COST: usize = 1 << 20;
/// Minimum target length of a part, in lines. Longer ignore files are split into parts.
const PART_LINES: usize = 16;
/// Approximate maximum number of parts per file. Each path is matched against all parts.
const PARTS: usize = 8;
/// Divisor for the cost per byte of a line without wildcards, which needs only a table look-up.
const PLAIN_SHARE: usize = 8;

/// The patterns of one ignore file, in the order of the file. They are split into parts, which
/// several files can share.
type RulePatterns = Vec<Arc<Gitignore>>;

/// The rules of one directory, linked to the rules of its parent.
pub(super) struct Rules {
    by_kind: [RulePatterns; KINDS],
    reach: Reach,
    /// Git's index, if the directory is the top of a repository.
    index: Option<Arc<LazyIndex>>,
    /// True if git's ignore files hide the directory, so that only tracked files are shown.
    only_tracked: bool,
    above: Option<Arc<Rules>>,
}

/// Whether the rules show an entry of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    Hidden,
    Shown,
    /// A directory that git ignores, but that contains tracked files.
    OnlyTracked,
}

/// Determines how a path from the root is converted to a path from the directory of the rules.
enum Reach {
    /// The rules are in this directory, a path from the root; empty for the root.
    Below(PathBuf),
    /// The rules are above the root. This is the path from their directory to the root.
    Above(PathBuf),
    /// The rules are the user's own, which have the lowest precedence.
    Users,
}

impl Rules {
    /// Returns whether the rules show an entry. `path` is the entry's path from the root. A leading
    /// dot hides an entry unless a rule shows it, or `shows_dotted` is set.
    pub fn visibility(&self, path: &Path, name: &OsStr, is_directory: bool, shows_dotted: bool) -> Visibility {
        let is_dotted = !shows_dotted && name.as_encoded_bytes().starts_with(b".");
        let shown = |is_shown: bool| if is_shown { Visibility::Shown } else { Visibility::Hidden };
        let only_tracked = self.is_only_tracked();
        let verdict = |mut kinds: std::ops::Range<usize>| kinds.find_map(|kind| self.verdict(kind, path, is_directory));
        match verdict(0..FIRST_GIT_KIND) {
            Some(is_hidden) if is_hidden || !only_tracked => return shown(!is_hidden),
            _ => {}
        }
        match verdict(FIRST_GIT_KIND..KINDS).or_else(|| self.user_verdict(path, is_directory)) {
            _ if only_tracked => {}
            Some(true) => {}
            Some(false) => return Visibility::Shown,
            None => return shown(!is_dotted),
        }
        if is_dotted { Visibility::Hidden } else { self.tracked(path, is_directory) }
    }

    /// Returns whether git shows an entry that its ignore files hide.
    fn tracked(&self, path: &Path, is_directory: bool) -> Visibility {
        let repository = self.self_and_above().find_map(|rules| Some((rules.index.as_deref()?, &rules.reach)));
        let Some((index, reach)) = repository else { return Visibility::Hidden };
        let path = match reach {
            Reach::Below(directory) => path.strip_prefix(directory).unwrap_or(path).to_owned(),
            Reach::Above(tail) => tail.join(path),
            Reach::Users => return Visibility::Hidden,
        };
        match index.tracked() {
            // A directory that is tracked itself is a submodule.
            tracked if tracked.contains(&path) => Visibility::Shown,
            tracked if is_directory && tracked.any_below(&path) => Visibility::OnlyTracked,
            _ => Visibility::Hidden,
        }
    }

    /// Returns the rules for a directory that git ignores, but that contains tracked files.
    pub fn for_tracked(self: &Arc<Self>, directory: &Path) -> Arc<Self> {
        let (by_kind, reach) = ([const { RulePatterns::new() }; KINDS], Reach::Below(directory.to_owned()));
        Arc::new(Self { by_kind, reach, index: None, only_tracked: true, above: Some(self.clone()) })
    }

    /// Checks whether only tracked files are shown. This does not apply inside a repository in the
    /// directory, such as a submodule.
    fn is_only_tracked(&self) -> bool {
        let own = self.self_and_above().find(|rules| rules.only_tracked || rules.index.is_some());
        own.is_some_and(|rules| rules.only_tracked)
    }

    fn self_and_above(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |rules| rules.above.as_deref())
    }

    /// Returns whether the closest matching rule of a kind hides the entry, or `None` if no rule
    /// matches.
    fn verdict(&self, kind: usize, path: &Path, is_directory: bool) -> Option<bool> {
        self.self_and_above().find_map(|rules| {
            let patterns = &rules.by_kind[kind];
            match &rules.reach {
                Reach::Below(directory) => is_ignored(patterns, path.strip_prefix(directory).ok()?, is_directory),
                Reach::Above(tail) => is_ignored(patterns, &tail.join(path), is_directory),
                Reach::Users => None,
            }
        })
    }

    fn user_verdict(&self, path: &Path, is_directory: bool) -> Option<bool> {
        let user_rules = self.self_and_above().find(|rules| matches!(rules.reach, Reach::Users))?;
        is_ignored(&user_rules.by_kind[0], path, is_directory)
    }
}

/// Returns whether the last matching pattern hides the path, or `None` if no pattern matches.
fn is_ignored(patterns: &RulePatterns, path: &Path, is_directory: bool) -> Option<bool> {
    patterns.iter().rev().find_map(|part| match part.matched(path, is_directory) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    })
}

/// Builds rules from ignore files, and compiles each distinct part of a file once.
#[derive(Default)]
pub(super) struct RuleBuilder {
    compiled: Mutex<FxHashMap<u128, Option<Arc<Gitignore>>>>,
    indexes: Mutex<Vec<Arc<LazyIndex>>>,
}

impl RuleBuilder {
    /// Returns the rules for the entries of `directory`, a path from the root.
    pub fn for_directory(
        &self,
        above: &Arc<Rules>,
        directory: &Path,
        paths: &IgnorePaths,
        texts: &IgnoreTexts,
    ) -> Result<Arc<Rules>, Unusable> {
        if texts.iter().all(Option::is_none) && paths.git_index.is_none() {
            return Ok(above.clone());
        }
        let reach = Reach::Below(directory.to_owned());
        let (by_kind, index) = (self.compile_all(paths, texts)?, self.index(paths));
        Ok(Arc::new(Rules { by_kind, reach, index, only_tracked: false, above: Some(above.clone()) }))
    }

    /// Returns the rules above a root with the user's own, and the notices about the user's files.
    pub fn for_root(&self, root: &Path, budget: &mut RuleBudget) -> Result<(Arc<Rules>, Vec<String>), Unusable> {
        let UserIgnoreFile { path, text, mut notices } = UserIgnoreFile::find()?;
        let paths = IgnorePaths { files: [path, None, None, None], ..IgnorePaths::default() };
        let texts = [text, None, None, None];
        let by_kind = match budget.charge(&paths, &texts).and_then(|()| self.compile_all(&paths, &texts)) {
            Err(Unusable::Invalid(file)) => {
                notices.push(unused_file_notice(&file));
                Default::default()
            }
            patterns => patterns?,
        };
        let mut rules = Rules { by_kind, reach: Reach::Users, index: None, only_tracked: false, above: None };
        for directory in root.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
            let paths = IgnorePaths::find(directory, None, |_| true)?;
            let texts = paths.texts(None)?;
            budget.charge(&paths, &texts)?;
            if texts.iter().any(Option::is_some) || paths.git_index.is_some() {
                let tail = root.strip_prefix(directory).unwrap_or(Path::new("")).to_owned();
                let (by_kind, index, above) = (self.compile_all(&paths, &texts)?, self.index(&paths), Arc::new(rules));
                rules = Rules { by_kind, reach: Reach::Above(tail), index, only_tracked: false, above: Some(above) };
            }
        }
        Ok((Arc::new(rules), notices))
    }

    fn index(&self, paths: &IgnorePaths) -> Option<Arc<LazyIndex>> {
        let index = Arc::new(LazyIndex::new(paths.git_index.clone()?));
        self.indexes.lock().unwrap_or_else(PoisonError::into_inner).push(index.clone());
        Some(index)
    }

    /// Returns the indexes that were read, sorted by path.
    pub fn known_indexes(&self) -> Result<Vec<KnownIndex>, Error> {
        let indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        let known: Result<Vec<_>, Error> = indexes.iter().map(|index| index.known()).collect();
        let mut known: Vec<KnownIndex> = known?.into_iter().flatten().collect();
        known.sort_by(|a, b| a.file.path().cmp(b.file.path()));
        Ok(known)
    }

    fn compile_all(&self, paths: &IgnorePaths, texts: &IgnoreTexts) -> Result<[RulePatterns; KINDS], Unusable> {
        let mut by_kind = [const { RulePatterns::new() }; KINDS];
        for ((patterns, text), path) in by_kind.iter_mut().zip(texts).zip(&paths.files) {
            let Some(text) = text else { continue };
            let unusable = || Unusable::Invalid(path.clone().unwrap_or_default());
            *patterns =
                parts(text).iter().map(|part| self.compile(part)).collect::<Option<_>>().ok_or_else(unusable)?;
        }
        Ok(by_kind)
    }

    /// Returns the compiled patterns of a part, or `None` if they are too large to compile.
    fn compile(&self, part: &RulePart<'_>) -> Option<Arc<Gitignore>> {
        let hash = part.hash();
        let compiled = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(patterns) = compiled().get(&hash).cloned() {
            return patterns;
        }
        // The root is empty because paths are relative to the directory of the text.
        let mut builder = GitignoreBuilder::new("");
        for &line in &part.lines {
            // An invalid pattern hides nothing, as in git.
            let _ = builder.add_line(None, line);
        }
        let patterns = builder.build().ok().map(Arc::new);
        compiled().insert(hash, patterns.clone());
        patterns
    }
}

/// Part of an ignore file: some consecutive lines.
#[derive(Debug, Default, PartialEq)]
struct RulePart<'a> {
    lines: Vec<&'a str>,
}

impl RulePart<'_> {
    fn hash(&self) -> u128 {
        content_hash(self.lines.join("\n").as_bytes())
    }

    /// Returns the cost of compiling the part, in bytes of lines with wildcards.
    fn cost(&self) -> usize {
        let is_wild = |byte: u8| b"*?[{\\".contains(&byte);
        let line_cost = |line: &str| match line.strip_prefix('*').unwrap_or(line).bytes().any(is_wild) {
            true => line.len(),
            false => line.len() / PLAIN_SHARE,
        };
        self.lines.iter().map(|line| line_cost(line) + 1).sum()
    }
}

/// Returns the lines of an ignore file that contain a pattern, without the byte order mark. It
/// omits lines that are not UTF-8, because they match no path text.
fn lines(text: &[u8]) -> Vec<&str> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter(|line| !line.starts_with('#') && !line.trim_end().is_empty()).collect()
}

/// Splits an ignore file into parts.
///
/// The content of a line decides whether a part ends after that line. So two files that differ in
/// one line share all parts except about one, and compiling the second file costs only that part.
/// Each part has a minimum number of lines, which limits the number of parts even in a malicious
/// file.
fn parts(text: &[u8]) -> Vec<RulePart<'_>> {
    let lines = lines(text);
    let part_length = (lines.len() / PARTS).next_power_of_two().max(PART_LINES);
    let mut parts: Vec<RulePart<'_>> = Vec::new();
    let mut part = RulePart::default();
    for line in lines {
        part.lines.push(line);
        let is_end = content_hash(line.as_bytes()).is_multiple_of(part_length as u128);
        if is_end && part.lines.len() >= part_length / 4 {
            parts.push(std::mem::take(&mut part));
        }
    }
    if !part.lines.is_empty() {
        parts.push(part);
    }
    parts
}

/// The cost of the ignore files read so far, to enforce the limit.
#[derive(Default)]
pub(super) struct RuleBudget {
    spent: usize,
    seen: FxHashSet<u128>,
}

impl RuleBudget {
    /// Adds the cost of a directory's ignore files, and counts each distinct part once.
    ///
    /// # Errors
    /// Returns an error, and counts nothing, if the files exceed the remaining budget.
    pub fn charge(&mut self, paths: &IgnorePaths, texts: &IgnoreTexts) -> Result<(), Unusable> {
        let (mut new, mut cost) = (FxHashSet::default(), 0);
        for (text, path) in texts.iter().zip(&paths.files) {
            for part in text.iter().flat_map(|text| parts(text)) {
                let hash = part.hash();
                if self.seen.contains(&hash) || !new.insert(hash) {
                    continue;
                }
                cost += part.cost();
                if self.spent + cost > MAX_COST {
                    return Err(Unusable::Invalid(path.clone().unwrap_or_default()));
                }
            }
        }
        self.spent += cost;
        self.seen.extend(new);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &[u8]) -> usize {
        parts(text).iter().map(RulePart::cost).sum()
    }

    /// Returns a string with the given number of different lines with wildcards.
    fn wild(letter: &str, lines: usize) -> String {
        (0..lines).map(|line| format!("*{letter}*{line:05}\n")).collect()
    }

    #[test]
    fn charges_equal_parts_once_and_enforces_the_limit() {
        let paths = IgnorePaths { files: [Some("a".into()), Some("b".into()), None, None], ..IgnorePaths::default() };
        let text = |letter: &str, lines: usize| Some(wild(letter, lines).into_bytes());
        let mut budget = RuleBudget::default();
        assert!(budget.charge(&paths, &[text("a", 90_000), text("a", 90_000), None, None]).is_ok());
        let over = budget.charge(&paths, &[text("x", 10), text("y", 90_000), None, None]);
        assert!(matches!(over, Err(Unusable::Invalid(path)) if path == Path::new("b")));
        assert!(budget.charge(&paths, &[text("z", 1000), None, None, None]).is_ok());
        assert!(cost(b"build/\n*.o\n# a comment\n") < 10);
    }

    #[test]
    fn changing_one_line_costs_only_one_part() {
        let paths = IgnorePaths { files: [Some("a".into()), None, None, None], ..IgnorePaths::default() };
        let text = wild("a", 100);
        let mut budget = RuleBudget::default();
        for line in 0..100 {
            let other = text.replace(&format!("*a*{line:05}\n"), &format!("*b*{line:05}\n"));
            assert!(budget.charge(&paths, &[Some(other.into_bytes()), None, None, None]).is_ok());
        }
        assert!(budget.spent < 50 * text.len(), "{} for 100 files of {}", budget.spent, text.len());
    }

    #[test]
    fn parts_contain_all_lines_and_are_few() {
        let text = wild("a", 5_000);
        let found = parts(text.as_bytes());
        assert!((2..=40).contains(&found.len()), "{}", found.len());
        assert_eq!(found.iter().flat_map(|part| part.lines.clone()).collect::<Vec<_>>(), lines(text.as_bytes()));
        let same = "*.a*b\n".repeat(5_000);
        assert!(parts(same.as_bytes()).len() <= 40);
        assert_eq!(parts(b"# nothing\n\n"), []);
    }

    #[test]
    fn last_matching_pattern_wins_across_parts() {
        let text = format!("*.a*b\n{}!x.a*b\n{}", wild("q", 200), wild("w", 200));
        let paths = IgnorePaths { files: [Some("a".into()), None, None, None], ..IgnorePaths::default() };
        let by_kind =
            RuleBuilder::default().compile_all(&paths, &[Some(text.into_bytes()), None, None, None]).expect("rules");
        assert!(by_kind[0].len() > 1);
        assert_eq!(is_ignored(&by_kind[0], Path::new("y.a.b"), false), Some(true));
        assert_eq!(is_ignored(&by_kind[0], Path::new("x.a.b"), false), Some(false));
        assert_eq!(is_ignored(&by_kind[0], Path::new("x.n"), false), None);
    }
}
