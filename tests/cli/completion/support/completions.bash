# Prints what bash completes after the words $2 …, of which the last is not complete, with the script $1: one completion a line.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_conformance
printf '%s\n' "${COMPREPLY[@]}"
