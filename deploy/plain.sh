#!/usr/bin/env bash
# plain.sh [PATH...]: fails on idioms in comments, names of tests and READMEs that a reader has to read twice. Say who does what instead: "the
# gateway retries twice" and not "whoever asks anew is told". Texts that members read, and scripts that are spoken, are not looked at.
set -euo pipefail
cd "$(dirname "$0")/.."
idioms='\bwhoever\b|\banew\b|\b(told|heard) of\b|\bis told\b|\bwhere there (is|are) none\b|\bhas none\b|\bof its own\b|\bthe house\b'
skip=(
  ':!*/gen/*' ':!*sqlcgen*' ':!*/testdata/*' ':!*.swagger.json' ':!deploy/plain.sh'
  ':!*.tsv' ':!*.txt' ':!*.json' ':!*.svg' ':!*.html' ':!frontend/src/copy' ':!services/content/seed'
)
if git grep -nEi "$idioms" -- "${@:-.}" "${skip[@]}"; then
  echo "Plain English, please: say who does what (deploy/plain.sh)." >&2
  exit 1
fi
