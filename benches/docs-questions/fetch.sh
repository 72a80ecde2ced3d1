#!/usr/bin/env bash
# Downloads the twelve repositories of the questions about documentation to DIR/<repo>, each at one commit. Existing
# ones are kept.
#   benches/docs-questions/fetch.sh DIR
# Needs git and github.com; 250 MB.
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
LIST
