/* What every native test uses: a check that names the place and ends the program when it fails. */
#ifndef XY_TEST_CHECK_H
#define XY_TEST_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n    ", __FILE__, __LINE__, #condition);          \
            fprintf(stderr, "" __VA_ARGS__);                                                       \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
