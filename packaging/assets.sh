#!/bin/sh
# Writes the manual pages and the completions of a built program, for packages.
#   packaging/assets.sh target/dist/whichfn target/assets
set -eu
program=${1:?missing argument: the built program} folder=${2:?missing argument: the output folder}
mkdir -p "$folder/completions"
"$program" man --output "$folder/man"
for shell in bash zsh fish; do "$program" completions "$shell" > "$folder/completions/$shell"; done
