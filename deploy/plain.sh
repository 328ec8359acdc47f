#!/usr/bin/env bash
# plain.sh [PATH...]: fails on idioms in comments, names of tests and READMEs that a reader has to read twice. A sentence says who does what:
# "the gateway retries twice". The check leaves out texts that members read and scripts that narrators speak.
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
