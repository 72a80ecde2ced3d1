#!/usr/bin/env bash
# From the manifest to the weights that ship: the word vectors and the learned order. What lies between (packages, pairs,
# repositories, lists) goes into DIR, about 2 GB; packages and repositories that are there stay.
#   training/train.sh DIR
# Needs what fetch.sh and sources.sh need. A processor is enough; `training/README.md` says how long it takes.
set -euo pipefail
mkdir -p "${1:?give a folder for what lies between}"
dir="$(cd "$1" && pwd)"
cd "$(dirname "$0")/.."
words="$(git ls-files 'src/*/words.bin')" # where the program has them

train() { # built anew where the words have changed since
    cargo run -q --release --features training --example train -- "$@"
}

training/fetch.sh "$dir/packages"
train pairs "$dir/packages" "$dir/pairs" # and `check` before it
training/vectors.py "$dir/vectors"
train words "$dir/pairs" "$dir/vectors" "$dir/words.bin"
cp "$dir/words.bin" "$words"

training/sources.sh "$dir"
rm -rf "$dir/whichfn-train" # indexes with other words
sets=("$dir/sources=training/questions.jsonl" "$dir/sources=training/typed.jsonl")
TMPDIR="$dir" train lists "$dir/lists" "${sets[@]}"
TMPDIR="$dir" train foreign "$dir/foreign" "${sets[@]}"
train order "$dir/lists" crates/search/src/search/order.toml
train trust "$dir/lists" "$dir/foreign" crates/search/src/search/order.toml
TMPDIR="$dir" train evidence "$dir/read" "${sets[@]}" # in the new order
train judge "$dir/read" crates/read/src/lookup/judge.toml
