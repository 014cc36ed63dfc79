#!/bin/sh
# OpenAI chat completions, and every server that speaks them (vLLM, LM Studio, llama.cpp, Ollama, …).
#
#   OPENAI_API_KEY=… ./openai.sh <request.json                        the answer comes to stdout
#   BASE_URL=http://localhost:11434 ./openai.sh --region NL <request.json   options go to nymize
#
# Needs curl 7.76. With 7.82, `--json @-` says the same as the two options for the body.
set -eu
base=${BASE_URL:-https://api.openai.com}

# Filtered first, and sent only when that worked: else nothing is sent, and nymize's status (2) is this script's.
body=$(nymize "$@") && printf %s "$body" |
  curl -sS -N --fail-with-body -H 'content-type: application/json' --data-binary @- \
    -H "authorization: Bearer ${OPENAI_API_KEY:-none}" "$base/v1/chat/completions"
