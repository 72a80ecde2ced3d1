//! Collapses near-duplicates among ranked definitions: a definition is listed under an earlier
//! definition that it repeats.
//!
//! Two definitions with the same name, kind and language are near-duplicates if one of these
//! conditions is true:
//! - They are overloads with one parent, and one of them has no body (`@overload`, a TypeScript
//!   signature). The overload with the body represents both, with the better of the two scores.
//! - They have the same number of parameters and the same qualified name, and the paths of their
//!   files differ only in words for operating systems and processors
//!   (`crates/text/src/platforms.txt`: `unix/tcp.c` and `win/tcp.c`).
//! - Both have bodies, nearly all words of their parameters, bodies and strings are the same, and
//!   so are the words of the types around them (`Runs.cancel` and `AsyncRuns.cancel`). The same
//!   words in different types are not a copy: a trait's method and its implementation,
//!   `Threads.delete` and `Assistants.delete`.
//!
//! A copy in a folder outside the program (`dist/`, `vendor/`) does not represent a group that has
//! another copy.
//!
//! **Cost:** one lookup of the name if no other hit has that name; otherwise, the packed words of a
//! file are also read.
//!
//! **Alternatives:** comparing the text itself. The words are already available, and spelling,
//! order and comments of a copy may differ.

use crate::search::{Hit, is_vendored_path};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::{WordId, WordLists};
use whichfn_syntax::ids::{DefinitionId, MemberId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;
use whichfn_text::{split_identifier, without_platform};

/// Number of hits examined per wanted result. With fewer hits, a page of overloads would leave
/// nothing else to show.
pub const LOOK_AHEAD: usize = 3;
/// Minimum share of words that near-duplicates have in common. In the openai package, the sync and
/// async variants of a call share 0.90 or more, and the `Files.delete` methods of two resources
/// share 0.88.
const SAME_WORDS: f64 = 0.9;
/// Minimum share of words that the names of the enclosing types have in common: `Runs` and
/// `AsyncRuns` share 0.5, `AsyncRuns` and `AsyncSteps` share 0.33.
const SAME_TYPE_WORDS: f64 = 0.5;
/// Minimum number of words that near-duplicates in different types have in common. In
/// `return self.name`, the type is more characteristic than the body.
const MIN_WORDS: usize = 8;

/// A definition in one of the indexes that were ranked together.
pub type MemberDefinition = (MemberId, DefinitionId);

/// A hit with its near-duplicates.
#[derive(Debug, Clone)]
pub struct HitGroup {
    /// Hit that represents the group, with the best score.
    pub head: Hit,
    /// Other definitions in the group, by rank.
    pub duplicates: Vec<MemberDefinition>,
}

impl HitGroup {
    /// Replaces the head by a better representative. The group keeps its score.
    fn replace_head(&mut self, hit: Hit) {
        self.duplicates.insert(0, (self.head.member, self.head.definition));
        (self.head.member, self.head.definition) = (hit.member, hit.definition);
        (self.head.file, self.head.term_scores) = (hit.file, hit.term_scores);
    }
}

/// Properties of a definition that decide whether it repeats another one, except for the words of
/// its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateKey {
    name: String,
    qualified_name: String,
    path: String,
    language: Option<u16>,
    kind: DefinitionKind,
    parameters: u8,
    /// Number of words in the body, including repetitions.
    body: u16,
    parent: DefinitionId,
}

impl DuplicateKey {
    /// Creates the key of a definition.
    pub fn new(graph: &GraphFile, id: DefinitionId) -> Self {
        let row = graph.definition(id);
        Self {
            name: graph.name(id).to_owned(),
            qualified_name: graph.qualified_name(id).to_owned(),
            path: graph.path(row.file).to_owned(),
            language: graph.language(row.file),
            kind: row.kind(),
            parameters: row.parameters(),
            body: graph.lengths(id)[Field::Body as usize],
            parent: row.parent,
        }
    }
}

/// Returns the words of a definition's text for the comparison in [`collapse`].
pub fn words_of(graph: &GraphFile, id: DefinitionId) -> WordLists {
    let index = graph.local(id).index();
    WordLists::read(graph.words(graph.definition(id).file), &[index]).pop().unwrap_or_default()
}

/// How well a definition represents its near-duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// It has no body.
    Declaration,
    /// It is in a folder outside the program.
    OutsideCopy,
    /// It is part of the program.
    Own,
}

