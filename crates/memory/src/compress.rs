//! Compresses a memory that is too large for its window.
//!
//! - **Implements:** Chain-of-Key, memory compression by redundancy, frequency and relevance.
//! - **Differs from the paper:** no model is needed, and the weighting of the three criteria is our
//!   own. Entries that repeat a more relevant entry are dropped first, then the least relevant
//!   ones; among equally relevant entries, the least revised entries, and among those the oldest.
//!   The caller supplies the relevance. [`Memory::replace`] lets a model compress instead.
//! - **Cost:** counts the tokens of the whole memory, and collects its words if entries must be
//!   dropped.

use super::check::conform;
use super::path::{Path, PathPart};
use super::redundant::{redundant, words};
use super::render::{entries_of, text, write_line};
use super::revision::Rejection;
use super::schema::Type;
use super::state::{Memory, MemoryFormat};
use super::tokens::count_tokens;
use super::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Result of a compression.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compressed {
    /// Number of tokens in the memory before the compression.
    pub before: usize,
    /// Number of tokens after the compression; above the limit only if there was nothing left to
    /// drop.
    pub after: usize,
    /// Dropped entries, in the order in which they were dropped. List indices are those before the
    /// compression.
    pub dropped: Vec<DroppedEntry>,
}

/// An entry that was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedEntry {
    /// Path of the entry before the compression.
    pub path: Path,
    /// Reason why the entry was dropped.
    pub reason: DropReason,
}

/// Reason why an entry was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropReason {
    /// The entry and a more relevant one share at least 80% of their words.
    Redundancy,
    /// The entry was the least relevant of the remaining ones.
    Relevance,
    /// A model omitted the entry when it compressed the memory.
    Model,
}

/// An entry in a top-level map or list, with the criteria that decide when it is dropped.
struct EvictionCandidate {
    path: Path,
    tokens: usize,
    relevance: f32,
    revised: u32,
    words: BTreeSet<String>,
}

impl Memory {
    /// Drops entries of top-level maps and lists until the memory's text has at most `limit`
    /// tokens. Amendments are rewritten first, which may suffice. Entries with a higher `relevance`
    /// are kept longer.
    pub fn compress(&mut self, limit: usize, relevance: impl FnMut(&Path) -> f32) -> Compressed {
        let before = count_tokens(&self.render());
        let mut compressed = Compressed { before, after: before, dropped: Vec::new() };
        if before <= limit {
            return compressed;
        }
        let mut left = self.value.clone();
        compressed.after = count_tokens(&text(self.form, &left));
        if compressed.after > limit {
            let mut removed = FxHashSet::default();
            let mut leaving = leaving(self.candidates(relevance)).into_iter();
            // The tokens of the lines do not add up exactly to the tokens of the text, so the text
            // is counted again, and more entries may have to be dropped.
            while compressed.after > limit && leaving.len() > 0 {
                for (entry, reason) in leaving.by_ref() {
                    compressed.after = compressed.after.saturating_sub(entry.tokens);
                    removed.insert(entry.path.clone());
                    compressed.dropped.push(DroppedEntry { path: entry.path, reason });
                    if compressed.after <= limit {
                        break;
                    }
                }
                left = without(&self.value, &removed);
                compressed.after = count_tokens(&text(self.form, &left));
            }
            self.renumber(&removed);
        }
        self.settle(left, compressed.dropped.len());
        compressed
    }

    /// Replaces the whole value if the new one fits the schema. Returns the entries that the new
    /// value omits.
    pub fn replace(&mut self, value: &Value) -> Result<Vec<DroppedEntry>, Rejection> {
        let fit = conform(&self.schema.root_type(), value);
        let new = fit.map_err(|(reason, message)| {
            Rejection::new(Path::default().to_string(), reason, format!("the memory{message}"))
        })?;
        let dropped: Vec<DroppedEntry> = left_out(&self.value, &new);
        // List elements have no keys that identify them in the new value.
        self.revised.retain(|path, _| matches!(path.parts().last(), Some(PathPart::Key(_))));
        for dropped in &dropped {
            self.revised.remove(&dropped.path);
        }
        self.settle(new, dropped.len());
        Ok(dropped)
    }

    fn candidates(&self, mut relevance: impl FnMut(&Path) -> f32) -> Vec<EvictionCandidate> {
        let mut candidates = Vec::new();
        for (attribute, value) in self.value.as_map().into_iter().flatten() {
            // An object is kept as a whole, because its fields are not entries.
            let ty = self.schema.root().fields.get(attribute).map(|field| &field.ty);
            if !matches!(ty, Some(Type::Map(_) | Type::List(_))) {
                continue;
            }
            for (path, value) in entries_of(attribute, value) {
                let mut line = String::new();
                write_line(&mut line, self.form, attribute, &path, value);
                let (relevance, revised) = (relevance(&path), self.revisions_of(&path));
                candidates.push(EvictionCandidate {
                    tokens: count_tokens(&line),
                    relevance,
                    revised,
                    words: words(&line),
                    path,
                });
            }
        }
        candidates
    }

