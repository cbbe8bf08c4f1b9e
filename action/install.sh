#!/usr/bin/env bash
# The first step of action.yml. Everything given comes by the environment: nothing that somebody
# wrote into an input is ever read as a command.
set -euo pipefail

case "${NDCG_VERSION:-}" in
none) exit 0 ;;
"") wanted="$NDCG_ACTION" ;;
*) wanted="ndcg==$NDCG_VERSION" ;;
esac
"${NDCG_PYTHON:-python}" -m pip install --quiet --disable-pip-version-check "$wanted"
