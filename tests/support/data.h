/* Real graphs for tests, where they are: not part of the project. */
#ifndef TESTS_DATA_H
#define TESTS_DATA_H

/* The path of a file of the data folder, which HYPHA_DATA names; without it,
 * shared/data beside the source tree, or beside what that is in.  NULL if it is
 * not there.  Valid until the next call. */
const char *test_data(const char *name);

#endif
