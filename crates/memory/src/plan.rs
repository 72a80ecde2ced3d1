//! Converts a revision to the change that it makes, or to the reason why it makes no change. The
//! value itself is not changed here, so a revision that does not fit has no effect.
//!
//! | | value absent | plain value present | object or map present | list present |
//! |-|-|-|-|-|
//! | **add** | added, with its parents | rejected: exists | merged | appended |
//! | **update** | as add | replaced | replaced | replaced |
//!
//! A merge adds the missing fields and keeps the existing ones. A list inside a merged value
//! receives the elements that it lacks. A revision that would change nothing is rejected.

use super::check::{check_count, check_key, conform, named, unknown};
use super::patch::MergePatch;
use super::path::PathPart;
use super::revision::{Applied, Fault, Operation, RejectionReason, Revision};
use super::schema::Type;
use super::value::Value;

/// Plans the change that one revision makes.
pub(super) struct RevisionPlanner<'a> {
    /// Revision to plan.
    pub(super) revision: &'a Revision,
    /// True if existing values may be replaced.
    pub(super) updates: bool,
}

/// Name of the revision's value in messages.
const VALUE: &str = "the value";

type PlannedRevision = Result<(MergePatch, Applied), Fault>;

impl RevisionPlanner<'_> {
    /// Plans the change to the whole memory.
    pub(super) fn plan(&self, root: &Type, value: &Value) -> PlannedRevision {
        if self.revision.path.parts().is_empty() && self.revision.operation == Operation::Update {
            return Err((RejectionReason::Place, "an update must name an attribute, not the entire memory".into()));
        }
        self.descend(root, Some(value), 0)
    }

    /// Plans the change to the value at the first `depth` parts of the path.
    fn descend(&self, ty: &Type, old: Option<&Value>, depth: usize) -> PlannedRevision {
        let Some(part) = self.revision.path.parts().get(depth) else {
            return self.end(ty, old);
        };
        match (ty, part) {
            (Type::Object(object), PathPart::Key(key)) => match object.fields.get(key) {
                Some(field) => self.key(&field.ty, old, key, depth),
                None => Err(self.fault(depth, unknown(object, key))),
            },
            (Type::Map(inner), PathPart::Key(key)) => {
                check_key(key).map_err(|fault| self.fault(depth, fault))?;
                self.key(inner, old, key, depth)
            }
            (Type::List(inner), PathPart::Index(index)) => self.element(inner, old, *index, depth),
            _ => {
                let message = match ty {
                    Type::List(_) => " is a list; use an index, as in [0]",
                    Type::Map(_) | Type::Object(_) => " has names as keys, not indexes; quote a name that is a number",
                    _ => " is a plain value and has no parts",
                };
                Err(self.fault(depth, (RejectionReason::Place, message.into())))
            }
        }
    }

    fn key(&self, ty: &Type, old: Option<&Value>, key: &str, depth: usize) -> PlannedRevision {
        let inner = old.and_then(|old| old.get(key));
        if inner.is_none() {
            let count = old.and_then(Value::as_map).map_or(0, |map| map.len());
            check_count(count + 1).map_err(|fault| self.fault(depth, fault))?;
        }
        let (change, applied) = self.descend(ty, inner, depth + 1)?;
        let change = MergePatch::Fields(vec![(key.to_string(), change)]);
        Ok((or_made(change, old), applied))
    }

    fn element(&self, ty: &Type, old: Option<&Value>, index: i64, depth: usize) -> PlannedRevision {
        let list = old.and_then(Value::as_list).unwrap_or_default();
        let at = if index < 0 { index + list.len() as i64 } else { index };
        let at = usize::try_from(at).ok().filter(|at| *at <= list.len());
        let Some(at) = at else {
            let message = format!(" has {} elements, so the index {index} is out of range", list.len());
            return Err(self.fault(depth, (RejectionReason::Place, message)));
        };
        check_count(list.len().max(at + 1)).map_err(|fault| self.fault(depth, fault))?;
        let (change, applied) = self.descend(ty, list.get(at), depth + 1)?;
        Ok((or_made(MergePatch::Elements(vec![(at, change)]), old), applied))
    }

    /// Plans the change to the value at the end of the path.
    fn end(&self, ty: &Type, old: Option<&Value>) -> PlannedRevision {
        match (self.revision.operation, old) {
            (_, None) => Ok((MergePatch::Set(self.fresh(ty)?), Applied::Added)),
            (Operation::Add, Some(old)) => self.add(ty, old),
            (Operation::Update, Some(_)) if !self.updates => Err((
                RejectionReason::UpdatesOff,
                "it already has a value, and updates are off: only add new values".into(),
            )),
            (Operation::Update, Some(old)) => match MergePatch::replacement(old, self.fit(ty)?) {
                Some(change) => Ok((change, Applied::Updated)),
                None => Err(nothing_new()),
            },
        }
    }

    fn add(&self, ty: &Type, old: &Value) -> PlannedRevision {
        match (ty, old) {
            (Type::List(inner), Value::List(list)) => {
                let change =
                    MergePatch::append(list.len(), self.elements(ty, inner)?).map_err(|fault| self.at_end(fault))?;
                Ok((change.ok_or_else(nothing_new)?, Applied::Added))
            }
            (Type::Map(_) | Type::Object(_), _) => {
                let mut kept = 0;
                let change = MergePatch::addition(old, self.fit(ty)?, &mut kept).map_err(|fault| self.at_end(fault))?;
                match change {
                    Some(change) => Ok((change, Applied::Merged { kept })),
                    None if kept == 0 => Err(nothing_new()),
                    None => Err((
                        RejectionReason::Exists,
                        "all of these fields are already set; use update to replace them".into(),
                    )),
                }
            }
            _ if self.fit(ty)? == *old => Err(nothing_new()),
            _ => Err((RejectionReason::Exists, "it is already set; use update to replace it".into())),
        }
    }

    /// Returns the value to set where there was none.
    fn fresh(&self, ty: &Type) -> Result<Value, Fault> {
        match ty {
            Type::List(inner) if self.revision.operation == Operation::Add => {
                Ok(Value::List(self.elements(ty, inner)?))
            }
            _ => self.fit(ty),
        }
    }

    /// Interprets the value as one element of a list or, if it does not fit, as a list of elements.
    fn elements(&self, list: &Type, inner: &Type) -> Result<Vec<Value>, Fault> {
        match conform(inner, &self.revision.value) {
            Ok(element) => Ok(vec![element]),
            Err(fault) => match (self.fit(list), &self.revision.value) {
                (Ok(Value::List(elements)), _) => Ok(elements),
                (Err(fault), Value::List(_)) => Err(fault),
                _ => Err(named(VALUE, fault)),
            },
        }
    }

    fn fit(&self, ty: &Type) -> Result<Value, Fault> {
        conform(ty, &self.revision.value).map_err(|fault| named(VALUE, fault))
    }

    /// Adds the name of the value at the end of the path to a fault.
    fn at_end(&self, fault: Fault) -> Fault {
        self.fault(self.revision.path.parts().len(), fault)
    }

    /// Adds the path of the first `depth` parts to a fault.
    fn fault(&self, depth: usize, fault: Fault) -> Fault {
        named(&self.revision.path.down_to(depth).to_string(), fault)
    }
}

/// Returns the change to a value that may be absent. If it is absent, the change sets the whole
/// value.
fn or_made(change: MergePatch, old: Option<&Value>) -> MergePatch {
    match old {
        Some(_) => change,
        None => change.made().map_or(MergePatch::Remove, MergePatch::Set),
    }
}

fn nothing_new() -> Fault {
    (RejectionReason::NothingNew, "the memory already contains all of it".into())
}
