//! Applies the rules of ignore files as ripgrep does: the rules of a directory apply to everything
//! below it.

use super::git_files::{UserIgnoreFile, unused_file_notice};
use super::ignore_files::{IgnorePaths, IgnoreTexts, KINDS};
use super::read::content_hash;
use super::rule_text::Unusable;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The cost that all ignore files of a scan may have together, in bytes of lines with wildcards.
/// Compiling so much takes about two seconds and 300 MB. Parts that several files share count once.
const MAX_COST: usize = 1 << 20;
/// Files with more lines are split into parts, of about this many lines and more.
const PART_LINES: usize = 16;
/// A file has about this many parts at most, since each path is matched against all of them.
const PARTS: usize = 8;
/// A line without wildcards is looked up in a table, so it costs this much less a byte.
const PLAIN_SHARE: usize = 8;

/// The patterns of one ignore file, in parts that files share, in the order of the file.
type RulePatterns = Vec<Arc<Gitignore>>;

/// The rules of one directory, and those above it.
pub(super) struct Rules {
    by_kind: [RulePatterns; KINDS],
    reach: Reach,
    above: Option<Arc<Rules>>,
}

/// The conversion of a path from the root to a path from the directory of the rules.
enum Reach {
    /// The rules are in this directory below the root; empty for the root.
    Below(PathBuf),
    /// The rules are above the root, whose path from there is this.
    Above(PathBuf),
    /// The user's own rules, which have the lowest precedence.
    Users,
}

impl Rules {
    /// Checks whether an entry is hidden. `path` is its path from the root.
    pub fn hides(&self, path: &Path, name: &OsStr, is_directory: bool) -> bool {
        let verdict = (0..KINDS).find_map(|kind| self.verdict(kind, path, is_directory));
        let verdict = verdict.or_else(|| self.user_verdict(path, is_directory));
        verdict.unwrap_or_else(|| name.as_encoded_bytes().starts_with(b"."))
    }

    fn self_and_above(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |rules| rules.above.as_deref())
    }

    /// Returns whether the closest rule of a kind hides the entry; `None` if no rule matches.
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

/// Returns whether the last pattern that matches hides the path; none if no pattern matches.
fn is_ignored(patterns: &RulePatterns, path: &Path, is_directory: bool) -> Option<bool> {
    patterns.iter().rev().find_map(|part| match part.matched(path, is_directory) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    })
}

/// Makes rules, and compiles each part of a text once.
#[derive(Default)]
pub(super) struct RuleBuilder {
    compiled: Mutex<FxHashMap<u128, Option<Arc<Gitignore>>>>,
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
        if texts.iter().all(Option::is_none) {
            return Ok(above.clone());
        }
        let reach = Reach::Below(directory.to_owned());
        let by_kind = self.compile_all(paths, texts)?;
        Ok(Arc::new(Rules { by_kind, reach, above: Some(above.clone()) }))
    }

    /// Returns the rules above a root and the user's own, with the notices on the user's files.
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
        let mut rules = Rules { by_kind, reach: Reach::Users, above: None };
        for directory in root.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
            let paths = IgnorePaths::find(directory, None, |_| true)?;
            let texts = paths.texts(None)?;
            budget.charge(&paths, &texts)?;
            if texts.iter().any(Option::is_some) {
                let tail = root.strip_prefix(directory).unwrap_or(Path::new("")).to_owned();
                let by_kind = self.compile_all(&paths, &texts)?;
                rules = Rules { by_kind, reach: Reach::Above(tail), above: Some(Arc::new(rules)) };
            }
        }
        Ok((Arc::new(rules), notices))
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

    /// Returns the patterns of a part of a text; none if they are too large to compile.
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

/// Consecutive lines of an ignore file.
#[derive(Debug, Default, PartialEq)]
struct RulePart<'a> {
    lines: Vec<&'a str>,
}

impl RulePart<'_> {
    fn hash(&self) -> u128 {
        content_hash(self.lines.join("\n").as_bytes())
    }

    /// Returns what it costs to compile.
    fn cost(&self) -> usize {
        let is_wild = |byte: u8| b"*?[{\\".contains(&byte);
        let line_cost = |line: &str| match line.strip_prefix('*').unwrap_or(line).bytes().any(is_wild) {
            true => line.len(),
            false => line.len() / PLAIN_SHARE,
        };
        self.lines.iter().map(|line| line_cost(line) + 1).sum()
    }
}

/// Returns the lines of an ignore file with a pattern, without a byte order mark. Omits lines that
/// are not UTF-8: they match no path of ours.
fn lines(text: &[u8]) -> Vec<&str> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter(|line| !line.starts_with('#') && !line.trim_end().is_empty()).collect()
}

/// Splits an ignore file into parts.
///
/// The content of a line decides whether a part ends after it. So two files that differ in one line
/// have all parts but about one in common, and compiling the second file costs only that part. A
/// part has a minimum of lines, which bounds the number of parts even of a file made on purpose.
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

/// The cost of ignore files so far.
#[derive(Default)]
pub(super) struct RuleBudget {
    spent: usize,
    seen: FxHashSet<u128>,
}

impl RuleBudget {
    /// Counts the texts of a directory, each part of a text once.
    ///
    /// # Errors
    /// Returns an error, and counts nothing, if they cost more than the rest of the budget.
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

    /// A text of so many different lines with wildcards.
    fn wild(letter: &str, lines: usize) -> String {
        (0..lines).map(|line| format!("*{letter}*{line:05}\n")).collect()
    }

    #[test]
    fn charges_equal_parts_once_and_enforces_the_limit() {
        let paths = IgnorePaths { files: [Some("a".into()), Some("b".into()), None, None], pointer_files: Vec::new() };
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
        let paths = IgnorePaths { files: [Some("a".into()), None, None, None], pointer_files: Vec::new() };
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
        let paths = IgnorePaths { files: [Some("a".into()), None, None, None], pointer_files: Vec::new() };
        let by_kind =
            RuleBuilder::default().compile_all(&paths, &[Some(text.into_bytes()), None, None, None]).expect("rules");
        assert!(by_kind[0].len() > 1);
        assert_eq!(is_ignored(&by_kind[0], Path::new("y.a.b"), false), Some(true));
        assert_eq!(is_ignored(&by_kind[0], Path::new("x.a.b"), false), Some(false));
        assert_eq!(is_ignored(&by_kind[0], Path::new("x.n"), false), None);
    }
}
