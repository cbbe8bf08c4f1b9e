#!/usr/bin/env bash
# The second step of action.yml: the gate, its summary, its annotations and its outputs.
set -euo pipefail

# Files of the repository that are called like modules are none of the tool's.
export PYTHONSAFEPATH=1
python="${NDCG_PYTHON:-python}"

words=()
option() { if [ -n "$2" ]; then words+=("$1=$2"); fi; }
trimmed() {
  local text="$1"
  text="${text#"${text%%[![:space:]]*}"}"
  printf '%s' "${text%"${text##*[![:space:]]}"}"
}
# One rule a line; comments are left out, and so are the dashes of a list.
rules() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line="$(trimmed "$line")"
    line="$(trimmed "${line#- }")"
    case "$line" in "" | "#"*) ;; *) words+=("--fail-if=$line") ;; esac
  done <<<"$1"
}
# One option a line, as --name=value or --name value.
options() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line="$(trimmed "$line")"
    case "$line" in
    "" | "#"*) ;;
    -*[[:space:]]*)
      case "${line%%[[:space:]]*}" in
      *=*) words+=("$line") ;;
      *) words+=("${line%%[[:space:]]*}" "$(trimmed "${line#*[[:space:]]}")") ;;
      esac
      ;;
    *) words+=("$line") ;;
    esac
  done <<<"$1"
}
# What went wrong, as one annotation; a step that stops here has no outputs.
stop() {
  local text="${1//'%'/%25}"
  text="${text//$'\r'/%0D}"
  printf '::error title=ndcg gate::%s\n' "${text//$'\n'/%0A}"
  exit "$2"
}

option --baseline "${NDCG_BASELINE:-}"
option --rules "${NDCG_RULES:-}"
option --segments "${NDCG_SEGMENTS:-}"
option --preset "${NDCG_PRESET:-}"
rules "${NDCG_FAIL_IF:-}"
options "${NDCG_ARGUMENTS:-}"
case "${NDCG_SIGNIFICANT:-false}" in
true) words+=(--significant) ;;
false | "") ;;
*) stop "the input significant is neither true nor false: $NDCG_SIGNIFICANT" 2 ;;
esac
files=()
if [ -n "${NDCG_QRELS:-}" ]; then files+=("$NDCG_QRELS"); fi
if [ -n "${NDCG_RUN:-}" ]; then files+=("$NDCG_RUN"); fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
code=0
"$python" -m ndcg gate ${words[@]+"${words[@]}"} -o "$folder/gate.md" -o "$folder/gate.json" \
  --format github -- ${files[@]+"${files[@]}"} 2>"$folder/said" || code=$?
cat "$folder/said" >&2
if [ ! -s "$folder/gate.json" ]; then
  if [ "$code" -lt 2 ]; then code=2; fi # 1 would say that a rule is broken
  stop "$(cat "$folder/said")" "$code"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$folder/gate.md" >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  "$python" -c 'import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
first = [one for one in found["rules"]
         if one["difference"] is not None and one["segment"] is None]
name = first[0]["measure"] if first else next(iter(found["measures"]))
mean = found["measures"][name]["mean"]
print("passed=" + ("true" if found["passed"] else "false"))
print("measure=" + name)
print("value=%s" % ("" if mean is None else mean))
print("delta=%s" % (first[0]["difference"] if first else ""))' "$folder/gate.json" >>"$GITHUB_OUTPUT"
fi
exit "$code"
