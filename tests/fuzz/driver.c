/* Runs a fuzz target without libFuzzer: every file that is named, then
 * random inputs of growing size.
 *
 *   TARGET [-runs=N] [-seed=S] [-max_total_time=SECONDS] [FILE...]
 *
 * Without a time there are N runs (default 1000), with one as many as fit.
 * When the target dies, the input it died of is left in ./crash-input.
 */
#include "base/random.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* There when a sanitizer is. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*)(void));

enum { MAX_BYTES = 4096 };

/* Global, for the callbacks that run when the target dies. */
static const uint8_t *input;
static size_t input_size;

static void keep_input(void)
{
    FILE *file = fopen("crash-input", "wb");
    if (file) {
        (void)fwrite(input, 1, input_size, file);
        (void)fclose(file);
        (void)fprintf(stderr, "the input of %zu bytes is in ./crash-input\n",
                      input_size);
    }
}

static void on_signal(int signal_number)
{
    keep_input();
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static void run(const uint8_t *data, size_t size)
{
    input = data;
    input_size = size;
    (void)LLVMFuzzerTestOneInput(data, size);
}

static bool run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    uint8_t *data = NULL;
    size_t size = 0, room = 0, got = 0;
    do {
        size += got;
        if (size == room) {
            room = room ? 2 * room : MAX_BYTES;
            uint8_t *more = realloc(data, room);
            if (!more) {
                free(data);
                (void)fclose(file);
                return false;
            }
            data = more;
        }
        got = fread(data + size, 1, room - size, file);
    } while (got);
    const bool is_read = !ferror(file);
    (void)fclose(file);
    if (is_read)
        run(data, size);
    free(data);
    return is_read;
}

/* Every third input is of small bytes: such look more like a program of
 * operations than noise does. */
static void run_random(uint64_t seed, uint64_t i)
{
    uint64_t state = base_random_at(seed, i);
    const uint64_t most = i + 1 < MAX_BYTES ? i + 1 : MAX_BYTES;
    const size_t size = (size_t)base_random_below(base_random(&state), most);
    const uint8_t mask = i % 3 == 0 ? 0x0f : 0xff;
    /* On the heap and of its exact size: reading past it is seen. */
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        return;
    for (size_t k = 0; k < size; k++)
        data[k] = (uint8_t)base_random(&state) & mask;
    run(data, size);
    free(data);
}

static bool read_option(const char *arg, const char *name, uint64_t *value)
{
    const size_t n = strlen(name);
    if (strncmp(arg, name, n) != 0)
        return false;
    *value = strtoull(arg + n, NULL, 10);
    return true;
}

int main(int argc, char **argv)
{
    uint64_t runs = 1000, seed = 1, seconds = 0;

    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(keep_input);
    } else {
        (void)signal(SIGSEGV, on_signal);
        (void)signal(SIGBUS, on_signal);
    }
    (void)signal(SIGABRT, on_signal);

    for (int i = 1; i < argc; i++) {
        if (read_option(argv[i], "-runs=", &runs) ||
            read_option(argv[i], "-seed=", &seed) ||
            read_option(argv[i], "-max_total_time=", &seconds))
            continue;
        if (argv[i][0] == '-') {
            (void)fprintf(stderr, "%s: unknown option\n", argv[i]);
            return 2;
        }
        if (!run_file(argv[i])) {
            perror(argv[i]);
            return 1;
        }
    }

    const time_t end = time(NULL) + (time_t)seconds;
    uint64_t done = 0;
    while (seconds ? time(NULL) < end : done < runs)
        run_random(seed, done++);
    (void)printf("seed %llu: %llu runs\n", (unsigned long long)seed,
                 (unsigned long long)done);
    return 0;
}
