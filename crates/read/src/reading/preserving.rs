//! Updates to the memory that never lose information.
//!
//! **Implements:** Chain-of-Key (Hwang et al. 2024): an update never loses earlier information.
//!
//! **Differs from the paper:** the prompt requires this, and the program enforces it: it keeps the
//! parts of the old value that an update leaves out.

use whichfn_memory::{Map, Memory, Operation, Revision, Value};

/// Returns the revision with a value that contains both the memory's value at its path and the new
/// one.
pub fn preserving(memory: &Memory, revision: Revision) -> Revision {
    let (Operation::Update, Some(held)) = (revision.operation, memory.get(&revision.path)) else { return revision };
    let value = joined(held, unquoted(held, revision.value));
    // `Memory::apply` parses text if the schema expects a map or list (`check::conform`), and an
    // update would then replace the whole map. As an addition, the revision can only add or be
    // rejected.
    let is_unread = !matches!(held, Value::Str(_)) && matches!(value, Value::Str(_));
    Revision { operation: if is_unread { Operation::Add } else { Operation::Update }, value, ..revision }
}

/// Parses a map or list that is given as JSON text, if the memory contains a map or list at that
/// location.
fn unquoted(held: &Value, new: Value) -> Value {
    match (held, &new) {
        (Value::Map(_) | Value::List(_), Value::Str(text)) => Value::from_json(text).unwrap_or(new),
        _ => new,
    }
}

fn joined(held: &Value, new: Value) -> Value {
    match (held, new) {
        (Value::Str(held), Value::Str(new)) => Value::Str(match contains_words(&new, held) {
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
        // A number or a boolean has one value: the new one.
        (_, new) => new,
    }
}

/// Checks whether one string contains every word of another.
fn contains_words(text: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
    };
    let known = words(text);
    words(other).iter().all(|word| known.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use whichfn_memory::{MemoryFormat, Path, Schema};

    #[test]
    fn an_update_keeps_omitted_fields() {
        let mut memory =
            Memory::new(Schema::builtin("candidate_functions").expect("schema"), MemoryFormat::InPlace, true);
        let path = Path::parse("$.candidate_functions['renew']").expect("path");
        let revision = |operation, json: &str| Revision {
            path: path.clone(),
            operation,
            value: Value::from_json(json).expect("json"),
        };
        memory
            .apply(&revision(Operation::Add, r#"{"purpose": "renews a session", "input": "token"}"#))
            .expect("applied");
        let update = revision(Operation::Update, r#"{"purpose": "checks the token", "output": "a session"}"#);
        memory.apply(&preserving(&memory, update)).expect("applied");
        let held = memory.get(&path).expect("held").to_string();
        assert_eq!(held, r#"{"purpose":"renews a session; checks the token","input":"token","output":"a session"}"#);
    }

    #[test]
    fn an_update_with_quoted_json_keeps_omitted_fields() {
        let mut memory =
            Memory::new(Schema::builtin("candidate_functions").expect("schema"), MemoryFormat::InPlace, true);
        let path = Path::parse("$.candidate_functions['renew']").expect("path");
        let revision = |operation, value| Revision { path: path.clone(), operation, value };
        let note = Value::from_json(r#"{"purpose": "renews", "input": "token"}"#).expect("json");
        memory.apply(&revision(Operation::Add, note)).expect("applied");
        // The first text is JSON. The second is not, but a memory can parse it.
        for text in [r#"{"purpose": "checks"}"#, "{'output': 'a session',}"] {
            memory.apply(&preserving(&memory, revision(Operation::Update, text.into()))).expect("applied");
        }
        let held = memory.get(&path).expect("held").to_string();
        assert_eq!(held, r#"{"purpose":"renews; checks","input":"token","output":"a session"}"#);
    }

    /// Returns the words of all keys and strings.
    fn words(value: &Value, out: &mut BTreeSet<String>) {
        let mut read = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            out.extend(words.map(str::to_lowercase));
        };
        match value {
            Value::Str(text) => read(text),
            Value::List(list) => list.iter().for_each(|value| words(value, out)),
            Value::Map(map) => {
                map.keys().for_each(|key| read(key));
                map.values().for_each(|value| words(value, out));
            }
            _ => {}
        }
    }

    /// Generates a path in a memory of functions or candidates, with a value that often fits there.
    fn revision() -> impl Strategy<Value = (String, bool, String)> {
        let text = "[a-e]{1,2}( [a-e]{1,2}){0,2}";
        let field = prop::sample::select(vec!["purpose", "input", "name", "matches"]);
        let place = prop_oneof![
            (0..3u8, prop::option::of(field.clone())).prop_map(|(at, field)| (format!("$.functions[{at}]"), field)),
            ("[ab]", prop::option::of(field.clone()))
                .prop_map(|(key, field)| (format!("$.candidate_functions['{key}']"), field)),
            Just(("$.functions".to_owned(), None)),
            Just(("$.candidate_functions".to_owned(), None)),
        ];
        let place = place.prop_map(|(place, field)| place + &field.map_or(String::new(), |field| format!(".{field}")));
        let plain = text.prop_map(|text| format!("{text:?}")).boxed();
        let list = prop::collection::vec(text, 0..3).prop_map(|texts| format!("{texts:?}")).boxed();
        let map = prop::collection::btree_map(field, prop_oneof![3 => plain.clone(), 1 => list.clone()], 0..3)
            .prop_map(|map| {
                format!("{{{}}}", map.iter().map(|(k, v)| format!("{k:?}:{v}")).collect::<Vec<_>>().join(","))
            })
            .boxed();
        let value = prop_oneof![plain, list, map.clone(), map.clone().prop_map(|map| format!("[{map}]"))];
        let value = (value, 0..4u8).prop_map(|(value, quoted)| if quoted == 0 { format!("{value:?}") } else { value });
        (place, any::<bool>(), value)
    }

    proptest! {
        #[test]
        fn keeps_every_word(revisions in prop::collection::vec(revision(), 1..40)) {
            for schema in ["candidate_functions", "functions"] {
                let mut memory = Memory::new(Schema::builtin(schema).expect("schema"), MemoryFormat::Amendments, true);
                let mut ever = BTreeSet::new();
                for (path, updates, json) in &revisions {
                    let revision = Revision {
                        path: Path::parse(path).expect("path"),
                        operation: if *updates { Operation::Update } else { Operation::Add },
                        value: Value::from_json(json).expect("json"),
                    };
                    // A revision that does not fit changes nothing.
                    let _ = memory.apply(&preserving(&memory, revision));
                    let mut held = BTreeSet::new();
                    words(memory.value(), &mut held);
                    prop_assert!(held.is_superset(&ever), "{ever:?} in {}", memory.value());
                    ever = held;
                }
            }
        }
    }
}
