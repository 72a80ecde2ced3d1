//! Checks that a memory contains exactly the accepted values, in both formats, for any schema and
//! any model reply.

use proptest::prelude::*;
use std::collections::BTreeSet;
use whichfn_memory::{
    Applied, MAX_ENTRIES, MAX_KEY, MAX_TEXT, Map, Memory, MemoryFormat, Operation, Path, PathPart, RejectionReason,
    Revision, Schema, SchemaObject, Type, Value, count_tokens, parse_reply,
};
use whichfn_testing::cases;

const FORMS: [MemoryFormat; 2] = [MemoryFormat::InPlace, MemoryFormat::Amendments];

/// Builds a memory with the given schema from lines of the form `add PATH JSON`. Returns the memory
/// with the result of each line.
fn memory(schema: &str, updates: bool, lines: &[&str]) -> (Memory, Vec<Result<Applied, RejectionReason>>) {
    let schema = Schema::builtin(schema).or_else(|_| Schema::read(schema)).expect("schema");
    let both = FORMS.map(|form| {
        let mut memory = Memory::new(schema.clone(), form, updates);
        let results =
            lines.iter().map(|line| memory.apply(&revision(line)).map_err(|no| no.reason)).collect::<Vec<_>>();
        (memory, results)
    });
    assert_eq!(both[0].1, both[1].1, "both forms take the same");
    assert_same(&both[0].0, &both[1].0);
    let [one, _] = both;
    one
}

fn revision(line: &str) -> Revision {
    let (operation, rest) = line.split_once(' ').expect("add PATH JSON");
    let (path, value) = rest.split_once(' ').expect("PATH JSON");
    let operation = if operation == "add" { Operation::Add } else { Operation::Update };
    Revision { path: Path::parse(path).expect("path"), operation, value: Value::from_json(value).expect("JSON") }
}

/// Asserts that memories in the two formats have the same contents in the same order, and that
/// their texts show these contents.
fn assert_same(in_place: &Memory, amendments: &Memory) {
    let held = in_place.value().to_string();
    assert_eq!(held, amendments.value().to_string());
    assert_eq!(held, Value::from_json(&in_place.render()).expect("JSON").to_string(), "the text in place");
    assert_eq!(held, read_amendments(&amendments.render()).to_string(), "the amendments, the last wins");
}

/// Reference implementation: applies the amendments in a string without using the memory's code,
/// except for the order of JSON keys.
fn read_amendments(text: &str) -> Value {
    let mut value = Value::Map(Map::new());
    for line in text.lines() {
        merge(&mut value, &parse(line));
    }
    value
}

/// A JSON value with nulls, which `Value` lacks.
enum Patch {
    Gone,
    Plain(Value),
    Object(Vec<(String, Patch)>),
}

/// Parses a line. Nulls become a string that no test uses, because `Value` keeps the order of keys
/// and `serde_json` does not.
fn parse(line: &str) -> Patch {
    const GONE: &str = "\u{1}gone";
    fn patch(value: Value) -> Patch {
        match value {
            Value::Str(text) if text == GONE => Patch::Gone,
            Value::Map(map) => Patch::Object(map.into_iter().map(|(key, value)| (key, patch(value))).collect()),
            other => Patch::Plain(other),
        }
    }
    let escaped = Value::from(GONE).to_string();
    patch(Value::from_json(&line.replace(":null", &format!(":{escaped}"))).expect("JSON"))
}

fn merge(value: &mut Value, patch: &Patch) {
    match (value, patch) {
        (Value::Map(map), Patch::Object(entries)) => {
            for (key, patch) in entries {
                match patch {
                    Patch::Gone => drop(map.shift_remove(key)),
                    patch => merge(map.entry(key.clone()).or_insert(Value::Map(Map::new())), patch),
                }
            }
        }
        (Value::List(list), Patch::Object(entries)) => {
            for (at, patch) in entries {
                let at: usize = at.parse().expect("number");
                if at == list.len() {
                    list.push(Value::Map(Map::new()));
                }
                merge(&mut list[at], patch);
            }
        }
        (value, Patch::Plain(plain)) => *value = plain.clone(),
        (value, Patch::Object(_)) => {
            *value = Value::Map(Map::new());
            merge(value, patch);
        }
        (_, Patch::Gone) => unreachable!("only entries are taken away"),
    }
}

