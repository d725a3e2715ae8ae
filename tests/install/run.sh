#!/bin/sh
# Installs a build into a fresh prefix, then builds and runs a user of it:
# with pkg-config, shared and static, and with find_package.
#
#   run.sh CMAKE BUILD_DIR COMPILER GENERATOR
set -eu
cmake=$1 build=$2 cc=$3 generator=$4
here=$(cd "$(dirname "$0")" && pwd)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/prefix

"$cmake" --install "$build" --prefix "$prefix" >"$tmp/log"
lib=$(dirname "$(find "$prefix" -name 'libhypha.a')")
[ -e "$lib/libhypha.so" ] || { echo "no shared library in $lib"; exit 1; }

if [ -x "$prefix/bin/hypha" ]; then
    "$prefix/bin/hypha" --version
    for file in man/man1/hypha.1 bash-completion/completions/hypha; do
        [ -f "$prefix/share/$file" ] || { echo "no share/$file"; exit 1; }
    done
fi

if command -v pkg-config >/dev/null 2>&1; then
    PKG_CONFIG_PATH=$lib/pkgconfig
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    "$cc" -std=c11 -Wall -Werror "$here/consumer.c" -o "$tmp/shared" \
        $(pkg-config --cflags --libs hypha)
    LD_LIBRARY_PATH=$lib "$tmp/shared"
    # shellcheck disable=SC2046
    "$cc" -std=c11 -Wall -Werror "$here/consumer.c" -o "$tmp/static" \
        $(pkg-config --cflags hypha) "$lib/libhypha.a" \
        $(pkg-config --static --libs hypha | sed 's/-lhypha//')
    "$tmp/static"
    # The prefix may be moved afterwards.
    mv "$prefix" "$tmp/moved"
    moved=$tmp/moved/${lib#"$prefix"/}
    PKG_CONFIG_PATH=$moved/pkgconfig
    [ "$(pkg-config --variable=libdir hypha | xargs realpath)" = \
        "$(realpath "$moved")" ]
    mv "$tmp/moved" "$prefix"
    echo "pkg-config: ok"
else
    echo "pkg-config: not installed, skipped"
fi

"$cmake" -S "$here" -B "$tmp/build" -G "$generator" \
    -D CMAKE_C_COMPILER="$cc" -D CMAKE_PREFIX_PATH="$prefix" >"$tmp/log" ||
    { cat "$tmp/log"; exit 1; }
"$cmake" --build "$tmp/build" >"$tmp/log" || { cat "$tmp/log"; exit 1; }
"$tmp/build/with_hypha"
"$tmp/build/with_hypha_static"
echo "find_package: ok"
