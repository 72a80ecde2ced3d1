//! Applies the rules of ignore files as ripgrep does: the rules of a directory apply to everything
//! below it.

use super::git_files::users_excludes;
use super::ignore_files::{IgnorePlaces, IgnoreTexts, KINDS};
use super::read::content_hash;
use super::rule_text::Unusable;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum total cost of all ignore files of a scan, in bytes of text with wildcards. Compiling
/// this much takes about a second and 150 MB. A single file of half the size is already too large
/// to compile.
const MOST: usize = 512 << 10;
/// Divisor of the cost per byte for lines without wildcards, which are looked up in a table.
const PLAIN_SHARE: usize = 8;

/// The rules of one directory, and those above it.
pub(super) struct Rules {
    by_kind: [Option<Arc<Gitignore>>; KINDS],
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
    pub fn hide(&self, path: &Path, name: &OsStr, is_directory: bool) -> bool {
        let verdict = (0..KINDS).find_map(|kind| self.verdict(kind, path, is_directory));
        let verdict = verdict.or_else(|| self.users_verdict(path, is_directory));
        verdict.unwrap_or_else(|| name.as_encoded_bytes().starts_with(b"."))
    }

    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |rules| rules.above.as_deref())
    }

    /// Returns whether the closest rule of a kind hides the entry; `None` if no rule matches.
    fn verdict(&self, kind: usize, path: &Path, is_directory: bool) -> Option<bool> {
        self.chain().find_map(|rules| {
            let matcher = rules.by_kind[kind].as_deref()?;
            match &rules.reach {
                Reach::Below(directory) => said(matcher, path.strip_prefix(directory).ok()?, is_directory),
                Reach::Above(tail) => said(matcher, &tail.join(path), is_directory),
                Reach::Users => None,
            }
        })
    }

    fn users_verdict(&self, path: &Path, is_directory: bool) -> Option<bool> {
        let users = self.chain().find(|rules| matches!(rules.reach, Reach::Users))?;
        said(users.by_kind[0].as_deref()?, path, is_directory)
    }
}

fn said(matcher: &Gitignore, path: &Path, is_directory: bool) -> Option<bool> {
    match matcher.matched(path, is_directory) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

/// Creates rules, and compiles each text once.
#[derive(Default)]
pub(super) struct RuleMaker {
    compiled: Mutex<FxHashMap<u128, Option<Arc<Gitignore>>>>,
}

impl RuleMaker {
    /// Returns the rules for the entries of `directory`, a path from the root.
    pub fn inside(
        &self,
        above: &Arc<Rules>,
        directory: &Path,
        places: &IgnorePlaces,
        texts: &IgnoreTexts,
    ) -> Result<Arc<Rules>, Unusable> {
        if texts.iter().all(Option::is_none) {
            return Ok(above.clone());
        }
        let reach = Reach::Below(directory.to_owned());
        Ok(Arc::new(Rules { by_kind: self.all(places, texts)?, reach, above: Some(above.clone()) }))
    }

    /// Returns the rules above a root, and the user's own.
    pub fn around(&self, root: &Path, budget: &mut RuleBudget) -> Result<Arc<Rules>, Unusable> {
        let users = IgnorePlaces { files: [users_excludes()?, None, None, None], ..IgnorePlaces::default() };
        let texts = users.texts()?;
        budget.charge(&users, &texts)?;
        let mut rules = Rules { by_kind: self.all(&users, &texts)?, reach: Reach::Users, above: None };
        for directory in root.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
            let places = IgnorePlaces::of(directory, |_| true)?;
            let texts = places.texts()?;
            budget.charge(&places, &texts)?;
            if texts.iter().any(Option::is_some) {
                let tail = root.strip_prefix(directory).unwrap_or(Path::new("")).to_owned();
                let by_kind = self.all(&places, &texts)?;
                rules = Rules { by_kind, reach: Reach::Above(tail), above: Some(Arc::new(rules)) };
            }
        }
        Ok(Arc::new(rules))
    }

    fn all(&self, places: &IgnorePlaces, texts: &IgnoreTexts) -> Result<[Option<Arc<Gitignore>>; KINDS], Unusable> {
        let mut by_kind = [const { None }; KINDS];
        for ((matcher, text), place) in by_kind.iter_mut().zip(texts).zip(&places.files) {
            let Some(text) = text else { continue };
            let odd = || Unusable::Odd(place.clone().unwrap_or_default());
            *matcher = Some(self.compile(text).ok_or_else(odd)?).filter(|matcher| !matcher.is_empty());
        }
        Ok(by_kind)
    }

    /// Returns the rules of a text; `None` if they are too large to compile.
    fn compile(&self, text: &[u8]) -> Option<Arc<Gitignore>> {
        let hash = content_hash(text);
        let known = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(done) = known().get(&hash).cloned() {
            return done;
        }
        // The root is empty because paths are relative to the directory of the text.
        let mut builder = GitignoreBuilder::new("");
        for line in lines(text) {
            // An invalid pattern hides nothing, as in git.
            let _ = builder.add_line(None, line);
        }
        let done = builder.build().ok().map(Arc::new);
        known().insert(hash, done.clone());
        done
    }
}

