#!/bin/sh
# OpenAI responses.
#
#   OPENAI_API_KEY=… ./openai-responses.sh <request.json      the answer comes to stdout; options go to nymize
#
# With "store": true (the default) the provider keeps what it was sent: placeholders.
# Needs curl 7.76. With 7.82, `--json @-` says the same as the two options for the body.
set -eu
base=${BASE_URL:-https://api.openai.com}

# Filtered first, and sent only when that worked: else nothing is sent, and nymize's status (2) is this script's.
body=$(nymize "$@") && printf %s "$body" |
  curl -sS -N --fail-with-body -H 'content-type: application/json' --data-binary @- \
    -H "authorization: Bearer ${OPENAI_API_KEY:-none}" "$base/v1/responses"
