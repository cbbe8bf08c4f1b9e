#!/usr/bin/env bash
# The second step of action.yml: the gate, its summary, its annotations and its outputs.
set -euo pipefail

words=()
option() { if [ -n "$2" ]; then words+=("$1=$2"); fi; }
lines() {
  while IFS= read -r line || [ -n "$line" ]; do
    line="${line%$'\r'}"
    if [ -n "${line//[[:space:]]/}" ]; then words+=("${1:+$1=}$line"); fi
  done <<<"$2"
}

option --baseline "${NDCG_BASELINE:-}"
option --rules "${NDCG_RULES:-}"
option --segments "${NDCG_SEGMENTS:-}"
option --preset "${NDCG_PRESET:-}"
lines --fail-if "${NDCG_FAIL_IF:-}"
lines "" "${NDCG_ARGUMENTS:-}"
case "${NDCG_SIGNIFICANT:-false}" in
true) words+=(--significant) ;;
false | "") ;;
*)
  echo "::error title=ndcg gate::significant is '$NDCG_SIGNIFICANT', neither true nor false"
  exit 2
  ;;
esac
files=()
if [ -n "${NDCG_QRELS:-}" ]; then files+=("$NDCG_QRELS"); fi
if [ -n "${NDCG_RUN:-}" ]; then files+=("$NDCG_RUN"); fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python="${NDCG_PYTHON:-python}"
code=0
"$python" -m ndcg gate ${words[@]+"${words[@]}"} -o "$folder/gate.md" -o "$folder/gate.json" \
  --format github -- ${files[@]+"${files[@]}"} 2>"$folder/said" || code=$?
cat "$folder/said" >&2
if [ "$code" -gt 1 ]; then
  # What was wrong, as one annotation; a step that stops here has no outputs.
  "$python" -c 'import sys
from ndcg.reports.github import annotation
sys.stdout.write(annotation("error", sys.stdin.read().strip(), {"title": "ndcg gate"}))' \
    <"$folder/said"
  exit "$code"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$folder/gate.md" >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  "$python" -c 'import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
first = next(iter(found["measures"]))
moved = [one["difference"] for one in found["rules"]
         if one["measure"] == first and one["segment"] is None and one["difference"] is not None]
print("passed=" + ("true" if found["passed"] else "false"))
mean = found["measures"][first]["mean"]
print("value=%s" % ("" if mean is None else mean))
print("delta=%s" % (moved[0] if moved else ""))' "$folder/gate.json" >>"$GITHUB_OUTPUT"
fi
exit "$code"