/// Group heads, each with the index of its group, indexed by name and language.
type Heads<'a> = FxHashMap<(&'a str, Option<u16>), Vec<(usize, ComparedDefinition<'a>)>>;

/// Collapses ranked hits into at most `most` groups.
///
/// Stops at the first hit that would start another group. `words` returns the words of a
/// definition's text and is called only if another hit has the same name.
pub fn collapse(
    hits: Vec<Hit>,
    key: impl Fn(&Hit) -> DuplicateKey,
    words: &dyn Fn(MemberDefinition) -> WordLists,
    most: usize,
) -> Vec<HitGroup> {
    let all: Vec<DuplicateKey> = hits.iter().map(key).collect();
    let mut groups: Vec<HitGroup> = Vec::new();
    // For each group, how well its head represents it.
    let mut grades: Vec<Grade> = Vec::new();
    let mut heads = Heads::default();
    for (hit, key) in hits.into_iter().zip(&all) {
        let id = (hit.member, hit.definition);
        let compared = ComparedDefinition { key, id, words_of: words, words: OnceCell::new() };
        let candidates = heads.entry((&key.name, key.language)).or_default();
        match candidates.iter().find(|(_, head)| head.is_duplicate_of(&compared)) {
            Some(&(group, _)) if key.grade() > grades[group] => {
                grades[group] = key.grade();
                groups[group].replace_head(hit);
            }
            Some(&(group, _)) => groups[group].duplicates.push(id),
            None if groups.len() == most => break,
            None => {
                candidates.push((groups.len(), compared));
                grades.push(key.grade());
                groups.push(HitGroup { head: hit, duplicates: Vec::new() });
            }
        }
    }
    groups
}

/// Returns each hit as a separate group.
pub fn ungrouped(hits: Vec<Hit>) -> Vec<HitGroup> {
    hits.into_iter().map(|head| HitGroup { head, duplicates: Vec::new() }).collect()
}

/// A definition to compare with other definitions that share its name. Its words are read on
/// demand.
struct ComparedDefinition<'a> {
    key: &'a DuplicateKey,
    id: MemberDefinition,
    words_of: &'a dyn Fn(MemberDefinition) -> WordLists,
    words: OnceCell<WordLists>,
}

impl ComparedDefinition<'_> {
    /// Checks whether one definition repeats another with the same name and language.
    fn is_duplicate_of(&self, other: &Self) -> bool {
        let (own, others) = (self.key, other.key);
        if own.name.is_empty() || own.kind != others.kind {
            return false;
        }
        // Routes with the same name in their files differ if other files add different prefixes.
        if own.kind.is_registered() && own.qualified_name != others.qualified_name {
            return false;
        }
        if own.body == 0 || others.body == 0 {
            return own.parent == others.parent && self.id.0 == other.id.0;
        }
        if own.parameters == others.parameters && own.is_for_another_platform(others) {
            return true;
        }
        let (scope, others_scope) = (own.scope(), others.scope());
        let min_words = if scope == others_scope { 1 } else { MIN_WORDS };
        let (body, others_body) = (usize::from(own.body), usize::from(others.body));
        // The table does not contain every word, so two different strings can have equal lists.
        // Their lengths may reveal the difference.
        share(body.min(others_body), body.max(others_body)) >= SAME_WORDS
            && self.has_similar_words(other, min_words)
            && common_name_words(scope, others_scope) >= SAME_TYPE_WORDS
    }

    fn has_similar_words(&self, other: &Self, min_words: usize) -> bool {
        let (a, b) = (self.words(), other.words());
        let fields = [(&a.parameters, &b.parameters), (&a.body, &b.body), (&a.strings, &b.strings)];
        let common: usize = fields.iter().map(|(a, b)| common(a, b)).sum();
        let all = fields.iter().map(|(a, b)| a.len() + b.len()).sum::<usize>() - common;
        common >= min_words && share(common, all) >= SAME_WORDS
    }

    fn words(&self) -> &WordLists {
        self.words.get_or_init(|| (self.words_of)(self.id))
    }
}

impl DuplicateKey {
    fn grade(&self) -> Grade {
        match self.body {
            0 => Grade::Declaration,
            _ if is_vendored_path(&self.path) => Grade::OutsideCopy,
            _ => Grade::Own,
        }
    }

    fn is_for_another_platform(&self, other: &Self) -> bool {
        self.path != other.path
            && self.qualified_name == other.qualified_name
            && without_platform(&self.path).eq(without_platform(&other.path))
    }

    /// Returns the qualified name without the definition's own name.
    fn scope(&self) -> &str {
        self.qualified_name.strip_suffix(self.name.as_str()).unwrap_or(&self.qualified_name)
    }
}

/// Returns the share of their words that two names have in common.
fn common_name_words(a: &str, b: &str) -> f64 {
    let words = |name: &str| -> BTreeSet<String> {
        name.split(|c: char| !c.is_alphanumeric() && c != '_').flat_map(split_identifier).collect()
    };
    let (a, b) = (words(a), words(b));
    share(a.intersection(&b).count(), a.union(&b).count())
}

/// Returns `part` as a share of `whole`, or 1 if `whole` is 0, because two empty strings are the
/// same.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Counts the words that two sorted lists have in common.
fn common(a: &[WordId], b: &[WordId]) -> usize {
    let (mut a, mut b, mut count) = (a.iter().peekable(), b.iter().peekable(), 0);
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            Ordering::Less => drop(a.next()),
            Ordering::Greater => drop(b.next()),
            Ordering::Equal => {
                count += 1;
                a.next();
                b.next();
            }
        }
    }
    count
}