#[test]
fn adding_an_existing_entry_fills_its_missing_fields() {
    let (memory, results) = memory(
        "candidate_functions",
        false,
        &[
            r#"add $.candidate_functions['a.b'] {"purpose":"one"}"#,
            r#"add $.candidate_functions['a.b'] {"input":"two"}"#,
            r#"add $.candidate_functions['a.b'] {"purpose":"other","output":"three"}"#,
            r#"add $.candidate_functions['a.b'] {"purpose":"one"}"#,
            r#"add $.candidate_functions['a.b'] {"purpose":"other"}"#,
            r#"add $.candidate_functions['a.b'].purpose "other""#,
            r#"add $.candidate_functions {"c":{},"a.b":{"procedure":"four"}}"#,
        ],
    );
    let merged = |kept| Ok(Applied::Merged { kept });
    let nothing = Err(RejectionReason::NothingNew);
    let expected = [
        Ok(Applied::Added),
        merged(0),
        merged(1),
        nothing,
        Err(RejectionReason::Exists),
        Err(RejectionReason::Exists),
        merged(0),
    ];
    assert_eq!(results, expected);
    let held =
        r#"{"candidate_functions":{"a.b":{"purpose":"one","input":"two","output":"three","procedure":"four"},"c":{}}}"#;
    assert_eq!(memory.value().to_string(), held);
    assert_eq!(memory.revisions_of(&Path::parse("$.candidate_functions['a.b']").unwrap()), 4);
}

#[test]
fn an_update_replaces_an_entry_or_adds_a_missing_one() {
    let (memory, results) = memory(
        "candidate_functions",
        true,
        &[
            r#"update $.candidate_functions.a {"purpose":"one","input":"two"}"#,
            r#"update $.candidate_functions.a {"input":"three","output":"four"}"#,
            r#"update $.candidate_functions.b.purpose "five""#,
            r#"update $.candidate_functions.b.purpose "five""#,
            r#"update $ {}"#,
        ],
    );
    let (added, updated) = (Ok(Applied::Added), Ok(Applied::Updated));
    assert_eq!(results, [added, updated, added, Err(RejectionReason::NothingNew), Err(RejectionReason::Place)]);
    let held = r#"{"candidate_functions":{"a":{"input":"three","output":"four"},"b":{"purpose":"five"}}}"#;
    assert_eq!(memory.value().to_string(), held);
}

