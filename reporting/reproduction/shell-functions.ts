import { COMPARED_FILTER } from './compared-part.ts';

/** The functions of every script. Each response is kept in files with the name of its step. */
export const SHELL_FUNCTIONS = `jq -n --rawfile text /dev/null true > /dev/null 2>&1 || { echo 'This script needs curl and jq 1.6.' >&2; exit 2; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# call STEP TEXT ARGUMENTS: sends a request with curl. With MAY_GET_NONE, the server may close the connection before it responds.
call() {
  step=$1
  printf '%s\\n' "$2"
  shift 2
  curl -sS -o "$work/$step.body" -D "$work/$step.head" -w '%{http_code}\\n' "$@" > "$work/$step.status" ||
    case \${MAY_GET_NONE:-}$? in
      yes16|yes18|yes52|yes55|yes56|yes92) echo 000 > "$work/$step.status" ;;
      *) exit 2 ;;
    esac
  touch "$work/$step.body"
  printf '  %s %s\\n' "$(cat "$work/$step.status")" "$(head -c 300 "$work/$step.body")"
}

# accepted STEP: ends the script if the server rejected the set-up.
accepted() {
  case $(cat "$work/$1.status") in
    2??|303) ;;
    *) echo "INCONCLUSIVE: the set-up request $1 was rejected. Check the credentials and BASE_URL."; exit 2 ;;
  esac
}

# rejected STEP: ends the script if the server accepted a part of the set-up that it rejected before.
rejected() {
  case $(cat "$work/$1.status") in
    2??|303) echo "INCONCLUSIVE: the set-up request $1 was accepted now, but rejected in the recorded run."; exit 2 ;;
  esac
}

# value STEP PATH: a value of a response.
value() {
  jq -er "$2" "$work/$1.body" || { echo "INCONCLUSIVE: the response of $1 has no $2." >&2; exit 2; }
}

# holds STEP FILTER: whether a jq filter yields true for a response. The filter sees $status, $headers and $text, too.
holds() {
  jq -Rn '[inputs | rtrimstr("\\r") | capture("^(?<k>[^:]+): *(?<v>.*)$") | {(.k | ascii_downcase): .v}] | add // {}' \\
    "$work/$1.head" > "$work/headers"
  jq -n --rawfile text "$work/$1.body" --slurpfile status "$work/$1.status" --slurpfile headers "$work/headers" \\
    '$status[0] as $status | $headers[0] as $headers | ($text | fromjson? // null) | '"$2" > "$work/result" 2> "$work/problem"
  case $? in 2|3) cat "$work/problem" >&2; exit 2 ;; esac
  [ "$(tail -n 1 "$work/result")" = true ]
}

# same STEP STEP: whether two responses have the same status and the same invoice, or else the same body.
same() {
  for each in "$1" "$2"; do
    jq -S '${COMPARED_FILTER}' "$work/$each.body" > "$work/$each.record" 2> "$work/problem" ||
      cp "$work/$each.body" "$work/$each.record"
  done
  diff "$work/$1.status" "$work/$2.status" && diff "$work/$1.record" "$work/$2.record"
}

# different STEP STEP: whether two responses have different bodies.
different() {
  for each in "$1" "$2"; do
    jq -S . "$work/$each.body" > "$work/$each.sorted" 2> "$work/problem" || cp "$work/$each.body" "$work/$each.sorted"
  done
  ! cmp -s "$work/$1.sorted" "$work/$2.sorted"
}
`;
