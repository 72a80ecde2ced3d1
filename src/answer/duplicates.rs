//! Near-duplicates among ranked definitions are collapsed: a later one is named under the earlier one that it repeats.
//!
//! Two definitions of one name, kind and language are near-duplicates if
//! - they are overloads of one parent and one of them has no body (`@overload`, a signature of TypeScript): the one with the
//!   body stands for them, with the score of the best, or
//! - they have as many parameters and one qualified name, and the paths of their files differ in words for systems and
//!   processors alone (`src/text/platforms.txt`: `unix/tcp.c` and `win/tcp.c`), or
//! - both have bodies, nearly all words of their parameters, bodies and strings are the same, and so are those of the
//!   types around them (`Runs.cancel` and `AsyncRuns.cancel`). The same words in unlike types are no copy: a trait's
//!   method and its implementation, `Threads.delete` and `Assistants.delete`.
//!
//! Price:    nothing but a look-up of the name where no other hit has it; else the packed words of a file are read
//! Why not:  the text itself: the words are at hand, and spelling, order and comments of a copy may differ

use crate::ids::DefinitionId;
use crate::parse::Field;
use crate::search::Hit;
use crate::store::GraphFile;
use crate::text::{split_identifier, without_platform};
use crate::wordvec::{WordId, WordLists};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Hits looked at for each result wanted; with fewer, a page of overloads leaves nothing else to show.
pub const LOOK_AHEAD: usize = 3;
/// The share of words that near-duplicates have in common, at least. In openai, the two faces (sync, async) of a call
/// share 0.90 and more,
/// `Files.delete` and `Files.delete` of two resources 0.88.
const SAME_WORDS: f64 = 0.9;
/// The share of words that the names of the types around them have in common, at least: `Runs` and `AsyncRuns` 0.5,
/// `AsyncRuns` and
/// `AsyncSteps` 0.33.
const SAME_TYPE_WORDS: f64 = 0.5;
/// The fewest common words that make near-duplicates of members of different types: in `return self.name` the type
/// says more than the body.
const FEWEST_WORDS: usize = 8;

/// A hit with those that repeat it.
pub struct HitGroup {
    /// The best of them.
    pub head: Hit,
    /// The others, in order of rank.
    pub duplicates: Vec<DefinitionId>,
}

impl HitGroup {
    /// Adds a hit that repeats the head. One with a body takes the place of a head without, with what that scores.
    fn add(&mut self, hit: Hit, graph: &GraphFile) {
        let Hit { definition, file, .. } = hit;
        if has_body(graph, self.head.definition) || !has_body(graph, definition) {
            return self.duplicates.push(definition);
        }
        self.duplicates.insert(0, self.head.definition);
        (self.head.definition, self.head.file, self.head.term_scores) = (definition, file, hit.term_scores);
    }
}

fn has_body(graph: &GraphFile, id: DefinitionId) -> bool {
    graph.lengths(id)[Field::Body as usize] > 0
}

/// The heads of one name and language, each with the place of its group.
type Heads<'a> = FxHashMap<(&'a str, Option<u16>), Vec<(usize, ComparedDefinition<'a>)>>;

/// Collapses ranked hits into at most `most` groups. Each hit above the first one that would open another group is in
/// one.
pub fn collapse(graph: &GraphFile, hits: Vec<Hit>, most: usize) -> Vec<HitGroup> {
    let mut groups: Vec<HitGroup> = Vec::new();
    let mut heads = Heads::default();
    for hit in hits {
        let compared = ComparedDefinition { graph, id: hit.definition, words: OnceCell::new() };
        let named = heads.entry((graph.name(hit.definition), graph.language(hit.file))).or_default();
        match named.iter().find(|(_, head)| head.repeats(&compared)) {
            Some(&(group, _)) => groups[group].add(hit, graph),
            None if groups.len() == most => break,
            None => {
                named.push((groups.len(), compared));
                groups.push(HitGroup { head: hit, duplicates: Vec::new() });
            }
        }
    }
    groups
}

/// Each hit as a group by itself.
pub fn ungrouped(hits: Vec<Hit>) -> Vec<HitGroup> {
    hits.into_iter().map(|head| HitGroup { head, duplicates: Vec::new() }).collect()
}

/// A definition among others of its name; its words are read when they are needed.
struct ComparedDefinition<'a> {
    graph: &'a GraphFile,
    id: DefinitionId,
    words: OnceCell<WordLists>,
}

impl ComparedDefinition<'_> {
    /// Whether one repeats the other; their names and languages are the same.
    fn repeats(&self, other: &Self) -> bool {
        let (row, others) = (self.graph.definition(self.id), self.graph.definition(other.id));
        if self.graph.name(self.id).is_empty() || row.kind() != others.kind() {
            return false;
        }
        let (body, others_body) = (self.body(), other.body());
        if body == 0 || others_body == 0 {
            return row.parent == others.parent;
        }
        if row.parameters() == others.parameters() && self.is_for_another_platform(other) {
            return true;
        }
        let (scope, others_scope) = (self.scope(), other.scope());
        let enough = if scope == others_scope { 1 } else { FEWEST_WORDS };
        // The table does not know every word, so two texts can differ where their lists do not; then their lengths may.
        share(body.min(others_body), body.max(others_body)) >= SAME_WORDS
            && self.agrees(other, enough)
            && common_name_words(scope, others_scope) >= SAME_TYPE_WORDS
    }

    fn is_for_another_platform(&self, other: &Self) -> bool {
        let path = |of: &Self| self.graph.path(self.graph.definition(of.id).file);
        let (path, others) = (path(self), path(other));
        path != others
            && self.graph.qualified_name(self.id) == self.graph.qualified_name(other.id)
            && without_platform(path).eq(without_platform(others))
    }

    /// Words of the body, with repetitions.
    fn body(&self) -> usize {
        usize::from(self.graph.lengths(self.id)[Field::Body as usize])
    }

    /// The names around its own.
    fn scope(&self) -> &str {
        let whole = self.graph.qualified_name(self.id);
        whole.strip_suffix(self.graph.name(self.id)).unwrap_or(whole)
    }

    fn agrees(&self, other: &Self, enough: usize) -> bool {
        let (a, b) = (self.words(), other.words());
        let fields = [(&a.parameters, &b.parameters), (&a.body, &b.body), (&a.strings, &b.strings)];
        let common: usize = fields.iter().map(|(a, b)| common(a, b)).sum();
        let all = fields.iter().map(|(a, b)| a.len() + b.len()).sum::<usize>() - common;
        common >= enough && share(common, all) >= SAME_WORDS
    }

    fn words(&self) -> &WordLists {
        self.words.get_or_init(|| {
            let file = self.graph.definition(self.id).file;
            let place = self.graph.local(self.id).index();
            WordLists::read(self.graph.words(file), &[place]).pop().unwrap_or_default()
        })
    }
}

/// The share of words that two names have in common.
fn common_name_words(a: &str, b: &str) -> f64 {
    let words = |name: &str| -> BTreeSet<String> {
        name.split(|c: char| !c.is_alphanumeric() && c != '_').flat_map(split_identifier).collect()
    };
    let (a, b) = (words(a), words(b));
    share(a.intersection(&b).count(), a.union(&b).count())
}

/// A part as a share of the whole; 1 if the whole is 0, because two empty texts are the same.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// How many words two sorted lists share.
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
