//! A memory: its value, and the text that represents the value in a prompt.
//!
//! - **Implements:** PRISM: in-place memory is overwritten; amendments are appended and the later
//!   one wins, so a prompt keeps its common prefix with the previous one. Chain-of-Key: without
//!   updates, nothing in the memory is lost.
//! - **Differs from the paper:** an amendment contains only the changed parts of an object, not the
//!   whole object (`patch`).
//! - **Cost:** both formats store the value, so a lookup costs the same; amendments additionally
//!   store their text.

use super::patch::MergePatch;
use super::path::{Path, PathPart};
use super::plan::RevisionPlanner;
use super::reply::ParsedReply;
use super::revision::{Applied, Rejection, Revision};
use super::schema::{Schema, Type};
use super::value::{Map, Value};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Format of a memory in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all(serialize = "snake_case", deserialize = "kebab-case"))]
pub enum MemoryFormat {
    /// The current value. It is short, but from the first change on, a prompt differs from the
    /// previous one.
    InPlace,
    /// The history: existing text is kept, changes are appended, and the later one wins.
    Amendments,
}

/// A memory of values that fit a schema.
///
/// Values are removed only by an update, if updates are on, and by [`Memory::compress`].
#[derive(Debug, Clone)]
pub struct Memory {
    pub(super) schema: Schema,
    pub(super) form: MemoryFormat,
    updates: bool,
    pub(super) value: Value,
    /// Amendments, one per line; empty for [`MemoryFormat::InPlace`].
    pub(super) amendments: String,
    /// Number of revisions of each entry in a top-level map or list. Used only for lookups, never
    /// iterated over.
    pub(super) revised: FxHashMap<Path, u32>,
    pub(super) counts: Counts,
}

/// Number of revisions that a memory has received since its creation, by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of revisions that set a value where there was none.
    pub added: usize,
    /// Number of revisions that added fields to an existing object or map.
    pub merged: usize,
    /// Number of revisions that replaced a value.
    pub updated: usize,
    /// Number of revisions that were rejected, and of parts of replies that could not be parsed.
    pub rejected: usize,
    /// Number of entries dropped by compression.
    pub dropped: usize,
    /// Number of times that all amendments were rewritten, after which the memory's text in the
    /// next prompt shares no prefix with the previous one.
    pub breaks: usize,
}

/// Results of the revisions in one reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisionResults {
    /// Paths of the applied revisions, in order, each with its effect.
    pub applied: Vec<(Path, Applied)>,
    /// Rejected revisions: first those that could not be parsed, then those that do not fit.
    pub rejected: Vec<Rejection>,
}

impl Memory {
    /// Creates an empty memory. Without `updates`, values may be added but never replaced.
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

    /// Returns the schema of the value.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the format of the memory in prompts.
    pub fn form(&self) -> MemoryFormat {
        self.form
    }

    /// Returns the value: a map of attributes, without those that were never revised.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the value at a path, or `None` if no value is set there.
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

    /// Returns the number of revisions received so far, by result.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the number of revisions of an entry in a top-level map or list.
    pub fn revisions_of(&self, entry: &Path) -> u32 {
        self.revised.get(entry).copied().unwrap_or(0)
    }

    /// Applies one revision. If it does not fit, the value does not change.
    pub fn apply(&mut self, revision: &Revision) -> Result<Applied, Rejection> {
        let plan = RevisionPlanner { revision, updates: self.updates };
        match plan.plan(&self.schema.root_type(), &self.value) {
            Ok((change, applied)) => {
                self.make(change);
                match applied {
                    Applied::Added => self.counts.added += 1,
                    Applied::Merged { .. } => self.counts.merged += 1,
                    Applied::Updated => self.counts.updated += 1,
                }
                Ok(applied)
            }
            Err((reason, message)) => {
                self.counts.rejected += 1;
                Err(Rejection::new(revision.path.to_string(), reason, message))
            }
        }
    }

    /// Applies all revisions in a reply that fit, in order.
    pub fn revise(&mut self, parsed: ParsedReply) -> RevisionResults {
        self.counts.rejected += parsed.rejected.len();
        let mut revised = RevisionResults { applied: Vec::new(), rejected: parsed.rejected };
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

    /// Returns the entries of top-level maps and lists that a change affects. The flag is true if
    /// the change removes the entry.
    fn entries(&self, change: &MergePatch) -> Vec<(Path, bool)> {
        let MergePatch::Fields(attributes) = change else { return Vec::new() };
        let mut entries = Vec::new();
        for (name, change) in attributes {
            let ty = self.schema.root().fields.get(name).map(|field| &field.ty);
            let attribute = Path::default().key(name.as_str());
            match (ty, change) {
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
