/* Result codes and the error record that every failing function of the core fills.
 *
 * A status is a pinned number: 0 is success, codes have gaps so that related ones can be added.
 * A failure carries the offset in the input at which it was seen and one sentence that says
 * what was expected and what was found. */
#ifndef XY_STATUS_H
#define XY_STATUS_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    XY_OK = 0,
    XY_E_ARGUMENT = 10,    /* the caller passed something impossible */
    XY_E_MEMORY = 11,      /* an allocation failed */
    XY_E_BUDGET = 12,      /* the input asks for more memory than is allowed */
    XY_E_DEPTH = 13,       /* the input nests deeper than is read */
    XY_E_TRUNCATED = 20,   /* the input ends before the structure does */
    XY_E_NOT_ROOT = 21,    /* the magic is missing */
    XY_E_CORRUPT = 22,     /* a length, tag or count contradicts the format */
    XY_E_VERSION = 23,     /* a known structure in a version that is not readable */
    XY_E_COMPRESSION = 30, /* a compressed block does not decode */
    XY_E_CODEC = 31,       /* a compression method that is not known */
    XY_E_CHECKSUM = 32,    /* stored and computed checksums differ */
    XY_E_UNSUPPORTED = 40, /* a class, member or layout that cannot be decoded */
    XY_E_NO_STREAMER = 41, /* a class without streamer info */
    XY_E_NOT_FOUND = 42    /* no such key, branch or class */
} xy_status;

typedef struct {
    int32_t status;
    uint64_t offset;   /* bytes from the start of the input of the failing function */
    char message[480]; /* one sentence, UTF-8 as far as the file's names are */
} xy_error;

/* Records a failure and returns `status`, so that callers can `return xy_fail(...)`. The first
 * failure is kept; a later one does not overwrite it. */
xy_status xy_fail(xy_error *err, xy_status status, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
