# Recipes for common tasks; `just` without arguments lists them.

_list:
    @just --list

# Check format and lints, and run all tests; every commit must pass.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo test --workspace

# Build with the oldest Rust that the manifest supports (`rustup toolchain install 1.90.0`).
oldest:
    cargo +1.90.0 check --locked --all-targets --target-dir target/oldest

# Run one module of tests, wherever it is: `just test languages` runs crates/graph/tests/languages.rs.
test NAME:
    crate=$(ls crates/*/tests/{{NAME}}.rs 2> /dev/null | cut -d/ -f2); \
    cargo test -p "whichfn${crate:+-$crate}" --test tests -- {{NAME}}::

# Update the expected results in fixtures and documents; then read the diff.
update:
    UPDATE=1 cargo test
    git diff --stat

# Update the ranks of fixtures/questions.jsonl after a change of the ranking; then read the diff.
bless:
    UPDATE=1 cargo test -p whichfn --test tests -- ranks::
    git diff --stat fixtures/ranks.tsv

# Measure indexing, refreshing and asking on a directory, relative to reading and parsing only.
bench DIR='.':
    cargo bench --bench speed -- {{DIR}}

# Measure CPU, wall time and peak memory of whole processes: indexing, edits, questions, with a floor and other tools.
processes +TREES:
    cargo build --release --bin whichfn --bench speed
    benches/processes.py --peers --floor "$(ls -t target/release/deps/speed-* | grep -v '\.d$' | head -1)" {{TREES}}

# Measure the ranking on question sets: `just quality FOLDER-OF-REPOSITORIES SET.jsonl...`.
quality ROOT +SETS:
    cargo run --release -- eval {{SETS}} --repo-root {{ROOT}}

# Try other ranking constants: `just tune ROOT=SET.jsonl test=0.2`, or `just tune ROOT=SET.jsonl sweep`.
tune +ARGUMENTS:
    cargo bench --bench tune -- {{ARGUMENTS}}

# Measure the cost of relations, and how often the fast and the exact method agree: `just relations DIR SET.jsonl --exact`.
relations DIR *OPTIONS:
    cargo bench --bench relations -- {{DIR}} {{OPTIONS}}

# Measure what `context` retrieves for completions; fetches the pinned packages into the folder first.
completion DIR *OPTIONS:
    benches/quality/fetch.sh {{DIR}}
    cargo bench --bench quality -- {{DIR}} {{OPTIONS}}

# Compare call edges with PyCG's micro-benchmark (the folder micro-benchmark/snippets of a checkout).
callgraph DIR *TRUTH:
    cargo bench --bench callgraph -- {{DIR}} {{TRUTH}}

# Show what is indexed of a language: writes its fixture and prints the written part.
lang NAME:
    UPDATE=1 cargo test -p whichfn-graph --test tests -- languages::
    sed -n '/^```definitions/,$p' fixtures/lang/{{NAME}}.md

# Run the long tests of `.ci/run`: changed sources, faults at every call that writes, and 1,000 kills.
harden:
    WHICHFN_MUTATIONS=6000 WHICHFN_FAULTS=all WHICHFN_KILLS=1000 cargo test -p whichfn --test tests -- mutations:: faults::
