//! Measures revisions per second on 1,000 candidate functions, for both formats of a memory. Run it
//! with `cargo bench --bench memory`.
//!
//! A round is 100,000 revisions on a memory with 1,000 entries: updates of a whole entry, updates
//! of one field, and rejected additions of existing entries, in turn. Prints medians of nine
//! rounds; the formats alternate. Then measures parsing replies and rendering the text for a
//! prompt.

#![allow(clippy::print_stdout)] // a program of its own
#[allow(dead_code)] // the floor of other benchmarks
#[path = "shared/measure.rs"]
mod measure;

use measure::{median, timed};
use whichfn_memory::{Map, Memory, MemoryFormat, Operation, Path, Revision, Schema, Value, count_tokens, parse_reply};

const ROUNDS: usize = 9;
const KEYS: usize = 1_000;
const REVISIONS: usize = 100_000;

fn main() {
    let schema = Schema::builtin("candidate_functions").expect("built in");
    let revisions: Vec<Revision> = (0..REVISIONS).map(revision).collect();
    let forms = [MemoryFormat::InPlace, MemoryFormat::Amendments];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (form, times) in forms.iter().zip(&mut times) {
            let mut memory = filled(&schema, *form);
            times.push(timed(|| revisions.iter().for_each(|revision| drop(memory.apply(revision)))));
            assert_eq!(memory.counts().updated, REVISIONS / 3 * 2 + 1, "two of three are updates");
        }
    }
    for (form, times) in forms.iter().zip(times) {
        println!("{:<11} {:>9.0} revisions/s", format!("{form:?}"), REVISIONS as f64 / median(times) * 1e3);
    }
    let reply: String = (0..KEYS).map(|at| format!("{}\n", line(&revision(at)))).collect();
    let read = median((0..ROUNDS).map(|_| timed(|| assert_eq!(parse_reply(&reply).revisions.len(), KEYS))).collect());
    println!("parse_reply {:>9.1} MB/s", reply.len() as f64 / read / 1e3);
    let memory = filled(&schema, MemoryFormat::InPlace);
    let text = memory.render();
    let (render, count) = (
        median((0..ROUNDS).map(|_| timed(|| drop(memory.render()))).collect()),
        median((0..ROUNDS).map(|_| timed(|| _ = count_tokens(&text))).collect()),
    );
    println!("render {render:.2} ms, tokens {count:.2} ms, for {} kB in place", text.len() / 1000);
}

fn filled(schema: &Schema, form: MemoryFormat) -> Memory {
    let mut memory = Memory::new(schema.clone(), form, true);
    for key in 0..KEYS {
        let add = Revision { path: path(key), operation: Operation::Add, value: entry(0) };
        memory.apply(&add).expect("fits");
    }
    memory
}

fn path(key: usize) -> Path {
    Path::default().key("candidate_functions").key(format!("package.module.function_{key}"))
}

fn revision(at: usize) -> Revision {
    let key = at * 7 % KEYS;
    match at % 3 {
        0 => Revision { path: path(key), operation: Operation::Update, value: entry(at + 1) },
        1 => {
            let value = Value::Str(format!("finds the entry numbered {at} of a page"));
            Revision { path: path(key).key("purpose"), operation: Operation::Update, value }
        }
        _ => Revision { path: path(key), operation: Operation::Add, value: entry(0) },
    }
}

fn entry(at: usize) -> Value {
    let field = |name: &str, text: &str| (name.to_string(), Value::Str(format!("{text} {at}")));
    Value::Map(Map::from_iter([
        field("purpose", "decides whether a page is in the cache and finds its entry, number"),
        field("input", "the page's address and the cache, opened for reading; at most"),
        field("output", "the entry, or nothing where the page is not in the cache of size"),
        field("procedure", "hashes the address, walks the bucket, and compares whole addresses up to"),
    ]))
}

fn line(revision: &Revision) -> String {
    let path = Value::Str(revision.path.to_string());
    let action = if revision.operation == Operation::Add { "add" } else { "update" };
    format!("{{\"path\":{path},\"operation\":\"{action}\",\"value\":{}}}", revision.value)
}
