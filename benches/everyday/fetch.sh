#!/usr/bin/env bash
# Downloads the repositories of questions.jsonl and more.jsonl to DIR/<repo>, each at one commit. Existing ones are kept.
#   benches/everyday/fetch.sh DIR
# Needs git and github.com; 280 MB.
set -euo pipefail
mkdir -p "${1:?give the folder to put the repositories into}"
cd "$1"
while read -r repo name commit; do
    [ -e "$repo" ] && continue
    rm -rf "$repo.part" && git init -q "$repo.part"
    git -C "$repo.part" fetch -q --depth 1 "https://github.com/$name" "$commit"
    git -C "$repo.part" checkout -q FETCH_HEAD
    rm -rf "$repo.part/.git" && mv "$repo.part" "$repo"
    echo "$repo"
done <<'LIST'
borg borgbackup/borg fc74d5f643d17d5341e303cd5ed4ddeb425660f0
terraform hashicorp/terraform 883c7221ee2e0bc2fad6912fd4b3cc4b53a598a7
kafka apache/kafka 1eb7644349cb07139d6a3c1ad1986979647cac99
core vuejs/core e2bede96134f757aad5c5b33ac9be055022dbfc8
devise heartcombo/devise 7ca7ed9c174525a4d36167441b35af4a0991b6af
mdbook rust-lang/mdBook 641d06abe7d10d981ed61dd2711a30e4119666cd
nginx nginx/nginx 3f6f7824d4e2eb1ac37dec76683d525ac0ff521c
re2 google/re2 972a15cedd008d846f1a39b2e88ce48d7f166cbd
restsharp restsharp/RestSharp 9b2fe0a054eb732d4246ae5e117ffa02c703abd2
http-foundation symfony/http-foundation 3d7bbf071b25f802f7d55524d408bed414ea71e2
aiohttp aio-libs/aiohttp fc67cfdfd7d4bbf53ef76515fae69726626fe256
axum tokio-rs/axum 309d1bd9530eec2217134cb262760af1df42ee3b
gin gin-gonic/gin d3ffc9985281dcf4d3bef604cce4e662b1a327a6
gson google/gson f4d371d29c04066dbe7fdb31f642831f9c7f40cd
libuv libuv/libuv 40178b916e5937ed43c557aa051bdb3f86f6ca93
fmtlib fmtlib/fmt 382609a920d2c43c00f2951233bc0d578a783982
sinatra sinatra/sinatra f891dd2b6f4911e356600efe6c3b82af97d262c6
monolog Seldaek/monolog 68b974809baff3f071893de61447212e9e688ee7
zod colinhacks/zod c7805073fef5b6b8857307c3d4b3597a70613bc2
newtonsoft JamesNK/Newtonsoft.Json 09bb545d72969ad7fb4ea07db0d5c34f4fc07877
LIST
