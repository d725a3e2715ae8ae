#!/bin/sh
# What TAB gives in bash.
#
#   completion.sh HYPHA COMPLETION_FILE
set -u
hypha=$1
file=$2
command -v bash >/dev/null 2>&1 || { echo "skipped: no bash"; exit 77; }
wrong=0

# completes WANTED WORD...: the last word is completed; WANTED is an extended
# regular expression for a whole line of the answer.
completes()
{
    wanted=$1
    shift
    got=$(PATH=$(dirname "$hypha"):$PATH bash -c '
        source "$1"
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _hypha hypha "${COMP_WORDS[COMP_CWORD]}" \
            "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$file" "$@")
    if ! printf '%s\n' "$got" | grep -E -x -q -e "$wanted"; then
        echo "$*: no line is $wanted in:"
        echo "$got"
        wrong=$((wrong + 1))
    fi
}

completes info hypha in
completes convert hypha ""
completes --version hypha --v
completes formats hypha help f
completes --undirected hypha info --un
completes --stream-from hypha stream g.el --st
completes smallworld hypha gen sm
completes changes hypha gen ""
completes --scale hypha gen --sc
completes --output hypha info --o
completes mtx hypha convert --from m
completes hyg hypha convert a b --to ""
completes temporal hypha stream --stream-from t
completes text hypha info --ids t
completes pagerank hypha run pa
completes localcluster hypha run ""
completes --damping hypha run pagerank g.el --da
completes --tolerance hypha run --to
completes afforest hypha run wcc g.el --method a
completes static hypha bench st
completes live hypha bench l
completes wcc hypha stream g.el c.hys --live w
completes pagerank hypha stream --live ""
# Nothing of ours: readline takes file names.
completes "" hypha info gra
echo "completion: $wrong wrong"
[ "$wrong" -eq 0 ]
