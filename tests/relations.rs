//! Tests `whichfn graph --relations`: the weights can be recomputed from the JSON of the graph.

use crate::support::env::Env;
use serde_json::Value;
use std::collections::{BTreeMap, BinaryHeap};

const SESSION: &str = "from app.clock import now


class Session:
    def renew(self, token):
        if check(token):
            self.until = self.expiry()

    def expiry(self):
        return now() + 3600


# Two nodes inside the lines of one window, none of the next.
LIMITS = [
    1,
    2,
    3,
]


def check(token):
    return bool(token)


def forget(session):
    session.until = now()
";

const CLOCK: &str = "/// Seconds since the start.
#[inline]
pub fn now() -> u64 {
    ticks() / 1000
}

fn ticks() -> u64 {
    0
}
";

const VIEWS: &str = "from app.session import Session, check


def login(request):
    session = Session()
    return session.renew(request.token)


def logout(request):
    return check(request.token)
";

fn app() -> Env {
    Env::with(&[
        ("app/session.py", SESSION),
        ("app/clock.py", "def now():\n    return 0\n"),
        ("app/web/views.py", VIEWS),
        ("lib/clock.rs", CLOCK),
        ("lib/empty.py", ""),
        ("notes.txt", "nothing\n"),
    ])
}

/// Upper limit of the difference between an exact weight and the lower weight of the fast
/// implementation.
const FLOOR: f64 = 0.0001;

/// Weight of each pair of fragments.
type Weights = BTreeMap<(u64, u64), f64>;

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number: {value}"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

/// Returns the weights that the program prints.
fn printed(env: &Env, arguments: &[&str]) -> Weights {
    let all: Vec<&str> = ["graph", "--relations"].iter().chain(arguments).copied().collect();
    let value = env.run(&all).found().without_stderr().json();
    let rows = list(&value["rows"]).iter().flat_map(|row| {
        let of = number(&row["fragment"]);
        list(&row["weights"]).iter().map(move |pair| ((of, number(&pair[0])), real(&pair[1])))
    });
    rows.collect()
}

/// Returns the largest product of edge weights from one node to each other node, computed with
/// Dijkstra's algorithm.
fn reach(neighbours: &BTreeMap<u64, Vec<(u64, f64)>>, from: u64) -> BTreeMap<u64, f64> {
    let mut known = BTreeMap::new();
    // Positive floating-point numbers have the same order as their bits.
    let mut queue = BinaryHeap::from([(1f64.to_bits(), from)]);
    while let Some((bits, at)) = queue.pop() {
        if known.contains_key(&at) {
            continue;
        }
        let weight = f64::from_bits(bits);
        known.insert(at, weight);
        for (next, edge) in neighbours.get(&at).into_iter().flatten() {
            queue.push(((weight * edge).to_bits(), *next));
        }
    }
    known
}

/// Returns the weights of SPEC section 1, computed from the nodes, edges and fragments of `graph
/// --format json`.
fn computed(env: &Env, unit: &str) -> Weights {
    let graph = env.run(&["graph", "--format", "json"]).found().json();
    let mut neighbours: BTreeMap<u64, Vec<(u64, f64)>> = BTreeMap::new();
    for edge in list(&graph["edges"]) {
        let (a, b, weight) = (number(&edge["a"]), number(&edge["b"]), real(&edge["weight"]));
        neighbours.entry(a).or_default().push((b, weight));
        neighbours.entry(b).or_default().push((a, weight));
    }
    let nodes = |fragment: &Value| -> Vec<(u64, f64)> {
        list(&fragment["nodes"]).iter().map(|pair| (number(&pair[0]), real(&pair[1]))).collect()
    };
    let fragments: Vec<(u64, Vec<(u64, f64)>)> = list(&graph["fragments"])
        .iter()
        .filter(|fragment| fragment["unit"] == unit)
        .map(|fragment| (number(&fragment["id"]), nodes(fragment)))
        .collect();
    let mut weights = Weights::new();
    for (i, own) in &fragments {
        let reached: Vec<(f64, BTreeMap<u64, f64>)> =
            own.iter().map(|&(node, len)| (len, reach(&neighbours, node))).collect();
        for (j, others) in &fragments {
            let (mut above, mut below) = (0.0, 0.0);
            for (len_k, known) in &reached {
                for (node, len_l) in others {
                    above += len_k * len_l * known.get(node).unwrap_or(&0.0);
                    below += len_k * len_l;
                }
            }
            if above > 0.0 {
                weights.insert((*i, *j), above / below);
            }
        }
    }
    weights
}

