#!/bin/sh
# Ollama's own chat API. (It speaks OpenAI's too: openai.sh with BASE_URL=http://localhost:11434.)
#
#   ./ollama.sh <request.json      the answer comes to stdout; options go to nymize
#   BASE_URL=https://ollama.com OLLAMA_API_KEY=… ./ollama.sh <request.json
#
# Needs curl 7.76. With 7.82, `--json @-` says the same as the two options for the body.
set -eu
base=${BASE_URL:-http://localhost:11434}

# Filtered first, and sent only when that worked: else nothing is sent, and nymize's status (2) is this script's.
body=$(nymize "$@") && printf %s "$body" |
  curl -sS -N --fail-with-body -H 'content-type: application/json' --data-binary @- \
    -H "authorization: Bearer ${OLLAMA_API_KEY:-none}" "$base/api/chat"
