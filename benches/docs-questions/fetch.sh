#!/usr/bin/env bash
# Downloads the 29 repositories of the questions about documentation to DIR/<repo>, each at one commit. Existing
# ones are kept.
#   benches/docs-questions/fetch.sh DIR
# Needs git and github.com; 700 MB.
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
django felixxm/django aa0efc9e221e023c21ca0ff17f1b1300a3d4ebe2
gunicorn benoitc/gunicorn 65ac1a3a4c0aa00960968c720d6e6bd2ac32f1b9
helix helix-editor/helix 079a789e8cb08ead67f19e1971a1b7438b37354b
eslint eslint/eslint c27bc926e496985eb7911c09eb60914b2e4b5d0f
mypy python/mypy 8b3e7d8b9f63543374e53d1c389ea443dd65bc46
mdbook rust-lang/mdBook 641d06abe7d10d981ed61dd2711a30e4119666cd
locust locustio/locust 407343d0f5ab84a32f41f6f9a7c991188d10a55a
scrapy scrapy/scrapy 11079cb1c85b9e75a39a7269943c69d1a975d485
poetry python-poetry/poetry f46702336862f30050d5c641d5ed6f7568ded793
jj jj-vcs/jj 9d905d5432869c7aa9539e6e5c7fece5842bed37
datasette simonw/datasette 481df7ff6d78a8ccf919984d27f27201b081bd53
fastify fastify/fastify 83e69762aff047940b376fc2a266d143499ef727
typos crate-ci/typos 3bc303c295c081add5df4a4d52a1e117f2fb2dce
miniflux miniflux/v2 106cdd09e1557222303f3ed1376e1dadf0638621
beets beetbox/beets 07f39c5204997a356fd98b7e88ba9b185efb2e66
koel koel/koel 41cab99feeaf59b139699403fdfd41f0a280fb39
jbang jbangdev/jbang 351b42b46e72ec442f4593f993c36e344c506dad
ruby-lsp Shopify/ruby-lsp 6745c162fce98b1738f8f602fbca38806c6863aa
lnav tstack/lnav bb0005f96c8dc486ee0b9005a4562be0ef61c878
vite vitejs/vite a98c8d95d552c6fa98ab66fb810f5b39ad5abf49
vifm vifm/vifm 4f9a658ca0fdff831173851b98c8d841bf1df9ff
alacritty alacritty/alacritty bdb72b32eeb074e3a0b8559d8ccac458237474a3
kong Kong/kong 22246ef28c16842098369b494eef879222e30c7b
asciidoctor-maven-plugin asciidoctor/asciidoctor-maven-plugin d19cfae623a9930c2809ca58e0849f09c9a36cb7
pytest pytest-dev/pytest df87db7b0462fb764ef73fa00561adf8ad047572
celery celery/celery 5dc781f0bd5f36186bfcc74e0a4f9f654452c69b
flask pallets/flask 2ac89889f4cc330eabd50f295dcef02828522c69
traefik traefik/traefik fd5a576df2e8aeb0bfc8a96b6ef6e60a61f7ec0a
ripgrep BurntSushi/ripgrep 3fce3b5bb0236da2df6d99672afb8a719642eca7
LIST
