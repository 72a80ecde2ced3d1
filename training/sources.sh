#!/usr/bin/env bash
# Creates the repositories of sources.toml as DIR/sources/<repo>, from the packages in DIR/packages (fetch.sh), those of
# benches/quality (downloaded to DIR/whole) and github.com. Existing repositories are kept.
#   training/sources.sh DIR
# Needs git and the programs that benches/quality/fetch.sh needs.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
cd "${1:?give the folder that has packages/}"
mkdir -p sources

package() { # folder to
    for inner in "$1"/*; do
        case "$inner" in
            *.dist-info) ;;
            *) cp -R "$inner" "$2" ;;
        esac
    done
}

crate() { # folder to
    cp -R "$1/src" "$2"
}

checkout() { # owner/name commit folder to
    local clone
    clone="$(mktemp -d)"
    git -C "$clone" init -q
    git -C "$clone" fetch -q --depth 1 "https://github.com/$1" "$2"
    # shellcheck disable=SC2086 # several folders are several words
    git -C "$clone" archive FETCH_HEAD $3 | tar -x -C "$4"
    rm -rf "$clone"
}

fill() { # list name version folder to
    local from="$1/$2-$3"
    case "$1" in
        git) checkout "$2" "$3" "$4" "$5" ;;
        packages) # a crate has a folder of its own
            if [ -e "$from/$2-$3/Cargo.toml" ]; then crate "$from/$2-$3" "$5"; else package "$from" "$5"; fi ;;
        whole) if [ -e "$from/Cargo.toml" ]; then crate "$from" "$5"; else package "$from" "$5"; fi ;;
    esac
}

"$here/../benches/quality/fetch.sh" whole
awk -F'"' '
    /^[a-z]+ = \[/ { split($0, words, " "); list = words[1] }
    /^ +\{ repo = / { print list, $2, $4, $6, $8 }
' "$here/sources.toml" | while read -r list repo name version folder; do
    to="sources/$repo"
    [ -e "$to" ] && continue
    rm -rf "$to.part" && mkdir "$to.part"
    fill "$list" "$name" "$version" "$folder" "$to.part"
    mv "$to.part" "$to"
    echo "$repo"
done
