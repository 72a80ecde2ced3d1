# One command for each wish; `just` alone lists them.

_list:
    @just --list

# Format, lints, all tests: what each commit passes.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo test --workspace

# The oldest Rust that the manifest names (`rustup toolchain install 1.90.0`).
oldest:
    cargo +1.90.0 check --locked --all-targets --target-dir target/oldest

# The tests of one module of tests/tests.rs, e.g. `just test languages`.
test NAME:
    cargo test --test tests -- {{NAME}}::

# Write what is seen into fixtures and documents; then read the diff.
update:
    UPDATE=1 cargo test
    git diff --stat

# Write the ranks of fixtures/questions.jsonl anew after a change of the ranking; the diff is for people to read.
bless:
    UPDATE=1 cargo test --test tests -- ranks::
    git diff --stat fixtures/ranks.tsv

# How long indexing, refreshing and asking take on a directory, against reading and parsing alone.
bench DIR='.':
    cargo bench --bench speed -- {{DIR}}

# CPU, wall time and peak memory of whole processes: indexing, each kind of edit, questions, beside a floor and other tools.
processes +TREES:
    cargo build --release --bin whichfn --bench speed
    benches/processes.py --peers --floor "$(ls -t target/release/deps/speed-* | grep -v '\.d$' | head -1)" {{TREES}}

# How well question sets are answered: `just quality FOLDER-OF-REPOSITORIES SET.jsonl...`.
quality ROOT +SETS:
    cargo run --release -- eval {{SETS}} --repo-root {{ROOT}}

# Try other ranking constants: `just tune ROOT=SET.jsonl test=0.2`, or `just tune ROOT=SET.jsonl sweep`.
tune +ARGUMENTS:
    cargo bench --bench tune -- {{ARGUMENTS}}

# What relations cost, and how often the fast path's ten best are the exact one's: `just relations DIR SET.jsonl --exact`.
relations DIR *OPTIONS:
    cargo bench --bench relations -- {{DIR}} {{OPTIONS}}

# What `context` retrieves for completions; the pinned packages are fetched into the folder first.
completion DIR *OPTIONS:
    benches/quality/fetch.sh {{DIR}}
    cargo bench --bench quality -- {{DIR}} {{OPTIONS}}

# Call edges against PyCG's micro-benchmark (the folder micro-benchmark/snippets of a checkout).
callgraph DIR:
    cargo bench --bench callgraph -- {{DIR}}

# What is seen of a language: writes its fixture and shows the written part.
lang NAME:
    UPDATE=1 cargo test --test tests -- languages::
    sed -n '/^```definitions/,$p' fixtures/lang/{{NAME}}.md

# What `.ci/run` does beyond the plain tests: changed sources, faults at every call that writes; and 1,000 kills.
harden:
    WHICHFN_MUTATIONS=6000 WHICHFN_FAULTS=all WHICHFN_KILLS=1000 cargo test --test tests -- mutations:: faults::
