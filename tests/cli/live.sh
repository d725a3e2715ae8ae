#!/bin/sh
# Answers follow real streams, and equal those that are recomputed after every
# batch: temporal lists with and without a window, a graph and its delta.
#
#   live.sh HYPHA SOURCE_TREE
#
# The folder of graphs is HYPHA_DATA or ../shared/data beside the source tree; it
# is not part of the project, and without it there is nothing to do.
set -u
hypha=$1
data=${HYPHA_DATA:-$2/../shared/data}
[ -d "$data" ] || { echo "skipped: no data in $data"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/live.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
wrong=0
streams=0

complain()
{
    echo "$*"
    wrong=$((wrong + 1))
}

# follows NAME SOURCE GRAPH FILE [OPTION...]: all answers, and at the end
# those of `hypha run` on the graph that is left.
follows()
{
    name=$1 source=$2 graph=$3 file=$4
    shift 4
    [ -e "$file" ] || { echo "skipped: no $file"; return; }
    streams=$((streams + 1))
    "$hypha" stream "$graph" "$file" "$@" --check --json --source "$source" \
        --live bfs --live sssp --live pagerank --live wcc --live triangles \
        --live lcc --live kcore --live degrees \
        -o "$work/out" --save "$work/end.hyg" >"$work/said" || {
        complain "$name $*: exit $?"
        return
    }
    # A window may have left both ways of doing it to be seen.
    grep -q '"how":"repaired"' "$work/said" ||
        complain "$name $*: nothing was repaired"
    for answer in bfs sssp wcc triangles lcc kcore; do
        set -- "$hypha" run "$answer" "$work/end.hyg" -q -o "$work/run.tsv"
        case $answer in
        bfs | sssp) set -- "$@" --source "$source" ;;
        esac
        "$@" >/dev/null && cmp -s "$work/run.tsv" "$work/out/$answer.tsv" ||
            complain "$name: $answer.tsv is not what run $answer writes"
    done
    rm -rf "$work/out"
}

msg=$data/collegemsg/CollegeMsg.txt
printf '# Directed graph\n# vertex 9\n' >"$work/directed.el"
printf '# Undirected graph\n# vertex 9\n' >"$work/undirected.el"
follows messages 9 "$work/directed.el" "$msg" --stream-from temporal \
    --batch 2500
follows messages 9 "$work/undirected.el" "$msg" --stream-from temporal \
    --batch 997 --window 604800
if "$hypha" devices --json | grep -q '"number":1,'; then
    follows messages 9 "$work/directed.el" "$msg" --stream-from temporal \
        --batch 9000 --device 1
    grep -q '"device":' "$work/said" || complain "no answer is on a device"
fi
follows messages 9 "$work/directed.el" "$msg" --stream-from temporal \
    --batch 100 --window 86400 --threads 1

digg=$data/digg-reply/out.munmun_digg_reply
follows digg 9 "$work/undirected.el" "$digg" --stream-from temporal \
    --batch 5000
follows digg 9 "$work/directed.el" "$digg" --stream-from temporal \
    --batch 3001 --window 200000

base=$data/p2p-gnutella31/p2p-31.e.mutable_base
follows p2p 6 "$base" "${base%base}delta" --from wel --stream-from delta \
    --undirected --batch 5000

echo "live: $streams streams, $wrong wrong"
[ "$wrong" -eq 0 ]
