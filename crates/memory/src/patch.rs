//! Patches of values, which contain only what changes. Both formats of a memory are based on them:
//! in-place memory applies a patch, and an amendment is the text of a patch.
//!
//! The text is a JSON merge patch (RFC 7396): objects are merged, any other value replaces the old
//! one, and null removes it. An object in the place of a list changes list elements by number.
//!
//! - **Invariant:** an existing name keeps its position among the other names, and a new name is
//!   added at the end. Both formats, and every reader of the amendments, therefore have the same
//!   names in the same order.

use super::check::check_count;
use super::quoted::write_quoted;
use super::revision::Fault;
use super::value::{Map, Value};
use rustc_hash::FxHashSet;

/// A change to one value: a JSON merge patch, extended to the elements of lists.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MergePatch {
    /// Replaces the value.
    Set(Value),
    /// Removes the value; written as `null` in JSON.
    Remove,
    /// Changes some values of a map or object.
    Fields(Vec<(String, MergePatch)>),
    /// Changes some elements of a list, or appends elements.
    Elements(Vec<(usize, MergePatch)>),
}

impl MergePatch {
    /// Returns a patch with the parts of `new` that `old` lacks: fields and entries of maps and
    /// objects, and elements of lists.
    ///
    /// Adds the number of other values that differ to `kept`. Returns `None` if there is nothing to
    /// add.
    pub(super) fn addition(old: &Value, new: Value, kept: &mut usize) -> Result<Option<Self>, Fault> {
        match (old, new) {
            (Value::Map(old), Value::Map(new)) => {
                check_count(old.len() + new.keys().filter(|key| !old.contains_key(*key)).count())?;
                let mut fields = Vec::new();
                for (key, value) in new {
                    let change = match old.get(&key) {
                        Some(old) => Self::addition(old, value, kept)?,
                        None => Some(Self::Set(value)),
                    };
                    fields.extend(change.map(|change| (key, change)));
                }
                Ok((!fields.is_empty()).then_some(Self::Fields(fields)))
            }
            (Value::List(old), Value::List(new)) => {
                let there: FxHashSet<String> = old.iter().map(Value::to_string).collect();
                let new = new.into_iter().filter(|value| !there.contains(&value.to_string())).collect();
                Self::append(old.len(), new)
            }
            (old, new) => {
                *kept += usize::from(*old != new);
                Ok(None)
            }
        }
    }

    /// Returns a patch that appends elements to a list of length `len`, or `None` if `new` is
    /// empty.
    pub(super) fn append(len: usize, new: Vec<Value>) -> Result<Option<Self>, Fault> {
        check_count(len + new.len())?;
        let elements = new.into_iter().enumerate().map(|(at, value)| (len + at, Self::Set(value))).collect();
        Ok(Some(Self::Elements(elements)).filter(|change| *change != Self::Elements(Vec::new())))
    }

    /// Returns a patch that changes `old` to `new`, or `None` if they are equal.
    pub(super) fn replacement(old: &Value, new: Value) -> Option<Self> {
        let (Value::Map(from), Value::Map(to)) = (old, &new) else {
            return (*old != new).then_some(Self::Set(new));
        };
        let removed = from.keys().filter(|key| !to.contains_key(*key));
        let mut fields: Vec<_> = removed.map(|key| (key.clone(), Self::Remove)).collect();
        let Value::Map(to) = new else { return None };
        for (key, value) in to {
            let change = match from.get(&key) {
                Some(old) => Self::replacement(old, value),
                None => Some(Self::Set(value)),
            };
            fields.extend(change.map(|change| (key, change)));
        }
        (!fields.is_empty()).then_some(Self::Fields(fields))
    }

    /// Applies the patch to a value.
    pub(super) fn apply(self, to: &mut Value) {
        match (self, to) {
            (Self::Set(value), to) => *to = value,
            (Self::Fields(fields), Value::Map(map)) => apply_fields(fields, map),
            (Self::Elements(elements), Value::List(list)) => {
                for (at, change) in elements {
                    match list.get_mut(at) {
                        Some(old) => change.apply(old),
                        None => list.extend(change.made()),
                    }
                }
            }
            (change, to) => *to = change.made().unwrap_or_else(|| Value::Map(Map::new())),
        }
    }

    /// Returns the value that the patch creates where there was none, or `None` if it only removes.
    pub(super) fn made(self) -> Option<Value> {
        match self {
            Self::Set(value) => Some(value),
            Self::Remove => None,
            Self::Fields(fields) => {
                Some(fields.into_iter().filter_map(|(key, change)| Some((key, change.made()?))).collect())
            }
            Self::Elements(elements) => {
                Some(Value::List(elements.into_iter().filter_map(|(_, change)| change.made()).collect()))
            }
        }
    }

    /// Appends the patch as JSON.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Set(value) => value.write_json(out),
            Self::Remove => out.push_str("null"),
            Self::Fields(fields) => {
                write_entries(out, fields.iter().map(|(key, change)| (key.as_str(), change)));
            }
            Self::Elements(elements) => {
                let named: Vec<_> = elements.iter().map(|(at, change)| (at.to_string(), change)).collect();
                write_entries(out, named.iter().map(|(at, change)| (at.as_str(), *change)));
            }
        }
    }
}

fn apply_fields(fields: Vec<(String, MergePatch)>, map: &mut Map) {
    let mut removed: FxHashSet<String> = FxHashSet::default();
    for (key, change) in fields {
        match (change, map.get_mut(&key)) {
            (MergePatch::Remove, _) => drop(removed.insert(key)),
            (change, Some(old)) => change.apply(old),
            (change, None) => drop(change.made().map(|value| map.insert(key, value))),
        }
    }
    // Removes all keys in one pass, because each single removal would shift the later entries.
    if !removed.is_empty() {
        map.retain(|key, _| !removed.contains(key));
    }
}

fn write_entries<'a>(out: &mut String, entries: impl Iterator<Item = (&'a str, &'a MergePatch)>) {
    out.push('{');
    for (at, (key, change)) in entries.enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        write_quoted(out, key, '"');
        out.push(':');
        change.write(out);
    }
    out.push('}');
}
