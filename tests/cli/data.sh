#!/bin/sh
# Real graphs are read with their true counts, in every format they come in;
# matrices that are mangled are read or refused, never a crash.
#
#   data.sh HYPHA SOURCE_TREE
#
# The folder is HYPHA_DATA or ../shared/data beside the source tree; it is not
# part of the project, and without it there is nothing to do.
set -u
hypha=$1
data=${HYPHA_DATA:-$2/../shared/data}
[ -d "$data" ] || { echo "skipped: no data in $data"; exit 77; }
wrong=0
read_=0

# value KEY JSON: a number of the first object.
value()
{
    printf '%s\n' "$2" | sed -n "s/^{[^{]*\"$1\":\([0-9]*\).*/\1/p; q"
}

lines_of()
{
    printf '%s\n' "$1" | sed -n 's/.*"lines":\([0-9]*\).*/\1/p'
}

# counts FILE VERTICES LINES EDGES [OPTION...]: EDGES are distinct ones.
counts()
{
    file=$1 vertices=$2 lines=$3 edges=$4
    shift 4
    [ -e "$data/$file" ] || { echo "skipped: no $file"; return; }
    read_=$((read_ + 1))
    json=$("$hypha" info --json "$@" "$data/$file")
    got="$(value vertices "$json") $(lines_of "$json") $(value edges "$json")"
    [ "$got" = "$vertices $lines $edges" ] && return
    echo "$file: vertices, lines, edges are $got, not $vertices $lines $edges"
    wrong=$((wrong + 1))
}

counts collegemsg/CollegeMsg.txt 1899 59835 20296
counts collegemsg/CollegeMsg.txt 1899 59835 13838 --undirected
counts digg-reply/out.munmun_digg_reply 30398 87627 86404
counts email-eu-core/email-Eu-core.txt 1005 25571 25571
counts email-eu-core/email-Eu-core.txt 1005 25571 16706 --undirected
counts wiki-vote/wiki-Vote.txt 7115 103689 103689
counts wiki-vote/wiki-Vote.txt 7115 103689 100762 --undirected
counts ca-astroph/ca-AstroPh.txt 18772 198110 198110 --undirected
counts facebook/facebook_combined.txt 4039 88234 88234 --undirected
counts usroads/road-usroads.mtx 129164 165435 165435
counts road-minnesota/road-minnesota.mtx 2642 3303 3303
counts rome99/rome99.gr 3353 8870 8859
counts rome99/rome99.gr 3353 8870 4831 --undirected
counts delaunay_n15/delaunay_n15.graph 32768 98274 98274
counts p2p-gnutella31/p2p-31.e 62586 147892 147892
counts p2p-gnutella31/p2p-31.v 62586 147892 147892 --undirected

# Base and changes together are the whole.
base=$data/p2p-gnutella31/p2p-31.e.mutable_base
if [ -e "$base" ]; then
    read_=$((read_ + 1))
    last=$("$hypha" stream --from wel --stream-from delta --undirected --json \
        "$base" "${base%base}delta" | tail -n 1)
    case $last in
    *'"edges":147892,'*) ;;
    *)
        echo "$base: does not end with 147892 edges: $last"
        wrong=$((wrong + 1))
        ;;
    esac
fi

for file in "$data"/matrix-market/*.mtx \
    "$data"/graphalytics-validation/*/*.[ev]; do
    [ -e "$file" ] || continue
    read_=$((read_ + 1))
    said=$("$hypha" info "$file" 2>&1 >/dev/null)
    code=$?
    case $code,$said in
    0,) ;;
    3,"$file":*) ;;
    *)
        echo "$file: exit $code: $said"
        wrong=$((wrong + 1))
        ;;
    esac
done
echo "data: $read_ readings, $wrong wrong"
[ "$wrong" -eq 0 ]
