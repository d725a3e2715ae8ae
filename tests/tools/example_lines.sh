#!/bin/sh
# The examples stay short: useful lines are those that are neither blank nor
# comment.  example_lines.sh FOLDER
set -eu
failed=0
while read -r name limit; do
    lines=$(awk '
        { sub(/^[ \t]+/, "") }
        inside { if (sub(/.*\*\//, "")) inside = 0; else next }
        /^\/\*/ { if (!sub(/^\/\*.*\*\//, "")) { inside = 1; next } }
        /^$/ { next }
        { n++ }
        END { print n + 0 }' "$1/$name.c")
    if [ "$lines" -gt "$limit" ]; then
        echo "$name.c has $lines useful lines, $limit are the limit"
        failed=1
    fi
done <<LIMITS
bfs 45
sssp 55
triangles 40
live 55
LIMITS
exit "$failed"
