#!/bin/sh
# Anthropic messages.
#
#   ANTHROPIC_API_KEY=… ./anthropic.sh <request.json      the answer comes to stdout; options go to nymize
#
# Needs curl 7.76. With 7.82, `--json @-` says the same as the two options for the body.
set -eu
base=${BASE_URL:-https://api.anthropic.com}

# Filtered first, and sent only when that worked: else nothing is sent, and nymize's status (2) is this script's.
body=$(nymize "$@") && printf %s "$body" |
  curl -sS -N --fail-with-body -H 'content-type: application/json' --data-binary @- \
    -H "x-api-key: ${ANTHROPIC_API_KEY:-none}" -H 'anthropic-version: 2023-06-01' "$base/v1/messages"
