#include "numbers.h"

#include "../streamer/tape.h"

#include <math.h>
#include <string.h>

/* Runs LOOP for the C type of a dtype, so that each has a loop of its own. */
#define BY_TYPE(dtype, LOOP)                                                                       \
    switch (dtype) {                                                                               \
    case XY_I8: LOOP(int8_t); break;                                                               \
    case XY_I16: LOOP(int16_t); break;                                                             \
    case XY_U16: LOOP(uint16_t); break;                                                            \
    case XY_I32: LOOP(int32_t); break;                                                             \
    case XY_U32: LOOP(uint32_t); break;                                                            \
    case XY_I64: LOOP(int64_t); break;                                                             \
    case XY_U64: LOOP(uint64_t); break;                                                            \
    case XY_F32: LOOP(float); break;                                                               \
    case XY_F64: LOOP(double); break;                                                              \
    default: LOOP(uint8_t); break;                                                                 \
    }

/* A function for each type, because V8 compiles a function anew, optimised, after it ran for some
 * milliseconds, and takes 9 ms for all types together. */
#define WIDEN(type)                                                                                \
    __attribute__((noinline)) static void widen_##type(double *out, const uint8_t *data,           \
                                                       size_t n) {                                 \
        for (size_t i = 0; i < n; i++) {                                                           \
            type v;                                                                                \
            memcpy(&v, data + i * sizeof v, sizeof v);                                             \
            out[i] = (double)v;                                                                    \
        }                                                                                          \
    }
WIDEN(int8_t)
WIDEN(uint8_t)
WIDEN(int16_t)
WIDEN(uint16_t)
WIDEN(int32_t)
WIDEN(uint32_t)
WIDEN(int64_t)
WIDEN(uint64_t)
WIDEN(float)
WIDEN(double)
#undef WIDEN

void xy_widen(double *out, int dtype, const uint8_t *data, size_t n) {
#define CALL(type) widen_##type(out, data, n)
    BY_TYPE(dtype, CALL)
#undef CALL
}

void xy_gather(double *out, int dtype, const uint8_t *data, const int32_t *at, size_t n) {
#define GATHER(type)                                                                               \
    for (size_t i = 0; i < n; i++) {                                                               \
        type v = 0;                                                                                \
        if (at[i] >= 0) memcpy(&v, data + (size_t)at[i] * sizeof v, sizeof v);                     \
        out[i] = at[i] < 0 ? NAN : (double)v;                                                      \
    }
    BY_TYPE(dtype, GATHER)
#undef GATHER
}
