#!/usr/bin/env bash
# Downloads the packages of packages.toml to DIR/<name>-<version>/ and checks the sha256 of each. Existing ones are kept.
#   benches/quality/fetch.sh DIR
# Needs pip (wheels), cargo (crates) and python3 (to unpack wheels).
set -euo pipefail
list="$(cd "$(dirname "$0")" && pwd)/packages.toml"
mkdir -p "${1:?give the folder to put the packages into}"
cd "$1"
into="$(pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work" # outside of any workspace, for cargo

wheel() { # name version -> file
    python3 -m pip -q download --no-deps --only-binary :all: --dest "$work" "$1==$2" >&2
    ls "$work"/*.whl
}

crate() { # name version -> file; cargo leaves what it asked for in its cache
    cargo -q info --registry crates-io "$1@$2" >/dev/null
    ls "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$1-$2.crate" | head -n 1
}

awk -F'"' '/^name/{n=$2} /^version/{v=$2} /^language/{l=$2} /^sha256/{print n, v, l, $2}' "$list" |
    while read -r name version language sum; do
        to="$into/$name-$version"
        [ -e "$to" ] && continue
        case "$language" in
            python) file="$(wheel "$name" "$version")" ;;
            rust) file="$(crate "$name" "$version")" ;;
        esac
        echo "$sum  $file" | sha256sum --check --quiet
        rm -rf "$to.part" && mkdir "$to.part"
        case "$file" in
            *.whl) python3 -m zipfile -e "$file" "$to.part" && rm "$file" ;;
            *.crate) tar -xzf "$file" -C "$to.part" --strip-components 1 ;;
        esac
        mv "$to.part" "$to"
        echo "$name $version"
    done
