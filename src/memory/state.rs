//! A memory: what is held, and the text that says so in a prompt.
//!
//! Paper:    PRISM: in-place memory overwrites, amendments are appended and the later one wins, so that a prompt keeps
//!           what it has in common with the one before. Chain-of-Key: without updates, nothing that was held is lost
//! Departs:  an amendment holds what changed of an object, not the whole object (`patch`)
//! Price:    both forms hold the value, so looking something up costs the same; amendments hold their text besides

use super::patch::MergePatch;
use super::path::{Path, PathPart};
use super::plan::RevisionPlanner;
use super::reply::ParsedReply;
use super::revision::{Applied, Rejection, Revision};
use super::schema::{Schema, Type};
use super::value::{Map, Value};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// How a memory stands in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryFormat {
    /// As it is: short, but a prompt differs from the one before from the first change on.
    InPlace,
    /// As it came to be: what was written stays, changes are appended, and the later one wins.
    Amendments,
}

/// What is held. Only an update, where updates are on, and [`Memory::compress`] take anything away.
#[derive(Debug, Clone)]
pub struct Memory {
    pub(super) schema: Schema,
    pub(super) form: MemoryFormat,
    updates: bool,
    pub(super) value: Value,
    /// The amendments, one a line; empty in place.
    pub(super) amendments: String,
    /// How often each entry of a top-level map or list was revised. Never listed, only looked up.
    pub(super) revised: FxHashMap<Path, u32>,
    pub(super) counts: Counts,
}

/// How many revisions a memory was given, by what became of them, since it was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Revisions that put a value where none was.
    pub added: usize,
    /// Revisions that added fields to an object or map that was there.
    pub merged: usize,
    /// Revisions that replaced a value.
    pub updated: usize,
    /// Revisions that were refused, and parts of replies that could not be read.
    pub rejected: usize,
    /// Entries dropped by compression.
    pub dropped: usize,
    /// Times that amendments were written anew, so that a prompt has nothing of the memory in common with the one
    /// before.
    pub breaks: usize,
}

/// What became of the revisions of one reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revised {
    /// Places of the revisions that were applied, in order, and what each did.
    pub applied: Vec<(Path, Applied)>,
    /// The others: first what could not be read, then what does not fit.
    pub rejected: Vec<Rejection>,
}

impl Memory {
    /// One that holds nothing. Without `updates` what it holds may be added to and never replaced.
    pub fn new(schema: Schema, form: MemoryFormat, updates: bool) -> Self {
        Self {
            schema,
            form,
            updates,
            value: Value::Map(Map::new()),
            amendments: String::new(),
            revised: FxHashMap::default(),
            counts: Counts::default(),
        }
    }

    /// The type of what it holds.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// How it stands in a prompt.
    pub fn form(&self) -> MemoryFormat {
        self.form
    }

    /// What it holds: a map of attributes. One that was never revised is not in it.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The value at a place; `None` where nothing is set.
    pub fn get(&self, path: &Path) -> Option<&Value> {
        path.parts().iter().try_fold(&self.value, |value, part| match part {
            PathPart::Key(key) => value.get(key),
            PathPart::Index(index) => {
                let list = value.as_list()?;
                let at = if *index < 0 { index + list.len() as i64 } else { *index };
                list.get(usize::try_from(at).ok()?)
            }
        })
    }

    /// What became of all that it was given.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How often an entry of a top-level map or list was revised.
    pub fn revisions_of(&self, entry: &Path) -> u32 {
        self.revised.get(entry).copied().unwrap_or(0)
    }

    /// Makes one revision if it fits; else nothing changes.
    pub fn apply(&mut self, revision: &Revision) -> Result<Applied, Rejection> {
        let plan = RevisionPlanner { revision, updates: self.updates };
        match plan.of_root(&self.schema.root_type(), &self.value) {
            Ok((change, applied)) => {
                self.make(change);
                match applied {
                    Applied::Added => self.counts.added += 1,
                    Applied::Merged { .. } => self.counts.merged += 1,
                    Applied::Updated => self.counts.updated += 1,
                }
                Ok(applied)
            }
            Err((reason, why)) => {
                self.counts.rejected += 1;
                Err(Rejection::new(revision.path.to_string(), reason, why))
            }
        }
    }

    /// Makes all revisions of a reply that fit, in order.
    pub fn revise(&mut self, parsed: ParsedReply) -> Revised {
        self.counts.rejected += parsed.rejected.len();
        let mut revised = Revised { applied: Vec::new(), rejected: parsed.rejected };
        for revision in parsed.revisions {
            match self.apply(&revision) {
                Ok(applied) => revised.applied.push((revision.path, applied)),
                Err(rejection) => revised.rejected.push(rejection),
            }
        }
        revised
    }

    fn make(&mut self, change: MergePatch) {
        for (entry, is_gone) in self.entries(&change) {
            if is_gone {
                self.revised.remove(&entry);
            } else {
                *self.revised.entry(entry).or_default() += 1;
            }
        }
        if self.form == MemoryFormat::Amendments {
            change.write(&mut self.amendments);
            self.amendments.push('\n');
        }
        change.apply(&mut self.value);
    }

    /// The entries of top-level maps and lists that a change touches, each with whether it takes the entry away.
    fn entries(&self, change: &MergePatch) -> Vec<(Path, bool)> {
        let MergePatch::Fields(attributes) = change else { return Vec::new() };
        let mut entries = Vec::new();
        for (name, change) in attributes {
            let of = self.schema.root().fields.get(name).map(|field| &field.of);
            let attribute = Path::default().key(name.as_str());
            match (of, change) {
                (Some(Type::Map(_)), MergePatch::Fields(fields)) => {
                    entries.extend(
                        fields.iter().map(|(key, change)| (attribute.key(key.as_str()), *change == MergePatch::Remove)),
                    );
                }
                (Some(Type::Map(_)), MergePatch::Set(Value::Map(map))) => {
                    entries.extend(map.keys().map(|key| (attribute.key(key.as_str()), false)));
                }
                (Some(Type::List(_)), MergePatch::Elements(elements)) => {
                    entries.extend(elements.iter().map(|(at, _)| (attribute.index(*at), false)));
                }
                (Some(Type::List(_)), MergePatch::Set(Value::List(list))) => {
                    entries.extend((0..list.len()).map(|at| (attribute.index(at), false)));
                }
                _ => {}
            }
        }
        entries
    }
}
