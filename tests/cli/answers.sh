#!/bin/sh
# Answers about real graphs: those that LDBC Graphalytics and libgrape give
# with their data, and counts that are known.
#
#   answers.sh HYPHA SOURCE_TREE
#
# The folder is HYPHA_DATA or ../shared/data beside the source tree; it is not
# part of the project, and without it there is nothing to do.
set -u
LC_ALL=C
export LC_ALL
hypha=$1
data=${HYPHA_DATA:-$2/../shared/data}
[ -d "$data" ] || { echo "skipped: no data in $data"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/answers.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
wrong=0
asked=0

complain()
{
    echo "$*"
    wrong=$((wrong + 1))
}

# same HOW EXPECTED GOT: two files of `id value`.  exactly; near: within 1e-4
# of the value; groups: the same vertices have the same value.
same()
{
    awk -v how="$1" '
        function value(x) {
            return x == "9223372036854775807" || tolower(x) ~ /^inf/ ? "inf" : x
        }
        function is_near(a, b) {
            if (a == "inf" || b == "inf")
                return a == b
            d = a > b ? a - b : b - a
            return d <= 1e-4 * (a > 0 ? a : -a) || d <= 1e-12
        }
        NF < 2 { next }
        NR == FNR { want[$1] = value($2); n++; next }
        {
            a = want[$1]
            b = value($2)
            if (!($1 in want))
                wrong = wrong "vertex " $1 " is not expected; "
            else if (how == "groups") {
                if ((a in to && to[a] != b) || (b in from && from[b] != a))
                    wrong = wrong "vertex " $1 " is in another group; "
                to[a] = b
                from[b] = a
            } else if (how == "near" ? !is_near(a + 0 == a ? a + 0 : a, \
                                                b + 0 == b ? b + 0 : b) \
                                     : a != b)
                wrong = wrong "vertex " $1 " has " b ", not " a "; "
            n--
        }
        END {
            if (n)
                wrong = wrong n " vertices are missing; "
            if (wrong) {
                print substr(wrong, 1, 300)
                exit 1
            }
        }' "$2" "$3"
}

# run ALGORITHM GRAPH [OPTION...]: leaves the values in `got`.
run()
{
    asked=$((asked + 1))
    "$hypha" run "$@" --check -q -o got && return 0
    complain "hypha run $*: exit $?"
    return 1
}

# ---- Graphalytics ----------------------------------------------------------

# Adjacency lists as LDBC files g.v and g.e.
take()
{
    awk '{ print $1 }' "$1" >g.v
    awk '{ for (i = 2; i <= NF; i++) print $1, $i }' "$1" >g.e
    cat g.v g.e | awk '{ print $1; if (NF > 1) print $2 }' | sort -n -u >all
    mv all g.v
}

# ldbc FOLDER HOW ALGORITHM [OPTION...]: directed and not.
ldbc()
{
    folder=$data/graphalytics-validation/$1 how=$2 algorithm=$3
    shift 3
    [ -d "$folder" ] || { echo "skipped: no $folder"; return; }
    for kind in dir undir; do
        if [ -e "$folder/$kind-input.e" ]; then
            cat "$folder/$kind-input.e" >g.e
            cat "$folder/$kind-input.v" >g.v
        else
            take "$folder/$kind-input"
        fi
        for threads in 1 2 3; do
            run "$algorithm" g.e "--${kind}ected" --threads $threads "$@" ||
                continue
            said=$(same "$how" "$folder/$kind-output" got) ||
                complain "$algorithm $kind, $threads threads: $said"
        done
    done
}

ldbc bfs exactly bfs --source 1
ldbc cdlp exactly cdlp --iterations 5
ldbc wcc groups wcc
ldbc wcc groups wcc --method shiloach-vishkin
ldbc wcc groups wcc --method label-propagation
ldbc pr near pagerank --iterations 26
ldbc pr near pagerank --tolerance 1e-6 --deterministic
ldbc pr near pagerank --tolerance 1e-6 --method gauss-seidel
ldbc lcc near lcc
ldbc sssp near sssp --source 1

# ---- libgrape --------------------------------------------------------------

# p2p NAME HOW ALGORITHM [OPTION...]
p2p()
{
    folder=$data/p2p-gnutella31
    [ -e "$folder/p2p-31-$1" ] || { echo "skipped: no p2p-31-$1"; return; }
    name=$1 how=$2
    shift 2
    algorithm=$1
    shift
    run "$algorithm" "$folder/p2p-31.e" --undirected "$@" || return
    said=$(same "$how" "$folder/p2p-31-$name" got) ||
        complain "p2p $name: $said"
}

p2p BFS exactly bfs --source 6
p2p SSSP near sssp --source 6
p2p SSSP near sssp --source 6 --delta 5
p2p WCC groups wcc

# ---- counts ----------------------------------------------------------------

# result KEY EXPECTED ALGORITHM FILE [OPTION...]
result()
{
    key=$1 expected=$2 algorithm=$3 file=$4
    shift 4
    [ -e "$data/$file" ] || { echo "skipped: no $file"; return; }
    asked=$((asked + 1))
    got=$("$hypha" run "$algorithm" "$data/$file" --undirected --check --json \
        "$@" | sed -n "s/.*\"result\":{[^}]*\"$key\":\([0-9.]*\).*/\1/p")
    [ "$got" = "$expected" ] ||
        complain "$algorithm $file: $key is $got, not $expected"
}

# counts FILE TRIANGLES COMPONENTS; the latter with isolated vertices.
counts()
{
    result triangles "$2" triangles "$1"
    [ "$3" = - ] || result components "$3" wcc "$1"
}

counts collegemsg/CollegeMsg.txt 14319 4
counts digg-reply/out.munmun_digg_reply 4282 373
counts email-eu-core/email-Eu-core.txt 105461 20
counts wiki-vote/wiki-Vote.txt 608389 24
counts ca-astroph/ca-AstroPh.txt 1351441 290
counts facebook/facebook_combined.txt 1612010 1
counts usroads/road-usroads.mtx 4237 56
counts rome99/rome99.gr 132 1
counts p2p-gnutella31/p2p-31.e 2024 12
result cliques 1612010 kclique facebook/facebook_combined.txt --k 3
result max_core 115 kcore facebook/facebook_combined.txt
result max_core 56 kcore ca-astroph/ca-AstroPh.txt
result trees 56 mst usroads/road-usroads.mtx

echo "answers: $asked asked, $wrong wrong"
[ "$wrong" -eq 0 ]
