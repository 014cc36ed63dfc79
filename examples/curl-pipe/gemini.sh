#!/bin/sh
# Gemini. The model stands in the URL, not in the body.
#
#   GEMINI_API_KEY=… MODEL=gemini-2.5-flash ./gemini.sh <request.json      the answer comes to stdout
#   STREAM=1 … ./gemini.sh --region NL <request.json                       as a stream; options go to nymize
#
# Needs curl 7.76. With 7.82, `--json @-` says the same as the two options for the body.
set -eu
base=${BASE_URL:-https://generativelanguage.googleapis.com}
method=generateContent
[ -z "${STREAM:-}" ] || method='streamGenerateContent?alt=sse'

# Filtered first, and sent only when that worked: else nothing is sent, and nymize's status (2) is this script's.
body=$(nymize "$@") && printf %s "$body" |
  curl -sS -N --fail-with-body -H 'content-type: application/json' --data-binary @- \
    -H "x-goog-api-key: ${GEMINI_API_KEY:-none}" "$base/v1beta/models/${MODEL:-gemini-2.5-flash}:$method"
