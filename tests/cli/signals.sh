#!/bin/sh
# SIGINT and SIGTERM end a command at once, with the shell's code and without
# a file; progress is shown on a terminal and nowhere else.
#
#   signals.sh HYPHA
set -u
hypha=$1

# A command that is ended leaves its memory to the system: that is no leak.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
env --default-signal=INT true 2>/dev/null ||
    { echo "skipped: env cannot restore signals"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/signals.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
wrong=0

# ends SIGNAL CODE: of a conversion whose input never ends.
ends()
{
    mkfifo pipe
    sleep 60 >pipe &
    holder=$!
    env --default-signal=INT "$hypha" convert --from el pipe out.el \
        >said 2>&1 &
    sleep 0.3
    kill -"$1" $!
    wait $!
    code=$?
    kill $holder
    wait $holder 2>/dev/null
    rm pipe
    if [ "$code" -ne "$2" ] || [ -s said ] || [ "$(ls)" != said ]; then
        echo "SIG$1: exit $code, not $2; it left $(ls), and said:"
        cat said
        wrong=$((wrong + 1))
    fi
    rm -f said
}

ends INT 130
ends TERM 143

# The same while a file is being written: what was written so far goes too.
write_and_signal()
{
    env --default-signal=INT "$hypha" convert in.el out.el.zst --level 19 \
        >said 2>&1 &
    tries=0
    while [ "$(ls -A)" = "$(printf 'in.el\nsaid')" ] && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -INT $!
    wait $!
    code=$?
}

# On a busy machine the file may be whole before it is seen: once more then.
stops_writing()
{
    "$hypha" gen urand in.el --scale 16 -q || wrong=$((wrong + 1))
    code=0
    turns=0
    while [ "$code" -eq 0 ] && [ $turns -lt 5 ]; do
        rm -f out.el.zst
        write_and_signal
        turns=$((turns + 1))
    done
    rm in.el
    if [ "$code" -ne 130 ] || [ -s said ] || [ "$(ls -A)" != said ]; then
        echo "writing: exit $code, not 130; it left $(ls -A), and said:"
        cat said
        wrong=$((wrong + 1))
    fi
    rm -f said
}

stops_writing

# A stream ends after the batch it is at: whole lines, and no files.
stops_streaming()
{
    printf '0 1\n' >g.el
    awk 'BEGIN { for (i = 0; i < 3000000; i++) print "+", i % 1000, i % 997 }' \
        >c.hys
    env --default-signal=INT "$hypha" stream g.el c.hys --batch 10 --json \
        --live bfs:source=0 --live wcc --check -o out --save new.el \
        >lines 2>said &
    tries=0
    while [ ! -s lines ] && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -INT $!
    wait $!
    code=$?
    if [ "$code" -ne 130 ] || [ -s said ] || [ -n "$(ls out)" ] ||
        [ -e new.el ] || grep -qv '^{"batch":.*}$' lines; then
        echo "streaming: exit $code, not 130; it left $(ls . out), and said:"
        cat said
        tail -n 1 lines
        wrong=$((wrong + 1))
    fi
    rm -rf g.el c.hys lines said out new.el
}

stops_streaming

# A stream that waits for its pipe, before and after a batch of it.
stops_waiting()
{
    printf '0 1\n' >g.el
    mkfifo pipe
    { printf "$1"; exec sleep 60; } >pipe &
    holder=$!
    env --default-signal=INT "$hypha" stream g.el pipe --json >lines 2>said &
    tries=0
    while [ "$(wc -l <lines)" -lt "$2" ] && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.3
    kill -INT $!
    wait $!
    code=$?
    kill $holder
    wait $holder 2>/dev/null
    if [ "$code" -ne 130 ] || [ -s said ] || [ "$(wc -l <lines)" -ne "$2" ]; then
        echo "waiting: exit $code, not 130; $(wc -l <lines) batches, not $2"
        cat said
        wrong=$((wrong + 1))
    fi
    rm -f g.el pipe lines said
}

stops_waiting '# nothing yet\n' 0
stops_waiting '+ 1 2\ncommit\n+ 2' 1

# A second and a half of input, on a terminal and off it.
feed()
{
    for x in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        echo "$x 0"
        sleep 0.1
    done
}

feed | "$hypha" convert --from el - out.el >said 2>&1 || wrong=$((wrong + 1))
[ ! -s said ] || { echo "said in a pipe:"; cat said; wrong=$((wrong + 1)); }
echo "signals: $wrong wrong"
[ "$wrong" -eq 0 ]