#[test]
fn exact_weights_can_be_computed_from_the_printed_graph() {
    let env = app();
    for (unit, at_least) in [("definition", 50), ("window", 20)] {
        let (computed, said) = (computed(&env, unit), printed(&env, &["--unit", unit, "--exact"]));
        assert!(computed.len() >= at_least, "{unit}: {}", computed.len());
        for pair in computed.keys().chain(said.keys()) {
            let of = |weights: &Weights| weights.get(pair).copied().unwrap_or(0.0);
            assert!((of(&computed) - of(&said)).abs() < 1e-6, "{unit} {pair:?}: {} and {}", of(&computed), of(&said));
        }
    }
}

#[test]
fn fast_weights_leave_out_less_than_the_floor() {
    let env = app();
    for unit in ["definition", "window"] {
        let (computed, said) = (computed(&env, unit), printed(&env, &["--unit", unit]));
        for (pair, weight) in &computed {
            let left_out = weight - said.get(pair).copied().unwrap_or(0.0);
            assert!((-1e-9..FLOOR).contains(&left_out), "{unit} {pair:?}: {left_out} of {weight}");
        }
        assert!(said.keys().all(|pair| computed.contains_key(pair)));
    }
}

#[test]
fn the_rows_are_the_fragments_of_the_graph_in_order() {
    let env = app();
    let graph = env.run(&["graph"]).found().json();
    for unit in ["definition", "window"] {
        let value = env.run(&["graph", "--relations", "--unit", unit]).found().json();
        assert_eq!((value["version"].clone(), value["unit"].clone()), (1.into(), unit.into()));
        let rows: Vec<u64> = list(&value["rows"]).iter().map(|row| number(&row["fragment"])).collect();
        let fragments = list(&graph["fragments"]).iter().filter(|fragment| fragment["unit"] == unit);
        assert_eq!(rows, fragments.map(|fragment| number(&fragment["id"])).collect::<Vec<_>>(), "{unit}");
        for row in list(&value["rows"]) {
            let others: Vec<u64> = list(&row["weights"]).iter().map(|pair| number(&pair[0])).collect();
            assert!(others.is_sorted_by(|a, b| a < b), "{row}");
        }
    }
    let without = env.run(&["graph", "--relations"]).found().out;
    assert_eq!(without, env.run(&["graph", "--relations", "--unit", "definition"]).found().out, "the default");
}

#[test]
fn relations_cover_a_whole_directory() {
    let env = app();
    let of_lib = env.run(&["graph", "lib", "--relations"]).found().json();
    assert_eq!(list(&of_lib["rows"]).len(), 2);
    assert_eq!(env.run(&["graph", "--in", "lib", "--relations"]).found().json(), of_lib);
    let nothing = Env::with(&[("notes.txt", "nothing\n")]).run(&["graph", "--relations"]);
    assert_eq!((nothing.code, &nothing.json()["rows"]), (Some(1), &serde_json::json!([])));
}

#[test]
fn wrong_options_suggest_the_right_ones() {
    let env = app();
    let next = "pass a directory or nothing, and omit --format";
    env.run(&["graph", "renew", "--relations"]).failed(&["--relations prints a whole directory", next]);
    env.run(&["graph", "nothing", "--relations"]).failed(&["--relations prints a whole directory", next]);
    for format in ["dot", "graphml", "html"] {
        env.run(&["graph", "--relations", "--format", format]).failed(&["--relations prints a whole directory", next]);
    }
    env.run(&["graph", "--relations", "--unit", "file"])
        .failed(&["--unit file cannot be used with --relations", "--unit definition"]);
    for wrong in [&["--unit", "window"][..], &["--exact"], &["--relations", "-k", "3"], &["--relations", "-o", "x"]] {
        let ran = env.run(&[&["graph"][..], wrong].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:#?}");
        assert!(ran.err.contains("--relations"), "{ran:#?}");
    }
}