    /// Moves the revision counts of list elements to their new positions.
    fn renumber(&mut self, removed: &FxHashSet<Path>) {
        let mut revised = FxHashMap::default();
        for (attribute, value) in self.value.as_map().into_iter().flatten() {
            let (attribute_path, mut at) = (Path::default().key(attribute.as_str()), 0);
            for (path, _) in entries_of(attribute, value).into_iter().filter(|(path, _)| !removed.contains(path)) {
                let count = self.revisions_of(&path);
                let is_listed = matches!(path.parts().last(), Some(PathPart::Index(_)));
                revised.insert(if is_listed { attribute_path.index(at) } else { path }, count);
                at += 1;
            }
        }
        self.revised = revised;
    }

    fn settle(&mut self, value: Value, dropped: usize) {
        self.value = value;
        self.counts.dropped += dropped;
        if self.form == MemoryFormat::Amendments {
            self.amendments = text(self.form, &self.value);
            self.counts.breaks += 1;
        }
    }
}

/// Sorts all entries in the order in which to drop them, each with the reason.
fn leaving(entries: Vec<EvictionCandidate>) -> Vec<(EvictionCandidate, DropReason)> {
    // NaN counts as the lowest relevance.
    let relevance =
        |entry: &EvictionCandidate| if entry.relevance.is_nan() { f32::NEG_INFINITY } else { entry.relevance };
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|&a, &b| {
        let (one, other) = (&entries[a], &entries[b]);
        relevance(one).total_cmp(&relevance(other)).then(one.revised.cmp(&other.revised)).then(a.cmp(&b))
    });
    let best_first: Vec<usize> = order.iter().rev().copied().collect();
    let texts: Vec<_> = entries.iter().map(|entry| entry.words.clone()).collect();
    let redundant = redundant(&texts, &best_first);
    let mut ranks = vec![0; entries.len()];
    order.iter().enumerate().for_each(|(rank, &entry)| ranks[entry] = rank);
    let reason = |at: usize| if redundant[at] { DropReason::Redundancy } else { DropReason::Relevance };
    let mut leaving: Vec<_> =
        entries.into_iter().enumerate().map(|(at, entry)| (!redundant[at], ranks[at], entry, reason(at))).collect();
    leaving.sort_by_key(|(stays, rank, ..)| (*stays, *rank));
    leaving.into_iter().map(|(_, _, entry, reason)| (entry, reason)).collect()
}

/// Returns a copy of the value without the removed entries of its top-level maps and lists.
fn without(value: &Value, removed: &FxHashSet<Path>) -> Value {
    let attributes = value.as_map().into_iter().flatten().map(|(attribute, value)| {
        let attribute_path = Path::default().key(attribute.as_str());
        let left = match value {
            Value::Map(map) => {
                let left = map.iter().filter(|(key, _)| !removed.contains(&attribute_path.key(key.as_str())));
                left.map(|(key, value)| (key.clone(), value.clone())).collect()
            }
            Value::List(list) => {
                let left = list.iter().enumerate().filter(|(at, _)| !removed.contains(&attribute_path.index(*at)));
                Value::List(left.map(|(_, value)| value.clone()).collect())
            }
            other => other.clone(),
        };
        (attribute.clone(), left)
    });
    attributes.collect()
}

