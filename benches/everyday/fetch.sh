#!/usr/bin/env bash
# Downloads the repositories of the four question sets to DIR/<repo>, each at one commit. Existing ones are kept.
#   benches/everyday/fetch.sh DIR
# Needs git and github.com; 550 MB.
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
ripgrep BurntSushi/ripgrep 3fce3b5bb0236da2df6d99672afb8a719642eca7
redis redis/redis 4f8cdc2a1ea53e42955af758aabffee67cb455dd
locust locustio/locust 407343d0f5ab84a32f41f6f9a7c991188d10a55a
caddy caddyserver/caddy 0cf03d32f7d99cf160d5375e8a40fbe3d910d515
axios axios/axios 23a25af0688d1db2c396deb09229d2271cc24f6c
umami umami-software/umami c0ea3aefbee7a3429ee2f824b06dc4a9dbe0b7e1
framework laravel/framework bd71b45fbb7e672957bf6ff61baddefe15fbca6a
rack rack/rack 8bf4eb078498edc9105fb04add80d89c5340e60b
jackson-databind FasterXML/jackson-databind 3ff375f6cafa9696f43c5ba6f1d607cbd4ea20da
dapper DapperLib/Dapper 6d48ef664acc7298c649e2d449d903b3360d5a90
drogon drogonframework/drogon 74fc004c8dc8244fe3b6c56628601053b5a15c37
nsq nsqio/nsq 3103474b6c5afe8feca0a598797e82c06ed726e3
mopidy mopidy/mopidy b08755670fadc1122383446e9d545ab38becef90
alacritty alacritty/alacritty bdb72b32eeb074e3a0b8559d8ccac458237474a3
curl curl/curl 5c61e168698a72b87437d58ed728bcdea6d5db42
datasette simonw/datasette 481df7ff6d78a8ccf919984d27f27201b081bd53
frp fatedier/frp 40274d8c92249043d8cddb6e40b4b23128e18df4
cheerio cheeriojs/cheerio 808f8456b38a730497c675f1478d659cc4adfefe
guzzle guzzle/guzzle 2779e868a00289e1b1fd854af030c43a06f4bcb4
rails rails/rails 2a2db1e8d6d104ee0611efcae7eb023af65cff34
retrofit square/retrofit 0b118105fe8436791436b8bc9c95b9aa2cfd3bdd
messagepack-csharp neuecc/MessagePack-CSharp 1551f9344c28e822f08f3a00971ddb26229e5910
json nlohmann/json 199dea11b17c533721b26249e2dcaee6ca1d51d3
lazydocker jesseduffield/lazydocker 7e7aadc2071d58031bf2daafca1fbd4093efc23f
gunicorn benoitc/gunicorn 65ac1a3a4c0aa00960968c720d6e6bd2ac32f1b9
LIST
