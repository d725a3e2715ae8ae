#!/bin/sh
# What `hypha run` answers on every device of this machine is what the host
# answers.
#
#   device.sh HYPHA
set -u
hypha=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/device.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
devices=$("$hypha" devices --json | grep -o '"kind":' | wc -l)
[ "$devices" -gt 1 ] || { echo "skipped: no device but the host"; exit 77; }
wrong=0

# same DEVICE GRAPH ALGORITHM [OPTION...]
same()
{
    device=$1 graph=$2 algorithm=$3
    shift 3
    "$hypha" run "$algorithm" "$graph" "$@" -q -o "$work/host" &&
        "$hypha" run "$algorithm" "$graph" "$@" -q -o "$work/there" --check \
            --device "$device" || wrong=$((wrong + 1))
    [ "$algorithm" = pagerank ] && return # within the tolerance: --check
    cmp -s "$work/host" "$work/there" || {
        echo "$algorithm $graph: device $device answers something else"
        wrong=$((wrong + 1))
    }
}

for way in --directed --undirected; do
    graph=$work/graph$way.wel
    "$hypha" gen kron "$graph" --scale 9 --weights 100 $way -q || exit 1
    device=1
    while [ "$device" -lt "$devices" ]; do
        same "$device" "$graph" bfs --source 1 $way
        same "$device" "$graph" sssp --source 1 $way
        same "$device" "$graph" pagerank $way
        same "$device" "$graph" wcc $way
        same "$device" "$graph" triangles $way
        same "$device" "$graph" spmv $way
        device=$((device + 1))
    done
done
"$hypha" run kcore "$graph" --device 1 2>"$work/said" && wrong=$((wrong + 1))
grep -q 'on devices run: bfs, sssp, pagerank, wcc, triangles, spmv$' \
    "$work/said" || { cat "$work/said"; wrong=$((wrong + 1)); }

# Where nothing can be written at home, devices are there all the same.
mkdir "$work/tmp"
[ "$(HOME=/proc/none XDG_CACHE_HOME= TMPDIR=$work/tmp \
    "$hypha" devices --json | grep -o '"kind":' | wc -l)" -eq "$devices" ] || {
    echo "no home, no device"
    wrong=$((wrong + 1))
}
[ "$wrong" -eq 0 ]