#[test]
fn without_updates_only_new_entries_are_accepted() {
    let lines = ["add $.matches.a 0.5", "update $.matches.a 1", "update $.matches.b 1", "update $.matches {}"];
    let (memory, results) = memory("matches", false, &lines);
    let off = Err(RejectionReason::UpdatesOff);
    assert_eq!(results, [Ok(Applied::Added), off, Ok(Applied::Added), off]);
    assert_eq!(memory.value().to_string(), r#"{"matches":{"a":0.5,"b":1.0}}"#);
}

#[test]
fn a_list_accepts_elements_at_its_end_and_by_number() {
    let (memory, results) = memory(
        "functions",
        true,
        &[
            r#"add $.functions {"name":"a","matches":["x"]}"#,
            r#"add $.functions [{"name":"b"},{"name":"c"}]"#,
            r#"add $.functions[0].matches "y""#,
            r#"add $.functions[0] {"matches":["y","z"]}"#,
            r#"update $.functions[-1].name "d""#,
            r#"add $.functions[3] {"name":"e"}"#,
            r#"add $.functions[9] {"name":"f"}"#,
            r#"add $.functions[-5] {"name":"f"}"#,
            r#"add $.functions []"#,
            r#"add $.functions['0'] {"name":"f"}"#,
            r#"update $.functions[1].matches ["w"]"#,
        ],
    );
    let (added, place) = (Ok(Applied::Added), Err(RejectionReason::Place));
    let merged = Ok(Applied::Merged { kept: 0 });
    let nothing = Err(RejectionReason::NothingNew);
    assert_eq!(
        results,
        [added, added, added, merged, Ok(Applied::Updated), added, place, place, nothing, place, added]
    );
    let held = r#"{"functions":[{"name":"a","matches":["x","y","z"]},{"name":"b","matches":["w"]},{"name":"d"},{"name":"e"}]}"#;
    assert_eq!(memory.value().to_string(), held);
}

#[test]
fn refuses_values_that_do_not_match_the_schema_with_a_reason() {
    for (line, reason) in [
        (r#"add $.nothing 1"#, RejectionReason::Place),
        (r#"add $.candidate_functions.a.b "x""#, RejectionReason::Place),
        (r#"add $.candidate_functions.a.purpose.deeper "x""#, RejectionReason::Place),
        (r#"add $.candidate_functions[0] {}"#, RejectionReason::Place),
        (r#"add $.candidate_functions.a {"purpos":"x"}"#, RejectionReason::Place),
        (r#"add $.candidate_functions.a {"purpose":1}"#, RejectionReason::Type),
        (r#"add $.candidate_functions.a "x""#, RejectionReason::Type),
        (r#"add $.candidate_functions []"#, RejectionReason::Type),
        (r#"add $ 1"#, RejectionReason::Type),
    ] {
        assert_eq!(memory("candidate_functions", true, &[line]).1, [Err(reason)], "{line}");
    }
    let schema = r#"{"properties":{"whole":{"type":"integer"},"part":{"type":"number"},"yes":{"type":"boolean"}}}"#;
    let lines = ["add $.whole 1.0", "add $.part 1", "add $.yes 1", "add $.whole true", "add $.part \"1\""];
    let wrong = Err(RejectionReason::Type);
    assert_eq!(memory(schema, true, &lines).1, [wrong, Ok(Applied::Added), wrong, wrong, wrong]);
}

#[test]
fn a_refusal_contains_the_path_and_the_expected_type() {
    let mut memory = Memory::new(Schema::builtin("candidate_functions").unwrap(), MemoryFormat::InPlace, true);
    let mut why = |line: &str| memory.apply(&revision(line)).unwrap_err().to_string();
    assert_eq!(
        why(r#"add $.candidate_functions {"a":{"purpose":1}}"#),
        r#"$.candidate_functions: the value["a"].purpose is of type int, not str"#
    );
    assert_eq!(
        why(r#"add $.candidate_functions.a.aim "x""#),
        r#"$.candidate_functions.a.aim: $.candidate_functions.a has no field "aim"; it has purpose, input, output, procedure"#
    );
}

#[test]
fn a_value_of_quoted_json_is_parsed() {
    let lines = [r#"add $.candidate_functions.a "{'purpose': 'x'}""#, r#"add $.candidate_functions "{\"b\":{}}""#];
    let (memory, _) = memory("candidate_functions", true, &lines);
    assert_eq!(memory.value().to_string(), r#"{"candidate_functions":{"a":{"purpose":"x"},"b":{}}}"#);
}

#[test]
fn sizes_have_limits() {
    let schema =
        r#"{"properties":{"texts":{"additionalProperties":{"type":"string"}},"list":{"items":{"type":"integer"}}}}"#;
    let mut memory = Memory::new(Schema::read(schema).unwrap(), FORMS[0], true);
    let mut add = |path: Path, value: Value| {
        memory.apply(&Revision { path, operation: Operation::Add, value }).map_err(|no| no.reason)
    };
    let texts = Path::default().key("texts");
    let long = |bytes: usize| Value::Str("x".repeat(bytes));
    assert_eq!(add(texts.key("a"), long(MAX_TEXT)), Ok(Applied::Added));
    assert_eq!(add(texts.key("b"), long(MAX_TEXT + 1)), Err(RejectionReason::TooLarge));
    assert_eq!(add(texts.key("k".repeat(MAX_KEY + 1)), long(1)), Err(RejectionReason::TooLarge));
    let list = Path::default().key("list");
    assert_eq!(add(list.clone(), Value::List(vec![Value::Int(1); MAX_ENTRIES])), Ok(Applied::Added));
    assert_eq!(add(list.clone(), Value::Int(1)), Err(RejectionReason::TooLarge));
    assert_eq!(add(list.index(MAX_ENTRIES), Value::Int(1)), Err(RejectionReason::TooLarge));
    let infinite = Value::Float(f64::INFINITY);
    let mut memory = Memory::new(Schema::builtin("matches").unwrap(), FORMS[0], true);
    let refused = memory.apply(&Revision {
        path: Path::parse("$.matches.a").unwrap(),
        operation: Operation::Add,
        value: infinite,
    });
    assert_eq!(refused.unwrap_err().reason, RejectionReason::Type);
}

#[test]
fn parsing_continues_after_a_refused_revision() {
    let mut memory = Memory::new(Schema::builtin("matches").unwrap(), MemoryFormat::Amendments, true);
    let reply = r#"Here you are:
```json
[{"path": "$.matches.a", "op": "add", "value": 0.5},
 {"path": "$.matches.b", "op": "add", "value": "high"},
 {"path": "$.matches.c", "op": "add", "value": 1},
 {"path": "$.matches.d", "op": "ad"#;
    let revised = memory.revise(parse_reply(reply));
    let reasons: Vec<RejectionReason> = revised.rejected.iter().map(|no| no.reason).collect();
    assert_eq!((revised.applied.len(), reasons), (2, vec![RejectionReason::CutOff, RejectionReason::Type]));
    assert_eq!((memory.counts().added, memory.counts().rejected), (2, 2));
}

#[test]
fn built_in_schemas_are_read_back_from_json_schema() {
    for name in whichfn_memory::BUILTIN {
        let schema = Schema::builtin(name).unwrap();
        assert!(schema.root().fields.contains_key(name), "{name}");
        assert_eq!(Schema::read(&schema.json_schema().to_string()).unwrap(), schema);
        serde_json::from_str::<serde_json::Value>(&schema.reply_schema().to_string()).unwrap();
    }
    assert!(Schema::builtin("none").unwrap_err().to_string().contains("candidate_functions"));
}

fn any_path() -> impl Strategy<Value = Path> {
    let key = prop_oneof![
        any::<String>(),
        Just("__proto__".to_string()),
        prop::collection::vec(
            prop::sample::select(vec!['.', '\'', '"', '\\', '[', ']', '\n', 'é', '0', 'a', ' ', '$', 'u']),
            0..6
        )
        .prop_map(String::from_iter),
    ];
    prop::collection::vec(
        prop_oneof![3 => key.prop_map(PathPart::Key), 1 => any::<i64>().prop_map(PathPart::Index)],
        0..6,
    )
    .prop_map(Path::from_iter)
}

/// Generates text that resembles JSON.
fn any_reply() -> impl Strategy<Value = String> {
    let pieces = vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "'",
        "\\",
        "```",
        "\n",
        "#",
        "//",
        "/*",
        "\"path\"",
        "'$.a'",
        "\"op\": \"add\"",
        "\"value\"",
        "1",
        "-",
        "None",
        "???",
        "é",
        "\"\"\"",
        "(",
        ")",
        "\\ud800",
        "{\"path\": \"$.a\", \"value\": 1}",
        "x",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

/// Generates a type as JSON Schema; objects have descriptions, and some fields are optional.
fn any_type() -> impl Strategy<Value = Map> {
    let plain = prop::sample::select(vec!["string", "integer", "number", "boolean"])
        .prop_map(|name| Map::from_iter([("type".to_string(), Value::from(name))]));
    plain.prop_recursive(3, 12, 3, |inner| {
        let holder = |word: &'static str, values: &'static str| {
            move |of: Map| {
                Map::from_iter([("type".to_string(), Value::from(word)), (values.to_string(), Value::Map(of))])
            }
        };
        prop_oneof![
            inner.clone().prop_map(holder("array", "items")),
            inner.clone().prop_map(holder("object", "additionalProperties")),
            any_object(inner),
        ]
    })
}

/// Generates an object type as JSON Schema.
fn any_object(of: impl Strategy<Value = Map> + 'static) -> impl Strategy<Value = Map> {
    let field =
        (of, any::<bool>(), prop_oneof![Just(String::new()), any::<String>(), Just("a \"\\\" # é".to_string())]);
    prop::collection::btree_map("[a-c]{1,2}", field, 1..4).prop_map(|fields| {
        let required = fields.iter().filter(|(_, (_, optional, _))| !optional);
        let required = required.map(|(name, _)| Value::from(name.as_str())).collect();
        let field = |(name, (mut of, _, doc)): (String, (Map, bool, String))| {
            of.insert("description".into(), Value::Str(doc));
            (name, Value::Map(of))
        };
        let properties = fields.into_iter().map(field).collect();
        Map::from_iter([("properties".to_string(), properties), ("required".to_string(), Value::List(required))])
    })
}

fn any_schema() -> impl Strategy<Value = Schema> {
    any_object(any_type()).prop_map(|object| Schema::read(&Value::Map(object).to_string()).expect("schema"))
}

/// Derives revisions of a schema from bytes. When the bytes are used up, it takes the first choice.
struct Maker<'a>(std::slice::Iter<'a, u8>);

impl Maker<'_> {
    fn choose(&mut self, of: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % of)
    }

    fn revision(&mut self, schema: &Schema) -> Revision {
        let operation = [Operation::Add, Operation::Update][self.choose(2)];
        let (path, of) = self.place(schema.root());
        let value = match (of, self.choose(12)) {
            (_, 11) => Value::Str("anything".into()),
            (Type::List(inner), 6..) => self.value(inner, 0),
            (of, _) => self.value(of, 0),
        };
        Revision { path, operation, value }
    }

    fn place<'s>(&mut self, root: &'s SchemaObject) -> (Path, &'s Type) {
        let (name, field) = root.fields.get_index(self.choose(root.fields.len())).expect("field");
        let (mut path, mut of) = (Path::default().key(name.as_str()), &field.ty);
        while self.choose(4) > 0 {
            match of {
                Type::Object(object) => {
                    let (name, field) = object.fields.get_index(self.choose(object.fields.len())).expect("field");
                    (path, of) = (path.key(name.as_str()), &field.ty);
                }
                Type::Map(inner) => (path, of) = (path.key(self.key()), inner),
                Type::List(inner) => (path, of) = (path.index(self.choose(3)), inner),
                _ => break,
            }
        }
        (path, of)
    }

    fn key(&mut self) -> &'static str {
        ["x", "y", "", "a.b'c\"", "0"][self.choose(5)]
    }

    fn value(&mut self, of: &Type, depth: usize) -> Value {
        let many = if depth > 3 { 1 } else { 3 };
        match of {
            Type::Str => ["", "one", "two\n\"'", "é"][self.choose(4)].into(),
            Type::Int => Value::Int(self.choose(3) as i64 - 1),
            Type::Float => [Value::Int(1), Value::Float(0.5), Value::Float(-1e-9)][self.choose(3)].clone(),
            Type::Bool => Value::Bool(self.choose(2) == 1),
            Type::List(inner) => Value::List((0..self.choose(many)).map(|_| self.value(inner, depth + 1)).collect()),
            Type::Map(inner) => {
                (0..self.choose(many)).map(|_| (self.key().to_string(), self.value(inner, depth + 1))).collect()
            }
            Type::Object(object) => {
                let fields = object.fields.iter().filter(|_| self.choose(3) > 0).collect::<Vec<_>>();
                fields.into_iter().rev().map(|(name, field)| (name.clone(), self.value(&field.ty, depth + 1))).collect()
            }
        }
    }
}

/// Checks whether `new` contains everything in `old`.
fn is_kept(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Map(old), Value::Map(new)) => {
            old.iter().all(|(key, old)| new.get(key).is_some_and(|new| is_kept(old, new)))
        }
        (Value::List(old), Value::List(new)) => {
            old.len() <= new.len() && old.iter().zip(new).all(|(old, new)| is_kept(old, new))
        }
        (old, new) => old == new,
    }
}

/// Checks whether `held` contains the given value: exactly, or with additional names and elements.
fn is_taken(given: &Value, held: &Value, exactly: bool) -> bool {
    match (given, held) {
        (Value::Map(given), Value::Map(held)) => {
            (!exactly || given.len() == held.len())
                && given.iter().all(|(key, given)| held.get(key).is_some_and(|held| is_taken(given, held, exactly)))
        }
        (Value::List(given), Value::List(held)) if exactly => {
            given.len() == held.len() && given.iter().zip(held).all(|(given, held)| is_taken(given, held, true))
        }
        (Value::List(elements), Value::List(held)) => {
            let has = |given: &Value| held.iter().any(|held| is_taken(given, held, true));
            elements.iter().all(has) || has(given)
        }
        (element, Value::List(held)) => held.last().is_some_and(|held| is_taken(element, held, true)),
        (Value::Map(_), _) | (_, Value::Map(_)) => false,
        (Value::Int(int), Value::Float(float)) | (Value::Float(float), Value::Int(int)) => {
            !exactly || *int as f64 == *float
        }
        (given, held) => !exactly || given == held,
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_path_is_read_back_as_it_was(path in any_path()) {
        prop_assert_eq!(Path::parse(&path.to_string()), Ok(path));
    }

    #[test]
    fn any_reply_is_parsed_without_a_panic(text in any::<String>(), reply in any_reply()) {
        for text in [text, reply] {
            drop(parse_reply(&text));
            drop(Path::parse(&text));
            drop(Schema::read(&text));
        }
    }

    #[test]
    fn a_revision_is_read_back_from_any_value(path in any_path(), schema in any_schema(), bytes in prop::collection::vec(any::<u8>(), 30)) {
        let value = Maker(bytes.iter()).revision(&schema).value;
        let text = format!("so: {{\"path\":{},\"op\":\"update\",\"value\":{value}}} and", Value::Str(path.to_string()));
        let parsed = parse_reply(&text);
        prop_assert_eq!(parsed.rejected, vec![]);
        prop_assert_eq!(parsed.revisions, vec![Revision { path, operation: Operation::Update, value }]);
    }

    #[test]
    fn schemas_are_read_back_as_they_were(schema in any_schema()) {
        prop_assert_eq!(&Schema::read(&schema.json_schema().to_string()).unwrap(), &schema);
    }

    #[test]
    fn both_formats_have_the_same_content_in_the_same_order(
        schema in any_schema(), updates in any::<bool>(), bytes in prop::collection::vec(any::<u8>(), 0..400)
    ) {
        let [mut in_place, mut amendments] = FORMS.map(|form| Memory::new(schema.clone(), form, updates));
        let mut maker = Maker(bytes.iter());
        while maker.0.len() > 0 {
            let revision = maker.revision(&schema);
            let (value, text) = (in_place.value().clone(), amendments.render());
            let taken = in_place.apply(&revision);
            prop_assert_eq!(&amendments.apply(&revision), &taken);
            assert_same(&in_place, &amendments);
            prop_assert!(amendments.render().starts_with(&text), "amendments are appended");
            if !matches!(taken, Ok(Applied::Updated)) {
                prop_assert!(is_kept(&value, in_place.value()), "{revision:?} loses something of {value}");
            }
            if let Ok(applied) = &taken {
                let held = in_place.get(&revision.path).expect("what was taken is there");
                let exactly = *applied == Applied::Updated;
                prop_assert!(is_taken(&revision.value, held, exactly), "{revision:?} gave {held}");
            }
            prop_assert_eq!(taken.is_err(), value.to_string() == in_place.value().to_string(), "taken or not");
        }
    }

    #[test]
    fn compression_drops_what_it_lists_and_nothing_else(
        schema in any_schema(), bytes in prop::collection::vec(any::<u8>(), 0..300), limit in 0usize..80, amended in any::<bool>()
    ) {
        let mut memory = Memory::new(schema.clone(), FORMS[usize::from(amended)], true);
        let mut maker = Maker(bytes.iter());
        while maker.0.len() > 100 {
            drop(memory.apply(&maker.revision(&schema)));
        }
        let before = memory.clone();
        let compressed = memory.compress(limit, |path| path.to_string().len() as f32);
        prop_assert_eq!(compressed.before, count_tokens(&before.render()));
        prop_assert_eq!(compressed.after, count_tokens(&memory.render()));
        prop_assert_eq!(memory.counts().dropped, compressed.dropped.len());
        let gone: BTreeSet<String> = compressed.dropped.iter().map(|dropped| dropped.path.to_string()).collect();
        prop_assert_eq!(without(&before, &gone).to_string(), memory.value().to_string());
        if compressed.after > limit {
            prop_assert!(before.value().as_map().unwrap().iter().all(|(name, _)| entries(&memory, name).is_empty()));
        }
        while maker.0.len() > 0 {
            drop(memory.apply(&maker.revision(&schema)));
        }
        let text = memory.render();
        let read = if amended { read_amendments(&text) } else { Value::from_json(&text).unwrap() };
        prop_assert_eq!(read.to_string(), memory.value().to_string(), "what follows fits on");
    }
}

/// Returns the entries of a top-level map or list with their paths.
fn entries(memory: &Memory, attribute: &str) -> Vec<(String, Value)> {
    let path = Path::default().key(attribute);
    match (&memory.schema().root().fields[attribute].ty, memory.get(&path)) {
        (Type::Map(_), Some(Value::Map(map))) => {
            map.iter().map(|(key, value)| (path.key(key.as_str()).to_string(), value.clone())).collect()
        }
        (Type::List(_), Some(Value::List(list))) => {
            list.iter().enumerate().map(|(at, value)| (path.index(at).to_string(), value.clone())).collect()
        }
        _ => Vec::new(),
    }
}

fn without(memory: &Memory, gone: &BTreeSet<String>) -> Value {
    let attributes = memory.value().as_map().expect("map").iter().map(|(name, value)| {
        let left = entries(memory, name).into_iter().filter(|(path, _)| !gone.contains(path));
        let last_key = |path: &str| match Path::parse(path).expect("path").parts().last() {
            Some(PathPart::Key(key)) => key.clone(),
            _ => String::new(),
        };
        let left = match memory.schema().root().fields[name].ty {
            Type::Map(_) => left.map(|(path, value)| (last_key(&path), value)).collect(),
            Type::List(_) => Value::List(left.map(|(_, value)| value).collect()),
            _ => value.clone(),
        };
        (name.clone(), left)
    });
    attributes.collect()
}
