#!/bin/sh
# Runs the cases of a golden test: what the command line is told and answers.
#
#   run.sh HYPHA FILE.test [--accept]
#
# A case is
#
#   # what it shows; lines of this kind and blank ones are skipped
#   statements of sh, in a directory of their own, `hypha` is HYPHA
#   ----
#   what they write to standard output and standard error
#   ==== EXIT CODE of the last one
#
# --accept rewrites the file with what is written now, to be read with care.
set -u
LC_ALL=C
export LC_ALL

hypha=$1
file=$2
accept=${3:-}
name=$(basename "$file" .test)
work=$(mktemp -d "${TMPDIR:-/tmp}/golden.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

mkdir "$work/bin"
ln -s "$hypha" "$work/bin/hypha"
PATH=$work/bin:$PATH
export PATH

# A command that dies leaves its memory to the system: that is no leak.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

# Splits the file: N.head, N.sh, N.out and N.code for the case N.
awk -v work="$work" '
    function to(kind) { return work "/" n "." kind }
    BEGIN { n = 1; part = "head"; printf "" > to("head") }
    part == "head" && !/^#/ && !/^[ \t]*$/ {
        part = "sh"
        line[n] = NR
        printf "" > to("out")
    }
    part == "sh" && $0 == "----" { part = "out"; next }
    part == "out" && /^==== / {
        print substr($0, 6) > to("code")
        n++
        part = "head"
        printf "" > to("head")
        next
    }
    { print > to(part) }
    END {
        for (i = 1; i < n; i++)
            print i, line[i] > (work "/cases")
        if (part != "head")
            exit 1
    }' "$file" || { echo "$file: the last case has no end"; exit 1; }
[ -f "$work/cases" ] || { echo "$file: no cases"; exit 1; }

failed=0
count=0
while read -r n line; do
    count=$((count + 1))
    mkdir "$work/dir"
    code=$(
        cd "$work/dir" || exit 1
        sh "../$n.sh" >"../$n.got" 2>&1 </dev/null
        echo $?
    )
    rm -rf "$work/dir"
    echo "$code" >"$work/$n.got_code"
    if ! diff -u --label expected --label got "$work/$n.out" "$work/$n.got" ||
        [ "$code" != "$(cat "$work/$n.code")" ]; then
        echo "$file:$line: exit $code, expected $(cat "$work/$n.code")"
        failed=$((failed + 1))
    fi
done <"$work/cases"

if [ "$accept" = --accept ]; then
    while read -r n line; do
        cat "$work/$n.head" "$work/$n.sh"
        echo ----
        cat "$work/$n.got"
        echo "==== $(cat "$work/$n.got_code")"
    done <"$work/cases" >"$work/new"
    cat "$work/$((count + 1)).head" >>"$work/new"
    cp "$work/new" "$file"
    exit 0
fi
echo "$name: $count cases, $failed failed"
[ "$failed" -eq 0 ]
