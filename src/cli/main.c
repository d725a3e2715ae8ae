/* The command line: finds the command and runs it. */
#include "cli/cli.h"
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

struct command {
    const char *name, *args, *help;
    cli_command *run; /* NULL: not built yet */
};

static const struct command commands[] = {
    { "info", "GRAPH", "what it is: sizes, degrees, memory it will need",
      cli_info },
    { "convert", "IN OUT", "between formats", cli_convert },
    { "gen", "KIND OUT", "makes a graph: kron, urand, grid, ...", cli_gen },
    { "run", "ALGORITHM GRAPH", "one answer, once", cli_run },
    { "stream", "GRAPH UPDATES", "batches of changes, answers that follow",
      cli_stream },
    { "bench", "SUITE", "measures: store, load, static, live, device",
      cli_bench },
    { "demo", "", "a short look at a graph that changes", cli_demo },
    { "devices", "", "what this machine can compute on", cli_devices },
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i].name;
    cli_die_unknown("no command", name, names, N_COMMANDS, "help");
}

static int run_command(int argc, char **argv)
{
    const struct command *const command = find_command(argv[0]);
    if (!command->run)
        cli_die(CLI_FAILED, "`%s` is not built yet", command->name);
    return command->run(argc, argv);
}

static int help(int argc, char **argv)
{
    if (argc > 2)
        cli_die(CLI_USAGE, "`help` takes one word; try `hypha help`");
    if (argc == 2 && !strcmp(argv[1], "formats"))
        return cli_help_formats();
    if (argc == 2) {
        char flag[] = "--help";
        char *ask[] = { argv[1], flag, NULL };
        return run_command(2, ask);
    }
    puts("hypha: analytics on graphs that change\n\n"
         "usage: hypha COMMAND [ARGUMENT ...] [OPTION ...]\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        printf("  %-8s %-16s %s%s\n", commands[i].name, commands[i].args,
               commands[i].help, commands[i].run ? "" : " (not built yet)");
    puts("\nhypha COMMAND --help tells more, hypha help formats what files can "
         "be.\n"
         "Exit: 0 done, 1 failed, 2 wrong usage, 3 bad input.");
    return CLI_OK;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        cli_die(CLI_USAGE, "no command; try `hypha help`");
    const char *const word = argv[1];
    if (!strcmp(word, "--version")) {
        printf("hypha %s\n", hy_version());
        return CLI_OK;
    }
    if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h"))
        return help(argc - 1, argv + 1);
    if (word[0] == '-')
        cli_die(CLI_USAGE, "unknown option `%s`; try `hypha help`", word);
    return run_command(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    cli_catch_signals();
    const int code = dispatch(argc, argv);
    cli_flush();
    return code;
}
