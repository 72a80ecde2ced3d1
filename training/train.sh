#!/usr/bin/env bash
# Builds the weights that ship from the manifest: the word vectors and the learned order. Intermediate files (packages,
# pairs, repositories, lists) are stored in DIR, about 2 GB; existing packages and repositories are kept.
#   training/train.sh DIR
# Needs the programs that fetch.sh and sources.sh need, and no GPU; `training/README.md` has the times.
set -euo pipefail
mkdir -p "${1:?give a folder for intermediate files}"
dir="$(cd "$1" && pwd)"
cd "$(dirname "$0")/.."
words="$(git ls-files 'crates/*/words.bin')" # where the program has them

train() { # built again if the words have changed
    cargo run -q --release -p whichfn-training -- "$@"
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
TMPDIR="$dir" train type-lists "$dir/types" "$dir/sources=training/types.jsonl"
train type-order "$dir/types" crates/search/src/search/order.toml crates/search/src/search/types.toml
TMPDIR="$dir" train evidence "$dir/read" "${sets[@]}" # in the new order
train judge "$dir/read" crates/read/src/lookup/judge.toml
