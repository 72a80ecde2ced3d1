//! Updates that drop nothing.
//!
//! Paper:    Chain-of-Key (Hwang et al. 2024): an update never loses what was known
//! Departs:  a model is told so, and the program makes it so: what an update leaves out is put before it

use crate::memory::{Action, Map, Memory, Revision, Value};

/// A revision whose value says all that the memory holds at its place, and what is new.
pub fn preserving(memory: &Memory, revision: Revision) -> Revision {
    let (Action::Update, Some(held)) = (revision.action, memory.get(&revision.path)) else { return revision };
    let value = joined(held, unquoted(held, revision.value));
    // A memory may yet read a text as the map or list that it stands for, and put that in the place of what is held. An
    // addition replaces nothing.
    let is_unread = !matches!(held, Value::Str(_)) && matches!(value, Value::Str(_));
    Revision { action: if is_unread { Action::Add } else { Action::Update }, value, ..revision }
}

/// A map or list that comes as its JSON text, where one is held.
fn unquoted(held: &Value, new: Value) -> Value {
    match (held, &new) {
        (Value::Map(_) | Value::List(_), Value::Str(text)) => Value::from_json(text).unwrap_or(new),
        _ => new,
    }
}

fn joined(held: &Value, new: Value) -> Value {
    match (held, new) {
        (Value::Str(held), Value::Str(new)) => Value::Str(match says(&new, held) {
            true => new,
            false => format!("{held}; {new}"),
        }),
        (Value::List(held), Value::List(new)) => {
            let more = new.into_iter().filter(|value| !held.contains(value));
            Value::List(held.iter().cloned().chain(more).collect())
        }
        (Value::Map(held), Value::Map(mut new)) => {
            let mut all = Map::new();
            for (key, value) in held {
                let value = match new.shift_remove(key) {
                    Some(other) => joined(value, other),
                    None => value.clone(),
                };
                all.insert(key.clone(), value);
            }
            all.extend(new);
            Value::Map(all)
        }
        // A number or a truth has one value: the new one.
        (_, new) => new,
    }
}

/// Whether a text has every word of another.
fn says(text: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
    };
    let known = words(text);
    words(other).iter().all(|word| known.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Form, Path, Schema};

    #[test]
    fn what_an_update_leaves_out_stays() {
        let mut memory = Memory::new(Schema::builtin("candidate_functions").expect("schema"), Form::InPlace, true);
        let path = Path::parse("$.candidate_functions['renew']").expect("path");
        let revision =
            |action, json: &str| Revision { path: path.clone(), action, value: Value::from_json(json).expect("json") };
        memory.apply(&revision(Action::Add, r#"{"purpose": "renews a session", "input": "token"}"#)).expect("applied");
        let update = revision(Action::Update, r#"{"purpose": "checks the token", "output": "a session"}"#);
        memory.apply(&preserving(&memory, update)).expect("applied");
        let held = memory.get(&path).expect("held").to_string();
        assert_eq!(held, r#"{"purpose":"renews a session; checks the token","input":"token","output":"a session"}"#);
    }
}