/// Returns the lines of an ignore file, without a byte order mark. Lines that are not UTF-8 are
/// skipped, because they match no path of the index.
fn lines(text: &[u8]) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    text.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok())
}

/// The cost of ignore files so far.
#[derive(Default)]
pub(super) struct RuleBudget {
    spent: usize,
    seen: FxHashSet<u128>,
}

impl RuleBudget {
    /// Counts the texts of a directory, each distinct content once.
    ///
    /// # Errors
    /// Returns an error, and counts nothing, if they cost more than the rest of the budget.
    pub fn charge(&mut self, places: &IgnorePlaces, texts: &IgnoreTexts) -> Result<(), Unusable> {
        let mut new = Vec::new();
        for (text, place) in texts.iter().zip(&places.files) {
            let Some(text) = text else { continue };
            let hash = content_hash(text);
            if self.seen.contains(&hash) || new.iter().any(|&(known, _)| known == hash) {
                continue;
            }
            new.push((hash, cost(text)));
            if self.spent + new.iter().map(|&(_, cost)| cost).sum::<usize>() > MOST {
                return Err(Unusable::Odd(place.clone().unwrap_or_default()));
            }
        }
        self.spent += new.iter().map(|&(_, cost)| cost).sum::<usize>();
        self.seen.extend(new.iter().map(|&(hash, _)| hash));
        Ok(())
    }
}

/// Returns the cost of compiling a text.
fn cost(text: &[u8]) -> usize {
    let is_wild = |byte: &u8| b"*?[{\\".contains(byte);
    let line_cost = |line: &[u8]| match line.strip_prefix(b"*").unwrap_or(line).iter().any(is_wild) {
        true => line.len(),
        false => line.len() / PLAIN_SHARE,
    };
    text.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#")).map(|line| line_cost(line) + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_count_once_and_the_rest_up_to_a_limit() {
        let places = IgnorePlaces { files: [Some("a".into()), Some("b".into()), None, None], leads: Vec::new() };
        let wild = |letter: &str, bytes: usize| Some(format!("*{letter}*{letter}\n").repeat(bytes / 5).into_bytes());
        let mut budget = RuleBudget::default();
        assert!(budget.charge(&places, &[wild("a", 400_000), wild("a", 400_000), None, None]).is_ok());
        let over = budget.charge(&places, &[wild("x", 10), wild("y", 400_000), None, None]);
        assert!(matches!(over, Err(Unusable::Odd(place)) if place == Path::new("b")));
        assert!(budget.charge(&places, &[wild("z", 1000), None, None, None]).is_ok());
        assert!(cost(b"build/\n*.o\n# a comment\n") < 10);
    }
}
