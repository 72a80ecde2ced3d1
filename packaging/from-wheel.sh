#!/bin/sh
# Takes the program out of a wheel, so that every package contains the same bytes.
#   packaging/from-wheel.sh dist/whichfn-0.1.0-py3-none-manylinux_2_17_x86_64.whl target/dist/whichfn
set -eu
wheel=${1:?missing argument: the wheel} program=${2:?missing argument: the program to write}
mkdir -p "$(dirname "$program")"
unzip -p "$wheel" '*/scripts/whichfn' > "$program"
chmod 755 "$program"
