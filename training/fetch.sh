#!/usr/bin/env bash
# Downloads the packages of packages.toml to DIR/<name>-<version>/ and checks the sha256 of each. Existing packages are
# kept, so an interrupted run continues where it stopped. Only the code and the metadata of a package are unpacked,
# without `_vendor` folders, which are copies of other projects.
#   training/fetch.sh DIR [NAME..]     all packages, or those with the given names
# Needs pip (wheels), cargo (crates) and python3 (to unpack wheels). JOBS=4: number of parallel downloads.
set -euo pipefail
list="$(cd "$(dirname "$0")" && pwd)/packages.toml"
mkdir -p "${1:?give the folder to put the packages into}"
cd "$1"
shift
into="$(pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work" # outside of any workspace, for cargo
export into work most=8000000 # bytes of a wheel or crate

wheel() { # name version tags -> file; without tags ("any") it is the one for any platform
    local options=() python abi platforms platform
    if [ "$3" != any ]; then
        IFS=- read -r python abi platforms <<<"$3"
        options=(--implementation "${python:0:2}" --python-version "${python:2}" --abi "$abi")
        for platform in ${platforms//./ }; do options+=(--platform "$platform"); done
    fi
    python3 -m pip -q --disable-pip-version-check download --no-deps --only-binary :all: --ignore-requires-python \
        "${options[@]}" --dest "$work/$1-$2" "$1==$2" >&2
    ls "$work/$1-$2"/*.whl
}

crate() { # name version -> file; cargo leaves what it asked for in its cache
    cargo -q info --registry crates-io "$1@$2" >/dev/null
    ls "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$1-$2.crate" | head -n 1
}

unpack='
import sys, zipfile
wheel, to = sys.argv[1:]
with zipfile.ZipFile(wheel) as files:
    for name in files.namelist():
        if name.endswith((".py", "METADATA")) and "_vendor" not in name.split("/"):
            files.extract(name, to)
'

fetch() { # language name version sum tags
    local to="$into/$2-$3" file
    [ -e "$to" ] && return
    case "$1" in
        python) file="$(wheel "$2" "$3" "$5")" ;;
        rust) file="$(crate "$2" "$3")" ;;
    esac || return
    echo "$4  $file" | sha256sum --check --quiet || return
    [ "$(wc -c <"$file")" -le "$most" ] || { echo "$2 $3: over $most bytes" >&2 && return 1; }
    rm -rf "$to.part" && mkdir "$to.part"
    case "$1" in
        python) python3 -c "$unpack" "$file" "$to.part" && rm -r "${file%/*}" ;;
        rust) tar -xzf "$file" -C "$to.part" --wildcards '*.rs' '*/Cargo.toml' ;;
    esac || return
    mv "$to.part" "$to"
    echo "$2 $3"
}
export unpack
export -f wheel crate fetch

awk -F'"' -v names=" $* " '
    /^[a-z]+ = \[/ { split($0, words, " "); language = words[1] }
    /^ +\{ name = / && (names == "  " || index(names, " " $2 " ")) { print language, $2, $4, $8, $10 ? $10 : "any" }
' "$list" |
    xargs -P "${JOBS:-4}" -L 1 bash -c 'fetch "$@" || { echo "$2 $3: not fetched" >&2; exit 1; }' fetch
