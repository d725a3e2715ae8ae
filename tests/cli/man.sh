#!/bin/sh
# Every command has a page, the page parses, and it tells of every option
# that --help tells of.
#
#   man.sh HYPHA MAN_FOLDER
set -u
LC_ALL=C
export LC_ALL
hypha=$1
pages=$2
wrong=0

complain()
{
    echo "$*"
    wrong=$((wrong + 1))
}

# The warnings of whatever formats pages here; none if nothing does.
warnings()
{
    if command -v mandoc >/dev/null 2>&1; then
        mandoc -T lint -W warning "$1" | grep -v 'missing date'
    elif command -v groff >/dev/null 2>&1; then
        groff -man -ww -z "$1" 2>&1
    elif command -v man >/dev/null 2>&1; then
        man --warnings -l "$1" 2>&1 >/dev/null
    fi
}

for page in "$pages"/*.1; do
    found=$(warnings "$page")
    [ -z "$found" ] || complain "$page: $found"
done

# What is not built yet has no page.
commands=$("$hypha" help | grep -v 'not built yet' |
    sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for command in $commands; do
    page=$pages/hypha-$command.1
    [ -f "$page" ] || { complain "$page: missing"; continue; }
    plain=$(sed 's/\\-/-/g' "$page")
    for option in $("$hypha" "$command" --help |
        sed -n 's/^  -[a-z], /  /; s/^  \(--[a-z0-9-]*\).*/\1/p'); do
        case $plain in
        *"$option"*) ;;
        *) complain "$page: does not tell of $option" ;;
        esac
    done
    grep -q "hypha.*-$command" "$pages/hypha.1" ||
        complain "$pages/hypha.1: does not tell of $command"
done
echo "man: $wrong wrong"
[ "$wrong" -eq 0 ]
