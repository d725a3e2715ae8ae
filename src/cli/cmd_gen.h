/* `hypha gen`: its two halves. */
#ifndef CLI_CMD_GEN_H
#define CLI_CMD_GEN_H

#include "cli/input.h"

/* `hypha gen changes GRAPH OUT`; argv[0] is `changes`. */
int gen_changes(int argc, char **argv);

/* Dies of what a generator returned, unless it is HY_OK: with 2 if there is
 * no such graph or stream, as the options ask for it. */
void gen_must(hy_status status, const char *what);

#endif