/// Returns the attributes, map entries and list elements that `old` contains and `new` does not.
fn left_out(old: &Value, new: &Value) -> Vec<DroppedEntry> {
    let mut dropped = Vec::new();
    for (attribute, value) in old.as_map().into_iter().flatten() {
        let path = Path::default().key(attribute.as_str());
        match (value, new.get(attribute)) {
            (_, None) => dropped.push(path),
            (Value::Map(old), Some(Value::Map(new))) => {
                dropped.extend(old.keys().filter(|key| !new.contains_key(*key)).map(|key| path.key(key.as_str())));
            }
            (Value::List(old), Some(Value::List(new))) => {
                let there: FxHashSet<String> = new.iter().map(Value::to_string).collect();
                let removed = old.iter().enumerate().filter(|(_, value)| !there.contains(&value.to_string()));
                dropped.extend(removed.map(|(at, _)| path.index(at)));
            }
            _ => {}
        }
    }
    dropped.into_iter().map(|path| DroppedEntry { path, reason: DropReason::Model }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Schema, parse_reply};

    const ENTRIES: [(&str, &str); 4] = [
        ("renew", "renews the session of a user who is logged in"),
        ("touch", "renews the session of a user who is logged in"),
        ("delete", "takes a page out of the cache and says whether it was there"),
        ("open", "opens the store in a folder, or says what is wrong with it"),
    ];

    fn memory(form: MemoryFormat) -> Memory {
        let mut memory = Memory::new(Schema::builtin("attributes").unwrap(), form, true);
        for (name, text) in ENTRIES {
            let reply = format!("{{'path': '$.attributes.{name}', 'op': 'add', 'value': '{text}'}}");
            assert_eq!(memory.revise(parse_reply(&reply)).rejected, []);
        }
        memory
    }

    fn relevance(path: &Path) -> f32 {
        let name = path.to_string();
        ENTRIES.iter().position(|(entry, _)| name.ends_with(entry)).map_or(f32::NAN, |at| 9.0 - at as f32)
    }

    fn dropped(compressed: &Compressed) -> Vec<(String, DropReason)> {
        compressed.dropped.iter().map(|dropped| (dropped.path.to_string(), dropped.reason)).collect()
    }

    #[test]
    fn drops_redundant_entries_before_irrelevant_ones() {
        for form in [MemoryFormat::InPlace, MemoryFormat::Amendments] {
            let mut memory = memory(form);
            let size = count_tokens(&memory.render());
            assert_eq!(memory.compress(size, relevance).dropped, [], "within the limit");
            let compressed = memory.compress(size - 1, relevance);
            assert_eq!(dropped(&compressed), [("$.attributes.touch".to_string(), DropReason::Redundancy)]);
            assert_eq!(compressed.after, count_tokens(&memory.render()));
            let compressed = memory.compress(compressed.after - 1, relevance);
            assert_eq!(dropped(&compressed), [("$.attributes.open".to_string(), DropReason::Relevance)]);
            assert_eq!(memory.counts().dropped, 2);
            let names: Vec<_> = memory.value().get("attributes").unwrap().as_map().unwrap().keys().collect();
            assert_eq!(names, ["renew", "delete"]);
        }
    }

    #[test]
    fn drops_the_least_revised_and_then_the_oldest_of_equal_entries() {
        let mut memory = memory(MemoryFormat::InPlace);
        let again = r#"{"path": "$.attributes.renew", "op": "update", "value": "renews"}"#;
        memory.revise(parse_reply(again));
        let size = count_tokens(&memory.render());
        let compressed = memory.compress(size - 1, |_| 0.0);
        assert_eq!(dropped(&compressed)[0].0, "$.attributes.touch");
    }

    #[test]
    fn rewrites_amendments_before_it_drops_entries() {
        let mut memory = memory(MemoryFormat::Amendments);
        let again = r#"{"path": "$.attributes.open", "op": "update", "value": "opens the store"}"#;
        memory.revise(parse_reply(again));
        let value = memory.value().to_string();
        let size = count_tokens(&memory.render());
        let compressed = memory.compress(size - 1, relevance);
        assert!(compressed.dropped.is_empty() && compressed.after < size);
        assert_eq!((memory.value().to_string(), memory.counts().breaks), (value, 1));
    }

    #[test]
    fn an_unreachable_limit_empties_the_memory() {
        let mut memory = memory(MemoryFormat::InPlace);
        let compressed = memory.compress(0, relevance);
        assert_eq!((compressed.dropped.len(), memory.render().as_str()), (4, r#"{"attributes":{}}"#));
        assert_eq!(compressed.after, count_tokens(&memory.render()));
    }

    #[test]
    fn revision_counts_move_with_list_elements() {
        let schema = r#"{"properties":{"notes":{"type":"array","items":{"type":"string"}}}}"#;
        let mut memory = Memory::new(Schema::read(schema).unwrap(), MemoryFormat::Amendments, true);
        for reply in [
            "{path: $.notes, value: 'one two three'}",
            "{path: $.notes, value: four}",
            "{path: '$.notes[1]', op: update, value: five}",
        ] {
            assert_eq!(memory.revise(parse_reply(reply)).rejected, []);
        }
        let first = Path::default().key("notes").index(0);
        memory.compress(12, |path| if *path == first { 0.0 } else { 1.0 });
        assert_eq!(memory.render(), "{\"notes\":[\"five\"]}\n");
        assert_eq!(memory.revisions_of(&first), 2);
    }

    #[test]
    fn lists_entries_that_a_replacement_omits() {
        let mut memory = memory(MemoryFormat::Amendments);
        let smaller = Value::from_json(r#"{"attributes":{"renew":"renews sessions","new":"?"}}"#).unwrap();
        let dropped = memory.replace(&smaller).unwrap();
        let paths: Vec<_> = dropped.iter().map(|dropped| dropped.path.to_string()).collect();
        assert_eq!(paths, ["$.attributes.touch", "$.attributes.delete", "$.attributes.open"]);
        assert_eq!(memory.value(), &smaller);
        assert!(memory.replace(&Value::from_json(r#"{"attributes":[]}"#).unwrap()).is_err());
        assert_eq!(memory.value(), &smaller);
    }
}
