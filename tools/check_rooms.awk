# The work of tools/check_rooms: reads file names, prints what is wrong.
#
# In src/ the path is src/ROOM/...; the code of a line is the line without
# comments and without what is inside quotes.

function fail(text)
{
    printf "%s:%d: %s\n", file, line_number, text
    wrong++
}

function warn(text)
{
    printf "%s:%d: warning: %s\n", file, line_number, text
    warnings++
}

function die(text)
{
    print "check_rooms: " text | "cat >&2"
    broken = 1
    exit 2
}

# ---- the table -----------------------------------------------------------

function read_table(path,    text, key, head, n, i, place, words, got)
{
    while ((got = (getline text < path)) > 0) {
        sub(/#.*/, "", text)
        if (text !~ /[^ \t]/)
            continue
        head = text
        sub(/:.*/, "", head)
        n = split(head, place, " ")
        key = place[1]
        if (key == "public-only") {
            for (i = 2; i <= n; i++)
                is_room[place[i]] = is_user[place[i]] = 1
            continue
        }
        if (text !~ /:/)
            die(path ": no colon in \"" text "\"")
        sub(/[^:]*:/, "", text)
        read_line(key, place, n, text)
    }
    close(path)
    if (got < 0)
        die("cannot read " path)
}

function read_line(key, place, n_places, text,    words, n, i, k)
{
    n = split(text, words, " ")
    if (key == "room")
        is_room[place[2]] = 1
    for (i = 1; i <= n; i++) {
        if (key == "room")
            may_include[place[2], words[i]] = 1
        else if (key == "libc")
            is_libc[words[i]] = 1
        else if (key == "header")
            for (k = 2; k <= n_places; k++)
                header_places[words[i]] = header_places[words[i]] " " place[k]
        else if (key == "call") {
            is_restricted[words[i]] = 1
            for (k = 2; k <= n_places; k++) {
                may_call[place[k], words[i]] = 1
                callers[words[i]] = callers[words[i]] " " place[k]
            }
        } else
            die("unknown line in the table: " key)
    }
}

# ---- one line ------------------------------------------------------------

# The line without comments and without what is in quotes; whether a comment
# goes on is kept in in_comment.
function code_of(text,    code, at, mark, rest)
{
    code = ""
    for (;;) {
        if (in_comment) {
            at = index(text, "*/")
            if (!at)
                return code
            text = substr(text, at + 2)
            in_comment = 0
        }
        if (!match(text, /\/\*|\/\/|"|'/))
            return code text
        code = code substr(text, 1, RSTART - 1)
        mark = substr(text, RSTART, RLENGTH)
        rest = substr(text, RSTART + RLENGTH)
        if (mark == "//")
            return code
        if (mark == "/*") {
            code = code " "
            in_comment = 1
            text = rest
        } else {
            if (mark == "\"")
                match(rest, /^([^"\\]|\\.)*"/)
            else
                match(rest, /^([^'\\]|\\.)*'/)
            code = code mark mark
            text = RLENGTH > 0 ? substr(rest, RLENGTH + 1) : ""
        }
    }
}

function check_text(text,    columns)
{
    if (text ~ /\t/)
        fail("a tab")
    if (text ~ /[ \t\r]$/)
        fail("space at the end")
    columns = text
    gsub(/[\200-\277]/, "", columns) # the tails of UTF-8 characters
    if (length(columns) > 80)
        fail(length(columns) " columns, 80 are the limit")
    if (text ~ /(^|[^A-Za-z_])(TODO|FIXME|XXX)([^A-Za-z_]|$)/ &&
        text !~ /#[0-9]/)
        fail("TODO without an issue number (#N)")
    if (text ~ /^[ \t]*\/\/.*[;{}][ \t]*$/ || text ~ /^#[ \t]*if[ \t]+0/)
        fail("code that is switched off: git remembers it")
}

# ---- includes ------------------------------------------------------------

function check_include(text,    name, quoted)
{
    if (!match(text, /[<"][^>"]*[>"]/)) {
        fail("an include that cannot be read")
        return
    }
    quoted = substr(text, RSTART, 1) == "\""
    name = substr(text, RSTART + 1, RLENGTH - 2)
    if (tree == "include") {
        if (quoted || !(name in is_libc || name ~ /^hypha\//))
            fail("a public header includes " name)
    } else if (tree == "src") {
        check_order(include_rank(name, quoted))
        if (quoted)
            check_private(name)
        else
            check_system(name)
    }
}

function check_private(name,    from)
{
    from = name
    sub(/\/.*/, "", from)
    if (!(from in is_room) || from == name)
        fail("\"" name "\": private headers are named by room, as \"base/mem.h\"")
    else if (from != room && (room in is_user))
        fail(room " includes " name ": only public headers are its own")
    else if (from != room && !((room, from) in may_include) &&
             !((room, name) in may_include))
        fail(room " may not include " name)
}

function check_system(name,    places, n, i, homes, is_home)
{
    if (name ~ /^hypha\//)
        return
    n = split(header_places[name], places, " ")
    for (i = 1; i <= n; i++) {
        homes = homes (i > 1 ? ", src/" : "src/") places[i]
        is_home = is_home || index(file, "src/" places[i] "/") == 1
    }
    if (n && !is_home)
        fail("<" name "> is for " homes " only")
    else if (!n && !(name in is_libc))
        fail("<" name "> is in no line of tools/rooms.txt")
}

# Own header, room, other rooms, public, system.
function include_rank(name, quoted,    own)
{
    own = file
    sub(/^src\//, "", own)
    sub(/\.c$/, ".h", own)
    if (!quoted)
        return name ~ /^hypha\// ? 3 : 4
    if (name == own)
        return 0
    return index(name, room "/") == 1 ? 1 : 2
}

function check_order(rank)
{
    if (rank < last_rank)
        warn("order of includes: own header, room, other rooms, public, system")
    last_rank = rank
}

# ---- calls ---------------------------------------------------------------

# A name before a parenthesis that is no member, or a pragma.
function check_calls(code,    name)
{
    if (code ~ /^[ \t]*#[ \t]*pragma[ \t]+omp/ && room != "par")
        fail("#pragma omp is for src/par only")
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
        name = substr(code, RSTART, RLENGTH)
        sub(/[ \t]*\($/, "", name)
        if (name in is_restricted && !((room, name) in may_call) &&
            substr(code, 1, RSTART - 1) !~ /(\.|->)[ \t]*$/)
            fail(name "() is for" callers[name])
        code = substr(code, RSTART + RLENGTH)
    }
}

# ---- sizes ---------------------------------------------------------------

# The brace of a function stands in the first column.  `long: why` in a
# comment since the last function exempts it.
function check_function(code, text,    n)
{
    if (text ~ /(^|[ *])long: [a-z]/)
        is_exempt = 1
    if (code ~ /^\{/)
        opened = line_number
    if (code ~ /^\}/ && opened) {
        n = line_number - opened - 1
        if (n > 100 && !is_exempt)
            fail("a function of " n " lines; 60 are the limit, never 100")
        else if (n > 60 && !is_exempt)
            warn("a function of " n " lines; 60 are the limit")
        opened = is_exempt = 0
    }
}

function check_size()
{
    if (line_number > 1000)
        fail("a file of " line_number " lines; 600 are the limit, never 1000")
    else if (line_number > 600)
        warn("a file of " line_number " lines; 600 are the limit")
}

# ---- files ---------------------------------------------------------------

function check_file(    text, code, was_comment)
{
    split(file, parts, "/")
    tree = parts[1]
    room = tree == "src" ? parts[2] : ""
    if (tree == "src" && !(room in is_room)) {
        line_number = 1
        fail("src/" room " is no room of tools/rooms.txt")
    }
    in_comment = opened = is_exempt = line_number = last_rank = 0
    while ((getline text < file) > 0) {
        line_number++
        was_comment = in_comment
        code = code_of(text)
        check_text(text)
        check_function(code, text)
        if (!was_comment && text ~ /^[ \t]*#[ \t]*include/)
            check_include(text)
        else if (tree == "src")
            check_calls(code)
    }
    close(file)
    check_size()
}

BEGIN {
    for (i = 1; i < ARGC; i++)
        if (ARGV[i] ~ /^rooms=/)
            read_table(substr(ARGV[i], 7))
}

{
    file = $0
    files++
    check_file()
}

END {
    if (broken)
        exit 2
    if (!files)
        print "check_rooms: no files here"
    else
        printf "check_rooms: %d files, %d wrong, %d warnings\n", files, wrong,
               warnings
    exit wrong || !files
}
